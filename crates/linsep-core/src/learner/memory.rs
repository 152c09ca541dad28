//! Memory of training, estimated from the size of a problem before any allocation.
//!
//! The estimate counts vectors and matrices of 8-byte numbers that grow with rows, features and
//! classes. It excludes the features themselves, which are already in memory.

use crate::data::Problem;
use rayon::current_num_threads;

/// Size of a problem: rows, features plus intercept, classes.
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

    /// Memory of `count` hyperplanes, stored twice: in training units and, in the model, in raw
    /// units.
    pub(super) fn hyperplanes(self, count: u64) -> u64 {
        self.d.saturating_mul(16).saturating_mul(count)
    }

    /// Memory of runs of binary learners, one per thread at a time: six numbers per row and per
    /// feature.
    pub(super) fn runs(self, count: u64) -> u64 {
        let own = (self.n + self.d).saturating_mul(8 * 6);
        own.saturating_mul(count.min(current_num_threads() as u64))
    }

    /// Memory of joint training: scores and probabilities of every row, gradient, step and
    /// candidates.
    pub(super) fn jointly(self) -> u64 {
        let (scores, hyperplanes) = (self.n.saturating_mul(3), self.d.saturating_mul(5));
        scores.saturating_add(hyperplanes).saturating_mul(8).saturating_mul(self.k)
    }

    /// Memory of Newton's method: the Hessian and its factors, up to its limit on the features.
    pub(super) fn newton(self) -> u64 {
        if self.d <= 5_001 { self.squares(2) } else { 0 }
    }

    /// Memory of `count` square matrices, a number for each pair of features.
    pub(super) fn squares(self, count: u64) -> u64 {
        self.d.saturating_mul(self.d).saturating_mul(8).saturating_mul(count)
    }

    /// Memory of the closed forms: square matrices of the smaller dimension, moments and
    /// hyperplanes.
    pub(super) fn closed_form(self) -> u64 {
        /// Largest matrix. Beyond it, least squares uses conjugate gradients without a matrix, and
        /// the other closed forms are rejected.
        const LONGEST: u64 = 5_001;
        let side = Self { d: self.d.min(self.n + 1), ..self };
        let work = if side.d <= LONGEST { side.squares(3) } else { self.jointly() };
        work.saturating_add(self.hyperplanes(2 * self.k))
    }
}
