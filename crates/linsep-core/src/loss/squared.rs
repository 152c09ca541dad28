//! Squared loss: ℓ(m) = (1 − m)², which is (z − y)² as y = ±1.
//!
//! Least squares on the class labels ±1. Slope −2 (1−m), curvature 2. Unlike the other losses it
//! increases for m > 1: **correctly** classified rows far from the hyperplane have a large loss, so
//! outliers can shift the hyperplane until it misclassifies other rows. Dual: α − α²/4 for every α.
//!
//! Source: Bishop, *Pattern Recognition and Machine Learning*, §4.1.3.

use super::{Loss, outward};

/// (1 − m)².
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Squared;

impl Loss for Squared {
    fn name(&self) -> &'static str {
        "squared"
    }

    fn about(&self) -> &'static str {
        "(1−m)²: least squares"
    }

    fn method(&self) -> Option<&'static str> {
        Some("least-squares")
    }

    #[inline]
    fn value(&self, m: f64) -> f64 {
        (1.0 - m) * (1.0 - m)
    }

    #[inline]
    fn slope(&self, m: f64) -> f64 {
        -2.0 * (1.0 - m)
    }

    #[inline]
    fn curvature(&self, _m: f64) -> f64 {
        2.0
    }

    fn curvature_bound(&self) -> Option<f64> {
        Some(2.0)
    }

    fn dual(&self, a: f64) -> f64 {
        a - 0.25 * a * a
    }

    /// The excess is (1 − m − α/2)².
    fn margins_within(&self, alpha: f64, g: f64) -> (f64, f64) {
        let (middle, reach) = (1.0 - 0.5 * alpha, g.sqrt());
        outward(middle - reach, middle + reach, 1.0 + alpha.abs() + reach)
    }

    #[inline]
    fn dual_step(&self, alpha: f64, m: f64, q: f64) -> f64 {
        (1.0 - m + q * alpha) / (q + 0.5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_computed_values_on_both_sides_of_margin_one() {
        assert_eq!(Squared.all(3.0), [4.0, 4.0, 2.0]);
        assert_eq!(Squared.all(0.5), [0.25, -1.0, 2.0]);
    }
}
