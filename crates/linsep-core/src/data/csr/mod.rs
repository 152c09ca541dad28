//! Compressed sparse rows: for each row the indices of its nonzero columns, ascending, and their
//! values. A view selects some of the rows and shares the storage.
//!
//! The columns of long rows are split in two, with about as many stored values on either side. x·w
//! is then the sum over the first half plus the sum over the second. This order of summation fixes
//! the bits of every model.
//!
//! Columns may be stored in another order than the given one ([`ColumnPermutation`]). Access to
//! single rows is then slow. Repeated passes over all rows use the matrix
//! [`as_stored`](Csr::as_stored), and translate coefficients at the end.

mod column_permutation;
mod numbered;
#[cfg(test)]
mod tests;

pub use column_permutation::ColumnPermutation;

use super::ROWS_AHEAD;
use super::design::{Rows, Sweep, all_finite, check_size};
use crate::error::Error;
use crate::math::kernels::{self, IndexSlice, Indices, Number, Value};
use crate::math::parallel::map_blocks;
use std::ops::Range;
use std::sync::Arc;

/// Positions and norm of one row.
#[derive(Clone, Copy, Debug)]
struct Row {
    /// Start of the row, start of its second half, and its end.
    start: usize,
    middle: usize,
    end: usize,
    /// ‖x‖².
    norm_sq: f64,
}

/// Stored values per block of parallel validation.
const BLOCK: usize = 1 << 16;

/// A sparse matrix of finite values, in compressed sparse row (CSR) storage.
#[derive(Clone, Debug)]
pub struct Csr<V> {
    d: usize,
    rows: Arc<Vec<Row>>,
    /// The first column of the second half; `None` if columns are not split.
    cut: Option<u32>,
    indices: Arc<Indices>,
    values: Arc<Vec<V>>,
    /// Number of stored values of all rows.
    stored: usize,
    /// The storage order of the columns, if it is not the given one.
    numbering: Option<Arc<ColumnPermutation>>,
}

impl<V: Value> PartialEq for Csr<V> {
    fn eq(&self, other: &Self) -> bool {
        let same = |i| {
            let (mut one, mut two) = (Vec::new(), Vec::new());
            self.each(i, |j, v| one.push((j, v.get())));
            other.each(i, |j, v| two.push((j, v.get())));
            one == two
        };
        (self.n(), self.d) == (other.n(), other.d) && (0..self.n()).all(same)
    }
}

impl<V: Value> Csr<V> {
    /// Creates a matrix whose row i has the stored elements `starts[i]..starts[i + 1]`. Its columns
    /// must be strictly ascending and below d, its values finite. `starts` has one element more
    /// than there are rows.
    #[expect(clippy::needless_pass_by_value, reason = "the parts form the matrix")]
    pub fn new(
        d: usize,
        starts: Vec<usize>,
        indices: Vec<u32>,
        values: Vec<V>,
    ) -> Result<Self, Error> {
        let n = starts.len().saturating_sub(1);
        check_size(n, d)?;
        if indices.len() != values.len() {
            let (got, want) = (values.len(), indices.len());
            return Err(Error::Shape { what: "values of a sparse matrix", got, want });
        }
        let bad = |row, problem| Err(Error::Sparse { row, problem });
        if starts[0] != 0 {
            return bad(0, "the first row does not start at element 0");
        }
        if starts[n] != indices.len() {
            return bad(n - 1, "the last row does not end with the last stored element");
        }
        let ends_first = |ends: &[usize]| ends[0] > ends[1] || ends[1] > indices.len();
        if let Some(row) = starts.windows(2).position(ends_first) {
            return bad(row, "the end precedes the start");
        }
        let cut = middle(&starts, &indices);
        let size = (BLOCK * n).div_ceil(indices.len().max(1));
        let blocks = map_blocks(n, size, |rows| {
            let look = |i: usize| {
                let own = starts[i]..starts[i + 1];
                validate_row(i, own.start, &indices[own.clone()], &values[own], d, cut)
            };
            rows.map(look).collect::<Result<Vec<Row>, Error>>()
        });
        let rows: Result<Vec<_>, Error> = blocks.into_iter().collect(); // error of the first row
        let rows = Arc::new(rows?.concat());
        let indices = Indices::new(indices, d).expect("the last column of every row is below d");
        let stored = values.len();
        let (indices, values) = (Arc::new(indices), Arc::new(values));
        Ok(Self { d, rows, cut, indices, values, stored, numbering: None })
    }

