//! Confusion matrix, and the metrics of each class:
//!
//! ```text
//!   precision = correct / predicted,   recall = correct / actual,   F1 = 2 correct / (predicted +
//!   actual)
//! ```
//!
//! and the Matthews correlation coefficient of actual and predicted classes, for k classes. With c
//! the correct weight, S the total weight, tⱼ and pⱼ the actual and predicted weight of class j,
//!
//! ```text
//!   MCC = (c S − Σ tⱼ pⱼ) / √((S² − Σ pⱼ²)(S² − Σ tⱼ²)).
//! ```
//!
//! A ratio with a zero denominator is undefined (`None`), not 0.

use super::{Metric, Of};
use crate::float;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Balanced accuracy.
pub(super) const BALANCED_ACCURACY: Metric = Metric {
    name: "balanced-accuracy",
    title: "balanced accuracy",
    summary: Some(("balanced", Some("balanced accuracy"))),
    is_share: true,
    larger_is_better: true,
    has_interval: false,
    compared: Some(1),
    of: Of::Confusion(Confusion::balanced_accuracy),
};

/// Matthews correlation coefficient.
pub(super) const CORRELATION: Metric = Metric {
    name: "correlation",
    title: "Matthews correlation",
    summary: None,
    is_share: false,
    larger_is_better: true,
    has_interval: false,
    compared: None,
    of: Of::Confusion(Confusion::correlation),
};

/// Confusion matrix: weight of the rows of class t with prediction p, for all t and p. Only
/// the nonzero cells are stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Sparse", into = "Sparse")]
pub struct Confusion {
    k: usize,
    cells: BTreeMap<(u32, u32), f64>,
}

/// The cells above 0, by true and predicted class.
#[derive(Serialize, Deserialize)]
struct Sparse {
    k: usize,
    #[serde(with = "float::named")]
    cells: Vec<((u32, u32), f64)>,
}

impl From<Confusion> for Sparse {
    fn from(Confusion { k, cells }: Confusion) -> Self {
        Self { k, cells: cells.into_iter().collect() }
    }
}

impl TryFrom<Sparse> for Confusion {
    type Error = String;

    fn try_from(Sparse { k, cells }: Sparse) -> Result<Self, String> {
        let mut confusion = Self::none(k);
        for ((t, p), s) in cells {
            if t.max(p) as usize >= k {
                return Err(format!("expected classes below {k}, found {}", t.max(p)));
            }
            confusion.add(t, p, s);
        }
        Ok(confusion)
    }
}

/// Sums of the cells per class.
struct Sums {
    truth: Vec<f64>,
    predicted: Vec<f64>,
    right: Vec<f64>,
}

/// Metrics of one class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassScore {
    /// Share of the rows of this class among those predicted as it.
    pub precision: Option<f64>,
    /// Share of the rows of this class that are predicted as it.
    pub recall: Option<f64>,
    /// Harmonic mean of precision and recall.
    pub f1: Option<f64>,
    /// Total weight of the rows of this class.
    pub support: f64,
}

impl Confusion {
    /// Builds the matrix of rows of k classes.
    ///
    /// # Panics
    ///
    /// If a class is k or above.
    pub fn new(k: usize, target: &[u32], predicted: &[u32], weights: &[f64]) -> Self {
        let mut confusion = Self::none(k);
        let rows = target.iter().zip(predicted).zip(weights);
        rows.for_each(|((t, p), s)| confusion.add(*t, *p, *s));
        confusion
    }

