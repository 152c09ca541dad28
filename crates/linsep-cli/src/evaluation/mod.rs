//! Predictions against known classes, counted up batch by batch; `show` puts them into words.

mod show;

use crate::text::below_majority;
use linsep::metric::{
    Bin, Confusion, accuracy, auc, auc_interval, brier, log_loss, majority, reliability,
};
use linsep::model::Verdict;
use linsep::{Label, LinearModel};
use linsep_io::Batch;
use std::collections::BTreeMap;

/// A class the model does not know.
const UNKNOWN: u32 = u32::MAX;

/// Bins of the table of reliability.
const BINS: usize = 10;

/// What probabilities are worth.
struct Likely {
    log_loss: f64,
    brier: f64,
    bins: Vec<Bin>,
}

/// A class against the rest.
pub struct Side<'a> {
    pub class: String,
    /// Whether each row is of the class.
    pub positive: Vec<bool>,
    /// How much speaks for it.
    pub scores: Vec<f64>,
    pub weights: &'a [f64],
    /// From where on the model says so, where that is a score.
    pub threshold: Option<f64>,
}

impl Side<'_> {
    /// The share of rows that are of the class.
    pub fn share(&self) -> f64 {
        let of = self.positive.iter().zip(self.weights).filter(|(is, _)| **is).map(|(_, s)| s);
        of.sum::<f64>() / self.weights.iter().sum::<f64>().max(f64::MIN_POSITIVE)
    }
}

/// Rows with what they are and what they were predicted as. Rows of classes the model does not know
/// count as wrong, and are listed.
pub struct Evaluation<'a> {
    model: &'a LinearModel,
    target: Vec<u32>,
    predicted: Vec<u32>,
    scores: Vec<f64>,
    weights: Vec<f64>,
    unknown: BTreeMap<Label, u64>,
    /// The number of each row in the data, counted from 0.
    places: Vec<usize>,
    /// Rows that could not be scored, because they miss a value.
    unscored: u64,
    /// Rows that no class wins; the scores decide there.
    ambiguous: usize,
    /// Rows that the model names no class for.
    abstained: Vec<bool>,
    /// Rows met so far, and the weight of each, where weights come from a file.
    met: usize,
    file_weights: Option<Vec<f64>>,
}

impl<'a> Evaluation<'a> {
    pub fn new(model: &'a LinearModel, file_weights: Option<Vec<f64>>) -> Self {
        Self {
            model,
            target: Vec::new(),
            predicted: Vec::new(),
            scores: Vec::new(),
            weights: Vec::new(),
            unknown: BTreeMap::new(),
            places: Vec::new(),
            unscored: 0,
            ambiguous: 0,
            abstained: Vec::new(),
            met: 0,
            file_weights,
        }
    }

    /// Counts a batch, which must have classes.
    pub fn add(&mut self, batch: &Batch) {
        let Some(labels) = &batch.labels else { return };
        let place = |label: &Label| self.model.classes().iter().position(|class| class == label);
        let class_of: Vec<u32> =
            labels.levels.iter().map(|l| place(l).map_or(UNKNOWN, |at| at as u32)).collect();
        let mut rows = batch.scores.chunks_exact(self.model.planes().len());
        for (i, kept) in batch.kept.iter().enumerate() {
            let scores = if *kept { rows.next() } else { None };
            let (Some(scores), Some(label)) = (scores, labels.get(i)) else {
                self.unscored += 1;
                continue;
            };
            let code = class_of[labels.codes[i] as usize];
            if code == UNKNOWN {
                *self.unknown.entry(label.clone()).or_default() += 1;
            }
            let in_file = || self.file_weights.as_ref().and_then(|w| w.get(self.met + i).copied());
            let weight = batch.weights.as_ref().map(|w| w[i]).or_else(in_file);
            let Verdict { class, ambiguous, abstained } = self.model.verdict(scores);
            self.ambiguous += usize::from(ambiguous);
            self.abstained.push(abstained);
            self.target.push(code);
            self.places.push(self.met + i);
            self.predicted.push(class);
            // Of pairs there are very many scores, and nothing is made of them.
            if !self.model.decide().has_no_mans_land() {
                self.scores.extend_from_slice(scores);
            }
            self.weights.push(weight.unwrap_or(1.0));
        }
        self.met += batch.kept.len();
    }

    /// The classes of the model.
    pub fn classes(&self) -> &[Label] {
        self.model.classes()
    }

    /// If there are rows, and not one of a known class: the classes there are.
    pub fn all_unknown(&self) -> Option<Vec<String>> {
        let none = !self.target.is_empty() && self.target.iter().all(|&t| t == UNKNOWN);
        none.then(|| self.unknown.keys().map(ToString::to_string).collect())
    }

    pub fn confusion(&self) -> Confusion {
        let known: Vec<usize> =
            (0..self.target.len()).filter(|&i| self.target[i] != UNKNOWN).collect();
        let pick = |all: &[u32]| known.iter().map(|&i| all[i]).collect::<Vec<u32>>();
        let weights: Vec<f64> = known.iter().map(|&i| self.weights[i]).collect();
        Confusion::new(self.model.k(), &pick(&self.target), &pick(&self.predicted), &weights)
    }

