//! Significance of the difference between two methods on the same folds.
//!
//! Over J folds, dⱼ is the difference of the two on fold j. Folds share most of their training
//! rows, so the dⱼ are not independent, and the usual t-test is significant too often. Nadeau and
//! Bengio's corrected resampled t-test takes the ratio of test to training rows into account:
//!
//! ```text
//!   t = d̄ / √( (1/J + n_test/n_train) · Σ (dⱼ − d̄)²/(J − 1) ),     J − 1 degrees of freedom.
//! ```
//!
//! For an integer number of degrees of freedom ν the distribution of |t| is a finite sum. Let θ =
//! atan(t/√ν) and c = cos θ; then
//!
//! ```text
//!   ν odd:   P = (2/π) (θ + sin θ (c + (2/3) c³ + … + (2·4⋯(ν−3))/(3·5⋯(ν−2)) c^(ν−2)))
//!   ν even:  P = sin θ (1 + (1/2) c² + … + (1·3⋯(ν−3))/(2·4⋯(ν−2)) c^(ν−2))
//! ```
//!
//! and p = 1 − P. When several methods are compared with one, Holm's procedure increases their
//! p-values. The probability of any false rejection at the 5 % level is then at most 5 %.
//!
//! Sources: Nadeau & Bengio, *Inference for the generalization error*, Machine Learning 52 (2003);
//! Abramowitz & Stegun, 26.7.3 and 26.7.4; Holm, *A simple sequentially rejective multiple test
//! procedure*, Scandinavian Journal of Statistics 6 (1979).

/// Result of a paired test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paired {
    /// d̄.
    pub difference: f64,
    /// t statistic; infinite if all differences are equal and not 0.
    pub t: f64,
    /// p-value: probability of a |t| at least as large without a difference.
    pub p: f64,
}

/// Compares the metric of two methods on the same folds; `share` is `n_test/n_train`. `None` with
/// fewer than two folds.
pub fn paired(one: &[f64], other: &[f64], share: f64) -> Option<Paired> {
    let d: Vec<f64> = one.iter().zip(other).map(|(a, b)| a - b).collect();
    let folds = d.len();
    if folds < 2 {
        return None;
    }
    let j = folds as f64;
    let difference = d.iter().sum::<f64>() / j;
    let square = d.iter().map(|d| (d - difference) * (d - difference)).sum::<f64>() / (j - 1.0);
    // Differences of equal values may differ in their last bits.
    let size = d.iter().fold(0.0_f64, |most, d| most.max(d.abs()));
    if square.sqrt() <= 4.0 * f64::EPSILON * size {
        let none = difference == 0.0;
        let (t, p) = if none { (0.0, 1.0) } else { (f64::INFINITY.copysign(difference), 0.0) };
        return Some(Paired { difference, t, p });
    }
    let t = difference / ((1.0 / j + share) * square).sqrt();
    Some(Paired { difference, t, p: two_sided(t, folds - 1) })
}

/// Probability of |t| or more, with ν ≥ 1 degrees of freedom.
fn two_sided(t: f64, degrees: usize) -> f64 {
    let theta = (t.abs() / (degrees as f64).sqrt()).atan();
    let (sin, cos) = theta.sin_cos();
    // The ratios of successive terms are (2/3) c², (4/5) c², … or (1/2) c², (3/4) c², …
    let odd = degrees % 2 == 1;
    let (mut term, mut sum) = if odd { (cos, cos) } else { (1.0, 1.0) };
    let mut upper = if odd { 2 } else { 1 };
    while upper + 3 <= degrees {
        term *= upper as f64 / (upper + 1) as f64 * cos * cos;
        sum += term;
        upper += 2;
    }
    let inside = match degrees {
        1 => theta * std::f64::consts::FRAC_2_PI,
        _ if odd => std::f64::consts::FRAC_2_PI * (theta + sin * sum),
        _ => sin * sum,
    };
    (1.0 - inside).clamp(0.0, 1.0)
}

/// Holm's adjusted p-values, in the given order. The smallest is multiplied by their number, the
/// next by one less, and so on; the results are made nondecreasing and capped at 1.
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut out = vec![1.0; p.len()];
    let mut least: f64 = 0.0;
    for (rank, &i) in order.iter().enumerate() {
        least = least.max(p[i] * (p.len() - rank) as f64).min(1.0);
        out[i] = least;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn critical_values_equal_those_of_t_tables() {
        // Two-sided 5 % points of published tables.
        let table = [
            (1, 12.706_2),
            (2, 4.302_65),
            (3, 3.182_45),
            (4, 2.776_45),
            (5, 2.570_58),
            (9, 2.262_16),
            (24, 2.063_90),
            (49, 2.009_58),
        ];
        for (degrees, t) in table {
            assert!(
                (two_sided(t, degrees) - 0.05).abs() < 2e-6,
                "{degrees}: {}",
                two_sided(t, degrees)
            );
            assert_eq!(two_sided(-t, degrees), two_sided(t, degrees));
        }
        assert_eq!((two_sided(0.0, 7), two_sided(f64::INFINITY, 4)), (1.0, 0.0));
    }

    #[test]
    fn the_corrected_t_test_equals_a_hand_computation() {
        // d = 1, 2, 3: mean 2, variance 1; (1/3 + 1/2) → t = 2/√(5/6).
        let test = paired(&[2.0, 4.0, 6.0], &[1.0, 2.0, 3.0], 0.5).unwrap();
        assert!((test.t - 2.0 / (5.0_f64 / 6.0).sqrt()).abs() < 1e-12);
        assert_eq!(test.difference, 2.0);
        let same = paired(&[0.5, 0.5], &[0.5, 0.5], 0.25).unwrap();
        assert_eq!((same.t, same.p), (0.0, 1.0));
        let always = paired(&[0.3, 0.3], &[0.2, 0.2], 0.25).unwrap();
        assert_eq!((always.t, always.p), (f64::INFINITY, 0.0));
        assert_eq!(paired(&[1.0], &[2.0], 0.5), None);
    }

    #[test]
    fn holm_never_falls_and_never_exceeds_one() {
        let out = holm(&[0.04, 0.01, 0.5, 0.02]);
        let want = [0.08, 0.04, 0.5, 0.06];
        assert!(out.iter().zip(want).all(|(a, b)| (a - b).abs() < 1e-15), "{out:?}");
        assert!(holm(&[]).is_empty());
    }
}
