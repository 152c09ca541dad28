//! Coefficient matrix of k hyperplanes: the k coefficients of one feature are contiguous.
//!
//! ```text
//!   w = w₁₁ w₂₁ … w_k1 · w₁₂ w₂₂ … w_k2 · … · b₁ b₂ … b_k
//! ```
//!
//! So the k scores of a row take one pass over its stored values, each of which meets k contiguous
//! coefficients. Hyperplanes stored one after the other would take k passes. Each feature is padded
//! with zeros to a multiple of four coefficients, so that the inner loop has no remainder. Scores
//! are summed in column order, intercept first, and zeros are skipped, so the storage of the rows
//! changes no bit.

use crate::data::{Design, Hyperplane, Rows, on_rows};
use crate::math::kernels::{Value, axpy, norm_sq};
use crate::math::parallel::map_blocks;

const LANES: usize = 4;

/// Coefficients of one hyperplane per class.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CoefficientMatrix {
    k: usize,
    wide: usize,
    w: Vec<f64>,
}

impl CoefficientMatrix {
    /// All zeros.
    pub(crate) fn zero(d: usize, k: usize) -> Self {
        let wide = k.next_multiple_of(LANES);
        Self { k, wide, w: vec![0.0; (d + 1) * wide] }
    }

    /// Matrix of these hyperplanes: at least one, all with the same d.
    pub(crate) fn of(hyperplanes: &[Hyperplane]) -> Self {
        let d = hyperplanes[0].d();
        let mut coefficients = Self::zero(d, hyperplanes.len());
        let wide = coefficients.wide;
        for (c, hyperplane) in hyperplanes.iter().enumerate() {
            for (j, v) in hyperplane.w.iter().chain([&hyperplane.b]).enumerate() {
                coefficients.w[j * wide + c] = *v;
            }
        }
        coefficients
    }

    /// Matrix from padded coefficients and padded intercepts.
    pub(super) fn of_parts<V: Value>(k: usize, weights: &[V], bias: &[f64]) -> Self {
        let mut w = Vec::with_capacity(weights.len() + bias.len());
        w.extend(weights.iter().map(|v| v.get()));
        w.extend_from_slice(bias);
        Self { k, wide: bias.len(), w }
    }

    /// Matrix from coefficients and intercepts without padding.
    pub(super) fn of_tight(k: usize, weights: &[f64]) -> Self {
        let mut matrix = Self::zero(weights.len() / k - 1, k);
        let rows = matrix.w.chunks_exact_mut(matrix.wide).zip(weights.chunks_exact(k));
        rows.for_each(|(row, weights)| row[..k].copy_from_slice(weights));
        matrix
    }

    /// Hyperplane of class c.
    pub(crate) fn hyperplane(&self, c: usize) -> Hyperplane {
        let mut w: Vec<f64> = self.w.iter().skip(c).step_by(self.wide).copied().collect();
        let b = w.pop().expect("the last row holds the intercepts");
        Hyperplane { w, b }
    }

    /// Hyperplanes of all classes, in order.
    pub(crate) fn hyperplanes(&self) -> Vec<Hyperplane> {
        (0..self.k).map(|c| self.hyperplane(c)).collect()
    }

    /// Number of classes.
    pub(crate) fn k(&self) -> usize {
        self.k
    }

    /// Padded length of a vector with one number per class.
    pub(crate) fn wide(&self) -> usize {
        self.wide
    }

    /// Number of features.
    pub(crate) fn d(&self) -> usize {
        self.w.len() / self.wide - 1
    }

    /// Intercepts, padded.
    pub(crate) fn bias(&self) -> &[f64] {
        &self.w[self.w.len() - self.wide..]
    }

    /// Mutable intercepts, padded.
    pub(crate) fn bias_mut(&mut self) -> &mut [f64] {
        let start = self.w.len() - self.wide;
        &mut self.w[start..]
    }

    /// Coefficients and intercepts without padding.
    pub(crate) fn tight(&self) -> Vec<f64> {
        if self.wide == self.k {
            return self.w.clone();
        }
        self.w.chunks_exact(self.wide).flat_map(|row| &row[..self.k]).copied().collect()
    }

