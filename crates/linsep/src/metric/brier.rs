//! Brier score: the mean squared distance of the probabilities from what happened.

/// The weighted mean of Σ over classes of (p − happened)², halved so that of two classes it is (p − happened)² of
/// either (as is usual; between 0, perfect, and 1). `probabilities` holds k numbers per row.
pub fn brier(probabilities: &[f64], k: usize, target: &[u32], weights: &[f64]) -> f64 {
    let rows = probabilities.chunks_exact(k).zip(target).zip(weights);
    let sum: f64 = rows
        .map(|((p, &t), s)| {
            let happened = |c: usize| if c == t as usize { 1.0 } else { 0.0 };
            s * p.iter().enumerate().map(|(c, p)| (p - happened(c)).powi(2)).sum::<f64>()
        })
        .sum();
    0.5 * sum / weights.iter().sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_computed() {
        assert_eq!(
            brier(&[0.25, 0.75, 1.0, 0.0], 2, &[1, 1], &[3.0, 1.0]),
            (3.0 / 16.0 + 1.0) / 4.0
        );
    }
}
