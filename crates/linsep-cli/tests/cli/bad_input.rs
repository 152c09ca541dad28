//! Whatever is wrong with the input: one clear message, the right exit code, no half-written file.

use crate::harness::{Sandbox, name_of};

/// The session, after checking what holds for every failure.
fn failure(desk: &Sandbox, words: &str) -> String {
    let before = desk.files();
    let run = desk.run(words);
    assert!([1, 2].contains(&run.code), "{words}: exit code {}", run.code);
    assert_eq!(run.stdout, "", "{words}: nothing on stdout");
    assert!(run.stderr.starts_with("error: "), "{words}: {}", run.stderr);
    assert!(!run.stderr.contains("panicked"), "{words}: {}", run.stderr);
    assert_eq!(desk.files(), before, "{words}: no file appeared");
    run.session(words)
}

/// Compares the session of a failure with the snapshot named after the command.
macro_rules! assert_failure {
    ($desk:expr, $words:expr) => {
        insta::assert_snapshot!(name_of(&$words), failure(&$desk, &$words))
    };
}

fn failure_on(content: impl AsRef<[u8]>) -> String {
    let desk = Sandbox::new();
    desk.file("data.csv", content);
    failure(&desk, "fit data.csv")
}

#[test]
fn empty_file() {
    insta::assert_snapshot!(failure_on(""));
}

#[test]
fn header_only() {
    insta::assert_snapshot!(failure_on("a,b,class\n"));
}

#[test]
fn one_row_only() {
    insta::assert_snapshot!(failure_on("a,b,class\n1,2,x\n"));
}

#[test]
fn one_class_only() {
    insta::assert_snapshot!(failure_on("a,b,class\n1,2,x\n3,4,x\n"));
}

#[test]
fn ragged_row() {
    insta::assert_snapshot!(failure_on("a,b,class\n1,2,x\n3,4\n5,6,y\n"));
}

#[test]
fn a_non_numeric_cell_is_located() {
    insta::assert_snapshot!(failure_on("a,b,class\n1,2,x\n3,abc,y\n5,6,x\n7,8,y\n"));
}

#[test]
fn not_a_number() {
    let desk = Sandbox::new();
    desk.file("data.csv", "a,b,class\n1,2,x\n3,NaN,y\n5,6,x\n");
    insta::assert_snapshot!(failure(&desk, "fit data.csv --missing error"));
    assert_eq!(desk.run("fit data.csv").code, 0, "missing by default, not an error");
}

#[test]
fn infinity() {
    insta::assert_snapshot!(failure_on("a,b,class\n1,2,x\n3,4,y\n-inf,6,x\n"));
}

#[test]
fn a_number_beyond_doubles() {
    insta::assert_snapshot!(failure_on("a,b,class\n1,2,x\n3,1e999,y\n5,6,x\n"));
}

#[test]
fn duplicate_column_names() {
    insta::assert_snapshot!(failure_on("a,b,a,class\n1,2,3,x\n4,5,6,y\n"));
}

#[test]
fn a_class_that_is_missing() {
    insta::assert_snapshot!(failure_on("a,b,class\n1,2,x\n3,4,\n5,6,y\n"));
}

#[test]
fn every_row_has_a_missing_value() {
    let desk = Sandbox::new();
    desk.file("data.csv", "a,b,class\n1,,x\n,4,y\n2,,x\n,5,y\n");
    insta::assert_snapshot!(failure(&desk, "fit data.csv --missing drop"));
}

#[test]
fn the_target_is_the_only_column() {
    insta::assert_snapshot!(failure_on("class\nx\ny\n"));
}

#[test]
fn no_column_is_usable() {
    insta::assert_snapshot!(failure_on("a,b,class\n1,7,x\n1,7,y\n1,7,x\n"));
}

#[test]
fn invalid_sample_weights_are_located() {
    let desk = Sandbox::new();
    desk.file("short.txt", "1\n2\n");
    assert_failure!(desk, "fit gales.csv --weights short.txt");
    assert_failure!(desk, "fit gales.csv --weights nowhere");
    desk.file("negative.csv", "a,s,class\n1,1,x\n2,-1,y\n3,1,x\n");
    assert_failure!(desk, "fit negative.csv --weights s");
    for (name, rows) in [
        ("huge.csv", "1,1e300,x\n2,2e300,y\n3,3e300,x\n"),
        ("tiny.csv", "1,1e-320,x\n2,1,y\n3,1,x\n"),
        ("nothing.csv", "1,0,x\n2,0,y\n3,0,x\n"),
    ] {
        desk.file(name, format!("a,s,class\n{rows}"));
        assert_failure!(desk, format!("fit {name} --weights s"));
    }
    assert_failure!(desk, "fit gales.csv --class-weight w1=1e200");
}

