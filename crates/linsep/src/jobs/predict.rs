//! Prediction: the class of every row, with scores and probabilities on request.
//!
//! Rows of files are scored in blocks and passed on one by one ([`Predict::stream`]), so that
//! memory does not grow with the data. [`Predict::run`] collects them.

use super::Evaluate;
use crate::error::Error;
use crate::evaluation::Evaluation;
use crate::labels::LabelMap;
use crate::model_file::ModelFile;
use crate::scoring::{Batch, Scoring};
use linsep_core::control::{Note, literal};
use linsep_core::learner::Scheme;
use linsep_core::model::{Decision, Link, Model};
use linsep_core::{Label, Observer, float};
use linsep_io::{Input, Memory, ReadOptions, Source};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Request for predictions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Predict {
    /// Whether the scores are returned.
    pub scores: bool,
    /// Whether the probability of every class is returned.
    pub probabilities: bool,
    /// Whether rows in ambiguous regions have no prediction, instead of one by score.
    pub keep_ambiguous: bool,
    /// Whether classes that a spreadsheet would run as formulas get the prefix ' in CSV.
    pub spreadsheet_safe: bool,
}

/// What is known about every row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PredictionColumns {
    /// The classes of the model.
    pub classes: Vec<Label>,
    /// The scores, by name, if they are returned.
    pub scores: Option<Vec<String>>,
    /// Whether there is a probability for every class.
    pub probabilities: bool,
    /// Whether rows may lie in ambiguous regions.
    pub ambiguous: bool,
    /// Whether rows in ambiguous regions have no prediction.
    pub keep_ambiguous: bool,
    /// Whether the model abstains.
    pub abstains: bool,
    /// Whether classes that a spreadsheet would run as formulas get the prefix ' in CSV.
    pub spreadsheet_safe: bool,
}

/// Prediction of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prediction<'a> {
    /// The predicted class, as an index; `None`: no prediction.
    pub class: Option<u32>,
    /// Whether the row lies in an ambiguous region.
    pub ambiguous: bool,
    /// Whether the model abstains.
    pub abstained: bool,
    /// Scores, if requested.
    pub scores: &'a [f64],
    /// Probabilities, if requested.
    pub probabilities: &'a [f64],
}

/// Summary of a stream of predictions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PredictionCounts {
    /// Number of rows.
    pub rows: usize,
    /// Number of rows in ambiguous regions.
    pub ambiguous: usize,
    /// Number of rows for which the model abstains.
    pub abstained: usize,
    /// Notes about the data.
    pub notes: Vec<Note>,
}

/// Outcome: the predictions of all rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PredictOutcome {
    /// What is known about every row.
    pub columns: PredictionColumns,
    /// The predicted class of every row, as an index.
    pub classes: Vec<Option<u32>>,
    /// The scores of every row, if requested; `None` for a row that cannot be scored.
    #[serde(with = "float")]
    pub scores: Option<Vec<Option<Vec<f64>>>>,
    /// The probability of every class of every row, if requested.
    #[serde(with = "float")]
    pub probabilities: Option<Vec<Option<Vec<f64>>>>,
    /// Indices of the rows that cannot be scored.
    pub unscored: Vec<usize>,
    /// Indices of the rows in ambiguous regions.
    pub ambiguous: Vec<usize>,
    /// Indices of the rows for which the model abstains.
    pub abstained: Vec<usize>,
    /// Notes about the data.
    pub notes: Vec<Note>,
}

/// Receives the predictions of a block.
type Taker<'a> = dyn FnMut(&[Option<Prediction<'_>>]) -> Result<(), Error> + 'a;

impl Predict {
    /// Refuses probabilities of a model that has none. `file` is its name.
    pub fn check(&self, model_file: &ModelFile, file: &str) -> Result<(), Error> {
        if !self.probabilities || *model_file.model.link() != Link::None {
            return Ok(());
        }
        // The cause is the method, or its multiclass scheme alone.
        let method = &model_file.header.method;
        let with = [Scheme::OneVsRest, Scheme::Softmax].map(Scheme::name);
        let scheme = model_file.header.multiclass.as_deref();
        let why = match scheme.filter(|name| method == "logistic" && !with.contains(name)) {
            Some(scheme) => format!(
                "{method} with {scheme} does not have. Fit a model with `multiclass={}` or {}.",
                with[0], with[1]
            ),
            None => format!(
                "{method} does not have. Fit a model with `method=logistic` or gaussian, or with \
                 `calibrate`."
            ),
        };
        let file = literal(file);
        Err(Error::Refused(format!("{file}: `proba` requires class probabilities, which {why}")))
    }

