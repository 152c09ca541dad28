//! Evaluation on rows that were not trained on, and the worst misclassified rows.
//!
//! Test data are read twice: before training, to find every fault in them, and afterwards.

use super::Setup;
use super::encode::Rows;
use crate::dataset::SampleWeights;
use crate::error::Error;
use crate::evaluation::Evaluation;
use crate::explain::{Contribution, Explain, Explanation};
use crate::jobs::plot::{ClassCurves, ConfusionMatrix, Curve, Reliability};
use crate::jobs::{Evaluate, Evaluated};
use crate::labels::LabelMap;
use crate::model_file::{Header, ModelFile};
use crate::scoring::{Scoring, SelectedRow};
use linsep_core::model::DecisionRule;
use linsep_core::model::Model;
use linsep_core::{Hyperplane, Label, LinearModel, Observer, float};
use linsep_io::{ReadOptions, Source};
use serde::{Deserialize, Serialize};
#[cfg(feature = "fs")]
use std::{
    io::{Cursor, Read},
    path::Path,
    sync::Arc,
};

/// Misclassified rows of a report.
const WORST: usize = 12;

/// Contributions that are listed for a misclassified row.
const CONTRIBUTIONS: usize = 3;

/// Test data, which are read by the recipe of the training data.
pub struct TestData {
    name: String,
    read: ReadOptions,
    open: Box<dyn Fn() -> Result<Source, linsep_io::Error> + Sync>,
}

impl TestData {
    /// Test data of a name, which `open` opens any number of times.
    pub fn new(
        name: &str,
        read: ReadOptions,
        open: impl Fn() -> Result<Source, linsep_io::Error> + Sync + 'static,
    ) -> Self {
        Self { name: name.to_owned(), read, open: Box::new(open) }
    }

    /// Test data in a file; a stream is kept in memory, as it can be read only once.
    #[cfg(feature = "fs")]
    pub fn file(path: &Path, read: ReadOptions) -> Result<Self, Error> {
        let (name, path) = (path.display().to_string(), path.to_owned());
        if path.is_file() {
            return Ok(Self::new(&name, read, move || Source::open(&path)));
        }
        let (mut bytes, mut source) = (Vec::new(), Source::open(&path)?);
        let own = source.name().to_owned();
        source.pass(true)?.read_to_end(&mut bytes).map_err(|e| Error::from_io(&own, e))?;
        let bytes: Arc<[u8]> = bytes.into();
        Ok(Self::new(&name, read, move || {
            let bytes = bytes.clone();
            Ok(Source::from_opener(&own, move || Ok(Box::new(Cursor::new(bytes.clone())))))
        }))
    }
}

/// An evaluation, with what a report shows of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitEvaluation {
    /// Name of the rows.
    pub on: String,
    /// Whether the rows were not trained on.
    pub held_out: bool,
    /// The metrics.
    pub evaluation: Evaluation,
    /// Pictures and rows of a report page.
    pub shown: Option<ShownEvaluation>,
}

/// Pictures of an evaluation, and its worst misclassified rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShownEvaluation {
    /// ROC and precision-recall curves, of classes with scores of their own.
    pub curves: Vec<ClassCurves>,
    /// The reliability diagram, if the model has probabilities.
    pub reliability: Option<Reliability>,
    /// The confusion matrix.
    pub confusion: ConfusionMatrix,
    /// Misclassified rows, by decreasing confidence; `None` for rows of counts, which belong to
    /// several classes.
    pub worst: Option<Vec<Misclassified>>,
}

/// A misclassified row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Misclassified {
    /// Index of the row in its file.
    pub row: usize,
    /// True class.
    pub actual: Option<Label>,
    /// Predicted class.
    pub predicted: Label,
    /// Probability of the predicted class, if the model has probabilities.
    #[serde(with = "float")]
    pub probability: Option<f64>,
    /// The score.
    #[serde(with = "float")]
    pub score: f64,
    /// The largest contributions to the score of the predicted class.
    pub contributions: Vec<Contribution>,
}

