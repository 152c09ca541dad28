//! The duality gap: an upper bound on the suboptimality of F(h).
//!
//! For every α with αᵢ in the range of the loss and, if there is an intercept, Σ sᵢ αᵢ yᵢ = 0,
//!
//! ```text
//!   D(α) = (1/S) Σ sᵢ (−ℓ*(−αᵢ)) − R*(u),   u = (1/S) Σ sᵢ αᵢ yᵢ xᵢ
//! ```
//!
//! is at most F at every hyperplane: ℓ(m) ≥ −αm − ℓ*(−α) row by row, R(w) ≥ u·w − R*(u), the terms
//! u·w cancel, and so does b by the constraint. So **F(h) − D(α) bounds the suboptimality of h**,
//! for any solver that found h or α.
//!
//! # A feasible α
//!
//! Dual solvers supply their own α. For all others αᵢ = −ℓ′(mᵢ), which is optimal at the optimum.
//! Two corrections make any α within the range feasible:
//!
//! * *Balance.* With A₊ and A₋ the sums of sα over the classes, the α of the class with the larger
//!   sum are multiplied by the ratio smaller/larger. They stay in \[0, α\]. For losses without a
//!   range (squared), every αᵢ is shifted by the same multiple of yᵢ instead.
//! * *Scale* (λ₂ = 0). R*(u) is finite only if |uⱼ| ≤ λ₁ for all j, so all α are multiplied by
//!   min(1, λ₁/max|uⱼ|).
//!
//! # The gap from the gradient
//!
//! For αᵢ = −ℓ′(mᵢ) and no intercept α is feasible, and ℓ(m) = −αm − ℓ*(−α) row by row. Then F − D
//! is R(w) + R*(u) − u·w, where u = λ₂w − g and g is the gradient of the smooth part. With L2 alone
//! this is ‖g‖²/(2λ₂). So a solver that has the gradient gets the gap without a pass over the rows
//! ([`from_gradient`]).
//!
//! Without a penalty no such bound exists in general. The certificate then holds the norm of the
//! gradient instead.
//!
//! # Rounding
//!
//! Solvers stop by this gap, whose constraint on α holds only up to rounding. At the end of a fit
//! the reported gap is computed again, with an exact constraint and all rounding errors included
//! ([`OptimalityCertificate`](super::OptimalityCertificate)).
//!
//! Sums over rows are computed in blocks with eight partial sums each, and the blocks are added
//! with compensated summation. So F and D each have an error of a few roundings of their size. A
//! gap is never reported below [`FLOOR`] times F + |D|: doubles cannot resolve a smaller one.
//!
//! Source: Rockafellar, *Convex Analysis*, §31; Hsieh et al., *A dual coordinate descent method for
//! large-scale linear SVM*, ICML (2008); Massias, Gramfort & Salmon, *Celer*, ICML (2018), for the
//! scaling.

use crate::data::{Combination, Hyperplane};
use crate::math::kernels;
use crate::math::sum::Sum;
use crate::objective::Objective;
use serde::{Deserialize, Serialize};

/// The smallest reported gap, relative to F + |D|.
pub(crate) const FLOOR: f64 = 16.0 * f64::EPSILON;

/// Objective of a hyperplane, and a lower bound or a gradient norm that measures its suboptimality.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct OptimalityGap {
    /// F at the hyperplane.
    #[serde(with = "crate::float")]
    pub primal: f64,
    /// The lower bound and the gap; `None` without a penalty.
    pub dual: Option<Dual>,
    /// Norm of the smallest subgradient, relative to its value at h = 0; only without a penalty.
    #[serde(with = "crate::float")]
    pub gradient: Option<f64>,
}

/// A lower bound on F at every hyperplane.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dual {
    /// D(α).
    #[serde(with = "crate::float")]
    pub value: f64,
    /// F − D, at least the rounding floor.
    #[serde(with = "crate::float")]
    pub gap: f64,
}

