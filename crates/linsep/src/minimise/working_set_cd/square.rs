//! The parabola of a Newton step, written out as a square of the weights that take part.
//!
//! With G = Σ cᵢ xᵢ xᵢᵀ over those weights, a change of one of them changes the slopes of all by a row of G: a step costs as
//! many numbers as weights take part, however many rows there are.

use super::Work;
use crate::data::Plane;
use crate::math::kernels;
use crate::penalty::Penalty;

/// The parabola written out in the weights that take part: slopes are kept instead of e.
pub(super) struct Square {
    /// Σ cᵢ xᵢⱼ xᵢₖ, and Σ cᵢ xᵢⱼ for the bias.
    gram: Vec<f64>,
    with_bias: Vec<f64>,
    total: f64,
    slopes: Vec<f64>,
    slope_b: f64,
}

impl Square {
    pub(super) fn new(work: &Work<'_, '_>, total: f64) -> Self {
        let dots = |e: &[f64]| work.part.iter().map(|&k| work.columns.dot(k as usize, e)).collect();
        Self {
            gram: work.columns.gram(&work.part, &work.c),
            with_bias: dots(&work.c),
            total,
            slopes: dots(&work.e),
            slope_b: work.e.iter().sum(),
        }
    }

    /// As [`Work::sweep`]; the active are places among those that take part.
    pub(super) fn sweep(
        &mut self,
        work: &mut Work<'_, '_>,
        h: &Plane,
        active: &mut Vec<u32>,
    ) -> f64 {
        let penalty = work.objective.penalty();
        let l1 = Penalty::l1(penalty.l1);
        let p = self.slopes.len();
        let mut worst: f64 = 0.0;
        active.retain(|&a| {
            let a = a as usize;
            let k = work.part[a] as usize;
            let curvature = work.curvature[k];
            let w = h.w[work.set[k] as usize] + work.change[k];
            let slope = self.slopes[a] + penalty.l2 * w;
            worst = worst.max(l1.distance(w, slope));
            let v = l1.prox(w - slope / curvature, 1.0 / curvature);
            let change = v - w;
            if change != 0.0 {
                work.change[k] += change;
                kernels::axpy(change, &self.gram[a * p..][..p], &mut self.slopes);
                self.slope_b += change * self.with_bias[a];
            }
            v != 0.0 || change != 0.0
        });
        if work.objective.intercept() && self.total > 0.0 {
            worst = worst.max(self.slope_b.abs());
            let change = -self.slope_b / self.total;
            work.change_b += change;
            kernels::axpy(change, &self.with_bias, &mut self.slopes);
            self.slope_b = 0.0;
        }
        worst
    }
}
