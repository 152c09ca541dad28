//! Consequences of a duality gap for a hyperplane and for its predictions.
//!
//! Let α be feasible ([`DualPoint`]), v = (1/S) Σ sⱼαⱼyⱼxⱼ, w(α) = ∇R*(v), which is v/λ₂ for L2 and
//! soft(v, λ₁)/λ₂ for the elastic net, and φ(m, α) = ℓ(m) + ℓ*(−α) + αm ≥ 0. With any optimum (w*,
//! b*) and its α*,
//!
//! ```text
//!   P(w, b) − D(α) ≥ (λ₂/2)(‖w − w*‖² + ‖w(α) − w*‖²) + (1/S) Σ sⱼ [φ(mⱼ, αⱼ*) + φ(mⱼ*, αⱼ)],
//! ```
//!
//! because R is λ₂-strongly convex, ∇R* is Lipschitz continuous with constant 1/λ₂, and the
//! constraint on α removes b. All terms are ≥ 0. w* is unique if λ₂ > 0; b* need not be (hinge).
//! The following holds for **every** optimum:
//!
//! * *Distance.* ‖w − w*‖ ≤ ‖w − w(α)‖/2 + r, with r as below, and at most √(2 gap/λ₂).
//! * *Row interval.* φ(mᵢ*, αᵢ) ≤ gap · S/sᵢ: an interval of margins ([`Loss::margins_within`]).
//! * *Ball* ([`Ball`]): ‖(w + w(α))/2 − w*‖ ≤ r, r² = gap/λ₂ − ‖w − w(α)‖²/4. It gives an interval
//!   of scores for every row, including rows outside the problem.
//!
//! The two intervals are intersected ([`Enclosure`]). The decision rule determines whether they
//! certify a prediction ([`crate::learner::FitResult::certified`]). Without a penalty there is no
//! lower bound and no certificate.
//!
//! # Rounding
//!
//! P is replaced by an upper bound, D by a lower bound. The error of the score of row i is eᵢ ≤
//! γ(‖w‖‖xᵢ‖ + |b|), γ two units of 2⁻⁵³ per addition: sᵢeᵢ max |ℓ′| over [mᵢ − eᵢ, mᵢ + eᵢ] is
//! added to P. The error of v is δ ≤ γ Σ |βᵢ|‖xᵢ‖/S in norm, which subtracts (2‖v‖δ + δ²)/2λ₂ from
//! D. Each term of a sum of losses takes part in at most 270 successive additions
//! ([`Objective::mean_loss`]). The errors of exp and ln are at most two units. All these errors are
//! included.
//!
//! Over 400 lines: the certificate, and the rounding analysis of P and D on which it depends.

use super::ball::{Ball, Midpoint};
use super::dual_point::DualPoint;
use super::gap::OptimalityGap;
use crate::control::{Cancel, StopReason};
use crate::data::{Combination, Design, Hyperplane};
use crate::loss::Loss;
use crate::math::kernels;
use crate::math::parallel::{fill_blocks, map_blocks};
use crate::math::sum::Sum;
use crate::objective::{BLOCK, Objective};
use crate::penalty::Penalty;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;

/// Certificate of a hyperplane: its duality gap, and its distance to the optimum.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OptimalityCertificate {
    /// An upper bound on F at the hyperplane, a lower bound on F everywhere, and their difference.
    pub gap: OptimalityGap,
    /// An upper bound on the distance of the coefficients to those of the optimum.
    #[serde(with = "crate::float")]
    pub radius: Option<f64>,
}

/// Returns the stop reason of a run with this certificate. The solver's own gap may be below the
/// certified gap by the size of rounding errors; then the run is not optimal to the tolerance.
pub(crate) fn certified_stop(
    stop: StopReason,
    certificate: Option<&OptimalityCertificate>,
    tol: f64,
) -> StopReason {
    let reached = certificate.is_some_and(|own| own.gap.reaches(tol));
    if stop == StopReason::Optimal && !reached { StopReason::Stalled } else { stop }
}

/// Intervals that contain the scores of every optimum.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Enclosure {
    loss: Named,
    /// Lower and upper bound on the score of every row of the problem, by the ball.
    by_ball: Vec<[f32; 2]>,
    /// αᵢ, and yᵢ · gap · S/sᵢ, which is infinite if sᵢ = 0.
    rows: Vec<[f64; 2]>,
    largest_norm: f64,
    ball: Option<Ball>,
}

