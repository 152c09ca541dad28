//! Fit, show, evaluate and predict, for every kind of input.

use crate::harness::{Sandbox, assert_session};
use serde_json::json;

#[test]
fn fit_show_evaluate_predict_on_iris() {
    let desk = Sandbox::new();
    assert_session!(desk, "fit iris.csv");
    assert_eq!(desk.files(), ["iris.linsep"]);
    assert_session!(desk, "show iris.linsep");
    assert_session!(desk, "evaluate iris.linsep iris.csv");
    let predicted = desk.wide("predict iris.linsep iris.csv");
    assert_eq!(predicted.stdout.lines().count(), 151, "a header and one row out per row in");
    assert!(predicted.stdout.starts_with("prediction\nsetosa\n"));
}

#[test]
fn json_of_a_fit_has_the_documented_keys() {
    let desk = Sandbox::new();
    let fit = desk.json("fit gales.csv --seed 7 --threads 1");
    for key in [
        "method",
        "n",
        "d",
        "k",
        "classes",
        "stop",
        "epochs",
        "mistakes",
        "accuracy",
        "objective",
        "seconds",
        "model",
        "threads",
        "seed",
    ] {
        assert!(!fit[key].is_null(), "{key} in {fit}");
    }
    assert_eq!((&fit["n"], &fit["d"], &fit["k"]), (&json!(8), &json!(2), &json!(2)));
    assert_eq!(fit["classes"], json!(["w1", "w2"]));
    assert_eq!((&fit["threads"], &fit["seed"]), (&json!(1), &json!(7)));
    assert!(fit["seconds"]["read"].is_f64() && fit["seconds"]["fit"].is_f64());
    for key in ["primal", "dual", "gap", "relative_gap"] {
        assert!(fit["objective"].get(key).is_some(), "{key}");
    }
}

#[test]
fn predictions_and_scores_of_a_model_agree() {
    let desk = Sandbox::new();
    let fit = desk.json("fit gales.csv --positive w1 -o m");
    assert_eq!(fit["classes"], json!(["w2", "w1"]), "the positive class is the second");
    let predicted = desk.json("predict m gales.csv --scores");
    let expected = ["w1", "w1", "w1", "w1", "w2", "w2", "w2", "w2"];
    assert_eq!(predicted["predictions"], json!(expected));
    let scores = predicted["scores"].as_array().unwrap();
    for (score, class) in scores.iter().zip(expected) {
        assert_eq!(score[0].as_f64().unwrap() >= 0.0, class == "w1");
    }
}

#[test]
fn data_are_read_from_a_pipe() {
    let desk = Sandbox::new();
    let data = "x1,x2,class\n0,0,no\n0,1,no\n1,0,no\n1,1,yes\n";
    let fit = desk.run_with(&["fit", "-", "--method", "perceptron"], data);
    assert_eq!(fit.code, 0, "{}", fit.stderr);
    assert_eq!(desk.files(), ["model.linsep"]);
    let predicted = desk.run_with(&["predict", "model.linsep", "-"], "x2,x1\n1,1\n0,1\n");
    assert_eq!(predicted.stdout, "prediction\nyes\nno\n");
}

#[test]
fn libsvm_files_are_fitted_and_scored() {
    let desk = Sandbox::new();
    desk.file("and.svm", "-1\n-1 2:1\n-1 1:1\n+1 1:1 2:1\n");
    let fit = desk.json("fit and.svm --method perceptron");
    assert_eq!((&fit["n"], &fit["d"], &fit["classes"]), (&json!(4), &json!(2), &json!([-1, 1])));
    assert_eq!(fit["stop"], "separated");
    desk.file("new.svm", "1 1:1 2:1 9:5\n-1 2:1\n");
    let run = desk.wide("predict and.linsep new.svm");
    assert_eq!(run.stdout, "prediction\n1\n-1\n");
    assert!(run.stderr.contains("values in columns unknown to the model, ignored: 1"));
    let evaluation = desk.json("evaluate and.linsep new.svm");
    assert_eq!(evaluation["accuracy"], 1.0);
}

