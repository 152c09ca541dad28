//! Column means and standard deviations, and the Gram matrix of the rows (n × n).
//!
//! ```text
//!   m = (1/S) Σ sᵢ xᵢ,    u² = (1/S) Σ sᵢ (xᵢ − m)²    column by column
//!   Kᵢₗ = Σⱼ (xᵢⱼ − mⱼ)(xₗⱼ − mⱼ)/uⱼ²
//! ```
//!
//! If every value is stored, rows are centered before they are multiplied. Centering sparse rows
//! would fill them, so there Kᵢₗ = xᵢ·xₗ − xᵢ·m − xₗ·m + m·m in units of u. That loses digits only
//! for columns with means far above their standard deviations, and these columns are not sparse.

use super::{Combination, Design, Rows, on_rows};
use crate::math::kernels::{Value, dot};
use crate::math::linalg::add_gram;
use crate::math::parallel::map_blocks;

impl Design {
    /// Weighted mean and standard deviation of every column; the deviation is 0 if all values are
    /// equal.
    pub(crate) fn spread(&self, s: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let (d, total): (usize, f64) = (self.d(), s.iter().sum());
        let mut mean = vec![0.0; d];
        Combination::new(self).of(self, s, &mut mean);
        mean.iter_mut().for_each(|m| *m /= total);
        let (mut squares, mut there) = (vec![0.0; d], vec![0.0; d]);
        let (mut low, mut high) = (vec![f64::INFINITY; d], vec![f64::NEG_INFINITY; d]);
        on_rows!(self, x => for (i, &s) in s.iter().enumerate() {
            if s > 0.0 {
                x.each(i, |j, v| {
                    let v = v.get();
                    squares[j] += s * (v - mean[j]) * (v - mean[j]);
                    there[j] += s;
                    low[j] = low[j].min(v);
                    high[j] = high[j].max(v);
                });
            }
        });
        for j in 0..d {
            let missing = total - there[j];
            if missing > 0.0 {
                squares[j] += missing * mean[j] * mean[j];
                low[j] = low[j].min(0.0);
                high[j] = high[j].max(0.0);
            }
            squares[j] = if low[j] >= high[j] { 0.0 } else { (squares[j] / total).sqrt() };
        }
        (mean, squares)
    }

    /// K: n × n, column-major; only the lower triangle is valid.
    pub(crate) fn row_products(&self, mean: &[f64], units: &[f64]) -> Vec<f64> {
        let (n, d) = (self.n(), self.d());
        let mut gram = vec![0.0; n * n];
        if self.stored() == n * d {
            // Stripes of columns limit the size of the copy; each column of the data is one row of
            // the stripe.
            const WIDE: usize = 512;
            let mut row = vec![0.0; d];
            for from in (0..d).step_by(WIDE) {
                let to = d.min(from + WIDE);
                let mut stripe = vec![0.0; (to - from) * n];
                for i in 0..n {
                    on_rows!(self, x => x.copy_row(i, &mut row));
                    for j in from..to {
                        stripe[(j - from) * n + i] = (row[j] - mean[j]) / units[j];
                    }
                }
                add_gram(&stripe, n, 1.0, &mut gram);
            }
            return gram;
        }
        let weigh: Vec<f64> = units.iter().map(|u| 1.0 / (u * u)).collect();
        let weighed: Vec<f64> = mean.iter().zip(&weigh).map(|(m, weigh)| m * weigh).collect();
        let middle = dot(mean, &weighed);
        on_rows!(self, x => {
            let along: Vec<f64> = (0..n).map(|i| x.dot(i, &weighed)).collect();
            let columns = map_blocks(n, 1, |block| {
                let i = block.start;
                let mut row = vec![0.0; d];
                x.each(i, |j, v| row[j] = v.get() * weigh[j]);
                (i..n).map(|l| x.dot(l, &row) - along[i] - along[l] + middle).collect::<Vec<f64>>()
            });
            for (i, column) in columns.iter().enumerate() {
                gram[i * n + i..(i + 1) * n].copy_from_slice(column);
            }
        });
        gram
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn row_products_are_centered_for_any_storage() {
        let rows = [1.0, 0.0, 4.0, 0.0, 3.0, 0.0, 0.0, 4.0, 1.0, 0.0, 5.0, 4.0];
        let dense = Design::dense(3, 4, rows.to_vec()).unwrap();
        let sparse = Design::sparse(
            4,
            vec![0, 2, 4, 7],
            vec![0, 2, 0, 3, 0, 2, 3],
            vec![1.0, 4.0, 3.0, 4.0, 1.0, 5.0, 4.0],
        );
        let s = [1.0, 2.0, 1.0];
        for x in [dense, sparse.unwrap()] {
            let (mean, deviation) = x.spread(&s);
            assert_eq!(mean, [2.0, 0.0, 2.25, 3.0]);
            assert_eq!((deviation[0], deviation[1]), (1.0, 0.0));
            let units = [1.0, f64::INFINITY, 1.0, 2.0];
            let k = x.row_products(&mean, &units);
            // Row 0 is (−1, 0, 1.75, −1.5), row 1 (1, 0, −2.25, ½), row 2 (−1, 0, 2.75, ½).
            let want = [1.0 + 3.0625 + 2.25, -1.0 - 3.9375 - 0.75, 1.0 + 4.8125 - 0.75];
            assert!((0..3).all(|i| (k[i] - want[i]).abs() < 1e-12), "{k:?}");
        }
    }
}
