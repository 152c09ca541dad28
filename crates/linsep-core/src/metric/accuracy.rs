//! Accuracy: Σ sᵢ [predictedᵢ = targetᵢ] / Σ sᵢ.

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
