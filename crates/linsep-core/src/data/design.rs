//! The design matrix, in one of four storage formats.
//!
//! Only this file distinguishes dense from sparse and f64 from f32. Code that loops over rows is
//! generic over [`Rows`] and is entered through `on_rows!`, which matches the storage once per
//! loop, outside it.

use super::{ColumnPermutation, Csr, Dense};
use crate::error::Error;
use crate::math::kernels::{self, Number, Value};
use std::ops::Range;
use std::sync::Arc;

/// Prefetch distance for long rows: memory latency is about the time of two rows.
pub(crate) const ROWS_AHEAD: usize = 3;

/// Rows or columns for sweeps that score and add one at a time.
pub trait Sweep {
    /// xᵢ·w.
    fn score(&self, i: usize, w: &[f64]) -> f64;
    /// w ← w + c xᵢ.
    fn add(&self, i: usize, c: f64, w: &mut [f64]);
    /// Prefetches row i. Affects only time.
    fn prefetch(&self, i: usize);
}

/// Operations of loops over the rows of a matrix.
pub trait Rows: Sweep + Sync {
    /// The type of stored values.
    type Stored: Value;
    /// Number of rows.
    fn n(&self) -> usize;
    /// Number of columns.
    fn d(&self) -> usize;
    /// xᵢ·w.
    fn dot(&self, i: usize, w: &[f64]) -> f64;
    /// out ← out + a xᵢ.
    fn axpy(&self, a: f64, i: usize, out: &mut [f64]);
    /// out ← out + a xᵢ², column by column.
    fn axpy_squares(&self, a: f64, i: usize, out: &mut [f64]);
    /// ‖xᵢ‖².
    fn norm_sq(&self, i: usize) -> f64;
    /// w·(xᵢ − c) and ‖xᵢ − c‖².
    #[inline]
    fn centered(&self, i: usize, c: &[f64], w: &[f64]) -> (f64, f64) {
        let mut row = vec![0.0; self.d()];
        self.copy_row(i, &mut row);
        kernels::centered(&row, c, w)
    }
    /// Writes xᵢ with all its zeros.
    fn copy_row(&self, i: usize, out: &mut [f64]);
    /// Calls `work` with the column and the value of every stored element of row i.
    fn each(&self, i: usize, work: impl FnMut(usize, Self::Stored));
    /// out ← out + Σⱼ xᵢⱼ wⱼ, where wⱼ are rows of a matrix, as long as `out`; terms are added in
    /// the order of the columns.
    #[inline]
    fn add_weights<N: Number>(&self, i: usize, w: &[N], out: &mut [N]) {
        let k = out.len();
        self.each(i, |j, v| {
            if v.get() != 0.0 {
                kernels::axpy(N::of(v), &w[j * k..][..k], out);
            }
        });
    }
    /// wⱼ ← wⱼ + xᵢⱼ c for every column j of row i.
    #[inline]
    fn add_to_weights<N: Number>(&self, i: usize, c: &[N], w: &mut [N]) {
        let k = c.len();
        self.each(i, |j, v| {
            if v.get() != 0.0 {
                kernels::axpy(N::of(v), c, &mut w[j * k..][..k]);
            }
        });
    }
    /// Prefetches the row [`ROWS_AHEAD`] positions after row i, for loops in storage order. It does
    /// so only for long rows: the hardware prefetcher handles short ones.
    #[inline]
    fn fetch_ahead(&self, _i: usize) {}
    /// Number of stored values.
    fn stored(&self) -> usize;
    /// Number of stored values in the longest row.
    fn longest(&self) -> usize;
    /// Memory of the values and their indices, in bytes.
    fn bytes(&self) -> usize;
    /// gram ← gram + Σ cᵢ (xᵢ, 1)(xᵢ, 1)ᵀ over these rows, cᵢ ≥ 0: (d+1)², column-major; only the
    /// lower triangle is valid.
    fn add_gram(&self, rows: Range<usize>, c: &[f64], gram: &mut [f64]);
    /// Writes xᵢ·w for these rows and each of the k columns w of W: W is d × k, the result rows ×
    /// k, both row-major.
    fn times(&self, rows: Range<usize>, w: &[f64], k: usize, out: &mut [f64]);
    /// out ← out + Σ xᵢ tᵢᵀ over these rows: T is rows × k, the result d × k, both row-major.
    fn add_transposed(&self, rows: Range<usize>, t: &[f64], k: usize, out: &mut [f64]);
}

