//! Products with k columns, in parallel blocks.
//!
//! ```text
//!   times    Z = X W + 1bᵀ            n × k, independent per row
//!   gather   G = Σ (xᵢ, 1) tᵢᵀ        (d+1) × k: one matrix per part, summed in order of parts
//! ```
//!
//! Coefficients are a row-major (d+1) × k matrix with the intercepts last: the k coefficients of
//! one column of X are adjacent.

use super::{Design, Rows, on_rows};
use crate::math::kernels::axpy;
use rayon::prelude::*;
use std::ops::Range;

/// Stored values per block of rows: as many as fit the cache.
const TILE: usize = 1 << 16;

impl Design {
    /// Rows per block.
    fn tile(&self) -> usize {
        (TILE * self.n() / self.stored().max(1)).clamp(8, 1024)
    }

    /// Writes xᵢ·wⱼ + bⱼ for these rows.
    pub fn times(&self, rows: Range<usize>, weights: &[f64], k: usize, out: &mut [f64]) {
        let bias = &weights[self.d() * k..];
        on_rows!(self, x => x.times(rows, weights, k, out));
        out.chunks_exact_mut(k).for_each(|z| axpy(1.0, bias, z));
    }

    /// Writes xᵢ·wⱼ + bⱼ for all rows; if `stop` returns true before the end, some rows keep their
    /// old values.
    pub(crate) fn times_until(
        &self,
        weights: &[f64],
        k: usize,
        out: &mut [f64],
        stop: impl Fn() -> bool + Sync,
    ) {
        let tile = self.tile();
        out.par_chunks_mut(tile * k).enumerate().for_each(|(block, out)| {
            if !stop() {
                let start = block * tile;
                self.times(start..start + out.len() / k, weights, k, out);
            }
        });
    }
}

/// Repeated sums Σ (xᵢ, 1) tᵢᵀ: owns the matrices of the parts.
pub struct Gather {
    parts: Vec<Range<usize>>,
    /// One matrix for each part but the first, which uses the output.
    own: Vec<Vec<f64>>,
    k: usize,
}

impl Gather {
    /// Allocates the matrices for sums over the rows of x with k columns.
    pub fn new(x: &Design, k: usize) -> Self {
        // At least four parts for large problems, though their matrices may then exceed the data in
        // size.
        const FEW: usize = 4;
        const MANY: usize = 16;
        let size = (x.d() + 1) * k;
        let room = x.bytes() / 10 / (size_of::<f64>() * size);
        let parts = room.clamp(FEW, MANY).min(x.stored() * k / TILE).clamp(1, x.n());
        let rows = x.n().div_ceil(parts);
        let parts: Vec<_> =
            (0..x.n()).step_by(rows).map(|start| start..x.n().min(start + rows)).collect();
        Self { own: vec![vec![0.0; size]; parts.len() - 1], parts, k }
    }

    /// Writes Σ (xᵢ, 1) tᵢᵀ, where `fill` writes the tᵢ of a range of rows, concatenated.
    pub fn of(
        &mut self,
        x: &Design,
        out: &mut [f64],
        fill: impl Fn(Range<usize>, &mut [f64]) + Sync,
    ) {
        self.of_until(x, out, fill, || false);
    }

    /// The same sums; if `stop` returns true before the end, they cover only some of the rows.
    pub(crate) fn of_until(
        &mut self,
        x: &Design,
        out: &mut [f64],
        fill: impl Fn(Range<usize>, &mut [f64]) + Sync,
        stop: impl Fn() -> bool + Sync,
    ) {
        let (k, tile) = (self.k, x.tile());
        let work = |rows: &Range<usize>, out: &mut [f64]| {
            let mut t = vec![0.0; tile * k];
            out.fill(0.0);
            for start in rows.clone().step_by(tile).take_while(|_| !stop()) {
                let block = start..rows.end.min(start + tile);
                let t = &mut t[..block.len() * k];
                fill(block.clone(), t);
                on_rows!(x, x => x.add_transposed(block, t, k, out));
                let bias = &mut out[x.d() * k..];
                t.chunks_exact(k).for_each(|t| axpy(1.0, t, bias));
            }
        };
        let (first, rest) = self.parts.split_first().expect("there is at least one part");
        let own = &mut self.own;
        rayon::join(
            || work(first, out),
            || rest.par_iter().zip(own.par_iter_mut()).for_each(|(rows, own)| work(rows, own)),
        );
        let own = &self.own;
        out.par_chunks_mut(TILE).enumerate().for_each(|(block, out)| {
            let start = block * TILE;
            own.iter().for_each(|own| axpy(1.0, &own[start..start + out.len()], out));
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rng::Rng;

    /// Small integers, so that any order gives the same sums.
    #[test]
    fn products_match_plain_sums_for_any_storage() {
        let (n, d, k) = (3_000, 5, 7);
        let mut rng = Rng::new(3, 0);
        let mut whole = |count: usize| -> Vec<f64> {
            (0..count).map(|_| (rng.below(9) as f64 - 4.0).max(0.0)).collect()
        };
        let (x, w, t) = (whole(n * d), whole((d + 1) * k), whole(n * k));
        let row = |i: usize| x[i * d..][..d].iter().copied().chain([1.0]).collect::<Vec<_>>();
        let mut z = vec![0.0; n * k];
        let mut g = vec![0.0; (d + 1) * k];
        for i in 0..n {
            for (j, v) in row(i).into_iter().enumerate() {
                for c in 0..k {
                    z[i * k + c] += v * w[j * k + c];
                    g[j * k + c] += v * t[i * k + c];
                }
            }
        }
        let single: Vec<f32> = x.iter().map(|&v| v as f32).collect();
        let (mut starts, mut indices, mut values) = (vec![0], vec![], vec![]);
        for row in x.chunks(d) {
            for (j, &v) in row.iter().enumerate().filter(|(_, v)| **v != 0.0) {
                indices.push(u32::try_from(j).unwrap());
                values.push(v);
            }
            starts.push(indices.len());
        }
        let designs = [
            Design::dense(n, d, x.clone()).unwrap(),
            Design::DenseF32(crate::data::Dense::new(n, d, single).unwrap()),
            Design::sparse(d, starts, indices, values).unwrap(),
        ];
        let all: Vec<u32> = (0..u32::try_from(n).unwrap()).collect();
        let views = designs.iter().map(|design| design.view_rows(&all)).collect::<Vec<_>>();
        for design in designs.iter().chain(&views) {
            let (mut got, mut sums) = (vec![f64::NAN; n * k], vec![f64::NAN; (d + 1) * k]);
            design.times_until(&w, k, &mut got, || false);
            assert_eq!(got, z);
            Gather::new(design, k).of(design, &mut sums, |rows, out| {
                out.copy_from_slice(&t[rows.start * k..rows.end * k]);
            });
            assert_eq!(sums, g);
        }
    }
}