    /// Copies the rows at these positions, in this order.
    pub(super) fn select_rows(&self, places: &[usize]) -> Self {
        let (mut rows, mut indices, mut values) = (Vec::new(), Vec::new(), Vec::new());
        for &i in places {
            let (row_indices, row_values) = self.row(i);
            let start = indices.len();
            indices.extend_from_slice(row_indices.list());
            values.extend_from_slice(row_values);
            let row = self.rows[i];
            let middle = start + (row.middle - row.start);
            rows.push(Row { start, middle, end: indices.len(), ..row });
        }
        let indices = Indices::new(indices, self.d).expect("the bounds are those of this matrix");
        let stored = values.len();
        let (rows, indices, values) = (Arc::new(rows), Arc::new(indices), Arc::new(values));
        Self { rows, indices, values, stored, numbering: self.numbering.clone(), ..*self }
    }

    /// A view of the rows at these positions: it shares the storage.
    pub(super) fn view_rows(&self, places: &[u32]) -> Self {
        let rows: Vec<Row> = places.iter().map(|&i| self.rows[i as usize]).collect();
        let stored = rows.iter().map(|row| row.end - row.start).sum();
        Self { rows: Arc::new(rows), stored, ..self.clone() }
    }

    #[inline]
    fn row(&self, i: usize) -> (IndexSlice<'_>, &[V]) {
        let Row { start, end, .. } = self.rows[i];
        self.part(start..end)
    }

    fn dot_of_halves(&self, i: usize, w: &[f64]) -> f64 {
        let Row { start, middle, end, .. } = self.rows[i];
        let [first, second] = [start..middle, middle..end].map(|half| {
            let (indices, values) = self.part(half);
            kernels::sparse_dot(indices, values, w)
        });
        first + second
    }

    #[inline]
    fn part(&self, part: Range<usize>) -> (IndexSlice<'_>, &[V]) {
        (self.indices.at(part.clone()), &self.values[part])
    }
}

/// Validates row i, and computes its positions and norm.
fn validate_row<V: Value>(
    row: usize,
    start: usize,
    columns: &[u32],
    values: &[V],
    d: usize,
    cut: Option<u32>,
) -> Result<Row, Error> {
    let bad = |problem| Err(Error::Sparse { row, problem });
    if !columns.is_sorted_by(|a, b| a < b) {
        return bad("columns must ascend, each at most once");
    }
    if columns.last().is_some_and(|&last| last as usize >= d) {
        return bad("a column is beyond the last one");
    }
    if !all_finite(values) {
        let of_value = columns.iter().zip(values).find(|(_, v)| !v.get().is_finite());
        let (&column, value) = of_value.expect("not all values are finite");
        return Err(Error::NotFinite { row, column: column as usize, got: value.get() });
    }
    let first = cut.map_or(columns.len(), |cut| columns.partition_point(|&j| j < cut));
    let norm_sq = kernels::norm_sq(values);
    Ok(Row { start, middle: start + first, end: start + columns.len(), norm_sq })
}

/// The column to split at, from a sample of rows: about half of the stored values are below it.
/// `None` if rows are short.
fn middle(starts: &[usize], indices: &[u32]) -> Option<u32> {
    const SHORT: usize = 32;
    const ROWS: usize = 256;
    let n = starts.len() - 1;
    if indices.len() / n < SHORT {
        return None;
    }
    let rows = (0..n).step_by(n.div_ceil(ROWS));
    let mut some: Vec<u32> =
        rows.flat_map(|i| &indices[starts[i]..starts[i + 1]]).copied().collect();
    let half = some.len() / 2;
    (!some.is_empty()).then(|| *some.select_nth_unstable(half).1)
}

impl<V: Value> Sweep for Csr<V> {
    #[inline]
    fn score(&self, i: usize, w: &[f64]) -> f64 {
        self.dot(i, w)
    }

    #[inline]
    fn add(&self, i: usize, c: f64, w: &mut [f64]) {
        self.axpy(c, i, w);
    }

    #[inline]
    fn prefetch(&self, i: usize) {
        let (indices, values) = self.row(i);
        kernels::prefetch(indices.list());
        kernels::prefetch(values);
    }
}

impl<V: Value> Rows for Csr<V> {
    type Stored = V;

    fn n(&self) -> usize {
        self.rows.len()
    }

