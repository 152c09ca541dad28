//! Pseudo-inverse of a symmetric, possibly singular matrix, in factored form.
//!
//! A (d × d, positive semidefinite) is first scaled to a unit diagonal, so that columns in very
//! different units lose no accuracy: A = D⁻¹ R D⁻¹ with Rⱼⱼ = 1. If the Cholesky factor of R has no
//! small pivot, it is used. Otherwise
//!
//! ```text
//!   R = V Λ Vᵀ,     rank = number of Λⱼ > 16 max(d, 8) ε Λ_max,     A⁺ = P D V Λ⁺ Vᵀ D Pᵀ
//! ```
//!
//! A⁺ solves A w = b on the range of A, and ignores the component of b in the null space. Among all
//! these w, the projection P selects the one with the smallest Σ (uⱼ wⱼ)², where the units uⱼ > 0
//! define the norm. Pᵀ projects b in the same units, so A⁺ is symmetric. For u = 1 it is the
//! Moore–Penrose pseudo-inverse.
//!
//! V and Λ are computed only if the numerical rank of A is ambiguous. If every column clearly
//! depends on the columns before it, or clearly does not, a Cholesky factor of the independent
//! columns ([`Independent`]) replaces them.
//!
//! Whitening is half of the inverse: `unwhiten(whiten(b)) = A⁺ b`, and for w = unwhiten(e), wᵀ A w
//! = ‖e‖².
//!
//! Cost: d³/3 multiplications; 50 % more if A is clearly singular, and about 9 d³ if it is nearly
//! singular.

use super::independent::Independent;
use super::kernels::{axpy, dot};
use super::linalg::{Cholesky, eigen, orthonormal, project};

/// The factored pseudo-inverse of a symmetric matrix.
pub(crate) struct Inverse {
    /// Columns with a positive diagonal element; the result is 0 in the others.
    active: Vec<usize>,
    d: usize,
    kind: Kind,
}

enum Kind {
    /// The matrix of the active columns has full rank.
    Whole(Cholesky),
    /// The matrix of the active columns is singular to working accuracy.
    Partial {
        /// D.
        scale: Vec<f64>,
        /// The range of R.
        range: Range,
        /// u, and an orthonormal basis of the null space in u-scaled coordinates.
        units: Vec<f64>,
        null: Vec<f64>,
    },
}

/// Half of R⁺.
enum Range {
    /// Eigenvalues Λ and eigenvectors V, concatenated.
    Eigen { values: Vec<f64>, vectors: Vec<f64> },
    /// A Cholesky factor of the independent columns.
    Columns(Independent),
}

/// Pivots of the unit-diagonal matrix below this bound require a rank decision.
const SMALL_PIVOT: f64 = 1e-9;

impl Inverse {
    /// Factors a d × d matrix given by its lower triangle in column-major order. The units u > 0
    /// define the norm that selects one of several solutions. `None` if a value is not finite.
    pub(crate) fn new(matrix: &[f64], d: usize, units: &[f64]) -> Option<Self> {
        if !matrix.iter().all(|v| v.is_finite()) {
            return None;
        }
        let active: Vec<usize> = (0..d).filter(|&j| matrix[j * d + j] > 0.0).collect();
        let m = active.len();
        let mut own = vec![0.0; m * m];
        for (q, &j) in active.iter().enumerate() {
            for (p, &i) in active.iter().enumerate().skip(q) {
                own[q * m + p] = matrix[j * d + i];
            }
        }
        let kind = match Cholesky::exact(&own, m, SMALL_PIVOT) {
            Some(factor) => Kind::Whole(factor),
            None => Self::partial(&own, m, active.iter().map(|&j| units[j]).collect())?,
        };
        Some(Self { active, d, kind })
    }

