//! Standardized features: mean 0 and standard deviation 1 in training, with coefficients converted
//! back to raw units.
//!
//! With x′ⱼ = (xⱼ − μⱼ)/σⱼ a hyperplane (w′, b′) over x′ equals the hyperplane over x with
//!
//! ```text
//!   wⱼ = w′ⱼ/σⱼ,     b = b′ − Σⱼ w′ⱼ μⱼ/σⱼ,
//! ```
//!
//! Scoring therefore costs nothing extra, and coefficients are in raw units. The sum is compensated
//! (Neumaier), because large means cancel in it. μ and σ are weighted: sample weight 2 counts a
//! value twice. σ² is the mean of (x − μ)². It takes two passes over blocks that fit the cache,
//! merged by Chan's formula in a fixed order. Large offsets therefore lose no digits, and the data
//! is read once from memory.
//!
//! If the squares of a column overflow or underflow, the column is read again in its own unit. The
//! unit is a power of two near its largest absolute value. Powers of two are exact, and no column
//! changes the result of another.
//!
//! Coefficients in raw units are w′/σ. With σ below [`MIN_DEVIATION`] they could overflow, so such
//! a column cannot be standardized.

use crate::data::Hyperplane;
use crate::math::sum::Sum;
use serde::{Deserialize, Serialize};

/// Mean, standard deviation and range of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColumnStatistics {
    /// Total sample weight of the values that are not missing.
    pub weight: f64,
    /// μ; 0 for a column without values.
    pub mean: f64,
    /// σ.
    pub deviation: f64,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
}

impl ColumnStatistics {
    /// Whether all values that are not missing are equal.
    pub fn is_constant(&self) -> bool {
        self.min >= self.max
    }
}

/// Computes the spread of every column of n × width values, stored by rows. NaN is a missing value.
/// Missing values and rows with sample weight 0 do not count.
pub fn column_statistics(values: &[f64], width: usize, weights: &[f64]) -> Vec<ColumnStatistics> {
    // Blocks of rows that stay in the cache for both passes.
    const BLOCK: usize = 1 << 15;
    if width == 0 {
        return Vec::new();
    }
    let total = Moments::in_blocks(values, width, weights, (BLOCK / width).max(1));
    let own = |j| total.spread(j).unwrap_or_else(|| total.in_own_unit(values, weights, j));
    (0..width).map(own).collect()
}

/// The smallest standard deviation to divide by: 2⁻⁹⁶⁰, about 1e-289. A coefficient of up to 1e18
/// divided by it is finite.
pub const MIN_DEVIATION: f64 = f64::from_bits((1023 - 960) << 52);

/// Sums of squares below this bound have lost digits to underflow.
const MIN_SQUARE: f64 = MIN_DEVIATION;

/// The largest power of two that is at most v > 0, but at least 2⁻¹⁰²².
pub(crate) fn power_of_two(v: f64) -> f64 {
    const EXPONENT: u64 = 0x7FF << 52;
    f64::from_bits(v.to_bits() & EXPONENT).max(f64::MIN_POSITIVE)
}

/// Total sample weight, mean, Σ s (x − mean)² and range of every column over a block of rows.
struct Moments {
    weight: Vec<f64>,
    mean: Vec<f64>,
    squares: Vec<f64>,
    min: Vec<f64>,
    max: Vec<f64>,
}

impl Moments {
    fn new(width: usize) -> Self {
        Self {
            weight: vec![0.0; width],
            mean: vec![0.0; width],
            squares: vec![0.0; width],
            min: vec![f64::INFINITY; width],
            max: vec![f64::NEG_INFINITY; width],
        }
    }

    /// Moments of all rows, merged from blocks of `rows` rows.
    fn in_blocks(values: &[f64], width: usize, weights: &[f64], rows: usize) -> Self {
        let mut total = Self::new(width);
        for (values, weights) in values.chunks(rows.saturating_mul(width)).zip(weights.chunks(rows))
        {
            total.merge(&Self::of(values, width, weights));
        }
        total
    }

