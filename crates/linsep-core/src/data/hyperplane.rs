//! Hyperplane h = (w, b) in feature space: z = w·x + b.

use super::{Design, Rows, on_rows};
use crate::float;
use serde::{Deserialize, Serialize};

/// Coefficients and intercept.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Hyperplane {
    /// Coefficients: the normal vector of the hyperplane.
    #[serde(with = "float")]
    pub w: Vec<f64>,
    /// Intercept: the offset of the hyperplane.
    #[serde(with = "float")]
    pub b: f64,
}

impl Clone for Hyperplane {
    fn clone(&self) -> Self {
        Self { w: self.w.clone(), b: self.b }
    }

    /// Reuses the allocation, which dominates the time with many columns.
    fn clone_from(&mut self, from: &Self) {
        self.w.clone_from(&from.w);
        self.b = from.b;
    }
}

impl Hyperplane {
    /// h = 0: every score is 0.
    pub fn zero(d: usize) -> Self {
        Self { w: vec![0.0; d], b: 0.0 }
    }

    /// A copy that for h = 0 allocates zeroed memory, which is touched only when it is written to.
    pub(crate) fn copy(&self) -> Self {
        if self.is_zero() { Self::zero(self.d()) } else { self.clone() }
    }

    /// Number of features.
    pub fn d(&self) -> usize {
        self.w.len()
    }

    /// Score of row i.
    #[inline]
    pub fn score<X: Rows>(&self, x: &X, i: usize) -> f64 {
        x.dot(i, &self.w) + self.b
    }

    /// Scores of all rows.
    pub fn scores(&self, x: &Design) -> Vec<f64> {
        on_rows!(x, x => (0..x.n()).map(|i| self.score(x, i)).collect())
    }

    /// h ← 0.
    pub fn clear(&mut self) {
        self.w.fill(0.0);
        self.b = 0.0;
    }

    /// h ← h + a (xᵢ, 1): the intercept is the coefficient of a constant 1.
    #[inline]
    pub(crate) fn add_row<X: Rows>(&mut self, a: f64, x: &X, i: usize) {
        x.axpy(a, i, &mut self.w);
        self.b += a;
    }

    /// h ← h + a g.
    pub fn step(&mut self, a: f64, g: &Self) {
        for (w, g) in self.w.iter_mut().zip(&g.w) {
            *w += a * g;
        }
        self.b += a * g.b;
    }

    /// h ← a h.
    pub fn scale(&mut self, a: f64) {
        self.w.iter_mut().for_each(|w| *w *= a);
        self.b *= a;
    }

    /// h·g, including the intercepts.
    pub fn dot(&self, g: &Self) -> f64 {
        crate::math::kernels::dot(&self.w, &g.w) + self.b * g.b
    }

    /// ‖h‖², including the intercept.
    pub fn norm_sq(&self) -> f64 {
        crate::math::kernels::norm_sq(&self.w) + self.b * self.b
    }

    /// Whether h = 0 exactly.
    pub fn is_zero(&self) -> bool {
        self.b == 0.0 && self.w.iter().all(|&w| w == 0.0)
    }

    /// Whether every element is finite.
    pub fn is_finite(&self) -> bool {
        self.b.is_finite() && self.w.iter().all(|w| w.is_finite())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_changes_coefficients_and_intercept() {
        let mut h = Hyperplane { w: vec![1.0, 2.0], b: 3.0 };
        h.step(2.0, &Hyperplane { w: vec![0.5, -1.0], b: 1.0 });
        assert_eq!(h, Hyperplane { w: vec![2.0, 0.0], b: 5.0 });
        assert_eq!(h.norm_sq(), 29.0);
        h.clear();
        assert!(h.is_zero());
    }

    #[test]
    fn scores_are_the_same_for_every_storage() {
        let h = Hyperplane { w: vec![2.0, -1.0], b: 0.5 };
        let dense = Design::dense(2, 2, vec![1.0, 0.0, 3.0, 4.0]).unwrap();
        let sparse = Design::sparse(2, vec![0, 1, 3], vec![0, 0, 1], vec![1.0, 3.0, 4.0]).unwrap();
        assert_eq!(h.scores(&dense), [2.5, 2.5]);
        assert_eq!(h.scores(&sparse), [2.5, 2.5]);
    }
}
