//! BFGS updates of the inverse curvature, for the part that the information lacks.
//!
//! Firth's penalty adds curvature to ℓ*. With few rows, or far from the estimate on a profile, its
//! share is large. Fisher scoring uses the information alone and converges slowly there: the error
//! may shrink by only a few percent per step. Successive steps determine the missing curvature.
//! With s the last step and y the decrease of the score along it,
//!
//! ```text
//!   G ← (1 − ρ s yᵀ) G (1 − ρ y sᵀ) + ρ s sᵀ,     ρ = 1/(sᵀy),
//! ```
//!
//! started at I⁻¹, G approaches the inverse of the full curvature, and the step G U* approaches
//! Newton's step.
//!
//! Cost: p² per step. Source: Nocedal & Wright, *Numerical Optimization* (2nd ed.), §6.1 (BFGS).

use crate::math::kernels::{axpy, dot};
use crate::math::linalg::Cholesky;

/// G, symmetric, stored row after row.
pub(super) struct Secant {
    inverse: Vec<f64>,
    p: usize,
}

impl Secant {
    /// Returns I⁻¹, for p coefficients.
    pub(super) fn new(information: &Cholesky, p: usize) -> Self {
        let mut inverse = vec![0.0; p * p];
        for (k, row) in inverse.chunks_exact_mut(p).enumerate() {
            row[k] = 1.0;
            information.solve(row);
        }
        Self { inverse, p }
    }

    /// Returns G v.
    pub(super) fn times(&self, v: &[f64]) -> Vec<f64> {
        self.inverse.chunks_exact(self.p).map(|row| dot(row, v)).collect()
    }

    /// Updates G by a step and the decrease of the score along it; skips steps without positive
    /// curvature.
    pub(super) fn learn(&mut self, step: &[f64], fall: &[f64]) {
        let along = dot(step, fall);
        if !(along.is_finite() && along > 0.0) {
            return;
        }
        let g = self.times(fall);
        let factor = (1.0 + dot(fall, &g) / along) / along;
        for (k, row) in self.inverse.chunks_exact_mut(self.p).enumerate() {
            axpy(factor * step[k] - g[k] / along, step, row);
            axpy(-step[k] / along, &g, row);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secant_equation_holds_and_conjugate_steps_give_the_inverse() {
        // The curvature is [[4, 1], [1, 3]], the starting point its diagonal.
        let curve = |s: [f64; 2]| [4.0 * s[0] + s[1], s[0] + 3.0 * s[1]];
        let start = Cholesky::exact(&[4.0, 0.0, 0.0, 3.0], 2, 0.0).unwrap();
        let mut secant = Secant::new(&start, 2);
        let near = |secant: &Secant, s: [f64; 2]| {
            let got = secant.times(&curve(s));
            (got[0] - s[0]).abs() + (got[1] - s[1]).abs() < 1e-14
        };
        // Conjugate steps: the second does not affect the curvature along the first.
        let (one, two) = ([1.0, 0.0], [-1.0, 4.0]);
        secant.learn(&one, &curve(one));
        assert!(near(&secant, one) && !near(&secant, two));
        secant.learn(&two, &curve(two));
        assert!(near(&secant, one) && near(&secant, two));
        // A step with increasing score is skipped.
        secant.learn(&one, &[-1.0, 0.0]);
        assert!(near(&secant, one));
    }
}