    /// Of two classes the area under the curve; of more, the mean over each against the rest. None where classes have no score of
    /// their own.
    fn auc(&self) -> Option<f64> {
        let sides = self.sides()?;
        let of = |side: &Side<'_>| auc(&side.positive, &side.scores, side.weights);
        let all: Vec<f64> = sides.iter().filter_map(of).collect();
        (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
    }

    /// What the probabilities are worth, where the model has any. A class it does not know has probability 0.
    fn of_probabilities(&self) -> Option<Likely> {
        if self.model.decide().has_no_mans_land() {
            return None;
        }
        let (k, planes) = (self.model.k(), self.model.planes().len());
        let mut row = Vec::new();
        let (mut all, mut of_true) = (Vec::new(), Vec::new());
        for (scores, &target) in self.scores.chunks_exact(planes).zip(&self.target) {
            if !self.model.probabilities(scores, &mut row) {
                return None;
            }
            of_true.push(row.get(target as usize).copied().unwrap_or(0.0));
            all.extend_from_slice(&row);
        }
        let bins = reliability(&all, k, &self.target, &self.weights, BINS);
        (!of_true.is_empty()).then(|| Likely {
            log_loss: log_loss(&of_true, &self.weights),
            brier: brier(&all, k, &self.target, &self.weights),
            bins,
        })
    }

    /// Share of the rows that are named, and of mistakes among them; none where the model names all.
    fn named(&self) -> Option<(f64, Option<f64>, f64)> {
        self.model.cut().abstain?;
        let (mut named, mut wrong, mut total) = (0.0, 0.0, 0.0);
        for (i, s) in self.weights.iter().enumerate() {
            total += s;
            if !self.abstained[i] {
                named += s;
                wrong += if self.target[i] == self.predicted[i] { 0.0 } else { *s };
            }
        }
        Some((named / total, (named > 0.0).then(|| wrong / named), named))
    }

    /// Of two classes: which rows are positive.
    fn positive(&self) -> Option<Vec<bool>> {
        let one = self.model.planes().len() == 1;
        one.then(|| self.target.iter().map(|&t| t == 1).collect())
    }

    /// The 95 % interval of the area under the curve of two classes.
    fn auc_interval(&self) -> Option<(f64, f64)> {
        auc_interval(&self.positive()?, &self.scores, &self.weights)
    }

    /// Each class against the rest, by its probability or else its own score; of two classes the positive one. None where classes have no scores of their own.
    pub fn sides(&self) -> Option<Vec<Side<'_>>> {
        let (planes, ranks) = (self.model.planes().len(), self.model.ranks(&self.scores)?);
        let side = |plane: usize, class: usize| Side {
            class: self.model.classes()[class].to_string(),
            positive: self.target.iter().map(|&t| t as usize == class).collect(),
            scores: ranks.iter().skip(plane).step_by(planes).copied().collect(),
            weights: &self.weights,
            threshold: (planes == 1).then(|| self.model.cut().threshold),
        };
        Some(if planes == 1 { vec![side(0, 1)] } else { (0..planes).map(|j| side(j, j)).collect() })
    }

    /// The table of reliability, where the model has probabilities.
    pub fn bins(&self) -> Option<Vec<Bin>> {
        self.of_probabilities().map(|likely| likely.bins)
    }

    /// What the probabilities in that table are of.
    pub fn what_is_likely(&self) -> String {
        match self.model.classes() {
            [_, positive] => format!("probability of {positive}"),
            _ => "probability of the likeliest class".to_owned(),
        }
    }

    /// The rows that are predicted wrongly, by number: those first that the model is surest of, and of equals those whose own
    /// class was farthest from winning.
    pub fn worst(&self, most: usize) -> Vec<usize> {
        let planes = self.model.planes().len();
        let mut p = Vec::new();
        let mut sure = |at: usize| {
            let Some(scores) = self.scores.get(at * planes..(at + 1) * planes) else {
                return (0.0, 0.0);
            };
            let (target, predicted) = (self.target[at] as usize, self.predicted[at] as usize);
            let lead = match (scores.get(predicted), scores.get(target)) {
                _ if planes == 1 => (scores[0] - self.model.cut().threshold).abs(),
                (Some(won), Some(lost)) => won - lost,
                _ => 0.0,
            };
            let likely = self.model.probabilities(scores, &mut p);
            (if likely { p[predicted] } else { 0.0 }, lead)
        };
        let wrong = (0..self.target.len()).filter(|&at| self.target[at] != self.predicted[at]);
        let mut wrong: Vec<((f64, f64), usize)> =
            wrong.map(|at| (sure(at), self.places[at])).collect();
        wrong.sort_by(|(a, at), (b, other)| {
            b.0.total_cmp(&a.0).then(b.1.total_cmp(&a.1)).then(at.cmp(other))
        });
        wrong.into_iter().take(most).map(|(_, place)| place).collect()
    }

    /// The largest class of these rows, and its share.
    pub fn majority(&self) -> Option<(usize, f64)> {
        majority(&self.target, self.model.k(), &self.weights)
    }

    /// That the model is worse than predicting that class, where it is.
    pub fn below_majority(&self) -> Option<String> {
        let (class, share) = self.majority()?;
        below_majority(self.accuracy(), &self.model.classes()[class].to_string(), share)
    }

    pub fn accuracy(&self) -> f64 {
        accuracy(&self.target, &self.predicted, &self.weights)
    }
}
