//! Dense linear algebra, implemented by the crate faer.
//!
//! Matrices here are small (d × d) and column-major. faer runs on one thread and selects its vector
//! instructions at run time; callers parallelize over blocks of rows.

use super::kernels::{axpy, dot, norm_sq};
use faer::linalg::matmul::matmul as product;
use faer::linalg::matmul::triangular::{BlockStructure, matmul};
use faer::linalg::solvers::{Llt, SelfAdjointEigen, Solve};
use faer::linalg::triangular_solve::{
    solve_lower_triangular_in_place, solve_upper_triangular_in_place,
};
use faer::{Accum, MatMut, MatRef, Par, Side};

/// gram ← gram + factor `AᵀA` for row-major A; only the lower triangle is valid.
pub(crate) fn add_gram(a: &[f64], columns: usize, factor: f64, gram: &mut [f64]) {
    let rows = a.len() / columns;
    let a = MatRef::from_row_major_slice(a, rows, columns);
    let gram = MatMut::from_column_major_slice_mut(gram, columns, columns);
    matmul(
        gram,
        BlockStructure::TriangularLower,
        Accum::Add,
        a.transpose(),
        BlockStructure::Rectangular,
        a,
        BlockStructure::Rectangular,
        factor,
        Par::Seq,
    );
}

/// A W for row-major A and W (d × k).
pub(crate) fn times(a: &[f64], w: &[f64], k: usize, out: &mut [f64]) {
    let (rows, d) = (out.len() / k, w.len() / k);
    let a = MatRef::from_row_major_slice(a, rows, d);
    let w = MatRef::from_row_major_slice(w, d, k);
    let out = MatMut::from_row_major_slice_mut(out, rows, k);
    product(out, Accum::Replace, a, w, 1.0, Par::Seq);
}

/// out ← out + `AᵀT` for row-major A and T (rows × k).
pub(crate) fn add_transposed(a: &[f64], t: &[f64], k: usize, out: &mut [f64]) {
    let (rows, d) = (t.len() / k, out.len() / k);
    let a = MatRef::from_row_major_slice(a, rows, d);
    let t = MatRef::from_row_major_slice(t, rows, k);
    let out = MatMut::from_row_major_slice_mut(out, d, k);
    product(out, Accum::Add, a.transpose(), t, 1.0, Par::Seq);
}

/// Products of the rows of A with the columns of B, each of length d: A is row-major, B
/// column-major, the result row-major.
pub(crate) fn multiply(a: &[f64], b: &[f64], d: usize) -> Vec<f64> {
    let (rows, columns) = (a.len() / d, b.len() / d);
    let mut out = vec![0.0; rows * columns];
    product(
        MatMut::from_row_major_slice_mut(&mut out, rows, columns),
        Accum::Replace,
        MatRef::from_row_major_slice(a, rows, d),
        MatRef::from_column_major_slice(b, d, columns),
        1.0,
        Par::Seq,
    );
    out
}

/// Eigenvalues, ascending, and eigenvectors, concatenated, of a symmetric d × d matrix given by its
/// lower triangle. `None` if a value is not finite.
pub(crate) fn eigen(matrix: &[f64], d: usize) -> Option<(Vec<f64>, Vec<f64>)> {
    if !matrix.iter().all(|v| v.is_finite()) {
        return None;
    }
    let view = MatRef::from_column_major_slice(matrix, d, d);
    let found = SelfAdjointEigen::new(view, Side::Lower).ok()?;
    let values = found.S().column_vector().iter().copied().collect();
    let vectors =
        found.U().col_iter().flat_map(|v| v.iter().copied().collect::<Vec<_>>()).collect();
    Some((values, vectors))
}

/// Orthonormalizes concatenated vectors of length d, and drops the ones that depend on earlier
/// ones. Modified Gram–Schmidt, applied twice, which reaches orthogonality to rounding.
pub(crate) fn orthonormal(vectors: &[f64], d: usize) -> Vec<f64> {
    const DEPENDENT: f64 = 1e-10;
    let mut basis: Vec<f64> = Vec::with_capacity(vectors.len());
    for vector in vectors.chunks_exact(d) {
        let mut v = vector.to_vec();
        let before = norm_sq(&v).sqrt();
        project(&mut v, &basis);
        let after = norm_sq(&v).sqrt();
        if after > DEPENDENT * before {
            basis.extend(v.iter().map(|v| v / after));
        }
    }
    basis
}

/// Projects v onto the orthogonal complement of orthonormal directions; twice, which reaches
/// orthogonality to rounding.
pub(crate) fn project(v: &mut [f64], directions: &[f64]) {
    for _ in 0..2 {
        for q in directions.chunks_exact(v.len().max(1)) {
            axpy(-dot(q, v), q, v);
        }
    }
}

/// The Cholesky factor of a symmetric positive definite matrix.
pub(crate) struct Cholesky {
    factor: Llt<f64>,
    /// 1/√aⱼⱼ: the matrix is scaled to a unit diagonal before factorization, so that columns of
    /// very different scales lose no accuracy.
    scale: Vec<f64>,
}

impl Cholesky {
    /// Factors a d × d matrix given by its lower triangle. If it is singular to working accuracy,
    /// the smallest sufficient ridge of a fixed list is added. `None` if a value is not finite.
    pub(crate) fn new(matrix: &[f64], d: usize) -> Option<Self> {
        const RIDGES: [f64; 6] = [0.0, 1e-13, 1e-11, 1e-9, 1e-6, 1e-3];
        // A pivot below this bound is rounding error.
        const LOST: f64 = 1e-14;
        let (mut scaled, scale) = Self::scaled(matrix, d)?;
        RIDGES.iter().find_map(|&ridge| {
            let least = if ridge < 1e-3 { LOST } else { 0.0 };
            Self::factor(&mut scaled, &scale, d, ridge, least)
        })
    }

