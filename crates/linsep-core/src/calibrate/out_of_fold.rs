//! Out-of-fold scores: of rows by hyperplanes fitted without them.
//!
//! Hyperplanes and rows differ between folds; only the relation of scores to classes is pooled.
//! Calibration, thresholds and abstention limits are fitted to it.

use crate::metric::{Bin, brier, calibration_error, log_loss, reliability};
use crate::model::{DecisionRule, Link};

/// Out-of-fold rows, as parallel lists.
#[derive(Clone, Debug, PartialEq)]
pub struct OutOfFoldScores {
    /// Decision rule of the hyperplanes.
    pub decide: DecisionRule,
    /// Number of classes.
    pub k: usize,
    /// Test fold of each row.
    pub fold: Vec<u32>,
    /// Class of each row, as a position in the model's list.
    pub target: Vec<u32>,
    /// Sample weights.
    pub weights: Vec<f64>,
    /// Scores in row-major order, one per hyperplane.
    pub scores: Vec<f64>,
}

impl OutOfFoldScores {
    /// Empty lists.
    pub fn new(decide: DecisionRule, k: usize) -> Self {
        let (fold, target) = (Vec::new(), Vec::new());
        Self { decide, k, fold, target, weights: Vec::new(), scores: Vec::new() }
    }

    /// Adds a row.
    pub fn push(&mut self, fold: u32, target: u32, weight: f64, scores: &[f64]) {
        debug_assert_eq!(scores.len(), self.hyperplanes());
        self.fold.push(fold);
        self.target.push(target);
        self.weights.push(weight);
        self.scores.extend_from_slice(scores);
    }

    /// Number of scores per row.
    pub fn hyperplanes(&self) -> usize {
        self.decide.hyperplanes(self.k)
    }

    /// Scores of each row.
    pub fn rows(&self) -> std::slice::ChunksExact<'_, f64> {
        self.scores.chunks_exact(self.hyperplanes())
    }

    /// Numbers of all folds, ascending.
    pub fn folds(&self) -> Vec<u32> {
        let mut folds = self.fold.clone();
        folds.sort_unstable();
        folds.dedup();
        folds
    }

    /// Rows of one fold, or of all others.
    pub fn part(&self, fold: u32, own: bool) -> Self {
        let mut part = Self::new(self.decide, self.k);
        for (i, row) in self.rows().enumerate().filter(|(i, _)| (self.fold[*i] == fold) == own) {
            part.push(self.fold[i], self.target[i], self.weights[i], row);
        }
        part
    }

    /// For two classes: whether each row is of the positive class.
    pub fn positive(&self) -> Vec<bool> {
        self.target.iter().map(|&t| t == 1).collect()
    }
}

/// Quality of probabilities.
#[derive(Clone, Debug, PartialEq)]
pub struct CalibrationMetrics {
    /// Log-loss.
    pub log_loss: f64,
    /// Brier score.
    pub brier: f64,
    /// Expected calibration error.
    pub error: f64,
    /// Reliability diagram, by bins.
    pub bins: Vec<Bin>,
}

/// Probabilities of out-of-fold rows.
#[derive(Clone, Debug, PartialEq)]
pub struct Probabilities {
    /// Probabilities of every class, in row-major order.
    pub all: Vec<f64>,
    /// Probability of the true class of each row.
    pub of_target: Vec<f64>,
}

impl Probabilities {
    /// Probabilities by a link; `None` if it gives none.
    pub fn of(held: &OutOfFoldScores, link: &Link) -> Option<Self> {
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

    /// Evaluates the probabilities.
    pub fn evaluate(&self, k: usize, target: &[u32], weights: &[f64]) -> CalibrationMetrics {
        /// Number of bins of the reliability diagram.
        const BINS: usize = 10;
        let bins = reliability(&self.all, k, target, weights, BINS);
        CalibrationMetrics {
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
    fn a_fold_and_its_complement_partition_the_rows() {
        let mut held = OutOfFoldScores::new(DecisionRule::ArgMax, 3);
        for i in 0..7_u32 {
            held.push(i % 3, i % 2, 1.0 + f64::from(i), &[f64::from(i), 0.0, -1.0]);
        }
        assert_eq!((held.hyperplanes(), held.folds()), (3, vec![0, 1, 2]));
        let (own, rest) = (held.part(1, true), held.part(1, false));
        assert_eq!((own.target.len(), rest.target.len()), (2, 5));
        assert_eq!(own.scores, [1.0, 0.0, -1.0, 4.0, 0.0, -1.0]);
        assert!(Probabilities::of(&held, &Link::None).is_none());
        let p = Probabilities::of(&held, &Link::Softmax).unwrap();
        assert_eq!((p.all.len(), p.of_target.len()), (21, 7));
    }
}
