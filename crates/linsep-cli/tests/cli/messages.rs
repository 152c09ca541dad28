//! Messages agree with the run: ineffective settings, status, certificates, starting hyperplanes.

use crate::harness::{Sandbox, assert_session};
use serde_json::{Value, json};

/// Nine rows of three classes, in two columns.
const THREE: &str = "x,y,class\n0,0,a\n1,0,a\n0,1,b\n8,0,b\n9,1,b\n8,1,c\n4,8,c\n5,9,c\n4,0,a\n";

#[test]
fn ineffective_settings_are_refused() {
    let desk = Sandbox::new();
    for words in [
        "fit gales.csv --l1-ratio 0.3",
        "fit gales.csv --penalty none --lambda 0.1",
        "fit gales.csv --penalty none -C 2",
        "fit gales.csv --penalty none --path 3",
        "fit iris.csv --method fisher --multiclass one-vs-one",
        "fit iris.csv --method svm --multiclass one-vs-rest --start 1,2,3",
    ] {
        assert_session!(desk, words);
    }
    assert!(desk.files().is_empty());
}

#[test]
fn status_names_the_stopping_rule() {
    let desk = Sandbox::new();
    desk.file("noisy.csv", "x,class\n1,a\n2,b\n3,a\n4,b\n5,b\n6,a\n");
    for (words, name) in
        [("fit noisy.csv -o m", "penalized"), ("fit noisy.csv --penalty none -o m", "unpenalized")]
    {
        assert_session!(desk, words, format!("status_of_the_{name}_fit"));
        assert_session!(desk, "show m", format!("status_of_the_{name}_model"));
    }
    // Quasi-complete separation: x = 1 has class b only, x = 0 has both.
    desk.file("quasi.csv", "x,class\n0,a\n0,b\n0,a\n1,b\n1,b\n");
    let text = desk.wide("fit quasi.csv --penalty none -o m").stdout;
    assert!(text.contains("no-minimum: the objective has no minimizer"), "{text}");
    assert!(!text.contains("the rows are separable"), "{text}");
}

#[test]
fn objective_and_lower_bound_have_enough_digits() {
    let desk = Sandbox::new();
    let fit = desk.json("fit gales.csv --tol 1e-9 -o m");
    let text = desk.wide("show m").stdout;
    let line = text.lines().find(|line| line.contains("lower bound")).unwrap();
    let numbers: Vec<f64> = line.split([' ', ',']).filter_map(|word| word.parse().ok()).collect();
    assert!(numbers[0] > numbers[1], "{line}");
    let radius = fit["proofs"][0]["radius"].as_f64().unwrap();
    assert!(line.contains("standardized features") && radius > 0.0, "{line}");
    let text = desk.wide("fit gales.csv --no-standardize -o m").stdout;
    assert!(text.contains("in raw units"), "{text}");
}

#[test]
fn weighted_errors_are_reported_by_weight() {
    let desk = Sandbox::new();
    desk.file("weighted.csv", "x,s,class\n1,2,a\n2,0.5,b\n3,1.25,a\n4,2,b\n");
    for words in ["fit weighted.csv --weights s -o m", "show m"] {
        let text = desk.wide(words).stdout;
        assert!(text.contains("(rows of total weight"), "{text}");
    }
}

#[test]
fn methods_without_a_choice_of_solvers_give_the_reason() {
    let desk = Sandbox::new();
    for (how, words) in [
        (
            "--multiclass softmax",
            "softmax trains all hyperplanes jointly: dual-cd with an l2 penalty",
        ),
        (
            "--method svm --multiclass crammer-singer",
            "dual-cd (row by row) otherwise; last used here: proximal-newton",
        ),
        ("--method perceptron", "perceptron has a single update rule"),
        ("--method gaussian", "gaussian has a closed form"),
    ] {
        let reason = |fit: &Value| fit["no_choice"].as_str().unwrap().to_owned();
        let fit = desk.json(&format!("fit iris.csv {how} --explain-solver -o m"));
        assert!(reason(&fit).contains(words), "{fit}");
        assert_eq!(fit["candidates"], json!([]));
        let text = desk.wide(&format!("fit iris.csv {how} --explain-solver -o m")).stdout;
        assert!(text.contains(words), "{text}");
    }
}

