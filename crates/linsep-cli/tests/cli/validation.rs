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
    let all = desk.json("compare iris.csv --folds 3");
    let names: Vec<&str> = all["contenders"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| {
            assert_eq!(one["failure"], Value::Null, "{}", one["name"]);
            assert_eq!(one["folds"].as_array().unwrap().len(), 3);
            one["name"].as_str().unwrap()
        })
        .collect();
    for name in [
        "majority",
        "logistic",
        "svm",
        "fisher",
        "pocket",
        "logistic-one-vs-rest",
        "crammer-singer",
    ] {
        assert!(names.contains(&name), "{name} is in {names:?}");
    }
    assert_eq!(all["better_than_baseline"], true);
    let one = desk.json("compare iris.csv --folds 3 --threads 1 --methods svm,ridge");
    let two = desk.json("compare iris.csv --folds 3 --threads 3 --methods svm,ridge");
    for (one, two) in [(&one, &two)] {
        for measure in ["accuracy", "log_loss", "auc", "p", "relative_gap", "nonzero"] {
            for i in 0..3 {
                assert_eq!(one["contenders"][i][measure], two["contenders"][i][measure]);
            }
        }
    }
}

#[test]
fn folds_respect_groups_and_time() {
    let desk = Sandbox::new();
    overlapping(&desk);
    for how in [
        "--groups person --drop day",
        "--time day --drop person",
        "--repeats 2 --drop day --drop person",
    ] {
        let found = desk.json(&format!("compare ill.csv {how} --methods logistic --by auc"));
        let folds = found["contenders"][1]["folds"].as_array().unwrap().len();
        assert_eq!(folds, if how.starts_with("--repeats") { 10 } else { 5 }, "{how}");
        assert_eq!(found["best"], "logistic", "{how}");
        assert_eq!(found["n"], 400, "{how}: all rows, though in time no fold has them all");
    }
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
    let tuned = desk.json("fit iris.csv --tune 6 --multiclass softmax");
    let (points, chosen) = (&tuned["tuning"]["points"], &tuned["tuning"]["chosen"]);
    assert_eq!(points.as_array().unwrap().len(), 6);
    let chosen = &points[chosen.as_u64().unwrap() as usize];
    let show = desk.json("show iris.linsep");
    assert_eq!(show["settings"]["lambda"], chosen["lambda"], "the model has the selected λ");
    // The same as giving this λ.
    let named =
        desk.json(&format!("fit iris.csv --multiclass softmax --lambda {}", chosen["lambda"]));
    assert_eq!(named["planes"], tuned["planes"]);
    for threads in [1, 3] {
        let again =
            desk.json(&format!("fit iris.csv --tune 6 --multiclass softmax --threads {threads}"));
        assert_eq!(again["tuning"], tuned["tuning"]);
    }
    desk.json("fit iris.csv --method svm --tune 4");
}

