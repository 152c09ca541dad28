//! What a duality gap proves about a hyperplane and about its predictions.
//!
//! Let α be feasible ([`DualPoint`]), v = (1/S) Σ sⱼαⱼyⱼxⱼ, w(α) = ∇R*(v), which is v/λ₂ for L2 and
//! soft(v, λ₁)/λ₂ for the elastic net, and φ(m, α) = ℓ(m) + ℓ*(−α) + αm ≥ 0. With any optimum (w*,
//! b*) and its α*,
//!
//! ```text
//!   P(w, b) − D(α) ≥ (λ₂/2)(‖w − w*‖² + ‖w(α) − w*‖²) + (1/S) Σ sⱼ [φ(mⱼ, αⱼ*) + φ(mⱼ*, αⱼ)],
//! ```
//!
//! as R is λ₂-strongly convex, R* has a gradient that changes by at most 1/λ₂ times v, and the
//! constraint on α removes b. All terms are ≥ 0. w* is unique where λ₂ > 0; b* need not be (hinge).
//! What follows holds for **every** optimum:
//!
//! * *Distance.* ‖w − w*‖ ≤ ‖w − w(α)‖/2 + r, with r as below, and at most √(2 gap/λ₂).
//! * *Row interval.* φ(mᵢ*, αᵢ) ≤ gap · S/sᵢ: an interval of margins
//!   ([`Loss::margins_within`]).
//! * *Ball* ([`Ball`]): ‖(w + w(α))/2 − w*‖ ≤ r, r² = gap/λ₂ − ‖w − w(α)‖²/4, and an interval of
//!   scores for every row, also for rows that the problem is not about.
//!
//! Both are intersected ([`Enclosure`]). Whether they settle a prediction is for the decision rule
//! to say ([`crate::learner::Fit::certified`]). Without a penalty there is no bound, and nothing
//! follows.
//!
//! # Rounding
//!
//! P enters by an upper bound, D by a lower one. The score of row i is off by eᵢ ≤ γ(‖w‖‖xᵢ‖ +
//! |b|), γ two units of 2⁻⁵³ per addition: sᵢeᵢ max |ℓ′| over [mᵢ − eᵢ, mᵢ + eᵢ] is added to P. v
//! is off by δ ≤ γ Σ |βᵢ|‖xᵢ‖/S in norm, which takes (2‖v‖δ + δ²)/2λ₂ from D. Sums of losses go
//! through at most 270 additions in a row ([`Objective::mean_loss`]); exp and ln are within two
//! units. Each of these is charged.

use super::ball::Ball;
use super::dual_point::DualPoint;
use super::gap::Certificate;
use crate::data::{Combination, Plane};
use crate::loss::Loss;
use crate::math::kernels;
use crate::math::sum::Sum;
use crate::objective::Objective;
use crate::penalty::Penalty;
use std::fmt;
use std::ops::Range;

/// What is certified of a hyperplane: how far it is from optimal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptimalityCertificate {
    /// An upper bound on F at the hyperplane, a lower bound on F everywhere, and their difference.
    pub gap: Certificate,
    /// The coefficients of the optimum are within this of the hyperplane's.
    pub radius: Option<f64>,
}

/// Where the scores of every optimum lie.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Enclosure {
    loss: Named,
    /// Of every row of the problem, the least and the largest score by the ball.
    by_ball: Vec<[f32; 2]>,
    /// αᵢ, and yᵢ · gap · S/sᵢ, which is infinite where sᵢ = 0.
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
    /// The interval of a row of the problem by the ball alone, which costs nothing.
    pub(crate) fn by_ball(&self, i: usize) -> [f64; 2] {
        self.by_ball[i].map(f64::from)
    }

    /// The interval of a row of the problem.
    pub(crate) fn row(&self, i: usize) -> [f64; 2] {
        let ([least, largest], [alpha, gap]) = (self.by_ball(i), self.rows[i]);
        // An excess grows by no more than the curvature allows: where that leaves the interval
        // wider than the ball's it is of no use.
        let wide = |most: f64| (2.0 * gap.abs() / most).sqrt() > largest - least;
        if gap.is_infinite() || self.loss.0.curvature_bound().is_some_and(wide) {
            return [least, largest];
        }
        let (low, high) = self.loss.0.margins_within(alpha, gap.abs());
        let (low, high) = if gap > 0.0 { (low, high) } else { (-high, -low) };
        [least.max(low), largest.min(high)]
    }

    /// Of some rows of the problem, whether their scores are at least t, or below, at every
    /// optimum; `None` where that is not known.
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
            // At t the row's own excess is more than there is: which side of t it is on, the margin
            // that has none says.
            let (m, value, slope) = of_sign[usize::from(gap > 0.0)];
            let sizes = value + (alpha * m).abs() + dual.abs() + alpha.abs();
            let excess = value + alpha * m - dual - 64.0 * f64::EPSILON * sizes;
            (excess > gap.abs()).then(|| (-slope > alpha) == (gap > 0.0))
        };
        rows.zip(duals).map(side).collect()
    }

    /// At least ‖x‖ of every row of the problem.
    pub(crate) fn largest_norm(&self) -> f64 {
        self.largest_norm
    }

    /// What holds for all other rows, if anything does.
    pub(crate) fn ball(&self) -> Option<&Ball> {
        self.ball.as_ref()
    }
}

