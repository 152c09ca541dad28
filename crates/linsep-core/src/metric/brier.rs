//! Brier score: mean squared difference of probabilities and outcomes.

use super::{Metric, Of, Row, RowSum};

/// The metric.
pub(super) const METRIC: Metric = Metric {
    name: "brier",
    title: "Brier score",
    summary: Some(("Brier", None)),
    is_share: false,
    larger_is_better: false,
    has_interval: false,
    compared: None,
    of: Of::Rows(|| Box::new(Some(Brier::default()))),
};

/// `None` once a row has no probabilities.
impl RowSum for Option<Brier> {
    fn add(&mut self, row: &Row<'_>) {
        match (&mut *self, row.probabilities) {
            (Some(sum), Some(p)) => sum.add(p, row.target, row.weight),
            (sum, _) => *sum = None,
        }
    }

    fn value(&self) -> Option<f64> {
        self.as_ref().filter(|sum| sum.rows > 0).map(Brier::value)
    }
}

/// Weighted mean of ½ Σ (p − outcome)² over classes, between 0 (perfect) and 1. With the factor ½,
/// the score of two classes is the usual (p − outcome)² of either class. `probabilities` has k
/// values per row.
pub fn brier(probabilities: &[f64], k: usize, target: &[u32], weights: &[f64]) -> f64 {
    let mut sums = Brier::default();
    let rows = probabilities.chunks_exact(k).zip(target).zip(weights);
    rows.for_each(|((p, t), s)| sums.add(p, *t, *s));
    sums.value()
}

/// Accumulator of the Brier score, row by row.
#[derive(Clone, Copy, Debug, Default)]
pub struct Brier {
    sum: f64,
    weight: f64,
    rows: usize,
}

impl Brier {
    /// Adds a row with the probabilities of all classes.
    pub fn add(&mut self, probabilities: &[f64], target: u32, weight: f64) {
        let happened = |c: usize| if c == target as usize { 1.0 } else { 0.0 };
        let squares = probabilities.iter().enumerate().map(|(c, p)| (p - happened(c)).powi(2));
        self.sum += weight * squares.sum::<f64>();
        self.weight += weight;
        self.rows += 1;
    }

    /// Score of the rows so far.
    pub fn value(&self) -> f64 {
        0.5 * self.sum / self.weight
    }
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
