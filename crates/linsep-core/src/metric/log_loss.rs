//! Log-loss: negative mean logarithm of the probability of the true class.

use super::measure::Mean;
use super::{Metric, Of};

/// The metric. An unknown class has probability 0.
pub(super) const METRIC: Metric = Metric {
    name: "log-loss",
    title: "log-loss",
    summary: Some(("log-loss", None)),
    is_share: false,
    larger_is_better: false,
    has_interval: false,
    compared: Some(2),
    of: Of::Probabilities(|p, target| of_row(p.get(target as usize).copied().unwrap_or(0.0))),
};

/// Weighted mean of −ln p. Probabilities are clamped to at least 2⁻⁵², as in scikit-learn, so that
/// one row cannot make the mean infinite. NaN without weight.
pub fn log_loss(of_true_class: &[f64], weights: &[f64]) -> f64 {
    Mean::of(of_true_class.iter().map(|p| of_row(*p)), weights).value()
}

/// Loss of a row with the probability of its true class.
fn of_row(of_true_class: f64) -> f64 {
    -of_true_class.clamp(f64::EPSILON, 1.0).ln()
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
