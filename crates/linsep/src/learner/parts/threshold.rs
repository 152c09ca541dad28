//! Where to cut scores in two.

use crate::data::{Plane, Problem};

/// The best place to cut scores in two.
pub(crate) struct Threshold {
    /// Rows at or above it are called positive.
    pub(crate) at: f64,
    /// Weight of the rows that are wrong then.
    pub(crate) wrong: f64,
}

impl Threshold {
    /// The cut with the fewest mistakes; of several the one in the widest gap.
    pub(crate) fn of(problem: &Problem<'_>, plane: &Plane, positive: usize) -> Self {
        let scores = plane.scores(problem.x());
        let rows = scores.iter().zip(problem.labels().codes()).zip(problem.weights());
        let mut rows: Vec<(f64, bool, f64)> = rows
            .filter(|(_, s)| **s > 0.0)
            .map(|((z, code), s)| (*z, *code as usize == positive, *s))
            .collect();
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        let all: f64 = rows.iter().filter(|(_, is, _)| *is).map(|row| row.2).sum();
        let negative: f64 = rows.iter().filter(|(_, is, _)| !*is).map(|row| row.2).sum();
        // Below all rows every negative one is wrong; at the top every positive one.
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
            // Past the last row there is no gap to be in the middle of: one more deviation of all scores.
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