/// A loss, compared by its name.
#[derive(Clone, Copy)]
struct Named(&'static dyn Loss);

impl PartialEq for Named {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}

impl fmt::Debug for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl Enclosure {
    /// Returns the interval of a row of the problem by the ball alone, without computation.
    pub(crate) fn by_ball(&self, i: usize) -> [f64; 2] {
        self.by_ball[i].map(f64::from)
    }

    /// Returns the interval of a row of the problem.
    pub(crate) fn row(&self, i: usize) -> [f64; 2] {
        let ([least, largest], [alpha, gap]) = (self.by_ball(i), self.rows[i]);
        // The curvature bounds the growth of φ. If the resulting interval is wider than that of the
        // ball, the exact one is not computed.
        let wide = |most: f64| (2.0 * gap.abs() / most).sqrt() > largest - least;
        if gap.is_infinite() || self.loss.0.curvature_bound().is_some_and(wide) {
            return [least, largest];
        }
        let (low, high) = self.loss.0.margins_within(alpha, gap.abs());
        let (low, high) = if gap > 0.0 { (low, high) } else { (-high, -low) };
        [least.max(low), largest.min(high)]
    }

    /// Returns for some rows of the problem whether their scores are ≥ t or < t at every optimum;
    /// `None` if undetermined.
    pub(crate) fn sides(&self, rows: Range<usize>, t: f64) -> Vec<Option<bool>> {
        let loss = self.loss.0;
        let alpha: Vec<f64> = self.rows[rows.clone()].iter().map(|row| row[0]).collect();
        let mut duals = vec![0.0; alpha.len()];
        loss.duals(&alpha, &mut duals);
        let of_sign = [-t, t].map(|m| (m, loss.value(m), loss.slope(m)));
        let side = |(i, dual): (usize, f64)| {
            let ([least, largest], [alpha, gap]) = (self.by_ball(i), self.rows[i]);
            if least >= t || largest < t {
                return Some(least >= t);
            }
            // φ at t exceeds the bound, so t is outside the row interval. The margin with φ = 0 is
            // inside, and its side of t is that of every optimum.
            let (m, value, slope) = of_sign[usize::from(gap > 0.0)];
            let sizes = value + (alpha * m).abs() + dual.abs() + alpha.abs();
            let excess = value + alpha * m - dual - 64.0 * f64::EPSILON * sizes;
            (excess > gap.abs()).then(|| (-slope > alpha) == (gap > 0.0))
        };
        rows.zip(duals).map(side).collect()
    }

    /// Returns an upper bound on ‖x‖ over the rows of the problem.
    pub(crate) fn largest_norm(&self) -> f64 {
        self.largest_norm
    }

    /// Returns the ball, which bounds the scores of all other rows; `None` if unbounded.
    pub(crate) fn ball(&self) -> Option<&Ball> {
        self.ball.as_ref()
    }
}

/// Returns a bound on the relative rounding error of `additions` successive additions, with slack.
pub(super) fn rounding(additions: usize) -> f64 {
    f64::EPSILON * (additions + 8) as f64
}

/// Relative error bound of mean losses.
pub(super) const MEAN: f64 = 160.0 * f64::EPSILON;

/// Bound on the absolute error from underflow.
pub(super) const TINY: f64 = 1e-290;

/// Result of a solver, as input of its certificate.
pub(crate) struct Known {
    /// Margins, up to a few roundings of their size and of the intercept.
    pub margins: Vec<f64>,
    /// A dual point, unless it is α = −ℓ′(m).
    pub alpha: Option<Vec<f64>>,
    /// The gap used if there is no penalty.
    pub gap: OptimalityGap,
}

/// Certifies the hyperplane of a solver; `None` if the time limit is reached. `loss` is the loss of
/// the objective.
pub(crate) fn certify(
    objective: &Objective<'_>,
    loss: &'static dyn Loss,
    h: &Hyperplane,
    known: Known,
) -> Option<(OptimalityCertificate, Option<Enclosure>)> {
    let none = |gap| Some((OptimalityCertificate { gap, radius: None }, None));
    if objective.is_over() {
        return None;
    }
    if !objective.penalty().is_some() {
        return none(known.gap);
    }
    let (s, y, m) = (objective.s(), objective.y(), known.margins);
    let mut slopes = vec![0.0; m.len()];
    objective.slopes(&m, &mut slopes);
    let alpha = known.alpha.unwrap_or_else(|| dual_of(objective, &m, slopes.clone()));
    let mut combination = Combination::new(objective.x());
    let lower = Lower::of(objective, alpha, &mut combination);
    if objective.is_over() {
        return None;
    }
    let bounds =
        |lower, combination: &mut _| Bounds::of(objective, h, &m, &slopes, lower, combination);
    let mut both = bounds(lower, &mut combination);
    if !both.upper.is_finite() {
        return none(OptimalityGap::with_bound(known.gap.primal, 0.0));
    }
    if both.lower <= 0.0 || both.lower.is_nan() {
        // 0, the value of α = 0, is always a lower bound.
        both = bounds(Lower::zero(objective.x()), &mut combination);
    }
    let Bounds { upper, lower, point, delta, middle, u, norms } = both;
    if objective.is_over() {
        return None;
    }
    let gap = OptimalityGap::with_bound(upper, lower);
    let width = (upper - lower).next_up().max(0.0);

    let largest_norm = norms.largest();
    let ball = middle.and_then(|own| Ball::about(own, objective.penalty().l2, delta, width));
    let radius = ball.as_ref().map(|ball| ball.distance);
    let with_rows = ball.and_then(|ball| ball.with_intercepts(objective, h, &u, norms.distances));
    let whole = || vec![[f32::NEG_INFINITY, f32::INFINITY]; y.len()];
    let (by_ball, ball) =
        with_rows.map_or_else(|| (whole(), None), |(rows, own)| (rows, Some(own)));
    let total = width * objective.total() * (1.0 + 8.0 * f64::EPSILON);
    let point = point.beta().iter().zip(s).zip(y);
    let row = |((beta, s), y): ((&f64, &f64), &f64)| {
        if *s > 0.0 { [beta / s, y * (total / s)] } else { [0.0, f64::INFINITY] }
    };
    let enclosure = Enclosure {
        loss: Named(loss),
        by_ball,
        rows: point.map(row).collect(),
        largest_norm,
        ball,
    };
    Some((OptimalityCertificate { gap, radius }, Some(enclosure)))
}

/// Converts the interval to `f32`, rounded outward.
pub(super) fn outward([least, largest]: [f64; 2]) -> [f32; 2] {
    let (low, high) = (least as f32, largest as f32);
    [
        if f64::from(low) > least { low.next_down() } else { low },
        if f64::from(high) < largest { high.next_up() } else { high },
    ]
}

/// An upper bound on F at a hyperplane, a lower bound on F everywhere, and their intermediate
/// results.
struct Bounds {
    upper: f64,
    /// At most 0 if no lower bound is known.
    lower: f64,
    point: DualPoint,
    /// An upper bound on the error of v in norm.
    delta: f64,
    middle: Option<Midpoint>,
    /// Midpoint scores of all rows, without the intercept.
    u: Vec<f64>,
    norms: Norms,
}

impl Bounds {
    /// Computes both bounds in one pass over the rows, for their norms and midpoint scores.
    fn of(
        objective: &Objective<'_>,
        h: &Hyperplane,
        m: &[f64],
        slopes: &[f64],
        lower: Lower,
        combination: &mut Combination,
    ) -> Self {
        let (x, penalty) = (objective.x(), objective.penalty());
        let middle = (penalty.l2 > 0.0).then(|| Midpoint::between(objective, h, &lower.v));
        let (u, norms) = if let Some(middle) = &middle {
            let (u, distances) = middle.rows(x);
            (u, Norms { distances, off_origin: middle.center_norm() })
        } else {
            (Vec::new(), Norms::of(x))
        };
        let upper = upper(objective, h, m, slopes, &norms);
        let (lower, delta) = if penalty.l2 > 0.0 {
            let delta = lower.delta(objective, &norms);
            (lower, delta)
        } else {
            lower.scaled(objective, &norms, combination)
        };
        let value = lower.losses - conjugate(penalty, &lower.v, delta);
        let value = if lower.v.iter().all(|v| v.is_finite()) { value } else { 0.0 };
        Self { upper, lower: value, point: lower.point, delta, middle, u, norms }
    }
}

/// Upper bounds on ‖xᵢ‖: the distance from a point, and the norm of that point.
struct Norms {
    distances: Vec<f64>,
    off_origin: f64,
}

impl Norms {
    fn of(x: &Design) -> Self {
        let gamma = rounding(x.longest());
        let mut distances = x.norms_sq();
        distances.iter_mut().for_each(|norm| *norm = norm.sqrt() * (1.0 + gamma) + TINY);
        Self { distances, off_origin: 0.0 }
    }

    fn largest(&self) -> f64 {
        let far = self.distances.iter().fold(0.0_f64, |most, far| most.max(*far));
        (far + self.off_origin) * (1.0 + f64::EPSILON)
    }

    /// Returns an upper bound on Σ f(i, ‖xᵢ‖), for terms ≥ 0.
    fn sum(&self, of: impl Fn(usize, f64) -> f64 + Sync) -> f64 {
        let blocks = map_blocks(self.distances.len(), BLOCK, |rows| {
            rows.map(|i| of(i, self.distances[i] + self.off_origin)).sum::<f64>()
        });
        blocks.into_iter().collect::<Sum>().value() * (1.0 + rounding(BLOCK))
    }
}

/// Returns an upper bound on F(h), from its margins and ℓ′ there.
fn upper(
    objective: &Objective<'_>,
    h: &Hyperplane,
    m: &[f64],
    slopes: &[f64],
    norms: &Norms,
) -> f64 {
    let (loss, s, gamma) = (objective.loss(), objective.s(), rounding(objective.x().longest()));
    // The range of α bounds every slope, and the curvature bounds its change.
    let (size, steepest) = (norm(&h.w), loss.dual_range().1);
    let curvature = loss.curvature_bound();
    let lost = norms.sum(|i, norm| {
        let e = gamma * (2.0 * size * norm + 4.0 * h.b.abs()) + TINY;
        s[i] * e * curvature.map_or(steepest, |most| slopes[i].abs() + most * e)
    });
    let losses = objective.mean_loss(m) * (1.0 + MEAN) + TINY;
    let penalty = objective.penalty().value(&h.w) * (1.0 + rounding(h.d())) + TINY;
    let sum = losses + lost / objective.total() * (1.0 + MEAN) + penalty;
    sum * (1.0 + 4.0 * f64::EPSILON)
}

/// Returns α = −ℓ′(m), after Newton steps of the intercept if the constraint is far from satisfied.
fn dual_of(objective: &Objective<'_>, m: &[f64], mut slopes: Vec<f64>) -> Vec<f64> {
    const STEPS: usize = 3;
    const NEAR: f64 = 1e-6;
    let (y, s) = (objective.y(), objective.s());
    let mut t = 0.0;
    for _ in 0..STEPS {
        let sums = slopes.iter().zip(y).zip(s).fold([0.0; 2], |[net, all], ((slope, y), s)| {
            [net + s * slope * y, all + s * slope.abs()]
        });
        if !objective.intercept() || sums[0].abs() <= NEAR * sums[1] {
            break;
        }
        let [slope, curvature] = objective.derivatives_along(m, y, t);
        let step = -slope / curvature;
        if !step.is_finite() {
            break;
        }
        t += step;
        let moved: Vec<f64> = m.iter().zip(y).map(|(m, y)| m + t * y).collect();
        objective.slopes(&moved, &mut slopes);
    }
    slopes.iter_mut().for_each(|slope| *slope = -*slope);
    slopes
}

/// A dual point and its v.
struct Lower {
    point: DualPoint,
    /// A lower bound on (1/S) Σ sᵢ (−ℓ*(−αᵢ)).
    losses: f64,
    v: Vec<f64>,
    /// The largest number of successive additions in an entry vⱼ.
    depth: usize,
}

impl Lower {
    /// Returns the bound of α = 0.
    fn zero(x: &Design) -> Self {
        Self { point: DualPoint::zero(x.n()), losses: 0.0, v: vec![0.0; x.d()], depth: 0 }
    }

    /// Builds the bound from α near a dual point.
    fn of(objective: &Objective<'_>, alpha: Vec<f64>, combination: &mut Combination) -> Self {
        let (x, y, s) = (objective.x(), objective.y(), objective.s());
        let (loss, total) = (objective.loss(), objective.total());
        let point = DualPoint::near(objective, alpha);
        let mut r = vec![0.0; x.n()];
        let sums = fill_blocks(&mut r, BLOCK, |start, r| {
            let rows = start..start + r.len();
            for ((r, beta), y) in r.iter_mut().zip(&point.beta()[rows.clone()]).zip(&y[start..]) {
                *r = beta * y / total;
            }
            let (alpha, s) = (point.alpha(rows.clone(), s), &s[rows]);
            let size = |(alpha, s): (&f64, &f64)| s * (alpha.abs() + alpha * alpha);
            [loss.sum_of_duals(&alpha, s), alpha.iter().zip(s).map(size).sum::<f64>()]
        });
        let [losses, sizes] =
            [0, 1].map(|k| sums.iter().map(|part| part[k]).collect::<Sum>().value() / total);
        let sizes = sizes * (1.0 + rounding(BLOCK));
        let mut v = vec![0.0; x.d()];
        combination.of(x, &r, &mut v);
        let losses = losses - 2.0 * MEAN * (losses.abs() + sizes) - TINY;
        Self { point, losses, v, depth: combination.depth() }
    }

    /// Returns an upper bound on the error of v in norm.
    fn delta(&self, objective: &Objective<'_>, norms: &Norms) -> f64 {
        let beta = self.point.beta();
        let path = norms.sum(|i, norm| beta[i].abs() * norm) / objective.total();
        rounding(self.depth) * path + f64::EPSILON * norm(&self.v) + TINY
    }

    /// Scales α to satisfy |vⱼ| ≤ λ₁, a constraint of pure L1 penalties; falls back to α = 0.
    fn scaled(
        mut self,
        objective: &Objective<'_>,
        norms: &Norms,
        combination: &mut Combination,
    ) -> (Self, f64) {
        /// Reductions of λ₁ against rounding, tried in order.
        const LESS: [f64; 4] = [1e-13, 1e-11, 1e-9, 1e-7];
        let l1 = objective.penalty().l1;
        for less in LESS {
            let delta = self.delta(objective, norms);
            let largest = self.v.iter().fold(0.0_f64, |most, v| most.max(v.abs())) + delta;
            if largest <= l1 {
                return (self, delta);
            }
            let mut alpha = self.point.alpha(0..objective.x().n(), objective.s());
            alpha.iter_mut().for_each(|alpha| *alpha *= l1 / largest * (1.0 - less));
            self = Self::of(objective, alpha, combination);
        }
        (Self::zero(objective.x()), 0.0)
    }
}

/// Returns an upper bound on R* over all vectors within δ of v, for λ₂ > 0; otherwise 0.
fn conjugate(penalty: Penalty, v: &[f64], delta: f64) -> f64 {
    if penalty.l2 == 0.0 {
        return 0.0;
    }
    let size = norm(&soft(penalty, v));
    let square = size * size + 2.0 * size * delta + delta * delta;
    square / (2.0 * penalty.l2) * (1.0 + 8.0 * f64::EPSILON)
}

/// Returns λ₂∇R*(v): each vⱼ soft-thresholded at λ₁.
pub(super) fn soft(penalty: Penalty, v: &[f64]) -> Vec<f64> {
    v.iter().map(|v| (v.abs() - penalty.l1).max(0.0).copysign(*v)).collect()
}

/// Returns the scores of several hyperplanes, row after row, their coefficients and then their
/// intercepts, feature by feature, and an upper bound on the norm of every row. After the time
/// limit, some scores are missing.
pub(super) fn joint_scores(
    x: &Design,
    hyperplanes: &[Hyperplane],
    cancel: &Cancel,
) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
    let (d, k) = (x.d(), hyperplanes.len());
    let mut weights = vec![0.0; (d + 1) * k];
    for (c, hyperplane) in hyperplanes.iter().enumerate() {
        hyperplane.w.iter().enumerate().for_each(|(j, w)| weights[j * k + c] = *w);
        weights[d * k + c] = hyperplane.b;
    }
    let mut z = vec![0.0; x.n() * k];
    x.times_until(&weights, k, &mut z, || cancel.is_certification_canceled());
    (z, weights, Norms::of(x).distances)
}

/// Returns upper bounds on the error of V and on ‖V‖² with that error, for a V that sums `rows`
/// terms; `path` is the sum of their norms.
pub(super) fn square_with_error(v: &[f64], rows: usize, path: f64) -> (f64, f64) {
    let size = norm(v);
    let delta = rounding(rows) * path + f64::EPSILON * size + TINY;
    let square = size * size + 2.0 * size * delta + delta * delta;
    (delta, square * (1.0 + 8.0 * f64::EPSILON))
}

/// Returns an upper bound on ‖v‖.
pub(super) fn norm(v: &[f64]) -> f64 {
    kernels::norm_sq(v).sqrt() * (1.0 + rounding(v.len())) + TINY
}
