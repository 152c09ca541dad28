//! What scores that were fitted to targets say of the rows they were fitted on.

use crate::data::Problem;

/// Targets of classes and what is left of them.
pub(super) struct Fitted<'a> {
    pub(super) problem: &'a Problem<'a>,
    /// Of every plane a number per class.
    pub(super) targets: &'a [Vec<f64>],
    /// Of every row, one after the other, target less score for every plane.
    pub(super) r: &'a [f64],
}

impl Fitted<'_> {
    /// The margin of row i, by its scores tᵢ − rᵢ: of its own class over the best other one. One plane decides by its sign.
    fn margin(&self, i: usize) -> f64 {
        let (k, code) = (self.targets.len(), self.problem.labels().codes()[i] as usize);
        let score = |c: usize| self.targets[c][code] - self.r[i * k + c];
        if k == 1 {
            return score(0) * self.targets[0][code].signum();
        }
        let others = (0..k).filter(|&c| c != code).map(score);
        score(code) - others.fold(f64::NEG_INFINITY, f64::max)
    }

    /// Weight of the rows whose own class does not win, alone.
    pub(super) fn mistakes(&self) -> f64 {
        let rows = self.problem.weights().iter().enumerate();
        rows.filter(|(i, _)| self.margin(*i) <= 0.0).map(|(_, s)| s).sum()
    }
}
