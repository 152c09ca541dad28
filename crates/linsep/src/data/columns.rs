//! Some columns of a matrix, one after the other: what methods that go by columns work on.

use super::{Design, Rows};
use crate::math::kernels::Value;

/// Columns with the rows they are not zero in.
pub struct Columns {
    starts: Vec<usize>,
    rows: Vec<u32>,
    values: Stored,
}

/// Values keep the width they have in the matrix.
enum Stored {
    F32(Vec<f32>),
    F64(Vec<f64>),
}

impl Columns {
    /// The columns of these numbers, in this order: two passes over the matrix.
    pub fn new(x: &Design, columns: &[u32]) -> Self {
        let (starts, rows, values) = match x {
            Design::DenseF64(x) => {
                let (s, r, v) = gather(x, columns);
                (s, r, Stored::F64(v))
            }
            Design::SparseF64(x) => {
                let (s, r, v) = gather(x, columns);
                (s, r, Stored::F64(v))
            }
            Design::DenseF32(x) => {
                let (s, r, v) = gather(x, columns);
                (s, r, Stored::F32(v))
            }
            Design::SparseF32(x) => {
                let (s, r, v) = gather(x, columns);
                (s, r, Stored::F32(v))
            }
        };
        Self { starts, rows, values }
    }

    /// Σ xᵢⱼ eᵢ of the k-th column.
    #[inline]
    pub fn dot(&self, k: usize, e: &[f64]) -> f64 {
        self.fold(k, |sum, i, v| sum + v * e[i])
    }

    /// Σ cᵢ xᵢⱼ² of the k-th column.
    pub fn curvature(&self, k: usize, c: &[f64]) -> f64 {
        self.fold(k, |sum, i, v| sum + v * v * c[i])
    }

    #[inline]
    fn fold(&self, k: usize, add: impl Fn(f64, usize, f64) -> f64) -> f64 {
        let range = self.starts[k]..self.starts[k + 1];
        let rows = &self.rows[range.clone()];
        match &self.values {
            Stored::F32(values) => fold(rows, &values[range], add),
            Stored::F64(values) => fold(rows, &values[range], add),
        }
    }

    /// Hands every row of the k-th column and the value there to `work`.
    #[inline]
    pub fn each(&self, k: usize, mut work: impl FnMut(usize, f64)) {
        let range = self.starts[k]..self.starts[k + 1];
        let rows = &self.rows[range.clone()];
        match &self.values {
            Stored::F32(values) => {
                rows.iter().zip(&values[range]).for_each(|(&i, v)| work(i as usize, v.get()));
            }
            Stored::F64(values) => {
                rows.iter().zip(&values[range]).for_each(|(&i, v)| work(i as usize, v.get()));
            }
        }
    }
}

#[inline]
fn fold<V: Value>(rows: &[u32], values: &[V], add: impl Fn(f64, usize, f64) -> f64) -> f64 {
    rows.iter().zip(values).fold(0.0, |sum, (&i, v)| add(sum, i as usize, v.get()))
}

fn gather<V: Value, X: Rows<Stored = V>>(x: &X, columns: &[u32]) -> (Vec<usize>, Vec<u32>, Vec<V>) {
    const NONE: u32 = u32::MAX;
    let mut slot = vec![NONE; x.d()];
    columns.iter().zip(0..).for_each(|(&j, k)| slot[j as usize] = k);
    let mut starts = vec![0; columns.len() + 1];
    for i in 0..x.n() {
        x.each(i, |j, _| {
            if slot[j] != NONE {
                starts[slot[j] as usize + 1] += 1;
            }
        });
    }
    for k in 0..columns.len() {
        starts[k + 1] += starts[k];
    }
    let stored = starts[columns.len()];
    let mut rows = vec![0_u32; stored];
    let mut values = vec![V::ZERO; stored];
    let mut next = starts.clone();
    for i in 0..x.n() {
        x.each(i, |j, v| {
            if slot[j] != NONE {
                let at = &mut next[slot[j] as usize];
                (rows[*at], values[*at]) = (i as u32, v);
                *at += 1;
            }
        });
    }
    (starts, rows, values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_those_of_the_matrix() {
        // (0, 2, 0) / (0, 0, 5) / (1, 0, 3)
        let sparse =
            Design::sparse(3, vec![0, 1, 2, 4], vec![1, 2, 0, 2], vec![2.0, 5.0, 1.0, 3.0]);
        let dense = Design::dense(3, 3, vec![0.0, 2.0, 0.0, 0.0, 0.0, 5.0, 1.0, 0.0, 3.0]);
        for x in [sparse.unwrap(), dense.unwrap()] {
            let columns = Columns::new(&x, &[2, 0]);
            let e = [1.0, 10.0, 100.0];
            assert_eq!([columns.dot(0, &e), columns.dot(1, &e)], [350.0, 100.0]);
            assert_eq!(columns.curvature(0, &e), 250.0 + 900.0);
            let mut sum = 0.0;
            columns.each(0, |i, v| sum += (i as f64 + 1.0) * v);
            assert_eq!(sum, 2.0 * 5.0 + 3.0 * 3.0);
        }
    }
}
