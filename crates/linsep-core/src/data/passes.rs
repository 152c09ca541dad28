//! Passes over the whole matrix: X w, Xᵀ r and Xᵀ C X, in parallel blocks.
//!
//! ```text
//!   scores       zᵢ = xᵢ·w + b              independent per row
//!   combination  u  = Σ rᵢ xᵢ               one vector per part, summed in the order of the parts
//!   gram         G  = Σ cᵢ (xᵢ,1)(xᵢ,1)ᵀ    one matrix per part, summed in the order of the parts
//! ```
//!
//! Parts are ranges of rows with about the same number of stored values. The number of parts
//! depends on the shape of the matrix alone, so results do not depend on the number of threads. The
//! vectors of the parts take at most a tenth of the memory of the matrix.

use super::{Dense, Design, Rows, on_rows};
use crate::control::Cancel;
use crate::math::parallel::{fill_blocks, map_blocks};
use crate::math::sum::Sum;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::Mutex;

/// Stored values per block; a smaller pass is not split.
const SMALL: usize = 1 << 14;

impl Design {
    /// Writes xᵢ·w + b for every row.
    pub(crate) fn scores_into(&self, w: &[f64], b: f64, out: &mut [f64]) {
        let block = (SMALL * self.n()).div_ceil(self.stored().max(1));
        on_rows!(self, x => fill_blocks(out, block, |start, block| {
            for (i, z) in (start..).zip(block) {
                x.fetch_ahead(i);
                *z = x.dot(i, w) + b;
            }
        }));
    }

    /// Writes w·(xᵢ − c) and ‖xᵢ − c‖² of every row, in one pass; see [`center`](Self::center) for
    /// c, which is 0 if `None`.
    pub(crate) fn centered_into(
        &self,
        c: Option<&[f64]>,
        w: &[f64],
        z: &mut [f64],
        norms_sq: &mut [f64],
    ) {
        let block = (SMALL * self.n()).div_ceil(self.stored().max(1)).max(1);
        let blocks = z.par_chunks_mut(block).zip(norms_sq.par_chunks_mut(block)).enumerate();
        on_rows!(self, x => blocks.for_each(|(k, (z, norms_sq))| {
            for (i, (z, norm_sq)) in (k * block..).zip(z.iter_mut().zip(norms_sq)) {
                x.fetch_ahead(i);
                (*z, *norm_sq) = match c {
                    Some(c) => x.centered(i, c, w),
                    None => (x.dot(i, w), x.norm_sq(i)),
                };
            }
        }));
    }

    /// A point c near the mean of the rows, if ‖c‖² exceeds a quarter of their mean squared
    /// distance from c. Always `None` for sparse rows, because their differences from a point are
    /// dense.
    pub(crate) fn center(&self) -> Option<Vec<f64>> {
        const SAMPLE: usize = 64;
        if self.is_sparse() {
            return None;
        }
        let (n, d) = (self.n(), self.d());
        let step = n.div_ceil(SAMPLE);
        let sample: Vec<Vec<f64>> = (0..n).step_by(step).map(|i| self.row(i)).collect();
        let share = 1.0 / sample.len() as f64;
        let mean = |j: usize| sample.iter().map(|row| share * row[j]).sum::<f64>();
        let c: Vec<f64> = (0..d).map(mean).collect();
        let apart =
            |row: &Vec<f64>| row.iter().zip(&c).map(|(x, c)| (x - c) * (x - c)).sum::<f64>();
        let spread = share * sample.iter().map(apart).sum::<f64>();
        let size: f64 = c.iter().map(|c| c * c).sum();
        (size > 0.25 * spread && size.is_finite()).then_some(c)
    }

    /// ‖xᵢ‖² of every row.
    pub(crate) fn norms_sq(&self) -> Vec<f64> {
        let mut norms = vec![0.0; self.n()];
        let block = (SMALL * self.n()).div_ceil(self.stored().max(1));
        on_rows!(self, x => fill_blocks(&mut norms, block, |start, block| {
            for (i, norm) in block.iter_mut().enumerate() {
                *norm = x.norm_sq(start + i);
            }
        }));
        norms
    }