    /// Returns what is known about every row.
    pub fn columns(&self, model: &Model) -> PredictionColumns {
        let names = || model.decision_rule().hyperplane_names(model.classes());
        PredictionColumns {
            classes: model.classes().to_vec(),
            scores: self.scores.then(names),
            probabilities: self.probabilities,
            ambiguous: model.decision_rule().has_ambiguous_regions(),
            keep_ambiguous: self.keep_ambiguous,
            abstains: model.operating_point().abstain.is_some(),
            spreadsheet_safe: self.spreadsheet_safe,
        }
    }

    /// Predicts the rows of sources, one source after another. `take` gets a block of rows: `None`
    /// is a row that cannot be scored.
    pub fn stream(
        &self,
        model_file: &ModelFile,
        sources: Vec<Source>,
        read: &ReadOptions,
        watch: &mut dyn Observer,
        mut take: impl FnMut(&[Option<Prediction<'_>>]) -> Result<(), Error> + Send,
    ) -> Result<PredictionCounts, Error> {
        watch.stage("predicting", None);
        let (cancel, mut counts) = (watch.cancel(), PredictionCounts::default());
        let mut notes = Vec::new();
        for source in sources {
            let map = LabelMap::default();
            notes.extend(scoring(model_file, read, &map).run(source, |batch| {
                cancel.check("the predictions")?;
                self.block(&model_file.model, batch, &mut counts, &mut take)?;
                watch.done(counts.rows);
                Ok(())
            })?);
        }
        counts.notes = notes;
        Ok(counts)
    }

    /// Predicts the rows of sources. `memory` limits the predictions.
    pub fn run(
        &self,
        model_file: &ModelFile,
        sources: Vec<Source>,
        read: &ReadOptions,
        memory: Memory,
        watch: &mut dyn Observer,
    ) -> Result<PredictOutcome, Error> {
        let mut outcome = self.outcome(&model_file.model);
        let counts = self.stream(model_file, sources, read, watch, |rows| {
            outcome.check(rows.len(), memory)?;
            rows.iter().for_each(|row| outcome.push(row.as_ref()));
            Ok(())
        })?;
        outcome.notes = counts.notes;
        Ok(outcome)
    }

    /// Predicts rows in memory.
    pub fn rows(&self, model_file: &ModelFile, input: Input) -> Result<PredictOutcome, Error> {
        let (read, map) = (ReadOptions::default(), LabelMap::default());
        let batch = scoring(model_file, &read, &map).score(input)?;
        let (mut outcome, mut counts) =
            (self.outcome(&model_file.model), PredictionCounts::default());
        self.block(&model_file.model, &batch, &mut counts, &mut |rows| {
            rows.iter().for_each(|row| outcome.push(row.as_ref()));
            Ok(())
        })?;
        Ok(outcome)
    }

    /// Passes the predictions of a block to `take`.
    fn block(
        self,
        model: &Model,
        batch: &Batch,
        counts: &mut PredictionCounts,
        take: &mut Taker<'_>,
    ) -> Result<(), Error> {
        let width = model.width();
        let k = if self.probabilities { model.k() } else { 0 };
        let (mut all, mut p) = (Vec::with_capacity(batch.scores.len() / width * k), Vec::new());
        if self.probabilities {
            for row in batch.scores.chunks_exact(width) {
                model.probabilities(row, &mut p);
                all.extend_from_slice(&p);
            }
        }
        let mut scored = batch.scores.chunks_exact(width).enumerate();
        let mut row = |kept: &bool| {
            let (i, scores) = if *kept { scored.next()? } else { return None };
            let Decision { class, ambiguous, abstained } = model.decision(scores);
            counts.ambiguous += usize::from(ambiguous);
            counts.abstained += usize::from(abstained);
            Some(Prediction {
                class: (!(abstained || ambiguous && self.keep_ambiguous)).then_some(class),
                ambiguous,
                abstained,
                scores: if self.scores { scores } else { &[] },
                probabilities: &all[i * k..(i + 1) * k],
            })
        };
        let rows: Vec<Option<Prediction<'_>>> = batch.kept.iter().map(&mut row).collect();
        counts.rows += rows.len();
        take(&rows)
    }

    fn outcome(self, model: &Model) -> PredictOutcome {
        PredictOutcome {
            columns: self.columns(model),
            classes: Vec::new(),
            scores: self.scores.then(Vec::new),
            probabilities: self.probabilities.then(Vec::new),
            unscored: Vec::new(),
            ambiguous: Vec::new(),
            abstained: Vec::new(),
            notes: Vec::new(),
        }
    }
}

impl PredictOutcome {
    /// Refuses further rows that exceed the memory limit.
    fn check(&self, rows: usize, memory: Memory) -> Result<(), Error> {
        // Approximate memory of a JSON value, in bytes.
        const VALUE: usize = 80;
        let scores = self.columns.scores.as_ref().map_or(0, Vec::len);
        let probabilities = self.probabilities.as_ref().map_or(0, |_| self.columns.classes.len());
        let rows = self.classes.len() + rows;
        let bytes = rows as u128 * (VALUE * (2 + scores + probabilities)) as u128;
        Ok(memory.check_or(bytes, "one JSON object of all rows", "predict without `json`")?)
    }

    fn push(&mut self, row: Option<&Prediction<'_>>) {
        let at = self.classes.len();
        self.classes.push(row.and_then(|row| row.class));
        self.unscored.extend(row.is_none().then_some(at));
        self.ambiguous.extend(row.is_some_and(|row| row.ambiguous).then_some(at));
        self.abstained.extend(row.is_some_and(|row| row.abstained).then_some(at));
        if let Some(scores) = &mut self.scores {
            scores.push(row.map(|row| row.scores.to_vec()));
        }
        if let Some(all) = &mut self.probabilities {
            all.push(row.map(|row| row.probabilities.to_vec()));
        }
    }

    /// Returns the predictions, row by row; `None` is a row that cannot be scored.
    pub fn rows(&self) -> impl Iterator<Item = Option<Prediction<'_>>> {
        (0..self.classes.len()).map(|i| {
            if self.unscored.binary_search(&i).is_ok() {
                return None;
            }
            Some(Prediction {
                class: self.classes[i],
                ambiguous: self.ambiguous.binary_search(&i).is_ok(),
                abstained: self.abstained.binary_search(&i).is_ok(),
                scores: cells_of(self.scores.as_deref(), i),
                probabilities: cells_of(self.probabilities.as_deref(), i),
            })
        })
    }

    /// Returns the predicted class of every row.
    pub fn labels(&self) -> Vec<Option<&Label>> {
        let label = |class: &Option<u32>| class.map(|class| &self.columns.classes[class as usize]);
        self.classes.iter().map(label).collect()
    }
}

/// The numbers of row i; empty if the row has none.
fn cells_of(all: Option<&[Option<Vec<f64>>]>, i: usize) -> &[f64] {
    all.and_then(|all| all[i].as_deref()).unwrap_or_default()
}

fn scoring<'a>(model_file: &'a ModelFile, read: &'a ReadOptions, map: &'a LabelMap) -> Scoring<'a> {
    Scoring {
        model_file,
        projection: None,
        read,
        labels: false,
        target: None,
        counts: &[],
        weights: None,
        map,
    }
}

