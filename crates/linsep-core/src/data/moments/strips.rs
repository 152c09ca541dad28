//! Gram products of tiles whose rows have many zeros, for example of images, counts or one-hot
//! columns.
//!
//! Columns are split into strips of eight. A product of two strips is computed only in rows where
//! both are nonzero. The relevant measure is therefore the share of pairs:
//!
//! ```text
//!   Σ_r f_r (f_r + 1)/2  of  rows · m (m + 1)/2,     m strips, of which f_r are nonzero in row r
//! ```
//!
//! Images of handwritten digits have 19 % of their pixels, 40 % of their strips and 17 % of these
//! pairs nonzero.
//!
//! Cost: 64 multiplications per pair, at about half the speed of a product of whole tiles.

use crate::math::kernels::{ACROSS, Strip, add_strips, has_fused_multiply_add};

/// Share of nonzero pairs up to which they are faster than a product of whole tiles.
const WORTH: f64 = 0.4;

/// The sums, and buffers for one tile.
pub(super) struct Strips {
    d: usize,
    /// Whether the processor supports fast strips ([`has_fused_multiply_add`]).
    able: bool,
    filled: Vec<u64>,
    tile: Vec<Strip>,
    /// Sums of every pair of strips; empty before the first tile in strips.
    sums: Vec<[Strip; ACROSS]>,
    /// Whether strips were faster for the last tile; then the next one is split while it is read.
    preferred: bool,
    /// Nonzero pairs of the current tile.
    pairs: f64,
}

impl Strips {
    pub(super) fn new(d: usize) -> Self {
        let (filled, tile, sums) = (Vec::new(), Vec::new(), Vec::new());
        Self { d, able: has_fused_multiply_add(), filled, tile, sums, preferred: false, pairs: 0.0 }
    }

    fn wide(&self) -> usize {
        self.d.div_ceil(ACROSS)
    }

    /// Whether `pairs` nonzero pairs in `rows` rows are few enough for strips.
    fn is_worth(&self, pairs: f64, rows: usize) -> bool {
        let wide = self.wide() as f64;
        self.able && pairs <= WORTH * rows as f64 * wide * (wide + 1.0) / 2.0
    }

    /// Whether the next tile should be read row by row ([`put`](Self::put)).
    pub(super) fn is_preferred(&self) -> bool {
        self.preferred
    }

    /// Adds the Gram products of a row-major tile. Returns `false` without a change if strips would
    /// be slower.
    pub(super) fn add(&mut self, tile: &[f64]) -> bool {
        /// Sampling interval of the rows that decide whether strips are faster.
        const SAMPLE: usize = 16;
        let in_row =
            |row: &[f64]| pairs(row.chunks(ACROSS).filter(|strip| is_filled(strip)).count());
        let rows = tile.len() / self.d;
        let sample = tile.chunks_exact(self.d).step_by(SAMPLE);
        let sampled = sample.len();
        if !self.is_worth(sample.map(in_row).sum(), sampled) {
            return false;
        }
        self.begin(rows);
        let (zero, mut sum) = (vec![0.0; self.d], vec![0.0; self.d]);
        for (r, row) in tile.chunks_exact(self.d).enumerate() {
            self.put(r, 1.0, row, &zero, &mut sum);
        }
        self.finish(rows);
        true
    }

    /// Starts a tile of `rows` rows.
    pub(super) fn begin(&mut self, rows: usize) {
        let (wide, words) = (self.wide(), rows.div_ceil(64));
        self.filled.clear();
        self.filled.resize(wide * words, 0);
        self.tile.resize(wide * 64 * words, [0.0; ACROSS]);
        self.pairs = 0.0;
    }

    /// Splits row r of the tile as √s (row − center), and sets sum ← sum + s (row − center).
    pub(super) fn put(&mut self, r: usize, s: f64, row: &[f64], center: &[f64], sum: &mut [f64]) {
        let wide = self.wide();
        let words = self.filled.len() / wide;
        let (root, bit) = (s.sqrt(), 1 << (r % 64));
        let mut count = 0;
        let mut cut = |j: usize, v: &Strip, a: &Strip, sum: &mut Strip| {
            let away: Strip = std::array::from_fn(|l| v[l] - a[l]);
            if is_filled(&away) {
                (0..ACROSS).for_each(|l| sum[l] += s * away[l]);
                self.tile[64 * words * j + r] = away.map(|v| root * v);
                self.filled[j * words + r / 64] |= bit;
                count += 1;
            }
        };
        let (row, row_end) = row.as_chunks();
        let (center, center_end) = center.as_chunks();
        let (sum, sum_end) = sum.as_chunks_mut();
        for (j, ((v, a), sum)) in row.iter().zip(center).zip(sum).enumerate() {
            cut(j, v, a, sum);
        }
        if !row_end.is_empty() {
            let mut sum = padded(sum_end);
            cut(wide - 1, &padded(row_end), &padded(center_end), &mut sum);
            sum_end.copy_from_slice(&sum[..sum_end.len()]);
        }
        self.pairs += pairs(count);
    }