    fn partial(own: &[f64], m: usize, units: Vec<f64>) -> Option<Kind> {
        let scale: Vec<f64> = (0..m).map(|j| 1.0 / own[j * m + j].sqrt()).collect();
        let mut scaled = vec![0.0; m * m];
        for j in 0..m {
            for i in j..m {
                scaled[j * m + i] = own[j * m + i] * scale[i] * scale[j];
            }
        }
        let small = 16.0 * m.max(8) as f64 * f64::EPSILON;
        let plain = Independent::new(&scaled, m, SMALL_PIVOT, small);
        let (range, zero) = if let Some(factor) = plain {
            let zero = orthonormal(factor.null(), m.max(1));
            (Range::Columns(factor), zero)
        } else {
            let (values, vectors) = eigen(&scaled, m)?;
            let most = values.last().copied().unwrap_or(0.0);
            let gone = values.iter().take_while(|v| **v <= small * most).count();
            let (zero, vectors) = vectors.split_at(gone * m);
            let vectors = vectors.to_vec();
            (Range::Eigen { values: values[gone..].to_vec(), vectors }, zero.to_vec())
        };
        let in_units = |v: &[f64]| -> Vec<f64> {
            v.iter().zip(&scale).zip(&units).map(|((v, scale), u)| v * scale * u).collect()
        };
        let null: Vec<f64> = zero.chunks_exact(m.max(1)).flat_map(in_units).collect();
        Some(Kind::Partial { null: orthonormal(&null, m.max(1)), range, scale, units })
    }

    /// Numerical rank of the matrix.
    pub(crate) fn rank(&self) -> usize {
        match &self.kind {
            Kind::Whole(_) => self.active.len(),
            Kind::Partial { range: Range::Eigen { values, .. }, .. } => values.len(),
            Kind::Partial { range: Range::Columns(factor), .. } => factor.rank(),
        }
    }

    /// A⁺ b.
    pub(crate) fn solve(&self, b: &[f64]) -> Vec<f64> {
        self.unwhiten(&self.whiten(b))
    }

    /// Half of the inverse: coordinates in which A is the identity, as many as its rank.
    pub(crate) fn whiten(&self, b: &[f64]) -> Vec<f64> {
        let mut b: Vec<f64> = self.active.iter().map(|&j| b[j]).collect();
        match &self.kind {
            Kind::Whole(factor) => {
                factor.whiten(&mut b);
                b
            }
            Kind::Partial { scale, range, units, null } => {
                b.iter_mut().zip(units).for_each(|(b, u)| *b /= u);
                project(&mut b, null);
                let places = scale.iter().zip(units);
                b.iter_mut().zip(places).for_each(|(b, (scale, u))| *b *= scale * u);
                let m = b.len().max(1);
                match range {
                    Range::Eigen { values, vectors } => {
                        let pairs = vectors.chunks_exact(m).zip(values);
                        pairs.map(|(v, value)| dot(v, &b) / value.sqrt()).collect()
                    }
                    Range::Columns(factor) => factor.whiten(&b),
                }
            }
        }
    }

    /// The other half of the inverse, the transpose of [`whiten`](Self::whiten).
    pub(crate) fn unwhiten(&self, e: &[f64]) -> Vec<f64> {
        let mut w = vec![0.0; self.active.len()];
        match &self.kind {
            Kind::Whole(factor) => {
                w.copy_from_slice(e);
                factor.unwhiten(&mut w);
            }
            Kind::Partial { scale, range, units, null } => {
                match range {
                    Range::Eigen { values, vectors } => {
                        let pairs = vectors.chunks_exact(w.len().max(1)).zip(values);
                        pairs.zip(e).for_each(|((v, value), e)| axpy(e / value.sqrt(), v, &mut w));
                    }
                    Range::Columns(factor) => w = factor.unwhiten(e),
                }
                // The minimum-norm solution, in units.
                let places = || scale.iter().zip(units);
                w.iter_mut().zip(places()).for_each(|(w, (scale, u))| *w *= scale * u);
                project(&mut w, null);
                w.iter_mut().zip(units).for_each(|(w, u)| *w /= u);
            }
        }
        let mut all = vec![0.0; self.d];
        self.active.iter().zip(w).for_each(|(&j, w)| all[j] = w);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Full storage of a symmetric matrix given by its rows.
    fn inverse(rows: &[&[f64]], units: &[f64]) -> Inverse {
        Inverse::new(&rows.concat(), rows.len(), units).unwrap()
    }

    fn close(a: &[f64], b: &[f64]) -> bool {
        a.len() == b.len()
            && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-9 * b.abs().max(1e-300))
    }