#[test]
fn invalid_counts_are_located() {
    let desk = Sandbox::new();
    desk.file("counts.csv", "a,no,yes\n1,1,0\n2,-1,3\n3,1,5\n");
    assert_failure!(desk, "fit counts.csv --counts no,yes");
    assert_failure!(desk, "fit counts.csv --counts no");
    assert_failure!(desk, "fit counts.csv --counts no,maybe");
    assert_failure!(desk, "fit counts.csv --counts no,yes --weights a");
}

#[test]
fn an_unsupported_format_is_named() {
    insta::assert_snapshot!(failure_on("% a comment\n@relation gales\n@attribute x1 real\n"));
}

#[test]
fn unseen_classes_are_named() {
    let desk = Sandbox::new();
    desk.run("fit gales.csv");
    desk.file("dots.csv", "x1,x2,class\n1,0,w1.\n0,0,w2.\n");
    assert_failure!(desk, "evaluate gales.linsep dots.csv");
    assert_failure!(desk, "evaluate gales.linsep dots.csv --label-map w1.=w9");
    let words = "evaluate gales.linsep dots.csv --label-map w1.=w1 --label-map w2.=w2";
    assert_eq!(desk.json(words)["accuracy"], 1.0);
}

#[test]
fn unclosed_quote() {
    insta::assert_snapshot!(failure_on("a,b,class\n1,2,\"x\n3,4,y\n"));
}

#[test]
fn binary_garbage() {
    insta::assert_snapshot!(failure_on([0x13, 0x00, 0xFF, 0x80, 0x00, 0x01, 0x02, 0x0A]));
}

#[test]
fn unknown_target() {
    assert_failure!(Sandbox::new(), "fit iris.csv --target flavour");
    let desk = Sandbox::new();
    desk.file("bare.csv", "1,2,x\n3,4,y\n5,6,x\n");
    assert_failure!(desk, "fit bare.csv --target 1");
}

#[test]
fn a_folder() {
    let desk = Sandbox::new();
    std::fs::create_dir(desk.path("folder")).unwrap();
    insta::assert_snapshot!(failure(&desk, "fit folder"));
}

#[test]
fn a_missing_file() {
    insta::assert_snapshot!(failure(&Sandbox::new(), "fit nowhere.csv"));
}

#[test]
fn a_missing_model() {
    insta::assert_snapshot!(failure(&Sandbox::new(), "predict nowhere.linsep iris.csv"));
}

#[test]
fn a_foreign_model() {
    insta::assert_snapshot!(failure(&Sandbox::new(), "predict iris.csv iris.csv"));
}

#[test]
fn a_truncated_model() {
    let desk = Sandbox::new();
    desk.run("fit iris.csv");
    let bytes = std::fs::read(desk.path("iris.linsep")).unwrap();
    desk.file("cut.linsep", &bytes[..bytes.len() - 100]);
    assert_failure!(desk, "predict cut.linsep iris.csv");
    assert_failure!(desk, "show cut.linsep");
}

#[test]
fn a_model_is_not_data() {
    let desk = Sandbox::new();
    desk.run("fit iris.csv");
    insta::assert_snapshot!(failure(&desk, "fit iris.linsep -o new.linsep"));
}

#[test]
fn data_without_a_column_of_the_model() {
    let desk = Sandbox::new();
    desk.run("fit iris.csv");
    insta::assert_snapshot!(failure(&desk, "predict iris.linsep gales.csv"));
}

#[test]
fn data_without_classes_to_compare_with() {
    let desk = Sandbox::new();
    desk.run("fit gales.csv");
    desk.file("new.csv", "x1,x2\n1,0\n");
    insta::assert_snapshot!(failure(&desk, "evaluate gales.linsep new.csv"));
}

#[test]
fn a_million_columns_in_one_line() {
    let desk = Sandbox::new();
    let header = (0..1_000_000).map(|i| format!("c{i}")).collect::<Vec<_>>().join(",");
    desk.file("wide.csv", format!("{header}\n1,2,3\n"));
    insta::assert_snapshot!(failure(&desk, "fit wide.csv"));
}

