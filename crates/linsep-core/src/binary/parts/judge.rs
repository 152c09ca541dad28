//! Misclassified weight of a hyperplane, and the best coefficients so far.

use super::Tie;
use crate::binary::{BinaryFit, Coefficients};
use crate::control::StopReason;
use crate::data::{BinaryProblem, Hyperplane, Rows, on_rows};
use crate::math::parallel::map_blocks;
use std::ops::Range;

/// Total weight of the rows that h misclassifies.
pub(in crate::binary) fn count_mistakes(
    problem: &BinaryProblem<'_>,
    tie: Tie,
    h: &Hyperplane,
) -> f64 {
    if h.b == 0.0 && h.w.iter().all(|&w| w == 0.0) {
        return sweep(problem, tie, |_| 0.0); // zero, where most runs start, needs no pass
    }
    on_rows!(problem.x(), x => sweep(problem, tie, |i| {
        x.fetch_ahead(i);
        h.score(x, i)
    }))
}

fn sweep(problem: &BinaryProblem<'_>, tie: Tie, z: impl Fn(usize) -> f64 + Sync) -> f64 {
    const BLOCK: usize = 1 << 9;
    let (y, s) = (problem.y(), problem.s());
    let wrong = |rows: Range<usize>| -> f64 {
        rows.filter(|&i| !tie.right(y[i], z(i))).map(|i| s[i]).sum()
    };
    map_blocks(y.len(), BLOCK, wrong).into_iter().sum()
}

/// Coefficients of least misclassified weight among those offered, the first among equals.
/// Coefficients that are not finite are rejected, so the result of a fit is always finite.
pub(crate) struct Best<H> {
    pub(crate) hyperplane: H,
    pub(crate) mistakes: f64,
}

impl<H: Coefficients> Best<H> {
    pub(in crate::binary) fn new(hyperplane: H, mistakes: f64) -> Self {
        Self { hyperplane, mistakes }
    }

    fn is_beaten_by(&self, hyperplane: &H, mistakes: f64) -> bool {
        mistakes < self.mistakes && hyperplane.is_finite()
    }

    /// Like [`offer`](Self::offer), for coefficients that the caller no longer needs.
    pub(in crate::binary) fn give(&mut self, hyperplane: H, mistakes: f64) {
        if self.is_beaten_by(&hyperplane, mistakes) {
            *self = Self { hyperplane, mistakes };
        }
    }

    /// Returns whether the coefficients were accepted.
    pub(in crate::binary) fn offer(&mut self, hyperplane: &H, mistakes: f64) -> bool {
        let better = self.is_beaten_by(hyperplane, mistakes);
        if better {
            self.hyperplane.clone_from(hyperplane);
            self.mistakes = mistakes;
        }
        better
    }
}

impl Best<Hyperplane> {
    pub(in crate::binary) fn end(self, stop: StopReason, epochs: u64, updates: u64) -> BinaryFit {
        BinaryFit {
            hyperplane: self.hyperplane,
            stop,
            epochs,
            updates,
            mistakes: self.mistakes,
            certificate: None,
            enclosure: None,
            solver: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_the_first_finite_hyperplane_with_the_fewest_mistakes() {
        let hyperplane = |b| Hyperplane { w: vec![], b };
        let mut best = Best::new(hyperplane(0.0), 2.0);
        best.offer(&hyperplane(1.0), 2.0);
        best.offer(&hyperplane(f64::INFINITY), 0.0);
        best.offer(&hyperplane(2.0), 1.0);
        best.offer(&hyperplane(3.0), 1.0);
        let solution = best.end(StopReason::IterationLimit, 5, 7);
        assert_eq!((solution.hyperplane.b, solution.mistakes), (2.0, 1.0));
    }
}
