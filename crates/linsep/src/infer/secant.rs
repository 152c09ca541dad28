//! Curvature learned from steps, where the information is not all of it.
//!
//! Firth's penalty bends ℓ* too. With few rows, or far out on a profile, its share is large, and scoring, which knows of the information alone,
//! creeps: the error may shrink by a few parts in a hundred at a step. The steps themselves tell the rest. With s the last step and y the fall of the score along it,
//!
//! ```text
//!   G ← (1 − ρ s yᵀ) G (1 − ρ y sᵀ) + ρ s sᵀ,     ρ = 1/(sᵀy),
//! ```
//!
//! begun at I⁻¹, is ever more like the inverse of the whole curvature, and a step G U* ever more like Newton's.
//!
//! Cost: p² at a step. Source: Nocedal & Wright, *Numerical Optimization* (2nd ed.), §6.1 (BFGS).

use crate::math::kernels::{axpy, dot};
use crate::math::linalg::Cholesky;

/// G, symmetric, row after row.
pub(super) struct Secant {
    inverse: Vec<f64>,
    p: usize,
}

impl Secant {
    /// I⁻¹, for p coefficients.
    pub(super) fn new(information: &Cholesky, p: usize) -> Self {
        let mut inverse = vec![0.0; p * p];
        for (k, row) in inverse.chunks_exact_mut(p).enumerate() {
            row[k] = 1.0;
            information.solve(row);
        }
        Self { inverse, p }
    }

    /// G v.
    pub(super) fn times(&self, v: &[f64]) -> Vec<f64> {
        self.inverse.chunks_exact(self.p).map(|row| dot(row, v)).collect()
    }

    /// Takes a step and the fall of the score along it into account, unless they say that there is no top.
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
    fn what_was_learned_is_known_and_steps_of_all_directions_are_all() {
        // The curvature is [[4, 1], [1, 3]], the start its diagonal.
        let curve = |s: [f64; 2]| [4.0 * s[0] + s[1], s[0] + 3.0 * s[1]];
        let start = Cholesky::exact(&[4.0, 0.0, 0.0, 3.0], 2, 0.0).unwrap();
        let mut secant = Secant::new(&start, 2);
        let near = |secant: &Secant, s: [f64; 2]| {
            let got = secant.times(&curve(s));
            (got[0] - s[0]).abs() + (got[1] - s[1]).abs() < 1e-14
        };
        // Conjugate steps: the second has no part in the curvature along the first.
        let (one, two) = ([1.0, 0.0], [-1.0, 4.0]);
        secant.learn(&one, &curve(one));
        assert!(near(&secant, one) && !near(&secant, two));
        secant.learn(&two, &curve(two));
        assert!(near(&secant, one) && near(&secant, two));
        // A score that rises along a step says nothing of a top.
        secant.learn(&one, &[-1.0, 0.0]);
        assert!(near(&secant, one));
    }
}
