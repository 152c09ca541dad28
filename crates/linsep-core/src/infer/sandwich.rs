//! Sandwich standard errors, robust against misspecification.
//!
//! ```text
//!   V = I⁻¹ B I⁻¹,     B = Σ sᵢ (tᵢ − πᵢ)² x̃ᵢ x̃ᵢᵀ
//! ```
//!
//! If the model is correct, B is about I and V about I⁻¹. If it is misspecified but rows are
//! independent, V still estimates the variance. The estimate is then of the hyperplane closest to
//! the truth in likelihood. **HC0** is V, **HC1** is V n/(n − p), with n = Σ sᵢ, since a row of
//! sample weight 2 counts as two rows, each with its own square.
//!
//! Source: White, *Maximum likelihood estimation of misspecified models*, Econometrica 50 (1982).

use super::likelihood::{Likelihood, Point};
use crate::control::Cancel;
use crate::loss::{Logistic, Loss};
use crate::math::kernels::dot;

/// B, as a full matrix, and the factor of V.
pub(super) struct Sandwich {
    meat: Vec<f64>,
    factor: f64,
}

impl Sandwich {
    /// Computes B at a maximum; V is multiplied by `factor`.
    pub(super) fn new(likelihood: &Likelihood<'_>, point: &Point, factor: f64) -> Self {
        let m = likelihood.margins(&point.beta);
        // |tᵢ − πᵢ| = σ(−mᵢ), minus the slope of the loss.
        let square = |(m, s): (&f64, &f64)| s * Logistic.slope(*m).powi(2);
        let c: Vec<f64> = m.iter().zip(likelihood.problem().s()).map(square).collect();
        let (p, mut filling) = (
            point.beta.len(),
            likelihood.gram(&c, &Cancel::default()).expect("this token is never set"),
        );
        for j in 0..p {
            (j + 1..p).for_each(|i| filling[i * p + j] = filling[j * p + i]);
        }
        Self { meat: filling, factor }
    }

    /// Returns aᵀ V b, given I⁻¹a and I⁻¹b.
    pub(super) fn covariance(&self, a: &[f64], b: &[f64]) -> f64 {
        let p = a.len();
        let rows = self.meat.chunks_exact(p).map(|row| dot(row, b));
        let product: Vec<f64> = rows.collect();
        self.factor * dot(a, &product)
    }
}
