//! Smooth hinge: the hinge loss smoothed between margins 0 and 1.
//!
//! ```text
//!   ℓ(m) = 0 where m ≥ 1,   (1−m)²/2 where 0 < m < 1,   1/2 − m where m ≤ 0
//! ```
//!
//! Slope −min(1, max(0, 1−m)), curvature 1 in between (bound 1). Linear like the hinge for
//! misclassified rows, and differentiable everywhere. Dual: α − α²/2 for 0 ≤ α ≤ 1.
//!
//! Source: Rennie & Srebro, *Loss functions for preference levels*, IJCAI workshop (2005);
//! Shalev-Shwartz & Zhang, *Stochastic dual coordinate ascent*, JMLR 14 (2013), with γ = 1.

use super::{Loss, PiecewiseQuadratic};

/// The hinge loss, smoothed between margins 0 and 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SmoothHinge;

impl Loss for SmoothHinge {
    fn name(&self) -> &'static str {
        "smooth-hinge"
    }

    fn about(&self) -> &'static str {
        "hinge, smoothed at the kink"
    }

    #[inline]
    fn value(&self, m: f64) -> f64 {
        let short = (1.0 - m).max(0.0);
        if short < 1.0 { 0.5 * short * short } else { short - 0.5 }
    }

    #[inline]
    fn slope(&self, m: f64) -> f64 {
        -(1.0 - m).clamp(0.0, 1.0)
    }

    #[inline]
    fn curvature(&self, m: f64) -> f64 {
        if (0.0..1.0).contains(&m) { 1.0 } else { 0.0 }
    }

    #[inline]
    fn pieces(&self) -> Option<PiecewiseQuadratic> {
        Some(PiecewiseQuadratic { corner: 1.0, gamma: 1.0, most: 1.0 })
    }

    #[inline]
    fn dual_step(&self, alpha: f64, m: f64, q: f64) -> f64 {
        ((1.0 - m + q * alpha) / (1.0 + q)).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_computed_values_on_each_of_the_three_pieces() {
        assert_eq!(SmoothHinge.all(1.0), [0.0, 0.0, 0.0]);
        assert_eq!(SmoothHinge.all(0.5), [0.125, -0.5, 1.0]);
        assert_eq!(SmoothHinge.all(-2.0), [2.5, -1.0, 0.0]);
    }
}
