//! Summary of every column: range, mean, standard deviation and fingerprint.
//!
//! Means and standard deviations are weighted and computed in two passes, in units of the largest
//! absolute value, against cancellation and overflow. The **fingerprint** is the sum over nonzero
//! elements of a mixed hash of position and value. Equal columns have equal fingerprints, and
//! candidates are then compared.

use crate::data::{Problem, Rows, on_rows};
use crate::math::kernels::Value;
use crate::math::rng::Rng;

/// Summary of a column, over the rows of positive weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Summary {
    pub(super) min: f64,
    pub(super) max: f64,
    pub(super) mean: f64,
    pub(super) deviation: f64,
    /// Number of rows with a nonzero value.
    pub(super) nonzero: usize,
    pub(super) print: u64,
}

impl Summary {
    pub(super) fn is_constant(&self) -> bool {
        self.min >= self.max
    }
}

/// Mixed hash of a position and a nonzero value.
pub(super) fn fingerprint(place: usize, v: f64) -> u64 {
    Rng::new(v.to_bits(), place as u64).bits()
}

/// Summaries of all columns: two passes over the data.
pub(super) fn summaries(problem: &Problem<'_>) -> Vec<Summary> {
    on_rows!(problem.x(), x => of_rows(x, problem.weights()))
}

fn of_rows<X: Rows>(x: &X, s: &[f64]) -> Vec<Summary> {
    let d = x.d();
    let total: f64 = s.iter().sum();
    let live = s.iter().filter(|s| **s > 0.0).count();
    let rows = || (0..x.n()).filter(|&i| s[i] > 0.0);
    let none = Summary {
        min: f64::INFINITY,
        max: f64::NEG_INFINITY,
        mean: 0.0,
        deviation: 0.0,
        nonzero: 0,
        print: 0,
    };

    // 1. Range, mean, fingerprint.
    let mut all = vec![none; d];
    let mut weight = vec![0.0; d];
    for i in rows() {
        let share = s[i] / total;
        x.each(i, |j, v| {
            let v = v.get();
            if v == 0.0 {
                return;
            }
            let own = &mut all[j];
            own.min = own.min.min(v);
            own.max = own.max.max(v);
            own.mean += share * v;
            own.nonzero += 1;
            own.print = own.print.wrapping_add(fingerprint(i, v));
            weight[j] += share;
        });
    }
    for own in all.iter_mut().filter(|own| own.nonzero < live) {
        own.min = own.min.min(0.0);
        own.max = own.max.max(0.0);
    }

    // 2. Standard deviation, in units of the largest absolute value.
    let unit: Vec<f64> =
        all.iter().map(|own| own.min.abs().max(own.max.abs()).max(1e-300)).collect();
    for own in &mut all {
        own.mean = own.mean.clamp(own.min, own.max);
    }
    for i in rows() {
        let share = s[i] / total;
        x.each(i, |j, v| {
            let v = v.get();
            if v != 0.0 {
                let away = v / unit[j] - all[j].mean / unit[j];
                all[j].deviation += share * away * away;
            }
        });
    }
    for ((own, unit), weight) in all.iter_mut().zip(unit).zip(weight) {
        let mean = own.mean / unit;
        let zeros: f64 = 1.0 - weight;
        let zeros = if own.nonzero < live { zeros.max(0.0) } else { 0.0 };
        let square = own.deviation + zeros * mean * mean;
        own.deviation = if own.is_constant() { 0.0 } else { unit * square.sqrt() };
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Design, Labels};

    #[test]
    fn summaries_equal_a_hand_computation_dense_and_sparse() {
        // Columns (1, 0, 3, 0), (5, 5, 5, 5), (0, 0, 0, 0); the first row has weight 2, the last
        // weight 0.
        let rows = vec![1.0, 5.0, 0.0, 0.0, 5.0, 0.0, 3.0, 5.0, 0.0, 9.0, 9.0, 9.0];
        let dense = Design::dense(4, 3, rows).unwrap();
        let starts = vec![0, 2, 3, 5, 8];
        let sparse = Design::sparse(
            3,
            starts,
            vec![0, 1, 1, 0, 1, 0, 1, 2],
            vec![1.0, 5.0, 5.0, 3.0, 5.0, 9.0, 9.0, 9.0],
        );
        let labels = Labels::parse(["a", "b", "a", "b"]);
        for x in [dense, sparse.unwrap()] {
            let problem = Problem::new(&x, &labels, Some(vec![2.0, 1.0, 1.0, 0.0])).unwrap();
            let all = summaries(&problem);
            // 1, 1, 0, 3: mean 5/4, variance 11/4 − 25/16 = 19/16.
            assert_eq!((all[0].min, all[0].max, all[0].nonzero), (0.0, 3.0, 2));
            assert!((all[0].mean - 1.25).abs() < 1e-15);
            assert!((all[0].deviation - (19.0_f64 / 16.0).sqrt()).abs() < 1e-15);
            assert!(all[1].is_constant() && all[1].mean == 5.0 && all[1].deviation == 0.0);
            assert!(all[2].is_constant() && all[2].max == 0.0 && all[2].nonzero == 0);
        }
    }

    #[test]
    fn extreme_doubles_and_large_offsets_have_accurate_deviations() {
        let x =
            Design::dense(2, 3, vec![1.7e308, 1e9, 1e-310, -1.7e308, 1e9 + 2.0, 3e-310]).unwrap();
        let labels = Labels::parse(["a", "b"]);
        let all = summaries(&Problem::new(&x, &labels, None).unwrap());
        assert!((all[0].deviation / 1.7e308 - 1.0).abs() < 1e-12);
        assert!((all[1].deviation - 1.0).abs() < 1e-6 && all[1].mean == 1e9 + 1.0);
        assert!(all[2].deviation.is_finite() && !all[2].is_constant());
    }
}
