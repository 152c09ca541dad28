//! Text formats: CSV dialects, LIBSVM, compressed text, sample weights.

use super::{THREADS, same};
use linsep::core::data::is_weight;
use linsep::dataset::weights_in;
use linsep::io::{
    CsvOptions, Force, Input, LibsvmOptions, Limits, ReadOptions, Source, Values, read_csv,
    read_libsvm, read_source,
};
use linsep::{TrainingData, TrainingSettings};

/// Reads a CSV file.
pub(crate) fn csv(data: &[u8]) {
    let read = |threads, block| {
        let limits = Limits { block, ..Limits::default() };
        let options = CsvOptions { threads, limits, ..CsvOptions::default() };
        read_csv(Source::from_bytes("x.csv", data), &options)
    };
    let whole = read(1, 1 << 20);
    let pieces = read(THREADS, 7);
    same(&whole, &pieces);
    if let Ok(table) = whole {
        // Must not panic; most inputs are not valid training data.
        let _ = TrainingData::new(Input::Table(table), &TrainingSettings::default());
    }
}

/// Reads a LIBSVM file.
pub(crate) fn libsvm(data: &[u8]) {
    for strict in [false, true] {
        let read = |threads, block| {
            let limits = Limits { block, ..Limits::default() };
            let options = LibsvmOptions { threads, limits, strict, ..LibsvmOptions::default() };
            read_libsvm(Source::from_bytes("x", data), &options)
        };
        match (read(1, 1 << 20), read(THREADS, 7)) {
            (Ok(a), Ok(b)) => {
                assert_eq!(a, b);
                assert_eq!(a.starts.len(), a.rows + 1);
                assert!(a.indices.iter().all(|&i| (i as usize) < a.cols));
                assert!(a.values.to_vec().iter().all(|v| v.is_finite()));
                let _ = TrainingData::new(Input::Sparse(a.into()), &TrainingSettings::default());
            }
            (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string()),
            (a, b) => panic!("{:?} against {:?}", a.is_ok(), b.is_ok()),
        }
    }
    let _ = read_source(Source::from_bytes("x", data), &ReadOptions::default());
}

/// Reads a compressed file: every reader returns the same text or an error. The position of the
/// error in damaged data may depend on the read size, so the messages may differ.
pub(crate) fn compress(data: &[u8]) {
    let owned = data.to_vec();
    let open =
        move || Ok(Box::new(std::io::Cursor::new(owned.clone())) as Box<dyn std::io::Read + Send>);
    let options = CsvOptions::default();
    let ahead = read_csv(Source::from_opener("x.csv", open), &options);
    let once = Source::from_reader("x.csv", std::io::Cursor::new(data.to_vec()));
    for other in [read_csv(once, &options), read_csv(Source::from_bytes("x.csv", data), &options)] {
        if ahead.is_err() {
            assert!(other.is_err());
        } else {
            same(&ahead, &other);
        }
    }
    let _ = read_source(Source::from_bytes("x", data), &ReadOptions::default());
}

/// Reads a CSV file in a dialect: the first byte selects the dialect, the rest is the file.
///
/// Then the rest is taken as cells, with 0x1E between records and 0x1F between cells. Cells written
/// in the dialect, all quoted, are read back unchanged.
pub(crate) fn dialect(data: &[u8]) {
    let Some((&choice, data)) = data.split_first() else { return };
    let delimiters =
        [None, Some(b','), Some(b';'), Some(b'\t'), Some(b' '), Some(b'|'), Some(b'\'')];
    let delimiter = delimiters[usize::from(choice & 7) % delimiters.len()];
    let quote = [Some(b'"'), Some(b'\''), None, Some(b'~')][usize::from(choice >> 3 & 3)];
    let comment = [None, Some(b'#')][usize::from(choice >> 5 & 1)];
    let header = [None, Some(true), Some(false), None][usize::from(choice >> 6)];
    let dialect = CsvOptions { delimiter, header, quote, comment, ..CsvOptions::default() };

    // 1. The same table or the same error for any block size.
    let read = |threads, block, max_record| {
        let limits = Limits { block, max_record, ..Limits::default() };
        read_csv(
            Source::from_bytes("x.csv", data),
            &CsvOptions { threads, limits, ..dialect.clone() },
        )
    };
    same(&read(1, 1 << 20, 256 << 20), &read(THREADS, 1, 256 << 20));
    same(&read(1, 1 << 20, 9), &read(THREADS, 3, 9));

    // 2. Written cells are read back unchanged.
    let (Some(quote), Some(delimiter)) = (quote, delimiter) else { return };
    if quote != delimiter {
        written(data, &CsvOptions { missing: Vec::new(), ..dialect }, quote, delimiter);
    }
}

/// Writes cells in a dialect and reads them back.
fn written(data: &[u8], dialect: &CsvOptions, quote: u8, delimiter: u8) {
    let plain = |cell: &[u8]| -> String {
        let text = String::from_utf8_lossy(cell);
        // Blanks around a cell are ignored, and control characters are not text.
        let text: String = text.chars().filter(|c| !c.is_control() || *c == '\n').collect();
        text.trim().to_owned()
    };
    let mut cells: Vec<Vec<String>> = data
        .split(|&b| b == 0x1E)
        .map(|record| record.split(|&b| b == 0x1F).map(plain).collect())
        .collect();
    let width = cells[0].len();
    cells.iter_mut().for_each(|record| record.resize(width, "-".to_owned()));
    let names: Vec<String> = (0..width).map(|j| format!("name {j}")).collect();
    let mut file = Vec::new();
    for record in std::iter::once(&names).chain(&cells) {
        for (j, cell) in record.iter().enumerate() {
            if j > 0 {
                file.push(delimiter);
            }
            file.push(quote);
            for byte in cell.bytes() {
                file.extend(std::iter::repeat_n(byte, 1 + usize::from(byte == quote)));
            }
            file.push(quote);
        }
        file.push(b'\n');
    }
    let force = names.iter().map(|name| (name.clone(), Force::Categorical)).collect();
    let options = CsvOptions { header: Some(true), force, ..dialect.clone() };
    let table = read_csv(Source::from_bytes("x.csv", file), &options).expect("it is well formed");
    assert_eq!(table.rows, cells.len());
    for (j, column) in table.columns.iter().enumerate() {
        assert_eq!(column.name, names[j]);
        let Values::Categorical { codes, levels } = &column.values else {
            panic!("forced to categorical")
        };
        for (record, &code) in cells.iter().zip(codes.iter()) {
            assert_eq!(levels.get(code as usize), Some(&record[j]));
        }
    }
}

/// Reads a file of sample weights; a valid file has a valid weight for every row.
pub(crate) fn weights(data: &[u8]) {
    if let Ok(weights) = weights_in(Source::from_bytes("w", data)) {
        assert!(!weights.is_empty());
        assert!(weights.iter().all(|&s| is_weight(s)));
    }
}
