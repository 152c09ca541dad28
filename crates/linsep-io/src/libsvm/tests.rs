//! Tests of the LIBSVM reader; `tests/libsvm.rs` adds random files.

use super::*;
use crate::table::SparseColumns;

fn read_with(text: impl AsRef<[u8]>, options: &LibsvmOptions) -> Result<Sparse, String> {
    let source = Source::from_bytes("x.svm", text.as_ref());
    read_libsvm(source, options).map_err(|e| e.to_string())
}

fn read(text: impl AsRef<[u8]>) -> Result<Sparse, String> {
    read_with(text, &LibsvmOptions::default())
}

fn strict() -> LibsvmOptions {
    LibsvmOptions { strict: true, ..LibsvmOptions::default() }
}

/// Returns the start of an error message, up to the first period.
fn says(text: &str, options: &LibsvmOptions) -> String {
    let error = read_with(text, options).unwrap_err();
    error.split(". ").next().unwrap().to_owned()
}

#[test]
fn a_plain_file_is_read() {
    let rows = read("+1 1:0.5 3:-2e-1\n-1 2:1\r\n\n+1\n").unwrap();
    assert_eq!((rows.rows, rows.cols, rows.base), (3, 3, 1));
    assert_eq!(rows.starts, [0, 2, 3, 3]);
    assert_eq!(rows.indices, [0, 2, 1]);
    assert_eq!(rows.values.to_vec(), [0.5, -0.2, 1.0]);
    assert_eq!((rows.codes, rows.levels), (vec![0, 1, 0], vec!["+1".into(), "-1".into()]));
    assert_eq!(rows.queries, None);
}

#[test]
fn the_lenient_format_is_read() {
    let text = "# head\n  cat\t7:1  3:2 # 9:9\ndog qid:4 1:0 5:1#x\n1e0 qid:5 2:3\n";
    let rows = read(text).unwrap();
    assert_eq!((rows.rows, rows.cols, rows.zeros), (3, 7, 1));
    assert_eq!(
        (&rows.indices[..], &rows.values.to_vec()[..]),
        (&[2, 6, 4, 1][..], &[2.0, 1.0, 1.0, 3.0][..])
    );
    assert_eq!(rows.queries, Some(vec![NO_QUERY, 4, 5]));
    assert_eq!(rows.levels, ["cat", "dog", "1e0"]);
}

#[test]
fn an_index_0_anywhere_makes_the_whole_file_zero_based() {
    let rows = read("1 1:1 2:2\n1 0:5 4:4\n").unwrap();
    assert_eq!((rows.base, rows.cols, &rows.indices[..]), (0, 5, &[1, 2, 0, 4][..]));
    let options = LibsvmOptions { zero_based: Some(true), ..LibsvmOptions::default() };
    let rows = read_with("1 1:1\n", &options).unwrap();
    assert_eq!((rows.base, rows.cols, &rows.indices[..]), (0, 2, &[1][..]));
    let options = LibsvmOptions { zero_based: Some(false), ..LibsvmOptions::default() };
    let error = says("1 1:1\n1 0:1\n", &options);
    assert_eq!(
        error,
        "x.svm, line 2, character 3: expected an index from 1 to 2147483647, found \"0\""
    );
    assert_eq!(read("a 0:0\n").unwrap().cols, 1); // an explicit zero is still a column
    assert_eq!(read("a\nb\n").unwrap().cols, 0);
}

#[test]
fn each_fault_of_a_file_has_its_own_message() {
    let lenient = LibsvmOptions::default();
    for (text, want) in [
        ("", "x.svm: expected rows of data, found an empty file"),
        ("\n# only talk\n", "x.svm: expected rows of data, found an empty file"),
        (
            "1:2 3:4\n",
            "x.svm, line 1, character 1: expected a class before the first pair, as in +1 3:0.5, \
             found \"1:2\".",
        ),
        ("1 2:3\n1 5\n", "x.svm, line 2, character 3: expected a pair with a colon, found \"5\""),
        (
            "1 x:3\n",
            "x.svm, line 1, character 3: expected a pair with an integer before the colon, found \
             \"x:3\"",
        ),
        (
            "1 2:x\n",
            "x.svm, line 1, character 3: expected a pair with a number after the colon, found \
             \"2:x\"",
        ),
        ("é 2:nan\n", "x.svm, line 1, character 3: expected a finite value, found \"2:nan\""),
        ("1 2:1e999\n", "x.svm, line 1, character 3: expected a finite value, found \"2:1e999\""),
        ("1 2:1 2:1\n", "x.svm, line 1, character 7: duplicate index 2 in one line"),
        ("1 3:1 2:0 3:0\n", "x.svm, line 1, character 11: duplicate index 3 in one line"),
        (
            "1 4294967296:1\n",
            "x.svm, line 1, character 3: expected an index from 0 to 2147483647, found \
             \"4294967296\"",
        ),
        (
            "1 99999999999999999999999:1\n",
            "x.svm, line 1, character 3: expected an index from 0 to 2147483647, found \
             \"99999999999999999999999\"",
        ),
        (
            "1 qid:x 1:1\n",
            "x.svm, line 1, character 3: expected a query id, as in qid:3, found \"qid:x\"",
        ),
    ] {
        assert_eq!(says(text, &lenient), want, "{text:?}");
    }
}

