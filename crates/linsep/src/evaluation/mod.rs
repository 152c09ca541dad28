//! Streaming evaluation of predictions against known classes: rows are accumulated, not stored.
//!
//! Sums are taken row by row, in the order of the data. Metrics of the ranking (AUC and curves)
//! need the scores of all rows, which are written to disk if they exceed the memory limit
//! ([`Spill`]). The results depend neither on that nor on the partition of the rows into batches.

mod ranks;

pub use ranks::{ClassRanking, Spill};

use crate::error::Error;
use crate::labels::field;
use crate::scoring::Batch;
use linsep_core::control::literal;
use linsep_core::metric::{
    ALL, Bin, Confusion, Measure, Measured, PrPoint, RocPoint, Row, largest_share,
    ranked_average_precision, ranked_precision_recall, ranked_roc, share_interval, value_of,
};
use linsep_core::model::Decision;
use linsep_core::model::Model;
use linsep_core::{Label, float};
use ranks::Ranks;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Code of a class that the model does not have.
const UNKNOWN: u32 = u32::MAX;

/// Maximum number of unknown classes with separate counts.
const LISTED: usize = 10_000;

/// Performance of a model with a reject option.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RejectOptionMetrics {
    /// Coverage: weighted share of the rows with a prediction.
    #[serde(with = "float")]
    pub coverage: f64,
    /// Error rate among the rows with a prediction.
    #[serde(with = "float")]
    pub error: Option<f64>,
    /// 95 % confidence interval of the error rate.
    #[serde(with = "float")]
    pub error_interval: Option<(f64, f64)>,
}

/// Performance of a model on rows with known classes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Evaluation {
    /// The classes of the model.
    pub classes: Vec<Label>,
    /// Number of rows read.
    pub rows: usize,
    /// Number of rows with scores, and of those among them whose class the model has.
    pub scored: (u64, u64),
    /// Sample weight of the scored rows.
    #[serde(with = "float")]
    pub weight: f64,
    /// Every metric, in the order of [`linsep_core::metric::ALL`]. Rows of unknown classes count as
    /// misclassified, and their class has probability 0.
    pub metrics: Vec<Measured>,
    /// Confusion matrix of the classes of the model.
    pub confusion: Confusion,
    /// Decision threshold of two classes.
    #[serde(with = "float")]
    pub threshold: f64,
    /// The reliability table, if the model has probabilities.
    pub bins: Option<Vec<Bin>>,
    /// Number of classes with a ranking of their own: 1 of two classes, else all, or none if
    /// classes have no scores of their own.
    pub ranked: usize,
    /// Performance with the reject option; `None` without one.
    pub reject_option: Option<RejectOptionMetrics>,
    /// Rows of the first unknown classes, by class.
    pub unknown: Vec<(Label, u64)>,
    /// Number of rows of further unknown classes.
    pub unlisted: u64,
    /// Number of rows without scores, because of missing values.
    pub unscored: u64,
    /// Number of rows in ambiguous regions, where the scores decide; `None` if the scheme has none.
    pub ambiguous: Option<usize>,
    /// Indices of the worst misclassified rows, by descending confidence of the model.
    pub worst: Vec<usize>,
}

/// Points of the curves of two classes, over all thresholds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curves {
    /// ROC curve; `None` without rows of both classes.
    pub roc: Option<Vec<RocPoint>>,
    /// Precision-recall curve; `None` without rows of the positive class.
    pub precision_recall: Option<Vec<PrPoint>>,
    /// Average precision.
    pub average_precision: Option<f64>,
}

/// The scores of the evaluated rows, ranked: the basis of all curves.
pub struct Rankings {
    classes: Vec<Label>,
    hyperplanes: usize,
    ranks: Option<Ranks>,
}

