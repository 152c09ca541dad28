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
    /// How far row i is from being decided otherwise, by its scores tᵢ − rᵢ: below 0 where its own class does not win, alone. One plane
    /// decides by its sign. And how far from another decision, whichever it is.
    fn lead(&self, i: usize) -> (f64, f64) {
        let (k, code) = (self.targets.len(), self.problem.labels().codes()[i] as usize);
        let score = |c: usize| self.targets[c][code] - self.r[i * k + c];
        if k == 1 {
            let z = score(0);
            return (z * self.targets[0][code].signum(), z.abs());
        }
        let (mut first, mut second, mut others) =
            (f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY);
        for c in 0..k {
            let z = score(c);
            (first, second) = if z > first { (z, first) } else { (first, second.max(z)) };
            if c != code {
                others = others.max(z);
            }
        }
        // Two scores move apart by √2 times the length of what moves them, at most.
        (score(code) - others, (first - second) / std::f64::consts::SQRT_2)
    }

    /// Weighted share of the rows that the exact optimum decides alike, for certain.
    pub(super) fn proved(&self, gap: f64) -> f64 {
        let total = self.problem.weights().iter().sum::<f64>();
        let rows = self.problem.weights().iter().enumerate().filter(|(_, s)| **s > 0.0);
        let settled = rows.filter(|(i, s)| self.lead(*i).1 > (gap * total / **s).sqrt());
        settled.map(|(_, s)| s).sum::<f64>() / total
    }

    /// Weight of the rows whose own class does not win, alone.
    pub(super) fn mistakes(&self) -> f64 {
        let rows = self.problem.weights().iter().enumerate();
        rows.filter(|(i, _)| self.lead(*i).0 <= 0.0).map(|(_, s)| s).sum()
    }
}
