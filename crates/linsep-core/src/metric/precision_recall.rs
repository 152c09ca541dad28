//! Precision–recall curve. Precision is the share of positive rows among those at or above a
//! threshold, recall the share of the positive rows that are there.
//!
//! One point for every distinct score t, with the prediction positive for z ≥ t. Without
//! interpolation between points, the mean over the curve is the **average precision** Σ (Rₙ − Rₙ₋₁)
//! Pₙ.

use super::levels::{Ranking, levels, sure, totals};
use crate::float;
use serde::{Deserialize, Serialize};

/// Point of the curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrPoint {
    /// Threshold: scores from this value on are predicted positive.
    #[serde(with = "float")]
    pub threshold: f64,
    /// Share of positive rows among the rows at or above the threshold.
    pub precision: f64,
    /// Share of the positive rows at or above the threshold.
    pub recall: f64,
}

/// Curve in decreasing order of the threshold; `None` without positive rows.
pub fn precision_recall(
    positive: &[bool],
    scores: &[f64],
    weights: &[f64],
) -> Option<Vec<PrPoint>> {
    let mut points = Vec::new();
    let ranking = levels(positive, scores, weights);
    sure(ranked_precision_recall(&ranking, &mut |point| points.push(point))).then_some(points)
}

/// Curve of ranked rows, point by point; `false`, and no point, without positive rows.
pub fn ranked_precision_recall<R: Ranking>(
    ranking: &R,
    take: &mut dyn FnMut(PrPoint),
) -> Result<bool, R::Error> {
    let (ups, _) = totals(ranking)?;
    if ups == 0.0 {
        return Ok(false);
    }
    let (mut up, mut found) = (0.0, 0.0);
    ranking.each(&mut |level| {
        up += level.up;
        found += level.up + level.down;
        take(PrPoint { threshold: level.score, precision: up / found, recall: up / ups });
    })?;
    Ok(true)
}

/// Average precision Σ (Rₙ − Rₙ₋₁) Pₙ; `None` without positive rows.
pub fn average_precision(positive: &[bool], scores: &[f64], weights: &[f64]) -> Option<f64> {
    sure(ranked_average_precision(&levels(positive, scores, weights)))
}

/// Average precision of ranked rows.
pub fn ranked_average_precision<R: Ranking>(ranking: &R) -> Result<Option<f64>, R::Error> {
    let (mut sum, mut before) = (0.0, 0.0);
    let there = ranked_precision_recall(ranking, &mut |point| {
        sum += (point.recall - before) * point.precision;
        before = point.recall;
    })?;
    Ok(there.then_some(sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precision_and_recall_equal_a_hand_computation() {
        // In decreasing order: + − + +; the two of score 1 form one level.
        let positive = [true, false, true, true];
        let (scores, weights) = ([3.0, 2.0, 1.0, 1.0], [1.0; 4]);
        let points = precision_recall(&positive, &scores, &weights).unwrap();
        let got: Vec<(f64, f64)> = points.iter().map(|p| (p.precision, p.recall)).collect();
        assert_eq!(got, [(1.0, 1.0 / 3.0), (0.5, 1.0 / 3.0), (0.75, 1.0)]);
        let average = average_precision(&positive, &scores, &weights).unwrap();
        assert!((average - (1.0 / 3.0 + 0.75 * 2.0 / 3.0)).abs() < 1e-15);
        assert_eq!(average_precision(&[false], &[1.0], &[1.0]), None);
    }
}