/// Accumulator of an evaluation.
pub(crate) struct Evaluator<'a> {
    model: &'a Model,
    place: BTreeMap<Label, u32>,
    file_weights: Option<Vec<f64>>,
    /// Maximum number of worst misclassified rows to keep.
    most: usize,
    worst: Vec<((f64, f64), usize)>,
    ranks: Option<Ranks>,
    measure: Measure,
    rows_read: usize,
    scored: (u64, u64),
    weight: f64,
    covered: f64,
    wrong: f64,
    unknown: BTreeMap<Label, u64>,
    unlisted: u64,
    unscored: u64,
    ambiguous: usize,
    probabilities: Vec<f64>,
}

impl<'a> Evaluator<'a> {
    /// Returns an empty accumulator that keeps the `most` worst misclassified rows.
    pub(crate) fn new(
        model: &'a Model,
        file_weights: Option<Vec<f64>>,
        most: usize,
        spill: Spill,
    ) -> Self {
        let place = model.classes().iter().cloned().zip(0..).collect();
        // Pairwise schemes have k(k − 1)/2 scores per row, none of which belongs to a class.
        let own_scores = !model.decision_rule().has_ambiguous_regions();
        let ranks = own_scores.then(|| Ranks::new(model.width(), spill));
        Self {
            model,
            place,
            file_weights,
            most,
            worst: Vec::new(),
            ranks,
            measure: Measure::new(model.k(), &ALL),
            rows_read: 0,
            scored: (0, 0),
            weight: 0.0,
            covered: 0.0,
            wrong: 0.0,
            unknown: BTreeMap::new(),
            unlisted: 0,
            unscored: 0,
            ambiguous: 0,
            probabilities: Vec::new(),
        }
    }

