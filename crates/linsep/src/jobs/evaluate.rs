//! Evaluation of a model on rows with known classes.

use crate::dataset::{SampleWeights, read_weights};
use crate::error::Error;
use crate::evaluation::{Curves, Evaluation, Evaluator, Rankings, Spill};
use crate::labels::LabelMap;
use crate::model_file::ModelFile;
use crate::scoring::Scoring;
use linsep_core::Observer;
use linsep_core::control::Note;
use linsep_io::input::set_name;
use linsep_io::{Input, ReadOptions, Source};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Request for an evaluation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Evaluate {
    /// Target column [default: as in training].
    pub target: Option<String>,
    /// Columns of counts, one per class, instead of a target and weights.
    pub counts: Vec<String>,
    /// Sample weights.
    pub weights: Option<SampleWeights>,
    /// Classes of the data to rename to those of the model, as `OLD=NEW`.
    pub label_map: Vec<String>,
    /// Number of the worst misclassified rows to list.
    pub worst: usize,
    /// Whether the points of the curves of two classes are part of the outcome.
    pub curves: bool,
    /// Memory and folder for the scores of all rows.
    pub spill: Spill,
}

/// Outcome of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvaluateOutcome {
    /// Name of the data.
    pub data: String,
    /// The metrics.
    pub evaluation: Evaluation,
    /// Whether curves were requested.
    pub with_curves: bool,
    /// The curves, if requested, of two classes.
    pub curves: Option<Curves>,
    /// Notes about the data.
    pub notes: Vec<Note>,
}

/// An evaluation with the ranked scores of its rows, for further curves.
pub struct Evaluated {
    /// The metrics.
    pub evaluation: Evaluation,
    /// The ranked scores.
    pub rankings: Rankings,
    /// Notes about the data.
    pub notes: Vec<Note>,
}

impl Evaluate {
    /// Evaluates a model on sources, read one after another as one data set.
    pub fn run(
        &self,
        model_file: &ModelFile,
        sources: Vec<Source>,
        read: &ReadOptions,
        watch: &mut dyn Observer,
    ) -> Result<EvaluateOutcome, Error> {
        let data = set_name(sources.iter().map(Source::name));
        let Evaluated { evaluation, rankings, notes } =
            self.measure(model_file, sources, read, watch)?;
        let curves = if self.curves { rankings.curves()? } else { None };
        Ok(EvaluateOutcome { data, evaluation, with_curves: self.curves, curves, notes })
    }

    /// As [`Evaluate::run`], with the ranked scores of the rows.
    pub(crate) fn measure(
        &self,
        model_file: &ModelFile,
        sources: Vec<Source>,
        read: &ReadOptions,
        watch: &mut dyn Observer,
    ) -> Result<Evaluated, Error> {
        let data = set_name(sources.iter().map(Source::name));
        watch.stage("evaluating", None);
        let (cancel, mut rows) = (watch.cancel(), 0);
        let evaluated = self.scored(model_file, read, |scoring, evaluator| {
            let mut notes = Vec::new();
            for source in sources {
                notes.extend(scoring.run(source, |batch| {
                    cancel.check("the metrics")?;
                    rows += batch.kept.len();
                    watch.done(rows);
                    evaluator.add(batch)
                })?);
            }
            Ok(notes)
        })?;
        evaluated.evaluation.require_known_classes(&data)?;
        Ok(evaluated)
    }

    /// Evaluates a model on rows in memory.
    pub(crate) fn measure_rows(
        &self,
        model_file: &ModelFile,
        input: Input,
    ) -> Result<Evaluated, Error> {
        self.scored(model_file, &ReadOptions::default(), |scoring, evaluator| {
            evaluator.add(&scoring.score(input)?)?;
            Ok(Vec::new())
        })
    }

    /// Passes a scoring of rows with known classes and an evaluator to `add`, which returns notes.
    fn scored(
        &self,
        model_file: &ModelFile,
        read: &ReadOptions,
        add: impl FnOnce(&Scoring<'_>, &mut Evaluator<'_>) -> Result<Vec<Note>, Error>,
    ) -> Result<Evaluated, Error> {
        let map = LabelMap::onto(&self.label_map, model_file.model.classes())?;
        let sparse = model_file.header.recipe.pairs.is_some();
        let (column, file) = match &self.weights {
            None => (None, None),
            Some(SampleWeights::Rows(weights)) => (None, Some(weights.clone())),
            Some(SampleWeights::Named(name)) if sparse || Path::new(name).is_file() => {
                (None, Some(read_weights(name)?))
            }
            Some(SampleWeights::Named(name)) => (Some(name.as_str()), None),
        };
        let scoring = Scoring {
            model_file,
            projection: None,
            read,
            labels: true,
            target: self.target.as_deref(),
            counts: &self.counts,
            weights: column,
            map: &map,
        };
        let mut evaluator = Evaluator::new(&model_file.model, file, self.worst, self.spill.clone());
        let notes = add(&scoring, &mut evaluator)?;
        let (evaluation, rankings) = evaluator.finish()?;
        Ok(Evaluated { evaluation, rankings, notes })
    }
}
