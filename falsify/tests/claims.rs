//! A short run with fixed seeds: the claims hold, and the references agree with results by hand.

#![allow(clippy::unwrap_used)] // tests may unwrap

use linsep_falsify::reference::binary::{Loss, Problem};
use linsep_falsify::run::{Limit, Table};

/// Every claim on a number of cases, with a minimum number of comparisons.
#[test]
fn claims_hold() {
    for (claim, cases, least) in [
        ("objective,bounds,radius,certified", 1_500, 10_000),
        ("separation,existence", 60, 30),
        ("novikoff", 400, 30),
        ("scorecard", 400, 200),
        ("explanation", 400, 400),
    ] {
        let table = Table::run(0, Limit::Cases(cases), Some(claim));
        assert!(table.findings.is_empty(), "{:?}", table.findings.first());
        let compared: u64 = table.counts.values().map(|count| count.compared).sum();
        assert!(compared > least, "{claim}: {compared}");
    }
}

/// Nearly all references of fits are certified.
#[test]
fn references_are_certified() {
    let table = Table::run(0, Limit::Cases(1_500), Some("bounds"));
    for ((_, loss), count) in &table.counts {
        let share = count.skipped as f64 / count.compared as f64;
        assert!(share <= 0.12, "{loss}: {share}");
    }
}

fn problem(loss: Loss, x: &[f64], y: &[f64], (l1, l2): (f64, f64), intercept: bool) -> Problem {
    let x = x.iter().map(|x| vec![*x]).collect();
    Problem { x, y: y.to_vec(), s: vec![1.0; y.len()], loss, l1, l2, intercept }
}

/// Rows ±1, no intercept: F(w) = ℓ(w) + λw²/2, with the optimum of each loss by hand.
#[test]
fn optima_of_two_rows_match_results_by_hand() {
    let optimum = |loss, l1, l2| {
        let problem = problem(loss, &[-1.0, 1.0], &[-1.0, 1.0], (l1, l2), false);
        let found = problem.reference().unwrap();
        (found.w[0].value(), found.value.value())
    };
    let near = |(w, value): (f64, f64), exact: (f64, f64)| {
        assert!((w - exact.0).abs() < 1e-10, "{w} {exact:?}");
        assert!((value - exact.1).abs() <= 1e-15 * exact.1, "{value} {exact:?}");
    };
    // Stationarity: −2(1 − w) + 2w = 0.
    near(optimum(Loss::Squared, 0.0, 2.0), (0.5, 0.5));
    near(optimum(Loss::SquaredHinge, 0.0, 2.0), (0.5, 0.5));
    // −1 + 4w = 0 for w < 1.
    near(optimum(Loss::Hinge, 0.0, 4.0), (0.25, 0.875));
    // λ < 1: the minimizer is at the corner.
    near(optimum(Loss::Hinge, 0.0, 0.5), (1.0, 0.25));
    // −(1 − w) + w = 0; ℓ = (1 − w)²/2.
    near(optimum(Loss::SmoothHinge, 0.0, 1.0), (0.5, 0.25));
    // −2(1 − w) + 1 = 0.
    near(optimum(Loss::Squared, 1.0, 0.0), (0.5, 0.75));
    // λ₁ ≥ |ℓ′(0)| gives w = 0.
    near(optimum(Loss::Logistic, 0.5, 0.0), (0.0, 2.0_f64.ln()));
    near(optimum(Loss::Perceptron, 0.0, 1.0), (0.0, 0.0));
}

/// With w·1 = z and e^z = (1 − p)/p: λz = σ(−z) has z = ln 3 for λ = 1/(4 ln 3).
#[test]
fn logistic_optimum_matches_result_by_hand() {
    let z = 3.0_f64.ln();
    let lambda = 0.25 / z;
    let problem = problem(Loss::Logistic, &[-1.0, 1.0], &[-1.0, 1.0], (0.0, lambda), false);
    let found = problem.reference().unwrap();
    assert!((found.w[0].value() - z).abs() < 1e-14);
    let exact = (4.0_f64 / 3.0).ln() + 0.5 * lambda * z * z;
    assert!((found.value.value() - exact).abs() < 1e-15);
}

/// Rows ±1 with λ = 10: the hinge has optimal b in [−0.9, 0.9], and a row far from 0 shows that an
/// offset has no effect.
#[test]
fn intercepts_of_two_rows_form_an_interval() {
    for offset in [0.0, 1e12] {
        let x = [offset - 1.0, offset + 1.0];
        let problem = problem(Loss::Hinge, &x, &[-1.0, 1.0], (0.0, 10.0), true);
        let found = problem.reference().unwrap();
        assert!((found.w[0].value() - 0.1).abs() < 1e-12);
        let middle = found.scores(&[offset]);
        assert!((middle.low.0 + 0.9).abs() < 1e-9 && (middle.high.1 - 0.9).abs() < 1e-9);
        assert!(middle.low.0 <= middle.low.1 && middle.high.0 <= middle.high.1);
    }
}

/// Rows far from 0 with squared loss: the published optimum of a case with cancellation.
#[test]
fn rows_far_from_zero_match_the_published_optimum() {
    let x = [100_000_008.0, 100_000_000.0, 100_000_004.0];
    let problem = problem(Loss::Squared, &x, &[-1.0, 1.0, 1.0], (0.0, 0.015_625), true);
    let found = problem.reference().unwrap();
    // Centered rows 4, −4, 0 and y − ȳ: w = −(8/3)/(32/3 + λ/2), F = (1/S)·Σ(y − ȳ)² + w·(8/3)
    let w = -(8.0 / 3.0) / (32.0 / 3.0 + 0.015_625 / 2.0);
    let exact = 8.0 / 9.0 + w * (8.0 / 3.0);
    assert!((found.w[0].value() - w).abs() < 1e-13);
    assert!((found.value.value() - exact).abs() < 1e-12, "{} {exact}", found.value.value());
    assert!((found.value.value() - 0.222_710_146_11).abs() < 1e-10);
}
