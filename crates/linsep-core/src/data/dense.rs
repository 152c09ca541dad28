//! Dense rows: n × d values, row-major. A view selects some of the rows and shares the values.

use super::design::{Rows, Sweep, all_finite, check_size};
use crate::error::Error;
use crate::math::kernels::{self, Value};
use crate::math::linalg;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// A dense matrix of finite values, row-major.
#[derive(Clone, Debug)]
pub struct Dense<V> {
    n: usize,
    d: usize,
    values: Arc<Vec<V>>,
    /// In a view, the stored position of each of its rows.
    places: Option<Arc<[u32]>>,
}

impl<V: Value> PartialEq for Dense<V> {
    fn eq(&self, other: &Self) -> bool {
        let same = |i| self.row(i).iter().zip(other.row(i)).all(|(a, b)| a.get() == b.get());
        (self.n, self.d) == (other.n, other.d) && (0..self.n).all(same)
    }
}

impl<V: Value> Dense<V> {
    /// Rows per block of [`add_gram`](Rows::add_gram) for rows of `wide` values: as many as fit the
    /// cache.
    pub(super) fn gram_tile(wide: usize) -> usize {
        const TILE: usize = 1 << 16;
        (TILE / wide).max(8)
    }

    /// Creates a matrix from n rows of d values, row-major; every value must be finite.
    pub fn new(n: usize, d: usize, values: Vec<V>) -> Result<Self, Error> {
        check_size(n, d)?;
        let want = n.saturating_mul(d);
        if values.len() != want {
            return Err(Error::Shape { what: "values of a dense matrix", got: values.len(), want });
        }
        if !all_finite(&values)
            && let Some(at) = values.iter().position(|v| !v.get().is_finite())
        {
            return Err(Error::NotFinite { row: at / d, column: at % d, got: values[at].get() });
        }
        Ok(Self { n, d, values: Arc::new(values), places: None })
    }

    /// Copies the rows at these positions, in this order.
    pub(super) fn select_rows(&self, rows: &[usize]) -> Self {
        let values = rows.iter().flat_map(|&i| self.row(i)).copied().collect();
        Self { n: rows.len(), d: self.d, values: Arc::new(values), places: None }
    }

    /// A view of the rows at these positions: it shares the values.
    pub(super) fn view_rows(&self, rows: &[u32]) -> Self {
        let place = |&i: &u32| self.places.as_ref().map_or(i, |places| places[i as usize]);
        let places = Some(rows.iter().map(place).collect());
        Self { n: rows.len(), d: self.d, values: Arc::clone(&self.values), places }
    }

    /// The given rows, row-major, as f64.
    fn block(&self, rows: Range<usize>) -> Cow<'_, [f64]> {
        if self.places.is_some() {
            return rows.flat_map(|i| self.row(i)).map(|v| v.get()).collect();
        }
        V::widened(&self.values[rows.start * self.d..rows.end * self.d])
    }

    #[inline]
    fn row(&self, i: usize) -> &[V] {
        let place = self.places.as_ref().map_or(i, |places| places[i] as usize);
        &self.values[place * self.d..][..self.d]
    }
}

impl<V: Value> Sweep for Dense<V> {
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
        kernels::prefetch(self.row(i));
    }
}

impl<V: Value> Rows for Dense<V> {
    type Stored = V;

    fn n(&self) -> usize {
        self.n
    }

    fn d(&self) -> usize {
        self.d
    }

    #[inline]
    fn dot(&self, i: usize, w: &[f64]) -> f64 {
        kernels::dot(self.row(i), w)
    }

    #[inline]
    fn axpy(&self, a: f64, i: usize, out: &mut [f64]) {
        kernels::axpy(a, self.row(i), out);
    }

    fn axpy_squares(&self, a: f64, i: usize, out: &mut [f64]) {
        for (o, v) in out.iter_mut().zip(self.row(i)) {
            *o += a * v.get() * v.get();
        }
    }

    #[inline]
    fn norm_sq(&self, i: usize) -> f64 {
        kernels::norm_sq(self.row(i))
    }

    #[inline]
    fn centered(&self, i: usize, c: &[f64], w: &[f64]) -> (f64, f64) {
        kernels::centered(self.row(i), c, w)
    }

    fn copy_row(&self, i: usize, out: &mut [f64]) {
        for (o, v) in out.iter_mut().zip(self.row(i)) {
            *o = v.get();
        }
    }

    #[inline]
    fn each(&self, i: usize, mut work: impl FnMut(usize, V)) {
        self.row(i).iter().enumerate().for_each(|(j, &v)| work(j, v));
    }

    fn longest(&self) -> usize {
        self.d
    }

    fn stored(&self) -> usize {
        self.n * self.d
    }

    fn bytes(&self) -> usize {
        self.stored() * size_of::<V>()
    }

    fn add_gram(&self, rows: Range<usize>, c: &[f64], gram: &mut [f64]) {
        // √cᵢ (xᵢ, 1), a tile of rows at a time.
        let wide = self.d + 1;
        let high = Self::gram_tile(wide);
        let mut tile = Vec::with_capacity(high * wide);
        for start in rows.clone().step_by(high) {
            tile.clear();
            let end = rows.end.min(start + high);
            for (i, c) in (start..end).zip(&c[start..end]) {
                let root = c.sqrt();
                tile.extend(self.row(i).iter().map(|v| root * v.get()));
                tile.push(root);
            }
            linalg::add_gram(&tile, wide, 1.0, gram);
        }
    }

    fn times(&self, rows: Range<usize>, w: &[f64], k: usize, out: &mut [f64]) {
        linalg::times(&self.block(rows), &w[..self.d * k], k, out);
    }

    fn add_transposed(&self, rows: Range<usize>, t: &[f64], k: usize, out: &mut [f64]) {
        linalg::add_transposed(&self.block(rows), t, k, &mut out[..self.d * k]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_match_their_values() {
        let x = Dense::new(2, 3, vec![1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        assert_eq!((x.n(), x.d()), (2, 3));
        assert_eq!(x.dot(1, &[1.0, 10.0, 100.0]), 654.0);
        assert_eq!(x.norm_sq(0), 14.0);
        let mut out = [0.0; 3];
        x.copy_row(1, &mut out);
        assert_eq!(out, [4.0, 5.0, 6.0]);
    }

    #[test]
    fn invalid_matrices_are_rejected_with_their_location() {
        let nan = Dense::new(2, 2, vec![0.0, 1.0, f64::NAN, 3.0]).unwrap_err();
        assert_eq!(nan.to_string(), "row 1, column 0: expected a finite number, found NaN");
        let mut far = vec![0.0; 3_000];
        far[2_501] = f64::INFINITY;
        let far = Dense::new(1_000, 3, far).unwrap_err();
        assert!(
            far.to_string().starts_with("row 833, column 2: expected a finite number, found inf"),
            "{far}"
        );
        let short = Dense::new(2, 2, vec![0.0; 3]).unwrap_err();
        assert_eq!(short, Error::Shape { what: "values of a dense matrix", got: 3, want: 4 });
        assert_eq!(Dense::<f64>::new(0, 2, vec![]), Err(Error::EmptyDesign { what: "rows" }));
        assert_eq!(Dense::<f64>::new(2, 0, vec![]), Err(Error::EmptyDesign { what: "columns" }));
        assert!(Dense::<f64>::new(usize::MAX, 2, vec![]).is_err(), "no overflow, no allocation");
    }
}
