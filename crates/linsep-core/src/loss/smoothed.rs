//! Smoothed loss: a piecewise linear loss with a quadratic piece at its kink (Nesterov, 2005).
//!
//! ```text
//!   ℓ_γ(m) = max over 0 ≤ α ≤ 1 of α(c − m) − γα²/2
//!          = 0 where m ≥ c,   (c−m)²/2γ where c−γ < m < c,   c − m − γ/2 where m ≤ c−γ
//! ```
//!
//! with kink c: 1 for the hinge loss, 0 for the perceptron loss. It is at most γ/2 below the loss.
//! Slope −min(1, max(0, (c−m)/γ)), curvature 1/γ in the quadratic piece. Dual: cα − γα²/2 for 0 ≤ α
//! ≤ 1. With c = γ = 1 it is the smooth hinge.
//!
//! It is not registered among the losses: solvers use it as an approximation of the loss itself.
//!
//! Source: Nesterov, *Smooth minimization of non-smooth functions*, Mathematical Programming 103
//! (2005).

use super::{Loss, PiecewiseQuadratic};

/// A loss smoothed at its kink.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SmoothedLoss {
    corner: f64,
    gamma: f64,
}

impl SmoothedLoss {
    /// Smooths the kink of `loss`, which must have one, with width γ > 0.
    pub(crate) fn new(loss: &dyn Loss, gamma: f64) -> Self {
        Self { corner: loss.flat().1, gamma }
    }

    /// The α of a margin, `−ℓ_γ′(m)`.
    #[inline]
    fn alpha(&self, m: f64) -> f64 {
        ((self.corner - m) / self.gamma).clamp(0.0, 1.0)
    }
}

impl Loss for SmoothedLoss {
    fn name(&self) -> &'static str {
        "rounded"
    }

    fn about(&self) -> &'static str {
        "a loss, smoothed at the kink"
    }

    #[inline]
    fn value(&self, m: f64) -> f64 {
        let alpha = self.alpha(m);
        alpha * (self.corner - m) - 0.5 * self.gamma * alpha * alpha
    }

    #[inline]
    fn slope(&self, m: f64) -> f64 {
        -self.alpha(m)
    }

    #[inline]
    fn curvature(&self, m: f64) -> f64 {
        if m < self.corner && m > self.corner - self.gamma { 1.0 / self.gamma } else { 0.0 }
    }

    #[inline]
    fn pieces(&self) -> Option<PiecewiseQuadratic> {
        Some(PiecewiseQuadratic { corner: self.corner, gamma: self.gamma, most: 1.0 })
    }

    #[inline]
    fn dual_step(&self, alpha: f64, m: f64, q: f64) -> f64 {
        ((self.corner - m + q * alpha) / (self.gamma + q)).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss::{Hinge, Perceptron, SmoothHinge};

    #[test]
    fn smoothed_loss_is_within_half_gamma_and_equals_the_smooth_hinge_at_gamma_one() {
        for gamma in [1.0, 0.25, 1e-3] {
            for loss in [&Hinge as &dyn Loss, &Perceptron] {
                let rounded = SmoothedLoss::new(loss, gamma);
                for k in -300..300 {
                    let m = f64::from(k) * 0.01;
                    let below = loss.value(m) - rounded.value(m);
                    assert!((-1e-15..=0.5 * gamma + 1e-15).contains(&below), "{gamma} {m} {below}");
                    if gamma == 1.0 && loss.name() == "hinge" {
                        assert!((rounded.value(m) - SmoothHinge.value(m)).abs() < 1e-15);
                        assert_eq!(rounded.slope(m), SmoothHinge.slope(m));
                    }
                    // The slope matches the value, and the excess is 0 at its α.
                    let h = 1e-7;
                    let slope = (rounded.value(m + h) - rounded.value(m - h)) / (2.0 * h);
                    assert!((slope - rounded.slope(m)).abs() < 1e-7 / gamma + 1e-7);
                    let a = -rounded.slope(m);
                    assert!(rounded.excess(a, m).abs() < 1e-12);
                    assert!(rounded.excess(0.3, m) > -1e-12);
                    // No other α has a larger gain than the dual step.
                    let best = rounded.dual_step(0.4, m, 0.7);
                    let gain = |a: f64| rounded.dual(a) - (a - 0.4) * m - 0.35 * (a - 0.4).powi(2);
                    for other in 0..=20 {
                        assert!(gain(best) >= gain(f64::from(other) * 0.05) - 1e-12);
                    }
                }
            }
        }
    }
}
