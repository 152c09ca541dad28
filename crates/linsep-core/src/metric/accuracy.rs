//! Accuracy: Σ sᵢ [predictedᵢ = targetᵢ] / Σ sᵢ.

use super::{Metric, Of, Row, RowSum, share_interval};

/// The metric.
pub(super) const METRIC: Metric = Metric {
    name: "accuracy",
    title: "accuracy",
    summary: Some(("accuracy", None)),
    is_share: true,
    larger_is_better: true,
    has_interval: true,
    compared: Some(0),
    of: Of::Rows(|| Box::new(Accuracy::default())),
};

/// Accumulator: weight of the correctly predicted rows, and of all.
#[derive(Default)]
struct Accuracy {
    right: f64,
    total: f64,
}

impl RowSum for Accuracy {
    fn add(&mut self, row: &Row<'_>) {
        self.total += row.weight;
        if row.target == row.predicted {
            self.right += row.weight;
        }
    }

    fn value(&self) -> Option<f64> {
        Some(self.right / self.total)
    }

    fn interval(&self) -> Option<(f64, f64)> {
        share_interval(self.right / self.total, self.total)
    }
}

/// Weighted share of correctly predicted rows; NaN without weight.
pub fn accuracy(target: &[u32], predicted: &[u32], weights: &[f64]) -> f64 {
    let (mut right, mut total) = (0.0, 0.0);
    for ((t, p), s) in target.iter().zip(predicted).zip(weights) {
        total += s;
        if t == p {
            right += s;
        }
    }
    right / total
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accuracy_is_weighted() {
        assert_eq!(accuracy(&[0, 1, 1], &[0, 1, 0], &[1.0, 1.0, 2.0]), 0.5);
    }
}
