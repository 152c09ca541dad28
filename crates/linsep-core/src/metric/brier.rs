//! Brier score: mean squared difference of probabilities and outcomes.

use super::measure::Mean;
use super::{Metric, Of};

/// The metric.
pub(super) const METRIC: Metric = Metric {
    name: "brier",
    title: "Brier score",
    summary: Some(("Brier", None)),
    is_share: false,
    larger_is_better: false,
    has_interval: false,
    compared: None,
    of: Of::Probabilities(of_row),
};

/// Weighted mean of ½ Σ (p − outcome)² over classes, between 0 (perfect) and 1. With the factor ½,
/// the score of two classes is the usual (p − outcome)² of either class. `probabilities` has k
/// values per row.
pub fn brier(probabilities: &[f64], k: usize, target: &[u32], weights: &[f64]) -> f64 {
    let rows = probabilities.chunks_exact(k).zip(target);
    Mean::of(rows.map(|(p, t)| of_row(p, *t)), weights).value()
}

/// Score of a row with the probabilities of all classes.
fn of_row(probabilities: &[f64], target: u32) -> f64 {
    let happened = |c: usize| if c == target as usize { 1.0 } else { 0.0 };
    let squares = probabilities.iter().enumerate().map(|(c, p)| (p - happened(c)).powi(2));
    0.5 * squares.sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_brier_score_equals_a_hand_computation() {
        assert_eq!(
            brier(&[0.25, 0.75, 1.0, 0.0], 2, &[1, 1], &[3.0, 1.0]),
            (3.0 / 16.0 + 1.0) / 4.0
        );
    }
}
