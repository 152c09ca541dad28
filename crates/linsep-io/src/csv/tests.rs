//! Tests of the CSV reader; `tests/csv.rs` adds random tables.

use super::*;
use crate::table::{MISSING, Values};

fn read_with(text: impl AsRef<[u8]>, options: &CsvOptions) -> Result<Table, String> {
    let source = Source::from_bytes("x.csv", text.as_ref());
    read_csv(source, options).map_err(|e| e.to_string())
}

fn read(text: impl AsRef<[u8]>) -> Result<Table, String> {
    read_with(text, &CsvOptions::default())
}

/// Returns the start of the error message, up to the first period.
fn says(text: impl AsRef<[u8]>) -> String {
    let error = read(text).unwrap_err();
    error.split(". ").next().unwrap().to_owned()
}

fn words(table: &Table, name: &str) -> (Vec<u32>, Vec<String>) {
    match &table.column(name).unwrap().values {
        Values::Categorical { codes, levels } => (codes.to_vec(), levels.clone()),
        Values::Numeric { .. } => panic!("{name} is a column of numbers"),
    }
}

#[test]
fn a_plain_table_is_one_block_of_numbers() {
    let table = read("a,b\r\n1,2.5\r\n\r\n -3 , +.5e1 \r\n").unwrap();
    assert_eq!((table.rows, table.width, table.header), (2, 2, true));
    assert_eq!(table.width, table.columns.len());
    assert_eq!(table.numbers[..], [1.0, 2.5, -3.0, 5.0]);
    assert_eq!(table.columns[1].name, "b");
}

#[test]
fn categorical_and_missing_cells_are_distinguished_from_numbers() {
    let table = read("1,red,?\n,\"re\"\"d, \",2\nna,red,3\n").unwrap();
    assert_eq!((table.rows, table.width, table.header), (3, 2, false));
    assert_eq!(table.row(0)[..1], [1.0]);
    assert!(table.row(1)[0].is_nan() && table.row(2)[0].is_nan() && table.row(0)[1].is_nan());
    assert_eq!(words(&table, "V2"), (vec![0, 1, 0], vec!["red".into(), "re\"d, ".into()]));
    assert_eq!(table.columns.iter().map(|c| c.missing).collect::<Vec<_>>(), [2, 0, 1]);
}

#[test]
fn types_are_inferred_from_the_whole_file() {
    // The head has only text, the file has mostly numbers: the error names the first text.
    let late = (0..2_000).map(|i| format!("{i},w{i}\n")).collect::<Vec<_>>().concat();
    let early = "w1,w1\n".repeat(1_100);
    let error = says(format!("a,b\n{early}{}", late.repeat(6)));
    assert_eq!(
        error,
        "x.csv, line 2, column 1 (a): expected a number, found \"w1\" (and 1099 similar cells in \
         this column)"
    );
    // The head has only numbers, the end has much text: the column is categorical.
    let table = read(format!("a,b\n{}{}", late, "x,y\n".repeat(1_000))).unwrap();
    let (codes, levels) = words(&table, "a");
    assert_eq!(
        (codes[1_999], levels[1_999].as_str(), levels[2_000].as_str()),
        (1_999, "1999", "x")
    );
}

#[test]
fn a_non_numeric_cell_is_an_error_with_remedies() {
    let error = read("a,petal\n1,2\n3,abc\n4,5\n").unwrap_err();
    assert_eq!(
        error,
        "x.csv, line 3, column 2 (petal): expected a number, found \"abc\". Correct it, mark it \
         as missing (`na=abc`), or read the column as categorical (`categorical=petal`)."
    );
    // Lines are counted through quoted line ends and blank lines; the earliest cell is reported.
    let error = says("a,b,c\n\n\"x\ny\",1,1\nz,2,?\nz,3,oh\nz,no,4\nz,4,4\n");
    assert_eq!(error, "x.csv, line 6, column 3 (c): expected a number, found \"oh\"");
}

