//! A ball that contains the coefficients of the optimum, and the resulting score intervals.
//!
//! By the identity of [`optimality`](super::optimality) the midpoint w̄ = (w + w(α))/2 has
//!
//! ```text
//!   ‖w̄ − w*‖ ≤ r,     r² = gap/λ₂ − ‖w − w(α)‖²/4
//! ```
//!
//! Without an intercept zᵢ* is within r‖xᵢ‖ of w̄·xᵢ. With one, let c be any point, uⱼ = w̄·(xⱼ −
//! c) and eⱼ = r‖xⱼ − c‖. The scores of w* relative to c are within eⱼ of uⱼ. Every optimal
//! intercept lies in an interval [b⁻, b⁺], the minimizers of Σ sⱼℓ(yⱼ(uⱼ* + b)). The derivative of
//! that sum increases in b and in every uⱼ, so b⁻ and b⁺ decrease when any uⱼ increases:
//!
//! ```text
//!   zᵢ* ∈ [uᵢ − eᵢ + b⁻(u + e), uᵢ + eᵢ + b⁺(u − e)]
//! ```
//!
//! The bounds use no intercept of an iterate. Each end is bracketed by the sign of the derivative,
//! including the error of its sum. If the subgradient at b plus its error is below 0, all
//! minimizers are above b.
//!
//! Cost: one pass for u and ‖xⱼ − c‖, and two or three sums over n entries for each end.

use super::optimality::{MEAN, TINY, norm, outward, rounding, soft};
use crate::data::{Design, Hyperplane};
use crate::math::kernels;
use crate::math::parallel::fill_blocks;
use crate::objective::{BLOCK, Objective};

/// The midpoint w̄ of w and w(α), which does not depend on the gap.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Midpoint {
    w: Vec<f64>,
    /// An upper bound on ‖w̄‖.
    size: f64,
    /// Lower and upper bound on ‖w − w(α)‖.
    apart: [f64; 2],
    /// An upper bound on ‖w(α)‖.
    dual: f64,
    /// Relative error of a score, as a share of ‖w̄‖‖x − c‖.
    gamma: f64,
    /// c; `None` is 0.
    center: Option<Vec<f64>>,
}

impl Midpoint {
    /// Builds the midpoint from w and v, for λ₂ > 0.
    pub(super) fn between(objective: &Objective<'_>, h: &Hyperplane, v: &[f64]) -> Self {
        let (x, penalty) = (objective.x(), objective.penalty());
        let dual: Vec<f64> = soft(penalty, v).iter().map(|v| v / penalty.l2).collect();
        let apart: Vec<f64> = dual.iter().zip(&h.w).map(|(dual, w)| dual - w).collect();
        let apart_at_least = kernels::norm_sq(&apart).sqrt() * (1.0 - rounding(v.len()));
        let middle: Vec<f64> =
            dual.iter().zip(&h.w).map(|(dual, w)| 0.5 * dual + 0.5 * w).collect();
        Self {
            size: norm(&middle),
            apart: [apart_at_least, norm(&apart)],
            dual: norm(&dual),
            gamma: rounding(x.longest()),
            center: if objective.intercept() { x.center() } else { None },
            w: middle,
        }
    }

    /// Returns w̄·(xᵢ − c) and an upper bound on ‖xᵢ − c‖ for every row.
    pub(super) fn rows(&self, x: &Design) -> (Vec<f64>, Vec<f64>) {
        let (mut u, mut distances) = (vec![0.0; x.n()], vec![0.0; x.n()]);
        x.centered_into(self.center.as_deref(), &self.w, &mut u, &mut distances);
        let at_least = |square: &mut f64| *square = square.sqrt() * (1.0 + self.gamma) + TINY;
        fill_blocks(&mut distances, BLOCK, |_, squares| squares.iter_mut().for_each(at_least));
        (u, distances)
    }

    /// Returns an upper bound on ‖c‖.
    pub(super) fn center_norm(&self) -> f64 {
        self.center.as_ref().map_or(0.0, |c| norm(c))
    }
}

/// Ball around the coefficients of the optimum, with an interval of all optimal intercepts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ball {
    middle: Midpoint,
    /// r, including the rounding of w̄.
    radius: f64,
    /// An upper bound on ‖w − w*‖.
    pub(super) distance: f64,
    /// Lower and upper bound on the intercept relative to c; 0 without an intercept.
    intercepts: [f64; 2],
}

impl Ball {
    /// Builds the ball from a midpoint whose v has error at most δ, and the gap.
    pub(super) fn about(middle: Midpoint, l2: f64, delta: f64, gap: f64) -> Option<Self> {
        const FEW: f64 = 1.0 + 8.0 * f64::EPSILON;
        let off = (delta / l2 + 2.0 * f64::EPSILON * middle.dual) * FEW;
        let apart_at_least = (middle.apart[0] - off).max(0.0);
        let apart_at_most = middle.apart[1] + off;
        let square = gap / l2 * FEW - 0.25 * apart_at_least.powi(2) / FEW;
        let radius = square.max(0.0).sqrt() * FEW;
        let distance = (0.5 * apart_at_most + radius).min((2.0 * gap / l2).sqrt()) * FEW;
        let radius = (radius + 0.5 * off + 2.0 * f64::EPSILON * middle.size) * FEW;
        let finite = distance.is_finite() && middle.size.is_finite();
        finite.then_some(Self { middle, radius, distance, intercepts: [0.0; 2] })
    }

