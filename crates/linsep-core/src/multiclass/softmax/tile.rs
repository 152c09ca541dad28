//! Vectorized softmax of the k scores of each row, sixteen rows at a time.
//!
//! ```text
//!   pⱼ = e^(zⱼ − max z) / Σ e^(zⱼ − max z)         ln Σ e^(zⱼ) = max z + ln Σ e^(zⱼ − max z)
//! ```
//!
//! Scores are stored row after row, and k is often 7 or 10: too short for processors with eight
//! lanes. So a tile of rows is transposed, class by class, and loops run over its rows. Sums over
//! rows have one lane for each row of a tile. Lanes are added in order at the end, so the bits do
//! not depend on the vector width. A tile with fewer rows is padded with zeros of weight 0.

use crate::math::kernels::Loop;
use crate::math::scalar::{exp_below_zero, ln};

/// Rows of a tile.
const HIGH: usize = 16;

type Lanes = [f64; HIGH];

/// Sum over rows of the loss, its slope and its curvature at scores z + t u.
pub(super) struct Along<'a> {
    pub z: &'a [f64],
    pub u: &'a [f64],
    pub t: f64,
    pub rows: Rows<'a>,
}

/// Writes the probabilities of scores z; returns the sums over rows of the loss and of H(p).
pub(super) struct Normalize<'a> {
    pub z: &'a [f64],
    pub p: &'a mut [f64],
    pub rows: Rows<'a>,
}

/// Classes and sample weights of some rows.
#[derive(Clone, Copy)]
pub(super) struct Rows<'a> {
    pub k: usize,
    pub codes: &'a [u32],
    pub s: &'a [f64],
}

impl<'a> Rows<'a> {
    /// Tiles: classes, sample weights, and the first row of each.
    #[inline(always)]
    #[allow(clippy::inline_always)] // compiled with the vector width of the caller; so below
    fn tiles(self) -> impl Iterator<Item = (&'a [u32], Lanes, usize)> {
        let tiles = self.codes.chunks(HIGH).zip(self.s.chunks(HIGH)).enumerate();
        tiles.map(|(at, (codes, s))| {
            let mut weights = [0.0; HIGH];
            weights[..s.len()].copy_from_slice(s);
            (codes, weights, at * HIGH)
        })
    }
}

impl Loop for Along<'_> {
    type Out = [f64; 3];

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn run(self) -> [f64; 3] {
        let k = self.rows.k;
        let (mut sums, mut tile) = ([[0.0; HIGH]; 3], vec![[0.0; HIGH]; k]);
        let mut ways = tile.clone();
        for (codes, s, start) in self.rows.tiles() {
            let range = start * k..(start + codes.len()) * k;
            transpose(&self.z[range.clone()], &mut tile);
            transpose(&self.u[range], &mut ways);
            for (z, u) in tile.iter_mut().zip(&ways) {
                for l in 0..HIGH {
                    z[l] += self.t * u[l];
                }
            }
            let (own, way) = (own(&tile, codes), own(&ways, codes));
            let (most, sum) = exponentials(&mut tile);
            let (mut mean, mut square) = ([0.0; HIGH], [0.0; HIGH]);
            for (e, u) in tile.iter().zip(&ways) {
                for l in 0..HIGH {
                    mean[l] += e[l] * u[l];
                }
            }
            for l in 0..HIGH {
                mean[l] /= sum[l];
            }
            for (e, u) in tile.iter().zip(&ways) {
                for l in 0..HIGH {
                    let apart = u[l] - mean[l];
                    square[l] += e[l] * (apart * apart);
                }
            }
            for l in 0..HIGH {
                sums[0][l] += s[l] * (most[l] + ln(sum[l]) - own[l]);
                sums[1][l] += s[l] * (mean[l] - way[l]);
                sums[2][l] += s[l] * (square[l] / sum[l]);
            }
        }
        sums.map(|lanes| lanes.iter().sum())
    }
}

impl Loop for Normalize<'_> {
    type Out = [f64; 2];

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn run(self) -> [f64; 2] {
        let k = self.rows.k;
        let (mut sums, mut tile) = ([[0.0; HIGH]; 2], vec![[0.0; HIGH]; k]);
        let mut scores = tile.clone();
        for (codes, s, start) in self.rows.tiles() {
            let range = start * k..(start + codes.len()) * k;
            transpose(&self.z[range.clone()], &mut scores);
            tile.copy_from_slice(&scores);
            let own = own(&tile, codes);
            let (most, sum) = exponentials(&mut tile);
            let mut mean = [0.0; HIGH];
            for (e, z) in tile.iter_mut().zip(&scores) {
                for l in 0..HIGH {
                    mean[l] += e[l] * (most[l] - z[l]);
                    e[l] /= sum[l];
                }
            }
            for l in 0..HIGH {
                let log = ln(sum[l]);
                sums[0][l] += s[l] * (most[l] + log - own[l]);
                sums[1][l] += s[l] * (log + mean[l] / sum[l]);
            }
            for (l, p) in self.p[range].chunks_exact_mut(k).enumerate() {
                for (p, e) in p.iter_mut().zip(&tile) {
                    *p = e[l];
                }
            }
        }
        sums.map(|lanes| lanes.iter().sum())
    }
}

