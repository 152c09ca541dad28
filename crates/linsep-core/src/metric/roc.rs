//! ROC curve: true positive rate against false positive rate, over all thresholds.
//!
//! One point for every distinct score t, with the prediction positive for z ≥ t, from (0, 0) to (1,
//! 1). Rows of equal score pass the threshold together, so ties give diagonal segments. The area
//! below the curve is [`auc`](super::auc()).

use super::levels::{Ranking, levels, sure, totals};
use crate::float;
use serde::{Deserialize, Serialize};

/// Point of the curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RocPoint {
    /// Threshold: scores from this value on are predicted positive; `None` at (0, 0), where no row
    /// is.
    #[serde(with = "float")]
    pub threshold: Option<f64>,
    /// False positive rate: share of the negative rows at or above the threshold.
    pub false_positive: f64,
    /// True positive rate: share of the positive rows at or above the threshold.
    pub true_positive: f64,
}

/// Curve in decreasing order of the threshold; `None` without rows of both kinds.
pub fn roc(positive: &[bool], scores: &[f64], weights: &[f64]) -> Option<Vec<RocPoint>> {
    let mut points = Vec::new();
    let ranking = levels(positive, scores, weights);
    sure(ranked_roc(&ranking, &mut |point| points.push(point))).then_some(points)
}

/// Curve of ranked rows, point by point; `false`, and no point, without rows of both kinds.
pub fn ranked_roc<R: Ranking>(
    ranking: &R,
    take: &mut dyn FnMut(RocPoint),
) -> Result<bool, R::Error> {
    let (ups, downs) = totals(ranking)?;
    if ups == 0.0 || downs == 0.0 {
        return Ok(false);
    }
    take(RocPoint { threshold: None, false_positive: 0.0, true_positive: 0.0 });
    let (mut up, mut down) = (0.0, 0.0);
    ranking.each(&mut |level| {
        up += level.up;
        down += level.down;
        take(RocPoint {
            threshold: Some(level.score),
            false_positive: down / downs,
            true_positive: up / ups,
        });
    })?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rng::Rng;
    use crate::metric::auc;

    #[test]
    fn the_area_below_is_the_auc() {
        for seed in 0..40 {
            let mut rng = Rng::new(seed, 1);
            let positive: Vec<bool> =
                (0..25).map(|i| i == 0 || i > 1 && rng.unit() < 0.5).collect();
            let scores: Vec<f64> = (0..25).map(|_| rng.below(7) as f64).collect();
            let weights: Vec<f64> =
                (0..25).map(|i| if i < 2 { 1.0 } else { rng.below(3) as f64 }).collect();
            let points = roc(&positive, &scores, &weights).unwrap();
            let last = points[points.len() - 1];
            assert_eq!((last.false_positive, last.true_positive), (1.0, 1.0));
            let area: f64 = points
                .windows(2)
                .map(|w| {
                    let wide = w[1].false_positive - w[0].false_positive;
                    wide * f64::midpoint(w[0].true_positive, w[1].true_positive)
                })
                .sum();
            assert!((area - auc(&positive, &scores, &weights).unwrap()).abs() < 1e-12);
        }
    }

    #[test]
    fn rows_of_one_class_have_no_roc_curve() {
        assert_eq!(roc(&[true, true], &[0.0, 1.0], &[1.0; 2]), None);
        assert_eq!(roc(&[true, false], &[0.0, 1.0], &[1.0, 0.0]), None);
    }
}
