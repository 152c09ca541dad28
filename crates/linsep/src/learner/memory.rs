//! What learning takes in memory, estimated from the size of a problem before anything is allocated.
//!
//! Counted is what grows with rows, features and classes together: vectors and matrices of numbers of 8
//! bytes. The features themselves, which are there already, are not.

use crate::data::Problem;
use rayon::current_num_threads;

/// The size of a problem.
#[derive(Clone, Copy)]
pub(super) struct Size {
    n: u64,
    d: u64,
    k: u64,
}

impl Size {
    pub(super) fn of(problem: &Problem<'_>) -> Self {
        let (x, k) = (problem.x(), problem.labels().k());
        Self { n: x.n() as u64, d: x.d() as u64 + 1, k: k as u64 }
    }

    /// So many hyperplanes, kept twice: as they are learned, and in the model, in raw units.
    pub(super) fn planes(self, count: u64) -> u64 {
        self.d.saturating_mul(16).saturating_mul(count)
    }

    /// Runs of binary learners, as many side by side as there are threads: a few numbers per row and per feature.
    pub(super) fn runs(self, count: u64) -> u64 {
        let own = (self.n + self.d).saturating_mul(8 * 6);
        own.saturating_mul(count.min(current_num_threads() as u64))
    }

    /// All classes jointly: scores and probabilities of every row, gradient, step and candidates.
    pub(super) fn jointly(self) -> u64 {
        let (scores, planes) = (self.n.saturating_mul(3), self.d.saturating_mul(5));
        scores.saturating_add(planes).saturating_mul(8).saturating_mul(self.k)
    }

    /// The curvature of Newton's method and its factors, up to as many features as that is tried with.
    pub(super) fn newton(self) -> u64 {
        if self.d <= 5_001 { self.squares(2) } else { 0 }
    }

    /// So many square matrices, a number for each pair of features.
    pub(super) fn squares(self, count: u64) -> u64 {
        self.d.saturating_mul(self.d).saturating_mul(8).saturating_mul(count)
    }

    /// Square matrices on the smaller side, moments and hyperplanes: what the closed forms take.
    pub(super) fn closed_form(self) -> u64 {
        /// Where both sides are longer, conjugate gradients or nothing takes the place of a matrix.
        const LONGEST: u64 = 5_001;
        let side = Self { d: self.d.min(self.n + 1), ..self };
        let work = if side.d <= LONGEST { side.squares(3) } else { self.jointly() };
        work.saturating_add(self.planes(2 * self.k))
    }
}
