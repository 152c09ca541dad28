//! Equality of one table in many files: for any format, compression and thread count.
//!
//! The fixtures were written by pyarrow (see `fixtures/make.py` of linsep-io); the tests compress
//! copies of them.
//!
//! Over 400 lines: one suite over the same fixtures.

#![expect(clippy::unwrap_used, reason = "tests may")]

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_ipc::writer::StreamWriter;
use linsep::io::Error;
use linsep::io::arrow::read_arrow;
use linsep::io::parquet::read_parquet;
use linsep::io::{
    At, CsvOptions, Force, Input, ReadOptions, Source, Table, Values, read, read_files,
    read_source, read_sources,
};
use linsep::{MissingPolicy, TrainingData, TrainingSettings};
use std::io::{Cursor, Write};
use std::path::PathBuf;
use std::sync::Arc;

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../linsep-io/tests/fixtures").join(name)
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(fixture(name)).unwrap()
}

fn options(force: &[(&str, Force)], threads: usize) -> ReadOptions {
    let force = force.iter().map(|(name, force)| ((*name).to_owned(), *force)).collect();
    ReadOptions {
        csv: CsvOptions { force, threads, ..CsvOptions::default() },
        ..Default::default()
    }
}

/// Read options for the fixtures: CSV cannot distinguish categories that are numbers from numbers.
fn usual(threads: usize) -> ReadOptions {
    options(&[("code", Force::Categorical)], threads)
}

fn table(input: Result<Input, Error>) -> Table {
    match input.unwrap_or_else(|e| panic!("{e}")) {
        Input::Table(table) => table,
        Input::Sparse(_) => panic!("a table"),
    }
}

fn assert_same(a: &Table, b: &Table) {
    assert_eq!((a.rows, a.width), (b.rows, b.width));
    for (a, b) in a.columns.iter().zip(&b.columns) {
        assert_eq!((&a.name, a.number, a.missing), (&b.name, b.number, b.missing));
        assert_eq!(a.values, b.values, "{}", a.name);
    }
    assert_eq!(a.columns.len(), b.columns.len());
    let bits = |t: &Table| t.numbers.iter().map(|x| (x.is_nan(), x.to_bits())).collect::<Vec<_>>();
    let missing_is_missing = |(nan, bits)| if nan { (true, 0) } else { (false, bits) };
    assert_eq!(
        bits(a).into_iter().map(missing_is_missing).collect::<Vec<_>>(),
        bits(b).into_iter().map(missing_is_missing).collect::<Vec<_>>()
    );
}

