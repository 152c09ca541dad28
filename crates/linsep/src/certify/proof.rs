//! What a gap proves about predictions.
//!
//! With g the gap, the optimal weights lie within ρ = √(2g/λ₂) of w, as F minimised over b is λ₂-strongly convex in w.
//! Of the bias that says nothing by itself. There are two honest ways to a row's decision:
//!
//! * *By the plane.* The best bias moves by at most the largest change of a score (shift all and use
//!   monotonicity), so |zᵢ − zᵢ*| ≤ ρ (‖xᵢ‖ + maxⱼ ‖xⱼ‖); without an intercept, by ρ‖xᵢ‖.
//! * *By the dual* (losses of bounded curvature L). −D is strongly convex with modulus sᵢ/(SL) in each αᵢ, so
//!   |αᵢ − αᵢ*| ≤ √(2Lg S/sᵢ) for the feasible α that has the gap. As αᵢ* = −ℓ′(mᵢ*) falls with mᵢ*, the sign of mᵢ* is
//!   known once that interval does not hold −ℓ′(0).
//!
//! A row whose decision either way settles, and as the plane has it, is **proved**: the exact optimum, which
//! nobody has, decides it the same.

use super::gap::{self, Certificate};
use crate::data::Combination;
use crate::objective::Objective;

/// A certificate, and what it proves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proof {
    /// Primal, dual, gap.
    pub certificate: Certificate,
    /// ρ: the exact optimum's weights are within this of the plane's.
    pub radius: Option<f64>,
    /// Weighted share of the training rows whose decision the exact optimum shares, for certain.
    pub proved: Option<f64>,
}

impl Proof {
    /// From a certificate of a plane with margins m.
    pub fn new(objective: &Objective<'_>, m: &[f64], certificate: Certificate) -> Self {
        let radius = certificate.radius(objective.penalty().l2);
        let share = |rows: Vec<bool>| {
            let settled = rows.into_iter().zip(objective.s()).filter(|(settled, _)| *settled);
            settled.map(|(_, s)| s).fold(0.0, |sum, s| sum + s) / objective.total()
        };
        let proved = Self::settled(objective, m, &certificate).map(share);
        Self { certificate, radius, proved }
    }

    /// Which rows the exact optimum decides as the plane with margins m does, for certain; `None` where nothing can be
    /// said of any.
    pub fn settled(
        objective: &Objective<'_>,
        m: &[f64],
        certificate: &Certificate,
    ) -> Option<Vec<bool>> {
        certificate.dual?;
        let by_plane = by_plane(objective, certificate.radius(objective.penalty().l2));
        let by_dual = by_dual(objective, m, certificate.primal);
        if by_plane.is_none() && by_dual.is_none() {
            return None;
        }
        let settled = |i: usize| {
            let near = by_plane.as_ref().is_some_and(|most| m[i].abs() > most[i]);
            near || by_dual.as_ref().is_some_and(|rows| rows[i])
        };
        Some((0..m.len()).map(settled).collect())
    }
}

/// How far each score can be from the exact optimum's.
fn by_plane(objective: &Objective<'_>, radius: Option<f64>) -> Option<Vec<f64>> {
    let radius = radius?;
    let norms: Vec<f64> = objective.x().norms_sq().into_iter().map(f64::sqrt).collect();
    let most = if objective.intercept() {
        norms.iter().fold(0.0_f64, |most, norm| most.max(*norm))
    } else {
        0.0
    };
    Some(norms.into_iter().map(|norm| radius * (norm + most)).collect())
}

/// Which rows are settled by their α.
fn by_dual(objective: &Objective<'_>, m: &[f64], primal: f64) -> Option<Vec<bool>> {
    let loss = objective.loss();
    let bound = loss.curvature_bound()?;
    // The α that goes with these margins, with its own gap: the one at hand may belong to another α.
    let mut alpha = vec![0.0; m.len()];
    gap::alpha_of_margins(objective, m, &mut alpha);
    let (mut u, mut room) = (vec![0.0; objective.x().d()], vec![0.0; m.len()]);
    let mut combination = Combination::new(objective.x());
    let value = gap::dual_value(objective, &mut alpha, &mut combination, &mut u, &mut room);
    let gap = (primal - value).max(gap::FLOOR * (primal + value.abs()));
    let edge = -loss.slope(0.0);
    let settled = |((alpha, &m), &s): ((&f64, &f64), &f64)| {
        let most = (2.0 * bound * gap * objective.total() / s).sqrt();
        (m > 0.0 && alpha + most < edge) || (m < 0.0 && alpha - most > edge)
    };
    Some(alpha.iter().zip(m).zip(objective.s()).map(settled).collect())
}