    /// Adds the Gram products of the split tile.
    pub(super) fn finish(&mut self, rows: usize) {
        let wide = self.wide();
        self.sums.resize(wide * (wide + 1) / 2, [[0.0; ACROSS]; ACROSS]);
        add_strips(&self.tile, &self.filled, self.filled.len() / wide, &mut self.sums);
        self.preferred = self.is_worth(self.pairs, rows);
    }

    /// gram ← gram + the sums: d × d, column-major, the lower triangle only.
    pub(super) fn add_to(&self, gram: &mut [f64]) {
        if self.sums.is_empty() {
            return;
        }
        let (d, wide) = (self.d, self.wide());
        let pairs = (0..wide).flat_map(|j| (j..wide).map(move |i| (j * ACROSS, i * ACROSS)));
        for ((first, below), sums) in pairs.zip(&self.sums) {
            for (column, sums) in (first..d).zip(sums) {
                let from = below.max(column);
                let out = &mut gram[column * d..][from..(below + ACROSS).min(d)];
                out.iter_mut().zip(&sums[from - below..]).for_each(|(out, sum)| *out += sum);
            }
        }
    }
}

/// Number of pairs of strips, including each strip with itself.
fn pairs(strips: usize) -> f64 {
    strips as f64 * (strips as f64 + 1.0) / 2.0
}

/// The last strip, padded with zeros.
fn padded(end: &[f64]) -> Strip {
    std::array::from_fn(|l| end.get(l).copied().unwrap_or(0.0))
}

/// Whether any value is nonzero.
#[inline]
fn is_filled(strip: &[f64]) -> bool {
    // All bits except the sign, without a branch per value.
    strip.iter().fold(0, |bits, v| bits | v.to_bits() << 1) != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::linalg::add_gram;
    use crate::math::rng::Rng;

    /// Rows in which a random share of the strips is nonzero, in all of their values.
    fn tile(rows: usize, d: usize, share: f64) -> Vec<f64> {
        let mut rng = Rng::new(5, 0);
        let mut row = || -> Vec<f64> {
            let has: Vec<bool> = (0..d.div_ceil(ACROSS)).map(|_| rng.unit() < share).collect();
            (0..d).map(|j| if has[j / ACROSS] { rng.unit() - 0.5 } else { -0.0 }).collect()
        };
        (0..rows).flat_map(|_| row()).collect()
    }

    #[test]
    fn strip_sums_match_whole_products() {
        for (rows, d, share) in [(1, 1, 0.0), (70, 20, 0.3), (64, 41, 0.1), (200, 9, 0.0)] {
            let mut strips = Strips { able: true, ..Strips::new(d) };
            let start: Vec<f64> = (0..d * d).map(|at| at as f64).collect();
            let (mut got, mut want) = (start.clone(), start.clone());
            for rows in [rows, rows / 2 + 1] {
                let tile = tile(rows, d, share);
                assert!(strips.add(&tile), "{rows} × {d}");
                add_gram(&tile, d, 1.0, &mut want);
            }
            strips.add_to(&mut got);
            for j in 0..d {
                for i in j..d {
                    let (got, want) = (got[j * d + i], want[j * d + i]);
                    assert!((got - want).abs() <= 1e-12 * want.abs().max(1.0), "{i}, {j}");
                }
                assert_eq!(got[j * d..][..j], start[j * d..][..j], "above the diagonal");
            }
        }
    }

    /// Rows split while they are read give the same sums as rows of a stored tile, with sample
    /// weights and centers.
    #[test]
    fn strips_split_while_reading_match_stored_tiles() {
        let (rows, d, s) = (100, 27, 3.0_f64);
        let x = tile(rows, d, 0.3);
        let center: Vec<f64> = (0..d).map(|j| if j < 10 { 0.25 } else { 0.0 }).collect();
        let away: Vec<f64> = (0..rows * d).map(|at| x[at] - center[at % d]).collect();
        let mut strips = Strips { able: true, ..Strips::new(d) };
        let mut sum = vec![1.0; d];
        strips.begin(rows);
        for (r, row) in x.chunks_exact(d).enumerate() {
            strips.put(r, s, row, &center, &mut sum);
        }
        strips.finish(rows);
        let (mut got, mut want) = (vec![0.0; d * d], vec![0.0; d * d]);
        strips.add_to(&mut got);
        add_gram(&away, d, s, &mut want);
        for j in 0..d {
            let plain: f64 = 1.0 + away.iter().skip(j).step_by(d).map(|v| s * v).sum::<f64>();
            assert!((sum[j] - plain).abs() < 1e-12);
            for i in j..d {
                assert!((got[j * d + i] - want[j * d + i]).abs() < 1e-12);
            }
        }
    }

    #[test]
    fn dense_tiles_are_declined() {
        let mut strips = Strips { able: true, ..Strips::new(30) };
        assert!(!strips.add(&tile(80, 30, 1.0)) && !strips.is_preferred());
        let mut gram = vec![7.0; 900];
        strips.add_to(&mut gram);
        assert!(gram.iter().all(|v| *v == 7.0));
    }
}
