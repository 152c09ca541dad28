//! Adding up moments: one look at each row, or two where few values are stored.
//!
//! Each part of the rows has one centre a per class, the mean of the first of its rows that were met. Rows are
//! written as √sᵢ (xᵢ − a) into a tile that stays in the cache, and one triangular product per tile adds up
//!
//! ```text
//!   G = Σ sᵢ (xᵢ − a)(xᵢ − a)ᵀ = S_W + Σ n_c δ_c δ_cᵀ,    δ_c = (1/n_c) Σ sᵢ (xᵢ − a) = m_c − a
//! ```
//!
//! for all classes together; columns that are zero all the way down a tile take no part in its product. δ is small beside the spread of the class, so neither columns at 10⁸ ± 1 nor classes far
//! apart cost digits; means are kept as a + δ, in two numbers each. Parts depend on the shape of the matrix alone and
//! are merged in order by Chan's formula, so the bits do not depend on threads.
//!
//! Where less than a fifth of the values is stored, rows are looked at twice: for the sums of each class, then for products
//! of stored values with one another only. The centre of a class is 0 there, but for columns that more than half of
//! its rows fill.
//!
//! Cost: n d²/2 multiplications, or half the squares of the stored values per row; d² numbers per part.
//! Source: Chan, Golub and `LeVeque`, *Algorithms for computing the sample variance*, The American Statistician 37 (1983).

use super::Moments;
use crate::data::{Problem, Rows};
use crate::math::kernels::Value;
use crate::math::linalg::add_gram;
use rayon::prelude::*;
use std::ops::Range;

/// The moments of some rows, tile by tile.
pub(super) fn of_rows<X: Rows>(x: &X, problem: &Problem<'_>, rows: Range<usize>) -> Moments {
    let (d, k) = (x.d(), problem.labels().k());
    let (codes, s) = (problem.labels().codes(), problem.weights());
    let mut own = Moments::none(d, k);
    let high = tile_height(d);
    let mut tile = vec![0.0; high.min(rows.len()) * d];
    let mut narrow = Narrow::default();
    for start in rows.clone().step_by(high) {
        let block = start..rows.end.min(start + high);
        centre_new_classes(x, problem, block.clone(), &mut own);
        for (i, out) in block.clone().zip(tile.chunks_exact_mut(d)) {
            let c = codes[i] as usize;
            x.copy_row(i, out);
            let place = c * d..(c + 1) * d;
            own.weight[c] += s[i];
            deviate(s[i], &own.centre[place.clone()], out, &mut own.offset[place]);
        }
        narrow.add_gram(&tile[..block.len() * d], d, &mut own.within);
    }
    own.settle();
    own
}

/// Room for a tile without the columns that are zero all the way down, such as the margins of pictures.
#[derive(Default)]
struct Narrow {
    /// Of each column, the bits that some row has set.
    bits: Vec<u64>,
    columns: Vec<usize>,
    tile: Vec<f64>,
    gram: Vec<f64>,
}

impl Narrow {
    /// gram ← gram + `AᵀA`, without the columns of A that are zero where that saves enough.
    fn add_gram(&mut self, a: &[f64], d: usize, gram: &mut [f64]) {
        /// Share of the columns up to which leaving out the others is worth a copy.
        const WORTH: f64 = 0.85;
        self.bits.clear();
        self.bits.resize(d, 0);
        for row in a.chunks_exact(d) {
            // All bits but that of the sign.
            self.bits.iter_mut().zip(row).for_each(|(bits, v)| *bits |= v.to_bits() << 1);
        }
        self.columns.clear();
        self.columns.extend((0..d).filter(|&j| self.bits[j] != 0));
        let m = self.columns.len();
        if m as f64 > WORTH * d as f64 {
            return add_gram(a, d, 1.0, gram);
        }
        self.tile.clear();
        for row in a.chunks_exact(d) {
            self.tile.extend(self.columns.iter().map(|&j| row[j]));
        }
        self.gram.clear();
        self.gram.resize(m * m, 0.0);
        if m > 0 {
            add_gram(&self.tile, m, 1.0, &mut self.gram);
        }
        for (q, &j) in self.columns.iter().enumerate() {
            let column = &mut gram[j * d..][..d];
            for (&i, v) in self.columns[q..].iter().zip(&self.gram[q * m + q..]) {
                column[i] += v;
            }
        }
    }
}

/// Rows of a tile: few enough to stay in the cache, enough to make one product of them worth its while.
fn tile_height(d: usize) -> usize {
    const VALUES: usize = 1 << 16;
    (VALUES / d).clamp(128, 1 << 11)
}

/// row ← √s (row − centre), and sum ← sum + s (row − centre).
fn deviate(s: f64, centre: &[f64], row: &mut [f64], sum: &mut [f64]) {
    if s == 1.0 {
        for ((v, a), sum) in row.iter_mut().zip(centre).zip(sum) {
            *v -= a;
            *sum += *v;
        }
        return;
    }
    let root = s.sqrt();
    for ((v, a), sum) in row.iter_mut().zip(centre).zip(sum) {
        let away = *v - a;
        *sum += s * away;
        *v = root * away;
    }
}

