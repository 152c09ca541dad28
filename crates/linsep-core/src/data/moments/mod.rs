//! Sufficient statistics of classes: sample weights, means and within-class scatter, from one pass
//! over the rows.
//!
//! ```text
//!   n_c = Σ sᵢ,    m_c = (1/n_c) Σ sᵢ xᵢ    over the rows of class c
//!   S_W = Σ_c Σ_{i∈c} sᵢ (xᵢ − m_c)(xᵢ − m_c)ᵀ
//! ```
//!
//! The other statistics follow without cancellation: with m the mean of all rows,
//!
//! ```text
//!   S_B = Σ n_c (m_c − m)(m_c − m)ᵀ   is the between-class, S_T = S_W + S_B the total scatter.
//! ```
//!
//! Sample weight 2 equals the row twice.
//!
//! [`pass`] describes the summation.

mod pass;
mod strips;

use super::{Problem, Rows, on_rows};
use crate::control::Cancel;
use crate::error::Error;
use crate::math::kernels::Value;
use crate::math::linalg::add_gram;
use crate::math::parallel::map_blocks;
use pass::{of_rows, of_stored};

/// Sample weights, means and within-class scatter: all statistics that the closed forms need.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    d: usize,
    /// `n_c`.
    weight: Vec<f64>,
    /// `m_c` is the sum of `center` and `offset`: d numbers per class.
    center: Vec<f64>,
    offset: Vec<f64>,
    /// `S_W`: d × d, column-major; only the lower triangle is valid.
    within: Vec<f64>,
}

impl Moments {
    /// Moments of no rows, in k classes.
    pub fn none(d: usize, k: usize) -> Self {
        Self {
            d,
            weight: vec![0.0; k],
            center: vec![0.0; k * d],
            offset: vec![0.0; k * d],
            within: vec![0.0; d * d],
        }
    }

    /// Moments of all rows. Fails if squares of values overflow or underflow.
    pub fn of(problem: &Problem<'_>) -> Result<Self, Error> {
        Self::of_until(problem, &Cancel::default())
    }

    /// Moments of all rows; fails also if the token is set before the end.
    pub fn of_until(problem: &Problem<'_>, cancel: &Cancel) -> Result<Self, Error> {
        let x = problem.x();
        let own = on_rows!(x, rows => {
            if x.stored() < x.n() * x.d() / 5 {
                of_stored(rows, problem, cancel)
            } else {
                let parts = x.parts(x.d() * x.d(), 8);
                let parts = map_blocks(parts.len(), 1, |p| of_rows(rows, problem, parts[p.start].clone(), cancel));
                let mut parts = parts.into_iter();
                let mut total = parts.next().expect("there is at least one part");
                parts.for_each(|part| total.merge(&part));
                total
            }
        });
        cancel.check("the sums over all rows")?;
        own.check_range(problem)?;
        Ok(own)
    }

    /// Number of columns.
    pub fn d(&self) -> usize {
        self.d
    }

    /// Number of classes.
    pub fn k(&self) -> usize {
        self.weight.len()
    }

    /// Total sample weight of each class.
    pub fn weights(&self) -> &[f64] {
        &self.weight
    }

    /// Total sample weight of all rows.
    pub fn total_weight(&self) -> f64 {
        self.weight.iter().sum()
    }

    /// `m_c`.
    pub fn mean(&self, c: usize) -> Vec<f64> {
        self.center_of(c).iter().zip(self.offset_of(c)).map(|(a, b)| a + b).collect()
    }

    /// The mean of all rows, as the sum of two vectors.
    pub(crate) fn grand_mean(&self) -> (Vec<f64>, Vec<f64>) {
        let first = self.weight.iter().position(|n| *n > 0.0).unwrap_or(0);
        let total = self.total_weight();
        let mut offset = self.offset_of(first).to_vec();
        for c in first + 1..self.k() {
            let share = self.weight[c] / total;
            let step = self.step(self, first, c);
            offset.iter_mut().zip(step).for_each(|(o, step)| *o += share * step);
        }
        (self.center_of(first).to_vec(), offset)
    }

    /// `m_c` − m, where m is the grand mean: d numbers per class.
    pub fn away(&self) -> Vec<Vec<f64>> {
        let (center, offset) = self.grand_mean();
        let away = |c: usize| {
            let hi = self.center_of(c).iter().zip(&center).map(|(a, b)| a - b);
            let lo = self.offset_of(c).iter().zip(&offset).map(|(a, b)| a - b);
            hi.zip(lo).map(|(hi, lo)| hi + lo).collect()
        };
        (0..self.k()).map(away).collect()
    }

    /// `S_W`: d × d, column-major; only the lower triangle is valid.
    pub fn within(&self) -> &[f64] {
        &self.within
    }

    /// `S_T` = `S_W` + `S_B`: d × d, column-major; only the lower triangle is valid.
    pub fn total(&self) -> Vec<f64> {
        let mut total = self.within.clone();
        let rows = self.away().into_iter().zip(&self.weight);
        let tile: Vec<f64> =
            rows.flat_map(|(row, n)| row.into_iter().map(|v| v * n.sqrt())).collect();
        add_gram(&tile, self.d, 1.0, &mut total);
        total
    }

    /// The diagonal of `S_T`.
    pub(crate) fn total_squares(&self) -> Vec<f64> {
        let mut squares: Vec<f64> = (0..self.d).map(|j| self.within[j * self.d + j]).collect();
        for (row, n) in self.away().iter().zip(&self.weight) {
            squares.iter_mut().zip(row).for_each(|(s, v)| *s += n * v * v);
        }
        squares
    }