    /// Moments of one block in two passes: the mean, then the squared deviations from it.
    fn of(values: &[f64], width: usize, weights: &[f64]) -> Self {
        if weights.iter().all(|s| *s == 1.0)
            && let Some(own) = Self::of_whole(values, width)
        {
            return own;
        }
        let mut own = Self::new(width);
        let rows = || values.chunks_exact(width).zip(weights).filter(|(_, s)| **s > 0.0);
        for (row, &s) in rows() {
            for (j, &x) in row.iter().enumerate() {
                let there = !x.is_nan();
                own.weight[j] += if there { s } else { 0.0 };
                own.mean[j] += if there { s * x } else { 0.0 };
                own.min[j] = own.min[j].min(x); // `min` and `max` ignore a NaN
                own.max[j] = own.max[j].max(x);
            }
        }
        for (mean, weight) in own.mean.iter_mut().zip(&own.weight) {
            *mean = if *weight > 0.0 { *mean / weight } else { 0.0 };
        }
        for (row, &s) in rows() {
            for (j, &x) in row.iter().enumerate() {
                let away = if x.is_nan() { 0.0 } else { x - own.mean[j] };
                own.squares[j] += s * away * away;
            }
        }
        own
    }

    /// The fast path for sample weights 1 without missing values, with the same bits: it needs no
    /// test per value. `None` if a value is missing: then a sum is NaN.
    fn of_whole(values: &[f64], width: usize) -> Option<Self> {
        let mut own = Self::new(width);
        for row in values.chunks_exact(width) {
            let ranges = own.min.iter_mut().zip(&mut own.max);
            for ((&x, mean), (min, max)) in row.iter().zip(&mut own.mean).zip(ranges) {
                *mean += x;
                *min = if x < *min { x } else { *min };
                *max = if x > *max { x } else { *max };
            }
        }
        if !own.mean.iter().all(|sum| sum.is_finite()) {
            return None;
        }
        let rows = (values.len() / width) as f64;
        own.weight.fill(rows);
        own.mean.iter_mut().for_each(|mean| *mean /= rows);
        for row in values.chunks_exact(width) {
            for ((&x, mean), squares) in row.iter().zip(&own.mean).zip(&mut own.squares) {
                let away = x - mean;
                *squares += away * away;
            }
        }
        Some(own)
    }

    /// Merges the moments of further rows by Chan's formula.
    fn merge(&mut self, other: &Self) {
        for j in 0..self.weight.len() {
            let (a, b) = (self.weight[j], other.weight[j]);
            if b > 0.0 {
                let step = other.mean[j] - self.mean[j];
                let share = b / (a + b);
                self.mean[j] += step * share;
                self.squares[j] += other.squares[j] + step * step * a * share;
                self.weight[j] = a + b;
            }
            self.min[j] = self.min[j].min(other.min[j]);
            self.max[j] = self.max[j].max(other.max[j]);
        }
    }

    /// The spread of column j, or `None` if its squares overflowed or underflowed.
    fn spread(&self, j: usize) -> Option<ColumnStatistics> {
        let varies = self.min[j] < self.max[j];
        let (mean, squares) = (self.mean[j], self.squares[j]);
        let in_range = |v: f64| v.is_finite() && v >= MIN_SQUARE;
        let sound = mean.is_finite() && in_range(squares) && in_range(squares / self.weight[j]);
        (sound || !varies).then(|| self.unchecked_spread(j))
    }

    /// The spread of column j from its values, divided by a power of two near the largest absolute
    /// value.
    fn in_own_unit(&self, values: &[f64], weights: &[f64], j: usize) -> ColumnStatistics {
        let rows = || values.iter().skip(j).step_by(self.weight.len()).zip(weights);
        let heaviest = weights.iter().copied().fold(0.0, f64::max);
        let unit = power_of_two(self.min[j].abs().max(self.max[j].abs()));
        let small: Vec<f64> = rows().map(|(x, _)| x / unit).collect();
        let shares: Vec<f64> = rows().map(|(_, s)| s / heaviest).collect();
        let own = Self::in_blocks(&small, 1, &shares, shares.len()).unchecked_spread(0);
        let (mean, deviation) = (own.mean * unit, own.deviation * unit);
        ColumnStatistics { mean, deviation, ..self.unchecked_spread(j) }
    }