#[test]
fn a_million_columns_that_fit() {
    let desk = Sandbox::new();
    let row = |x: &str, class: &str| format!("{}{class}\n", x.repeat(999_999));
    desk.file("wide.csv", format!("{}{}", row("1,", "a"), row("2,", "b")));
    let run = desk.run("fit wide.csv --max-iter 1");
    assert_eq!(run.code, 0, "{}", run.stderr);
}

/// Means of many digits give a header of more than 100 MB, the limit of a safetensors header.
#[test]
fn a_model_of_a_million_columns_is_saved_and_loaded() {
    let desk = Sandbox::new();
    let row = |x: &str, class: &str| format!("{}{class}\n", x.repeat(999_999));
    desk.file("wide.csv", format!("{}{}", row("0.1,", "a"), row("0.2,", "b")));
    let run = desk.run("fit wide.csv --max-iter 1 -o m");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = desk.run("predict m wide.csv");
    assert_eq!((run.code, &*run.stdout), (0, "prediction\na\nb\n"), "{}", run.stderr);
}

#[test]
fn libsvm_faults() {
    let desk = Sandbox::new();
    desk.file("order.svm", "1 1:1 2:1\n-1 3:1 2:1\n");
    assert_failure!(desk, "fit order.svm --strict");
    desk.file("twice.svm", "1 1:1 2:1\n-1 2:1 2:1\n");
    assert_failure!(desk, "fit twice.svm");
    desk.file("value.svm", "1 1:1 2:1\n-1 2:x\n");
    assert_failure!(desk, "fit value.svm");
    desk.file("huge.svm", "1 1:1 2:1\n-1 99999999999:1\n");
    assert_failure!(desk, "fit huge.svm");
}

#[test]
fn truncated_packed_and_columnar_files() {
    let desk = Sandbox::new();
    desk.compress("iris.csv", "iris.csv.gz");
    let bytes = std::fs::read(desk.path("iris.csv.gz")).unwrap();
    desk.file("cut.csv.gz", &bytes[..bytes.len() / 2]);
    assert_failure!(desk, "fit cut.csv.gz");
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../linsep-io/tests/fixtures");
    for name in ["plain.parquet", "plain.arrow", "zstd.arrows"] {
        let bytes = std::fs::read(folder.join(name)).unwrap();
        desk.file(name, &bytes[..bytes.len() / 2]);
        assert_failure!(desk, format!("fit {name}"));
    }
}

#[test]
fn files_that_do_not_fit_together() {
    let desk = Sandbox::new();
    desk.file("other.csv", "x1,x3,class\n1,0,w1\n");
    assert_failure!(desk, "fit gales.csv other.csv");
    desk.file("pairs.svm", "1 1:1\n");
    assert_failure!(desk, "fit gales.csv pairs.svm");
}

#[test]
fn contradictory_commands_are_refused() {
    let desk = Sandbox::new();
    for words in [
        "fit gales.csv --method pocket --schedule 1/t",
        "fit gales.csv --eta -1",
        "fit gales.csv --eta nan",
        "fit gales.csv --start 1,2",
        "fit gales.csv --start 1,x,2",
        "fit gales.csv --positive w9",
        "fit iris.csv --positive setosa",
        "fit iris.csv --start 0,0,0,0,0",
        "trace iris.csv",
        "fit gales.csv --method percepton",
    ] {
        assert_failure!(desk, words);
    }
}

#[test]
fn an_unwritable_output_is_an_error() {
    let desk = Sandbox::new();
    assert_failure!(desk, "fit gales.csv -o no/such/folder/m.linsep");
    std::fs::create_dir(desk.path("folder")).unwrap();
    assert_failure!(desk, "fit gales.csv -o folder");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    let desk = Sandbox::new();
    desk.run("fit gales.csv");
    assert_failure!(desk, "fit gales.csv -o /dev/full");
    assert_failure!(desk, "predict gales.linsep gales.csv -o /dev/full");
}

#[test]
fn failures_are_json_too() {
    let run = Sandbox::new().run("fit nowhere.csv --json");
    assert_eq!(run.code, 1);
    let json: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(json["error"].as_str().unwrap().contains("nowhere.csv: file not found"));
    assert_eq!(json["exit"], 1);
}
