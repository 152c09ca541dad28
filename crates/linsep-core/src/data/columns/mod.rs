//! Selected columns of a matrix in compressed storage, for coordinate solvers.

mod weighted;

pub(crate) use weighted::Weighted;

use super::{Design, Rows, on_rows};
use crate::math::kernels::{Number, Value, add_rows};

/// Columns, each with the rows in which it is nonzero.
pub struct Columns {
    /// Number of stored values of each column of the matrix: computed in one pass at the first use.
    lengths: Vec<u32>,
    starts: Vec<usize>,
    rows: Vec<u32>,
    values: Stored,
}

/// Values, in the precision of the matrix.
enum Stored {
    F32(Vec<f32>),
    F64(Vec<f64>),
}

impl Columns {
    /// Creates an empty list of columns.
    pub fn none(x: &Design) -> Self {
        let values = match x {
            Design::DenseF64(_) | Design::SparseF64(_) => Stored::F64(Vec::new()),
            Design::DenseF32(_) | Design::SparseF32(_) => Stored::F32(Vec::new()),
        };
        Self { lengths: Vec::new(), starts: vec![0], rows: Vec::new(), values }
    }

    /// Copies these columns, in this order, in two passes over the matrix.
    pub fn new(x: &Design, columns: &[u32]) -> Self {
        let mut all = Self::none(x);
        all.append(x, columns);
        all
    }

    /// Copies the rows of the matrix instead of its columns, with column j renumbered as
    /// `number[j]`; drops columns whose new index is not below `below`.
    pub fn rows(x: &Design, number: &[u32], below: u32) -> Self {
        let mut all = Self::none(x);
        all.rows.reserve_exact(x.stored());
        let (number, lists) = ((number, below), (&mut all.starts, &mut all.rows));
        match (x, &mut all.values) {
            (Design::DenseF64(x), Stored::F64(values)) => renumber(x, number, lists, values),
            (Design::SparseF64(x), Stored::F64(values)) => renumber(x, number, lists, values),
            (Design::DenseF32(x), Stored::F32(values)) => renumber(x, number, lists, values),
            (Design::SparseF32(x), Stored::F32(values)) => renumber(x, number, lists, values),
            _ => unreachable!("the values have the type of the matrix"),
        }
        all
    }

    /// The column indices of a matrix, ordered by decreasing number of values.
    pub(crate) fn longest_first(x: &Design) -> Vec<u32> {
        let lengths = on_rows!(x, x => lengths(x));
        let mut order: Vec<u32> = (0..x.d() as u32).collect();
        order.sort_by_key(|&j| std::cmp::Reverse(lengths[j as usize]));
        order
    }

    /// Appends columns in one pass over the matrix; the first call needs another pass.
    pub fn append(&mut self, x: &Design, columns: &[u32]) {
        if self.lengths.is_empty() {
            self.lengths = on_rows!(x, x => lengths(x));
        }
        for &j in columns {
            let end = self.starts[self.starts.len() - 1] + self.lengths[j as usize] as usize;
            self.starts.push(end);
        }
        let (starts, rows) = (&self.starts, &mut self.rows);
        match (x, &mut self.values) {
            (Design::DenseF64(x), Stored::F64(values)) => gather(x, columns, starts, rows, values),
            (Design::SparseF64(x), Stored::F64(values)) => gather(x, columns, starts, rows, values),
            (Design::DenseF32(x), Stored::F32(values)) => gather(x, columns, starts, rows, values),
            (Design::SparseF32(x), Stored::F32(values)) => gather(x, columns, starts, rows, values),
            _ => unreachable!("the columns are of one matrix"),
        }
    }

    /// Σ xᵢⱼ eᵢ of the k-th selected column.
    #[inline]
    pub fn dot<N: Number>(&self, k: usize, e: &[N]) -> N {
        let range = self.starts[k]..self.starts[k + 1];
        let rows = &self.rows[range.clone()];
        match &self.values {
            Stored::F32(values) => dot(rows, &values[range], e),
            Stored::F64(values) => dot(rows, &values[range], e),
        }
    }

    /// Writes Σ xᵢⱼ tᵢ of the j-th selected column, where every tᵢ is as long as `out`.
    pub fn combine<N: Number>(&self, j: usize, t: &[N], out: &mut [N]) {
        if let [one] = out {
            *one = self.dot(j, t);
            return;
        }
        out.fill(N::default());
        let range = self.starts[j]..self.starts[j + 1];
        let rows = &self.rows[range.clone()];
        match &self.values {
            Stored::F32(values) => add_rows(rows, &values[range], t, out),
            Stored::F64(values) => add_rows(rows, &values[range], t, out),
        }
    }