#[test]
fn the_strict_format_is_that_of_liblinear() {
    for (text, want) in [
        ("1 3:1 2:1\n", "x.svm, line 1, character 7: expected ascending indices, found 2 after 3"),
        (
            "1 0:1\n",
            "x.svm, line 1, character 3: expected an index from 1 to 2147483647, found \"0\"",
        ),
        (
            "1 2:1 # x\n",
            "x.svm, line 1, character 7: found a comment, which the strict format does not allow",
        ),
        (
            "1 qid:2 2:1\n",
            "x.svm, line 1, character 3: found a query id (qid:), which the strict format does \
             not allow",
        ),
        (
            "cat 2:1\n",
            "x.svm, line 1, character 1: expected a numeric class (remove `strict` to allow \
             others), found \"cat\".",
        ),
    ] {
        assert_eq!(says(text, &strict()), want, "{text:?}");
    }
    assert_eq!(read_with("+1 2:1\n-1.0 1:1\n", &strict()).unwrap().rows, 2);
}

#[test]
fn a_huge_index_costs_no_memory() {
    let rows = read("1 2147483647:1\n").unwrap();
    assert_eq!((rows.cols, rows.indices.len()), (1, 1));
    assert_eq!(rows.columns(), SparseColumns::Listed(vec![2_147_483_646]));
    let options = LibsvmOptions { max_columns: 99, ..LibsvmOptions::default() };
    assert!(says("1 99:1\n1 100:1\n", &options).contains(
        "line 2, character 3: expected an index from \
            0 to 99, found \"100\""
    ));
    let options = LibsvmOptions { max_columns: 1 << 32, ..LibsvmOptions::default() };
    assert!(says("1 1:1\n", &options).starts_with(
        "max_columns: expected a number from 1 to \
        4294967294, found 4294967296"
    ));
}

#[test]
fn the_format_is_detected() {
    for head in ["+1 3:1 11:0.5\n-1 2:1\n", "# talk\n1 qid:3 1:1\n", "0\n1 2:3", "\u{feff}1 1:1\n"]
    {
        assert!(looks_like_libsvm(head.as_bytes()), "{head:?}");
    }
    for head in ["1 1:nan 2:1\n", "nan 1:1\n", "1 1:inf\n", "1 1:-NaN\n"] {
        assert!(looks_like_libsvm(head.as_bytes()), "{head:?}");
    }
    let cut = format!("+1{} 12345:0.", " 1:0.25".repeat(20));
    assert!(looks_like_libsvm(cut.as_bytes()));
    for head in ["", "a,b\n1,2\n", "1 2 3\n", "12:30 13:45\n", "x time:12\n", "1\n2\n", "1 2:3,4\n"]
    {
        assert!(!looks_like_libsvm(head.as_bytes()), "{head:?}");
    }
}

#[test]
fn faults_are_found_among_plain_lines() {
    // The fast loop needs text on both sides, which a single line does not provide.
    let plain = "1 1:1 2:2.5 3:3\n".repeat(4);
    for bad in [
        "1 :2:3",
        "1 2::3",
        "1 2:3:4",
        "1 2:",
        "1 :",
        "1 2:1 2:1",
        "1 5",
        "1 x:3",
        "1 2:.",
        "1 2:-",
        "1 2:1e999",
        "1 2:0x1",
        "1 -2:1",
        "1 123456789012:1",
        "1:2",
        "1 2:3#:",
        "1 2:1 1:1 2:1",
    ] {
        let alone =
            read_with(format!("{bad}\n"), &strict()).map_err(|e| e.replace("line 1,", "line 5,"));
        let among = read_with(format!("{plain}{bad}\n{plain}"), &strict());
        assert_eq!(among.map(|_| ()), alone.map(|_| ()), "{bad}");
    }
}

#[test]
fn few_of_very_many_columns_are_listed() {
    // Few pairs, which are sorted, and many pairs, where a bit per column takes less memory.
    for rows in [1, 5_000] {
        let text = "1 7:1 70000:2 4000000:3\n".repeat(rows) + "0 7:4\n";
        let mut found = read(text).unwrap();
        assert_eq!((found.cols, found.listed.as_deref()), (3, Some(&[6, 69_999, 3_999_999][..])));
        assert_eq!((&found.indices[..3], found.indices[3 * rows]), (&[0, 1, 2][..], 0));
        // Columns of a model trained on other data.
        let columns = SparseColumns::Listed(vec![69_999, 70_000]);
        assert_eq!(found.renumber_for(&columns), 2 * rows as u64 + 1);
        assert_eq!((found.cols, found.indices.len(), found.indices[0]), (2, rows, 0));
        assert_eq!(found.starts[rows - 1..], [rows - 1, rows, rows]);
    }
    // If most columns occur, or there are few columns, none are listed.
    let mut dense = String::new();
    (1..=70_000).for_each(|j| dense += &format!("1 {j}:1\n"));
    assert_eq!(read(dense).unwrap().columns(), SparseColumns::First(70_000));
    assert_eq!(read("1 60000:1\n").unwrap().columns(), SparseColumns::First(60_000));
}
