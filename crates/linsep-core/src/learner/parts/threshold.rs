//! Threshold of a score with the fewest mistakes.

use crate::data::{Hyperplane, Problem};

/// Threshold with the least misclassified weight.
pub(crate) struct Threshold {
    /// Rows at or above it are predicted positive.
    pub(crate) at: f64,
    /// Total weight of the rows misclassified at this threshold.
    pub(crate) wrong: f64,
}

impl Threshold {
    /// Threshold with the fewest mistakes; among several, in the widest gap.
    pub(crate) fn of(problem: &Problem<'_>, hyperplane: &Hyperplane, positive: usize) -> Self {
        let scores = hyperplane.scores(problem.x());
        let rows = scores.iter().zip(problem.labels().codes()).zip(problem.weights());
        let mut rows: Vec<(f64, bool, f64)> = rows
            .filter(|(_, s)| **s > 0.0)
            .map(|((z, code), s)| (*z, *code as usize == positive, *s))
            .collect();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        let all: f64 = rows.iter().filter(|(_, is, _)| *is).map(|row| row.2).sum();
        let negative: f64 = rows.iter().filter(|(_, is, _)| !*is).map(|row| row.2).sum();
        // Below all rows every negative row is misclassified; above all, every positive row.
        let (first, last) = (rows[0].0, rows[rows.len() - 1].0);
        let mut best = Self { at: first, wrong: negative };
        let mut widest = 0.0;
        let mut wrong = negative;
        for (i, (z, is, s)) in rows.iter().enumerate() {
            wrong += if *is { *s } else { -*s };
            let next = rows.get(i + 1).map_or(f64::INFINITY, |next| next.0);
            if *z == next {
                continue;
            }
            // Beyond the last row there is no gap: one more range of the scores.
            let (gap, at) = if next.is_finite() {
                (next - z, z + (next - z) / 2.0)
            } else {
                (0.0, last + (last - first).max(f64::MIN_POSITIVE))
            };
            let slack = 1e-12 * (all + negative);
            if wrong < best.wrong - slack || wrong <= best.wrong + slack && gap > widest {
                best = Self { at, wrong: wrong.max(0.0) };
                widest = gap;
            }
        }
        let slack = 1e-12 * (all + negative);
        Self { wrong: if best.wrong <= slack { 0.0 } else { best.wrong }, ..best }
    }
}