fn packed(text: &[u8]) -> [(&'static str, Vec<u8>); 4] {
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(text).unwrap();
    let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bzip2.write_all(text).unwrap();
    let xz = lzma_rust2::XzOptions::with_preset(1);
    let mut xz = lzma_rust2::XzWriter::new(Vec::new(), xz).unwrap();
    xz.write_all(text).unwrap();
    [
        ("gzip", gzip.finish().unwrap()),
        ("zstd", zstd::stream::encode_all(text, 1).unwrap()),
        ("bzip2", bzip2.finish().unwrap()),
        ("xz", xz.finish().unwrap()),
    ]
}

/// Returns a text with limited redundancy.
fn rows() -> String {
    let rows: Vec<String> = (0..200).map(|i| format!("{i},{}\n", i * 7919 % 1000)).collect();
    rows.concat()
}

#[test]
fn every_format_gives_the_same_table() {
    let csv = table(read(&fixture("plain.csv"), &usual(1)));
    assert_eq!((csv.rows, csv.width, csv.columns.len()), (40, 7, 15));
    for name in
        ["plain.parquet", "v2.parquet", "lz4.parquet", "plain.arrow", "lz4.arrow", "zstd.arrows"]
    {
        for threads in [1, 3] {
            assert_same(&csv, &table(read(&fixture(name), &usual(threads))));
        }
        // A pipe, which is not seekable.
        let pipe = Source::from_reader(name, Cursor::new(bytes(name)));
        assert_same(&csv, &table(read_source(pipe, &usual(2))));
    }
}

#[test]
fn every_compression_gives_the_same_table() {
    let csv = table(read(&fixture("plain.csv"), &usual(1)));
    let folder = tempfile::tempdir().unwrap();
    for name in ["plain.csv", "plain.arrow", "zstd.arrows", "plain.parquet"] {
        for (packing, bytes) in packed(&bytes(name)) {
            // A neutral file name: the format must be detected from the content.
            let path = folder.path().join("file.txt");
            std::fs::write(&path, &bytes).unwrap();
            assert_same(&csv, &table(read(&path, &usual(2))));
            let pipe = Source::from_reader(packing, Cursor::new(bytes.clone()));
            assert_same(&csv, &table(read_source(pipe, &usual(1))));
            assert_same(&csv, &table(read_source(Source::from_bytes("x", bytes), &usual(1))));
        }
    }
}

#[test]
fn concatenated_members_are_one_file() {
    let (a, b) = ("a,b\n1,x\n", "2,y\n");
    for ((_, mut first), (_, second)) in packed(a.as_bytes()).into_iter().zip(packed(b.as_bytes()))
    {
        first.extend(second);
        let table = table(read_source(Source::from_bytes("x", first), &ReadOptions::default()));
        assert_eq!((table.rows, table.row(1)), (2, &[2.0][..]));
    }
}

#[test]
fn every_truncation_of_compressed_data_is_an_error() {
    let text = rows();
    for (packing, whole) in packed(text.as_bytes()) {
        for end in 12..whole.len() {
            let source = Source::from_bytes("x.csv", &whole[..end]);
            let error = read_source(source, &ReadOptions::default()).unwrap_err().to_string();
            assert!(error.contains(packing), "{packing} at {end}: {error}");
        }
        let source = Source::from_bytes("x.csv", &whole[..whole.len() / 2]);
        let error = read_source(source, &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.starts_with(&format!("x.csv: the {packing} data is truncated")), "{error}");
        assert!(error.ends_with("Copy or download the file again."), "{error}");
    }
}

#[test]
fn corrupted_compressed_data_is_detected_by_checksums() {
    let text = rows();
    let right =
        table(read_source(Source::from_bytes("x", text.as_bytes()), &ReadOptions::default()));
    for (packing, whole) in packed(text.as_bytes()) {
        let mut noticed = 0;
        for at in 10..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            match read_source(Source::from_bytes("x", bytes), &ReadOptions::default()) {
                // A zstd frame written by this library has no checksum; the other formats have one.
                Ok(read) if packing != "zstd" => assert_same(&right, &table(Ok(read))),
                Ok(_) => {}
                Err(_) => noticed += 1,
            }
        }
        assert!(noticed > 0, "{packing}");
    }
}

#[test]
fn a_window_beyond_the_limit_is_refused() {
    let mut long = zstd::stream::Encoder::new(Vec::new(), 1).unwrap();
    long.window_log(28).unwrap();
    long.write_all(b"a,b\n1,2\n").unwrap();
    let source = Source::from_bytes("x.zst", long.finish().unwrap());
    let error = read_source(source, &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("a window of more than 128 MiB"), "{error}");
}

#[test]
fn null_is_not_nan_but_both_are_missing() {
    let x: ArrayRef = Arc::new(Float64Array::from(vec![Some(1.0), None, Some(f64::NAN), None]));
    let batch = RecordBatch::try_from_iter([("x", x)]).unwrap();
    let table =
        table(read_source(Source::from_bytes("x", stream(&batch)), &ReadOptions::default()));
    let column = table.column("x").unwrap();
    assert_eq!((column.missing, column.nans), (3, 1));
    assert!(table.numbers[0] == 1.0 && table.numbers[1..].iter().all(|x| x.is_nan()));
}

fn stream(batch: &RecordBatch) -> Vec<u8> {
    let mut out = Vec::new();
    let mut writer = StreamWriter::try_new(&mut out, &batch.schema()).unwrap();
    writer.write(batch).unwrap();
    writer.finish().unwrap();
    drop(writer);
    out
}

