//! Log-loss: minus the mean logarithm of the probability given to the true class.

/// The weighted mean of −ln p. A probability below 2⁻⁵² counts as that, so that one row cannot make the sum infinite (as
/// scikit-learn has it). NaN where nothing weighs.
pub fn log_loss(of_true_class: &[f64], weights: &[f64]) -> f64 {
    let rows = of_true_class.iter().zip(weights);
    let sum: f64 = rows.map(|(p, s)| -s * p.clamp(f64::EPSILON, 1.0).ln()).sum();
    sum / weights.iter().sum::<f64>()
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