#[test]
fn unknown_classes_are_listed() {
    let desk = Sandbox::new();
    desk.wide("fit gales.csv");
    desk.file("new.csv", "x1,x2,class\n1,0,w1\n0,0,w3\n0,1,w2\n0,1,w3\n");
    let evaluation = desk.json("evaluate gales.linsep new.csv");
    assert_eq!(evaluation["unknown_labels"], json!([{ "class": "w3", "rows": 2 }]));
    assert_eq!(evaluation["accuracy"], 0.5);
    assert_session!(desk, "evaluate gales.linsep new.csv");
}

#[test]
fn files_without_header_are_matched_by_position() {
    let desk = Sandbox::new();
    desk.file("train.csv", "a,1,1\na,2,1\nb,-1,-1\nb,-2,-1\n");
    let fit = desk.wide("fit train.csv --target V1");
    assert_eq!(fit.code, 0, "{}", fit.stderr);
    desk.file("new.csv", "3,1\n-3,-1\n");
    assert_eq!(desk.wide("predict train.linsep new.csv").stdout, "prediction\na\nb\n");
}

#[test]
fn the_same_command_gives_the_same_bytes() {
    let desk = Sandbox::new();
    for threads in ["1", "2"] {
        desk.wide(&format!("fit iris.csv --threads {threads} -o m{threads}"));
    }
    let bytes = |name| std::fs::read(desk.path(name)).unwrap();
    assert_eq!(bytes("m1"), bytes("m2"));
}

#[test]
fn predictions_are_written_to_a_file() {
    let desk = Sandbox::new();
    desk.wide("fit gales.csv");
    let run = desk.wide("predict gales.linsep gales.csv -o out.csv");
    assert_eq!((run.code, run.stdout.as_str()), (0, ""));
    assert_eq!(std::fs::read_to_string(desk.path("out.csv")).unwrap().lines().count(), 9);
}

#[test]
fn timeout_ends_a_run() {
    let desk = Sandbox::new();
    let fit = desk.json("fit xor.csv --method pocket --max-iter 1000000000 --timeout 0.05");
    assert_eq!(fit["stop"], "time-limit");
}

/// Categorical and numeric columns, missing cells and a quoted comma; levels separate the classes.
const MIXED: &str = "\
size,color,note,class
1.5,red,\"a, b\",yes
2.5,blue,\"a, b\",no
,red,c,yes
3.5,,c,no
0.5,red,c,yes
4.5,blue,\"a, b\",no
";

#[test]
fn categorical_columns_and_missing_values_are_encoded() {
    let desk = Sandbox::new();
    desk.file("mixed.csv", MIXED);
    let fit = desk.json("fit mixed.csv");
    assert_eq!(fit["missing"], json!({ "color": 1, "size": 1 }));
    assert_eq!(fit["d"], 7, "size, size=missing, three colors, two notes");
    assert_eq!(fit["accuracy"], 1.0);
    assert_session!(desk, "show mixed.linsep");

    desk.file("new.csv", "color,size,note,more\nred,1,c,0\ngreen,,x,0\n");
    let run = desk.wide("predict mixed.linsep new.csv");
    assert_eq!(run.stdout.lines().count(), 3, "{}", run.stderr);
    insta::assert_snapshot!("notes_on_missing_values_and_unseen_levels", run.stderr);
}

#[test]
fn evaluation_uses_held_out_rows_or_a_test_file() {
    let desk = Sandbox::new();
    assert_session!(desk, "fit iris.csv --holdout 0.2 --seed 1");
    let fit = desk.json("fit iris.csv --holdout 0.2 --seed 1");
    assert_eq!((&fit["n"], &fit["test"]["n"]), (&json!(120), &json!(30)));
    let fit = desk.json("fit iris.csv --test iris.csv");
    assert_eq!(fit["test"]["n"], 150);
    assert_eq!(fit["test"]["accuracy"], fit["accuracy"], "the same rows, the same accuracy");
}

