//! Cholesky factor of the columns that are linearly independent of the columns before them.
//!
//! ```text
//!   column j:   solve L l = (Rₚⱼ) for the columns p kept so far,   pivot = Rⱼⱼ − ‖l‖²
//! ```
//!
//! R is positive semidefinite with a unit diagonal. The pivot is the minimum of xᵀRx over all x
//! with xⱼ = 1 and otherwise only kept columns; x = eⱼ − L⁻ᵀl attains it. A pivot of zero, to
//! rounding, drops column j, and x is a null vector of R. A pivot well above zero keeps it. Any
//! pivot in between is undecided, and the factorization fails.
//!
//! Cost: d³/6 multiplications; an eigendecomposition takes about fifty times as many.
//! Source: Higham, *Accuracy and Stability of Numerical Algorithms*, §10.3.

use super::kernels::{axpy, dot, norm_sq};

/// The factor, and the null vectors of R.
pub(crate) struct Independent {
    d: usize,
    /// The columns kept, ascending.
    kept: Vec<usize>,
    /// Rows of L, up to the diagonal.
    l: Vec<Vec<f64>>,
    /// A null vector for every dropped column, concatenated, each of length d.
    null: Vec<f64>,
}

impl Independent {
    /// Factors a d × d matrix with a unit diagonal, given by its lower triangle in column-major
    /// order. A pivot of at least `least` keeps a column; one with xᵀRx/‖x‖² ≤ `none` drops it.
    /// `None` if a pivot is neither, or a value is not finite.
    pub(crate) fn new(matrix: &[f64], d: usize, least: f64, none: f64) -> Option<Self> {
        let mut own = Self { d, kept: Vec::new(), l: Vec::new(), null: Vec::new() };
        for j in 0..d {
            let mut row = Vec::with_capacity(own.kept.len() + 1);
            for (p, l) in own.kept.iter().zip(&own.l) {
                let rest = matrix[p * d + j] - dot(&l[..row.len()], &row);
                row.push(rest / l[row.len()]);
            }
            let pivot = matrix[j * d + j] - norm_sq(&row);
            if pivot >= least {
                row.push(pivot.sqrt());
                own.kept.push(j);
                own.l.push(row);
                continue;
            }
            let mut x = own.unwhiten(&row);
            x.iter_mut().for_each(|x| *x = -*x);
            x[j] = 1.0;
            let flat = pivot <= none * norm_sq(&x); // false for a NaN
            if !flat {
                return None;
            }
            own.null.extend(x);
        }
        Some(own)
    }

    /// Number of columns kept.
    pub(crate) fn rank(&self) -> usize {
        self.kept.len()
    }

    /// Null vectors of the matrix, concatenated: one for each dropped column.
    pub(crate) fn null(&self) -> &[f64] {
        &self.null
    }

    /// L⁻¹b over the columns kept.
    pub(crate) fn whiten(&self, b: &[f64]) -> Vec<f64> {
        let mut e = Vec::with_capacity(self.kept.len());
        for (&j, l) in self.kept.iter().zip(&self.l) {
            e.push((b[j] - dot(&l[..e.len()], &e)) / l[e.len()]);
        }
        e
    }

    /// L⁻ᵀe, with zeros for dropped columns. A shorter e is padded with zeros.
    pub(crate) fn unwhiten(&self, e: &[f64]) -> Vec<f64> {
        let mut rest = e.to_vec();
        let mut w = vec![0.0; self.d];
        for (q, l) in self.l[..e.len()].iter().enumerate().rev() {
            let value = rest[q] / l[q];
            axpy(-value, &l[..q], &mut rest[..q]);
            w[self.kept[q]] = value;
        }
        w
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rng::Rng;

    /// The Gram matrix of columns scaled to length 1.
    fn gram(columns: &[Vec<f64>]) -> Vec<f64> {
        let unit = |v: &Vec<f64>| -> Vec<f64> {
            let norm = norm_sq(v).sqrt();
            v.iter().map(|v| v / norm).collect()
        };
        let columns: Vec<Vec<f64>> = columns.iter().map(unit).collect();
        columns.iter().flat_map(|a| columns.iter().map(|b| dot(a, b)).collect::<Vec<_>>()).collect()
    }

    fn times(matrix: &[f64], x: &[f64]) -> Vec<f64> {
        matrix.chunks_exact(x.len()).map(|row| dot(row, x)).collect()
    }

    #[test]
    fn dependent_columns_are_dropped_and_the_others_factored() {
        let mut rng = Rng::new(3, 0);
        for d in [1, 2, 5, 40] {
            let mut columns: Vec<Vec<f64>> = Vec::new();
            let mut left_out = 0;
            for j in 0..d {
                if j % 3 == 2 {
                    let sum = |i: usize| 2.0 * columns[j - 1][i] - columns[j - 2][i];
                    columns.push((0..60).map(sum).collect());
                    left_out += 1;
                } else {
                    columns.push((0..60).map(|_| rng.unit() - 0.5).collect());
                }
            }
            let matrix = gram(&columns);
            let found = Independent::new(&matrix, d, 1e-9, 1e-13).unwrap();
            assert_eq!(found.rank(), d - left_out);
            for x in found.null().chunks_exact(d) {
                assert!(times(&matrix, x).iter().all(|v| v.abs() < 1e-13 * norm_sq(x).sqrt()));
            }
            // A right-hand side in the range is solved.
            let x: Vec<f64> = (0..d).map(|_| rng.unit()).collect();
            let b = times(&matrix, &x);
            let solved = times(&matrix, &found.unwhiten(&found.whiten(&b)));
            assert!(solved.iter().zip(&b).all(|(s, b)| (s - b).abs() < 1e-10), "{d}");
        }
    }

    #[test]
    fn pivots_between_the_bounds_are_undecided() {
        let close = |by: f64| vec![1.0, 1.0 - by, 1.0 - by, 1.0];
        assert!(Independent::new(&close(1e-11), 2, 1e-9, 1e-14).is_none());
        assert_eq!(Independent::new(&close(1e-16), 2, 1e-9, 1e-14).unwrap().rank(), 1);
        assert_eq!(Independent::new(&close(1e-8), 2, 1e-9, 1e-14).unwrap().rank(), 2);
        assert!(Independent::new(&[1.0, f64::NAN, 0.0, 1.0], 2, 1e-9, 1e-14).is_none());
    }
}
