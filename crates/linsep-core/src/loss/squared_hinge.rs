//! Squared hinge loss: ℓ(m) = max(0, 1 − m)².
//!
//! The hinge without its kink: slope −2 max(0, 1−m), curvature 2 where m < 1 (bound 2), so gradient
//! methods apply. Rows with large negative margins have a larger loss than with the hinge. Dual: α
//! − α²/4 for α ≥ 0.
//!
//! Source: Chang, Hsieh & Lin, *Coordinate descent method for large-scale L2-loss linear support
//! vector machines*, JMLR 9 (2008).

use super::{Loss, PiecewiseQuadratic};

/// max(0, 1 − m)².
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SquaredHinge;

impl Loss for SquaredHinge {
    fn name(&self) -> &'static str {
        "squared-hinge"
    }

    fn about(&self) -> &'static str {
        "max(0, 1−m)²: squared hinge"
    }

    #[inline]
    fn value(&self, m: f64) -> f64 {
        let short = (1.0 - m).max(0.0);
        short * short
    }

    #[inline]
    fn slope(&self, m: f64) -> f64 {
        -2.0 * (1.0 - m).max(0.0)
    }

    #[inline]
    fn curvature(&self, m: f64) -> f64 {
        if m < 1.0 { 2.0 } else { 0.0 }
    }

    #[inline]
    fn pieces(&self) -> Option<PiecewiseQuadratic> {
        Some(PiecewiseQuadratic { corner: 1.0, gamma: 0.5, most: f64::INFINITY })
    }

    #[inline]
    fn dual_step(&self, alpha: f64, m: f64, q: f64) -> f64 {
        ((1.0 - m + q * alpha) / (q + 0.5)).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_computed_values_on_each_side_of_margin_one() {
        assert_eq!(SquaredHinge.all(2.0), [0.0, 0.0, 0.0]);
        assert_eq!(SquaredHinge.all(-1.5), [6.25, -5.0, 2.0]);
        assert_eq!(SquaredHinge.dual_step(0.0, 0.0, 0.5), 1.0);
    }
}
