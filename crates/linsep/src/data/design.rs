//! The matrix of features, whatever its storage.
//!
//! Dense or sparse, f64 or f32 is decided here and nowhere else. Code that loops over rows is
//! generic over [`Rows`] and is entered through `on_rows!`, which looks at the storage once per
//! loop and never inside it.

use super::{Csr, Dense, Numbering};
use crate::error::Error;
use crate::math::kernels::{self, Number, Value};
use std::ops::Range;
use std::sync::Arc;

/// So many rows before it is looked at, a long row is asked for: memory takes as long to answer as two rows take.
pub(crate) const ROWS_AHEAD: usize = 3;

/// Rows, or columns, that a sweep scores and adds one by one.
pub trait Sweep {
    /// Returns xᵢ·w.
    fn score(&self, i: usize, w: &[f64]) -> f64;
    /// Adds: w ← w + c xᵢ.
    fn add(&self, i: usize, c: f64, w: &mut [f64]);
    /// Prefetches row i. Changes nothing but the time.
    fn fetch(&self, i: usize);
}

/// What a loop over the data may ask of a matrix.
pub trait Rows: Sweep + Sync {
    /// How a value is stored.
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
    /// Writes xᵢ in full.
    fn copy_row(&self, i: usize, out: &mut [f64]);
    /// Hands the column and the value of every stored element of row i to `work`.
    fn each(&self, i: usize, work: impl FnMut(usize, Self::Stored));
    /// out ← out + Σⱼ xᵢⱼ wⱼ, where wⱼ are the rows of a matrix, as long as out, added up in the order of the columns.
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
    /// Prefetches the row [`ROWS_AHEAD`] after row i in a pass over rows in order, where rows are long. Short ones need no prefetch.
    #[inline]
    fn fetch_ahead(&self, _i: usize) {}
    /// Number of stored values.
    fn stored(&self) -> usize;
    /// Number of stored values in the row that has the most.
    fn longest(&self) -> usize;
    /// Bytes of memory the values and their places take.
    fn bytes(&self) -> usize;
    /// gram ← gram + Σ cᵢ (xᵢ, 1)(xᵢ, 1)ᵀ over these rows, cᵢ ≥ 0: (d+1)², column by column, of which
    /// the lower triangle counts.
    fn add_gram(&self, rows: Range<usize>, c: &[f64], gram: &mut [f64]);
    /// Writes xᵢ·w for these rows and each of k columns w, side by side: W is d × k, the answer rows × k, both row after
    /// row.
    fn times(&self, rows: Range<usize>, w: &[f64], k: usize, out: &mut [f64]);
    /// out ← out + Σ xᵢ tᵢᵀ over these rows: T is rows × k, the answer d × k, both row after row.
    fn add_transposed(&self, rows: Range<usize>, t: &[f64], k: usize, out: &mut [f64]);
}

/// The features of n rows in d columns, every value finite.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Design {
    /// Every value stored, as f64.
    DenseF64(Dense<f64>),
    /// Every value stored, as f32.
    DenseF32(Dense<f32>),
    /// Only the values that are not zero, as f64.
    SparseF64(Csr<f64>),
    /// Only the values that are not zero, as f32.
    SparseF32(Csr<f32>),
}

/// Binds `$x` to the matrix inside a [`Design`], whatever its storage, and evaluates `$body`.
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
    /// Whether only the values that are not zero are stored.
    pub fn is_sparse(&self) -> bool {
        matches!(self, Self::SparseF64(_) | Self::SparseF32(_))
    }

    /// A dense matrix, row after row.
    pub fn dense(n: usize, d: usize, values: Vec<f64>) -> Result<Self, Error> {
        Ok(Self::DenseF64(Dense::new(n, d, values)?))
    }

    /// A sparse matrix; see [`Csr::new`]. Values that all fit f32 exactly are stored as f32,
    /// which takes a third less memory and changes no result.
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

    /// The same matrix with its columns stored by how often they occur, where that makes work with it faster; see
    /// [`Csr::by_frequency`]. It is the same matrix to all who ask.
    #[must_use]
    pub fn by_frequency(self) -> Self {
        match self {
            Self::SparseF64(x) => Self::SparseF64(x.by_frequency()),
            Self::SparseF32(x) => Self::SparseF32(x.by_frequency()),
            dense => dense,
        }
    }

    /// The same rows, shared, by the numbers that columns are stored by, for long work; and how to translate planes. `None` where these numbers are
    /// the ones given.
    pub fn as_stored(&self) -> Option<(Self, Arc<Numbering>)> {
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

    /// Number of stored values: n × d, or those that are not zero.
    pub fn stored(&self) -> usize {
        on_rows!(self, x => x.stored())
    }

    /// Number of stored values in the row that has the most.
    pub fn longest(&self) -> usize {
        on_rows!(self, x => x.longest())
    }

    /// Bytes of memory the matrix takes.
    pub fn bytes(&self) -> usize {
        on_rows!(self, x => x.bytes())
    }

    /// Row i in full.
    pub fn row(&self, i: usize) -> Vec<f64> {
        let mut out = vec![0.0; self.d()];
        on_rows!(self, x => x.copy_row(i, &mut out));
        out
    }

    /// Hands the column and the value of every element of row i that is not 0 to `work`, whatever the storage.
    pub fn each_nonzero(&self, i: usize, mut work: impl FnMut(usize, f64)) {
        on_rows!(self, x => x.each(i, |j, v| {
            let v = v.get();
            if v != 0.0 {
                work(j, v);
            }
        }));
    }

    /// The rows at these places, in this order; at least one.
    ///
    /// # Panics
    ///
    /// If there is none, or a place is n or above.
    pub fn select_rows(&self, rows: &[usize]) -> Self {
        assert!(!rows.is_empty(), "a design has rows");
        match self {
            Self::DenseF64(x) => Self::DenseF64(x.select_rows(rows)),
            Self::DenseF32(x) => Self::DenseF32(x.select_rows(rows)),
            Self::SparseF64(x) => Self::SparseF64(x.select_rows(rows)),
            Self::SparseF32(x) => Self::SparseF32(x.select_rows(rows)),
        }
    }

    /// The same without a copy: a view shares the stored values.
    ///
    /// # Panics
    ///
    /// If there is none, or a place is n or above.
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

    /// R² = maxᵢ ‖(xᵢ, 1)‖², the squared radius of the augmented data.
    pub fn radius_sq(&self) -> f64 {
        on_rows!(self, x => (0..x.n()).map(|i| x.norm_sq(i) + 1.0).fold(0.0, f64::max))
    }
}

/// Refuses matrices that are empty or too large to number (rows and columns are u32 inside).
pub(super) fn check_size(n: usize, d: usize) -> Result<(), Error> {
    const MOST: usize = u32::MAX as usize;
    for (got, what) in [(n, "rows"), (d, "columns")] {
        if got == 0 {
            return Err(Error::NothingThere { what });
        }
        if got > MOST {
            return Err(Error::TooLarge { what, got, most: MOST });
        }
    }
    Ok(())
}

/// Is every value finite? Without a branch per value, so that the loop runs on vectors.
pub(super) fn all_finite<V: Value>(values: &[V]) -> bool {
    let finite = |piece: &[V]| piece.iter().fold(true, |all, v| all & v.get().is_finite());
    values.chunks(1024).all(finite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn storage_changes_nothing() {
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
            assert_eq!(x.radius_sq(), 0.25 + 4.0 + 1.0);
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
