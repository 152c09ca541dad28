//! Comparison, tuning, calibration, thresholds and abstention from the command line.

use crate::harness::{Sandbox, assert_session, name_of};
use serde_json::Value;
use std::fmt::Write;
use std::fs;

/// Two overlapping classes of different size; each row has a person and a day.
fn overlapping(desk: &Sandbox) {
    let mut state = 7_u64;
    let mut unit = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as f64 / (1_u64 << 31) as f64
    };
    let mut text = String::from("a,b,person,day,y\n");
    for i in 0..400 {
        let ill = unit() < 0.25;
        let shift = if ill { 1.0 } else { 0.0 };
        let (a, b) = (unit() + unit() + shift * 0.6, unit() - shift * 0.3);
        let class = if ill { "ill" } else { "well" };
        writeln!(text, "{a:.4},{b:.4},p{},{},{class}", i % 40, i / 4).unwrap();
    }
    desk.file("ill.csv", text);
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("expected a number, found {value}"))
}

/// The text of a comparison without times.
fn timeless(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        for at in (1..words.len()).rev() {
            if ["s", "ms", "µs"].contains(&words[at]) && words[at - 1].parse::<f64>().is_ok() {
                (words[at - 1], words[at]) = ("…", "s");
            }
        }
        writeln!(out, "{}", words.join(" ")).unwrap();
    }
    out
}

#[test]
fn methods_are_compared() {
    let desk = Sandbox::new();
    let words = "compare iris.csv --methods logistic,perceptron,gaussian";
    insta::assert_snapshot!(name_of(words), timeless(&desk.session(words)));
}

#[test]
fn folds_are_described_or_refused() {
    let desk = Sandbox::new();
    overlapping(&desk);
    // The description of the folds.
    for (how, said) in [
        ("--groups person", "groups of person kept together"),
        (
            "--time day",
            "5 test folds in the order of day, each predicted by a model of earlier rows",
        ),
        ("--repeats 2", "5 stratified folds (seed 0), 2 repeats"),
    ] {
        let text = desk.wide(&format!("compare ill.csv {how} --methods logistic,ridge")).stdout;
        assert!(text.contains("ill.csv: 400 rows, 2 classes") && text.contains(said), "{text}");
    }
    for words in [
        "compare ill.csv --folds 1",
        "compare ill.csv --groups nothing",
        "compare ill.csv --time person",
        "compare ill.csv --methods logistic,magic",
        "compare ill.csv --time day --repeats 2",
        "compare ill.csv --groups person --folds 50",
        "compare ill.csv --time day --folds 200",
        "compare ill.csv --groups y --folds 3",
    ] {
        assert_session!(desk, words);
    }
}

#[test]
fn lambda_is_tuned_and_saved() {
    let desk = Sandbox::new();
    assert_session!(desk, "fit iris.csv --tune 6 --choose one-standard-error");
    assert_session!(desk, "show iris.linsep");
}

#[test]
fn least_squares_is_tuned_by_leave_one_out() {
    let desk = Sandbox::new();
    desk.json("fit iris.csv --method least-squares --loo");
    let shown = desk.wide("show iris.linsep").stdout;
    assert!(shown.contains("by leave-one-out (best): squared error"), "{shown}");
    let picture = desk.wide("plot path iris.linsep -o -").stdout;
    assert!(picture.contains("minimum, selected") && !picture.contains("one standard error<"));
    assert_session!(desk, "fit iris.csv --method least-squares --tune --choose one-standard-error");
}

#[test]
fn ineffective_calibration_is_noted_and_plotted() {
    let desk = Sandbox::new();
    // Softmax is well calibrated; calibration by class makes its probabilities worse.
    let fit = desk.wide("fit iris.csv --multiclass softmax --calibrate platt --report r.html");
    assert_eq!(fit.code, 0, "{}", fit.stderr);
    assert!(
        fit.stdout.contains("calibration does not lower the out-of-fold log-loss"),
        "{}",
        fit.stdout
    );
    let picture = desk.wide("plot calibration iris.linsep -o -");
    assert_eq!(picture.code, 0, "{}", picture.stderr);
    for words in [">before<", ">after<", "platt, out-of-fold (5 folds)"] {
        assert!(picture.stdout.contains(words), "{words}");
    }
    let json = desk.json("plot calibration iris.linsep -o c.svg");
    assert!(number(&json["error"]["before"]) >= 0.0 && number(&json["error"]["after"]) >= 0.0);
    let page = fs::read_to_string(desk.path("r.html")).unwrap();
    assert!(page.contains("Post-processing") && page.contains("<caption>Probabilities"));
    assert_eq!(desk.wide("fit gales.csv").code, 0);
    assert_session!(desk, "plot calibration gales.linsep");
}