/// The design matrix: n rows of d features, every value finite.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Design {
    /// Every value stored, as f64.
    DenseF64(Dense<f64>),
    /// Every value stored, as f32.
    DenseF32(Dense<f32>),
    /// Only the nonzero values stored, as f64.
    SparseF64(Csr<f64>),
    /// Only the nonzero values stored, as f32.
    SparseF32(Csr<f32>),
}

/// Binds `$x` to the matrix inside a [`Design`] of any storage, and evaluates `$body`.
macro_rules! on_rows {
    ($design:expr, $x:ident => $body:expr) => {
        match $design {
            $crate::data::Design::DenseF64($x) => $body,
            $crate::data::Design::DenseF32($x) => $body,
            $crate::data::Design::SparseF64($x) => $body,
            $crate::data::Design::SparseF32($x) => $body,
        }
    };
}
pub(crate) use on_rows;

impl Design {
    /// Whether only nonzero values are stored.
    pub fn is_sparse(&self) -> bool {
        matches!(self, Self::SparseF64(_) | Self::SparseF32(_))
    }

    /// Creates a dense matrix from row-major values.
    pub fn dense(n: usize, d: usize, values: Vec<f64>) -> Result<Self, Error> {
        Ok(Self::DenseF64(Dense::new(n, d, values)?))
    }

    /// Creates a sparse matrix; see [`Csr::new`]. If f32 holds every value exactly, values are
    /// stored as f32, which takes a third less memory and changes no result.
    pub fn sparse(
        d: usize,
        starts: Vec<usize>,
        indices: Vec<u32>,
        values: Vec<f64>,
    ) -> Result<Self, Error> {
        if values.iter().all(|&v| f64::from(v as f32) == v) {
            let values = values.into_iter().map(|v| v as f32).collect();
            return Ok(Self::SparseF32(Csr::new(d, starts, indices, values)?));
        }
        Ok(Self::SparseF64(Csr::new(d, starts, indices, values)?))
    }

    /// The same matrix with its columns stored by frequency, if that is faster; see
    /// [`Csr::by_frequency`]. Column indices of all methods remain the given ones.
    #[must_use]
    pub fn by_frequency(self) -> Self {
        match self {
            Self::SparseF64(x) => Self::SparseF64(x.by_frequency()),
            Self::SparseF32(x) => Self::SparseF32(x.by_frequency()),
            dense => dense,
        }
    }

    /// A view with the columns in storage order, for long loops, and the permutation that
    /// translates coefficients. `None` if the storage order is the given one.
    pub fn in_storage_order(&self) -> Option<(Self, Arc<ColumnPermutation>)> {
        match self {
            Self::SparseF64(x) => x.as_stored().map(|(x, way)| (Self::SparseF64(x), way)),
            Self::SparseF32(x) => x.as_stored().map(|(x, way)| (Self::SparseF32(x), way)),
            _ => None,
        }
    }

    /// Number of rows.
    pub fn n(&self) -> usize {
        on_rows!(self, x => x.n())
    }

    /// Number of columns.
    pub fn d(&self) -> usize {
        on_rows!(self, x => x.d())
    }

    /// Number of stored values: n × d, or the number of nonzero ones.
    pub fn stored(&self) -> usize {
        on_rows!(self, x => x.stored())
    }

    /// Number of stored values in the longest row.
    pub fn longest(&self) -> usize {
        on_rows!(self, x => x.longest())
    }

    /// Memory of the matrix, in bytes.
    pub fn bytes(&self) -> usize {
        on_rows!(self, x => x.bytes())
    }

    /// Row i with all its zeros.
    pub fn row(&self, i: usize) -> Vec<f64> {
        let mut out = vec![0.0; self.d()];
        on_rows!(self, x => x.copy_row(i, &mut out));
        out
    }

