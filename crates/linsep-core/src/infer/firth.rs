//! Firth's penalty, which removes the bias of order 1/n from the estimate and keeps it finite for
//! separable classes.
//!
//! ```text
//!   ℓ*(β) = ℓ(β) + ½ ln det I(β)
//!   U*(β) = U(β) + Σ sᵢ hᵢ (½ − πᵢ) x̃ᵢ,     hᵢ = πᵢ(1 − πᵢ) x̃ᵢᵀ I⁻¹ x̃ᵢ
//! ```
//!
//! where hᵢ is the leverage of one of the sᵢ observations of row i. Derivation: the j-th partial
//! derivative of ½ ln det I is ½ tr(I⁻¹ ∂ⱼI), and ∂ⱼI = Σ sᵢ πᵢ(1 − πᵢ)(1 − 2πᵢ) xᵢⱼ x̃ᵢ x̃ᵢᵀ, so
//! the derivative is Σ sᵢ hᵢ (½ − πᵢ) xᵢⱼ.
//!
//! The estimate is the posterior mode under Jeffreys' prior. As ‖β‖ grows, det I falls to 0 at
//! least as fast as some e^(−c‖β‖), so **a maximum exists whenever the columns have full rank**,
//! separated or not. Uniqueness of the stationary point is not proved. The units of columns change
//! ℓ* by a constant and do not affect its maximizer.
//!
//! The first steps are those of Fisher scoring, p = I⁻¹ U*: Newton's method without the curvature
//! of the penalty. With n rows the penalty has a share of about p/n; if it is large,
//! [`super::secant`] estimates its curvature from the steps.
//!
//! Source: Firth, *Bias reduction of maximum likelihood estimates*, Biometrika 80 (1993); Heinze &
//! Schemper, *A solution to the problem of separation in logistic regression*, Statistics in
//! Medicine 21 (2002), for tests and intervals; Kosmidis & Firth, *Jeffreys-prior penalty,
//! finiteness and shrinkage in binomial-response generalized linear models*, Biometrika 108 (2021),
//! for finiteness.

use crate::loss::{Logistic, Loss};

/// Computes r ← r + sᵢ hᵢ (½ − πᵢ), from the margins, cᵢ = sᵢ πᵢ(1 − πᵢ) and x̃ᵢᵀ I⁻¹ x̃ᵢ.
pub(super) fn add_to_residuals(m: &[f64], y: &[f64], c: &[f64], spread: &[f64], r: &mut [f64]) {
    let rows = r.iter_mut().zip(m).zip(y).zip(c.iter().zip(spread));
    for (((r, m), y), (c, spread)) in rows {
        // σ(z) is minus the slope of the loss at −z.
        *r += c * spread * (0.5 + Logistic.slope(-m * y));
    }
}