impl OptimalityGap {
    /// Builds from F and the best known lower bound. Losses and penalties are ≥ 0, so 0 is always a
    /// lower bound.
    pub fn with_bound(primal: f64, bound: f64) -> Self {
        let bound = bound.max(0.0);
        // The difference is rounded upward, unless the bound is 0 and the difference exact.
        let gap = if bound == 0.0 { primal } else { (primal - bound).next_up() };
        let gap = gap.max(FLOOR * (primal.abs() + bound.abs()));
        Self { primal, dual: Some(Dual { value: bound, gap }), gradient: None }
    }

    /// Builds from F and an upper bound on its suboptimality.
    pub(crate) fn with_gap(primal: f64, gap: f64) -> Self {
        let bound = (primal - gap).max(0.0);
        let floor = FLOOR * (primal.abs() + bound.abs());
        let gap = gap.min(primal).max(floor);
        Self { primal, dual: Some(Dual { value: bound, gap }), gradient: None }
    }

    /// Builds from F and a gradient norm, for objectives without a lower bound. F ≥ 0, so a
    /// hyperplane with F = 0 is a minimizer and its smallest subgradient is 0. `gradient` is then
    /// ignored.
    pub(crate) fn with_gradient(primal: f64, gradient: f64) -> Self {
        let gradient = if primal == 0.0 { 0.0 } else { gradient };
        Self { primal, dual: None, gradient: Some(gradient) }
    }

    /// Returns the gap relative to F.
    pub fn relative_gap(&self) -> Option<f64> {
        let dual = self.dual?;
        Some(if self.primal > 0.0 { dual.gap / self.primal } else { 0.0 })
    }

    /// Returns whether the tolerance is reached: by the gap, or without one by the gradient.
    pub fn reaches(&self, tol: f64) -> bool {
        match (self.relative_gap(), self.gradient) {
            (Some(relative), _) => relative <= tol,
            (None, Some(gradient)) => gradient <= tol,
            (None, None) => false,
        }
    }

    /// Returns whether the gap is at the rounding floor, so that no smaller gap can be observed.
    pub(crate) fn is_at_the_floor(&self) -> bool {
        self.dual.is_some_and(|d| d.gap <= FLOOR * (self.primal.abs() + d.value.abs()))
    }
}

/// Writes αᵢ = −ℓ′(mᵢ).
pub(crate) fn alpha_of_margins(objective: &Objective<'_>, m: &[f64], alpha: &mut [f64]) {
    objective.slopes(m, alpha);
    alpha.iter_mut().for_each(|alpha| *alpha = -*alpha);
}

/// Enforces Σ sᵢ αᵢ yᵢ = 0 if the objective has an intercept.
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

/// Returns D(α) for an α in range, which is made feasible first; −∞ without a penalty. Writes u.
/// `room` is scratch space of n entries.
pub(crate) fn dual_value(
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
            // Slightly below the ratio, so that rounding cannot leave u infeasible.
            let scale = penalty.l1 / largest * (1.0 - 4.0 * f64::EPSILON);
            alpha.iter_mut().for_each(|alpha| *alpha *= scale);
            u.iter_mut().for_each(|u| *u *= scale);
        }
    }
    objective.mean_dual(alpha) - penalty.conjugate(u)
}

/// Certifies a hyperplane with margins m, using α = −ℓ′(m). Costs at most two passes over the rows.
pub fn certify(
    objective: &Objective<'_>,
    h: &Hyperplane,
    m: &[f64],
    combination: &mut Combination,
) -> OptimalityGap {
    let primal = objective.value(h, m);
    let mut room = vec![0.0; m.len()];
    if !objective.penalty().is_some() {
        objective.residuals(m, &mut room);
        let mut g = Hyperplane::zero(h.d());
        objective.gradient(h, &room, combination, &mut g);
        let norm = objective.stationarity(h, &g);
        return OptimalityGap::with_gradient(primal, norm / gradient_at_zero(objective));
    }
    let (mut alpha, mut u) = (vec![0.0; m.len()], vec![0.0; h.d()]);
    alpha_of_margins(objective, m, &mut alpha);
    let bound = dual_value(objective, &mut alpha, combination, &mut u, &mut room);
    OptimalityGap::with_bound(primal, bound)
}