impl Setup<'_> {
    /// Finds faults of the test data, by an evaluation of a model without coefficients.
    pub(super) fn check_test(
        &self,
        test: &TestData,
        watch: &mut dyn Observer,
    ) -> Result<(), Error> {
        let classes = self.training.labels.classes();
        let decide = if classes.len() == 2 { DecisionRule::Sign } else { DecisionRule::ArgMax };
        let zeros = vec![Hyperplane::zero(self.training.x.d()); decide.hyperplanes(classes.len())];
        let model = Model::from(LinearModel::new(classes.to_vec(), zeros, decide)?);
        let header = Header::new("none", &model, self.training.recipe.clone());
        let blank = ModelFile { model, directions: Vec::new(), header };
        self.job().measure(&blank, vec![(test.open)()?], &test.read, watch).map(drop)
    }

    /// The evaluation on test data or held-out rows; for a report, else on the training rows.
    pub(super) fn evaluated(
        &self,
        model_file: &ModelFile,
        test: Option<&TestData>,
        aside: Option<&Rows>,
        watch: &mut dyn Observer,
    ) -> Result<Option<FitEvaluation>, Error> {
        let mut job = self.job();
        let (on, held_out, evaluated) = match (test, aside) {
            (Some(test), _) => {
                let sources = vec![(test.open)()?];
                let evaluated = job.measure(model_file, sources, &test.read, watch)?;
                evaluated.notes.iter().for_each(|note| watch.note(note));
                (test.name.clone(), true, evaluated)
            }
            (None, Some(rows)) => {
                let held_out = rows.numbers.is_some();
                let on = if held_out { "held-out rows" } else { "the training rows" };
                if let Some(own) = &rows.weights {
                    job.weights = Some(SampleWeights::Rows(own.clone()));
                }
                let evaluated = job.measure_rows(model_file, rows.input.clone())?;
                (on.to_owned(), held_out, evaluated)
            }
            (None, None) => return Ok(None),
        };
        let shown = self.request.report;
        let shown = shown.then(|| self.shown(model_file, &evaluated, (test, aside), &on));
        let shown = shown.transpose()?;
        Ok(Some(FitEvaluation { on, held_out, evaluation: evaluated.evaluation, shown }))
    }

    /// The evaluation with the roles of the training data.
    fn job(&self) -> Evaluate {
        let data = &self.request.data;
        Evaluate {
            target: data.target.clone(),
            counts: data.counts.clone(),
            // Weights of the training rows do not apply to others.
            weights: data.weights.clone().filter(|own| matches!(own, SampleWeights::Named(_))),
            label_map: data.label_map.clone(),
            worst: if self.request.report { WORST } else { 0 },
            curves: false,
            spill: self.request.spill.clone(),
        }
    }

    /// What a report shows of an evaluation.
    fn shown(
        &self,
        model_file: &ModelFile,
        evaluated: &Evaluated,
        from: (Option<&TestData>, Option<&Rows>),
        on: &str,
    ) -> Result<ShownEvaluation, Error> {
        let (mut curves, evaluation) = (Vec::new(), &evaluated.evaluation);
        for kind in [Curve::Roc, Curve::PrecisionRecall] {
            curves.extend(ClassCurves::of(evaluated, kind, on)?);
        }
        let counts = !model_file.header.recipe.counts.is_empty();
        let worst = (!counts).then(|| self.worst(model_file, &evaluation.worst, from));
        Ok(ShownEvaluation {
            curves,
            reliability: Reliability::of(evaluation, on),
            confusion: ConfusionMatrix::of(evaluation, on),
            worst: worst.transpose()?,
        })
    }

    /// The rows with these indices, each with its largest contributions.
    fn worst(
        &self,
        model_file: &ModelFile,
        worst: &[usize],
        (test, aside): (Option<&TestData>, Option<&Rows>),
    ) -> Result<Vec<Misclassified>, Error> {
        let own = ReadOptions::default();
        let read = test.map_or(&own, |test| &test.read);
        let data = &self.request.data;
        let map = LabelMap::onto(&data.label_map, model_file.model.classes())?;
        let scoring = Scoring {
            model_file,
            projection: None,
            read,
            labels: true,
            target: data.target.as_deref(),
            counts: &[],
            weights: None,
            map: &map,
        };
        let rows: Vec<SelectedRow> = match (test, aside) {
            _ if worst.is_empty() => Vec::new(),
            (Some(test), _) => scoring.pick((test.open)()?, worst)?.0,
            (None, Some(rows)) => scoring.pick_from(&rows.input, worst),
            (None, None) => Vec::new(),
        };
        let numbers = aside.filter(|_| test.is_none()).and_then(|rows| rows.numbers.as_ref());
        let explain = Explain { model_file, against: None, allow: Some(&[]), most: 0 };
        let mut out = Vec::new();
        for row in rows {
            if let Some(mut found) = explain.row(&row)? {
                found.row = numbers.map_or(found.row, |numbers| numbers[found.row]);
                out.push(Misclassified::new(found, model_file.model.classes()));
            }
        }
        Ok(out)
    }
}

impl Misclassified {
    fn new(found: Explanation, classes: &[Label]) -> Self {
        // Contributions that raise the score of the predicted class.
        let sign = if found.towards == found.class { 1.0 } else { -1.0 };
        let mut contributions = found.contributions;
        contributions.retain(|c| sign * c.value > 0.0);
        contributions.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
        contributions.truncate(CONTRIBUTIONS);
        Self {
            row: found.row,
            actual: found.actual,
            predicted: classes[found.class].clone(),
            probability: found.probabilities.map(|p| p[found.class]),
            score: found.score,
            contributions,
        }
    }
}