#[test]
fn a_sample_weight_of_two_equals_a_duplicate_row() {
    let desk = Sandbox::new();
    desk.file("weighted.csv", "a,s,class\n1,2,x\n2,1,y\n4,3,y\n-1,1,x\n3,1,x\n");
    desk.file("written.csv", "a,class\n1,x\n1,x\n2,y\n4,y\n4,y\n4,y\n-1,x\n3,x\n");
    let weighted = desk.json("fit weighted.csv --weights s --method batch-perceptron");
    let written = desk.json("fit written.csv --method batch-perceptron");
    let hyperplane = |fit: &serde_json::Value| {
        let hyperplane = &fit["planes"][0];
        [hyperplane["w"][0].as_f64().unwrap(), hyperplane["b"].as_f64().unwrap()]
    };
    for (a, b) in hyperplane(&weighted).iter().zip(hyperplane(&written)) {
        assert!((a - b).abs() < 1e-9, "{weighted} {written}");
    }
    assert_eq!(weighted["mistakes"], written["mistakes"]);
    desk.file("weights.txt", "2\n1\n3\n1\n1\n");
    let file =
        desk.json("fit weighted.csv --weights weights.txt --drop s --method batch-perceptron");
    assert_eq!(file["planes"], weighted["planes"]);
}

#[test]
fn coefficients_are_in_raw_units() {
    // The hyperplane separates standardized features, so in raw units it must separate the rows.
    let desk = Sandbox::new();
    desk.file(
        "far.csv",
        "a,b,class\n1000001,0.001,x\n1000002,0.002,y\n1000003,0.003,y\n1000000,0,x\n",
    );
    let fit = desk.json("fit far.csv --method perceptron");
    assert_eq!(fit["accuracy"], 1.0);
    assert_eq!(desk.json("evaluate far.linsep far.csv")["accuracy"], 1.0);
}

#[test]
fn rows_with_missing_values_keep_their_position() {
    let desk = Sandbox::new();
    desk.file("train.csv", "a,b,class\n1,2,x\n3,,y\n5,4,y\n0,1,x\n6,,y\n4,5,\n");
    let fit = desk.wide("fit train.csv --missing drop");
    assert!(fit.stderr.contains("3 rows dropped: a value is missing"), "{}", fit.stderr);
    desk.file("new.csv", "a,b,class\n0,1,x\n,3,y\n6,6,y\n6,6,\n");
    assert_eq!(desk.wide("predict train.linsep new.csv").stdout, "prediction\nx\n\ny\ny\n");
    let evaluation = desk.json("evaluate train.linsep new.csv");
    assert_eq!((&evaluation["accuracy"], &evaluation["unscored"]), (&json!(1.0), &json!(2)));
}

