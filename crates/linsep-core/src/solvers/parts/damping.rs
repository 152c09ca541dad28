//! Damping: a share of the largest possible curvature, added to the actual curvature.
//!
//! If the curvature changes much along a step, the quadratic model has too little of it and the
//! step is too long. With the largest curvature every step is safe, but short. The share grows
//! after a shortened step and shrinks to 0 while full steps succeed; then they are Newton steps.

use crate::objective::Objective;

/// Row curvatures that give every coefficient at least 1/1000 of its maximum curvature. Without
/// them, a coefficient whose rows all lie on flat parts of the loss gets a zero or unbounded step.
/// `None` if the loss has no flat part.
pub(crate) fn floor(objective: &Objective<'_>) -> Option<Vec<f64>> {
    const FLOOR: f64 = 1e-3;
    if objective.loss().flat().1.is_infinite() {
        return None;
    }
    let least = FLOOR * objective.loss().curvature_bound().unwrap_or(0.0) / objective.total();
    Some(objective.s().iter().map(|s| s * least).collect())
}

/// Share of the largest curvature.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Damping {
    share: f64,
}

impl Damping {
    const LEAST: f64 = 1e-4;
    const MOST: f64 = 0.5;

    pub(crate) fn share(self) -> f64 {
        self.share
    }

    /// Adds the share to the curvature of every row, sᵢℓ″/S.
    pub(crate) fn add_to(self, objective: &Objective<'_>, c: &mut [f64]) {
        let more = self.share * objective.loss().curvature_bound().unwrap_or(0.0);
        if more > 0.0 {
            let more = more / objective.total();
            c.iter_mut().zip(objective.s()).for_each(|(c, s)| *c += more * s);
        }
    }

    /// Increases the share after a failed step. `false` if the share was 1 already: then a step can
    /// fail only by rounding.
    pub(crate) fn stiffen(&mut self) -> bool {
        let before = self.share;
        self.share = (self.share * 8.0).clamp(Self::LEAST, 1.0);
        before < 1.0
    }

    /// Adapts the share to the accepted step length t.
    pub(crate) fn learn(&mut self, t: f64) {
        if t < 0.5 {
            self.share = (self.share * 8.0).clamp(Self::LEAST, Self::MOST);
        } else {
            self.share = if self.share > Self::LEAST { self.share / 4.0 } else { 0.0 };
        }
    }
}
