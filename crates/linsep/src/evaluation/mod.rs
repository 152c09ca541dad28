//! Streaming evaluation of predictions against known classes: rows are accumulated, not stored.
//!
//! Sums are taken row by row, in the order of the data. Metrics of the ranking (AUC and curves)
//! need the scores of all rows, which are written to disk if they exceed the memory limit
//! ([`Spill`]). The results depend neither on that nor on the partition of the rows into batches.

mod ranks;

pub use ranks::{ClassRanking, Spill};

use crate::error::Error;
use crate::scoring::Batch;
use linsep_core::metric::{
    Bin, Brier, Confusion, LogLoss, Reliability, largest_share, ranked_auc, ranked_auc_interval,
};
use linsep_core::model::Decision;
use linsep_core::{Label, LinearModel};
use ranks::Ranks;
use std::collections::BTreeMap;

/// Code of a class that the model does not have.
const UNKNOWN: u32 = u32::MAX;

/// Number of bins of the reliability table.
const BINS: usize = 10;

/// Maximum number of unknown classes with separate counts.
const LISTED: usize = 10_000;

/// Metrics of the predicted probabilities.
#[derive(Clone, Debug)]
pub struct ProbabilityMetrics {
    /// Log-loss: minus the mean logarithm of the probability of the true class.
    pub log_loss: f64,
    /// The Brier score.
    pub brier: f64,
    /// The reliability table.
    pub bins: Vec<Bin>,
}

/// Performance of a model with a reject option.
#[derive(Clone, Copy, Debug)]
pub struct RejectOptionMetrics {
    /// Coverage: weighted share of the rows with a prediction.
    pub coverage: f64,
    /// Error rate among the rows with a prediction.
    pub error: Option<f64>,
    /// Sample weight of the rows with a prediction.
    pub weight: f64,
}

/// Accumulator of an evaluation.
pub struct Evaluator<'a> {
    model: &'a LinearModel,
    place: BTreeMap<Label, u32>,
    file_weights: Option<Vec<f64>>,
    /// Maximum number of worst misclassified rows to keep.
    most: usize,
    worst: Vec<((f64, f64), usize)>,
    ranks: Option<Ranks>,
    confusion: Confusion,
    rows_read: usize,
    scored: u64,
    known: u64,
    weight: f64,
    right: f64,
    probability_metrics: Option<(LogLoss, Brier, Reliability)>,
    reject_option: f64,
    wrong: f64,
    unknown: BTreeMap<Label, u64>,
    unlisted: u64,
    unscored: u64,
    ambiguous: usize,
    probabilities: Vec<f64>,
}

/// Metrics of the predictions.
pub struct Evaluation<'a> {
    /// The model.
    pub model: &'a LinearModel,
    /// Number of rows read.
    pub met: usize,
    /// Sample weight of the scored rows.
    pub weight: f64,
    /// Weighted accuracy on the scored rows. Rows of unknown classes count as misclassified.
    pub accuracy: f64,
    /// Confusion matrix of the classes of the model.
    pub confusion: Confusion,
    /// Area under the ROC curve: of two classes, or the mean over classes, each against the rest.
    /// `None` if classes have no scores of their own.
    pub auc: Option<f64>,
    /// 95 % confidence interval of the AUC, for two classes.
    pub auc_interval: Option<(f64, f64)>,
    /// Metrics of the probabilities, if the model has any. An unknown class has probability 0.
    pub likely: Option<ProbabilityMetrics>,
    /// Performance with the reject option; `None` without one.
    pub named: Option<RejectOptionMetrics>,
    /// Rows of the first unknown classes, by class.
    pub unknown: BTreeMap<Label, u64>,
    /// Number of rows of further unknown classes.
    pub unlisted: u64,
    /// Number of rows without scores, because of missing values.
    pub unscored: u64,
    /// Number of rows in ambiguous regions, where the scores decide.
    pub ambiguous: usize,
    all_unknown: bool,
    worst: Vec<usize>,
    ranks: Option<Ranks>,
}

