//! Coordinate step of one coefficient: the best change, all others fixed.

use crate::data::row_sweep::{RowAction, RowUpdate};
use crate::penalty::Penalty;

/// Coefficients of the working set during a sweep. The hot loop is the sweep that calls
/// [`RowUpdate::decide`].
#[derive(Clone)]
pub(super) struct Weights<'a> {
    pub(super) w: &'a [f64],
    pub(super) set: &'a [u32],
    pub(super) curvature: &'a [f64],
    pub(super) given: &'a [f64],
    pub(super) l1: Penalty,
    pub(super) l2: f64,
    pub(super) change: Vec<f64>,
    /// Coefficients that stay active: nonzero, or just changed.
    pub(super) stays: Vec<bool>,
    /// Largest violation of the optimality condition, as a slope.
    pub(super) worst: f64,
}

impl RowUpdate for Weights<'_> {
    /// z is the slope of the quadratic in the k-th coefficient, without λ₂.
    #[inline]
    fn decide(&mut self, k: usize, z: f64) -> RowAction {
        let curvature = self.curvature[k];
        let w = self.w[self.set[k] as usize] + self.change[k];
        let slope = z + self.l2 * w + self.given[k] * self.change[k];
        self.worst = self.worst.max(self.l1.distance(w, slope));
        // Quadratic in this coefficient alone: curvature/2 (v − w)² + slope (v − w) + λ₁|v|.
        let v = self.l1.prox(w - slope / curvature, 1.0 / curvature);
        let change = v - w;
        self.stays[k] = v != 0.0 || change != 0.0;
        if change == 0.0 {
            return RowAction::Keep;
        }
        self.change[k] += change;
        RowAction::Add(change)
    }
}
