//! Certified predictions equal those of every exact optimum. The optima of these problems were
//! computed by hand or to 50 digits.

use crate::harness::Sandbox;
use serde_json::Value;

/// Number of certified training predictions.
fn certified(fit: &Value) -> u64 {
    fit["certified"]["rows"].as_u64().unwrap_or_else(|| panic!("{fit}"))
}

/// The intercept of the iterate is not optimal for its coefficients, and the optimum predicts
/// another class for one row.
#[test]
fn suboptimal_intercept_certifies_no_false_prediction() {
    let desk = Sandbox::new();
    desk.file("g.csv", "x,y\n-1,1\n3,1\n1,1\n2,0\n-1,0\n3,0\n");
    let how = "--no-standardize --method convex --loss squared --lambda 100";
    let fit = desk.json(&format!("fit g.csv {how} --solver gradient-descent -o m"));
    // Predictions 100010; those of the optimum are 101010: the third row differs.
    assert!(certified(&fit) <= 5, "{fit}");

    // w* = 0 by symmetry, and b* = ln(6/4) predicts b everywhere.
    let row = |i: u32| {
        format!("{},{}\n", if i.is_multiple_of(2) { 1 } else { -1 }, if i < 4 { "a" } else { "b" })
    };
    let rows: String = (0..10).map(row).collect();
    desk.file("even.csv", format!("x,y\n{rows}"));
    let how = "--no-standardize --lambda 1e6 --start=0,-0.1 --solver newton --tol 0.5";
    let fit = desk.json(&format!("fit even.csv {how} -o m"));
    assert_eq!(certified(&fit), 0, "{fit}");
}

/// The signs of all three scores are certified, the largest score is not.
#[test]
fn one_vs_rest_is_certified_by_its_largest_score() {
    let desk = Sandbox::new();
    desk.file("o.csv", "x,y\n0,c\n1,b\n3,a\n-3,c\n0,b\n3,a\n1,c\n2,a\n2,c\n");
    let fit = desk.json("fit o.csv --multiclass one-vs-rest -C 0.1 -o m");
    let predicted = desk.json("predict m o.csv");
    let optimum = ["c", "c", "a", "c", "c", "a", "c", "c", "c"];
    let rows = predicted["predictions"].as_array().unwrap().iter().zip(optimum);
    let alike = rows.filter(|(own, best)| *own == best).count() as u64;
    assert!(alike < 9, "the example requires rows that differ: {predicted}");
    assert!(certified(&fit) <= alike, "{fit}");
}

/// With the hinge loss and a large penalty every intercept of an interval is optimal.
#[test]
fn rows_on_which_optima_disagree_are_not_certified() {
    let desk = Sandbox::new();
    desk.file("h.csv", "x,y\n1,a\n2,a\n.5,a\n1.5,b\n2.5,b\n3,b\n");
    for solver in ["auto", "sgd", "dual-cd"] {
        let fit = desk.json(&format!("fit h.csv --method svm -C 0.01 --solver {solver} -o m"));
        assert_eq!(certified(&fit), 0, "{solver}: {fit}");
    }
}

/// A threshold and an abstention limit change the decision regions.
#[test]
fn certificates_use_the_decision_rule_in_effect() {
    let desk = Sandbox::new();
    let row = |i: u32| {
        let x = f64::from((i * 37) % 101) / 50.0 - 1.0;
        let noise = f64::from((i * 61) % 89) / 45.0 - 1.0;
        format!("{x},{}\n", if x + 0.8 * noise > 0.0 { "b" } else { "a" })
    };
    let rows: String = (0..200).map(row).collect();
    desk.file("noisy.csv", format!("x,y\n{rows}"));
    let how = "fit noisy.csv --tol 1e-3 -o m";
    let plain = certified(&desk.json(how));
    let moved = desk.json(&format!("{how} --threshold cost:5,1"));
    let limited = desk.json(&format!("{how} --abstain 0.7"));
    for fit in [&moved, &limited] {
        assert_eq!(fit["certified"]["of"], 200, "{fit}");
        assert!(certified(fit) < 200 && certified(fit) > 100, "{fit}");
    }
    assert!(plain > 150, "{plain}");
}

/// Bounds hold for large values: F* = 0.22271014611…, and 0.
#[test]
fn lower_bounds_hold_despite_rounding() {
    let desk = Sandbox::new();
    desk.file("off.svm", "-1 1:100000008\n+1 1:100000000\n+1 1:100000004\n");
    for solver in ["newton-cg", "newton", "lbfgs", "dual-cd", "gradient-descent"] {
        let how = "--method convex --loss squared --lambda 0.015625 --tol 1e-9";
        let fit = desk.json(&format!("fit off.svm {how} --solver {solver} -o m"));
        let [primal, dual] = ["primal", "dual"].map(|key| fit["objective"][key].as_f64().unwrap());
        assert!(dual <= 0.222_710_146_2 && 0.222_710_146_1 <= primal, "{solver}: {dual} {primal}");
    }
    let how = "--method convex --loss perceptron --solver smoothing";
    let fit = desk.json(&format!("fit gales.csv {how} -o m"));
    let [primal, dual] = ["primal", "dual"].map(|key| fit["objective"][key].as_f64().unwrap());
    assert!(dual == 0.0 && primal >= 0.0, "{fit}");
}

/// Features around 2.8e14 lose digits in the conversion to raw units: `fit` counts the
/// misclassified rows of the saved model, and certifies only its predictions.
#[test]
fn reported_accuracy_is_that_of_the_saved_model() {
    let desk = Sandbox::new();
    for seed in 0..12_u32 {
        let cell = |i: u32, j: u32| {
            let mix = (i * 7919 + j * 104_729 + seed * 1_299_709) % 1009;
            2.8e14 + 0.031_25 * f64::from(mix % 64) + if i.is_multiple_of(2) { 0.0 } else { 0.5 }
        };
        let row = |i: u32| {
            let y = if i.is_multiple_of(2) { "a" } else { "b" };
            format!("{},{},{},{y}\n", cell(i, 0), cell(i, 1), cell(i, 2))
        };
        let rows: String = (0..30).map(row).collect();
        desk.file("big.csv", format!("x1,x2,x3,y\n{rows}"));
        let fit = desk.json("fit big.csv -C 100 -o m");
        let accuracy = desk.json("evaluate m big.csv")["accuracy"].as_f64().unwrap();
        assert_eq!(fit["accuracy"].as_f64().unwrap(), accuracy, "{seed}");
    }
}