impl<'a> Evaluator<'a> {
    /// Returns an empty accumulator that keeps the `most` worst misclassified rows.
    pub fn new(
        model: &'a LinearModel,
        file_weights: Option<Vec<f64>>,
        most: usize,
        spill: Spill,
    ) -> Self {
        let place = model.classes().iter().cloned().zip(0..).collect();
        // Pairwise schemes have k(k − 1)/2 scores per row, none of which belongs to a class.
        let own_scores = !model.decision_rule().has_ambiguous_regions();
        let ranks = own_scores.then(|| Ranks::new(model.hyperplanes().len(), spill));
        let sums = || (LogLoss::default(), Brier::default(), Reliability::new(BINS));
        Self {
            model,
            place,
            file_weights,
            most,
            worst: Vec::new(),
            ranks,
            confusion: Confusion::none(model.k()),
            rows_read: 0,
            scored: 0,
            known: 0,
            weight: 0.0,
            right: 0.0,
            probability_metrics: own_scores.then(sums),
            reject_option: 0.0,
            wrong: 0.0,
            unknown: BTreeMap::new(),
            unlisted: 0,
            unscored: 0,
            ambiguous: 0,
            probabilities: Vec::new(),
        }
    }

    /// Adds a batch, which must have classes.
    pub fn add(&mut self, batch: &Batch) -> Result<(), Error> {
        let Some(labels) = &batch.labels else { return Ok(()) };
        let place = |label: &Label| self.place.get(label).copied().unwrap_or(UNKNOWN);
        let class_of: Vec<u32> = labels.levels.iter().map(place).collect();
        let mut rows = batch.scores.chunks_exact(self.model.hyperplanes().len());
        for (i, kept) in batch.kept.iter().enumerate() {
            let scores = if *kept { rows.next() } else { None };
            let (Some(scores), Some(label)) = (scores, labels.get(i)) else {
                self.unscored += 1;
                continue;
            };
            let target = class_of[labels.codes[i] as usize];
            if target == UNKNOWN {
                self.count_unknown(label);
            }
            let at = self.rows_read + i;
            let in_file = || self.file_weights.as_ref().and_then(|w| w.get(at).copied());
            let weight = batch.weights.as_ref().map(|w| w[i]).or_else(in_file).unwrap_or(1.0);
            self.row(at, scores, target, weight)?;
        }
        self.rows_read += batch.kept.len();
        Ok(())
    }

    fn count_unknown(&mut self, label: &Label) {
        if let Some(rows) = self.unknown.get_mut(label) {
            *rows += 1;
        } else if self.unknown.len() < LISTED {
            self.unknown.insert(label.clone(), 1);
        } else {
            self.unlisted += 1;
        }
    }

    fn row(&mut self, at: usize, scores: &[f64], target: u32, weight: f64) -> Result<(), Error> {
        // 1. The prediction.
        let Decision { class, ambiguous, abstained } = self.model.decision(scores);
        let right = target == class;
        self.scored += 1;
        self.ambiguous += usize::from(ambiguous);
        self.weight += weight;
        self.right += if right { weight } else { 0.0 };
        if target != UNKNOWN {
            self.known += 1;
            self.confusion.add(target, class, weight);
        }
        if !abstained {
            self.reject_option += weight;
            self.wrong += if right { 0.0 } else { weight };
        }

        // 2. Probabilities and ranking.
        let mut p = std::mem::take(&mut self.probabilities);
        let likely = self.ranks.is_some() && self.model.probabilities(scores, &mut p);
        match &mut self.probability_metrics {
            Some((log_loss, brier, reliability)) if likely => {
                log_loss.add(p.get(target as usize).copied().unwrap_or(0.0), weight);
                brier.add(&p, target, weight);
                reliability.add(&p, target, weight);
            }
            likely => *likely = None,
        }
        if let Some(ranks) = &mut self.ranks {
            // The same order as in `LinearModel::ranks`.
            let by = if scores.len() > 1 && likely { &p[..] } else { scores };
            ranks.add(by, target, weight)?;
        }

        // 3. The worst misclassified rows.
        if !right && self.most > 0 {
            let sure = if likely { p[class as usize] } else { 0.0 };
            let lead = match (scores.get(class as usize), scores.get(target as usize)) {
                _ if self.ranks.is_none() => 0.0,
                _ if scores.len() == 1 => {
                    (scores[0] - self.model.operating_point().threshold).abs()
                }
                (Some(won), Some(lost)) => won - lost,
                _ => 0.0,
            };
            self.worst.push(((sure, lead), at));
            if self.worst.len() >= 2 * self.most + 64 {
                self.keep_worst();
            }
        }
        self.probabilities = p;
        Ok(())
    }