#[test]
fn infinities_are_refused_in_numeric_columns() {
    assert_eq!(
        says("a\n1\n-Inf\n"),
        "x.csv, line 3, column 1 (a): expected a finite number, found \"-Inf\""
    );
    assert_eq!(
        says("a\n1\n1e999\n"),
        "x.csv, line 3, column 1 (a): expected a finite number, found \"1e999\""
    );
    assert_eq!(words(&read("a\ninf\nx\ny\n").unwrap(), "a").1, ["inf", "x", "y"]);
}

#[test]
fn a_type_can_be_forced() {
    let force = |name: &str, force| CsvOptions {
        force: vec![(name.to_owned(), force)],
        ..CsvOptions::default()
    };
    let text = "id,x\n1,2\n3,4\n1,5\n";
    let table = read_with(text, &force("id", Force::Categorical)).unwrap();
    assert_eq!(words(&table, "id"), (vec![0, 1, 0], vec!["1".into(), "3".into()]));
    let table = read_with(text, &force("id", Force::Drop)).unwrap();
    assert_eq!((table.columns.len(), &table.numbers[..]), (1, &[2.0, 4.0, 5.0][..]));
    let error = read_with("a\nx\n1\ny\n", &force("a", Force::Numeric)).unwrap_err();
    assert!(
        error.starts_with("x.csv, line 2, column 1 (a): expected a number, found \"x\""),
        "{error}"
    );
    let error = read_with(text, &force("z", Force::Drop)).unwrap_err();
    assert_eq!(error, "x.csv: no column \"z\". The columns are: id, x.");
}

#[test]
fn each_fault_of_a_file_has_its_own_message() {
    for (text, want) in [
        ("", "x.csv: expected rows of data, found an empty file"),
        ("\n \r\n\n", "x.csv: expected rows of data, found an empty file"),
        ("\u{feff}", "x.csv: expected rows of data, found an empty file"),
        ("a,b\n", "x.csv: expected rows of data, found only a header line"),
        ("a,b\n1,2\n3\n", "x.csv, line 3: expected 2 fields as in the first record, found 1"),
        (
            "a,b\n1,2\n\n3,4,5,\n",
            "x.csv, line 4: expected 2 fields as in the first record, found 4",
        ),
        ("a,b\n1,2,\n3,4,\n", "x.csv, line 2: expected 2 fields as in the first record, found 3"),
        ("a,b,a\n1,2,3\n", "x.csv, line 1: columns 1 and 3 have the same name \"a\""),
        ("a,b\n1,\"2\n3,4\n", "x.csv, line 2: unclosed quote"),
        ("\"a", "x.csv, line 1: unclosed quote"),
        (
            "a,b\n1,2\n\"3\"4,5\n",
            "x.csv, line 3, column 1 (a): expected the end of the field after a closing quote, \
             found \"4,5\"",
        ),
        ("a,\0\n1,2\n", "x.csv: expected text, found a binary file (byte 2)"),
    ] {
        assert_eq!(says(text), want, "{text:?}");
    }
}

#[test]
fn a_delimiter_at_the_end_of_every_record_adds_no_column() {
    let table = read("a,b,\n1,2,\n3,4,\n").unwrap();
    assert_eq!((table.columns.len(), &table.numbers[..]), (2, &[1.0, 2.0, 3.0, 4.0][..]));
    // A late cell makes it a column, named by its position.
    let late = format!("a,b,\n{}1,2,x\n", "1,2,\n".repeat(100_000));
    let table = read(late).unwrap();
    assert_eq!((table.columns[2].name.as_str(), table.columns[2].missing), ("V3", 100_000));
    assert_eq!(words(&table, "V3").0[99_999], MISSING);
}

#[test]
fn latin_1_is_read_in_categorical_columns_and_refused_in_numeric_ones() {
    let table = read(b"name,x\ncaf\xE9,1\ncaf\xC3\xA9,2\nth\xE9,3\n").unwrap();
    assert_eq!(words(&table, "name"), (vec![0, 0, 1], vec!["café".into(), "thé".into()]));
    assert_eq!(table.not_utf8, 2);
    let error = says(b"x\n1\n2\n\xE9\n");
    assert_eq!(error, "x.csv, line 4, column 1 (x): expected a number, found \"é\"");
}

