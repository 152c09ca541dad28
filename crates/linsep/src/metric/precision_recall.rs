//! Precision against recall: of the rows that a threshold finds, the share that is positive; of the positive rows, the
//! share that it finds.
//!
//! One point for every different score t, where "positive" means z ≥ t. Between points nothing is interpolated, and the mean
//! over the curve is the **average precision** Σ (Rₙ − Rₙ₋₁) Pₙ.

use super::levels::{Ranking, levels, sure, totals};

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
    let mut points = Vec::new();
    let ranking = levels(positive, scores, weights);
    sure(ranked_precision_recall(&ranking[..], &mut |point| points.push(point))).then_some(points)
}

/// The same of rows that are ranked already, point by point; `false`, and no point, without positive rows.
pub fn ranked_precision_recall<R: Ranking + ?Sized>(
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

/// Σ (Rₙ − Rₙ₋₁) Pₙ; none without positive rows.
pub fn average_precision(positive: &[bool], scores: &[f64], weights: &[f64]) -> Option<f64> {
    sure(ranked_average_precision(&levels(positive, scores, weights)[..]))
}

/// The same of rows that are ranked already.
pub fn ranked_average_precision<R: Ranking + ?Sized>(ranking: &R) -> Result<Option<f64>, R::Error> {
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