    /// Adds the moments of other rows with the same columns and classes.
    ///
    /// # Panics
    ///
    /// If the numbers of columns or classes differ.
    pub fn merge(&mut self, more: &Self) {
        assert_eq!((self.d, self.k()), (more.d, more.k()), "columns and classes");
        let mut tile = Vec::new();
        for c in 0..self.k() {
            let (a, b) = (self.weight[c], more.weight[c]);
            if b > 0.0 && a > 0.0 {
                let step = self.step(more, c, c);
                let root = (a * (b / (a + b))).sqrt();
                tile.extend(step.iter().map(|v| root * v));
                let offset = &mut self.offset[c * self.d..][..self.d];
                offset.iter_mut().zip(&step).for_each(|(o, step)| *o += b / (a + b) * step);
            } else if b > 0.0 {
                let place = c * self.d..(c + 1) * self.d;
                self.center[place.clone()].copy_from_slice(more.center_of(c));
                self.offset[place].copy_from_slice(more.offset_of(c));
            }
            self.weight[c] = a + b;
        }
        self.within.iter_mut().zip(&more.within).for_each(|(s, more)| *s += more);
        add_gram(&tile, self.d, 1.0, &mut self.within);
    }

    /// Σ sᵢ ‖(xᵢ − `m_c`)/u‖⁴, each row centered at its class mean and each column in its unit. It
    /// needs a second pass, after the means.
    pub fn fourth(&self, problem: &Problem<'_>, units: &[f64]) -> f64 {
        let x = problem.x();
        let weigh: Vec<f64> =
            units.iter().map(|u| if *u > 0.0 { 1.0 / (u * u) } else { 0.0 }).collect();
        let means: Vec<Vec<f64>> = (0..self.k()).map(|c| self.mean(c)).collect();
        let base: Vec<f64> = means
            .iter()
            .map(|m| m.iter().zip(&weigh).map(|(m, weigh)| m * m * weigh).sum())
            .collect();
        let whole = x.stored() == x.n() * x.d();
        let (codes, s) = (problem.labels().codes(), problem.weights());
        let sums = on_rows!(x, x => map_blocks(x.n(), 1 << 10, |rows| {
            let mut sum = 0.0;
            for i in rows {
                let c = codes[i] as usize;
                let (mean, mut square) = (&means[c], if whole { 0.0 } else { base[c] });
                x.each(i, |j, v| {
                    let v = v.get();
                    let gone = if whole { 0.0 } else { mean[j] * mean[j] };
                    square += ((v - mean[j]) * (v - mean[j]) - gone) * weigh[j];
                });
                sum += s[i] * square * square;
            }
            sum
        }));
        sums.into_iter().sum()
    }

    fn center_of(&self, c: usize) -> &[f64] {
        &self.center[c * self.d..][..self.d]
    }

    fn offset_of(&self, c: usize) -> &[f64] {
        &self.offset[c * self.d..][..self.d]
    }

    /// The mean of class `to` of `other` minus the mean of class `from` of `self`.
    fn step(&self, other: &Self, from: usize, to: usize) -> Vec<f64> {
        let hi = other.center_of(to).iter().zip(self.center_of(from)).map(|(b, a)| b - a);
        let lo = other.offset_of(to).iter().zip(self.offset_of(from)).map(|(b, a)| b - a);
        hi.zip(lo).map(|(hi, lo)| hi + lo).collect()
    }

    /// Converts sums about the centers to offsets and to the scatter about the means.
    fn settle(&mut self) {
        let mut tile = Vec::new();
        for c in 0..self.k() {
            let n = self.weight[c];
            let offset = &mut self.offset[c * self.d..][..self.d];
            if n > 0.0 {
                offset.iter_mut().for_each(|o| *o /= n);
                tile.extend(offset.iter().map(|o| n.sqrt() * *o));
            }
        }
        add_gram(&tile, self.d, -1.0, &mut self.within);
        // Sets squares that rounding made negative to 0. A NaN remains, so that it is detected
        // later.
        for square in self.within.iter_mut().step_by(self.d + 1) {
            *square = if *square < 0.0 { 0.0 } else { *square };
        }
    }

    /// Fails if a sum overflowed or underflowed.
    fn check_range(&self, problem: &Problem<'_>) -> Result<(), Error> {
        const TINY: f64 = 1e-280;
        let square = |j: usize| self.within[j * self.d + j];
        let finite =
            self.within.iter().chain(&self.offset).chain(&self.center).all(|v| v.is_finite());
        if finite && (0..self.d).all(|j| square(j) > TINY) {
            return Ok(());
        }
        // The largest absolute value of each column, and the largest distance from its center.
        let (x, codes) = (problem.x(), problem.labels().codes());
        let (mut most, mut far) = (vec![0.0_f64; self.d], vec![0.0_f64; self.d]);
        on_rows!(x, x => for (i, code) in codes.iter().enumerate() {
            let center = self.center_of(*code as usize);
            x.each(i, |j, v| {
                most[j] = most[j].max(v.get().abs());
                far[j] = far[j].max((v.get() - center[j]).abs());
            });
        });
        if x.stored() < x.n() * x.d() {
            // Values that are not stored are 0.
            let centers = self.center.chunks_exact(self.d);
            centers.for_each(|a| far.iter_mut().zip(a).for_each(|(f, a)| *f = f.max(a.abs())));
        }
        for column in 0..self.d {
            let lost = square(column) <= TINY && far[column] > 0.0 && far[column] < 1e-130;
            if lost || !finite && most[column] > 1e130 {
                return Err(Error::Range {
                    column,
                    got: if lost { far[column] } else { most[column] },
                });
            }
        }
        if finite { Ok(()) } else { Err(Error::Range { column: 0, got: most[0] }) }
    }
}