#[test]
fn column_types_can_be_forced() {
    let force = [
        ("small", Force::Categorical),
        ("price", Force::Categorical),
        ("flag", Force::Numeric),
        ("code", Force::Numeric),
        ("day", Force::Drop),
    ];
    let of = |name: &str| table(read(&fixture(name), &options(&force, 1)));
    for name in ["plain.parquet", "plain.arrow"] {
        let table = of(name);
        let words = |name: &str| match &table.column(name).unwrap().values {
            Values::Categorical { levels, .. } => levels[..3].join(" "),
            Values::Numeric { .. } => panic!("{name} is numbers"),
        };
        assert_eq!(
            (words("small"), words("price")),
            ("-20 -19 -18".into(), "0.00 0.11 0.22".into())
        );
        let slot = |name: &str| match table.column(name).unwrap().values {
            Values::Numeric { slot } => slot,
            Values::Categorical { .. } => panic!("{name} is categorical"),
        };
        assert_eq!([0, 1].map(|i| table.row(i)[slot("flag")]), [1.0, 0.0]);
        assert_eq!([0, 1].map(|i| table.row(i)[slot("code")]), [30.0, 10.0]);
        assert!(table.column("day").is_none());
    }
    let numbers = options(&[("word", Force::Numeric)], 1);
    for name in ["plain.parquet", "plain.arrow"] {
        let error = read(&fixture(name), &numbers).unwrap_err().to_string();
        assert!(
            error.contains(", row 1, column 7 (word): expected a number, found \"red\""),
            "{error}"
        );
        assert!(error.contains("and 33 similar cells"), "{error}");
    }
    let error = read(&fixture("plain.arrow"), &options(&[("no", Force::Drop)], 1)).unwrap_err();
    assert!(error.to_string().contains("no column \"no\""));
}

#[test]
fn unsupported_column_types_are_refused_by_name() {
    for name in ["nested.parquet", "nested.arrow"] {
        let says = |force: &[(&str, Force)]| {
            read(&fixture(name), &options(force, 1)).err().map(|e| e.to_string())
        };
        let lists = says(&[]).unwrap();
        assert!(lists.contains("column 2 (many): expected numbers or text, found list"), "{lists}");
        assert!(lists.ends_with("Drop it with `drop=many`."), "{lists}");
        let drop = [("many", Force::Drop), ("s", Force::Drop)];
        let drop = if name == "nested.arrow" { &drop[..1] } else { &drop[..] };
        let raw = says(drop).unwrap();
        assert!(raw.contains("(raw): expected numbers or text, found raw bytes"), "{raw}");
        let rest = [drop, &[("raw", Force::Categorical)]].concat();
        let table = table(read(&fixture(name), &options(&rest, 1)));
        assert_eq!((table.columns.len(), table.not_utf8), (2, 1));
        assert!(
            matches!(&table.columns[1].values, Values::Categorical { levels, .. } if levels[1] == "ÿ")
        );
    }
}

#[test]
fn infinities_are_refused_and_rounded_integers_counted() {
    let x: ArrayRef = Arc::new(Float64Array::from(vec![1.0, f64::NEG_INFINITY, 2.0]));
    let batch = RecordBatch::try_from_iter([("x", x)]).unwrap();
    let error = read_arrow(Source::from_bytes("s", stream(&batch)), &CsvOptions::default());
    let error = error.unwrap_err().to_string();
    assert!(
        error.starts_with("s, row 2, column 1 (x): expected a finite number, found \"-inf\""),
        "{error}"
    );
    let n: ArrayRef = Arc::new(Int64Array::from(vec![1 << 53, (1 << 53) + 1, i64::MAX, i64::MIN]));
    let batch = RecordBatch::try_from_iter([("n", n)]).unwrap();
    let table = read_arrow(Source::from_bytes("s", stream(&batch)), &CsvOptions::default());
    let table = table.unwrap();
    assert_eq!((table.rounded, table.numbers[1]), (2, 9_007_199_254_740_992.0));
}

#[test]
fn several_files_concatenate_to_one_table() {
    let whole = |names: &[&str], threads| {
        let paths: Vec<PathBuf> = names.iter().map(|name| fixture(name)).collect();
        table(read_files(&paths, &usual(threads)))
    };
    let csv = whole(&["plain.csv", "plain.csv"], 1);
    assert_eq!((csv.rows, csv.column("x").unwrap().missing), (80, 12));
    assert!(csv.name.ends_with("plain.csv and 1 more file"));
    assert_same(&csv, &whole(&["plain.parquet", "v2.parquet"], 2));
    assert_same(&csv, &whole(&["plain.arrow", "zstd.arrows"], 2));
    let three = whole(&["plain.parquet", "lz4.parquet", "gzip.parquet"], 3);
    assert_eq!(three.rows, 89);
    assert_same(&three, &whole(&["plain.parquet", "lz4.parquet", "gzip.parquet"], 1));
}

