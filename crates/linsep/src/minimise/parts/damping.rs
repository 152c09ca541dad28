//! How much of the largest curvature there can be is mixed into the curvature there is.
//!
//! Where curvature changes much along a step, the parabola knows too little, and its step goes too far. With the largest curvature alone every step is
//! safe, and short. The share grows when a step had to be cut, and shrinks to nothing while steps are good: then they are Newton's.

use crate::objective::Objective;

/// The curvature of rows by which no weight has less than a thousandth of the most it can have: where every row of a column is on a flat part of the
/// loss there is none, and a weight would stay where it is, or go to the ends of the world. `None` where the loss is flat nowhere.
pub(crate) fn floor(objective: &Objective<'_>) -> Option<Vec<f64>> {
    const FLOOR: f64 = 1e-3;
    if objective.loss().flat().1.is_infinite() {
        return None;
    }
    let least = FLOOR * objective.loss().curvature_bound().unwrap_or(0.0) / objective.total();
    Some(objective.s().iter().map(|s| s * least).collect())
}

/// The share.
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

    /// Mixes it into the curvature of every row, sᵢℓ″/S.
    pub(crate) fn add_to(self, objective: &Objective<'_>, c: &mut [f64]) {
        let more = self.share * objective.loss().curvature_bound().unwrap_or(0.0);
        if more > 0.0 {
            let more = more / objective.total();
            c.iter_mut().zip(objective.s()).for_each(|(c, s)| *c += more * s);
        }
    }

    /// After a step that led nowhere: more of it. `false` where the largest curvature is in it already, and so no step by it can fail but
    /// for rounding.
    pub(crate) fn stiffen(&mut self) -> bool {
        let before = self.share;
        self.share = (self.share * 8.0).clamp(Self::LEAST, 1.0);
        before < 1.0
    }

    /// From how far the last step could go along its direction.
    pub(crate) fn learn(&mut self, t: f64) {
        if t < 0.5 {
            self.share = (self.share * 8.0).clamp(Self::LEAST, Self::MOST);
        } else {
            self.share = if self.share > Self::LEAST { self.share / 4.0 } else { 0.0 };
        }
    }
}
