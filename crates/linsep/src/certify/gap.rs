//! The duality gap: how far below F(h) the optimum can lie at most.
//!
//! For every α with αᵢ in the range of the loss and, where there is an intercept, Σ sᵢ αᵢ yᵢ = 0,
//!
//! ```text
//!   D(α) = (1/S) Σ sᵢ (−ℓ*(−αᵢ)) − R*(u),   u = (1/S) Σ sᵢ αᵢ yᵢ xᵢ
//! ```
//!
//! is at most F at every plane: ℓ(m) ≥ −αm − ℓ*(−α) row by row, R(w) ≥ u·w − R*(u), the terms u·w cancel, and
//! so does b by the constraint. So **F(h) − D(α) bounds how far h is from the optimum**, whatever solver
//! found h or α.
//!
//! # A feasible α
//!
//! Solvers with a dual bring their own; for the others αᵢ = −ℓ′(mᵢ), which at the optimum is the best.
//! Two repairs make any α within the range feasible:
//!
//! * *Balance.* With A₊ and A₋ the sums of sα over the classes, the α of the heavier class are multiplied
//!   by the ratio of the lighter to it, which keeps them in \[0, α\]. Losses without a range
//!   (squared) have the imbalance taken off every row alike instead.
//! * *Scale* (λ₂ = 0). R*(u) is finite only where |uⱼ| ≤ λ₁, so all α are multiplied by λ₁/max|uⱼ|
//!   where that is below 1.
//!
//! # Without a pass
//!
//! For αᵢ = −ℓ′(mᵢ) and no intercept nothing needs repair, ℓ(m) = −αm − ℓ*(−α) row by row, and what is left of F − D is
//! R(w) + R*(u) − u·w, where u = λ₂w − g and g is the gradient of the smooth part: with L2 alone it is ‖g‖²/(2λ₂). So
//! whoever has the gradient has the gap ([`from_gradient`]).
//!
//! Without any penalty no such bound exists in general, and the certificate holds the norm of the gradient
//! instead.
//!
//! # Rounding
//!
//! This is what solvers stop by: the constraint on α holds up to rounding here. What is reported of a fit is certified once more at its end, with a
//! constraint that holds exactly and all rounding charged ([`OptimalityCertificate`](super::OptimalityCertificate)).
//!
//! Sums over rows are taken in blocks, eight running sums each, and the blocks added up with compensation, so each of F and D is
//! off by a few roundings of its size. A gap is never
//! reported below [`FLOOR`] times F + |D|: where the true one is smaller, doubles cannot show it.
//!
//! Source: Rockafellar, *Convex Analysis*, §31; Hsieh et al., *A dual coordinate descent method for
//! large-scale linear SVM*, ICML (2008); Massias, Gramfort & Salmon, *Celer*, ICML (2018), for the scaling.

use crate::data::{Combination, Plane};
use crate::math::kernels;
use crate::math::sum::Sum;
use crate::objective::Objective;

/// The least gap that is reported, relative to F + |D|.
pub const FLOOR: f64 = 16.0 * f64::EPSILON;

/// How good a plane is, for certain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Certificate {
    /// F at the plane.
    pub primal: f64,
    /// The bound, where there is a penalty.
    pub dual: Option<Dual>,
    /// Norm of the smallest subgradient as a share of what it is at h = 0, where there is no penalty.
    pub gradient: Option<f64>,
}

/// A lower bound on F at every plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual {
    /// D(α).
    pub value: f64,
    /// F − D, at least the rounding floor.
    pub gap: f64,
}

impl Certificate {
    /// From F and the best lower bound known. As no loss and no penalty is ever below 0, 0 is always one.
    pub fn with_bound(primal: f64, bound: f64) -> Self {
        let bound = bound.max(0.0);
        // The difference itself is rounded, unless it is the whole.
        let gap = if bound == 0.0 { primal } else { (primal - bound).next_up() };
        let gap = gap.max(FLOOR * (primal.abs() + bound.abs()));
        Self { primal, dual: Some(Dual { value: bound, gap }), gradient: None }
    }

    /// From F and how far below it the optimum can be.
    pub fn with_gap(primal: f64, gap: f64) -> Self {
        let bound = (primal - gap).max(0.0);
        let floor = FLOOR * (primal.abs() + bound.abs());
        let gap = gap.min(primal).max(floor);
        Self { primal, dual: Some(Dual { value: bound, gap }), gradient: None }
    }