/// Probabilities of rows, with the class of every column.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassProbabilities {
    /// The classes, one per column.
    pub classes: Vec<Label>,
    /// One list per row; `None` if the row cannot be scored.
    pub rows: Vec<Option<Vec<f64>>>,
}

impl ClassProbabilities {
    /// Returns the classes of row i with their probabilities; empty if the row cannot be scored.
    ///
    /// # Panics
    /// If i is out of range.
    pub fn row(&self, i: usize) -> impl Iterator<Item = (&Label, f64)> {
        self.classes.iter().zip(self.rows[i].iter().flatten().copied())
    }
}

/// A table with a header of the classes.
impl fmt::Display for ClassProbabilities {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.classes.iter().map(Label::to_string).collect();
        let width = |name: &String| name.chars().count().max(6);
        for (j, name) in names.iter().enumerate() {
            let gap = if j == 0 { "" } else { "  " };
            write!(f, "{gap}{name:>0$}", width(name))?;
        }
        for row in &self.rows {
            writeln!(f)?;
            for (j, name) in names.iter().enumerate() {
                let gap = if j == 0 { "" } else { "  " };
                match row {
                    Some(row) => write!(f, "{gap}{:>1$.4}", row[j], width(name))?,
                    None => write!(f, "{gap}{:>1$}", "?", width(name))?,
                }
            }
        }
        Ok(())
    }
}

impl ModelFile {
    /// Returns the predicted class of every row; `None` if a row has no prediction.
    pub fn predict(&self, rows: &Input) -> Result<Vec<Option<Label>>, Error> {
        let found = Predict::default().rows(self, rows.clone())?;
        Ok(found.labels().into_iter().map(Option::<&Label>::cloned).collect())
    }

    /// Evaluates the predictions of rows with known classes.
    pub fn evaluate(&self, rows: &Input) -> Result<Evaluation, Error> {
        let name = rows.name().to_owned();
        let found = Evaluate::default().measure_rows(self, rows.clone())?.evaluation;
        found.require_known_classes(&name)?;
        Ok(found)
    }

    /// Returns the probability of every class for every row.
    pub fn predict_proba(&self, rows: &Input) -> Result<ClassProbabilities, Error> {
        let job = Predict { probabilities: true, ..Predict::default() };
        job.check(self, "the model")?;
        let found = job.rows(self, rows.clone())?;
        let rows = found.probabilities.unwrap_or_default();
        Ok(ClassProbabilities { classes: found.columns.classes, rows })
    }
}