    /// Ranges of rows for independent parts, where each part needs `own` numbers of memory; at most
    /// `most` parts.
    pub(super) fn parts(&self, own: usize, most: usize) -> Vec<Range<usize>> {
        let room = self.bytes() / 10 / (size_of::<f64>() * own);
        let parts = room.min(self.stored() / SMALL).clamp(1, most).min(self.n());
        let size = self.n().div_ceil(parts);
        (0..self.n()).step_by(size).map(|start| start..self.n().min(start + size)).collect()
    }

    /// Σ cᵢ (xᵢ, 1)(xᵢ, 1)ᵀ, cᵢ ≥ 0: (d+1)², column-major; only the lower triangle is valid.
    pub fn gram(&self, c: &[f64]) -> Vec<f64> {
        self.gram_until(c, &Cancel::default()).expect("this token is never set")
    }

    /// The Gram matrix, or `None` if the token was set before the end.
    pub(crate) fn gram_until(&self, c: &[f64], cancel: &Cancel) -> Option<Vec<f64>> {
        const MOST: usize = 8;
        let wide = self.d() + 1;
        let own = wide * wide;
        let parts = self.parts(own, MOST);
        // Blocks of whole tiles, so that the sums have the same bits as in one pass.
        let step = Dense::<f64>::gram_tile(wide) * (4096 / wide).clamp(1, 16);
        let work = |rows: Range<usize>| {
            let mut gram = vec![0.0; own];
            for start in rows.clone().step_by(step).take_while(|_| !cancel.is_set()) {
                let block = start..rows.end.min(start + step);
                on_rows!(self, x => x.add_gram(block, c, &mut gram));
            }
            gram
        };
        let grams = map_blocks(parts.len(), 1, |k| work(parts[k.start].clone()));
        let mut grams = grams.into_iter();
        let mut total = grams.next().expect("there is at least one part");
        grams.for_each(|gram| add(&mut total, &gram));
        (!cancel.is_set()).then_some(total)
    }
}

fn add(total: &mut [f64], more: &[f64]) {
    total.iter_mut().zip(more).for_each(|(t, m)| *t += m);
}

/// Repeated sums Σ rᵢ xᵢ: owns the vectors of the parts.
pub struct Combination {
    parts: Vec<Range<usize>>,
    /// One vector for each part but the first, which uses the output.
    own: Vec<Vec<f64>>,
}

impl Combination {
    /// Allocates the vectors for combinations of the rows of x.
    pub fn new(x: &Design) -> Self {
        const MOST: usize = 32;
        let parts = x.parts(x.d(), MOST);
        let own = vec![vec![0.0; x.d()]; parts.len() - 1];
        Self { parts, own }
    }

    /// The largest number of additions that contribute to one element of the result.
    pub fn depth(&self) -> usize {
        self.parts.iter().map(ExactSizeIterator::len).max().unwrap_or(0) + self.parts.len()
    }

    /// Writes Σ rᵢ xᵢ.
    pub fn of(&mut self, x: &Design, r: &[f64], out: &mut [f64]) {
        self.add_up(out, |rows, out| {
            on_rows!(x, x => for i in rows {
                x.fetch_ahead(i);
                if r[i] != 0.0 {
                    x.axpy(r[i], i, out);
                }
            });
        });
    }

    /// Writes Σ cᵢ xᵢ², column by column.
    pub(crate) fn of_squares(&mut self, x: &Design, c: &[f64], out: &mut [f64]) {
        self.add_up(out, |rows, out| {
            on_rows!(x, x => for i in rows {
                if c[i] != 0.0 {
                    x.axpy_squares(c[i], i, out);
                }
            });
        });
    }

    /// Writes zᵢ = xᵢ·v + b and Σ cᵢ zᵢ xᵢ in one pass, and returns Σ cᵢ zᵢ.
    pub(crate) fn of_curved(
        &mut self,
        x: &Design,
        c: &[f64],
        v: &[f64],
        b: f64,
        z: &mut [f64],
        out: &mut [f64],
    ) -> f64 {
        // Each part writes the scores of its own rows.
        let mut rest = z;
        let mut scores = Vec::with_capacity(self.parts.len());
        for rows in &self.parts {
            let (own, more) = rest.split_at_mut(rows.len());
            scores.push(Mutex::new(own));
            rest = more;
        }
        let size = self.parts[0].len();
        self.add_up(out, |rows, out| {
            let own = &mut *scores[rows.start / size].lock().expect(
                "no thread panics while \
                holding the lock",
            );
            on_rows!(x, x => for (i, z) in rows.zip(own.iter_mut()) {
                *z = x.dot(i, v) + b;
                if c[i] != 0.0 {
                    x.axpy(c[i] * *z, i, out);
                }
            });
        });
        let parts = scores.into_iter().zip(&self.parts);
        let sums = parts.map(|(own, rows)| {
            let own = own.into_inner().expect("no thread panics while holding the lock");
            own.iter().zip(&c[rows.clone()]).map(|(z, c)| z * c).sum()
        });
        sums.collect::<Sum>().value()
    }

