//! A ball that holds the coefficients of the optimum, and what follows for scores.
//!
//! By the identity of [`optimality`](super::optimality) the middle w̄ = (w + w(α))/2 is nearer to
//! w* than w and w(α) are on average:
//!
//! ```text
//!   ‖w̄ − w*‖ ≤ r,     r² = gap/λ₂ − ‖w − w(α)‖²/4
//! ```
//!
//! Without an intercept zᵢ* is within r‖xᵢ‖ of w̄·xᵢ. With one, let c be any point, uⱼ = w̄·(xⱼ −
//! c) and eⱼ = r‖xⱼ − c‖. The scores of w* about c are within eⱼ of uⱼ, and every optimal intercept
//! is in an interval [b⁻, b⁺], the minimizers of Σ sⱼℓ(yⱼ(uⱼ* + b)). The derivative of that sum
//! rises in b and in every uⱼ, so b⁻ and b⁺ fall when any uⱼ rises:
//!
//! ```text
//!   zᵢ* ∈ [uᵢ − eᵢ + b⁻(u + e), uᵢ + eᵢ + b⁺(u − e)]
//! ```
//!
//! No intercept of an iterate is used. The two ends are bracketed by the sign of the derivative,
//! with what its sum can be off by: where a subgradient at b is certainly below 0, all minimizers
//! are above b.
//!
//! Cost: one pass for u, unless w is so near w̄ that it may take its place, and two or three sums
//! over n numbers for each end.

use super::optimality::{MEAN, TINY, Upper, norm, outward, rounding, soft};
use crate::data::{Design, Plane};
use crate::math::kernels;
use crate::objective::Objective;

/// Holds the coefficients of the optimum, and the intercepts of every optimum.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ball {
    /// w̄, and at least ‖w̄‖.
    middle: Vec<f64>,
    size: f64,
    /// What a score can be off by, as a share of ‖w̄‖‖x − c‖.
    gamma: f64,
    /// r, with the rounding of w̄.
    radius: f64,
    /// At least ‖w − w*‖.
    pub(super) distance: f64,
    /// c, where it is not 0.
    center: Option<Vec<f64>>,
    /// The least and the largest intercept about c; 0 without one.
    intercepts: [f64; 2],
}

impl Ball {
    /// From w, a v that is right up to δ, and the gap; `None` where λ₂ = 0.
    pub(super) fn new(
        objective: &Objective<'_>,
        h: &Plane,
        v: &[f64],
        delta: f64,
        gap: f64,
    ) -> Option<Self> {
        const FEW: f64 = 1.0 + 8.0 * f64::EPSILON;
        let penalty = objective.penalty();
        let l2 = penalty.l2;
        if l2 == 0.0 {
            return None;
        }
        let dual: Vec<f64> = soft(penalty, v).iter().map(|v| v / l2).collect();
        let off = (delta / l2 + 2.0 * f64::EPSILON * norm(&dual)) * FEW;
        let apart: Vec<f64> = dual.iter().zip(&h.w).map(|(dual, w)| dual - w).collect();
        let apart_at_least = kernels::norm_sq(&apart).sqrt() * (1.0 - rounding(v.len())) - off;
        let apart_at_most = norm(&apart) + off;

        let square = gap / l2 * FEW - 0.25 * apart_at_least.max(0.0).powi(2) / FEW;
        let radius = square.max(0.0).sqrt() * FEW;
        let distance = (0.5 * apart_at_most + radius).min((2.0 * gap / l2).sqrt()) * FEW;
        let middle: Vec<f64> =
            dual.iter().zip(&h.w).map(|(dual, w)| 0.5 * dual + 0.5 * w).collect();
        let size = norm(&middle);
        let radius = (radius + 0.5 * off + 2.0 * f64::EPSILON * size) * FEW;
        let gamma = rounding(objective.x().longest());
        let ball =
            Self { middle, size, gamma, radius, distance, center: None, intercepts: [0.0; 2] };
        (distance.is_finite() && size.is_finite()).then_some(ball)
    }

    /// The same with its intercepts, and the interval of every row; `None` where intercepts have no
    /// bounds.
    pub(super) fn with_intercepts(
        mut self,
        objective: &Objective<'_>,
        h: &Plane,
        known: &Upper,
    ) -> Option<(Vec<[f32; 2]>, Self)> {
        let x = objective.x();
        if objective.intercept() {
            self.center = x.center();
        }
        let mut e = known.norms.clone();
        let u = if self.center.is_none() && self.is_at(h) {
            // The scores of h are known, but for its intercept.
            self.middle.clone_from(&h.w);
            let rows = known.m.iter().zip(objective.y());
            let room = |z: f64| 4.0 * self.gamma * (z.abs() + 4.0 * h.b.abs());
            let rows = rows.map(|(m, y)| (m * y - h.b, room(*m)));
            let (u, room): (Vec<f64>, Vec<f64>) = rows.unzip();
            e.iter_mut().zip(room).for_each(|(e, room)| *e = self.reach(*e) + room);
            u
        } else {
            let mut u = vec![0.0; x.n()];
            if let Some(c) = &self.center {
                x.centered_into(c, &self.middle, &mut u, &mut e);
                e.iter_mut().for_each(|e| *e = e.sqrt() * (1.0 + self.gamma) + TINY);
            } else {
                x.scores_into(&self.middle, 0.0, &mut u);
            }
            e.iter_mut().for_each(|e| *e = self.reach(*e));
            u
        };
        if objective.intercept() {
            let about = self.center.as_ref().map_or(0.0, |c| kernels::dot(c, &self.middle));
            self.intercepts = intercepts(objective, &u, &e, h.b + about)?;
        }
        let rows = u.iter().zip(&e).map(|(u, e)| outward(self.around(*u, *e))).collect();
        Some((rows, self))
    }

