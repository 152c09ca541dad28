//! Random tables: a written table reads equal, to the bit, for any thread count and block size.

use linsep_io::table::MISSING;
use linsep_io::{CsvOptions, Limits, Source, Table, Values, read_csv};
use proptest::prelude::*;

/// Formats all content of a table, with the bits of NaN.
fn describe(result: Result<Table, linsep_io::Error>) -> String {
    result.map_or_else(
        |e| e.to_string(),
        |t| {
            let bits: Vec<u64> = t.numbers.iter().map(|x| x.to_bits()).collect();
            let head = (&t.name, t.header, t.rows, t.width, t.not_utf8);
            format!("{head:?} {:?} {bits:x?}", t.columns)
        },
    )
}

fn read(
    text: &[u8],
    options: CsvOptions,
    block: usize,
    threads: usize,
) -> Result<Table, linsep_io::Error> {
    let limits = Limits { block, ..options.limits };
    read_csv(Source::from_bytes("x.csv", text), &CsvOptions { limits, threads, ..options })
}

/// Returns a cell as text, quoted if necessary or if `always`.
fn quoted(cell: &str, always: bool) -> String {
    let plain = cell.trim() == cell && !cell.contains(['"', ',', '\n', '\r']);
    if plain && !always { cell.to_owned() } else { format!("\"{}\"", cell.replace('"', "\"\"")) }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn written_table_reads_equal(
        rows in prop::collection::vec((any::<f64>(), "w[a-c\", \n#;|é]{0,6}", any::<bool>(), " {0,2}", any::<bool>()), 2..40),
        block in 1..200usize,
        threads in 1..4usize,
        crlf in any::<bool>(),
    ) {
        let end = if crlf { "\r\n" } else { "\n" };
        let mut text = format!("number,word,gap{end}");
        for (x, word, always, pad, gap) in &rows {
            let number = if x.is_finite() { format!("{x:?}") } else { "NA".into() };
            let gap = if *gap { "" } else { "7" };
            let number = quoted(&number, *always);
            let word = quoted(word, *always);
            text.extend([pad, &number, pad, ",", pad, &word, pad, ",", gap, end]);
        }
        let options = CsvOptions { delimiter: Some(b','), header: Some(true), ..Default::default() };
        let table = read(text.as_bytes(), options, block, threads).unwrap();
        prop_assert_eq!(table.rows, rows.len());
        let Values::Categorical { codes, levels } = &table.columns[1].values else { panic!("words") };
        prop_assert!(codes.iter().all(|c| *c != MISSING));
        for (i, (x, word, _, _, gap)) in rows.iter().enumerate() {
            let got = table.row(i)[0];
            prop_assert!(got.to_bits() == x.to_bits() || !x.is_finite() && got.is_nan());
            prop_assert_eq!(&levels[codes[i] as usize], word);
            prop_assert_eq!(table.row(i)[1].is_nan(), *gap);
        }
    }

    #[test]
    fn same_bits_for_any_thread_count_and_block_size(
        text in "([ab1-3.,;\n\"#? ]|,|\n|1,|\"\"|a,b\n|1,2\n|x,2\n|inf,3\n|\r\n){0,60}",
        block in 1..80usize,
        threads in 1..5usize,
        comment in any::<bool>(),
    ) {
        let options = CsvOptions { comment: comment.then_some(b'#'), ..Default::default() };
        let want = describe(read(text.as_bytes(), options.clone(), 1 << 20, 1));
        prop_assert_eq!(describe(read(text.as_bytes(), options.clone(), block, threads)), want.clone());
        prop_assert_eq!(describe(read(text.as_bytes(), options, 7, 2)), want);
    }

    #[test]
    fn arbitrary_bytes_cause_no_panic(text in prop::collection::vec(any::<u8>(), 0..300), block in 1..80usize) {
        let _ = read(&text, CsvOptions::default(), block, 1);
        let text: Vec<u8> = text.iter().map(|b| b"a1,\"\n;\xE9\t 0.e-#\r|"[*b as usize % 16]).collect();
        let want = describe(read(&text, CsvOptions::default(), 1 << 20, 1));
        prop_assert_eq!(describe(read(&text, CsvOptions::default(), block, 3)), want);
    }
}
