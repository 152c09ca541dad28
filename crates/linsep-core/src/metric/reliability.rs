//! Reliability: observed frequencies of rows, compared with their predicted probabilities.
//!
//! Probabilities are divided into bins of equal width, [0, 1/m], (1/m, 2/m], …. A bin has the mean
//! predicted probability of its rows and their observed frequency. The **expected calibration
//! error** is the mean absolute difference of the two, weighted by the bins' weights:
//!
//! ```text
//!   ECE = Σ_b (S_b/S) |mean predicted probability of b − observed frequency of b|
//! ```
//!
//! With two classes p is the probability of the positive one. With more it is that of the most
//! probable class, and the outcome is observed if that is the true class.

use super::{Metric, Of};
use crate::float;
use serde::{Deserialize, Serialize};

/// The metric: the expected calibration error.
pub(super) const METRIC: Metric = Metric {
    name: "calibration-error",
    title: "expected calibration error",
    summary: Some(("ECE", Some("expected calibration error"))),
    is_share: false,
    larger_is_better: false,
    has_interval: false,
    compared: None,
    of: Of::Bins(calibration_error),
};

/// Bin of a reliability diagram.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// Total weight of its rows.
    #[serde(with = "float")]
    pub weight: f64,
    /// Mean predicted probability.
    #[serde(with = "float")]
    pub probability: f64,
    /// Observed frequency, weighted.
    #[serde(with = "float")]
    pub observed: f64,
}

/// Bins with rows, by increasing probability. `probabilities` has k values per row; with k = 2 the
/// second class is the positive one.
pub fn reliability(
    probabilities: &[f64],
    k: usize,
    target: &[u32],
    weights: &[f64],
    bins: usize,
) -> Vec<Bin> {
    let mut sums = Reliability::new(bins);
    let rows = probabilities.chunks_exact(k).zip(target).zip(weights);
    rows.for_each(|((p, t), s)| sums.add(p, *t, *s));
    sums.bins()
}

/// Accumulator of a reliability diagram, row by row.
#[derive(Clone, Debug)]
pub struct Reliability {
    /// Per bin: weight, and the weighted sums of probabilities and of outcomes.
    sums: Vec<(f64, f64, f64)>,
}

impl Reliability {
    /// Creates a diagram of `bins` empty bins.
    pub fn new(bins: usize) -> Self {
        Self { sums: vec![(0.0, 0.0, 0.0); bins.max(1)] }
    }

    /// Adds a row with the probabilities of all classes.
    pub fn add(&mut self, p: &[f64], target: u32, s: f64) {
        let m = self.sums.len();
        let class = if p.len() == 2 { 1 } else { most_likely(p) };
        let (p, happened) = (p[class], target as usize == class);
        // Inner edges below p: an edge belongs to the bin on its left.
        let bin = (1..m).rev().find(|&b| (b as f64 / m as f64) < p).unwrap_or(0);
        let (weight, mean, share) = &mut self.sums[bin];
        *weight += s;
        *mean += s * p;
        *share += if happened { s } else { 0.0 };
    }

    /// Bins with rows so far.
    pub fn bins(&self) -> Vec<Bin> {
        let there = self.sums.iter().filter(|(weight, ..)| *weight > 0.0);
        let bin = |&(weight, mean, share): &(f64, f64, f64)| Bin {
            weight,
            probability: mean / weight,
            observed: share / weight,
        };
        there.map(bin).collect()
    }
}

/// Expected calibration error of these bins; `None` without weight.
pub fn calibration_error(bins: &[Bin]) -> Option<f64> {
    let total: f64 = bins.iter().map(|bin| bin.weight).sum();
    let miss = |bin: &Bin| bin.weight * (bin.probability - bin.observed).abs();
    (total > 0.0).then(|| bins.iter().map(miss).sum::<f64>() / total)
}

/// Position of the largest value; among equals the first.
fn most_likely(p: &[f64]) -> usize {
    (0..p.len()).reduce(|best, c| if p[c] > p[best] { c } else { best }).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reliability_diagram_equals_a_hand_computation() {
        // Positive probabilities 0.1 (−), 0.5 (+; an edge belongs to the left bin), 0.9 (+, weight
        // 2).
        let p = [0.9, 0.1, 0.5, 0.5, 0.1, 0.9];
        let bins = reliability(&p, 2, &[0, 1, 1], &[1.0, 1.0, 2.0], 2);
        assert_eq!(bins.len(), 2);
        assert_eq!((bins[0].weight, bins[0].observed), (2.0, 0.5));
        assert!((bins[0].probability - 0.3).abs() < 1e-15);
        let error = calibration_error(&bins).unwrap();
        assert!((error - (0.5 * 0.2 + 0.5 * 0.1)).abs() < 1e-15, "{error}");
        assert_eq!(calibration_error(&[]), None);
    }

    #[test]
    fn with_many_classes_the_most_probable_class_counts() {
        let p = [0.2, 0.5, 0.3, 0.7, 0.2, 0.1];
        let bins = reliability(&p, 3, &[1, 2], &[1.0; 2], 1);
        assert_eq!(bins[0].observed, 0.5);
        assert!((bins[0].probability - 0.6).abs() < 1e-15);
    }
}
