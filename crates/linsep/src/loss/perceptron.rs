//! Perceptron loss: ℓ(z, y) = max(0, −yz).
//!
//! The cost of a row on the wrong side is its score, which is ‖w‖ times its distance from the
//! plane. Slope −y where yz ≤ 0 (a row on the plane counts as wrong), else 0. Convex, with a kink
//! at 0, and positively homogeneous: ℓ(cz, y) = c ℓ(z, y) for c > 0, so its minimum over planes is
//! always 0, at h = 0 at least. That is why perceptron solvers judge planes by mistakes instead.
//!
//! Source: Rosenblatt (1958); Duda, Hart & Stork, *Pattern Classification*, §5.5.

use super::Loss;

/// max(0, −yz).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Perceptron;

impl Loss for Perceptron {
    fn name(&self) -> &'static str {
        "perceptron"
    }

    #[inline]
    fn value(&self, z: f64, y: f64) -> f64 {
        (-y * z).max(0.0)
    }

    #[inline]
    fn slope(&self, z: f64, y: f64) -> f64 {
        if y * z > 0.0 { 0.0 } else { -y }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_computed_on_each_side_of_the_kink() {
        assert_eq!((Perceptron.value(2.0, 1.0), Perceptron.slope(2.0, 1.0)), (0.0, 0.0));
        assert_eq!((Perceptron.value(2.0, -1.0), Perceptron.slope(2.0, -1.0)), (2.0, 1.0));
        assert_eq!((Perceptron.value(0.0, 1.0), Perceptron.slope(0.0, 1.0)), (0.0, -1.0));
    }
}
