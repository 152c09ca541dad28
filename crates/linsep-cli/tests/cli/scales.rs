//! Features of any scale are fitted, others are named, and the saved model agrees with the fit.

use crate::harness::Sandbox;
use serde_json::Value;

/// 120 rows of two overlapping classes: x about 0 or 2, y noise.
fn rows() -> Vec<(f64, f64, &'static str)> {
    let noise = |i: usize, by: usize| ((i * by) % 101) as f64 / 25.0 - 2.0;
    let row = |i: usize| (noise(i, 37) + (i % 2 * 2) as f64, noise(i, 61), ["no", "yes"][i % 2]);
    (0..120).map(row).collect()
}

fn table(cells: impl Fn(usize, f64, f64) -> String) -> String {
    let line =
        |(i, (x, y, class)): (usize, &(f64, f64, &str))| format!("{},{class}\n", cells(i, *x, *y));
    let lines: String = rows().iter().enumerate().map(line).collect();
    format!("x,y,class\n{lines}")
}

/// The fit, and the misclassified training rows according to fit and evaluate.
fn misclassified(desk: &Sandbox, file: &str) -> (Value, u64) {
    let fit = desk.json(&format!("fit {file} -o m"));
    let tested = desk.json(&format!("evaluate m {file}"));
    let confusion = tested["confusion"].as_array().unwrap();
    let cell = |i: usize, j: usize| confusion[i][j].as_u64().unwrap();
    let mistakes = cell(0, 1) + cell(1, 0);
    assert_eq!(fit["mistakes"], mistakes, "the saved model predicts as in fit");
    (fit, mistakes)
}

#[test]
fn one_extreme_value_does_not_affect_other_columns() {
    let desk = Sandbox::new();
    desk.file("plain.csv", table(|_, x, y| format!("{x},{y}")));
    let plain = desk.json("fit plain.csv --columns x -o m");
    for huge in ["1e160", "1e200", "1e300", "-1.7e308"] {
        let cell = |i: usize, y: f64| if i == 7 { huge.to_owned() } else { y.to_string() };
        desk.file("huge.csv", table(|i, x, y| format!("{x},{}", cell(i, y))));
        let alone = desk.json("fit huge.csv --columns x -o m");
        assert_eq!(alone["planes"], plain["planes"], "{huge}");
        let (fit, mistakes) = misclassified(&desk, "huge.csv");
        assert!(mistakes.abs_diff(plain["mistakes"].as_u64().unwrap()) <= 1, "{huge}");
        let note = fit["notes"][0].as_str().unwrap();
        assert!(note.starts_with("column y: 1 outlier up to"), "{note}");
        let check = desk.json("check huge.csv --no-separation");
        let findings = check["findings"].as_array().unwrap();
        let found = findings.iter().find(|one| one["check"] == "poor-scales").unwrap();
        assert_eq!((&found["columns"][0], &found["rows"][0]), (&"y".into(), &7.into()));
    }
}

#[test]
fn fit_does_not_depend_on_the_scale_of_a_column() {
    let desk = Sandbox::new();
    desk.file("plain.csv", table(|_, x, y| format!("{x},{y}")));
    let (plain, mistakes) = misclassified(&desk, "plain.csv");
    for power in [-280, -200, -160, 100, 160, 200, 306] {
        desk.file("scaled.csv", table(|_, x, y| format!("{x}e{power},{y}")));
        let (fit, own) = misclassified(&desk, "scaled.csv");
        assert_eq!((own, &fit["stop"]), (mistakes, &plain["stop"]), "1e{power}");
        let w = |fit: &Value, j: usize| fit["planes"][0]["w"][j].as_f64().unwrap();
        assert!((w(&fit, 1) / w(&plain, 1) - 1.0).abs() < 1e-6, "1e{power}");
        assert_eq!(fit["notes"].as_array().unwrap().len(), 0, "1e{power}");
    }
}

#[test]
fn inference_does_not_depend_on_the_unit_of_a_column() {
    let desk = Sandbox::new();
    desk.file("plain.csv", table(|_, x, y| format!("{x},{y}")));
    let plain = desk.json("fit plain.csv --infer -o m");
    for power in [-280, -160, 160, 300] {
        desk.file("scaled.csv", table(|_, x, y| format!("{x}e{power},{y}")));
        let scaled = desk.json("fit scaled.csv --infer -o m");
        for k in 0..3 {
            let of = |fit: &Value, key: &str| {
                fit["inference"]["coefficients"][k][key].as_f64().unwrap_or(f64::NAN)
            };
            for key in ["z", "p"] {
                let (a, b) = (of(&scaled, key), of(&plain, key));
                assert!((a - b).abs() <= 1e-6 * b.abs(), "1e{power} {k} {key}: {a} {b}");
            }
        }
    }
}

#[test]
fn columns_too_small_to_standardize_are_named() {
    let desk = Sandbox::new();
    desk.file("small.csv", table(|_, x, y| format!("{x}e-300,{y}")));
    let run = desk.wide("fit small.csv -o m");
    assert!(run.stderr.contains("column x dropped: its values differ by at most"), "{run:?}");
    let (fit, _) = misclassified(&desk, "small.csv");
    assert_eq!(fit["left_out"][0]["name"], "x");
    let check = desk.wide("check small.csv --no-separation").stdout;
    assert!(check.contains("poor-scales: column x: its values differ by at most"), "{check}");
    assert!(check.contains("multiply the column by a power of ten"), "{check}");
}

#[test]
fn accuracy_below_the_majority_class_is_a_warning() {
    let desk = Sandbox::new();
    let row = |i: usize| format!("{i},{}\n", ["rare", "usual", "usual", "usual"][i % 4]);
    let rows: String = (0..40).map(row).collect();
    desk.file("rare.csv", format!("x,class\n{rows}"));
    // Balanced class weights and no signal: half of each class is classified correctly.
    let how = "--method least-squares --threshold cost:1,100 --columns x";
    let run = desk.wide(&format!("fit rare.csv {how} --positive rare -o m"));
    assert_eq!(run.code, 0, "{run:?}");
    let words = "accuracy 25.00 % is below the majority-class baseline of 75.00 % (class usual)";
    assert!(run.stderr.contains(&format!("training {words}")), "{run:?}");
    assert!(run.stdout.lines().take(6).any(|line| line.contains(words)), "{run:?}");
    let fit = desk.json(&format!("fit rare.csv {how} --positive rare -o m --holdout 0.4"));
    assert_eq!(
        (&fit["below_majority"], &fit["majority"]["class"]),
        (&true.into(), &"usual".into())
    );
    assert_eq!(fit["test"]["below_majority"], true);
    let text = desk.wide("evaluate m rare.csv").stdout;
    assert!(
        text.contains("warning      accuracy 25.00 % is below the majority-class baseline"),
        "{text}"
    );
    assert!(!desk.wide("fit iris.csv -o m").stdout.contains("majority"));
}
