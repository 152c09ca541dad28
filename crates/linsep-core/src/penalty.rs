//! Penalty λ₁‖w‖₁ + (λ₂/2)‖w‖². The intercept is never penalized.
//!
//! `l2`, `l1`, `elastic-net` and `none` ([`crate::options::Penalty`]) are one function of two
//! strengths, so one type represents them. Its conjugate, per coefficient, is
//!
//! ```text
//!   R*(u) = max(0, |u| − λ₁)² / (2λ₂),      λ₂ = 0: 0 where |u| ≤ λ₁, else ∞.
//! ```

use crate::error::Error;
use crate::math::kernels;

/// λ₁‖w‖₁ + (λ₂/2)‖w‖².
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Penalty {
    /// λ₁ ≥ 0.
    pub l1: f64,
    /// λ₂ ≥ 0.
    pub l2: f64,
}

/// Rejects strengths that are negative or not finite.
pub(crate) fn check_strength(got: f64) -> Result<(), Error> {
    if got.is_finite() && got >= 0.0 {
        return Ok(());
    }
    Err(Error::Setting { name: "lambda", got, want: "a finite number of at least 0" })
}

impl Penalty {
    /// (λ/2)‖w‖².
    pub fn l2(lambda: f64) -> Self {
        Self { l1: 0.0, l2: lambda }
    }

    /// λ‖w‖₁.
    pub fn l1(lambda: f64) -> Self {
        Self { l1: lambda, l2: 0.0 }
    }

    /// The name of the penalty, from which of its strengths are positive.
    pub fn name(&self) -> &'static str {
        match (self.l1 > 0.0, self.l2 > 0.0) {
            (false, false) => "none",
            (false, true) => "l2",
            (true, false) => "l1",
            (true, true) => "elastic-net",
        }
    }

    /// Whether any strength is positive.
    pub fn is_some(&self) -> bool {
        self.l1 > 0.0 || self.l2 > 0.0
    }

    /// Whether λ₂ > 0 and λ₁ = 0.
    pub(crate) fn is_l2_alone(&self) -> bool {
        self.l1 == 0.0 && self.l2 > 0.0
    }

    /// Checks that both strengths are finite and not negative.
    pub fn check(&self) -> Result<(), Error> {
        [self.l1, self.l2].into_iter().try_for_each(check_strength)
    }

    /// R(w), strengths included.
    pub fn value(&self, w: &[f64]) -> f64 {
        let mut value = 0.0;
        if self.l1 > 0.0 {
            value += self.l1 * w.iter().map(|w| w.abs()).sum::<f64>();
        }
        if self.l2 > 0.0 {
            value += 0.5 * self.l2 * kernels::norm_sq(w);
        }
        value
    }

    /// The conjugate at u. If λ₂ = 0, the caller guarantees |uⱼ| ≤ λ₁, and the value is 0.
    pub(crate) fn conjugate(&self, u: &[f64]) -> f64 {
        if self.l2 == 0.0 {
            return 0.0;
        }
        if self.l1 == 0.0 {
            return kernels::norm_sq(u) / (2.0 * self.l2);
        }
        let over = |u: &f64| (u.abs() - self.l1).max(0.0);
        u.iter().map(|u| over(u) * over(u)).sum::<f64>() / (2.0 * self.l2)
    }

    /// R(w) + R*(u) − u·w for λ₂ > 0, as a sum of nonnegative terms. With c = u clamped to \[−λ₁,
    /// λ₁\] and t = (u − c)/λ₂, they are (λ₂/2)(w − t)² and λ₁|w| − cw. At coefficient t, u is a
    /// subgradient of R.
    pub fn excess(&self, w: &[f64], u: &[f64]) -> f64 {
        let mut squares = 0.0;
        let mut corners = 0.0;
        for (&w, &u) in w.iter().zip(u) {
            let c = u.clamp(-self.l1, self.l1);
            let off = self.l2 * w - (u - c);
            squares += off * off;
            corners += self.l1 * w.abs() - c * w;
        }
        squares / (2.0 * self.l2) + corners
    }

    /// The minimizer w of (w − v)²/2 + step·(λ₁|w| + λ₂w²/2).
    #[inline]
    pub(crate) fn prox(&self, v: f64, step: f64) -> f64 {
        let short = (v.abs() - step * self.l1).max(0.0);
        short.copysign(v) / (1.0 + step * self.l2)
    }

    /// The distance of −g from the subdifferential at w: 0 if coefficient w is optimal for the
    /// derivative g of the loss.
    #[inline]
    pub fn distance(&self, w: f64, g: f64) -> f64 {
        if w == 0.0 {
            return (g.abs() - self.l1).max(0.0);
        }
        (g + self.l2 * w + self.l1.copysign(w)).abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn values_match_hand_computation() {
        let penalty = Penalty { l1: 0.5, l2: 2.0 };
        assert_eq!(penalty.value(&[1.0, -2.0]), 0.5 * 3.0 + 5.0);
        assert_eq!(penalty.conjugate(&[0.25, -2.5]), 4.0 / 4.0);
        assert_eq!(penalty.prox(3.0, 1.0), 2.5 / 3.0);
        assert_eq!(penalty.prox(-0.25, 1.0), 0.0);
        assert_eq!(penalty.distance(0.0, 0.75), 0.25);
        assert_eq!(penalty.distance(1.0, -2.5), 0.0);
    }

    proptest! {
        /// Fenchel–Young inequality: R(w) + R*(u) ≥ uw, with equality at a subgradient.
        #[test]
        fn conjugate_satisfies_fenchel_young(w in -3.0..3.0_f64, u in -3.0..3.0_f64) {
            let penalty = Penalty { l1: 0.5, l2: 0.75 };
            let gap = penalty.value(&[w]) + penalty.conjugate(&[u]) - u * w;
            prop_assert!(gap >= -1e-12);
            prop_assert!((penalty.excess(&[w], &[u]) - gap).abs() <= 1e-12);
            let at = penalty.l2 * w + penalty.l1.copysign(w);
            let sum = penalty.value(&[w]) + penalty.conjugate(&[at]);
            prop_assert!((sum - at * w).abs() < 1e-12);
        }

        /// No other coefficient has a lower cost than the prox.
        #[test]
        fn prox_minimizes_its_objective(v in -3.0..3.0_f64, other in -3.0..3.0_f64, step in 0.0..4.0_f64) {
            let penalty = Penalty { l1: 0.5, l2: 0.75 };
            let cost = |w: f64| 0.5 * (w - v) * (w - v) + step * penalty.value(&[w]);
            prop_assert!(cost(penalty.prox(v, step)) <= cost(other) + 1e-12);
        }
    }
}
