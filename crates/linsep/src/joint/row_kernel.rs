//! Products with the linear kernel of sparse rows, without forming it: K Q for n × w matrices Q.
//!
//! ```text
//!   K = ZZᵀ,     Z = S^½ (X − 1mᵀ),     m the mean row, S = diag(s) of the sample weights
//! ```
//!
//! With u ∝ √s a unit vector, Zᵀu = 0, and Z = (I − uuᵀ) S^½ X. A column with one nonzero does not
//! contribute to products of two different rows, so all such columns together are a diagonal E.
//! Hence K = Z'Z'ᵀ + (I − uuᵀ) E (I − uuᵀ), where Z' has the shared columns: in text data, less
//! than half.
//!
//! Shared columns are renumbered, the most frequent first, for locality. Intermediate results are
//! in f32, which halves the memory traffic. The caller verifies the final result in f64
//! ([`RowKernel::weights`], [`RowKernel::scores`]).
//!
//! Cost: two passes over the values of shared columns.

use crate::data::{Columns, Design, Problem};
use crate::math::kernels::axpy;
use crate::math::parallel::map_blocks;
use rayon::prelude::*;

/// Rows per parallel block.
const BLOCK: usize = 256;

pub(super) struct RowKernel<'a> {
    x: &'a Design,
    /// √sᵢ, and their norm √(Σ sᵢ).
    root: Vec<f64>,
    length: f64,
    /// New index of each column.
    number: Vec<u32>,
    /// Mean of each column, in the new order.
    mean: Vec<f64>,
    /// Columns in the new order, and the rows of only the shared ones.
    columns: Columns,
    rows: Columns,
    /// Bounds of blocks of the shared columns, with about as many values each.
    cuts: Vec<usize>,
    /// For the columns with a nonzero in row i only: Σ xᵢⱼ² and Σ xᵢⱼ mⱼ.
    alone: Vec<[f64; 2]>,
}

impl<'a> RowKernel<'a> {
    /// `None` if the kernel does not pay: dense rows, or at least as many rows as columns. Also
    /// `None` if one column has a large share of the variance and would dominate the products, or
    /// if f32 lacks the range.
    pub(super) fn new(problem: &'a Problem<'a>) -> Option<Self> {
        /// Largest share of the total variance in one column.
        const MOST: f64 = 1.0 / 16.0;
        const RANGE: std::ops::Range<f64> = 1e-12..1e12;
        let (x, s) = (problem.x(), problem.weights());
        let (n, d) = (x.n(), x.d());
        if !x.is_sparse() || n >= d {
            return None;
        }
        let (mean, deviation) = x.spread(s);
        let total: f64 = deviation.iter().map(|u| u * u).sum();
        let most = deviation.iter().fold(0.0_f64, |most, u| most.max(*u));
        if !RANGE.contains(&total) || most * most > MOST * total {
            return None;
        }
        let order = Columns::longest_first(x);
        let mut number = vec![0; d];
        (0..).zip(&order).for_each(|(at, &j)| number[j as usize] = at);
        let all = Columns::new(x, &order);
        let shared = (0..d).position(|j| all.len(j) < 2).unwrap_or(d);
        let mean: Vec<f64> = order.iter().map(|&j| mean[j as usize]).collect();
        let mut alone = vec![[0.0; 2]; n];
        for (j, mean) in mean.iter().enumerate().skip(shared) {
            all.each(j, |i, v| {
                alone[i][0] += v * v;
                alone[i][1] += v * mean;
            });
        }
        let root: Vec<f64> = s.iter().map(|s| s.sqrt()).collect();
        Some(Self {
            x,
            length: s.iter().sum::<f64>().sqrt(),
            root,
            rows: Columns::rows(x, &number, shared as u32),
            cuts: cuts(&all, shared),
            columns: all,
            number,
            mean,
            alone,
        })
    }

    /// Number of shared columns.
    fn shared(&self) -> usize {
        self.cuts.last().copied().unwrap_or(0)
    }

    /// √sᵢ.
    pub(super) fn root(&self) -> &[f64] {
        &self.root
    }

    /// Writes K Q, for Q with uᵀQ = 0: w numbers per row. `scratch` is reused between calls.
    pub(super) fn apply(&self, q: &[f64], w: usize, scratch: &mut Scratch, out: &mut [f64]) {
        // 1. S^½ Q in f32.
        let Scratch { pull, through } = scratch;
        pull.resize(q.len(), 0.0);
        through.resize(self.shared() * w, 0.0);
        let rows = pull.par_chunks_mut(BLOCK * w).zip(q.par_chunks(BLOCK * w));
        rows.zip(self.root.par_chunks(BLOCK)).for_each(|((pull, q), root)| {
            for ((pull, q), root) in pull.chunks_exact_mut(w).zip(q.chunks_exact(w)).zip(root) {
                pull.iter_mut().zip(q).for_each(|(pull, q)| *pull = (root * q) as f32);
            }
        });
        let pull = &*pull;

        // 2. Multiply by Xᵀ, column by column.
        let mut pieces = Vec::with_capacity(self.cuts.len());
        let (mut rest, mut from) = (&mut through[..], 0);
        for &to in &self.cuts {
            let (piece, more) = rest.split_at_mut((to - from) * w);
            pieces.push((from, piece));
            (rest, from) = (more, to);
        }
        let shifts: Vec<Vec<f64>> = pieces
            .into_par_iter()
            .map(|(from, piece)| {
                let mut shift = vec![0.0; w];
                for (j, u) in (from..).zip(piece.chunks_exact_mut(w)) {
                    self.columns.combine(j, pull, u);
                    let mean = self.mean[j];
                    shift.iter_mut().zip(&*u).for_each(|(sum, u)| *sum += mean * f64::from(*u));
                }
                shift
            })
            .collect();
        let mut shift = vec![0.0; w];
        shifts.iter().for_each(|part| axpy(1.0, part, &mut shift));

        // 3. Multiply by X, row by row, and add the diagonal of unshared columns.
        let through = &*through;
        out.par_chunks_mut(BLOCK * w).enumerate().for_each(|(block, out)| {
            let mut z = vec![0.0_f32; w];
            for (i, out) in (block * BLOCK..).zip(out.chunks_exact_mut(w)) {
                self.rows.combine(i, through, &mut z);
                let (root, q) = (self.root[i], &q[i * w..][..w]);
                let own = root * root * self.alone[i][0];
                for (c, out) in out.iter_mut().enumerate() {
                    *out = root * (f64::from(z[c]) - shift[c]) + own * q[c];
                }
            }
        });
        self.centre(out, w);
    }

