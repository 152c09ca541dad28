//! Least squares, Fisher's discriminant and Gaussian classes from the command line.

use crate::harness::{Sandbox, assert_session};
use std::fs;

#[test]
fn output_of_every_closed_form() {
    let desk = Sandbox::new();
    for words in [
        "fit gales.csv --method fisher --intercept-rule max-margin --positive w1",
        "fit iris.csv --method gaussian --shrinkage auto",
        "fit iris.csv --method fisher --dims 1 --priors uniform",
        "fit iris.csv --method least-squares --lambda 0.01",
        "fit iris.csv --method least-squares --loo",
    ] {
        assert_session!(desk, words);
    }
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
    assert_eq!(lines.count(), 150);
    let json = desk.json("transform iris.linsep iris.csv --dims 1");
    assert_eq!((&json["n"], json["rows"][0].as_array().unwrap().len()), (&150.into(), 1));
    desk.json("fit iris.csv --method logistic -o other.linsep");
    for words in ["transform iris.linsep iris.csv --dims 3", "transform other.linsep iris.csv"] {
        assert_session!(desk, words);
    }
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
