//! Weighted quantiles by the inverse of the distribution function.
//!
//! With sorted values x₁ ≤ … ≤ xₙ, sample weights s and cumulative weights Cᵢ = s₁ + … + sᵢ the
//! p-quantile is the first xᵢ with Cᵢ ≥ pCₙ. The averaged quantile is the mean of xᵢ and the next
//! value if Cᵢ = pCₙ. Sample weight 2 equals a repeated row, and a factor of all weights changes
//! nothing. Source: Hyndman and Fan, *Sample quantiles in statistical packages* (1996), definitions
//! 1 and 2; `inverted_cdf` and `averaged_inverted_cdf` of numpy and scikit-learn.

/// Returns the quantiles q/parts for q = 0, …, parts, without repetition; none without values.
/// Missing values (NaN) and rows with sample weight 0 do not count.
pub(super) fn quantiles(values: &[f64], weights: &[f64], parts: usize, averaged: bool) -> Vec<f64> {
    /// Relative distance of cumulative weights that differ by rounding only.
    const ROUNDING: f64 = 1e-12;
    let mut pairs: Vec<(f64, f64)> = values.iter().copied().zip(weights.iter().copied()).collect();
    pairs.retain(|(x, s)| !x.is_nan() && *s > 0.0);
    if pairs.is_empty() {
        return Vec::new();
    }
    // Equal values by weight: the sums do not depend on the order of the rows.
    pairs.sort_by(|a, b| (a.0 + 0.0).total_cmp(&(b.0 + 0.0)).then(a.1.total_cmp(&b.1)));
    let heaviest = pairs.iter().map(|(_, s)| *s).fold(0.0, f64::max);
    let sums = pairs.iter().scan(0.0, |sum, (_, s)| {
        *sum += s / heaviest;
        Some(*sum)
    });
    let sums: Vec<f64> = sums.collect();
    let (last, total) = (pairs.len() - 1, sums[pairs.len() - 1]);
    let quantile = |q: usize| {
        let target = total * q as f64 / parts as f64;
        let i = sums.partition_point(|sum| *sum < target - total * ROUNDING).min(last);
        let is_step = averaged && q > 0 && q < parts && sums[i] <= target + total * ROUNDING;
        // Halves first: the sum of two values could overflow.
        if is_step && i < last { pairs[i].0 / 2.0 + pairs[i + 1].0 / 2.0 } else { pairs[i].0 }
    };
    let mut all: Vec<f64> = (0..=parts).map(|q| quantile(q) + 0.0).collect();
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_average_two_values_at_a_step() {
        let values = [4.0, 1.0, f64::NAN, 3.0, 2.0, 9.0];
        assert_eq!(quantiles(&values, &[1.0, 1.0, 1.0, 1.0, 1.0, 0.0], 2, true), [1.0, 2.5, 4.0]);
        assert_eq!(quantiles(&values, &[1.0; 6], 2, true), [1.0, 3.0, 9.0]);
        assert_eq!(quantiles(&[7.0; 5], &[1.0; 5], 4, true), [7.0], "quantiles are distinct");
        assert_eq!(quantiles(&[], &[], 4, true), [] as [f64; 0]);
        assert_eq!(quantiles(&[-1.7e308, 1.7e308], &[1.0; 2], 2, true), [-1.7e308, 0.0, 1.7e308]);
        assert_eq!(quantiles(&[4.0, 1.0, 3.0, 2.0], &[1.0; 4], 2, false), [1.0, 2.0, 4.0]);
    }

    #[test]
    fn sample_weight_two_is_a_repeated_row() {
        let values: Vec<f64> = (0..60).map(|i| f64::from(i * i % 61)).collect();
        let weights: Vec<f64> = (0..60).map(|i| f64::from(i % 4)).collect();
        let times = |(x, s): (&f64, &f64)| vec![*x; *s as usize];
        let repeated: Vec<f64> = values.iter().zip(&weights).flat_map(times).collect();
        let thirds: Vec<f64> = weights.iter().map(|s| s / 3.0).collect();
        for (parts, averaged) in (1..20).flat_map(|parts| [(parts, true), (parts, false)]) {
            let want = quantiles(&repeated, &vec![1.0; repeated.len()], parts, averaged);
            assert_eq!(quantiles(&values, &weights, parts, averaged), want);
            assert_eq!(
                quantiles(&values, &thirds, parts, averaged),
                want,
                "a factor changes nothing"
            );
        }
    }
}