/// The roundings of `additions` in a row, as a share of what is added up, with room to spare.
pub(super) fn rounding(additions: usize) -> f64 {
    f64::EPSILON * (additions + 8) as f64
}

/// The share by which means of losses can be off.
pub(super) const MEAN: f64 = 160.0 * f64::EPSILON;

/// Less than this is lost when numbers become too small for doubles.
pub(super) const TINY: f64 = 1e-290;

/// What a solver knows of the hyperplane that it ended with.
pub(crate) struct Known {
    /// Margins, up to a few roundings of their size and of the intercept.
    pub margins: Vec<f64>,
    /// A dual point, if it is not α = −ℓ′(m).
    pub alpha: Option<Vec<f64>>,
    /// What there is to say where there is no penalty.
    pub gap: Certificate,
}

/// What is certified of a hyperplane that a solver ended with. The loss is that of the objective.
pub(crate) fn certify(
    objective: &Objective<'_>,
    loss: &'static dyn Loss,
    h: &Plane,
    known: Known,
) -> (OptimalityCertificate, Option<Enclosure>) {
    let none = |gap| (OptimalityCertificate { gap, radius: None }, None);
    if !objective.penalty().is_some() {
        return none(known.gap);
    }
    // 1. An upper bound on F(h).
    let upper = Upper::at(objective, h, known.margins);
    if !upper.value.is_finite() {
        return none(Certificate::with_bound(known.gap.primal, 0.0));
    }

    // 2. A lower bound on F.
    let alpha = known.alpha.unwrap_or_else(|| upper.alpha(objective));
    let lower = Lower::from(objective, alpha, &upper.norms);
    let gap = Certificate::with_bound(upper.value, lower.value);
    let width = (upper.value - lower.value).next_up().max(0.0);

    // 3. What follows.
    let ball = Ball::new(objective, h, &lower.v, lower.delta, width);
    let radius = ball.as_ref().map(|ball| ball.distance);
    let (s, y) = (objective.s(), objective.y());
    let with_rows = ball.and_then(|ball| ball.with_intercepts(objective, h, &upper));
    let whole = || vec![[f32::NEG_INFINITY, f32::INFINITY]; y.len()];
    let (by_ball, ball) =
        with_rows.map_or_else(|| (whole(), None), |(rows, own)| (rows, Some(own)));
    let total = width * objective.total() * (1.0 + 8.0 * f64::EPSILON);
    let point = lower.point.beta().iter().zip(s).zip(y);
    let row = |((beta, s), y): ((&f64, &f64), &f64)| {
        if *s > 0.0 { [beta / s, y * (total / s)] } else { [0.0, f64::INFINITY] }
    };
    let enclosure = Enclosure {
        loss: Named(loss),
        by_ball,
        rows: point.map(row).collect(),
        largest_norm: upper.norms.iter().fold(0.0, |most, norm| most.max(*norm)),
        ball,
    };
    (OptimalityCertificate { gap, radius }, Some(enclosure))
}

/// The interval in 32 bits, no narrower.
pub(super) fn outward([least, largest]: [f64; 2]) -> [f32; 2] {
    let (low, high) = (least as f32, largest as f32);
    [
        if f64::from(low) > least { low.next_down() } else { low },
        if f64::from(high) < largest { high.next_up() } else { high },
    ]
}

/// An upper bound on F at a hyperplane, and what was computed for it.
pub(super) struct Upper {
    value: f64,
    pub(super) m: Vec<f64>,
    /// ℓ′(mᵢ).
    slopes: Vec<f64>,
    /// At least ‖xᵢ‖.
    pub(super) norms: Vec<f64>,
}

impl Upper {
    fn at(objective: &Objective<'_>, h: &Plane, m: Vec<f64>) -> Self {
        let (x, loss) = (objective.x(), objective.loss());
        let gamma = rounding(x.longest());
        let mut norms = x.norms_sq();
        norms.iter_mut().for_each(|norm| *norm = norm.sqrt() * (1.0 + gamma) + TINY);
        let mut slopes = vec![0.0; m.len()];
        objective.slopes(&m, &mut slopes);

        // No slope is steeper where the range of α ends, and none changes faster than the curvature
        // allows.
        let (size, steepest) = (norm(&h.w), loss.dual_range().1);
        let curvature = loss.curvature_bound();
        let row = |((norm, slope), s): ((&f64, &f64), &f64)| {
            let e = gamma * (2.0 * size * norm + 4.0 * h.b.abs()) + TINY;
            let slope = curvature.map_or(steepest, |most| slope.abs() + most * e);
            s * e * slope
        };
        let lost = norms.iter().zip(&slopes).zip(objective.s()).map(row).collect::<Sum>().value();
        let losses = objective.mean_loss(&m) * (1.0 + MEAN) + TINY;
        let penalty = objective.penalty().value(&h.w) * (1.0 + rounding(h.d())) + TINY;
        let sum = losses + lost / objective.total() * (1.0 + MEAN) + penalty;
        Self { value: sum * (1.0 + 4.0 * f64::EPSILON), m, slopes, norms }
    }