    /// Where no bound exists. As F is never below 0, a plane with F = 0 is a minimum, and its least subgradient is 0,
    /// whatever one was looked at.
    pub fn with_gradient(primal: f64, gradient: f64) -> Self {
        let gradient = if primal == 0.0 { 0.0 } else { gradient };
        Self { primal, dual: None, gradient: Some(gradient) }
    }

    /// The gap as a share of F.
    pub fn relative_gap(&self) -> Option<f64> {
        let dual = self.dual?;
        Some(if self.primal > 0.0 { dual.gap / self.primal } else { 0.0 })
    }

    /// Whether the plane is as good as `tol` asks for: by the gap, else by the gradient.
    pub fn reaches(&self, tol: f64) -> bool {
        match (self.relative_gap(), self.gradient) {
            (Some(relative), _) => relative <= tol,
            (None, Some(gradient)) => gradient <= tol,
            (None, None) => false,
        }
    }

    /// Whether rounding hides whatever gap is left.
    pub fn is_at_the_floor(&self) -> bool {
        self.dual.is_some_and(|d| d.gap <= FLOOR * (self.primal.abs() + d.value.abs()))
    }
}

/// Writes αᵢ = −ℓ′(mᵢ).
pub fn alpha_of_margins(objective: &Objective<'_>, m: &[f64], alpha: &mut [f64]) {
    objective.slopes(m, alpha);
    alpha.iter_mut().for_each(|alpha| *alpha = -*alpha);
}

/// Makes Σ sᵢ αᵢ yᵢ = 0, where the objective has an intercept.
pub fn balance(objective: &Objective<'_>, alpha: &mut [f64]) {
    if !objective.intercept() {
        return;
    }
    let (y, s) = (objective.y(), objective.s());
    let side = |sign: f64| {
        let rows = alpha.iter().zip(y).zip(s).filter(|((_, y), _)| **y == sign);
        rows.map(|((alpha, _), s)| s * alpha).collect::<Sum>().value()
    };
    let (plus, minus) = (side(1.0), side(-1.0));
    if objective.loss().dual_range().0 == f64::NEG_INFINITY {
        let shift = (plus - minus) / objective.total();
        alpha.iter_mut().zip(y).for_each(|(alpha, y)| *alpha -= y * shift);
        return;
    }
    let (heavy, ratio) = if plus > minus { (1.0, minus / plus) } else { (-1.0, plus / minus) };
    if ratio < 1.0 {
        let rows = alpha.iter_mut().zip(y).filter(|(_, y)| **y == heavy);
        rows.for_each(|(alpha, _)| *alpha *= ratio);
    }
}

/// D(α) for an α in range, made feasible on the way; −∞ where there is no penalty. Writes u, and needs
/// room for one number per row.
pub fn dual_value(
    objective: &Objective<'_>,
    alpha: &mut [f64],
    combination: &mut Combination,
    u: &mut [f64],
    room: &mut [f64],
) -> f64 {
    let penalty = objective.penalty();
    if !penalty.is_some() {
        return f64::NEG_INFINITY;
    }
    balance(objective, alpha);
    let (y, s, total) = (objective.y(), objective.s(), objective.total());
    for (i, r) in room.iter_mut().enumerate() {
        *r = s[i] * alpha[i] * y[i] / total;
    }
    combination.of(objective.x(), room, u);
    if penalty.l2 == 0.0 {
        let largest = u.iter().fold(0.0_f64, |most, u| most.max(u.abs()));
        if largest > penalty.l1 {
            // A little less than the ratio, so that rounding cannot push u over the edge again.
            let scale = penalty.l1 / largest * (1.0 - 4.0 * f64::EPSILON);
            alpha.iter_mut().for_each(|alpha| *alpha *= scale);
            u.iter_mut().for_each(|u| *u *= scale);
        }
    }
    objective.mean_dual(alpha) - penalty.conjugate(u)
}

/// The certificate of a plane with margins m, by α = −ℓ′(m): two passes over the rows at most.
pub fn certify(
    objective: &Objective<'_>,
    h: &Plane,
    m: &[f64],
    combination: &mut Combination,
) -> Certificate {
    let primal = objective.value(h, m);
    let mut room = vec![0.0; m.len()];
    if !objective.penalty().is_some() {
        objective.residuals(m, &mut room);
        let mut g = Plane::zero(h.d());
        objective.gradient(h, &room, combination, &mut g);
        let norm = objective.stationarity(h, &g);
        return Certificate::with_gradient(primal, norm / gradient_at_zero(objective));
    }
    let (mut alpha, mut u) = (vec![0.0; m.len()], vec![0.0; h.d()]);
    alpha_of_margins(objective, m, &mut alpha);
    let bound = dual_value(objective, &mut alpha, combination, &mut u, &mut room);
    Certificate::with_bound(primal, bound)
}