    /// Calls `work` with the column and the value of every nonzero element of row i, in any
    /// storage.
    pub fn each_nonzero(&self, i: usize, mut work: impl FnMut(usize, f64)) {
        on_rows!(self, x => x.each(i, |j, v| {
            let v = v.get();
            if v != 0.0 {
                work(j, v);
            }
        }));
    }

    /// Copies the rows at these positions, in this order; at least one.
    ///
    /// # Panics
    ///
    /// If `rows` is empty, or a position is n or above.
    pub fn select_rows(&self, rows: &[usize]) -> Self {
        assert!(!rows.is_empty(), "a design has rows");
        match self {
            Self::DenseF64(x) => Self::DenseF64(x.select_rows(rows)),
            Self::DenseF32(x) => Self::DenseF32(x.select_rows(rows)),
            Self::SparseF64(x) => Self::SparseF64(x.select_rows(rows)),
            Self::SparseF32(x) => Self::SparseF32(x.select_rows(rows)),
        }
    }

    /// A view of the rows at these positions: it shares the stored values.
    ///
    /// # Panics
    ///
    /// If `rows` is empty, or a position is n or above.
    pub fn view_rows(&self, rows: &[u32]) -> Self {
        assert!(!rows.is_empty(), "a design has rows");
        match self {
            Self::DenseF64(x) => Self::DenseF64(x.view_rows(rows)),
            Self::DenseF32(x) => Self::DenseF32(x.view_rows(rows)),
            Self::SparseF64(x) => Self::SparseF64(x.view_rows(rows)),
            Self::SparseF32(x) => Self::SparseF32(x.view_rows(rows)),
        }
    }

    /// ‖xᵢ‖².
    pub fn norm_sq(&self, i: usize) -> f64 {
        on_rows!(self, x => x.norm_sq(i))
    }
}

/// Rejects matrices that are empty, or whose rows or columns exceed u32 indices.
pub(super) fn check_size(n: usize, d: usize) -> Result<(), Error> {
    const MOST: usize = u32::MAX as usize;
    for (got, what) in [(n, "rows"), (d, "columns")] {
        if got == 0 {
            return Err(Error::EmptyDesign { what });
        }
        if got > MOST {
            return Err(Error::TooLarge { what, got, most: MOST });
        }
    }
    Ok(())
}

/// Whether every value is finite. No branch per value, so that the compiler can vectorize the loop.
pub(super) fn all_finite<V: Value>(values: &[V]) -> bool {
    let finite = |piece: &[V]| piece.iter().fold(true, |all, v| all & v.get().is_finite());
    values.chunks(1024).all(finite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_do_not_depend_on_storage() {
        let rows = [0.5, 0.0, -2.0, 0.0, 0.25, 0.0];
        let designs = [
            Design::dense(2, 3, rows.to_vec()).unwrap(),
            Design::DenseF32(Dense::new(2, 3, rows.map(|v| v as f32).to_vec()).unwrap()),
            Design::sparse(3, vec![0, 2, 3], vec![0, 2, 1], vec![0.5, -2.0, 0.25]).unwrap(),
        ];
        for x in &designs {
            assert_eq!((x.n(), x.d()), (2, 3));
            assert_eq!(x.row(0), [0.5, 0.0, -2.0]);
            assert_eq!(x.row(1), [0.0, 0.25, 0.0]);
            let twice = x.select_rows(&[1, 0, 1]);
            assert_eq!((twice.n(), twice.row(0), twice.row(1)), (3, x.row(1), x.row(0)));
            let view = x.view_rows(&[1, 0, 1]);
            assert_eq!(view, twice);
            assert_eq!((view.stored(), view.bytes()), (twice.stored(), twice.bytes()));
            assert_eq!(view.view_rows(&[2, 1]), x.select_rows(&[1, 0]), "a view of a view");
            assert_ne!(view, x.view_rows(&[0, 0, 1]));
        }
    }

    #[test]
    fn f32_is_chosen_only_where_it_is_exact() {
        let sparse = |v| Design::sparse(1, vec![0, 1], vec![0], vec![v]).unwrap();
        assert!(matches!(sparse(0.5), Design::SparseF32(_)));
        assert!(matches!(sparse(0.1), Design::SparseF64(_)));
        assert!(matches!(sparse(1e300), Design::SparseF64(_)), "f32 would overflow");
    }
}
