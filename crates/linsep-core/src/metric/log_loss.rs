//! Log-loss: negative mean logarithm of the probability of the true class.

use super::{Metric, Of, Row, RowSum};

/// The metric. An unknown class has probability 0.
pub(super) const METRIC: Metric = Metric {
    name: "log-loss",
    title: "log-loss",
    summary: Some(("log-loss", None)),
    is_share: false,
    larger_is_better: false,
    has_interval: false,
    compared: Some(2),
    of: Of::Rows(|| Box::new(Some(LogLoss::default()))),
};

/// `None` once a row has no probabilities.
impl RowSum for Option<LogLoss> {
    fn add(&mut self, row: &Row<'_>) {
        match (&mut *self, row.probabilities) {
            (Some(sum), Some(p)) => {
                sum.add(p.get(row.target as usize).copied().unwrap_or(0.0), row.weight);
            }
            (sum, _) => *sum = None,
        }
    }

    fn value(&self) -> Option<f64> {
        self.as_ref().filter(|sum| sum.rows > 0).map(LogLoss::value)
    }
}

/// Weighted mean of −ln p. Probabilities are clamped to at least 2⁻⁵², as in scikit-learn, so that
/// one row cannot make the mean infinite. NaN without weight.
pub fn log_loss(of_true_class: &[f64], weights: &[f64]) -> f64 {
    let mut sums = LogLoss::default();
    of_true_class.iter().zip(weights).for_each(|(p, s)| sums.add(*p, *s));
    sums.value()
}

/// Accumulator of the log-loss, row by row.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogLoss {
    sum: f64,
    weight: f64,
    rows: usize,
}

impl LogLoss {
    /// Adds a row with the probability of its true class.
    pub fn add(&mut self, of_true_class: f64, weight: f64) {
        self.sum -= weight * of_true_class.clamp(f64::EPSILON, 1.0).ln();
        self.weight += weight;
        self.rows += 1;
    }

    /// Mean of the rows so far.
    pub fn value(&self) -> f64 {
        self.sum / self.weight
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_loss_equals_a_hand_computation() {
        let mean = (2.0 * 2.0_f64.ln() + 4.0_f64.ln()) / 3.0;
        assert!((log_loss(&[0.5, 0.25], &[2.0, 1.0]) - mean).abs() < 1e-15);
        assert!(log_loss(&[0.0], &[1.0]).is_finite());
    }
}