#[test]
fn options_override_detection() {
    let options = CsvOptions { header: Some(false), ..CsvOptions::default() };
    assert_eq!(read_with("a,b\nc,d\n", &options).unwrap().rows, 2);
    assert_eq!(read_with("a,b\n", &options).unwrap().rows, 1);
    let options = CsvOptions { quote: None, delimiter: Some(b'\t'), ..CsvOptions::default() };
    let table = read_with("ham\t\"Gimme\" a few\nham\t\"open\nspam\tx\n", &options).unwrap();
    assert_eq!(words(&table, "V2").1, ["\"Gimme\" a few", "\"open", "x"]);
    let options = CsvOptions { comment: Some(b'#'), ..CsvOptions::default() };
    assert_eq!(read_with("#c,\"\na,b\n#d\n1,2\n", &options).unwrap().rows, 1);
    let options = CsvOptions { missing: vec!["-9".into()], ..CsvOptions::default() };
    assert_eq!(read_with("a\n1\n-9\n2\n", &options).unwrap().columns[0].missing, 1);
    let options = CsvOptions { delimiter: Some(b' '), ..CsvOptions::default() };
    for (text, found) in [("1 2 3\n 4 5 \n", 2), ("1 2 3\n4\n", 1), ("1 2 3\n4 5 6 7 \n", 4)] {
        let error = read_with(text, &options).unwrap_err();
        assert!(
            error.starts_with(&format!(
                "x.csv, line 2: expected 3 fields as in the first \
            record, found {found}"
            )),
            "{error}"
        );
    }
    let options = CsvOptions { delimiter: Some(b'5'), ..CsvOptions::default() };
    assert!(read_with("a\n", &options).unwrap_err().starts_with(
        "`delimiter`: expected a distinct \
        character that does not occur in numbers, found the byte 53"
    ));
}

#[test]
fn carriage_returns_byte_order_marks_and_bars_are_read() {
    let table = read("\u{feff}a|b\r1|2\r3|4").unwrap();
    assert_eq!((table.columns[0].name.as_str(), table.rows, table.numbers[3]), ("a", 2, 4.0));
}

#[test]
fn a_pipe_gives_the_same_result_as_a_file() {
    let text = format!("a,b\n{}x,y\n", "1,2\n3,z\n".repeat(3));
    let want = format!("{:?}", read(&text));
    let source = Source::from_reader("x.csv", io::Cursor::new(text.into_bytes()));
    let got = read_csv(source, &CsvOptions::default()).map_err(|e| e.to_string());
    assert_eq!(format!("{got:?}"), want);
}

#[test]
fn a_million_columns_are_read_in_linear_time() {
    let d = 1_000_000;
    let row = |cell: &str| format!("{}{cell}\n", format!("{cell},").repeat(d - 1));
    let table = read(format!("{}{}", row("1"), row("2"))).unwrap();
    assert_eq!((table.rows, table.columns.len(), table.numbers[2 * d - 1]), (2, d, 2.0));
    let table = read(format!("{}{}{}", row("1"), row("a"), row("?"))).unwrap();
    assert_eq!((table.rows, table.width, table.columns[d - 1].missing), (3, 0, 1));
}

#[test]
fn a_record_over_the_limit_is_refused_in_bounded_memory() {
    let limits = Limits { max_record: 1_000_000, ..Limits::default() };
    let options = CsvOptions { limits, ..CsvOptions::default() };
    let endless = Source::from_reader("x.csv", io::repeat(b'7'));
    let error = read_csv(endless, &options).unwrap_err().to_string();
    assert!(error.starts_with("x.csv, line 1: this record is longer"), "{error}");
}

#[test]
fn empty_lines_count_if_carriage_returns_end_lines() {
    let error = read("0a,0\r\r.;").unwrap_err();
    assert!(
        error.starts_with("x.csv, line 3: expected 2 fields as in the first record, found 1"),
        "{error}"
    );
}
