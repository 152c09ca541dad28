//! Hinge loss ℓ(m) = max(0, 1 − m) of the support vector machine.
//!
//! A row with margin m ≥ 1 has loss 0. Slope −1 where m < 1, else 0; support vectors lie at or
//! below the kink at 1. Dual: α for 0 ≤ α ≤ 1.
//!
//! Source: Cortes & Vapnik, *Support-vector networks*, Machine Learning 20 (1995).

use super::{Loss, MulticlassLoss, PiecewiseQuadratic};

/// max(0, 1 − m).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hinge;

impl Loss for Hinge {
    fn name(&self) -> &'static str {
        "hinge"
    }

    fn about(&self) -> &'static str {
        "max(0, 1−m): support vector machine"
    }

    fn method(&self) -> Option<&'static str> {
        Some("svm")
    }

    fn multiclass(&self) -> Option<MulticlassLoss> {
        Some(MulticlassLoss::CrammerSinger)
    }

    #[inline]
    fn value(&self, m: f64) -> f64 {
        (1.0 - m).max(0.0)
    }

    #[inline]
    fn slope(&self, m: f64) -> f64 {
        if m < 1.0 { -1.0 } else { 0.0 }
    }

    fn curvature(&self, _m: f64) -> f64 {
        0.0
    }

    #[inline]
    fn pieces(&self) -> Option<PiecewiseQuadratic> {
        Some(PiecewiseQuadratic { corner: 1.0, gamma: 0.0, most: 1.0 })
    }

    #[inline]
    fn dual_step(&self, alpha: f64, m: f64, q: f64) -> f64 {
        if q > 0.0 {
            (alpha + (1.0 - m) / q).clamp(0.0, 1.0)
        } else if m < 1.0 {
            1.0
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_computed_values_on_each_side_of_the_kink() {
        assert_eq!((Hinge.value(2.0), Hinge.slope(2.0)), (0.0, 0.0));
        assert_eq!((Hinge.value(1.0), Hinge.slope(1.0)), (0.0, 0.0));
        assert_eq!((Hinge.value(-1.5), Hinge.slope(-1.5)), (2.5, -1.0));
        assert_eq!(Hinge.dual_step(0.25, 0.0, 2.0), 0.75);
    }
}