    /// Runs `work` for every part on its own zeroed vector, and sums the vectors.
    fn add_up(&mut self, out: &mut [f64], work: impl Fn(Range<usize>, &mut [f64]) + Sync) {
        let work = |rows: &Range<usize>, out: &mut [f64]| {
            out.fill(0.0);
            work(rows.clone(), out);
        };
        let (first, rest) = self.parts.split_first().expect("there is at least one part");
        if rest.is_empty() {
            return work(first, out);
        }
        let own = &mut self.own;
        rayon::join(
            || work(first, out),
            || own.par_iter_mut().zip(rest).for_each(|(own, rows)| work(rows, own)),
        );
        // Columns are independent: blocks of them are summed in parallel, each in the order of
        // parts.
        const COLUMNS: usize = 1 << 12;
        fill_blocks(out, COLUMNS, |start, block| {
            for part in &self.own {
                add(block, &part[start..][..block.len()]);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rng::Rng;

    /// Large enough for several parts, sparse and dense.
    fn designs() -> [Design; 2] {
        let (n, d) = (6_000, 40);
        let mut rng = Rng::new(1, 1);
        let values: Vec<f64> = (0..n * d)
            .map(|_| if rng.unit() < 0.7 { 0.0 } else { rng.below(9) as f64 - 4.0 })
            .collect();
        let (mut starts, mut indices, mut stored) = (vec![0], vec![], vec![]);
        for row in values.chunks(d) {
            for (j, &v) in row.iter().enumerate().filter(|(_, v)| **v != 0.0) {
                indices.push(j as u32);
                stored.push(v);
            }
            starts.push(indices.len());
        }
        [Design::dense(n, d, values).unwrap(), Design::sparse(d, starts, indices, stored).unwrap()]
    }

    fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
    }

    #[test]
    fn passes_match_single_rows_for_any_number_of_threads() {
        for x in designs() {
            let (n, d) = (x.n(), x.d());
            let w: Vec<f64> = (0..d).map(|j| j as f64 - 7.0).collect();
            let r: Vec<f64> = (0..n).map(|i| (i % 5) as f64).collect();
            let all = || {
                let mut z = vec![0.0; n];
                x.scores_into(&w, 0.5, &mut z);
                let (mut combination, mut u) = (Combination::new(&x), vec![0.0; d]);
                assert!(combination.parts.len() > 1, "the test is about several parts");
                combination.of(&x, &r, &mut u);
                combination.of(&x, &r, &mut u);
                (z, u, x.gram(&r), x.norms_sq())
            };
            let (z, u, gram, norms) = in_pool(1, all);
            assert_eq!((z.clone(), u.clone(), gram.clone(), norms.clone()), in_pool(3, all));

            // Small integers: every order of summation gives the same result.
            let mut expected = vec![0.0; d];
            let mut products = vec![0.0; (d + 1) * (d + 1)];
            for i in 0..n {
                let mut row = x.row(i);
                let plain: f64 = row.iter().zip(&w).map(|(a, b)| a * b).sum();
                assert_eq!(z[i], plain + 0.5);
                assert_eq!(norms[i], row.iter().map(|v| v * v).sum::<f64>());
                expected.iter_mut().zip(&row).for_each(|(e, v)| *e += r[i] * v);
                row.push(1.0);
                for j in 0..=d {
                    for k in j..=d {
                        products[j * (d + 1) + k] += r[i] * row[j] * row[k];
                    }
                }
            }
            assert_eq!(u, expected);
            for j in 0..=d {
                for k in j..=d {
                    // The dense implementation multiplies by √c: equal only up to rounding.
                    let (a, b) = (gram[j * (d + 1) + k], products[j * (d + 1) + k]);
                    assert!((a - b).abs() <= 1e-9 * (1.0 + b.abs()), "{a} {b}");
                }
            }
        }
    }
}