    fn d(&self) -> usize {
        self.d
    }

    #[inline]
    fn dot(&self, i: usize, w: &[f64]) -> f64 {
        if let Some(row) = self.given(i) {
            return row.dot(0, w);
        }
        if self.cut.is_some() {
            return self.dot_of_halves(i, w);
        }
        let (indices, values) = self.row(i);
        kernels::sparse_dot(indices, values, w)
    }

    #[inline]
    fn axpy(&self, a: f64, i: usize, out: &mut [f64]) {
        if let Some(row) = self.given(i) {
            return row.axpy(a, 0, out);
        }
        let (indices, values) = self.row(i);
        kernels::sparse_axpy(a, indices, values, out);
    }

    fn axpy_squares(&self, a: f64, i: usize, out: &mut [f64]) {
        if let Some(row) = self.given(i) {
            return row.axpy_squares(a, 0, out);
        }
        let (indices, values) = self.row(i);
        for (&j, v) in indices.list().iter().zip(values) {
            out[j as usize] += a * v.get() * v.get();
        }
    }

    #[inline]
    fn norm_sq(&self, i: usize) -> f64 {
        self.rows[i].norm_sq
    }

    fn copy_row(&self, i: usize, out: &mut [f64]) {
        out.fill(0.0);
        self.axpy(1.0, i, out);
    }

    #[inline]
    fn each(&self, i: usize, mut work: impl FnMut(usize, V)) {
        if let Some(row) = self.given(i) {
            return row.each(0, work);
        }
        let (indices, values) = self.row(i);
        indices.list().iter().zip(values).for_each(|(&j, &v)| work(j as usize, v));
    }

    #[inline]
    fn add_weights<N: Number>(&self, i: usize, w: &[N], out: &mut [N]) {
        if let Some(row) = self.given(i) {
            return row.add_weights(0, w, out);
        }
        let (indices, values) = self.row(i);
        kernels::add_rows(indices.list(), values, w, out);
    }

    #[inline]
    fn add_to_weights<N: Number>(&self, i: usize, c: &[N], w: &mut [N]) {
        if let Some(row) = self.given(i) {
            return row.add_to_weights(0, c, w);
        }
        let (indices, values) = self.row(i);
        kernels::add_to_rows(indices.list(), values, c, w);
    }

    #[inline]
    fn fetch_ahead(&self, i: usize) {
        if self.cut.is_some() && self.numbering.is_none() && i + ROWS_AHEAD < self.n() {
            self.prefetch(i + ROWS_AHEAD);
        }
    }

    fn longest(&self) -> usize {
        self.rows.iter().map(|row| row.end - row.start).max().unwrap_or(0)
    }

    fn stored(&self) -> usize {
        self.stored
    }

    fn bytes(&self) -> usize {
        let numbering = self.numbering.as_ref().map_or(0, |numbering| numbering.bytes());
        let stored = self.stored * (size_of::<u32>() + size_of::<V>());
        stored + size_of_val(self.rows.as_slice()) + numbering
    }

    fn add_gram(&self, rows: Range<usize>, c: &[f64], gram: &mut [f64]) {
        let wide = self.d + 1;
        for i in rows {
            if c[i] == 0.0 {
                continue;
            }
            if let Some(row) = self.given(i) {
                row.add_gram(0..1, &c[i..=i], gram);
                continue;
            }
            let (indices, values) = self.row(i);
            for (k, (&j, v)) in indices.list().iter().zip(values).enumerate() {
                let column = &mut gram[j as usize * wide..][..wide];
                let scaled = c[i] * v.get();
                kernels::sparse_axpy(scaled, indices.from(k), &values[k..], column);
                column[self.d] += scaled;
            }
            gram[self.d * wide + self.d] += c[i];
        }
    }

    fn times(&self, rows: Range<usize>, w: &[f64], k: usize, out: &mut [f64]) {
        if k == 1 {
            rows.zip(out).for_each(|(i, z)| *z = self.dot(i, w));
            return;
        }
        for (i, z) in rows.zip(out.chunks_exact_mut(k)) {
            z.fill(0.0);
            self.add_weights(i, w, z);
        }
    }

    fn add_transposed(&self, rows: Range<usize>, t: &[f64], k: usize, out: &mut [f64]) {
        for (i, t) in rows.zip(t.chunks_exact(k)) {
            self.add_to_weights(i, t, out);
        }
    }
}
