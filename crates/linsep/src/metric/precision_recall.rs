//! Precision against recall: of the rows that a threshold finds, the share that is positive; of the positive rows, the
//! share that it finds.
//!
//! One point for every different score t, where "positive" means z ≥ t. Between points nothing is interpolated, and the mean
//! over the curve is the **average precision** Σ (Rₙ − Rₙ₋₁) Pₙ.

use super::levels::{levels, totals};

/// A threshold and what it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrPoint {
    /// Positive from this score on.
    pub threshold: f64,
    /// Share of the rows at or above it that are positive.
    pub precision: f64,
    /// Share of the positive rows that are at or above it.
    pub recall: f64,
}

/// The curve, the strictest threshold first; none without positive rows.
pub fn precision_recall(
    positive: &[bool],
    scores: &[f64],
    weights: &[f64],
) -> Option<Vec<PrPoint>> {
    let levels = levels(positive, scores, weights);
    let (ups, _) = totals(&levels);
    if ups == 0.0 {
        return None;
    }
    let (mut up, mut found) = (0.0, 0.0);
    let point = |level: &super::levels::Level| {
        up += level.up;
        found += level.up + level.down;
        PrPoint { threshold: level.score, precision: up / found, recall: up / ups }
    };
    Some(levels.iter().map(point).collect())
}

/// Σ (Rₙ − Rₙ₋₁) Pₙ; none without positive rows.
pub fn average_precision(positive: &[bool], scores: &[f64], weights: &[f64]) -> Option<f64> {
    let points = precision_recall(positive, scores, weights)?;
    let mut before = 0.0;
    let step = |point: &PrPoint| {
        let wide = point.recall - std::mem::replace(&mut before, point.recall);
        wide * point.precision
    };
    Some(points.iter().map(step).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_computed() {
        // From above: + − + +; the two of score 1 come together.
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