    /// Sorts by descending confidence of the model, ties by descending margin between predicted and
    /// true class, and keeps the first.
    fn keep_worst(&mut self) {
        self.worst.sort_by(|(a, at), (b, other)| {
            b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then(at.cmp(other))
        });
        self.worst.truncate(self.most);
    }

    /// Finishes the evaluation after the last row.
    pub fn finish(mut self) -> Result<Evaluation<'a>, Error> {
        self.keep_worst();
        if let Some(ranks) = &mut self.ranks {
            ranks.finish()?;
        }
        let likely = self.probability_metrics.filter(|_| self.scored > 0);
        let coverage = self.reject_option / self.weight;
        let error = (self.reject_option > 0.0).then(|| self.wrong / self.reject_option);
        let named = RejectOptionMetrics { coverage, error, weight: self.reject_option };
        let mut evaluation = Evaluation {
            model: self.model,
            met: self.rows_read,
            weight: self.weight,
            accuracy: self.right / self.weight,
            confusion: self.confusion,
            auc: None,
            auc_interval: None,
            likely: likely.map(|(log_loss, brier, reliability)| ProbabilityMetrics {
                log_loss: log_loss.value(),
                brier: brier.value(),
                bins: reliability.bins(),
            }),
            named: self.model.operating_point().abstain.is_some().then_some(named),
            unknown: self.unknown,
            unlisted: self.unlisted,
            unscored: self.unscored,
            ambiguous: self.ambiguous,
            all_unknown: self.scored > 0 && self.known == 0,
            worst: self.worst.into_iter().map(|(_, at)| at).collect(),
            ranks: self.ranks,
        };
        evaluation.auc = evaluation.area()?;
        if let Some((_, side)) = evaluation.positive() {
            evaluation.auc_interval = ranked_auc_interval(&side)?;
        }
        Ok(evaluation)
    }
}

impl Evaluation<'_> {
    fn area(&self) -> Result<Option<f64>, Error> {
        let (mut sum, mut classes) = (0.0, 0);
        for (_, side) in self.sides() {
            if let Some(area) = ranked_auc(&side)? {
                sum += area;
                classes += 1;
            }
        }
        Ok((classes > 0).then(|| sum / f64::from(classes)))
    }

    /// Returns the ranking of each class against the rest, by its probability or else its score;
    /// for two classes only the positive one. Empty if classes have no scores of their own.
    pub fn sides(&self) -> impl Iterator<Item = (&Label, ClassRanking<'_>)> {
        let hyperplanes = self.model.hyperplanes().len();
        self.ranks.iter().flat_map(move |ranks| {
            (0..hyperplanes).map(move |hyperplane| {
                let class = if hyperplanes == 1 { 1 } else { hyperplane };
                (
                    &self.model.classes()[class],
                    ClassRanking { ranks, hyperplane, class: class as u32 },
                )
            })
        })
    }

    /// Returns the ranking of the positive class, for two classes.
    pub fn positive(&self) -> Option<(&Label, ClassRanking<'_>)> {
        if self.model.hyperplanes().len() == 1 { self.sides().next() } else { None }
    }

    /// Returns the classes of the model.
    pub fn classes(&self) -> &[Label] {
        self.model.classes()
    }

    /// Returns the largest class of the evaluated rows, and its share.
    pub fn majority(&self) -> Option<(usize, f64)> {
        let by_class: Vec<f64> =
            self.confusion.scores().iter().map(|class| class.support).collect();
        largest_share(&by_class, self.weight)
    }

    /// Returns the classes of the rows, if there are rows but none of a known class.
    pub fn all_unknown(&self) -> Option<Vec<String>> {
        self.all_unknown.then(|| self.unknown.keys().map(ToString::to_string).collect())
    }

    /// Returns the reliability table, if the model has probabilities.
    pub fn bins(&self) -> Option<&[Bin]> {
        self.likely.as_ref().map(|likely| &likely.bins[..])
    }

    /// Returns the meaning of the probabilities in the reliability table.
    pub fn probability_meaning(&self) -> String {
        match self.classes() {
            [_, positive] => format!("probability of {positive}"),
            _ => "largest class probability".to_owned(),
        }
    }

    /// Returns the indices of the worst misclassified rows, by descending confidence of the model.
    pub fn worst(&self) -> &[usize] {
        &self.worst
    }
}

#[cfg(test)]
mod tests;