    /// Factors a d × d matrix given by its lower triangle, without a ridge. `None` if a pivot is
    /// below `least` of the diagonal, a diagonal element is not positive, or a value is not finite.
    pub(crate) fn exact(matrix: &[f64], d: usize, least: f64) -> Option<Self> {
        if (0..d).any(|j| matrix[j * d + j] <= 0.0) {
            return None;
        }
        let (mut scaled, scale) = Self::scaled(matrix, d)?;
        Self::factor(&mut scaled, &scale, d, 0.0, least)
    }

    /// The matrix scaled to a unit diagonal, and the scale factors of its rows and columns. A
    /// column whose diagonal element is not positive has factor 1.
    fn scaled(matrix: &[f64], d: usize) -> Option<(Vec<f64>, Vec<f64>)> {
        let scale: Vec<f64> = (0..d)
            .map(|j| matrix[j * d + j])
            .map(|diagonal| if diagonal > 0.0 { 1.0 / diagonal.sqrt() } else { 1.0 })
            .collect();
        let mut scaled = vec![0.0; d * d];
        for j in 0..d {
            for i in j..d {
                scaled[j * d + i] = matrix[j * d + i] * scale[i] * scale[j];
            }
        }
        scaled.iter().all(|v| v.is_finite()).then_some((scaled, scale))
    }

    fn factor(scaled: &mut [f64], scale: &[f64], d: usize, ridge: f64, least: f64) -> Option<Self> {
        (0..d).for_each(|j| scaled[j * d + j] = 1.0 + ridge);
        let view = MatRef::from_column_major_slice(scaled, d, d);
        let factor = Llt::new(view, Side::Lower).ok()?;
        let l = factor.L();
        let whole = (0..d).all(|j| l[(j, j)] * l[(j, j)] >= least);
        whole.then(|| Self { factor, scale: scale.to_vec() })
    }

    /// Computes L⁻¹b in place, where A = L Lᵀ.
    pub(crate) fn whiten(&self, b: &mut [f64]) {
        b.iter_mut().zip(&self.scale).for_each(|(b, scale)| *b *= scale);
        let d = b.len();
        let b = MatMut::from_column_major_slice_mut(b, d, 1);
        solve_lower_triangular_in_place(self.factor.L(), b, Par::Seq);
    }

    /// Computes L⁻ᵀu in place; after [`whiten`](Self::whiten) the result is that of
    /// [`solve`](Self::solve).
    pub(crate) fn unwhiten(&self, u: &mut [f64]) {
        let d = u.len();
        let view = MatMut::from_column_major_slice_mut(&mut *u, d, 1);
        solve_upper_triangular_in_place(self.factor.L().transpose(), view, Par::Seq);
        u.iter_mut().zip(&self.scale).for_each(|(u, scale)| *u *= scale);
    }

    /// ln det A.
    pub(crate) fn ln_det(&self) -> f64 {
        let l = self.factor.L();
        let of = |(j, scale): (usize, &f64)| libm::log(l[(j, j)]) - libm::log(*scale);
        2.0 * self.scale.iter().enumerate().map(of).sum::<f64>()
    }

    /// Solves A x = b in place.
    pub(crate) fn solve(&self, b: &mut [f64]) {
        b.iter_mut().zip(&self.scale).for_each(|(b, scale)| *b *= scale);
        let d = b.len();
        self.factor.solve_in_place(MatMut::from_column_major_slice_mut(b, d, 1));
        b.iter_mut().zip(&self.scale).for_each(|(b, scale)| *b *= scale);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_badly_scaled_systems() {
        // A = [[4, 2], [2, 3]] with rows and columns scaled by 1e-8 and 1e8.
        let (p, q) = (1e-8, 1e8);
        let a = [4.0 * p * p, 2.0 * p * q, f64::NAN, 3.0 * q * q];
        let factor = Cholesky::new(&a, 2).unwrap();
        let mut x = [2.0 * p, 5.0 * q]; // in scaled coordinates: right side (2, 5)
        factor.solve(&mut x);
        // 4u + 2v = 2, 2u + 3v = 5 → u = −1/2, v = 2
        assert!((x[0] * p + 0.5).abs() < 1e-14 && (x[1] * q - 2.0).abs() < 1e-14, "{x:?}");
        // det [[4, 2], [2, 3]] = 8, and the scales cancel.
        assert!((factor.ln_det() - 8.0_f64.ln()).abs() < 1e-14);
    }

    #[test]
    fn singular_matrices_get_a_small_ridge() {
        let factor = Cholesky::new(&[1.0, 1.0, 0.0, 1.0], 2).unwrap();
        let mut x = [1.0, 1.0];
        factor.solve(&mut x);
        assert!((x[0] + x[1] - 1.0).abs() < 1e-6);
        assert!(Cholesky::new(&[f64::INFINITY], 1).is_none());
    }

    #[test]
    fn gram_is_the_sum_of_products() {
        let mut gram = vec![1.0, 0.0, 0.0, 0.0];
        add_gram(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 2, 1.0, &mut gram);
        assert_eq!([gram[0], gram[1], gram[3]], [36.0, 44.0, 56.0]);
        add_gram(&[2.0, 1.0], 2, -3.0, &mut gram);
        assert_eq!([gram[0], gram[1], gram[3]], [24.0, 38.0, 53.0]);
    }
}