    /// Q ← (I − uuᵀ) Q.
    pub(super) fn centre(&self, q: &mut [f64], w: usize) {
        let along = self.sums(q, w);
        q.par_chunks_mut(BLOCK * w).zip(self.root.par_chunks(BLOCK)).for_each(|(q, root)| {
            for (q, root) in q.chunks_exact_mut(w).zip(root) {
                axpy(-root / self.length / self.length, &along, q);
            }
        });
    }

    /// Σ √sᵢ qᵢ.
    fn sums(&self, q: &[f64], w: usize) -> Vec<f64> {
        let parts = map_blocks(self.root.len(), BLOCK, |rows| {
            let mut sum = vec![0.0; w];
            rows.for_each(|i| axpy(self.root[i], &q[i * w..][..w], &mut sum));
            sum
        });
        let mut sum = vec![0.0; w];
        parts.iter().for_each(|part| axpy(1.0, part, &mut sum));
        sum
    }

    /// W = `ZᵀA`, in doubles: k numbers per column in the new order, and mᵀW.
    pub(super) fn weights(&self, a: &[f64], k: usize) -> (Vec<f64>, Vec<f64>) {
        let pulls = self.sums(a, k);
        let pull: Vec<f64> = a
            .chunks_exact(k)
            .zip(&self.root)
            .flat_map(|(a, r)| a.iter().map(move |a| r * a))
            .collect();
        let mut weights = vec![0.0; self.mean.len() * k];
        weights.par_chunks_mut(BLOCK * k).enumerate().for_each(|(block, weights)| {
            for (j, w) in (block * BLOCK..).zip(weights.chunks_exact_mut(k)) {
                self.columns.combine(j, &pull, w);
                axpy(-self.mean[j], &pulls, w);
            }
        });
        let parts = map_blocks(self.mean.len(), BLOCK, |columns| {
            let mut shift = vec![0.0; k];
            columns.for_each(|j| axpy(self.mean[j], &weights[j * k..][..k], &mut shift));
            shift
        });
        let mut shift = vec![0.0; k];
        parts.iter().for_each(|part| axpy(1.0, part, &mut shift));
        (weights, shift)
    }

    /// Wᵀ(xᵢ − m) of every row, in doubles, for the W of `a`.
    pub(super) fn scores(
        &self,
        a: &[f64],
        (weights, shift): (&[f64], &[f64]),
        k: usize,
    ) -> Vec<f64> {
        let pulls = self.sums(a, k);
        let mut scores = vec![0.0; self.x.n() * k];
        let shared = &weights[..self.shared() * k];
        scores.par_chunks_mut(BLOCK * k).enumerate().for_each(|(block, scores)| {
            for (i, z) in (block * BLOCK..).zip(scores.chunks_exact_mut(k)) {
                self.rows.combine(i, shared, z);
                let [own, means] = self.alone[i];
                axpy(own * self.root[i], &a[i * k..][..k], z);
                axpy(-means, &pulls, z);
                axpy(-1.0, shift, z);
            }
        });
        scores
    }

    /// Coefficients of each hyperplane, in the original column order.
    pub(super) fn in_order(&self, weights: &[f64], k: usize) -> Vec<Vec<f64>> {
        let mut planes = vec![vec![0.0; self.number.len()]; k];
        for (j, &at) in self.number.iter().enumerate() {
            let weights = &weights[at as usize * k..][..k];
            planes.iter_mut().zip(weights).for_each(|(plane, w)| plane[j] = *w);
        }
        planes
    }
}

/// Scratch space of [`RowKernel::apply`].
#[derive(Default)]
pub(super) struct Scratch {
    pull: Vec<f32>,
    through: Vec<f32>,
}

/// Bounds of blocks of the first columns, with about as many values each. They depend only on the
/// matrix, not on the number of threads.
fn cuts(columns: &Columns, shared: usize) -> Vec<usize> {
    const PIECES: usize = 64;
    let all: usize = (0..shared).map(|j| columns.len(j)).sum();
    let mut cuts = Vec::new();
    let mut held = 0;
    for j in 0..shared {
        held += columns.len(j);
        if held * PIECES >= all || j + 1 == shared {
            cuts.push(j + 1);
            held = 0;
        }
    }
    cuts
}