    /// Matrix of k classes without rows.
    pub fn none(k: usize) -> Self {
        Self { k, cells: BTreeMap::new() }
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// If a class is k or above.
    pub fn add(&mut self, target: u32, predicted: u32, weight: f64) {
        assert!((target.max(predicted) as usize) < self.k, "classes are below k");
        if weight != 0.0 {
            *self.cells.entry((target, predicted)).or_default() += weight;
        }
    }

    /// Rows of the matrix, one per true class.
    pub fn rows(&self) -> impl Iterator<Item = Vec<f64>> {
        (0..self.k).map(|t| {
            let mut row = vec![0.0; self.k];
            let there = self.cells.range((t as u32, 0)..=(t as u32, u32::MAX));
            there.for_each(|((_, p), s)| row[*p as usize] = *s);
            row
        })
    }

    fn sums(&self) -> Sums {
        let none = || vec![0.0; self.k];
        let mut sums = Sums { truth: none(), predicted: none(), right: none() };
        for (&(t, p), s) in &self.cells {
            sums.truth[t as usize] += s;
            sums.predicted[p as usize] += s;
            if t == p {
                sums.right[t as usize] = *s;
            }
        }
        sums
    }

    /// Balanced accuracy: mean recall over the classes that have rows.
    pub fn balanced_accuracy(&self) -> Option<f64> {
        let recalls: Vec<f64> = self.scores().iter().filter_map(|score| score.recall).collect();
        (!recalls.is_empty()).then(|| recalls.iter().sum::<f64>() / recalls.len() as f64)
    }

    /// Matthews correlation coefficient, from −1 to 1; `None` if only one class occurs or is
    /// predicted.
    pub fn correlation(&self) -> Option<f64> {
        let Sums { truth, predicted, right } = self.sums();
        let (right, total) = (right.iter().sum::<f64>(), truth.iter().sum::<f64>());
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let spread = |all: &[f64]| total * total - dot(all, all);
        let below = spread(&predicted) * spread(&truth);
        (below > 0.0).then(|| (right * total - dot(&truth, &predicted)) / below.sqrt())
    }

    /// Precision, recall and F1 of each class.
    pub fn scores(&self) -> Vec<ClassScore> {
        let sums = self.sums();
        let share = |part: f64, whole: f64| (whole > 0.0).then(|| part / whole);
        let one = |c: usize| {
            let (right, predicted, support) = (sums.right[c], sums.predicted[c], sums.truth[c]);
            ClassScore {
                precision: share(right, predicted),
                recall: share(right, support),
                f1: share(2.0 * right, predicted + support),
                support,
            }
        };
        (0..self.k).map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_confusion_matrix_equals_a_hand_computation() {
        let confusion = Confusion::new(3, &[0, 0, 1, 1, 1], &[0, 1, 1, 1, 0], &[1.0; 5]);
        let rows: Vec<Vec<f64>> = confusion.rows().collect();
        assert_eq!(rows, [[1.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 0.0]]);
        let scores = confusion.scores();
        assert_eq!(scores[1].precision, Some(2.0 / 3.0));
        assert_eq!(scores[0].recall, Some(0.5));
        assert_eq!(scores[0].f1, Some(0.5));
        assert_eq!(confusion.balanced_accuracy(), Some(f64::midpoint(0.5, 2.0 / 3.0)));
        // c = 3, S = 5, t = (2, 3, 0), p = (2, 3, 0): (15 − 13)/(25 − 13).
        assert!((confusion.correlation().unwrap() - 2.0 / 12.0).abs() < 1e-15);
        assert_eq!(Confusion::new(2, &[0, 1], &[1, 1], &[1.0; 2]).correlation(), None);
        let nothing = ClassScore { precision: None, recall: None, f1: None, support: 0.0 };
        assert_eq!(scores[2], nothing);
    }

    #[test]
    fn only_nonzero_cells_are_stored_and_more_classes_change_no_metric() {
        let (target, predicted) = ([0, 7, 7, 9, 1], [0, 7, 9, 7, 2]);
        let of = |k| Confusion::new(k, &target, &predicted, &[1.0, 2.0, 0.5, 0.25, 0.0]);
        let (few, many) = (of(10), of(2049));
        assert_eq!(many.cells.len(), 4);
        assert_eq!(few.correlation(), many.correlation());
        assert_eq!(few.balanced_accuracy(), many.balanced_accuracy());
        assert_eq!(few.scores()[..], many.scores()[..10]);
        let row = many.rows().nth(7).unwrap();
        assert_eq!((row.len(), row[7], row[9]), (2049, 2.0, 0.5));
    }
}
