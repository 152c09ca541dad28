//! Fits with a certificate from the command line.

use crate::harness::Sandbox;
use serde_json::json;

#[test]
fn fit_reports_its_certificate() {
    let desk = Sandbox::new();
    for method in [
        "--method logistic",
        "--method svm",
        "--loss squared-hinge",
        "--loss smooth-hinge",
        "--loss squared",
    ] {
        let fit = desk.json(&format!("fit gales.csv {method} --tol 1e-6 -o m"));
        assert_eq!(fit["stop"], "optimal", "{method}");
        let number = |key: &str| fit["objective"][key].as_f64().unwrap();
        assert!(number("dual") <= number("primal"), "{method}");
        assert!(number("relative_gap") <= 1e-6 && number("gap") >= 0.0, "{method}");
        let certificate = &fit["proofs"][0];
        assert!(certificate["radius"].as_f64().unwrap() < 0.1, "{method}");
        let certified = json!({ "rows": 8, "of": 8, "share": 1.0 });
        assert_eq!(fit["certified"], certified, "{method}: rows far from the hyperplane");
        let shown = desk.json("show m");
        assert_eq!(shown["training"]["certified"], certified, "the model keeps it");
        assert_eq!(shown["training"]["proofs"][0], *certificate, "the model keeps it");
    }
}

#[test]
fn iteration_limit_leaves_a_gap() {
    let desk = Sandbox::new();
    let how = "--solver lbfgs --multiclass one-vs-rest --max-iter 2 -o m";
    let fit = desk.json(&format!("fit iris.csv {how}"));
    assert_eq!(fit["stop"], "iteration-limit");
    let gap = fit["objective"]["relative_gap"].as_f64().unwrap();
    assert!(gap > 1e-4 && gap.is_finite());
    let text = desk.wide(&format!("fit iris.csv {how}")).stdout;
    assert!(text.contains("above its optimum"), "{text}");
}

#[test]
fn unpenalized_fit_has_no_bound_and_reports_separation() {
    let desk = Sandbox::new();
    let fit = desk.json("fit gales.csv --penalty none -o m");
    assert_eq!(
        (fit["stop"].as_str(), fit["objective"]["dual"].is_null()),
        (Some("no-minimum"), true)
    );
    let text = desk.wide("fit gales.csv --penalty none -o m").stdout;
    assert!(text.contains("the rows are separable") && text.contains("add a penalty"), "{text}");
}

#[test]
fn every_solver_is_explained() {
    let desk = Sandbox::new();
    let fit = desk.json("fit gales.csv --explain-solver -o m");
    let candidates = fit["candidates"].as_array().unwrap();
    assert_eq!(
        candidates.len(),
        linsep::core::solvers::all(&linsep::core::solvers::Options::default()).len()
    );
    assert_eq!(candidates[0]["name"], fit["solver"], "the lowest cost is selected");
    let svm = desk.json("fit gales.csv --method svm --explain-solver -o m");
    let newton =
        svm["candidates"].as_array().unwrap().iter().find(|c| c["name"] == "newton").unwrap();
    assert_eq!(
        (newton["seconds"].is_null(), newton["needs"].as_str()),
        (true, Some("a loss with bounded curvature"))
    );
}

#[test]
fn path_goes_from_zero_coefficients_to_the_given_lambda() {
    let desk = Sandbox::new();
    let fit = desk.json("fit gales.csv --penalty l1 --lambda 0.001 --path 6 -o m");
    let path = fit["path"].as_array().unwrap();
    assert_eq!(path.len(), 6);
    assert_eq!(path[5]["lambda"], 0.001);
    assert!(path.iter().all(|point| point["stop"] == "optimal"));
    let nonzeros: Vec<u64> = path.iter().map(|point| point["nonzero"].as_u64().unwrap()).collect();
    assert!(nonzeros[0] == 0 && nonzeros[5] >= 1 && nonzeros.is_sorted(), "{nonzeros:?}");
}

#[test]
fn probabilities_sum_to_one_or_are_refused() {
    let desk = Sandbox::new();
    desk.wide("fit iris.csv -o m");
    let predicted = desk.json("predict m iris.csv --proba");
    for row in predicted["probabilities"].as_array().unwrap() {
        let sum: f64 = row.as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-12);
    }
    let evaluated = desk.json("evaluate m iris.csv");
    assert!(
        evaluated["log_loss"].as_f64().unwrap() < 0.4 && evaluated["brier"].as_f64().unwrap() < 0.1
    );
    desk.wide("fit iris.csv --method perceptron -o p");
    let refused = desk.wide("predict p iris.csv --proba");
    assert_eq!(refused.code, 1);
    assert!(
        refused.stderr.contains("does not have. Fit a model with --method logistic"),
        "{}",
        refused.stderr
    );
    assert!(desk.json("evaluate p iris.csv")["log_loss"].is_null());
}

#[test]
fn class_weights_move_the_intercept() {
    let desk = Sandbox::new();
    let heavy = desk.json("fit gales.csv --class-weight w1=100 -o m");
    let light = desk.json("fit gales.csv --class-weight w1=0.01 -o m");
    let intercept = |fit: &serde_json::Value| fit["planes"][0]["b"].as_f64().unwrap();
    assert!(intercept(&heavy) < intercept(&light), "the heavier class gets the larger region");
    let wrong = desk.wide("fit gales.csv --class-weight w1 -o m");
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("CLASS=WEIGHT"), "{}", wrong.stderr);
}

#[test]
fn invalid_settings_are_refused() {
    let desk = Sandbox::new();
    for (words, says) in [
        ("--lambda -1", "--lambda: expected a finite number of at least 0, found -1"),
        ("--lambda NaN", "--lambda: expected a finite number of at least 0, found NaN"),
        ("-C 0", "-C: expected a finite number above 0, found 0"),
        ("-C 1 --lambda 1", "--lambda cannot be combined with -C"),
        ("--tol 0", "--tol: expected a finite number above 0, found 0"),
        (
            "--penalty elastic-net --l1-ratio 2",
            "--l1-ratio: expected a number between 0 and 1, \
            found 2",
        ),
        (
            "--method svm --solver newton",
            "--solver newton requires a loss with bounded curvature; use dual-cd, \
             interior-point, smoothing, gradient-descent or sgd",
        ),
        ("--penalty l1 --solver lbfgs", "--solver lbfgs requires a penalty without l1 part"),
        (
            "--penalty none --solver dual-cd",
            "--solver dual-cd requires a pure l2 penalty; use newton, newton-cg, lbfgs, \
             gradient-descent or sgd",
        ),
        ("--method pocket --path", "--path requires a method with a penalty"),
        ("--positive w1 --path 3", "cannot be used with"),
        ("--method perceptron --penalty l1", "--penalty does not apply to perceptron"),
    ] {
        let run = desk.wide(&format!("fit gales.csv {words} -o m"));
        assert_eq!(run.code, 2, "{words}: {}", run.stderr);
        assert!(run.stderr.contains(says), "{words}: {}", run.stderr);
    }
}