#[test]
fn several_files_are_one_data_set() {
    let desk = Sandbox::new();
    let text = std::fs::read_to_string(desk.path("iris.csv")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let part = |rows: &[&str]| format!("{}\n{}\n", lines[0], rows.join("\n"));
    desk.file("a.csv", part(&lines[1..60]));
    desk.file("b.csv", part(&lines[60..]));
    desk.wide("fit iris.csv -o whole");
    desk.wide("fit a.csv b.csv -o parts");
    let bytes = |name| std::fs::read(desk.path(name)).unwrap();
    assert_eq!(bytes("whole"), bytes("parts"));
    let whole = desk.wide("predict whole iris.csv").stdout;
    assert_eq!(desk.wide("predict whole a.csv b.csv").stdout, whole);
    assert_eq!(desk.json("evaluate whole a.csv b.csv"), desk.json("evaluate whole iris.csv"));
}

#[test]
fn compressed_and_columnar_formats_are_detected() {
    let desk = Sandbox::new();
    desk.wide("fit iris.csv -o plain");
    desk.compress("iris.csv", "compressed");
    let run = desk.wide("fit compressed -o decompressed");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let bytes = |name| std::fs::read(desk.path(name)).unwrap();
    assert_eq!(bytes("plain"), bytes("decompressed"));
    assert_eq!(
        desk.wide("predict plain compressed").stdout,
        desk.wide("predict plain iris.csv").stdout
    );

    // The same table as CSV, Parquet and Arrow, written by pyarrow.
    let fixture = |name: &str| {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        folder.join("../linsep-io/tests/fixtures").join(name).display().to_string()
    };
    let fit = |name| desk.json(&format!("fit {} --target code -o m", fixture(name)));
    let parquet = fit("plain.parquet");
    for name in ["v2.parquet", "lz4.parquet", "plain.arrow", "lz4.arrow"] {
        let other = fit(name);
        for key in ["n", "d", "classes", "missing", "planes"] {
            assert_eq!(other[key], parquet[key], "{key} of {name}");
        }
    }
}

#[test]
fn columnar_files_are_scored_with_the_column_types_of_the_model() {
    let desk = Sandbox::new();
    let fixture = |name: &str| {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        folder.join("../linsep-io/tests/fixtures").join(name).display().to_string()
    };
    let [a, b] = ["plain.parquet", "v2.parquet"].map(fixture);
    let fit = desk
        .run(&format!("fit {a} --target flag --missing drop --drop none --categorical count -o m"));
    assert_eq!(fit.code, 0, "{}", fit.stderr);
    let one = desk.wide(&format!("predict m {a} --scores"));
    assert_eq!((one.code, one.stdout.lines().count()), (0, 41), "{}", one.stderr);
    let two = desk.wide(&format!("predict m {a} {b} --scores --threads 1"));
    let rows = one.stdout.strip_prefix("prediction,score\n").unwrap();
    assert_eq!(two.stdout, format!("prediction,score\n{rows}{rows}"));
    for name in ["plain.arrow", "lz4.arrow", "zstd.arrows", "plain.csv"] {
        assert_eq!(desk.wide(&format!("predict m {} --scores", fixture(name))).stdout, one.stdout);
    }
    let evaluation = desk.json(&format!("evaluate m {a}"));
    assert_eq!(evaluation, desk.json(&format!("evaluate m {}", fixture("plain.arrow"))));
}

#[test]
fn counts_are_sample_weights() {
    let desk = Sandbox::new();
    desk.file("counts.csv", "size,no,yes\n1,3,0\n2,2,1\n3,1,4\n4,0,0\n5,0,2\n");
    let fit = desk.wide("fit counts.csv --counts no,yes");
    assert!(
        fit.stdout.contains("2 in the counts of columns no, yes: no (6), yes (7)"),
        "{}",
        fit.stdout
    );
    assert!(fit.stderr.contains("1 row dropped: all counts are 0"), "{}", fit.stderr);
    desk.file("rows.csv", "size,s,class\n1,3,no\n2,2,no\n2,1,yes\n3,1,no\n3,4,yes\n5,2,yes\n");
    let tight = "--tol 1e-12";
    let counts = desk.json(&format!("fit counts.csv --counts no,yes {tight}"));
    let rows = desk.json(&format!("fit rows.csv --weights s {tight}"));
    let hyperplane = |fit: &serde_json::Value| {
        let hyperplane = &fit["planes"][0];
        [hyperplane["w"][0].as_f64().unwrap(), hyperplane["b"].as_f64().unwrap()]
    };
    for (a, b) in hyperplane(&counts).iter().zip(hyperplane(&rows)) {
        assert!((a - b).abs() < 1e-6, "{counts} {rows}");
    }
    let own = desk.json("evaluate counts.linsep counts.csv");
    let other = desk.json("evaluate counts.linsep rows.csv --target class");
    assert!(own["accuracy"].as_f64().unwrap() > 0.5 && other["accuracy"].is_f64(), "{own} {other}");
    let renamed = desk.json("fit counts.csv --counts no,yes --label-map yes=ja -o m");
    assert_eq!(renamed["classes"], json!(["ja", "no"]));
    let trace =
        desk.wide("trace counts.csv --counts no,yes --method batch-perceptron --max-iter 2");
    assert_eq!(trace.code, 0, "{}", trace.stderr);
    let aside = desk.json("fit counts.csv --counts no,yes --holdout 0.4 -o m");
    assert_eq!((&aside["k"], aside["test"].is_null()), (&json!(2), false));
}
