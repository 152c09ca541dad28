//! Coordinate step of one α: the best change, all others fixed.

use super::Run;
use crate::data::row_sweep::{RUN, RowAction, RowUpdate};
use crate::loss::Loss;
use std::sync::Arc;

/// Constants of a row: qᵢ, and sᵢyᵢ/(λS), the factor from a change of αᵢ to a change of w.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) q: f64,
    pub(super) step: f64,
}

/// Statistics of an epoch.
#[derive(Clone, Default)]
pub(super) struct Seen {
    /// Sum of weighted excesses during the epoch; divided by S an estimate of the gap.
    pub(super) gap: f64,
    /// Largest change of a margin by one row.
    pub(super) worst: f64,
    /// Losses of one row in sixteen and their sample weight, for an estimate of F.
    pub(super) value: f64,
    pub(super) sampled: f64,
    /// Rows visited.
    visits: usize,
    /// Number of rows added to w, and Σ|c| of their factors.
    pub(super) steps: f64,
    pub(super) path: f64,
}

/// α during an epoch. The hot loop is the sweep that calls [`RowUpdate::decide`].
#[derive(Clone)]
pub(super) struct Coordinates<'a> {
    loss: &'a dyn Loss,
    y: &'a [f64],
    s: &'a [f64],
    rows: Arc<[Row]>,
    pub(super) alpha: Vec<f64>,
    pub(super) b: f64,
    spring: f64,
    /// Range of α, and the margins beyond which a row at a bound of its range is shrunk.
    least: f64,
    most: f64,
    low: f64,
    high: f64,
    /// Rows removed by shrinking.
    pub(super) left: Vec<bool>,
    pub(super) seen: Seen,
}

impl<'a> Coordinates<'a> {
    /// Takes α from a run.
    pub(super) fn new(run: &mut Run<'a, '_>) -> Self {
        let loss = run.objective.loss();
        let (least, most) = loss.dual_range();
        let (low, high) = loss.flat();
        Self {
            loss,
            y: run.objective.y(),
            s: run.objective.s(),
            rows: Arc::clone(&run.rows),
            left: vec![false; run.alpha.len()],
            alpha: std::mem::take(&mut run.alpha),
            b: run.h.b,
            spring: run.spring,
            least,
            most,
            low: low - run.beyond,
            high: high + run.beyond,
            seen: Seen::default(),
        }
    }
}

impl RowUpdate for Coordinates<'_> {
    #[inline]
    fn decide(&mut self, i: usize, z: f64) -> RowAction {
        let m = self.y[i] * (z + self.b);
        let alpha = self.alpha[i];
        if (alpha == self.least && m > self.high) || (alpha == self.most && m < self.low) {
            self.left[i] = true;
            return RowAction::Keep;
        }
        let seen = &mut self.seen;
        if seen.visits.is_multiple_of(RUN) {
            seen.value += self.s[i] * self.loss.value(m);
            seen.sampled += self.s[i];
        }
        seen.visits += 1;
        let Row { q, step } = self.rows[i];
        let (excess, a) = self.loss.visit(alpha, m, q);
        seen.gap += self.s[i] * excess;
        let change = a - alpha;
        if change == 0.0 {
            return RowAction::Keep;
        }
        seen.worst = seen.worst.max((change * q).abs());
        self.alpha[i] = a;
        let factor = change * step;
        self.b += factor * self.spring;
        seen.steps += 1.0;
        seen.path += factor.abs();
        RowAction::Add(factor)
    }
}