    /// Adds the intercept bounds and returns the score interval of every row, from its midpoint
    /// score and distance; `None` if the intercept is unbounded.
    pub(super) fn with_intercepts(
        mut self,
        objective: &Objective<'_>,
        h: &Hyperplane,
        u: &[f64],
        mut distances: Vec<f64>,
    ) -> Option<(Vec<[f32; 2]>, Self)> {
        distances.iter_mut().for_each(|e| *e = self.reach(*e));
        let e = distances;
        if objective.intercept() {
            let about =
                self.middle.center.as_ref().map_or(0.0, |c| kernels::dot(c, &self.middle.w));
            self.intercepts = intercepts(objective, u, &e, h.b + about)?;
        }
        let rows = u.iter().zip(&e).map(|(u, e)| outward(self.around(*u, *e))).collect();
        Some((rows, self))
    }

    /// Returns eᵢ from an upper bound on ‖xᵢ − c‖, including the error of the score.
    fn reach(&self, norm: f64) -> f64 {
        (self.radius + self.middle.gamma * self.middle.size) * norm + TINY
    }

    /// Returns the interval of scores within e of u, over all intercepts.
    fn around(&self, u: f64, e: f64) -> [f64; 2] {
        let [low, high] = self.intercepts;
        let room = |b: f64| 4.0 * f64::EPSILON * (u.abs() + e + b.abs());
        [u - e + low - room(low), u + e + high + room(high)]
    }

    /// Returns the score interval of row i of any design matrix.
    pub(crate) fn score(&self, x: &Design, i: usize) -> [f64; 2] {
        let (mut u, mut norm_sq) = (0.0, 0.0);
        let mut add = |x: f64, w: f64| {
            u += x * w;
            norm_sq += x * x;
        };
        let Midpoint { w, center, gamma, .. } = &self.middle;
        match center {
            Some(c) => {
                let row = x.row(i);
                row.iter().zip(c).zip(w).for_each(|((x, c), w)| add(x - c, *w));
            }
            None => x.each_nonzero(i, |j, x| add(x, w[j])),
        }
        self.around(u, self.reach(norm_sq.sqrt() * (1.0 + gamma) + TINY))
    }
}

/// Returns bounds below b⁻(u + e) and above b⁺(u − e), from a starting intercept.
fn intercepts(objective: &Objective<'_>, u: &[f64], e: &[f64], start: f64) -> Option<[f64; 2]> {
    /// Slack from early termination, as a share of the mean eⱼ.
    const NEAR: f64 = 0.05;
    let mean = e.iter().zip(objective.s()).map(|(e, s)| e * s).sum::<f64>() / objective.total();
    // u ± e + b is rounded; rows move outward by the rounding error, for any |b| up to this.
    let most = 64.0 * (1.0 + start.abs() + mean);
    let mut ends = [0.0; 2];
    for (end, side) in ends.iter_mut().zip([-1.0, 1.0]) {
        let mut m = vec![0.0; u.len()];
        fill_blocks(&mut m, BLOCK, |start, m| {
            let rows = u[start..].iter().zip(&e[start..]).zip(&objective.y()[start..]);
            for (m, ((u, e), y)) in m.iter_mut().zip(rows) {
                let room = 8.0 * f64::EPSILON * (u.abs() + e + most);
                *m = y * (u - side * (e + room));
            }
        });
        // Rows shifted by e shift the minimizers by about the mean e.
        let first = start + side * (1.0 + NEAR) * mean;
        *end = bracket_minimizers(objective, &m, side, first, NEAR * mean)
            .filter(|b| b.abs() <= most)?;
    }
    Some(ends)
}

/// Returns a b beyond every minimizer of Σ sⱼ ℓ(mⱼ + yⱼ b) on the given side, within about `near`.
/// The sign of the derivative at b is certain despite rounding.
fn bracket_minimizers(
    objective: &Objective<'_>,
    m: &[f64],
    side: f64,
    start: f64,
    near: f64,
) -> Option<f64> {
    const STEPS: usize = 100;
    let (least, most) = objective.loss().dual_range();
    let bounded = least > f64::NEG_INFINITY && most.is_finite();
    let near = near + 1e-14 * (1.0 + start.abs());
    let (mut b, mut stride) = (start, near);
    // The nearest b known to be beyond, and the furthest b not known to be.
    let (mut outer, mut inner) = (None, None);
    for _ in 0..STEPS {
        let [slope, curvature] = objective.derivatives_along(m, objective.y(), b);
        // |ℓ′| is at most 1 if α has a range, else at most 2√ℓ.
        let value = || objective.along(m, objective.y(), b)[0];
        let sizes = if bounded { 1.0 } else { 2.0 * value().sqrt() };
        let is_beyond = side * slope > 2.0 * MEAN * sizes;
        *(if is_beyond { &mut outer } else { &mut inner }) = Some(b);
        let close = outer.zip(inner).is_some_and(|(outer, inner)| side * (outer - inner) <= near);
        // With curvature, the slope bounds the distance to the minimizer.
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
