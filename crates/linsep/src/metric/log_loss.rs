//! Log-loss: minus the mean logarithm of the probability given to the true class.

/// The weighted mean of −ln p. A probability below 2⁻⁵² counts as that, so that one row cannot make the sum infinite (as
/// scikit-learn has it). NaN where nothing weighs.
pub fn log_loss(of_true_class: &[f64], weights: &[f64]) -> f64 {
    let mut sums = LogLoss::default();
    of_true_class.iter().zip(weights).for_each(|(p, s)| sums.add(*p, *s));
    sums.value()
}

/// The same row by row.
#[derive(Clone, Copy, Debug, Default)]
pub struct LogLoss {
    sum: f64,
    weight: f64,
}

impl LogLoss {
    /// Adds a row by the probability of its class.
    pub fn add(&mut self, of_true_class: f64, weight: f64) {
        self.sum -= weight * of_true_class.clamp(f64::EPSILON, 1.0).ln();
        self.weight += weight;
    }

    /// The mean so far.
    pub fn value(&self) -> f64 {
        self.sum / self.weight
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_computed() {
        let mean = (2.0 * 2.0_f64.ln() + 4.0_f64.ln()) / 3.0;
        assert!((log_loss(&[0.5, 0.25], &[2.0, 1.0]) - mean).abs() < 1e-15);
        assert!(log_loss(&[0.0], &[1.0]).is_finite());
    }
}