    #[test]
    fn solves_a_regular_matrix_in_any_units() {
        let (p, q) = (1e-8, 1e8);
        let a = inverse(&[&[4.0 * p * p, 2.0 * p * q], &[2.0 * p * q, 3.0 * q * q]], &[1.0; 2]);
        // 4u + 2v = 2, 2u + 3v = 5 → u = −1/2, v = 2
        assert!(close(&a.solve(&[2.0 * p, 5.0 * q]), &[-0.5 / p, 2.0 / q]));
        assert_eq!(a.rank(), 2);
    }

    #[test]
    fn duplicate_columns_share_the_solution_equally() {
        let a = inverse(&[&[2.0, 2.0, 0.0], &[2.0, 2.0, 0.0], &[0.0, 0.0, 0.0]], &[1.0; 3]);
        assert_eq!(a.rank(), 1);
        assert!(close(&a.solve(&[4.0, 4.0, 7.0]), &[1.0, 1.0, 0.0]));
    }

    #[test]
    fn minimum_norm_solution_uses_the_given_units() {
        // x₂ = 10 x₁: w₁ + 10 w₂ = 1 with minimal w₁² + w₂² is (1, 10)/101; in units of the
        // columns, (½, 1/20).
        let rows: [&[f64]; 2] = [&[1.0, 10.0], &[10.0, 100.0]];
        let plain = inverse(&rows, &[1.0, 1.0]).solve(&[1.0, 10.0]);
        assert!(close(&plain, &[1.0 / 101.0, 10.0 / 101.0]), "{plain:?}");
        let scaled = inverse(&rows, &[1.0, 10.0]).solve(&[1.0, 10.0]);
        assert!(close(&scaled, &[0.5, 0.05]), "{scaled:?}");
    }

    /// Right-hand sides outside the range are included: A⁺ = A/101² for A = (1, 10)(1, 10)ᵀ. In any
    /// units ‖whiten(b)‖² = bᵀA⁺b.
    #[test]
    fn the_pseudo_inverse_is_symmetric() {
        let rows: [&[f64]; 2] = [&[1.0, 10.0], &[10.0, 100.0]];
        let plain = inverse(&rows, &[1.0, 1.0]);
        assert!(close(&plain.solve(&[1.0, 0.0]), &[1.0 / 10_201.0, 10.0 / 10_201.0]));
        for units in [[1.0, 1.0], [1.0, 10.0], [7.0, 0.1]] {
            let own = inverse(&rows, &units);
            let (b, c) = ([1.0, 0.5], [-2.0, 3.0]);
            let (w, v) = (own.solve(&b), own.solve(&c));
            assert!(close(&[dot(&w, &c)], &[dot(&v, &b)]), "{units:?}");
            let e = own.whiten(&b);
            assert!(close(&[dot(&e, &e)], &[dot(&w, &b)]), "{units:?}");
        }
    }

    #[test]
    fn whitening_makes_the_matrix_the_identity() {
        let a = [[4.0, 2.0], [2.0, 3.0]];
        let inverse = inverse(&[&a[0], &a[1]], &[1.0; 2]);
        for (e, f) in [([1.0, 0.0], [0.0, 1.0]), ([0.6, 0.8], [0.8, -0.6])] {
            let (w, v) = (inverse.unwhiten(&e), inverse.unwhiten(&f));
            let product = |w: &[f64], v: &[f64]| -> f64 {
                (0..2)
                    .flat_map(|i| (0..2).map(move |j| (i, j)))
                    .map(|(i, j)| w[i] * a[i][j] * v[j])
                    .sum()
            };
            assert!((product(&w, &w) - 1.0).abs() < 1e-14 && product(&w, &v).abs() < 1e-14);
        }
    }

    #[test]
    fn zero_matrix_has_rank_zero_and_nan_is_rejected() {
        let a = inverse(&[&[0.0, 0.0], &[0.0, 0.0]], &[1.0; 2]);
        assert_eq!((a.rank(), a.solve(&[1.0, 2.0])), (0, vec![0.0, 0.0]));
        assert!(Inverse::new(&[f64::NAN], 1, &[1.0]).is_none());
    }
}