fn texts(texts: &[&str]) -> Result<Input, Error> {
    let source = |(i, text): (usize, &&str)| Source::from_bytes(&format!("f{i}"), *text);
    read_sources(texts.iter().enumerate().map(source).collect(), &ReadOptions::default())
}

#[test]
fn column_types_are_inferred_over_all_text_files() {
    // Numbers in the first file, text in the second: a categorical column, as in a single file.
    let files = ["a,b\n1,2\n3,4\n", "a;b\nx;5\ny;6\nz;7\n"];
    let read = table(texts(&files));
    assert!(
        matches!(&read.columns[0].values, Values::Categorical { levels, .. } if levels.len() == 5)
    );
    assert_eq!(read.numbers[..], [2.0, 4.0, 5.0, 6.0, 7.0]);
    // One text among many numbers is an error, with the file that contains it.
    let many: String = "a\n".to_owned() + &"1\n".repeat(30);
    let error = texts(&[&many, "a\n2\noops\n"]).unwrap_err().to_string();
    assert!(
        error.starts_with("f1, line 3, column 1 (a): expected a number, found \"oops\""),
        "{error}"
    );
    // Files without headers, and with a different number of columns.
    assert_eq!(table(texts(&["1,2\n3,4\n", "5,6\n"])).numbers[..], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let says = |files: &[&str]| texts(files).unwrap_err().to_string();
    assert!(says(&["1,2\n3,4\n", "5,6,7\n"]).contains(
        "f1: expected 2 columns as in f0, found 3 \
        columns"
    ));
    let other = says(&["a,b\n1,2\n", "a,c\n1,2\n"]);
    assert!(
        other.starts_with("f1, column 2 (c): expected column name \"b\" as in f0, found \"c\"")
    );
}

#[test]
fn pairs_have_as_many_columns_as_the_largest_index() {
    let read = texts(&["+1 1:2 3:4\n", "-1 2:5\n+1 7:1\n", "-1\n"]).unwrap();
    let Input::Sparse(sparse) = read else { panic!("pairs") };
    assert_eq!((sparse.rows, sparse.cols, &sparse.codes[..]), (4, 7, &[0, 1, 0, 1][..]));
}

#[test]
fn column_types_that_differ_between_files_must_be_forced() {
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![1, 2]));
    let words: ArrayRef = Arc::new(StringArray::from(vec!["1", "b"]));
    let [a, b] = [numbers, words].map(|x| stream(&RecordBatch::try_from_iter([("x", x)]).unwrap()));
    let sources = || vec![Source::from_bytes("a", a.clone()), Source::from_bytes("b", b.clone())];
    let error = read_sources(sources(), &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.starts_with("b, column 1 (x): expected numbers as in a, found text"));
    assert!(error.ends_with("(`categorical=x`)."), "{error}");
    let table = table(read_sources(sources(), &options(&[("x", Force::Categorical)], 1)));
    let want = Values::Categorical {
        codes: vec![0, 1, 0, 2].into(),
        levels: ["1", "2", "b"].map(str::to_owned).into(),
    };
    assert_eq!(table.columns[0].values, want);
}

#[test]
fn every_truncation_of_a_columnar_file_is_an_error() {
    let says = |bytes: &[u8], read: fn(Source, &CsvOptions) -> Result<Table, Error>| {
        read(Source::from_bytes("x", bytes), &CsvOptions::default()).err().map(|e| e.to_string())
    };
    for name in ["gzip.parquet", "v2.parquet"] {
        let whole = bytes(name);
        assert_eq!(says(&whole, read_parquet), None);
        for end in 0..whole.len() {
            let error = says(&whole[..end], read_parquet).expect("an error");
            assert!(
                error.starts_with("x: expected a Parquet file, found another or a damaged file"),
                "{error}"
            );
        }
    }
    for name in ["plain.arrow", "zstd.arrows"] {
        let whole = bytes(name);
        assert_eq!(says(&whole, read_arrow), None);
        for end in 0..whole.len() {
            let error = says(&whole[..end], read_arrow).expect("an error");
            assert!(error.starts_with("x: expected an Arrow file or stream"), "{error}");
        }
        let error = says(&[&whole[..], b"."].concat(), read_arrow).unwrap();
        assert!(error.contains("signature") || error.contains("data follow"), "{error}");
    }
}

