//! Margins and errors of the training rows, from the residuals of a least-squares fit.

use crate::data::Problem;

/// Class targets and residuals.
pub(super) struct Fitted<'a> {
    pub(super) problem: &'a Problem<'a>,
    /// For every hyperplane, a number per class.
    pub(super) targets: &'a [Vec<f64>],
    /// Residuals tᵢ − zᵢ, row after row, one per hyperplane.
    pub(super) r: &'a [f64],
}

impl Fitted<'_> {
    /// Margin of row i, from its scores tᵢ − rᵢ: of the true class over the best other class. A
    /// single hyperplane classifies by its sign.
    fn margin(&self, i: usize) -> f64 {
        let (k, code) = (self.targets.len(), self.problem.labels().codes()[i] as usize);
        let score = |c: usize| self.targets[c][code] - self.r[i * k + c];
        if k == 1 {
            return score(0) * self.targets[0][code].signum();
        }
        let others = (0..k).filter(|&c| c != code).map(score);
        score(code) - others.fold(f64::NEG_INFINITY, f64::max)
    }

    /// Total weight of the misclassified rows; a tie counts as one.
    pub(super) fn mistakes(&self) -> f64 {
        let rows = self.problem.weights().iter().enumerate();
        rows.filter(|(i, _)| self.margin(*i) <= 0.0).map(|(_, s)| s).sum()
    }
}
