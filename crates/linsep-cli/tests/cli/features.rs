//! Nonlinear features from the command line to predictions, with the same certificates.

use crate::harness::Sandbox;
use serde_json::Value;

/// 200 rows of two classes: inside and outside of a circle with noise, and a category.
fn circle() -> String {
    let noise = |i: usize, by: usize| ((i * by) % 101) as f64 / 25.0 - 2.0;
    let row = |i: usize| {
        let (x, y) = (noise(i, 37), noise(i, 61));
        let class = if x * x + y * y < 2.5 || i.is_multiple_of(23) { "in" } else { "out" };
        let x = if i % 31 == 5 { String::new() } else { x.to_string() };
        format!("{x},{y},{},{},{class}\n", i % 17, ["red", "blue", "green"][i % 3])
    };
    format!("x,y,n,color,class\n{}", (0..200).map(row).collect::<String>())
}

/// No line separates XOR; one over x1, x2 and x1·x2 does.
#[test]
fn xor_is_separable_with_a_product() {
    let desk = Sandbox::new();
    assert_eq!(desk.json("separable xor.csv")["verdict"], "overlap");
    for spec in ["interactions", "interactions(x1,x2)", "poly(2)"] {
        let how = format!("xor.csv --features {spec}");
        let separable = desk.json(&format!("separable {how}"));
        assert_eq!(separable["verdict"], "complete", "{separable}");
        let fit = desk.json(&format!("fit {how} -C 100 -o m"));
        assert_eq!(fit["mistakes"], 0, "{spec}: {fit}");
        let predicted = desk.json("predict m xor.csv");
        assert_eq!(predicted["predictions"], serde_json::json!(["no", "yes", "yes", "no"]));
    }
    let fit = desk.json("fit xor.csv --features interactions --method perceptron -o m");
    assert_eq!(fit["mistakes"], 0);
    assert!(desk.run("show m").stdout.contains("x1:x2"), "{}", desk.run("show m").stdout);
}

#[test]
fn circle_is_fitted_and_certified() {
    let desk = Sandbox::new();
    desk.file("circle.csv", circle());
    let linear = desk.json("fit circle.csv -o m");
    let curved = "circle.csv --features poly(2);bins(n,4) --features interactions(x,color)";
    let fit = desk.json(&format!("fit {curved} -o m --report r.html --tol 1e-9"));
    let mistakes = |fit: &Value| fit["mistakes"].as_u64().unwrap();
    assert!(mistakes(&fit) * 3 < mistakes(&linear), "{fit}");
    assert!(fit["certified"]["rows"].as_u64().unwrap() >= 190, "{fit}");
    let accuracy = desk.json("evaluate m circle.csv")["accuracy"].as_f64().unwrap();
    assert_eq!(((1.0 - accuracy) * 200.0).round() as u64, mistakes(&fit));
    let page = std::fs::read_to_string(desk.path("r.html")).unwrap();
    assert!(page.contains("Products of numeric columns, standardized"));
    let explained = desk.run("explain m circle.csv --row 1").stdout;
    assert!(explained.contains("x²"), "{explained}");
    let tuned = desk.run(&format!("fit {curved} -o t --tune --folds 3"));
    assert_eq!(tuned.code, 0, "{}", tuned.stderr);
    let compared = desk.run(&format!("compare {curved} --folds 3 --methods logistic,svm"));
    assert_eq!(compared.code, 0, "{}", compared.stderr);
}

#[test]
fn same_bits_for_any_number_of_threads() {
    let desk = Sandbox::new();
    desk.file("circle.csv", circle());
    let how = "fit circle.csv --features spline(x,4);log(n);poly(3);interactions";
    desk.run(&format!("{how} -o one --threads 1"));
    desk.run(&format!("{how} -o two --threads 2"));
    let bytes = |name: &str| std::fs::read(desk.path(name)).unwrap();
    assert_eq!(bytes("one"), bytes("two"));
}

#[test]
fn wrong_features_are_one_line() {
    let desk = Sandbox::new();
    for (spec, want) in [
        ("poly(2,petal)", "no column \"petal\""),
        ("poly(1)", "expected a degree from 2 to 5, found 1"),
        ("pol(2)", "expected poly, interactions, log, bins or spline, found pol"),
        ("log(species)", "expected a feature column in --features, found the target"),
        ("log(\"sepal_length\");bins(sepal_length,3)", "expected one of log, bins and spline"),
    ] {
        let run = desk.run_with(&["fit", "iris.csv", "--features", spec, "-o", "m"], "");
        assert_ne!(run.code, 0);
        assert!(run.stderr.contains(want), "{spec}: {}", run.stderr);
    }
    desk.file("pairs.svm", "1 1:2 2:3\n-1 1:4\n");
    let run = desk.run("fit pairs.svm --features poly(2) -o m");
    assert!(run.stderr.contains("--features"), "{}", run.stderr);
    assert_ne!(run.code, 0);
}