#[test]
fn missing_cell_errors_have_locations() {
    let says = |names: &[&str]| {
        let paths: Vec<PathBuf> = names.iter().map(|name| fixture(name)).collect();
        let input = read_files(&paths, &usual(2)).unwrap();
        let mut settings = TrainingSettings::default();
        settings.recipe.missing = MissingPolicy::Error;
        TrainingData::new(input, &settings).unwrap_err().to_string()
    };
    // The header is line 1, so row 1 is line 2. Every cell of the last column, the default target,
    // is missing.
    let place = |name| format!("{}, ", fixture(name).display());
    let none = "expected a class, found a missing value";
    assert!(
        says(&["plain.csv"])
            .starts_with(&format!("{}line 2, column 15 (none): {none}", place("plain.csv")))
    );
    for name in ["plain.parquet", "plain.arrow", "zstd.arrows"] {
        let error = says(&[name]);
        assert!(
            error.starts_with(&format!("{}row 1, column 15 (none): {none}", place(name))),
            "{error}"
        );
        let table = table(read(&fixture(name), &usual(1)));
        for column in &table.columns {
            let missing = |i: &usize| match &column.values {
                Values::Numeric { slot } => table.row(*i)[*slot].is_nan(),
                Values::Categorical { codes, .. } => codes[*i] == u32::MAX,
            };
            let first = (0..table.rows).find(missing).map(At::Row);
            assert_eq!(column.first_missing.as_ref().map(|r| r.at), first, "{}", column.name);
        }
    }
}

#[test]
fn the_first_missing_cell_may_be_in_a_later_file() {
    let column = |values: Vec<Option<f64>>| {
        let x: ArrayRef = Arc::new(Float64Array::from(values));
        stream(&RecordBatch::try_from_iter([("x", x)]).unwrap())
    };
    let whole = column(vec![Some(1.0), Some(2.0)]);
    let broken = column(vec![Some(1.0), None, None]);
    let sources = vec![Source::from_bytes("a", whole), Source::from_bytes("b", broken)];
    let columnar = table(read_sources(sources, &ReadOptions::default()));
    let first = columnar.columns[0].first_missing.clone().unwrap();
    assert_eq!((&*first.file, first.at), ("b", At::Row(1)));
    let text = table(texts(&["x,y\n1,2\n", "x,y\n1,2\n,3\n"]));
    let first = text.columns[0].first_missing.clone().unwrap();
    assert_eq!((&*first.file, first.at), ("f1", At::Line(3)));
    assert_eq!(text.columns[1].first_missing, None);
}

#[test]
fn integer_classes_beyond_doubles_are_read_as_text() {
    let ids: ArrayRef = Arc::new(Int64Array::from(vec![
        9_007_199_254_740_992,
        9_007_199_254_740_993,
        -9_007_199_254_740_993,
        7,
    ]));
    let x: ArrayRef = Arc::new(Int64Array::from(vec![1, 9_007_199_254_740_993, 3, 4]));
    let batch = RecordBatch::try_from_iter([("x", x), ("id", ids)]).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ids.arrow");
    std::fs::write(&path, stream(&batch)).unwrap();
    let training = |options: &ReadOptions| {
        TrainingData::new(read(&path, options)?, &TrainingSettings::default())
    };
    let names = |training: &TrainingData| -> Vec<String> {
        training.labels.classes().iter().map(ToString::to_string).collect()
    };
    let own = training(&ReadOptions::default()).unwrap();
    let sorted = ["-9007199254740993", "7", "9007199254740992", "9007199254740993"];
    assert_eq!((names(&own), own.x.d()), (sorted.map(str::to_owned).to_vec(), 1));
    // Numbers are read if forced; a pipe cannot be read a second time as text.
    let numbers = options(&[("id", Force::Numeric)], 1);
    assert_eq!(training(&numbers).unwrap().labels.k(), 3);
    let once = Source::from_reader("pipe", Cursor::new(stream(&batch)));
    let error = read_source(once, &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains("integers above 2^53"), "{error}");
}
