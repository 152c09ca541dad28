//! Summation of moments: one pass over the rows, or two if few values are stored.
//!
//! Each part of the rows has one center a per class: the mean over the first tile that contains the
//! class, or 0 in columns that are zero in a quarter of those rows or more. Rows are written as √sᵢ
//! (xᵢ − a) into a tile that fits the cache. One triangular product per tile adds up
//!
//! ```text
//!   G = Σ sᵢ (xᵢ − a)(xᵢ − a)ᵀ = S_W + Σ n_c δ_c δ_cᵀ,    δ_c = (1/n_c) Σ sᵢ (xᵢ − a) = m_c − a
//! ```
//!
//! for all classes together; zeros are skipped if that is faster ([`Strips`]). With a near the
//! mean, δ is small relative to the spread of the class. Hence neither columns at 10⁸ ± 1 nor
//! distant classes cost digits. With a = 0 it is not small. But if a share p of a class is nonzero,
//! (Σx)² ≤ pn Σx². The scatter Σx² − (Σx)²/n is then at least (1 − p) Σx², a quarter of Σx²: at
//! most two bits are lost, and zeros stay zeros. Means are kept as a + δ, in two numbers each.
//! Parts depend on the shape of the matrix alone and are merged in order by Chan's formula. The
//! bits therefore do not depend on the number of threads.
//!
//! If less than a fifth of the values is stored, there are two passes: one for the sums of each
//! class, one for products of stored values only. The center of a class is then 0, except in
//! columns that are nonzero in more than half of its rows.
//!
//! Cost: n d²/2 multiplications, or half of the squared number of stored values per row; d² numbers
//! per part.
//!
//! Source: Chan, Golub and `LeVeque`, *Algorithms for computing the sample variance*, The American
//! Statistician 37 (1983).

use super::Moments;
use super::strips::Strips;
use crate::control::Cancel;
use crate::data::{Problem, Rows};
use crate::math::kernels::Value;
use crate::math::linalg::add_gram;
use rayon::prelude::*;
use std::ops::Range;

/// Moments of some rows, tile by tile; of fewer rows if the token is set before the end.
pub(super) fn of_rows<X: Rows>(
    x: &X,
    problem: &Problem<'_>,
    rows: Range<usize>,
    cancel: &Cancel,
) -> Moments {
    let (d, k) = (x.d(), problem.labels().k());
    let (codes, s) = (problem.labels().codes(), problem.weights());
    let mut own = Moments::none(d, k);
    let high = tile_height(d);
    let mut tile = vec![0.0; high.min(rows.len()) * d];
    let mut strips = Strips::new(d);
    for start in rows.clone().step_by(high).take_while(|_| !cancel.is_set()) {
        let block = start..rows.end.min(start + high);
        center_new_classes(x, problem, block.clone(), &mut own);
        if strips.is_preferred() {
            strips.begin(block.len());
            for (r, i) in block.clone().enumerate() {
                let c = codes[i] as usize;
                let (row, place) = (&mut tile[..d], c * d..(c + 1) * d);
                x.copy_row(i, row);
                own.weight[c] += s[i];
                strips.put(r, s[i], row, &own.center[place.clone()], &mut own.offset[place]);
            }
            strips.finish(block.len());
            continue;
        }
        for (i, out) in block.clone().zip(tile.chunks_exact_mut(d)) {
            let c = codes[i] as usize;
            x.copy_row(i, out);
            let place = c * d..(c + 1) * d;
            own.weight[c] += s[i];
            center_row(s[i], &own.center[place.clone()], out, &mut own.offset[place]);
        }
        let tile = &tile[..block.len() * d];
        if !strips.add(tile) {
            add_gram(tile, d, 1.0, &mut own.within);
        }
    }
    strips.add_to(&mut own.within);
    own.settle();
    own
}

/// Rows per tile: few enough to fit the cache, enough for an efficient product.
fn tile_height(d: usize) -> usize {
    const VALUES: usize = 1 << 16;
    (VALUES / d).clamp(256, 1 << 11)
}

