//! Certified predictions equal those of every exact optimum. The optima of these problems were
//! computed by hand or to 50 digits.

use crate::harness::{example, fit, input, labels, predicted, raw, reloaded};
use linsep::jobs::{Fit, FitOutcome};
use linsep::prelude::*;
use std::fmt::Write;

/// Number of certified training predictions.
fn certified(fit: &FitOutcome) -> usize {
    fit.model_file.header.training.certified.as_ref().expect("certified rows").rows
}

/// A table of one number and a class.
fn table(rows: impl Iterator<Item = (f64, &'static str)>) -> Input {
    let mut text = "x,y\n".to_owned();
    rows.for_each(|(x, y)| writeln!(text, "{x},{y}").unwrap());
    input(text)
}

/// The intercept of the iterate is not optimal for its coefficients, and the optimum predicts
/// another class for one row.
#[test]
fn suboptimal_intercept_certifies_no_false_prediction() {
    let data = input("x,y\n-1,1\n3,1\n1,1\n2,0\n-1,0\n3,0\n");
    let squared = Method::convex().loss(Loss::Squared).lambda(100.0);
    let found = raw(squared.solver(Solver::GradientDescent)).run(&data).unwrap();
    // Predictions 100010; those of the optimum are 101010: the third row differs.
    assert!(certified(&found) <= 5, "{found:?}");

    // w* = 0 by symmetry, and b* = ln(6/4) predicts b everywhere.
    let row =
        |i: u32| (if i.is_multiple_of(2) { 1.0 } else { -1.0 }, if i < 4 { "a" } else { "b" });
    let newton = Method::logistic().lambda(1e6).solver(Solver::Newton).tol(0.5);
    let started = Fit { start: vec![0.0, -0.1], ..raw(newton) };
    assert_eq!(certified(&started.run(&table((0..10).map(row))).unwrap()), 0);
}

/// The signs of all three scores are certified, the largest score is not.
#[test]
fn one_vs_rest_is_certified_by_its_largest_score() {
    let data = input("x,y\n0,c\n1,b\n3,a\n-3,c\n0,b\n3,a\n1,c\n2,a\n2,c\n");
    let found = fit(Method::logistic().multiclass(Scheme::OneVsRest).c(0.1), &data);
    let optimum = labels(["c", "c", "a", "c", "c", "a", "c", "c", "c"]);
    let own = predicted(&found.model_file, &data);
    let alike = own.iter().zip(&optimum).filter(|(own, best)| own == best).count();
    assert!(alike < 9, "the example requires rows that differ: {own:?}");
    assert!(certified(&found) <= alike, "{found:?}");
}

/// With the hinge loss and a large penalty every intercept of an interval is optimal.
#[test]
fn rows_on_which_optima_disagree_are_not_certified() {
    let data = input("x,y\n1,a\n2,a\n.5,a\n1.5,b\n2.5,b\n3,b\n");
    for solver in [Solver::Auto, Solver::Sgd, Solver::DualCd] {
        let found = fit(Method::svm().c(0.01).solver(solver), &data);
        assert_eq!(certified(&found), 0, "{solver:?}");
    }
}

/// A threshold and an abstention limit change the decision regions.
#[test]
fn certificates_use_the_decision_rule_in_effect() {
    let row = |i: u32| {
        let x = f64::from((i * 37) % 101) / 50.0 - 1.0;
        let noise = f64::from((i * 61) % 89) / 45.0 - 1.0;
        (x, if x + 0.8 * noise > 0.0 { "b" } else { "a" })
    };
    let data = table((0..200).map(row));
    let how = Fit::new(Method::logistic().tol(1e-3));
    let plain = certified(&how.run(&data).unwrap());
    let moved = how.clone().threshold("cost:5,1".parse().unwrap());
    let limited = how.abstain(AbstainRule::Probability(0.7));
    for fit in [moved, limited] {
        let found = fit.run(&data).unwrap();
        assert_eq!(found.model_file.header.training.certified.as_ref().unwrap().of, 200);
        assert!(certified(&found) < 200 && certified(&found) > 100, "{}", certified(&found));
    }
    assert!(plain > 150, "{plain}");
}

/// Bounds hold for large values: F* = 0.22271014611…, and 0.
#[test]
fn lower_bounds_hold_despite_rounding() {
    let bounds = |fit: &FitOutcome| (fit.fit.objective.unwrap(), fit.fit.bound.unwrap());
    let data = input("-1 1:100000008\n+1 1:100000000\n+1 1:100000004\n");
    for solver in
        [Solver::NewtonCg, Solver::Newton, Solver::Lbfgs, Solver::DualCd, Solver::GradientDescent]
    {
        let how = Method::convex().loss(Loss::Squared).lambda(0.015_625).tol(1e-9).solver(solver);
        let (primal, dual) = bounds(&fit(how, &data));
        assert!(
            dual <= 0.222_710_146_2 && 0.222_710_146_1 <= primal,
            "{solver:?}: {dual} {primal}"
        );
    }
    let how = Method::convex().loss(Loss::Perceptron).solver(Solver::Smoothing);
    let (primal, dual) = bounds(&fit(how, &example("gales.csv")));
    assert!(dual == 0.0 && primal >= 0.0, "{dual} {primal}");
}

/// Features around 2.8e14 lose digits in the conversion to raw units: a fit counts the
/// misclassified rows of the saved model, and certifies only its predictions.
#[test]
fn reported_accuracy_is_that_of_the_saved_model() {
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
        let data = input(format!("x1,x2,x3,y\n{rows}"));
        let found = fit(Method::logistic().c(100.0), &data);
        let accuracy = reloaded(&found).evaluate(&data).unwrap().accuracy();
        assert_eq!(found.fit.accuracy, accuracy, "{seed}");
    }
}
