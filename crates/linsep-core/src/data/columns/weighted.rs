//! Columns for sweeps, with a factor for every row.

use super::{Columns, Stored, dot};
use crate::data::Sweep;
use crate::math::kernels::{self, Value};

/// Columns with a factor cᵢ for every row: Σ xᵢⱼ eᵢ, and e ← e + a cᵢ xᵢⱼ. The sum is that over the
/// first half of the rows plus that over the second.
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
}

impl Sweep for Weighted<'_> {
    #[inline]
    fn score(&self, k: usize, e: &[f64]) -> f64 {
        let (starts, middle) = (&self.columns.starts, self.middles[k]);
        let [first, second] = [starts[k]..middle, middle..starts[k + 1]].map(|half| {
            let rows = &self.columns.rows[half.clone()];
            match &self.columns.values {
                Stored::F32(values) => dot(rows, &values[half], e),
                Stored::F64(values) => dot(rows, &values[half], e),
            }
        });
        first + second
    }

    #[inline]
    fn add(&self, k: usize, a: f64, e: &mut [f64]) {
        let range = self.columns.starts[k]..self.columns.starts[k + 1];
        let rows = &self.columns.rows[range.clone()];
        match &self.columns.values {
            Stored::F32(values) => add_weighted(rows, &values[range], a, self.c, e),
            Stored::F64(values) => add_weighted(rows, &values[range], a, self.c, e),
        }
    }

    fn prefetch(&self, k: usize) {
        let range = self.columns.starts[k]..self.columns.starts[k + 1];
        kernels::prefetch(&self.columns.rows[range.clone()]);
        match &self.columns.values {
            Stored::F32(values) => kernels::prefetch(&values[range]),
            Stored::F64(values) => kernels::prefetch(&values[range]),
        }
    }
}

#[inline]
fn add_weighted<V: Value>(rows: &[u32], values: &[V], a: f64, c: &[f64], e: &mut [f64]) {
    for (&i, v) in rows.iter().zip(values) {
        e[i as usize] += a * c[i as usize] * v.get();
    }
}
