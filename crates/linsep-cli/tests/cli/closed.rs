//! Least squares, Fisher's discriminant and Gaussian classes from the command line.

use crate::harness::{Sandbox, assert_session};
use serde_json::Value;
use std::fs;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
}

fn assert_close(got: &[f64], want: &[f64], within: f64) {
    assert_eq!(got.len(), want.len(), "{got:?} {want:?}");
    assert!(got.iter().zip(want).all(|(g, w)| (g - w).abs() <= within), "{got:?} {want:?}");
}

#[test]
fn the_lectures_fisher_discriminant() {
    let desk = Sandbox::new();
    for scaling in ["", "--no-standardize"] {
        let fit = desk.json(&format!(
            "fit gales.csv --method fisher --intercept-rule max-margin --positive w1 {scaling}"
        ));
        let facts = &fit["facts"];
        assert_close(&numbers(&facts["means"][0]), &[0.825, 0.5], 1e-12);
        assert_close(&numbers(&facts["means"][1]), &[0.1375, 0.6], 1e-12);
        assert_close(&numbers(&facts["within_scatter"][0]), &[0.204_375, 0.03], 1e-12);
        assert_close(&numbers(&facts["within_scatter"][1]), &[0.03, 1.24], 1e-12);
        let hyperplane = &fit["planes"][0];
        assert_close(&numbers(&hyperplane["w"]), &[3.387_78, -0.162_61], 5e-6);
        assert_close(&[hyperplane["b"].as_f64().unwrap()], &[-1.443_20], 5e-6);
        assert_eq!((&fit["mistakes"], &fit["stop"]), (&0.into(), &"closed-form".into()));
    }
    assert_session!(
        desk,
        "fit gales.csv --method fisher --intercept-rule max-margin --positive w1"
    );
}

#[test]
fn every_closed_form_on_iris() {
    let desk = Sandbox::new();
    for words in [
        "fit iris.csv --method gaussian --shrinkage auto",
        "fit iris.csv --method fisher --dims 1 --priors uniform",
        "fit iris.csv --method least-squares --lambda 0.01",
        "fit iris.csv --method least-squares --loo",
    ] {
        assert_session!(desk, words);
    }
}

#[test]
fn model_file_keeps_gaussian_probabilities() {
    let desk = Sandbox::new();
    desk.json("fit iris.csv --method gaussian");
    let run = desk.json("predict iris.linsep iris.csv --proba");
    for p in run["probabilities"].as_array().unwrap() {
        assert!((numbers(p).iter().sum::<f64>() - 1.0).abs() < 1e-12);
    }
    let show = desk.json("show iris.linsep");
    assert_eq!((&show["link"], &show["format"]["major"]), (&"softmax".into(), &3.into()));
    // 3 of 160 rows are misclassified.
    let evaluation = desk.json("evaluate iris.linsep iris.csv");
    assert_eq!(evaluation["accuracy"], 0.98);
}

#[test]
fn rows_are_projected_onto_the_directions_of_the_model() {
    let desk = Sandbox::new();
    desk.json("fit iris.csv --method fisher");
    let run = desk.run("transform iris.linsep iris.csv --dims 2 -o out.csv");
    assert_eq!((run.code, run.stdout.as_str()), (0, ""), "{}", run.stderr);
    let text = fs::read_to_string(desk.path("out.csv")).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("direction_1,direction_2"));
    let rows: Vec<Vec<f64>> =
        lines.map(|line| line.split(',').map(|v| v.parse().unwrap()).collect()).collect();
    assert_eq!(rows.len(), 150);
    // The overall mean is the origin, and each direction has variance 1 within classes.
    for j in 0..2 {
        assert!(rows.iter().map(|row| row[j]).sum::<f64>().abs() < 1e-9);
        let within: f64 = rows
            .chunks(50)
            .map(|class| {
                let mean = class.iter().map(|row| row[j]).sum::<f64>() / 50.0;
                class.iter().map(|row| (row[j] - mean).powi(2)).sum::<f64>()
            })
            .sum();
        assert!((within / 150.0 - 1.0).abs() < 1e-9, "{within}");
    }
    let json = desk.json("transform iris.linsep iris.csv --dims 1");
    assert_eq!((&json["n"], json["rows"][0].as_array().unwrap().len()), (&150.into(), 1));
    desk.json("fit iris.csv --method logistic -o other.linsep");
    for words in ["transform iris.linsep iris.csv --dims 3", "transform other.linsep iris.csv"] {
        assert_session!(desk, words);
    }
}

#[test]
fn far_correct_rows_affect_least_squares_but_not_logistic_regression() {
    let desk = Sandbox::new();
    // Misclassified near rows of a model trained with the far rows (sample weight 1) or without
    // (sample weight 0).
    let misclassified = |method: &str, far: bool| {
        let rows = if far { "--drop near" } else { "--weights near" };
        desk.json(&format!("fit outliers.csv --method {method} {rows} -o m.linsep"));
        let evaluation = desk.json("evaluate m.linsep outliers.csv --weights near");
        let accuracy = evaluation["accuracy"].as_f64().unwrap();
        (60.0 * (1.0 - accuracy)).round()
    };
    assert_eq!(
        (misclassified("least-squares", false), misclassified("least-squares", true)),
        (0.0, 3.0)
    );
    assert_eq!((misclassified("logistic", false), misclassified("logistic", true)), (0.0, 0.0));
}

#[test]
fn boundaries_and_projections_are_plotted() {
    let desk = Sandbox::new();
    let words = "plot boundaries outliers.csv --drop near --method least-squares --method logistic";
    let json = desk.json(words);
    let names: Vec<&str> =
        json["curves"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["circles", "triangles", "least-squares", "logistic"]);
    let json = desk.json("plot projection outliers.csv --weights near -o p.png");
    assert_eq!(json["format"], "png");
    assert_eq!(desk.files(), ["boundaries.svg", "p.png"]);
    desk.json("plot boundaries iris.csv --drop sepal_length --drop sepal_width --method fisher");
    for words in ["plot boundaries iris.csv", "plot projection iris.csv"] {
        assert_session!(desk, words);
    }
}

#[test]
fn invalid_settings_are_refused() {
    let desk = Sandbox::new();
    for words in [
        "fit gales.csv --method gaussian --shrinkage 2",
        "fit gales.csv --method gaussian --priors w1=0,w2=1",
        "fit gales.csv --method gaussian --priors w3=1,w2=1",
        "fit gales.csv --method least-squares -C 1",
        "fit gales.csv --method least-squares --lambda 1 --loo",
        "fit iris.csv --method fisher --intercept-rule means",
        "fit iris.csv --method fisher --dims 5",
        "fit gales.csv --method gaussian --start 1,2,3",
        "trace gales.csv --method gaussian",
    ] {
        assert_session!(desk, words);
    }
}