/// Certifies a hyperplane with margins m and objective F, without a penalty, by any α in range.
/// Then g = Σ sᵢαᵢyᵢ(xᵢ, 1)/S is an ε-subgradient, ε the mean excess of the rows: every h′ has
/// F(h′) ≥ F(h) − ε − ‖g‖‖h′ − h‖. The reported gradient is the larger of ‖g‖/‖∇F(0)‖ and ε/F. It
/// suits losses with kinks, on which margins accumulate: −ℓ′(m) does not become small there.
pub(crate) fn by_subgradient(
    objective: &Objective<'_>,
    value: f64,
    m: &[f64],
    alpha: &[f64],
    combination: &mut Combination,
) -> OptimalityGap {
    let (y, s, total) = (objective.y(), objective.s(), objective.total());
    let r: Vec<f64> = alpha.iter().zip(y).zip(s).map(|((a, y), s)| s * a * y / total).collect();
    let mut g = vec![0.0; objective.x().d()];
    combination.of(objective.x(), &r, &mut g);
    let bias = objective.residual_bias(&r);
    let norm = (kernels::norm_sq(&g) + bias * bias).sqrt();
    let excess = |((a, m), s): ((&f64, &f64), &f64)| s * objective.loss().excess(*a, *m);
    let lost: Sum = alpha.iter().zip(m).zip(s).map(excess).collect();
    let lost = lost.value() / (total * value.max(f64::MIN_POSITIVE));
    OptimalityGap::with_gradient(value, (norm / gradient_at_zero(objective)).max(lost))
}

/// Returns an unpenalized separating hyperplane scaled until every margin is at least the kink of
/// the loss, where F = 0. `None` if a row has margin ≤ 0, or if the loss has no kink.
pub(crate) fn scaled_to_zero_loss(
    objective: &Objective<'_>,
    h: &Hyperplane,
    m: &[f64],
) -> Option<Hyperplane> {
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

/// Returns ‖∇F(0)‖, the unit of gradient norms; 1 if it is 0.
pub(crate) fn gradient_at_zero(objective: &Objective<'_>) -> f64 {
    let zero = Hyperplane::zero(objective.x().d());
    let mut r = vec![0.0; objective.x().n()];
    objective.residuals(&vec![0.0; r.len()], &mut r);
    let mut g = zero.clone();
    objective.gradient(&zero, &r, &mut Combination::new(objective.x()), &mut g);
    let norm = objective.stationarity(&zero, &g);
    if norm > 0.0 { norm } else { 1.0 }
}

/// Returns F(h) − D(α) for α = −ℓ′(m) from the gradient g of the smooth part, without a pass over
/// the rows; requires λ₂ > 0. Rigorous without an intercept. With one, the constraint on α is
/// ignored and the result is only an estimate.
pub(crate) fn from_gradient(objective: &Objective<'_>, h: &Hyperplane, g: &Hyperplane) -> f64 {
    let penalty = objective.penalty();
    let excess = if penalty.l1 == 0.0 {
        kernels::norm_sq(&g.w) / (2.0 * penalty.l2)
    } else {
        let u: Vec<f64> = g.w.iter().zip(&h.w).map(|(g, w)| penalty.l2 * w - g).collect();
        penalty.excess(&h.w, &u)
    };
    excess + h.b * g.b
}

/// Estimates the gap at h for λ₂ = 0 from the gradient g, without a pass over the rows: the u of
/// α = −ℓ′(m) is −g. Ignores the balance constraint, so the result is not rigorous.
pub fn estimate(objective: &Objective<'_>, m: &[f64], g: &Hyperplane, value: f64) -> f64 {
    let largest = g.w.iter().fold(0.0_f64, |most, g| most.max(g.abs()));
    let scale = (objective.penalty().l1 / largest).min(1.0);
    let mut alpha = vec![0.0; m.len()];
    alpha_of_margins(objective, m, &mut alpha);
    alpha.iter_mut().for_each(|alpha| *alpha *= scale);
    value - objective.mean_dual(&alpha)
}