/// Gives classes met for the first time a centre: the mean of their rows in this block, which is exact where all are the same.
fn centre_new_classes<X: Rows>(
    x: &X,
    problem: &Problem<'_>,
    block: Range<usize>,
    own: &mut Moments,
) {
    let (codes, s, d) = (problem.labels().codes(), problem.weights(), x.d());
    let new = |c: usize, own: &Moments| own.weight[c] == 0.0;
    let mut row = vec![0.0; d];
    let mut classes: Vec<usize> =
        block.clone().map(|i| codes[i] as usize).filter(|&c| new(c, own)).collect();
    classes.sort_unstable();
    classes.dedup();
    for c in classes {
        let (mut n, mut mean) = (0.0, vec![0.0; d]);
        let (mut low, mut high) = (vec![f64::INFINITY; d], vec![f64::NEG_INFINITY; d]);
        for i in block.clone().filter(|&i| codes[i] as usize == c && s[i] > 0.0) {
            x.copy_row(i, &mut row);
            n += 1.0;
            for (j, v) in row.iter().enumerate() {
                mean[j] += (v - mean[j]) / n;
                low[j] = low[j].min(*v);
                high[j] = high[j].max(*v);
            }
        }
        if n > 0.0 {
            let centre = &mut own.centre[c * d..][..d];
            for (j, a) in centre.iter_mut().enumerate() {
                *a = mean[j].clamp(low[j], high[j]);
            }
        }
    }
}

/// The moments of all rows by their stored values alone.
pub(super) fn of_stored<X: Rows>(x: &X, problem: &Problem<'_>) -> Moments {
    let (d, k) = (x.d(), problem.labels().k());
    let (codes, s) = (problem.labels().codes(), problem.weights());
    let mut own = Moments::none(d, k);
    own.weight = problem.class_weights();

    // 1. Sums of each class, and the weight of its rows that fill a column.
    let mut filled = vec![0.0; k * d];
    for (i, (code, s)) in codes.iter().zip(s).enumerate() {
        let at = *code as usize * d;
        x.each(i, |j, v| {
            own.offset[at + j] += s * v.get();
            filled[at + j] += s;
        });
    }

    // 2. Centres of the columns that a class fills by more than half, and the sums about them.
    let mut full: Vec<Vec<usize>> = vec![Vec::new(); k];
    let mut is_full = vec![false; k * d];
    for at in 0..k * d {
        let n = own.weight[at / d];
        if filled[at] > n / 2.0 {
            full[at / d].push(at % d);
            is_full[at] = true;
            own.centre[at] = own.offset[at] / n;
            own.offset[at] = -own.centre[at] * (n - filled[at]);
        }
    }
    if is_full.contains(&true) {
        for (i, (code, s)) in codes.iter().zip(s).enumerate() {
            let at = *code as usize * d;
            x.each(i, |j, v| {
                if is_full[at + j] {
                    own.offset[at + j] += s * (v.get() - own.centre[at + j]);
                }
            });
        }
    }

    // 3. Products, by stripes of columns: each element is added up in the order of the rows.
    const STRIPES: usize = 8;
    let wide = d.div_ceil(STRIPES).max(1);
    let centre = &own.centre;
    own.within.par_chunks_mut(wide * d).enumerate().for_each(|(stripe, out)| {
        let from = stripe * wide;
        let (mut places, mut values) = (Vec::new(), Vec::new());
        for (i, (code, &s)) in codes.iter().zip(s).enumerate() {
            if s == 0.0 {
                continue;
            }
            let c = *code as usize;
            let out_of = (&full[c][..], &centre[c * d..][..d]);
            away_from_centre(x, i, s.sqrt(), out_of, from, (&mut places, &mut values));
            products(&places, &values, from, wide, d, out);
        }
    });
    own.settle();
    own
}

/// √s (xᵢ − a) from column `from` on: the columns that are not zero, and their values.
fn away_from_centre<X: Rows>(
    x: &X,
    i: usize,
    root: f64,
    (full, centre): (&[usize], &[f64]),
    from: usize,
    (places, values): (&mut Vec<usize>, &mut Vec<f64>),
) {
    places.clear();
    values.clear();
    let mut rest = full.iter().copied().filter(|j| *j >= from).peekable();
    x.each(i, |j, v| {
        if j < from {
            return;
        }
        while let Some(missing) = rest.next_if(|next| *next < j) {
            places.push(missing);
            values.push(-root * centre[missing]);
        }
        rest.next_if_eq(&j);
        places.push(j);
        values.push(root * (v.get() - centre[j]));
    });
    for missing in rest {
        places.push(missing);
        values.push(-root * centre[missing]);
    }
}

/// out ← out + the products of these values with one another, for columns `from..from + wide`.
fn products(places: &[usize], values: &[f64], from: usize, wide: usize, d: usize, out: &mut [f64]) {
    for (p, (&j, &v)) in places.iter().zip(values).enumerate() {
        if j >= from + wide {
            break;
        }
        let column = &mut out[(j - from) * d..][..d];
        for (&i, &w) in places[p..].iter().zip(&values[p..]) {
            column[i] += v * w;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_zeros_may_be_left_out() {
        let d = 7;
        let mut narrow = Narrow::default();
        for zeros in [vec![], vec![0, 3], vec![1, 2, 4, 5, 6], (0..d).collect()] {
            let value = |at: usize| {
                if zeros.contains(&(at % d)) { [0.0, -0.0][at % 2] } else { (at as f64).sin() }
            };
            let tile: Vec<f64> = (0..5 * d).map(value).collect();
            let start: Vec<f64> = (0..d * d).map(|at| at as f64).collect();
            let (mut whole, mut got) = (start.clone(), start.clone());
            add_gram(&tile, d, 1.0, &mut whole);
            narrow.add_gram(&tile, d, &mut got);
            for j in 0..d {
                for i in j..d {
                    let (got, want) = (got[j * d + i], whole[j * d + i]);
                    assert!((got - want).abs() <= 1e-13 * want.abs(), "{zeros:?}: {i}, {j}");
                }
            }
        }
    }
}
