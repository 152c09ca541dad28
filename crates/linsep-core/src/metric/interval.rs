//! 95 % confidence intervals of metrics.
//!
//! **A share** p of n rows (accuracy, coverage, error rate): Wilson's interval, the p₀ that a score
//! test does not reject,
//!
//! ```text
//!   (p + q²/2n ± q √(p(1−p)/n + q²/4n²)) / (1 + q²/n),    q = 1.96,
//! ```
//!
//! which stays within 0 and 1 and is informative for p = 1, too.
//!
//! **AUC** A of m positive and n negative rows: DeLong's variance. With Vᵢ the share of negative
//! rows below positive row i (ties count half), and Wⱼ the share of positive rows above negative
//! row j,
//!
//! ```text
//!   var A = Σ (Vᵢ − A)²/(m(m−1)) + Σ (Wⱼ − A)²/(n(n−1)).
//! ```
//!
//! Sample weights count repetitions, as everywhere: a row of weight 2 counts twice, so n is the
//! total weight. With another meaning of the weights an interval is too narrow or too wide.
//!
//! Sources: Wilson, *Probable inference, the law of succession, and statistical inference*, JASA 22
//! (1927); DeLong, DeLong & Clarke-Pearson, *Comparing the areas under two or more correlated ROC
//! curves*, Biometrics 44 (1988).

use super::levels::{Level, Ranking, levels, sure, totals};

/// 97.5 % quantile of the normal distribution.
const Q: f64 = 1.959_963_984_540_054;

/// Wilson's interval for a share of rows of total weight n; `None` without weight.
pub fn share_interval(share: f64, n: f64) -> Option<(f64, f64)> {
    if !(n > 0.0 && (0.0..=1.0).contains(&share)) {
        return None;
    }
    let q2 = Q * Q;
    let center = share + q2 / (2.0 * n);
    let reach = Q * (share * (1.0 - share) / n + q2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + q2 / n;
    let (low, high) = ((center - reach) / scale, (center + reach) / scale);
    Some((low.clamp(0.0, share), high.clamp(share, 1.0)))
}

/// DeLong's interval for the area under the ROC curve, clamped to 0 and 1; `None` if one kind of
/// rows has total weight 1 or less.
pub fn auc_interval(positive: &[bool], scores: &[f64], weights: &[f64]) -> Option<(f64, f64)> {
    sure(ranked_auc_interval(&levels(positive, scores, weights)))
}

/// DeLong's interval of ranked rows, in three passes.
pub fn ranked_auc_interval<R: Ranking>(ranking: &R) -> Result<Option<(f64, f64)>, R::Error> {
    let (m, n) = totals(ranking)?;
    if m <= 1.0 || n <= 1.0 {
        return Ok(None);
    }
    let each = |take: &mut dyn FnMut(Level, f64, f64)| {
        // In decreasing order: the weight above is known, the weight below is the rest.
        let (mut up, mut down) = (0.0, 0.0);
        ranking.each(&mut |level| {
            let below = n - down - level.down;
            take(level, (below + level.down / 2.0) / n, (up + level.up / 2.0) / m);
            up += level.up;
            down += level.down;
        })
    };
    let mut sum = 0.0;
    each(&mut |level, v, _| sum += level.up * v)?;
    let auc = sum / m;
    let (mut of_up, mut of_down) = (0.0, 0.0);
    each(&mut |level, v, w| {
        of_up += level.up * (v - auc).powi(2);
        of_down += level.down * (w - auc).powi(2);
    })?;
    let reach = Q * (of_up / (m * (m - 1.0)) + of_down / (n * (n - 1.0))).sqrt();
    Ok(Some(((auc - reach).max(0.0), (auc + reach).min(1.0))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rng::Rng;

    #[test]
    fn the_ends_of_wilsons_interval_solve_its_equation() {
        // Both ends p₀ are q of their own standard errors away from p.
        for (share, n) in [(0.3, 20.0), (1.0, 10.0), (0.0, 7.0), (0.5, 1e6)] {
            let (low, high) = share_interval(share, n).unwrap();
            for end in [low, high] {
                let away = (share - end) * (share - end);
                let near = away - Q * Q * end * (1.0 - end) / n;
                assert!(near.abs() < 1e-12, "{share} {n} {end}");
            }
            assert!(low <= share && share <= high);
        }
        assert_eq!(share_interval(0.5, 0.0), None);
        assert_eq!(share_interval(f64::NAN, 3.0), None);
    }

    #[test]
    fn delongs_interval_equals_the_pairwise_formula_with_repeated_rows() {
        let mut rng = Rng::new(3, 0);
        let positive: Vec<bool> = (0..20).map(|i| i % 3 == 0).collect();
        let scores: Vec<f64> =
            (0..20).map(|i| rng.below(6) as f64 + if i % 3 == 0 { 2.0 } else { 0.0 }).collect();
        let weights: Vec<f64> = (0..20).map(|i| f64::from(i % 2 + 1)).collect();
        let rows: Vec<usize> =
            (0..20).flat_map(|i| std::iter::repeat_n(i, weights[i] as usize)).collect();
        let of = |kind: bool| {
            rows.iter().copied().filter(|&i| positive[i] == kind).collect::<Vec<usize>>()
        };
        let (ups, downs) = (of(true), of(false));
        let order = |i: usize, j: usize| {
            if scores[i] > scores[j] {
                1.0
            } else if scores[i] == scores[j] {
                0.5
            } else {
                0.0
            }
        };
        let (m, n) = (ups.len() as f64, downs.len() as f64);
        let v: Vec<f64> =
            ups.iter().map(|&i| downs.iter().map(|&j| order(i, j)).sum::<f64>() / n).collect();
        let w: Vec<f64> =
            downs.iter().map(|&j| ups.iter().map(|&i| order(i, j)).sum::<f64>() / m).collect();
        let auc = v.iter().sum::<f64>() / m;
        let spread = |all: &[f64], n: f64| {
            all.iter().map(|x| (x - auc).powi(2)).sum::<f64>() / (n * (n - 1.0))
        };
        let reach = Q * (spread(&v, m) + spread(&w, n)).sqrt();
        let (low, high) = auc_interval(&positive, &scores, &weights).unwrap();
        assert!((low - (auc - reach).max(0.0)).abs() < 1e-12, "{low}");
        assert!((high - (auc + reach).min(1.0)).abs() < 1e-12, "{high}");
        assert_eq!(auc_interval(&[true, false], &[0.0, 1.0], &[1.0; 2]), None);
    }
}
