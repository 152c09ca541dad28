//! Standardised columns: every column with mean 0 and spread 1 while learning, undone in the answer.
//!
//! With x′ⱼ = (xⱼ − μⱼ)/σⱼ a plane (w′, b′) over x′ is the plane over x with
//!
//! ```text
//!   wⱼ = w′ⱼ/σⱼ,     b = b′ − Σⱼ w′ⱼ μⱼ/σⱼ,
//! ```
//!
//! so scoring costs nothing extra and weights are in the units of the data. The sum is compensated
//! (Neumaier), because large means cancel in it. μ and σ are weighted: a weight of 2 counts a value
//! twice. σ² is the mean of (x − μ)², in two passes about the first value and scaled by the largest
//! distance from it, so that neither large offsets nor large numbers harm it.

use crate::data::Plane;

/// Where the values of a column lie.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Weight of the values that are there.
    pub weight: f64,
    /// μ; 0 where nothing is there.
    pub mean: f64,
    /// σ.
    pub deviation: f64,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
}

impl Spread {
    /// Whether all values that are there are the same.
    pub fn is_constant(&self) -> bool {
        self.min >= self.max
    }
}

/// The spread of every column of n × width values, row after row. NaN is missing and not counted, nor
/// is what weighs nothing.
pub fn spreads(values: &[f64], width: usize, weights: &[f64]) -> Vec<Spread> {
    let nothing = Spread {
        weight: 0.0,
        mean: 0.0,
        deviation: 0.0,
        min: f64::INFINITY,
        max: f64::NEG_INFINITY,
    };
    let mut columns = vec![nothing; width];
    let mut first = vec![f64::NAN; width];
    each_value(values, width, weights, |j, x, s| {
        let column = &mut columns[j];
        column.weight += s;
        column.min = column.min.min(x);
        column.max = column.max.max(x);
        if first[j].is_nan() {
            first[j] = x;
        }
    });

    // Distances from the first value, in units of the largest: between −1 and 1 (halved, as the
    // range itself may overflow).
    let unit: Vec<f64> = columns.iter().map(|c| c.max / 2.0 - c.min / 2.0).collect();
    let mut sums = vec![0.0; width];
    each_value(values, width, weights, |j, x, s| {
        if unit[j] > 0.0 {
            sums[j] += s * ((x / 2.0 - first[j] / 2.0) / unit[j]);
        }
    });
    let shift: Vec<f64> = sums.iter().zip(&columns).map(|(sum, c)| sum / c.weight).collect();
    let mut squares = vec![0.0; width];
    each_value(values, width, weights, |j, x, s| {
        if unit[j] > 0.0 {
            let away = (x / 2.0 - first[j] / 2.0) / unit[j] - shift[j];
            squares[j] += s * away * away;
        }
    });
    for (j, column) in columns.iter_mut().enumerate() {
        if column.weight > 0.0 {
            let mean =
                if unit[j] > 0.0 { 2.0 * (first[j] / 2.0 + shift[j] * unit[j]) } else { first[j] };
            column.mean = mean.clamp(column.min, column.max);
            column.deviation = unit[j] * (2.0 * (squares[j] / column.weight).sqrt());
        }
    }
    columns
}

fn each_value(values: &[f64], width: usize, weights: &[f64], mut f: impl FnMut(usize, f64, f64)) {
    if width == 0 {
        return;
    }
    for (row, &s) in values.chunks_exact(width).zip(weights) {
        if s > 0.0 {
            for (j, &x) in row.iter().enumerate().filter(|(_, x)| !x.is_nan()) {
                f(j, x, s);
            }
        }
    }
}

/// μ and σ of every column; a column left alone has 0 and 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Standardise {
    /// μ.
    pub mean: Vec<f64>,
    /// σ > 0.
    pub scale: Vec<f64>,
}