#[inline(always)]
#[allow(clippy::inline_always)]
fn transpose(rows: &[f64], out: &mut [Lanes]) {
    let k = out.len();
    if rows.len() < HIGH * k {
        out.fill([0.0; HIGH]);
        for (l, row) in rows.chunks_exact(k).enumerate() {
            out.iter_mut().zip(row).for_each(|(out, v)| out[l] = *v);
        }
        return;
    }
    for (c, out) in out.iter_mut().enumerate() {
        for l in 0..HIGH {
            out[l] = rows[l * k + c];
        }
    }
}

/// Value of each row at its true class.
#[inline(always)]
#[allow(clippy::inline_always)]
fn own(tile: &[Lanes], codes: &[u32]) -> Lanes {
    let mut own = [0.0; HIGH];
    for (l, (own, &code)) in own.iter_mut().zip(codes).enumerate() {
        *own = tile[code as usize][l];
    }
    own
}

/// Replaces z by e^(z − max z); returns max z and the sums. A score that is not finite makes the
/// sum NaN.
#[inline(always)]
#[allow(clippy::inline_always)]
fn exponentials(tile: &mut [Lanes]) -> (Lanes, Lanes) {
    let (mut most, mut sum) = ([f64::NEG_INFINITY; HIGH], [0.0; HIGH]);
    for z in &*tile {
        for l in 0..HIGH {
            most[l] = if z[l] > most[l] { z[l] } else { most[l] };
        }
    }
    for z in tile.iter_mut() {
        for l in 0..HIGH {
            z[l] = exp_below_zero(z[l] - most[l]);
            sum[l] += z[l];
        }
    }
    (most, sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::kernels::with_widest_vectors;
    use crate::math::rng::Rng;

    /// Against sums row by row, for row counts that fill tiles and that do not.
    #[test]
    fn sums_equal_those_of_single_rows() {
        let mut rng = Rng::new(11, 0);
        for (n, k) in [(1, 2), (15, 3), (16, 7), (17, 10), (61, 26)] {
            let mut random = |count: usize, wide: f64| -> Vec<f64> {
                (0..count).map(|_| wide * (rng.unit() - 0.5)).collect()
            };
            let (z, u) = (random(n * k, 60.0), random(n * k, 3.0));
            let s: Vec<f64> = random(n, 2.0).iter().map(|s| s + 1.0).collect();
            let codes: Vec<u32> = (0..n).map(|i| (i * 5 % k) as u32).collect();
            let rows = Rows { k, codes: &codes, s: &s };
            let t = 0.7;
            let (mut along, mut looked, mut want_p) = ([0.0; 3], [0.0; 2], vec![]);
            for i in 0..n {
                let (z, u) = (&z[i * k..][..k], &u[i * k..][..k]);
                let own = codes[i] as usize;
                let probabilities = |z: &[f64]| -> (f64, Vec<f64>) {
                    let log = z.iter().map(|z| z.exp()).sum::<f64>().ln();
                    (log, z.iter().map(|z| (z - log).exp()).collect())
                };
                let moved: Vec<f64> = z.iter().zip(u).map(|(z, u)| z + t * u).collect();
                let (log, p) = probabilities(&moved);
                let mean: f64 = p.iter().zip(u).map(|(p, u)| p * u).sum();
                let square: f64 = p.iter().zip(u).map(|(p, u)| p * (u - mean).powi(2)).sum();
                along[0] += s[i] * (log - moved[own]);
                along[1] += s[i] * (mean - u[own]);
                along[2] += s[i] * square;
                let (log, p) = probabilities(z);
                looked[0] += s[i] * (log - z[own]);
                looked[1] -= s[i] * p.iter().map(|p| p * p.ln()).sum::<f64>();
                want_p.extend(p);
            }
            let near = |got: f64, want: f64| (got - want).abs() <= 1e-11 * (1.0 + want.abs());
            let got = with_widest_vectors(Along { z: &z, u: &u, t, rows });
            assert!(got.iter().zip(&along).all(|(g, w)| near(*g, *w)), "{got:?} {along:?}");
            let mut p = vec![f64::NAN; n * k];
            let got = with_widest_vectors(Normalize { z: &z, p: &mut p, rows });
            assert!(got.iter().zip(&looked).all(|(g, w)| near(*g, *w)), "{got:?} {looked:?}");
            assert!(p.iter().zip(&want_p).all(|(g, w)| near(*g, *w)));

            // The same bits without vectors.
            let mut again = p.clone();
            assert_eq!(Normalize { z: &z, p: &mut again, rows }.run(), got);
            assert_eq!(again, p);
        }
    }

    #[test]
    fn scores_that_are_not_finite_make_the_loss_nan() {
        let rows = Rows { k: 2, codes: &[0], s: &[1.0] };
        for bad in [f64::NAN, f64::INFINITY] {
            let [loss, _] =
                with_widest_vectors(Normalize { z: &[0.0, bad], p: &mut [0.0; 2], rows });
            assert!(loss.is_nan());
        }
    }
}