    fn unchecked_spread(&self, j: usize) -> ColumnStatistics {
        let (weight, min, max) = (self.weight[j], self.min[j], self.max[j]);
        if weight == 0.0 {
            return ColumnStatistics { weight, mean: 0.0, deviation: 0.0, min, max };
        }
        let (mean, deviation) = if min == max {
            (min, 0.0)
        } else {
            (self.mean[j].clamp(min, max), (self.squares[j] / weight).sqrt())
        };
        ColumnStatistics { weight, mean, deviation, min, max }
    }
}

/// μ and σ of every column; a column that is not standardized has 0 and 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standardization {
    /// μ.
    pub mean: Vec<f64>,
    /// σ > 0.
    pub scale: Vec<f64>,
}

impl Standardization {
    /// Converts a hyperplane over standardized features to raw units.
    pub fn to_raw_units(&self, hyperplane: &Hyperplane) -> Hyperplane {
        let w: Vec<f64> =
            hyperplane.w.iter().zip(&self.scale).map(|(w, scale)| w / scale).collect();
        let shifts = w.iter().zip(&self.mean).map(|(w, mean)| -w * mean);
        Hyperplane { b: compensated_sum(shifts, hyperplane.b), w }
    }

    /// Converts a standardized point to raw units.
    pub fn unscale(&self, x: &[f64]) -> Vec<f64> {
        let columns = self.mean.iter().zip(&self.scale);
        x.iter().zip(columns).map(|(x, (mean, scale))| scale.mul_add(*x, *mean)).collect()
    }

    /// Converts a hyperplane in raw units to standardized features.
    pub fn to_standardized(&self, hyperplane: &Hyperplane) -> Hyperplane {
        let shifts = hyperplane.w.iter().zip(&self.mean).map(|(w, mean)| w * mean);
        let b = compensated_sum(shifts, hyperplane.b);
        Hyperplane {
            w: hyperplane.w.iter().zip(&self.scale).map(|(w, scale)| w * scale).collect(),
            b,
        }
    }
}