    /// Mutable coefficients and mutable intercepts, padded.
    pub(crate) fn parts_mut(&mut self) -> (&mut [f64], &mut [f64]) {
        let end = self.w.len() - self.wide;
        self.w.split_at_mut(end)
    }

    /// Σ ‖wⱼ‖², without the intercepts.
    pub(crate) fn norm_sq(&self) -> f64 {
        norm_sq(&self.w[..self.w.len() - self.wide])
    }

    /// Whether every number is zero.
    pub(super) fn is_zero(&self) -> bool {
        self.w.iter().all(|w| *w == 0.0)
    }

    /// Whether every number is finite.
    pub(crate) fn is_finite(&self) -> bool {
        self.w.iter().all(|w| w.is_finite())
    }

    /// Writes the scores of row i for every class.
    #[inline]
    pub(crate) fn scores<X: Rows>(&self, x: &X, i: usize, z: &mut [f64]) {
        z.copy_from_slice(self.bias());
        x.add_weights(i, &self.w, z);
    }

    /// wⱼ ← wⱼ + cⱼ xᵢ and bⱼ ← bⱼ + cⱼ lift, for every class.
    #[inline]
    pub(crate) fn add_row<X: Rows>(&mut self, x: &X, i: usize, c: &[f64], lift: f64) {
        x.add_to_weights(i, c, &mut self.w);
        axpy(lift, c, self.bias_mut());
    }

    /// W ← W + a G.
    pub(crate) fn step(&mut self, a: f64, g: &Self) {
        self.w.iter_mut().zip(&g.w).for_each(|(w, g)| *w += a * g);
    }

    /// Applies `work` to the scores of each row, in parallel blocks; results in row order.
    pub(super) fn map_rows<T: Send>(
        &self,
        x: &Design,
        work: impl Fn(usize, &[f64]) -> T + Sync,
    ) -> Vec<Vec<T>> {
        const BLOCK: usize = 1 << 9;
        on_rows!(x, x => map_blocks(x.n(), BLOCK, |rows| {
            let mut z = vec![0.0; self.wide];
            rows.map(|i| {
                self.scores(x, i, &mut z);
                work(i, &z[..self.k])
            }).collect()
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_steps_equal_those_of_single_hyperplanes() {
        let dense = Design::dense(2, 3, vec![1.0, 0.0, 2.0, -1.0, 3.0, 0.0]).unwrap();
        let sparse =
            Design::sparse(3, vec![0, 2, 4], vec![0, 2, 0, 1], vec![1.0, 2.0, -1.0, 3.0]).unwrap();
        for k in [2, 3, 4, 5, 9] {
            let hyperplane =
                |c: usize| Hyperplane { w: vec![c as f64, 1.0, -2.0], b: 0.5 * c as f64 };
            let mut hyperplanes: Vec<Hyperplane> = (0..k).map(hyperplane).collect();
            let matrix = CoefficientMatrix::of(&hyperplanes);
            assert_eq!(matrix.hyperplanes(), hyperplanes);
            assert_eq!((matrix.k(), matrix.d()), (k, 3));
            let tight = matrix.tight();
            assert_eq!((tight.len(), tight[k + 1], tight[3 * k + 1]), (4 * k, 1.0, 0.5));
            assert_eq!(CoefficientMatrix::of_tight(k, &tight), matrix);
            let c: Vec<f64> =
                (0..matrix.wide()).map(|c| if c < k { c as f64 - 1.0 } else { 0.0 }).collect();
            for x in [&dense, &sparse] {
                let scores = matrix.map_rows(x, |_, z| z.to_vec()).concat();
                for (i, z) in scores.iter().enumerate() {
                    let want: Vec<f64> =
                        hyperplanes.iter().map(|hyperplane| hyperplane.at(&x.row(i))).collect();
                    assert_eq!(*z, want);
                }
                let mut moved = matrix.clone();
                on_rows!(x, x => moved.add_row(x, 1, &c, 1.0));
                let mut want = hyperplanes.clone();
                for (hyperplane, c) in want.iter_mut().zip(&c) {
                    on_rows!(x, x => hyperplane.add_row(*c, x, 1));
                }
                assert_eq!(moved.hyperplanes(), want);
            }
            hyperplanes[0].b = f64::NAN;
            assert!(matrix.is_finite() && !CoefficientMatrix::of(&hyperplanes).is_finite());
        }
    }
}