/// row ← √s (row − center), and sum ← sum + s (row − center).
fn center_row(s: f64, center: &[f64], row: &mut [f64], sum: &mut [f64]) {
    if s == 1.0 {
        for ((v, a), sum) in row.iter_mut().zip(center).zip(sum) {
            *v -= a;
            *sum += *v;
        }
        return;
    }
    let root = s.sqrt();
    for ((v, a), sum) in row.iter_mut().zip(center).zip(sum) {
        let away = *v - a;
        *sum += s * away;
        *v = root * away;
    }
}

/// Sets the centers of classes that occur for the first time: the mean of their rows in this block,
/// which is exact if all are equal. The center is 0 in columns that at most three quarters of the
/// rows fill.
fn center_new_classes<X: Rows>(
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
        let mut filled = vec![0.0; d];
        for i in block.clone().filter(|&i| codes[i] as usize == c && s[i] > 0.0) {
            x.copy_row(i, &mut row);
            n += 1.0;
            for (j, v) in row.iter().enumerate() {
                mean[j] += (v - mean[j]) / n;
                low[j] = low[j].min(*v);
                high[j] = high[j].max(*v);
                filled[j] += f64::from(u8::from(*v != 0.0));
            }
        }
        if n > 0.0 {
            let center = &mut own.center[c * d..][..d];
            for (j, a) in center.iter_mut().enumerate() {
                let mean = mean[j].clamp(low[j], high[j]);
                *a = if filled[j] > 0.75 * n { mean } else { 0.0 };
            }
        }
    }
}

/// Moments of all rows from their stored values; of fewer rows if the token is set before the end.
pub(super) fn of_stored<X: Rows>(x: &X, problem: &Problem<'_>, cancel: &Cancel) -> Moments {
    let (d, k) = (x.d(), problem.labels().k());
    let (codes, s) = (problem.labels().codes(), problem.weights());
    let mut own = Moments::none(d, k);
    own.weight = problem.class_weights();

    // 1. Sums of each class, and the total sample weight of its rows that fill a column.
    let mut filled = vec![0.0; k * d];
    for (i, (code, s)) in codes.iter().zip(s).enumerate() {
        let at = *code as usize * d;
        x.each(i, |j, v| {
            own.offset[at + j] += s * v.get();
            filled[at + j] += s;
        });
    }

    // 2. Centers of columns that are nonzero in more than half of a class, by weight, and sums
    //    about them.
    let mut full: Vec<Vec<usize>> = vec![Vec::new(); k];
    let mut is_full = vec![false; k * d];
    for at in 0..k * d {
        let n = own.weight[at / d];
        if filled[at] > n / 2.0 {
            full[at / d].push(at % d);
            is_full[at] = true;
            own.center[at] = own.offset[at] / n;
            own.offset[at] = -own.center[at] * (n - filled[at]);
        }
    }
    if is_full.contains(&true) {
        for (i, (code, s)) in codes.iter().zip(s).enumerate() {
            let at = *code as usize * d;
            x.each(i, |j, v| {
                if is_full[at + j] {
                    own.offset[at + j] += s * (v.get() - own.center[at + j]);
                }
            });
        }
    }

    // 3. Products, in stripes of columns: each element is summed in the order of the rows.
    const STRIPES: usize = 8;
    let wide = d.div_ceil(STRIPES).max(1);
    let center = &own.center;
    own.within.par_chunks_mut(wide * d).enumerate().for_each(|(stripe, out)| {
        let from = stripe * wide;
        let (mut places, mut values) = (Vec::new(), Vec::new());
        for (i, (code, &s)) in codes.iter().zip(s).enumerate() {
            if s == 0.0 {
                continue;
            }
            if cancel.is_set() {
                break;
            }
            let c = *code as usize;
            let out_of = (&full[c][..], &center[c * d..][..d]);
            centered_row(x, i, s.sqrt(), out_of, from, (&mut places, &mut values));
            products(&places, &values, from, wide, d, out);
        }
    });
    own.settle();
    own
}

/// √s (xᵢ − a) from column `from` on: the nonzero columns, and their values.
fn centered_row<X: Rows>(
    x: &X,
    i: usize,
    root: f64,
    (full, center): (&[usize], &[f64]),
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
            values.push(-root * center[missing]);
        }
        rest.next_if_eq(&j);
        places.push(j);
        values.push(root * (v.get() - center[j]));
    });
    for missing in rest {
        places.push(missing);
        values.push(-root * center[missing]);
    }
}

/// out ← out + the products of all pairs of these values, for columns `from..from + wide`.
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