/// The compensated sum start + Σ terms.
fn compensated_sum(terms: impl Iterator<Item = f64>, start: f64) -> f64 {
    std::iter::once(start).chain(terms).collect::<Sum>().value()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_path_for_unit_weights_gives_the_same_bits() {
        let values: Vec<f64> = (0..3_000).map(|i| f64::from(i * i % 977) / 7.0 - 50.0).collect();
        let one = column_statistics(&values, 3, &[1.0; 1_000]);
        let two = column_statistics(&values, 3, &[2.0; 1_000]);
        for (one, two) in one.iter().zip(&two) {
            assert_eq!(*one, ColumnStatistics { weight: one.weight, ..*two });
            assert_eq!((one.weight, two.weight), (1_000.0, 2_000.0));
        }
    }

    #[test]
    fn spreads_with_missing_values_and_weights_match_hand_computation() {
        let nan = f64::NAN;
        let values = [1.0, nan, 2.0, nan, 6.0, 5.0];
        let columns = column_statistics(&values, 2, &[1.0, 1.0, 2.0]);
        // 1, 2, 6, 6: mean 15/4, mean square distance 83/16.
        assert_eq!((columns[0].weight, columns[0].mean), (4.0, 3.75));
        assert!((columns[0].deviation - (83.0_f64 / 16.0).sqrt()).abs() < 1e-15);
        assert_eq!((columns[1].mean, columns[1].deviation), (5.0, 0.0));
        assert!(columns[1].is_constant() && !columns[0].is_constant());
        let weightless = column_statistics(&values, 2, &[1.0, 1.0, 0.0]);
        assert_eq!(weightless[1].weight, 0.0);
        assert!(weightless[1].is_constant());
    }

    #[test]
    fn offsets_and_huge_values_lose_no_accuracy() {
        let offset = 1e9;
        let values: Vec<f64> = (0..100).map(|i| offset + f64::from(i % 2)).collect();
        let column = column_statistics(&values, 1, &[1.0; 100])[0];
        assert_eq!((column.mean, column.deviation), (offset + 0.5, 0.5));
        let huge = column_statistics(&[-1.7e308, 1.7e308], 1, &[1.0; 2])[0];
        assert!(huge.mean.abs() < 1e292 && (huge.deviation / 1.7e308 - 1.0).abs() < 1e-12);
        assert_eq!((huge.min, huge.max), (-1.7e308, 1.7e308), "a power of two loses nothing");
    }

    #[test]
    fn an_out_of_range_column_changes_no_other_column() {
        for wild in [1e200, 1.7e308, 1e-200, 5e-324] {
            let usual = |i: u32| f64::from(i * i % 97) - 40.0;
            let alone: Vec<f64> = (0..100).map(usual).collect();
            let cell = |i: u32| if i == 7 { wild } else { 0.0 };
            let beside: Vec<f64> = (0..100).flat_map(|i| [usual(i), cell(i)]).collect();
            for weight in [1.0, 1e-90, 1e90] {
                let weights = [weight; 100];
                let both = column_statistics(&beside, 2, &weights);
                assert_eq!(both[0], column_statistics(&alone, 1, &weights)[0], "beside {wild:e}");
                // One value in 100 is nonzero: mean wild/100, deviation wild √99/100.
                let (mean, deviation) = (wild * 0.01, wild * 0.099_498_743_710_661_99);
                let near = |a: f64, b: f64| (a - b).abs() <= 1e-12 * b + f64::from_bits(1);
                assert!(near(both[1].mean, mean), "{:e}", both[1].mean);
                assert!(near(both[1].deviation, deviation), "{:e}", both[1].deviation);
            }
        }
    }

    #[test]
    fn scaling_by_a_power_of_two_scales_the_spread() {
        let values: Vec<f64> = (0..200).map(|i| f64::from(i * 37 % 101) - 17.0).collect();
        let plain = column_statistics(&values, 1, &[1.0; 200])[0];
        for exponent in [-990, -700, -500, 500, 700, 1000] {
            let unit = 2.0_f64.powi(exponent);
            let scaled: Vec<f64> = values.iter().map(|x| x * unit).collect();
            let own = column_statistics(&scaled, 1, &[1.0; 200])[0];
            let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-13;
            assert!(near(own.deviation, plain.deviation * unit), "2^{exponent}");
            assert!(near(own.mean, plain.mean * unit), "2^{exponent}");
            assert_eq!((own.min, own.max), (plain.min * unit, plain.max * unit));
        }
    }

    #[test]
    fn block_size_changes_only_rounding() {
        let n = 20_000;
        let values: Vec<f64> = (0..3 * n).map(|i| f64::from((i * 7919) % 1009) - 300.0).collect();
        let weights: Vec<f64> = (0..n).map(|i| f64::from(i % 3)).collect();
        let blocks = column_statistics(&values, 3, &weights);
        let whole = Moments::of(&values, 3, &weights);
        for (j, a) in blocks.iter().enumerate() {
            let b = whole.spread(j).unwrap();
            assert!((a.mean - b.mean).abs() < 1e-10 && (a.deviation - b.deviation).abs() < 1e-10);
            assert_eq!((a.weight, a.min, a.max), (b.weight, b.min, b.max));
        }
    }

    #[test]
    fn conversion_to_raw_units_preserves_scores() {
        let standardize = Standardization { mean: vec![3.0, -2.0], scale: vec![0.5, 4.0] };
        let hyperplane = Hyperplane { w: vec![1.5, -0.25], b: 0.75 };
        let raw = standardize.to_raw_units(&hyperplane);
        for x in [[0.0, 0.0], [1.0, 7.0], [-2.5, 0.125]] {
            let z = [(x[0] - 3.0) / 0.5, (x[1] + 2.0) / 4.0];
            assert!((raw.at(&x) - hyperplane.at(&z)).abs() < 1e-12);
        }
        assert_eq!(standardize.to_standardized(&raw), hyperplane);
    }

    #[test]
    fn large_shifts_cancel_without_loss() {
        let standardize = Standardization { mean: vec![1e16, 1.0, -1e16], scale: vec![1.0; 3] };
        let hyperplane = Hyperplane { w: vec![1.0, 1.0, 1.0], b: 0.0 };
        assert_eq!(standardize.to_raw_units(&hyperplane).b, -1.0);
    }
}