    /// Σ cᵢ xᵢⱼ² of the k-th selected column.
    pub fn curvature(&self, k: usize, c: &[f64]) -> f64 {
        let mut sum = 0.0;
        self.each(k, |i, v| sum += v * v * c[i]);
        sum
    }

    /// Extends `known` by the start of the second half of each further column: its first element in
    /// row `row` or later.
    pub(crate) fn middles(&self, row: usize, known: &mut Vec<usize>) {
        let starts = &self.starts[known.len()..];
        known.extend(starts.windows(2).map(|ends| {
            let rows = &self.rows[ends[0]..ends[1]];
            ends[0] + rows.partition_point(|&i| (i as usize) < row)
        }));
    }

    /// Number of values of the j-th selected column.
    pub fn len(&self, j: usize) -> usize {
        self.starts[j + 1] - self.starts[j]
    }

    /// The numbers of values, and of pairs of values in one row, of these columns: the costs of a
    /// pass over them and of [`Columns::gram`].
    pub fn costs(&self, part: &[u32], n: usize) -> [usize; 2] {
        let mut in_row = vec![0_usize; n];
        for &k in part {
            let rows = &self.rows[self.starts[k as usize]..self.starts[k as usize + 1]];
            rows.iter().for_each(|&i| in_row[i as usize] += 1);
        }
        [in_row.iter().sum(), in_row.iter().map(|r| r * (r + 1) / 2).sum()]
    }

    /// Σ cᵢ xᵢⱼ xᵢₖ of every pair of these columns, as a row-major square. The columns are
    /// transposed a few rows at a time.
    pub fn gram(&self, part: &[u32], c: &[f64]) -> Vec<f64> {
        const ROWS: usize = 1024;
        let p = part.len();
        let mut gram = vec![0.0; p * p];
        let mut next: Vec<usize> = part.iter().map(|&k| self.starts[k as usize]).collect();
        let mut block: Vec<Vec<(u32, f64)>> = vec![Vec::new(); ROWS];
        for (start, c) in (0..).step_by(ROWS).zip(c.chunks(ROWS)) {
            block.iter_mut().for_each(Vec::clear);
            for ((next, &k), a) in next.iter_mut().zip(part).zip(0..) {
                let end = self.starts[k as usize + 1];
                let rows = &self.rows[*next..end];
                let here = rows.iter().take_while(|i| (**i as usize) < start + c.len()).count();
                for at in *next..*next + here {
                    block[self.rows[at] as usize - start].push((a, self.value(at)));
                }
                *next += here;
            }
            block.iter().zip(c).for_each(|(row, &c)| add_products(row, c, &mut gram, p));
        }
        for a in 0..p {
            for b in 0..a {
                gram[b * p + a] = gram[a * p + b];
            }
        }
        gram
    }

    #[inline]
    fn value(&self, at: usize) -> f64 {
        match &self.values {
            Stored::F32(values) => values[at].get(),
            Stored::F64(values) => values[at].get(),
        }
    }