impl Standardise {
    /// The plane over the columns as they were, from one over the standardised ones.
    pub fn fold(&self, plane: &Plane) -> Plane {
        let w: Vec<f64> = plane.w.iter().zip(&self.scale).map(|(w, scale)| w / scale).collect();
        let shifts = w.iter().zip(&self.mean).map(|(w, mean)| -w * mean);
        Plane { b: compensated_sum(shifts, plane.b), w }
    }

    /// The plane over the standardised columns, from one over the columns as they are.
    pub fn unfold(&self, plane: &Plane) -> Plane {
        let shifts = plane.w.iter().zip(&self.mean).map(|(w, mean)| w * mean);
        let b = compensated_sum(shifts, plane.b);
        Plane { w: plane.w.iter().zip(&self.scale).map(|(w, scale)| w * scale).collect(), b }
    }
}

/// start + Σ terms, with the rounding errors carried along (Neumaier).
fn compensated_sum(terms: impl Iterator<Item = f64>, start: f64) -> f64 {
    let (mut sum, mut lost) = (start, 0.0);
    for term in terms {
        let next = sum + term;
        lost += if sum.abs() >= term.abs() { (sum - next) + term } else { (term - next) + sum };
        sum = next;
    }
    if lost.is_finite() { sum + lost } else { sum }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_computed_with_missing_values_and_weights() {
        let nan = f64::NAN;
        let values = [1.0, nan, 2.0, nan, 6.0, 5.0];
        let columns = spreads(&values, 2, &[1.0, 1.0, 2.0]);
        // 1, 2, 6, 6: mean 15/4, mean square distance 83/16.
        assert_eq!((columns[0].weight, columns[0].mean), (4.0, 3.75));
        assert!((columns[0].deviation - (83.0_f64 / 16.0).sqrt()).abs() < 1e-15);
        assert_eq!((columns[1].mean, columns[1].deviation), (5.0, 0.0));
        assert!(columns[1].is_constant() && !columns[0].is_constant());
        let weightless = spreads(&values, 2, &[1.0, 1.0, 0.0]);
        assert_eq!(weightless[1].weight, 0.0);
        assert!(weightless[1].is_constant());
    }

    #[test]
    fn neither_offsets_nor_huge_numbers_harm() {
        let offset = 1e9;
        let values: Vec<f64> = (0..100).map(|i| offset + f64::from(i % 2)).collect();
        let column = spreads(&values, 1, &[1.0; 100])[0];
        assert_eq!((column.mean, column.deviation), (offset + 0.5, 0.5));
        let huge = spreads(&[-1.7e308, 1.7e308], 1, &[1.0; 2])[0];
        assert!(huge.mean.abs() < 1e292 && (huge.deviation / 1.7e308 - 1.0).abs() < 1e-12);
        let tiny = spreads(&[1e-320, 3e-320], 1, &[1.0; 2])[0];
        assert!(tiny.deviation > 0.0 && tiny.deviation.is_finite());
    }

    #[test]
    fn folding_changes_no_score() {
        let standardise = Standardise { mean: vec![3.0, -2.0], scale: vec![0.5, 4.0] };
        let plane = Plane { w: vec![1.5, -0.25], b: 0.75 };
        let raw = standardise.fold(&plane);
        for x in [[0.0, 0.0], [1.0, 7.0], [-2.5, 0.125]] {
            let z = [(x[0] - 3.0) / 0.5, (x[1] + 2.0) / 4.0];
            assert!((raw.at(&x) - plane.at(&z)).abs() < 1e-12);
        }
        assert_eq!(standardise.unfold(&raw), plane);
    }

    #[test]
    fn large_shifts_cancel_without_loss() {
        let standardise = Standardise { mean: vec![1e16, 1.0, -1e16], scale: vec![1.0; 3] };
        let plane = Plane { w: vec![1.0, 1.0, 1.0], b: 0.0 };
        assert_eq!(standardise.fold(&plane).b, -1.0);
    }
}
