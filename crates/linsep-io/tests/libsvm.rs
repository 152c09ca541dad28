//! Random LIBSVM files, read and compared with a simple reference reader.

use linsep_io::table::NO_QUERY;
use linsep_io::{LibsvmOptions, Limits, Source, Sparse, read_libsvm};
use proptest::prelude::*;

/// Label, query, pairs sorted by index; the `Err` of `plain` is the first invalid line.
type Row = (String, i64, Vec<(u64, f64)>);

fn plain(text: &str, strict: bool) -> Result<Vec<Row>, usize> {
    let mut rows = Vec::new();
    for (number, line) in text.split('\n').enumerate() {
        let bad = number + 1;
        if strict && line.contains('#') {
            return Err(bad);
        }
        let mut tokens = line.split('#').next().unwrap_or("").split_ascii_whitespace();
        let Some(label) = tokens.next() else { continue };
        if label.contains(':') || strict && label.parse::<f64>().is_err() {
            return Err(bad);
        }
        let (mut query, mut pairs) = (NO_QUERY, Vec::new());
        for (place, token) in tokens.enumerate() {
            let (index, value) = token.split_once(':').ok_or(bad)?;
            if index == "qid" && place == 0 && !strict {
                query = value.parse().map_err(|_| bad)?;
                continue;
            }
            if index.is_empty() || !index.bytes().all(|b| b.is_ascii_digit()) {
                return Err(bad);
            }
            let index: u64 = index.parse().map_err(|_| bad)?;
            let value: f64 = value.parse().map_err(|_| bad)?;
            if !value.is_finite() || index > 2_147_483_647 || strict && index == 0 {
                return Err(bad);
            }
            pairs.push((index, value));
        }
        let ascending = pairs.windows(2).all(|w| w[0].0 < w[1].0);
        pairs.sort_by_key(|p| p.0);
        if strict && !ascending || pairs.windows(2).any(|w| w[0].0 == w[1].0) {
            return Err(bad);
        }
        rows.push((label.to_owned(), query, pairs));
    }
    if rows.is_empty() { Err(0) } else { Ok(rows) }
}

fn rows(sparse: &Sparse) -> Vec<Row> {
    let base = u64::from(sparse.base);
    let row = |i: usize| {
        let span = sparse.starts[i]..sparse.starts[i + 1];
        let pairs = span.map(|k| (u64::from(sparse.indices[k]) + base, sparse.values.get(k)));
        let query = sparse.queries.as_ref().map_or(NO_QUERY, |q| q[i]);
        (sparse.levels[sparse.codes[i] as usize].clone(), query, pairs.collect())
    };
    (0..sparse.rows).map(row).collect()
}

fn read(text: &str, strict: bool, block: usize, threads: usize) -> Result<Sparse, String> {
    let limits = Limits { block, ..Limits::default() };
    let options = LibsvmOptions { strict, threads, limits, ..LibsvmOptions::default() };
    read_libsvm(Source::from_bytes("x", text), &options).map_err(|e| e.to_string())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    #[test]
    fn reader_agrees_with_the_reference_reader(
        lines in prop::collection::vec(
            (
                "\\+1|-1|cat|1e0|3\\.5|",
                "( qid:[0-9]{1,3})?",
                prop::collection::vec((0..60u32, "-?[0-9]{1,3}(\\.[0-9]{0,9})?(e-?[0-9])?|0|0\\.0"), 0..8),
                any::<bool>(),
                " ?|\t|\r|  #x|#",
                "[ :xq#]?",
            ),
            1..30,
        ),
        mess in 0..20usize,
        block in 1..100usize,
        threads in 1..4usize,
        strict in any::<bool>(),
    ) {
        let mut text = String::new();
        for (i, (label, query, pairs, sort, tail, noise)) in lines.iter().enumerate() {
            let mut pairs = pairs.clone();
            if *sort || strict {
                pairs.sort_by_key(|p| p.0);
                pairs.dedup_by_key(|p| p.0);
            }
            let plain = strict && mess > 5;
            let (query, tail) = if plain { ("", " ") } else { (query.as_str(), tail.as_str()) };
            let label = if plain { "-1" } else { label };
            let pair = |(i, v): &(u32, String)| format!(" {}:{v}", i + u32::from(plain));
            let pairs = pairs.iter().map(pair).collect::<Vec<_>>().concat();
            let noise = if i == mess { noise } else { "" };
            text.extend([label, query, &pairs, noise, tail, "\n"]);
        }
        let want = plain(&text, strict);
        let got = read(&text, strict, block, threads);
        prop_assert_eq!(&got, &read(&text, strict, 1 << 20, 1));
        match (want, got) {
            (Ok(want), Ok(sparse)) => {
                let zeros = want.iter().flat_map(|r| &r.2).filter(|p| p.1 == 0.0).count() as u64;
                let zero = want.iter().flat_map(|r| &r.2).any(|p| p.0 == 0);
                let most = want.iter().flat_map(|r| &r.2).map(|p| p.0 + u64::from(zero)).max();
                prop_assert_eq!((sparse.zeros, u64::from(sparse.base)), (zeros, u64::from(!zero)));
                prop_assert_eq!(sparse.cols as u64, most.unwrap_or(0));
                let kept = |mut r: Row| { r.2.retain(|p| p.1 != 0.0); r };
                prop_assert_eq!(rows(&sparse), want.into_iter().map(kept).collect::<Vec<_>>());
            }
            (Err(0), Err(error)) => prop_assert!(error.contains("an empty file"), "{}", error),
            (Err(line), Err(error)) => {
                prop_assert!(error.starts_with(&format!("x, line {line}, ")), "{}: {}", line, error);
            }
            (want, got) => prop_assert!(false, "{:?}\n{:?}\n{:?}", text, want, got),
        }
    }

    #[test]
    fn arbitrary_bytes_cause_no_panic(text in prop::collection::vec(any::<u8>(), 0..300), block in 1..80usize) {
        let text: Vec<u8> = text.iter().map(|b| b"1 2:3\n0.e-#q\xE9\t"[*b as usize % 14]).collect();
        let read = |block, threads| {
            let limits = Limits { block, ..Limits::default() };
            let options = LibsvmOptions { threads, limits, ..LibsvmOptions::default() };
            read_libsvm(Source::from_bytes("x", &text[..]), &options).map_err(|e| e.to_string())
        };
        prop_assert_eq!(read(block, 3), read(1 << 20, 1));
    }
}
