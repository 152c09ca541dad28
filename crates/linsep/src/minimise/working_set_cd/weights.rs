//! One weight at a time: the best move, all others fixed.

use crate::data::row_sweep::{Decide, Verdict};
use crate::penalty::Penalty;

/// The weights of the set, as their columns are visited: the hot loop is the walk that asks it.
#[derive(Clone)]
pub(super) struct Weights<'a> {
    pub(super) w: &'a [f64],
    pub(super) set: &'a [u32],
    pub(super) curvature: &'a [f64],
    pub(super) given: &'a [f64],
    pub(super) l1: Penalty,
    pub(super) l2: f64,
    pub(super) change: Vec<f64>,
    /// Those that are not zero and content.
    pub(super) stays: Vec<bool>,
    /// How much the keenest wanted to change.
    pub(super) worst: f64,
}

impl Decide for Weights<'_> {
    /// z is the slope of the parabola in the k-th weight, but for λ₂.
    #[inline]
    fn decide(&mut self, k: usize, z: f64) -> Verdict {
        let curvature = self.curvature[k];
        let w = self.w[self.set[k] as usize] + self.change[k];
        let slope = z + self.l2 * w + self.given[k] * self.change[k];
        self.worst = self.worst.max(self.l1.distance(w, slope));
        // The parabola in this weight alone: curvature/2 (v − w)² + slope (v − w) + λ₁|v|.
        let v = self.l1.prox(w - slope / curvature, 1.0 / curvature);
        let change = v - w;
        self.stays[k] = v != 0.0 || change != 0.0;
        if change == 0.0 {
            return Verdict::Keep;
        }
        self.change[k] += change;
        Verdict::Add(change)
    }
}
