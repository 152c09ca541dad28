//! Columns for sweeps on two threads, each with half of the rows.

use super::{Columns, Stored, dot};
use crate::data::{Half, Halves};
use crate::math::kernels::{self, Value};
use std::ops::Range;

/// Columns with a factor cᵢ for every row: Σ xᵢⱼ eᵢ, and e ← e + a cᵢ xᵢⱼ. The rows are split in
/// the middle.
pub(crate) struct Weighted<'a> {
    columns: &'a Columns,
    c: &'a [f64],
    /// Start of the second half of each column.
    middles: &'a [usize],
}

impl<'a> Weighted<'a> {
    /// Combines columns and factors with the positions from [`Columns::middles`].
    pub(crate) fn new(columns: &'a Columns, c: &'a [f64], middles: &'a [usize]) -> Self {
        Self { columns, c, middles }
    }

    fn middle_row(&self) -> usize {
        self.c.len() / 2
    }

    #[inline]
    fn part(&self, k: usize, half: Half) -> (Range<usize>, usize) {
        let (starts, middle) = (&self.columns.starts, self.middles[k]);
        match half {
            Half::First => (starts[k]..middle, 0),
            Half::Second => (middle..starts[k + 1], self.middle_row()),
        }
    }
}

impl Halves for Weighted<'_> {
    fn cut(&self) -> Option<usize> {
        Some(self.middle_row())
    }

    fn mean_stored(&self) -> usize {
        self.columns.rows.len() / self.middles.len().max(1)
    }

    #[inline]
    fn score_half(&self, k: usize, half: Half, e: &[f64]) -> f64 {
        let (range, first) = self.part(k, half);
        let rows = &self.columns.rows[range.clone()];
        match &self.columns.values {
            Stored::F32(values) => dot(rows, &values[range], e, first),
            Stored::F64(values) => dot(rows, &values[range], e, first),
        }
    }

    #[inline]
    fn add_half(&self, k: usize, half: Half, a: f64, e: &mut [f64]) {
        let (range, first) = self.part(k, half);
        let c = &self.c[first..][..e.len()];
        let rows = &self.columns.rows[range.clone()];
        match &self.columns.values {
            Stored::F32(values) => add_weighted(rows, &values[range], a, c, e, first),
            Stored::F64(values) => add_weighted(rows, &values[range], a, c, e, first),
        }
    }

    fn fetch(&self, k: usize) {
        self.fetch_half(k, Half::First);
        self.fetch_half(k, Half::Second);
    }

    fn fetch_half(&self, k: usize, half: Half) {
        let (range, _) = self.part(k, half);
        kernels::fetch(&self.columns.rows[range.clone()]);
        match &self.columns.values {
            Stored::F32(values) => kernels::fetch(&values[range]),
            Stored::F64(values) => kernels::fetch(&values[range]),
        }
    }

    /// No prefetch: e fits the cache, because rows are few and columns long.
    fn fetch_weights(&self, _k: usize, _half: Half, _e: &[f64]) {}
}

#[inline]
fn add_weighted<V: Value>(
    rows: &[u32],
    values: &[V],
    a: f64,
    c: &[f64],
    e: &mut [f64],
    first: usize,
) {
    for (&i, v) in rows.iter().zip(values) {
        let i = (i as usize).wrapping_sub(first);
        e[i] += a * c[i] * v.get();
    }
}
