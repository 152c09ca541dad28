//! Log-loss: negative mean logarithm of the probability of the true class.

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
}

impl LogLoss {
    /// Adds a row with the probability of its true class.
    pub fn add(&mut self, of_true_class: f64, weight: f64) {
        self.sum -= weight * of_true_class.clamp(f64::EPSILON, 1.0).ln();
        self.weight += weight;
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