#[test]
fn calibration_and_thresholds_are_printed_or_refused() {
    let desk = Sandbox::new();
    overlapping(&desk);
    assert_session!(desk, "fit ill.csv --drop person --drop day --method svm --calibrate platt");
    assert_session!(
        desk,
        "fit ill.csv --drop person --drop day --positive ill --threshold cost:1,10"
    );
    for words in [
        "fit ill.csv --threshold f2",
        "fit ill.csv --drop person --drop day --threshold precision>=1.5",
        "fit ill.csv --drop person --drop day --positive ill --threshold precision>=1",
        "fit iris.csv --threshold f1",
        "fit ill.csv --folds 3",
        "fit ill.csv --choose best",
        "fit ill.csv --tune --lambda 1",
        "fit ill.csv --method perceptron --tune",
        "fit iris.csv --multiclass one-vs-one --calibrate platt",
    ] {
        assert_session!(desk, words);
    }
}

#[test]
fn rows_below_the_limit_get_no_prediction() {
    let desk = Sandbox::new();
    overlapping(&desk);
    desk.json("fit ill.csv --drop person --drop day --abstain 0.9 -o m.linsep");
    let run = desk.wide("predict m.linsep ill.csv --proba -o out.csv");
    assert!(run.stderr.contains("the model abstains"), "{}", run.stderr);
    let text = fs::read_to_string(desk.path("out.csv")).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("prediction,abstained,p_ill,p_well"));
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let most = cells[2..].iter().map(|p| p.parse::<f64>().unwrap()).fold(0.0, f64::max);
        assert_eq!(cells[0].is_empty(), most < 0.9, "{line}");
        assert_eq!(cells[1] == "1", most < 0.9, "{line}");
    }
    desk.json("fit ill.csv --drop person --drop day --method svm --abstain error<=0.1 -o m.linsep");
    assert_session!(desk, "evaluate m.linsep ill.csv");
    assert_session!(desk, "show m.linsep");
    for words in [
        "fit ill.csv --drop person --drop day --method svm --abstain 0.9",
        "fit ill.csv --drop person --drop day --abstain error<=0",
        "fit ill.csv --drop person --drop day --abstain sometimes",
    ] {
        assert_session!(desk, words);
    }
}

#[test]
fn curves_require_json() {
    let desk = Sandbox::new();
    overlapping(&desk);
    desk.json("fit ill.csv --drop person --drop day -o m.linsep");
    let found = desk.json("evaluate m.linsep ill.csv --curves");
    for name in ["roc", "precision_recall"] {
        assert!(!found["curves"][name].as_array().unwrap().is_empty(), "{name}");
    }
    assert_eq!(desk.wide("evaluate m.linsep ill.csv --curves").code, 2);
}

/// The accuracy on a page is weighted, with the sample weights in a column or in a file.
#[test]
fn accuracy_on_a_page_is_weighted() {
    let desk = Sandbox::new();
    overlapping(&desk);
    let text = fs::read_to_string(desk.path("ill.csv")).unwrap();
    let (mut inside, mut without, mut weights) = (String::new(), String::new(), String::new());
    for (i, line) in text.lines().enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        let weight = if i == 0 { "s".to_owned() } else { (1 + i % 5).to_string() };
        writeln!(inside, "{},{},{weight},{}", cells[0], cells[1], cells[4]).unwrap();
        writeln!(without, "{},{},{}", cells[0], cells[1], cells[4]).unwrap();
        writeln!(weights, "{weight}").unwrap();
    }
    desk.file("inside.csv", inside);
    desk.file("without.csv", without);
    desk.file("weights.csv", weights);
    for held in ["", "--holdout 0.25"] {
        desk.json(&format!("fit inside.csv --weights s {held} -o a --report a.html"));
        desk.json(&format!("fit without.csv --weights weights.csv {held} -o b --report b.html"));
        let accuracy = |page: &str| {
            let html = fs::read_to_string(desk.path(page)).unwrap();
            let from = html.find("Accuracy on ").expect("a lead");
            html[from..].split("</p>").next().unwrap().to_owned()
        };
        assert_eq!(accuracy("a.html"), accuracy("b.html"));
    }
    desk.file("short.csv", "s\n1\n2\n");
    let run = desk.wide("fit without.csv --weights short.csv --holdout 0.25 -o c");
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stderr.contains("found 2 sample weights, but"), "{}", run.stderr);
}
