//! Area under the ROC curve: the share of pairs (a positive row, a negative row) with scores in the
//! right order; ties count half.
//!
//! ```text
//!   AUC = Σ_{i: +} Σ_{j: −} sᵢ sⱼ ([zᵢ > zⱼ] + ½[zᵢ = zⱼ]) / (Σ_{+} sᵢ · Σ_{−} sⱼ)
//! ```
//!
//! Computed by sorting, in O(n log n). Undefined without rows of both kinds.

use super::levels::{Ranking, levels, sure};
use super::{Metric, Of};

/// The metric; its interval is that of DeLong.
pub(super) const METRIC: Metric = Metric {
    name: "auc",
    title: "AUC",
    summary: Some(("AUC", None)),
    is_share: false,
    larger_is_better: true,
    has_interval: true,
    compared: Some(3),
    of: Of::Ranking,
};

/// Area under the ROC curve of scores; `None` without rows of both kinds.
pub fn auc(positive: &[bool], scores: &[f64], weights: &[f64]) -> Option<f64> {
    sure(ranked_auc(&levels(positive, scores, weights)))
}

/// Area under the ROC curve of ranked rows.
pub fn ranked_auc<R: Ranking>(ranking: &R) -> Result<Option<f64>, R::Error> {
    let (mut above, mut below, mut pairs) = (0.0, 0.0, 0.0);
    ranking.each(&mut |level| {
        pairs += level.down * (above + level.up / 2.0);
        above += level.up;
        below += level.down;
    })?;
    Ok((above > 0.0 && below > 0.0).then(|| pairs / (above * below)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rng::Rng;

    fn by_pairs(positive: &[bool], scores: &[f64], weights: &[f64]) -> f64 {
        let (mut right, mut all) = (0.0, 0.0);
        for i in (0..scores.len()).filter(|&i| positive[i]) {
            for j in (0..scores.len()).filter(|&j| !positive[j]) {
                let s = weights[i] * weights[j];
                all += s;
                right += s * if scores[i] > scores[j] { 1.0 } else { 0.0 };
                right += s * if scores[i] == scores[j] { 0.5 } else { 0.0 };
            }
        }
        right / all
    }

    #[test]
    fn the_auc_equals_the_share_of_ordered_pairs() {
        for seed in 0..50 {
            let mut rng = Rng::new(seed, 0);
            let n = 30;
            let positive: Vec<bool> =
                (0..n).map(|i| i == 0 || (i > 1 && rng.unit() < 0.4)).collect();
            let scores: Vec<f64> = (0..n).map(|_| rng.below(9) as f64 - 4.0).collect();
            let weights: Vec<f64> =
                (0..n).map(|i| if i < 2 { 1.0 } else { rng.below(3) as f64 }).collect();
            let got = auc(&positive, &scores, &weights).unwrap();
            assert!((got - by_pairs(&positive, &scores, &weights)).abs() < 1e-12);
        }
    }

    #[test]
    fn the_auc_of_ties_is_one_half_and_of_one_class_undefined() {
        assert_eq!(auc(&[false, true], &[1.0, 2.0], &[1.0; 2]), Some(1.0));
        assert_eq!(auc(&[false, true], &[0.0, -0.0], &[1.0; 2]), Some(0.5));
        assert_eq!(auc(&[true, true], &[1.0, 2.0], &[1.0; 2]), None);
        assert_eq!(auc(&[false, true], &[1.0, 2.0], &[0.0, 1.0]), None);
    }
}