/// The certificate of a plane with margins m and value F where there is no penalty, by any α in range: Σ sᵢαᵢyᵢ(xᵢ, 1)/S is a
/// subgradient g up to an error of ε, the mean excess of the rows, in that no plane h′ has F(h′) < F(h) − ε − ‖g‖‖h′ − h‖. What counts as the
/// gradient is the larger of ‖g‖ as a share of ‖∇F(0)‖ and of ε as a share of F. It is the way to tell where losses have corners, on which rows
/// collect: −ℓ′(m) does not become small there.
pub fn by_subgradient(
    objective: &Objective<'_>,
    value: f64,
    m: &[f64],
    alpha: &[f64],
    combination: &mut Combination,
) -> Certificate {
    let (y, s, total) = (objective.y(), objective.s(), objective.total());
    let r: Vec<f64> = alpha.iter().zip(y).zip(s).map(|((a, y), s)| s * a * y / total).collect();
    let mut g = vec![0.0; objective.x().d()];
    combination.of(objective.x(), &r, &mut g);
    let bias = objective.residual_bias(&r);
    let norm = (kernels::norm_sq(&g) + bias * bias).sqrt();
    let excess = |((a, m), s): ((&f64, &f64), &f64)| s * objective.loss().excess(*a, *m);
    let lost: Sum = alpha.iter().zip(m).zip(s).map(excess).collect();
    let lost = lost.value() / (total * value.max(f64::MIN_POSITIVE));
    Certificate::with_gradient(value, (norm / gradient_at_zero(objective)).max(lost))
}

/// A plane that separates all rows and has no penalty to pay, made so long that every margin is at least the corner of the loss: there F = 0.
/// `None` where a row is on the wrong side, or the loss has no such corner.
pub fn stretched(objective: &Objective<'_>, h: &Plane, m: &[f64]) -> Option<Plane> {
    let corner = objective.loss().pieces()?.corner;
    let rows = m.iter().zip(objective.s()).filter(|(_, s)| **s > 0.0);
    let least = rows.fold(f64::INFINITY, |least, (m, _)| least.min(*m));
    let times = corner * (1.0 + 1e-9) / least;
    if objective.penalty().is_some() || least.is_nan() || least <= 0.0 {
        return None;
    }
    let mut h = h.clone();
    h.scale(times);
    (times > 1.0 && h.is_finite()).then_some(h)
}

/// ‖∇F(0)‖, by which gradients are measured; 1 where it is 0.
pub fn gradient_at_zero(objective: &Objective<'_>) -> f64 {
    let zero = Plane::zero(objective.x().d());
    let mut r = vec![0.0; objective.x().n()];
    objective.residuals(&vec![0.0; r.len()], &mut r);
    let mut g = zero.clone();
    objective.gradient(&zero, &r, &mut Combination::new(objective.x()), &mut g);
    let norm = objective.stationarity(&zero, &g);
    if norm > 0.0 { norm } else { 1.0 }
}

/// F(h) − D(α) for α = −ℓ′(m), from the gradient g of the smooth part at hand and without a pass, where λ₂ > 0. It is
/// rigorous where there is no intercept; else the constraint on α is left out, and it is no more than an estimate.
pub fn from_gradient(objective: &Objective<'_>, h: &Plane, g: &Plane) -> f64 {
    let penalty = objective.penalty();
    let excess = if penalty.l1 == 0.0 {
        kernels::norm_sq(&g.w) / (2.0 * penalty.l2)
    } else {
        let u: Vec<f64> = g.w.iter().zip(&h.w).map(|(g, w)| penalty.l2 * w - g).collect();
        penalty.excess(&h.w, &u)
    };
    excess + h.b * g.b
}

/// About the gap at h where λ₂ = 0, from the gradient g at hand and without a pass: the u of
/// α = −ℓ′(m) is −g. Leaves the imbalance out, so it is no proof.
pub fn estimate(objective: &Objective<'_>, m: &[f64], g: &Plane, value: f64) -> f64 {
    let largest = g.w.iter().fold(0.0_f64, |most, g| most.max(g.abs()));
    let scale = (objective.penalty().l1 / largest).min(1.0);
    let mut alpha = vec![0.0; m.len()];
    alpha_of_margins(objective, m, &mut alpha);
    alpha.iter_mut().for_each(|alpha| *alpha *= scale);
    value - objective.mean_dual(&alpha)
}