    /// Calls `work` with every row of the k-th selected column and the value there.
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

/// Dot product in four partial sums, which avoid waiting for each addition. e begins with the
/// element of row `first`.
#[inline]
fn dot<V: Value, N: Number>(rows: &[u32], values: &[V], e: &[N]) -> N {
    const LANES: usize = 4;
    let at = |i: u32| e[i as usize];
    let mut sums = [N::default(); LANES];
    let (rows4, rows_rest) = rows.as_chunks::<LANES>();
    let (values4, values_rest) = values.as_chunks::<LANES>();
    for (rows, values) in rows4.iter().zip(values4) {
        for l in 0..LANES {
            sums[l] = sums[l].plus(N::of(values[l]), at(rows[l]));
        }
    }
    let rest = rows_rest.iter().zip(values_rest);
    let rest = rest.fold(N::default(), |sum, (&i, v)| sum.plus(N::of(*v), at(i)));
    let one = N::of(1.0);
    (sums[0].plus(one, sums[2])).plus(one, sums[1].plus(one, sums[3])).plus(one, rest)
}

/// Adds the lower triangle of c x xᵀ, for one row x.
fn add_products(row: &[(u32, f64)], c: f64, gram: &mut [f64], p: usize) {
    for (last, &(a, v)) in row.iter().enumerate() {
        let gram = &mut gram[a as usize * p..][..p];
        let v = c * v;
        row[..=last].iter().for_each(|&(b, u)| gram[b as usize] += v * u);
    }
}

fn lengths<X: Rows>(x: &X) -> Vec<u32> {
    let mut lengths = vec![0; x.d()];
    for i in 0..x.n() {
        x.each(i, |j, _| lengths[j] += 1);
    }
    lengths
}

/// Copies rows with renumbered columns; drops columns whose new index is not below the bound.
fn renumber<V: Value, X: Rows<Stored = V>>(
    x: &X,
    (number, below): (&[u32], u32),
    (starts, places): (&mut Vec<usize>, &mut Vec<u32>),
    values: &mut Vec<V>,
) {
    values.reserve_exact(x.stored());
    for i in 0..x.n() {
        x.each(i, |j, v| {
            if number[j] < below {
                places.push(number[j]);
                values.push(v);
            }
        });
        starts.push(places.len());
    }
}

/// Copies every value of these columns to its place; they are the last columns in `starts`.
fn gather<V: Value, X: Rows<Stored = V>>(
    x: &X,
    columns: &[u32],
    starts: &[usize],
    rows: &mut Vec<u32>,
    values: &mut Vec<V>,
) {
    let end = starts[starts.len() - 1];
    rows.reserve_exact(end - rows.len());
    rows.resize(end, 0);
    values.reserve_exact(end - values.len());
    values.resize(end, V::ZERO);

    // Most values belong to other columns; a bitmap, which fits the cache, filters them.
    let mut wanted = vec![0_u64; x.d().div_ceil(64)];
    let mut next = vec![0_usize; x.d()];
    let first = starts.len() - 1 - columns.len();
    for (&j, &start) in columns.iter().zip(&starts[first..]) {
        wanted[j as usize / 64] |= 1 << (j % 64);
        next[j as usize] = start;
    }
    for i in 0..x.n() {
        x.each(i, |j, v| {
            if wanted[j / 64] >> (j % 64) & 1 == 1 {
                let at = next[j];
                (rows[at], values[at]) = (i as u32, v);
                next[j] = at + 1;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_match_the_matrix() {
        // (0, 2, 0) / (0, 0, 5) / (1, 0, 3)
        let sparse =
            Design::sparse(3, vec![0, 1, 2, 4], vec![1, 2, 0, 2], vec![2.0, 5.0, 1.0, 3.0]);
        let dense = Design::dense(3, 3, vec![0.0, 2.0, 0.0, 0.0, 0.0, 5.0, 1.0, 0.0, 3.0]);
        for x in [sparse.unwrap(), dense.unwrap()] {
            let columns = Columns::new(&x, &[2, 0]);
            let e = [1.0, 10.0, 100.0];
            assert_eq!([columns.dot(0, &e), columns.dot(1, &e)], [350.0, 100.0]);
            assert_eq!(columns.curvature(0, &e), 250.0 + 900.0);
            let mut both = [0.0; 2];
            columns.combine(0, &[1.0, -1.0, 10.0, -10.0, 100.0, -100.0], &mut both);
            assert_eq!(both, [350.0, -350.0]);
            assert!(!x.is_sparse() || Columns::longest_first(&x)[0] == 2);
            let rows = Columns::rows(&x, &[1, 2, 0], 3);
            let weights = [1.0, 10.0, 100.0];
            assert_eq!([0, 1, 2].map(|i| rows.dot(i, &weights)), [200.0, 5.0, 13.0]);
            let some = Columns::rows(&x, &[1, 2, 0], 2);
            assert_eq!([0, 1, 2].map(|i| some.dot(i, &[1.0_f32, 10.0])), [0.0, 5.0, 13.0]);
            let mut sum = 0.0;
            columns.each(0, |i, v| sum += (i as f64 + 1.0) * v);
            assert_eq!(sum, 2.0 * 5.0 + 3.0 * 3.0);
        }
    }

    #[test]
    fn appending_columns_matches_copying_them_together() {
        let values: Vec<f64> = (0..7 * 5).map(|v| f64::from(v % 11)).collect();
        let x = Design::dense(7, 5, values).unwrap();
        let mut grown = Columns::none(&x);
        grown.append(&x, &[3]);
        grown.append(&x, &[]);
        grown.append(&x, &[4, 0]);
        let once = Columns::new(&x, &[3, 4, 0]);
        let e = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];
        for (k, j) in [(0, 3), (1, 4), (2, 0)] {
            let gram = once.gram(&[0, 2], &e);
            let products = |a: u32, b: u32| -> f64 {
                let at = |i: u32, j: u32| f64::from((5 * i + j) % 11);
                (0..7).map(|i| e[i as usize] * at(i, a) * at(i, b)).sum()
            };
            assert_eq!(gram, [products(3, 3), products(3, 0), products(3, 0), products(0, 0)]);
            let by_hand: f64 = (0..7).map(|i| f64::from((5 * i + j) % 11) * e[i as usize]).sum();
            assert_eq!([grown.dot(k, &e), once.dot(k, &e)], [by_hand, by_hand]);
        }
    }
}