#[test]
fn after_the_time_limit_no_hyperplane_is_started() {
    let desk = Sandbox::new();
    let row = |i: usize| format!("{},{},k{i}\n", (i * 37) % 101, (i * 61) % 103);
    let rows: String = (0..600).map(row).collect();
    desk.file("many.csv", format!("x,y,class\n{rows}"));
    let how = "--multiclass one-vs-rest --penalty l1 --timeout 0.000001 -o m --force";
    let fit = desk.json(&format!("fit many.csv {how}"));
    assert_eq!(fit["stop"], "time-limit");
    let hyperplanes = fit["planes"].as_array().unwrap();
    assert!(
        hyperplanes
            .iter()
            .skip(50)
            .all(|hyperplane| hyperplane["epochs"] == 0 && hyperplane["stop"] == "time-limit")
    );
    assert_eq!(
        fit["objective"]["primal"],
        Value::Null,
        "no objective of problems that were not started"
    );
    let text = desk.wide(&format!("fit many.csv {how}")).stdout;
    assert!(text.contains("time-limit: --timeout reached"), "{text}");
    assert!(text.contains("; the best hyperplanes so far are kept"), "{text}");
    assert!(text.contains("of 600 hyperplanes were not started"), "{text}");
    assert_eq!(desk.json("show m")["training"]["stop"], "time-limit");
}

#[test]
fn divergence_leaves_no_model() {
    let desk = Sandbox::new();
    let how = "--solver gradient-descent --schedule constant --eta 1e200 -o m";
    assert_session!(desk, format!("fit gales.csv {how}"));
    assert!(desk.files().is_empty());
}

#[test]
fn probabilities_are_refused_for_schemes_without_them() {
    let desk = Sandbox::new();
    desk.wide("fit iris.csv --multiclass one-vs-rest-but-last -o m");
    assert_session!(desk, "predict m iris.csv --proba");
}

#[test]
fn features_of_very_different_scales_get_advice() {
    let desk = Sandbox::new();
    desk.file("wide.csv", "x,y,class\n1e150,1,a\n2e150,2,b\n3e150,1e-150,a\n-1e150,5,b\n0,1,b\n");
    let text = desk.wide("fit wide.csv --no-standardize --max-iter 3 -o m").stdout;
    assert!(text.contains("advice       features and intercept range in scale from"), "{text}");
    assert!(!desk.wide("fit wide.csv --max-iter 3 -o m").stdout.contains("advice"));
}

/// W₁ = (1, −1, −1), W₂ = (1, 1, 1), W₃ = (2, 0, 0), the bias first, on the corners (±1, ±1): the
/// lectures' table as it is entered on the command line, where the bias is last.
#[test]
fn the_lectures_winner_take_all_table_is_entered_and_printed() {
    let desk = Sandbox::new();
    let how = "--method perceptron --multiclass winner-take-all --start -1,-1,1,1,1,1,0,0,2";
    assert_session!(desk, format!("trace corners.csv {how}"), "trace_of_the_winner_take_all_table");
    let trace = desk.json(&format!("trace corners.csv {how}"));
    let table =
        [([3.0, -1.0, 2.0], 1), ([1.0, 1.0, 2.0], 3), ([1.0, 1.0, 2.0], 3), ([-1.0, 3.0, 2.0], 2)];
    for (step, (scores, winner)) in trace["steps"].as_array().unwrap().iter().zip(table) {
        assert_eq!((&step["scores"], &step["winner"]), (&json!(scores), &json!(winner)));
        assert_eq!(step["updated"], false);
    }
    let fit = desk.json(&format!("fit corners.csv {how} --no-standardize -o m"));
    assert_eq!((&fit["stop"], &fit["updates"]), (&json!("separated"), &json!(0)));
    assert_eq!(fit["planes"][2], json!({ "class": 3, "w": [0.0, 0.0], "b": 2.0 }));
    assert_session!(
        desk,
        "trace corners.csv --method perceptron --multiclass kesler --start 1,2,3"
    );
}

#[test]
fn starting_hyperplanes_work_with_every_scheme() {
    let desk = Sandbox::new();
    desk.file("three.csv", THREE);
    for scheme in ["one-vs-rest", "one-vs-one", "softmax"] {
        let how = format!("fit three.csv --multiclass {scheme} --tol 1e-10 -o m");
        let plain = desk.json(&how);
        let started = desk.json(&format!("{how} --start 1,0,0,0,1,0,-1,-1,1"));
        let value = |fit: &Value| fit["objective"]["primal"].as_f64().unwrap();
        assert!((value(&plain) - value(&started)).abs() < 1e-8, "{scheme}");
    }
}

#[test]
fn bias_is_distinct_from_a_column_named_b() {
    let desk = Sandbox::new();
    desk.file("ab.csv", "a,b,y\n-1,-1,no\n1,1,yes\n");
    let text = desk.wide("trace ab.csv --method perceptron").stdout;
    assert!(text.contains("(a, b, bias) = "), "{text}");
}