    /// Adds a batch, which must have classes.
    pub(crate) fn add(&mut self, batch: &Batch) -> Result<(), Error> {
        let Some(labels) = &batch.labels else { return Ok(()) };
        let place = |label: &Label| self.place.get(label).copied().unwrap_or(UNKNOWN);
        let class_of: Vec<u32> = labels.levels.iter().map(place).collect();
        let mut rows = batch.scores.chunks_exact(self.model.width());
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
        self.scored.0 += 1;
        self.scored.1 += u64::from(target != UNKNOWN);
        self.ambiguous += usize::from(ambiguous);
        self.weight += weight;
        if !abstained {
            self.covered += weight;
            self.wrong += if right { 0.0 } else { weight };
        }

        // 2. Metrics and ranking.
        let mut p = std::mem::take(&mut self.probabilities);
        let likely = self.ranks.is_some() && self.model.probabilities(scores, &mut p);
        let probabilities = likely.then_some(&p[..]);
        self.measure.add(&Row { target, predicted: class, weight, probabilities });
        if let Some(ranks) = &mut self.ranks {
            // The same order as in `Model::ranks`.
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
    pub(crate) fn finish(mut self) -> Result<(Evaluation, Rankings), Error> {
        self.keep_worst();
        if let Some(ranks) = &mut self.ranks {
            ranks.finish()?;
        }
        let (model, classes) = (self.model, self.model.classes().to_vec());
        let hyperplanes = model.hyperplanes().len();
        let rankings = Rankings { classes: classes.clone(), hyperplanes, ranks: self.ranks };
        let sides: Vec<ClassRanking<'_>> = rankings.sides().map(|(_, side)| side).collect();
        let ranked = sides.len();
        let measures = self.measure.finish(&sides)?;
        let error = (self.covered > 0.0).then(|| self.wrong / self.covered);
        let reject_option = RejectOptionMetrics {
            coverage: self.covered / self.weight,
            error,
            error_interval: error.and_then(|error| share_interval(error, self.covered)),
        };
        let evaluation = Evaluation {
            classes,
            rows: self.rows_read,
            scored: self.scored,
            weight: self.weight,
            metrics: measures.metrics,
            confusion: measures.confusion,
            threshold: model.operating_point().threshold,
            bins: measures.bins,
            ranked,
            reject_option: model.operating_point().abstain.is_some().then_some(reject_option),
            unknown: self.unknown.into_iter().collect(),
            unlisted: self.unlisted,
            unscored: self.unscored,
            ambiguous: model.decision_rule().has_ambiguous_regions().then_some(self.ambiguous),
            worst: self.worst.into_iter().map(|(_, at)| at).collect(),
        };
        Ok((evaluation, rankings))
    }
}

impl Evaluation {
    /// Returns the value of a metric, if it is defined.
    pub fn value(&self, metric: &str) -> Option<f64> {
        value_of(&self.metrics, metric)
    }

    /// Returns the weighted accuracy on the scored rows; NaN without weight.
    pub fn accuracy(&self) -> f64 {
        self.value("accuracy").unwrap_or(f64::NAN)
    }

    /// Describes the probabilities of the reliability table.
    pub(crate) fn probability_meaning(&self) -> String {
        match &self.classes[..] {
            [_, positive] => format!("probability of {positive}"),
            _ => "largest class probability".to_owned(),
        }
    }

    /// Returns the largest class of the evaluated rows, and its share.
    pub fn majority(&self) -> Option<(&Label, f64)> {
        let by_class: Vec<f64> =
            self.confusion.scores().iter().map(|class| class.support).collect();
        let (class, share) = largest_share(&by_class, self.weight)?;
        Some((&self.classes[class], share))
    }

    /// Refuses rows that share no class with the model.
    pub(crate) fn require_known_classes(&self, data: &str) -> Result<(), Error> {
        if self.scored.0 == 0 || self.scored.1 > 0 {
            return Ok(());
        }
        let known: Vec<String> = self.classes.iter().map(ToString::to_string).collect();
        let found: Vec<String> = self.unknown.iter().map(|(label, _)| label.to_string()).collect();
        Err(Error::Refused(format!(
            "{}: expected classes of the model ({}), found other classes ({}). Rename the classes \
             with {}, or name the target column with `target`.",
            literal(data),
            literal(&known.join(", ")),
            literal(&found.join(", ")),
            renaming(&known, &found)
        )))
    }
}

impl Rankings {
    /// Returns the ranking of each class against the rest, by its probability or else its score;
    /// for two classes only the positive one. Empty if classes have no scores of their own.
    pub fn sides(&self) -> impl Iterator<Item = (&Label, ClassRanking<'_>)> {
        let hyperplanes = self.hyperplanes;
        self.ranks.iter().flat_map(move |ranks| {
            (0..hyperplanes).map(move |hyperplane| {
                let class = if hyperplanes == 1 { 1 } else { hyperplane };
                (&self.classes[class], ClassRanking { ranks, hyperplane, class: class as u32 })
            })
        })
    }

    /// Returns the ranking of the positive class, for two classes.
    pub fn positive(&self) -> Option<(&Label, ClassRanking<'_>)> {
        if self.hyperplanes == 1 { self.sides().next() } else { None }
    }

    /// Returns the curves, for two classes.
    pub fn curves(&self) -> Result<Option<Curves>, Error> {
        let Some((_, side)) = self.positive() else { return Ok(None) };
        let (mut roc, mut precision_recall) = (Vec::new(), Vec::new());
        let has_roc = ranked_roc(&side, &mut |point| roc.push(point))?;
        let has_positive = ranked_precision_recall(&side, &mut |p| precision_recall.push(p))?;
        Ok(Some(Curves {
            roc: has_roc.then_some(roc),
            precision_recall: has_positive.then_some(precision_recall),
            average_precision: ranked_average_precision(&side)?,
        }))
    }
}

/// Suggests to rename each class to the longest known class that its name contains.
fn renaming(known: &[String], found: &[String]) -> String {
    let setting =
        |from: &str, to: &str| format!("`label-map={}`", literal(&field(&format!("{from}={to}"))));
    let guess = |f: &String| {
        let within = known.iter().filter(|k| f.contains(*k)).max_by_key(|k| k.len())?;
        Some(setting(f, within))
    };
    let mut pairs: Vec<String> = found.iter().filter_map(guess).take(known.len()).collect();
    if let ([], [from, ..], [to, ..]) = (&pairs[..], found, known) {
        pairs.push(setting(from, to));
    }
    pairs.join(" ")
}

#[cfg(test)]
mod tests;
