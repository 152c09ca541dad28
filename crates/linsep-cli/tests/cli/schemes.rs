//! Multiclass schemes from the command line.

use crate::harness::{Sandbox, assert_session};
use serde_json::Value;

/// Three classes in a triangle, with two features.
const TRIANGLE: &str = "x,y,class\n0,0,a\n1,0,a\n0,1,a\n8,0,b\n9,1,b\n8,1,b\n4,8,c\n5,9,c\n4,9,c\n";

fn triangle() -> Sandbox {
    let desk = Sandbox::new();
    desk.file("triangle.csv", TRIANGLE);
    desk
}

#[test]
fn every_scheme_is_reported() {
    let desk = triangle();
    for (method, scheme) in [
        ("logistic", "one-vs-rest"),
        ("logistic", "one-vs-rest-but-last"),
        ("svm", "one-vs-one"),
        ("perceptron", "winner-take-all"),
        ("averaged-perceptron", "kesler"),
        ("svm", "crammer-singer"),
    ] {
        let words = format!("fit triangle.csv --method {method} --multiclass {scheme} -o {scheme}");
        assert_session!(desk, words);
    }
    assert_session!(desk, "show one-vs-one");
    assert_session!(desk, "show one-vs-rest-but-last");
    assert_session!(desk, "show crammer-singer");
}

#[test]
fn choice_of_the_scheme_is_explained() {
    let desk = triangle();
    assert_session!(
        desk,
        "fit iris.csv --method perceptron --multiclass kesler --explain-multiclass -o m"
    );
    assert_session!(desk, "fit iris.csv --explain-multiclass -o m");
    assert_session!(desk, "fit gales.csv --method perceptron --explain-multiclass -o m");
    let json = desk.json("fit iris.csv --method svm --explain-multiclass -o m");
    let schemes = json["schemes"].as_array().unwrap();
    let taken: Vec<&Value> = schemes.iter().filter(|s| s["taken"] == true).collect();
    assert_eq!((taken.len(), &taken[0]["name"]), (1, &Value::from("one-vs-rest")));
    let pairs = schemes.iter().find(|s| s["name"] == "one-vs-one").unwrap();
    assert_eq!((&pairs["planes"], &pairs["ambiguous_regions"]), (&3.into(), &true.into()));
}

#[test]
fn incompatible_settings_are_refused() {
    let desk = triangle();
    for words in [
        "fit triangle.csv --multiclass winner-take-all",
        "fit triangle.csv --method perceptron --multiclass crammer-singer",
        "fit triangle.csv --method svm --loss squared-hinge --multiclass crammer-singer",
        "fit triangle.csv --method perceptron --multiclass kesler --tie positive",
        "fit triangle.csv --multiclass one-vs-one --path",
        "trace triangle.csv --method perceptron --multiclass one-vs-one",
        "fit triangle.csv --multiclass one-vs-all",
    ] {
        assert_session!(desk, words);
    }
    assert_eq!(desk.files(), ["triangle.csv"]);
}

/// Far to the upper right a point is on the positive side of the hyperplanes of a and of b: the
/// ambiguous region of the figure in the lectures.
#[test]
fn ambiguous_rows_are_resolved_or_kept() {
    let desk = triangle();
    desk.file("crossed.csv", "x,y,class\n1,0,a\n2,0,a\n0,1,b\n0,2,b\n-1,-1,c\n-2,-2,c\n");
    desk.file("rows.csv", "x,y\n5,0\n0,5\n5,5\n-5,-5\n");
    let fit =
        "fit crossed.csv --method logistic --multiclass one-vs-rest-but-last --no-standardize -o m";
    assert_eq!(desk.run(fit).code, 0);
    assert_session!(desk, "predict m rows.csv --scores");
    assert_session!(desk, "predict m rows.csv --ambiguous keep");
    desk.file("test.csv", "x,y,class\n5,5,a\n5,0,a\n0,5,b\n");
    assert_session!(desk, "evaluate m test.csv");
}

#[test]
fn joint_updates_are_traced() {
    let desk = Sandbox::new();
    desk.file("corners.csv", "x1,x2,y\n-1,-1,1\n-1,1,3\n1,-1,3\n1,1,2\n");
    assert_session!(desk, "trace corners.csv --method perceptron --multiclass winner-take-all");
}

#[test]
fn kesler_rows_are_a_table() {
    let desk = triangle();
    assert_session!(desk, "kesler triangle.csv");
    assert_session!(desk, "kesler triangle.csv --mirror -o long.csv");
    let plain = desk.run("kesler triangle.csv");
    let transformed = desk.run("transform --kesler triangle.csv");
    assert_eq!((transformed.code, transformed.stdout), (0, plain.stdout));
    assert_eq!(desk.run("transform --kesler triangle.csv triangle.csv").code, 2);
    assert_eq!(desk.run("transform triangle.csv").code, 2, "without a model");
}

#[test]
fn regions_are_plotted_and_measured() {
    let desk = triangle();
    desk.file("crossed.csv", "x,y,class\n1,0,a\n2,0,a\n0,1,b\n0,2,b\n-1,-1,c\n-2,-2,c\n");
    desk.run("fit crossed.csv --multiclass one-vs-rest-but-last -o m");
    let json = desk.json("plot regions m crossed.csv -o r.svg");
    let share = json["ambiguous"].as_f64().unwrap();
    assert!((0.01..0.5).contains(&share), "{json}");
    let all: f64 =
        json["shares"].as_array().unwrap().iter().map(|s| s["share"].as_f64().unwrap()).sum();
    assert!((all + share - 1.0).abs() < 1e-9, "the regions cover the plot");
    let svg = std::fs::read_to_string(desk.path("r.svg")).unwrap();
    assert!(svg.contains("ambiguous region") && svg.contains("one-vs-rest-but-last"));
    assert_eq!(desk.run("plot regions m crossed.csv -o r.png").code, 0);
    assert!(std::fs::read(desk.path("r.png")).unwrap().starts_with(b"\x89PNG"));
    desk.run("fit iris.csv -o wide");
    assert_session!(desk, "plot regions wide iris.csv -o r.svg");
}