#[test]
fn least_squares_is_tuned_by_leave_one_out() {
    let desk = Sandbox::new();
    for words in ["--tune", "--loo"] {
        let fit = desk.json(&format!("fit iris.csv --method least-squares {words}"));
        let show = desk.json("show iris.linsep");
        assert_eq!(show["settings"]["lambda"], fit["facts"]["lambda"], "{words}");
        assert_eq!(show["settings"]["loo"], "yes");
        // The curve is saved from the largest λ to the smallest, and its minimum is selected.
        let (tuning, table) = (&fit["tuning"], fit["facts"]["leave_one_out"].as_array().unwrap());
        assert_eq!((&tuning["leave_one_out"], &tuning["folds"]), (&Value::Bool(true), &150.into()));
        let points = tuning["points"].as_array().unwrap();
        assert_eq!(points.len(), table.len());
        assert_eq!(points[0]["lambda"], table[table.len() - 1]["lambda"]);
        let chosen = &points[tuning["chosen"].as_u64().unwrap() as usize];
        assert_eq!(chosen["lambda"], fit["facts"]["lambda"], "{words}");
        assert!(points.iter().all(|point| number(&point["cost"]) >= number(&chosen["cost"])));
    }
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
fn every_method_can_be_calibrated() {
    let desk = Sandbox::new();
    overlapping(&desk);
    for method in ["svm", "averaged-perceptron", "logistic", "least-squares"] {
        for way in ["platt", "temperature", "isotonic"] {
            for data in ["iris.csv", "ill.csv --drop person --drop day"] {
                let fit = desk
                    .json(&format!("fit {data} --method {method} --calibrate {way} -o m.linsep"));
                let after = &fit["trust"]["after"];
                assert!(
                    number(&after["calibration_error"]) < 0.25,
                    "{method} {way} {data}: {after}"
                );
                assert_eq!(fit["trust"]["before"].is_null(), method != "logistic");
                let file = data.split(' ').next().unwrap();
                let run = desk.json(&format!("predict m.linsep {file} --proba"));
                for p in run["probabilities"].as_array().unwrap() {
                    let sum: f64 = p.as_array().unwrap().iter().map(number).sum();
                    assert!((sum - 1.0).abs() < 1e-9);
                }
                let evaluation = desk.json(&format!("evaluate m.linsep {file}"));
                assert!(
                    number(&evaluation["log_loss"]) < 1.0 && !evaluation["reliability"].is_null()
                );
                assert_eq!(desk.json("show m.linsep")["link"], way);
            }
        }
    }
    assert_session!(desk, "fit ill.csv --drop person --drop day --method svm --calibrate platt");
}

#[test]
fn thresholds_follow_their_rule() {
    let desk = Sandbox::new();
    overlapping(&desk);
    let fit = |rule: &str| {
        desk.json(&format!(
            "fit ill.csv --drop person --drop day --positive ill --threshold {rule} -o m.linsep"
        ))
    };
    let plain = desk.json("fit ill.csv --drop person --drop day --positive ill -o plain.linsep");
    let cost = fit("cost:1,10");
    let threshold = &cost["trust"]["threshold"];
    assert!(number(&threshold["at"]) < 0.0, "a false negative costs more");
    assert!(number(&threshold["after"]["cost"]) < number(&threshold["before"]["cost"]));
    assert_eq!(cost["planes"], plain["planes"], "the hyperplanes do not change");
    // predict and evaluate use the threshold.
    let scores = desk.json("predict m.linsep ill.csv --scores");
    for (class, z) in
        scores["predictions"].as_array().unwrap().iter().zip(scores["scores"].as_array().unwrap())
    {
        assert_eq!(class == "ill", number(&z[0]) >= number(&threshold["at"]));
    }
    let recall = |model: &str| {
        let found = desk.json(&format!("evaluate {model} ill.csv"));
        number(&found["per_class"][1]["recall"])
    };
    assert!(recall("m.linsep") > recall("plain.linsep"));
    for rule in ["f1", "youden", "recall>=0.9"] {
        fit(rule);
    }
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
    let fit = desk.json("fit ill.csv --drop person --drop day --abstain 0.9 -o m.linsep");
    let limit = &fit["trust"]["abstention"];
    let coverage = number(&limit["coverage"]);
    assert!((0.1..0.9).contains(&coverage));
    assert!(number(&limit["error"]) < number(&limit["error_of_all"]));
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
    let json = desk.json("predict m.linsep ill.csv");
    for row in json["abstained"].as_array().unwrap() {
        assert_eq!(json["predictions"][row.as_u64().unwrap() as usize], Value::Null);
    }
    let evaluation = desk.json("evaluate m.linsep ill.csv");
    assert!((number(&evaluation["coverage"]) - coverage).abs() < 0.1);
    // An error rate instead of a probability, and a margin for a model without probabilities.
    let fit = desk
        .json("fit ill.csv --drop person --drop day --method svm --abstain error<=0.1 -o m.linsep");
    assert_eq!(fit["trust"]["abstention"]["by"], "margin");
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
fn curves_are_lists_of_points() {
    let desk = Sandbox::new();
    overlapping(&desk);
    desk.json("fit ill.csv --drop person --drop day -o m.linsep");
    let found = desk.json("evaluate m.linsep ill.csv --curves");
    let roc = found["curves"]["roc"].as_array().unwrap();
    assert_eq!((number(&roc[0]["true_positive"]), &roc[0]["threshold"]), (0.0, &Value::Null));
    assert_eq!(number(&roc[roc.len() - 1]["true_positive"]), 1.0);
    assert!(!found["curves"]["precision_recall"].as_array().unwrap().is_empty());
    let (low, high) = (number(&found["auc_interval"][0]), number(&found["auc_interval"][1]));
    assert!(low < number(&found["auc"]) && number(&found["auc"]) < high);
    desk.json("fit iris.csv -o three.linsep");
    assert_eq!(desk.json("evaluate three.linsep iris.csv --curves")["curves"], Value::Null);
    assert_eq!(desk.wide("evaluate m.linsep ill.csv --curves").code, 2);
}

/// The same sample weights in a column and in a file give the same model and the same metrics, also
/// with held-out rows.
#[test]
fn sample_weights_of_a_file_belong_to_their_rows() {
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
        let column = desk.json(&format!("fit inside.csv --weights s {held} -o a --report a.html"));
        let file = desk
            .json(&format!("fit without.csv --weights weights.csv {held} -o b --report b.html"));
        assert_eq!(column["planes"], file["planes"], "{held}");
        assert_eq!(column["accuracy"], file["accuracy"], "{held}");
        assert_eq!(column["test"], file["test"], "{held}");
        assert_eq!(column["test"] == Value::Null, held.is_empty());
        // The accuracy on the page is weighted too.
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
