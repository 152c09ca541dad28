//! Fits with a certificate from the command line.

use crate::harness::Sandbox;

#[test]
fn gaps_and_missing_minima_are_explained() {
    let desk = Sandbox::new();
    let how = "--solver lbfgs --multiclass one-vs-rest --max-iter 2 -o m";
    let text = desk.wide(&format!("fit iris.csv {how}")).stdout;
    assert!(text.contains("above its optimum"), "{text}");
    let text = desk.wide("fit gales.csv --penalty none -o m").stdout;
    assert!(text.contains("the rows are separable") && text.contains("add a penalty"), "{text}");
}

#[test]
fn probabilities_of_a_model_without_any_are_refused() {
    let desk = Sandbox::new();
    desk.wide("fit iris.csv --method perceptron -o p");
    let refused = desk.wide("predict p iris.csv --proba");
    assert_eq!(refused.code, 1);
    assert!(
        refused.stderr.contains("does not have. Fit a model with --method logistic"),
        "{}",
        refused.stderr
    );
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
        ("--class-weight w1", "CLASS=WEIGHT"),
        ("--method perceptron --penalty l1", "--penalty does not apply to perceptron"),
    ] {
        let run = desk.wide(&format!("fit gales.csv {words} -o m"));
        assert_eq!(run.code, 2, "{words}: {}", run.stderr);
        assert!(run.stderr.contains(says), "{words}: {}", run.stderr);
    }
}
