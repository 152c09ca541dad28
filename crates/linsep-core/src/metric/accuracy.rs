//! Accuracy: Σ sᵢ [predictedᵢ = targetᵢ] / Σ sᵢ.

use super::measure::Mean;
use super::{Metric, Of};

/// The metric.
pub(super) const METRIC: Metric = Metric {
    name: "accuracy",
    title: "accuracy",
    summary: Some(("accuracy", None)),
    is_share: true,
    larger_is_better: true,
    has_interval: true,
    compared: Some(0),
    of: Of::Rows(|row| f64::from(row.target == row.predicted)),
};

/// Weighted share of correctly predicted rows; NaN without weight.
pub fn accuracy(target: &[u32], predicted: &[u32], weights: &[f64]) -> f64 {
    let right = target.iter().zip(predicted).map(|(t, p)| f64::from(t == p));
    Mean::of(right, weights).value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_is_weighted() {
        assert_eq!(accuracy(&[0, 1, 1], &[0, 1, 0], &[1.0, 1.0, 2.0]), 0.5);
    }
}