    /// Whether w is so near w̄ that it may take its place: the radius then grows by a few
    /// hundredths.
    fn is_at(&mut self, h: &Plane) -> bool {
        const NEAR: f64 = 0.05;
        let apart: Vec<f64> = self.middle.iter().zip(&h.w).map(|(middle, w)| middle - w).collect();
        let apart = norm(&apart) + 2.0 * f64::EPSILON * self.size;
        let near = apart <= NEAR * self.radius;
        if near {
            self.radius = (self.radius + apart) * (1.0 + 8.0 * f64::EPSILON);
            self.size += apart;
        }
        near
    }

    /// eᵢ, from at least ‖xᵢ − c‖, with what the score can be off by.
    fn reach(&self, norm: f64) -> f64 {
        (self.radius + self.gamma * self.size) * norm + TINY
    }

    /// The scores within e of u, with every intercept.
    fn around(&self, u: f64, e: f64) -> [f64; 2] {
        let [low, high] = self.intercepts;
        let room = |b: f64| 4.0 * f64::EPSILON * (u.abs() + e + b.abs());
        [u - e + low - room(low), u + e + high + room(high)]
    }

    /// The interval of any row.
    pub(crate) fn score(&self, x: &Design, i: usize) -> [f64; 2] {
        let (mut u, mut norm_sq) = (0.0, 0.0);
        let mut add = |x: f64, w: f64| {
            u += x * w;
            norm_sq += x * x;
        };
        match &self.center {
            Some(c) => {
                let row = x.row(i);
                row.iter().zip(c).zip(&self.middle).for_each(|((x, c), w)| add(x - c, *w));
            }
            None => x.each_nonzero(i, |j, x| add(x, self.middle[j])),
        }
        self.around(u, self.reach(norm_sq.sqrt() * (1.0 + self.gamma) + TINY))
    }
}

/// Below b⁻(u + e) and above b⁺(u − e), from a first guess.
fn intercepts(objective: &Objective<'_>, u: &[f64], e: &[f64], start: f64) -> Option<[f64; 2]> {
    /// How much of the mean eⱼ may be added by ending early.
    const NEAR: f64 = 0.05;
    let mean = e.iter().zip(objective.s()).map(|(e, s)| e * s).sum::<f64>() / objective.total();
    // u ± e + b is rounded; rows are moved further by as much, for any b up to this.
    let most = 64.0 * (1.0 + start.abs() + mean);
    let mut ends = [0.0; 2];
    for (end, side) in ends.iter_mut().zip([-1.0, 1.0]) {
        let row = |((u, e), y): ((&f64, &f64), &f64)| {
            let room = 8.0 * f64::EPSILON * (u.abs() + e + most);
            y * (u - side * (e + room))
        };
        let m: Vec<f64> = u.iter().zip(e).zip(objective.y()).map(row).collect();
        // Rows moved by e move the minimizers by about the mean of it.
        let first = start + side * (1.0 + NEAR) * mean;
        *end = beyond(objective, &m, side, first, NEAR * mean).filter(|b| b.abs() <= most)?;
    }
    Some(ends)
}

/// A b on that side of every minimizer of Σ sⱼ ℓ(mⱼ + yⱼ b), about as near as `near`: the
/// derivative there certainly has the sign of the side.
fn beyond(objective: &Objective<'_>, m: &[f64], side: f64, start: f64, near: f64) -> Option<f64> {
    const STEPS: usize = 100;
    let (least, most) = objective.loss().dual_range();
    let bounded = least > f64::NEG_INFINITY && most.is_finite();
    let near = near + 1e-14 * (1.0 + start.abs());
    let (mut b, mut stride) = (start, near);
    // The nearest b that is beyond, and the furthest that may not be.
    let (mut outer, mut inner) = (None, None);
    for _ in 0..STEPS {
        let [slope, curvature] = objective.bends(m, objective.y(), b);
        // |ℓ′| is at most 1 where α has a range, else at most 2√ℓ.
        let value = || objective.along(m, objective.y(), b)[0];
        let sizes = if bounded { 1.0 } else { 2.0 * value().sqrt() };
        let is_beyond = side * slope > 2.0 * MEAN * sizes;
        *(if is_beyond { &mut outer } else { &mut inner }) = Some(b);
        let close = outer.zip(inner).is_some_and(|(outer, inner)| side * (outer - inner) <= near);
        // Where there is curvature it tells how far off the minimizer is.
        if is_beyond && (close || side * slope <= near * curvature) {
            return Some(b);
        }
        if close {
            return outer;
        }
        let newton = Some(b - slope / curvature + side * 0.5 * near).filter(|b| b.is_finite());
        b = match (outer, inner) {
            (Some(outer), Some(inner)) => {
                let between = |b: &f64| side * (b - inner) > 0.0 && side * (outer - b) > 0.0;
                newton.filter(between).unwrap_or(0.5 * (outer + inner))
            }
            (None, Some(inner)) => {
                let far = inner + side * stride;
                newton.filter(|b| side * (b - far) > 0.0 && side * (b - inner) < 1e3).unwrap_or(far)
            }
            (Some(outer), None) => {
                let far = outer - side * stride;
                newton.filter(|b| side * (far - b) > 0.0 && side * (outer - b) < 1e3).unwrap_or(far)
            }
            (None, None) => return None,
        };
        stride *= 4.0;
    }
    outer
}