    /// α = −ℓ′(m), after Newton steps of the intercept if the constraint is far from met.
    fn alpha(&self, objective: &Objective<'_>) -> Vec<f64> {
        const STEPS: usize = 3;
        const NEAR: f64 = 1e-6;
        let (y, s) = (objective.y(), objective.s());
        let mut slopes = self.slopes.clone();
        let mut t = 0.0;
        for _ in 0..STEPS {
            let sums = slopes.iter().zip(y).zip(s).fold([0.0; 2], |[net, all], ((slope, y), s)| {
                [net + s * slope * y, all + s * slope.abs()]
            });
            if !objective.intercept() || sums[0].abs() <= NEAR * sums[1] {
                break;
            }
            let [_, slope, curvature] = objective.along(&self.m, y, t);
            let step = -slope / curvature;
            if !step.is_finite() {
                break;
            }
            t += step;
            let moved: Vec<f64> = self.m.iter().zip(y).map(|(m, y)| m + t * y).collect();
            objective.slopes(&moved, &mut slopes);
        }
        slopes.iter_mut().for_each(|slope| *slope = -*slope);
        slopes
    }
}

/// A lower bound on F, the dual point it is the value of, and its v, which is right up to δ.
struct Lower {
    value: f64,
    point: DualPoint,
    v: Vec<f64>,
    delta: f64,
}

impl Lower {
    /// From α near a dual point. With L1 alone |vⱼ| ≤ λ₁ is a constraint as well, met by scaling α;
    /// 0, the value of α = 0, is always a bound.
    fn from(objective: &Objective<'_>, mut alpha: Vec<f64>, norms: &[f64]) -> Self {
        /// What is taken off λ₁ for rounding, more each time.
        const LESS: [f64; 4] = [1e-13, 1e-11, 1e-9, 1e-7];
        let penalty = objective.penalty();
        let mut combination = Combination::new(objective.x());
        for less in LESS {
            let lower =
                Self::of(objective, DualPoint::near(objective, alpha), norms, &mut combination);
            let largest = lower.v.iter().fold(0.0_f64, |most, v| most.max(v.abs())) + lower.delta;
            if penalty.l2 > 0.0 || largest <= penalty.l1 {
                if lower.value > 0.0 && lower.v.iter().all(|v| v.is_finite()) {
                    return lower;
                }
                break;
            }
            let scale = penalty.l1 / largest * (1.0 - less);
            alpha = lower.point.alpha(objective.s());
            alpha.iter_mut().for_each(|alpha| *alpha *= scale);
        }
        let (n, d) = (objective.x().n(), objective.x().d());
        Self { value: 0.0, point: DualPoint::zero(n), v: vec![0.0; d], delta: 0.0 }
    }

    /// D of a point where λ₂ > 0; elsewhere D if |vⱼ| ≤ λ₁.
    fn of(
        objective: &Objective<'_>,
        point: DualPoint,
        norms: &[f64],
        combination: &mut Combination,
    ) -> Self {
        let (y, total, penalty) = (objective.y(), objective.total(), objective.penalty());
        let r: Vec<f64> = point.beta().iter().zip(y).map(|(beta, y)| beta * y / total).collect();
        let mut v = vec![0.0; objective.x().d()];
        combination.of(objective.x(), &r, &mut v);
        let path = r.iter().zip(norms).map(|(r, norm)| r.abs() * norm).collect::<Sum>().value();
        let delta = rounding(combination.depth()) * path + f64::EPSILON * norm(&v) + TINY;

        let alpha = point.alpha(objective.s());
        let sizes =
            alpha.iter().zip(objective.s()).map(|(alpha, s)| s * (alpha.abs() + alpha * alpha));
        let sizes = sizes.collect::<Sum>().value() / total;
        let losses = objective.mean_dual(&alpha);
        let losses = losses - 2.0 * MEAN * (losses.abs() + sizes) - TINY;
        let value = losses - conjugate(penalty, &v, delta);
        Self { value, point, v, delta }
    }
}

/// At least R* of all vectors within δ of v, for λ₂ > 0; elsewhere 0.
fn conjugate(penalty: Penalty, v: &[f64], delta: f64) -> f64 {
    if penalty.l2 == 0.0 {
        return 0.0;
    }
    let size = norm(&soft(penalty, v));
    let square = size * size + 2.0 * size * delta + delta * delta;
    square / (2.0 * penalty.l2) * (1.0 + 8.0 * f64::EPSILON)
}

/// λ₂∇R*(v): what of each |vⱼ| is above λ₁.
pub(super) fn soft(penalty: Penalty, v: &[f64]) -> Vec<f64> {
    v.iter().map(|v| (v.abs() - penalty.l1).max(0.0).copysign(*v)).collect()
}

/// At least ‖v‖.
pub(super) fn norm(v: &[f64]) -> f64 {
    kernels::norm_sq(v).sqrt() * (1.0 + rounding(v.len())) + TINY
}
