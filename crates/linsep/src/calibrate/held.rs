//! Scores of rows by planes that have not seen them, fold after fold.
//!
//! The planes differ from fold to fold, and so do the rows; what is put together here is only how scores and classes go
//! together. That is what calibration, thresholds and limits are learned from.

use crate::metric::{Bin, brier, calibration_error, log_loss, reliability};
use crate::model::{Decide, Link};

/// Held-out rows. The lists run side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// How the planes decide.
    pub decide: Decide,
    /// Number of classes.
    pub k: usize,
    /// The fold in which each row was judged.
    pub fold: Vec<u32>,
    /// Its class, as a position in the model's list.
    pub target: Vec<u32>,
    /// Its weight.
    pub weights: Vec<f64>,
    /// Its scores, row after row, one per plane.
    pub scores: Vec<f64>,
}

impl Held {
    /// No row yet.
    pub fn new(decide: Decide, k: usize) -> Self {
        let (fold, target) = (Vec::new(), Vec::new());
        Self { decide, k, fold, target, weights: Vec::new(), scores: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, fold: u32, target: u32, weight: f64, scores: &[f64]) {
        debug_assert_eq!(scores.len(), self.planes());
        self.fold.push(fold);
        self.target.push(target);
        self.weights.push(weight);
        self.scores.extend_from_slice(scores);
    }

    /// Scores per row.
    pub fn planes(&self) -> usize {
        self.decide.planes(self.k)
    }

    /// The scores of each row.
    pub fn rows(&self) -> std::slice::ChunksExact<'_, f64> {
        self.scores.chunks_exact(self.planes())
    }

    /// The folds there are, ascending.
    pub fn folds(&self) -> Vec<u32> {
        let mut folds = self.fold.clone();
        folds.sort_unstable();
        folds.dedup();
        folds
    }

    /// The rows of one fold, or those of all others.
    pub fn part(&self, fold: u32, own: bool) -> Self {
        let mut part = Self::new(self.decide, self.k);
        for (i, row) in self.rows().enumerate().filter(|(i, _)| (self.fold[*i] == fold) == own) {
            part.push(self.fold[i], self.target[i], self.weights[i], row);
        }
        part
    }

    /// Of two classes: which rows are of the positive one.
    pub fn positive(&self) -> Vec<bool> {
        self.target.iter().map(|&t| t == 1).collect()
    }
}

/// How good probabilities are.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibrated {
    /// Log-loss.
    pub log_loss: f64,
    /// Brier score.
    pub brier: f64,
    /// Expected calibration error.
    pub error: f64,
    /// Reliability, bin by bin.
    pub bins: Vec<Bin>,
}

/// The probabilities of held-out rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Probabilities {
    /// Of every class, row after row.
    pub all: Vec<f64>,
    /// Of the class that the row is of.
    pub of_target: Vec<f64>,
}

impl Probabilities {
    /// What a link makes of the scores; none where it makes none.
    pub fn of(held: &Held, link: &Link) -> Option<Self> {
        let (mut all, mut of_target) = (Vec::new(), Vec::new());
        let mut row = Vec::new();
        for (scores, &target) in held.rows().zip(&held.target) {
            if !link.probabilities(held.decide, scores, &mut row) {
                return None;
            }
            of_target.push(row[target as usize]);
            all.extend_from_slice(&row);
        }
        Some(Self { all, of_target })
    }

    /// How good they are.
    pub fn judge(&self, k: usize, target: &[u32], weights: &[f64]) -> Calibrated {
        /// Bins of the table of reliability.
        const BINS: usize = 10;
        let bins = reliability(&self.all, k, target, weights, BINS);
        Calibrated {
            log_loss: log_loss(&self.of_target, weights),
            brier: brier(&self.all, k, target, weights),
            error: calibration_error(&bins).unwrap_or(f64::NAN),
            bins,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up() {
        let mut held = Held::new(Decide::ArgMax, 3);
        for i in 0..7_u32 {
            held.push(i % 3, i % 2, 1.0 + f64::from(i), &[f64::from(i), 0.0, -1.0]);
        }
        assert_eq!((held.planes(), held.folds()), (3, vec![0, 1, 2]));
        let (own, rest) = (held.part(1, true), held.part(1, false));
        assert_eq!((own.target.len(), rest.target.len()), (2, 5));
        assert_eq!(own.scores, [1.0, 0.0, -1.0, 4.0, 0.0, -1.0]);
        assert!(Probabilities::of(&held, &Link::None).is_none());
        let p = Probabilities::of(&held, &Link::Softmax).unwrap();
        assert_eq!((p.all.len(), p.of_target.len()), (21, 7));
    }
}
