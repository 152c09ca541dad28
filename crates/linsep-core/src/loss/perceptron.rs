//! Perceptron loss: ℓ(m) = max(0, −m).
//!
//! The loss of a misclassified row is −m = |z|, which is ‖w‖ times its distance from the
//! hyperplane. Slope −1 where m ≤ 0 (a row on the hyperplane counts as misclassified), else 0.
//! Convex, with a kink at 0, and positively homogeneous: ℓ(cm) = c ℓ(m) for c > 0. Its minimum over
//! hyperplanes is therefore always 0, attained at least at h = 0. Perceptron solvers hence select
//! hyperplanes by mistakes instead. Dual: 0 for 0 ≤ α ≤ 1.
//!
//! Source: Rosenblatt (1958); Duda, Hart & Stork, *Pattern Classification*, §5.5.

use super::{Loss, PiecewiseQuadratic};

/// max(0, −m).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Perceptron;

impl Loss for Perceptron {
    fn name(&self) -> &'static str {
        "perceptron"
    }

    fn about(&self) -> &'static str {
        "max(0, −m): perceptron criterion"
    }

    fn method(&self) -> Option<&'static str> {
        Some("perceptron")
    }

    #[inline]
    fn value(&self, m: f64) -> f64 {
        (-m).max(0.0)
    }

    #[inline]
    fn slope(&self, m: f64) -> f64 {
        if m > 0.0 { 0.0 } else { -1.0 }
    }

    fn curvature(&self, _m: f64) -> f64 {
        0.0
    }

    #[inline]
    fn pieces(&self) -> Option<PiecewiseQuadratic> {
        Some(PiecewiseQuadratic { corner: 0.0, gamma: 0.0, most: 1.0 })
    }

    fn dual_step(&self, alpha: f64, m: f64, q: f64) -> f64 {
        if q > 0.0 {
            (alpha - m / q).clamp(0.0, 1.0)
        } else if m < 0.0 {
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
        assert_eq!((Perceptron.value(2.0), Perceptron.slope(2.0)), (0.0, 0.0));
        assert_eq!((Perceptron.value(-2.0), Perceptron.slope(-2.0)), (2.0, -1.0));
        assert_eq!((Perceptron.value(0.0), Perceptron.slope(0.0)), (0.0, -1.0));
    }
}
