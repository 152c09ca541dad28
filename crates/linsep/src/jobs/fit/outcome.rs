//! The outcome of a fit: the model file, and all that a report of the fit needs.

use super::evaluate::FitEvaluation;
use super::model::settings;
use super::{SchemeChoice, Setup, SolverChoice};
use crate::diagnostics::DataCheck;
use crate::jobs::Seconds;
use crate::model_file::ModelFile;
use crate::optimality::Certificate;
use linsep_core::control::Note;
use linsep_core::learner::{FitResult, Learner, PathPoint};
use linsep_core::metric::majority;
use linsep_core::options::Setting;
use linsep_core::{Label, float};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Outcome of a fit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FitOutcome {
    /// Name of the data.
    pub data: String,
    /// The classes with their weights, sorted.
    #[serde(with = "float::named")]
    pub classes: Vec<(Label, f64)>,
    /// The largest class.
    pub majority: Option<Majority>,
    /// Weight of all rows.
    #[serde(with = "float")]
    pub weight: f64,
    /// Whether rows have weights that are not counts.
    pub weighted: bool,
    /// Number of missing cells, by column.
    pub missing: Vec<(String, u64)>,
    /// Number of rows dropped because of missing values.
    pub dropped: usize,
    /// Notes about the data.
    pub notes: Vec<Note>,
    /// The settings in force, those selected from the data included.
    pub settings: Vec<(Cow<'static, str>, Setting)>,
    /// The fit, in the units of training; its further results are in raw units.
    pub fit: FitResult,
    /// The choice of the solver, if requested.
    pub solvers: Option<SolverChoice>,
    /// The choice of the multiclass scheme, if requested.
    pub schemes: Option<SchemeChoice>,
    /// Points of a path of λ, if requested.
    pub path: Vec<PathPoint>,
    /// The model in raw units, with its metadata.
    pub model_file: ModelFile,
    /// The evaluation on rows that were not trained on; for a report page, else on the training
    /// rows.
    pub evaluated: Option<FitEvaluation>,
    /// The data check, for a report page.
    pub checked: Option<DataCheck>,
    /// Times of reading and encoding, and of training.
    pub seconds: Seconds,
    /// Number of threads.
    pub threads: usize,
    /// The seed of all random numbers.
    pub seed: u64,
    /// File of the model, if it was saved.
    pub saved: Option<String>,
    /// File of the report page, if it was written.
    pub report: Option<String>,
    /// The data files.
    pub files: Vec<UsedFile>,
    /// The command that repeats the fit.
    pub command: String,
}

/// The class of the largest weight.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Majority {
    /// The class.
    pub class: Label,
    /// Its share of the weight.
    #[serde(with = "float")]
    pub share: f64,
}

/// A file that a fit depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UsedFile {
    /// The path.
    pub path: String,
    /// Whether it is a test file.
    pub test: bool,
    /// SHA-256 of its bytes; `None` for a stream.
    pub sha256: Option<String>,
}

impl FitOutcome {
    /// The certificate in words, or the reason for its absence.
    pub fn certificate(&self) -> Certificate {
        let (left, all) = (self.fit.not_started().len(), self.model_file.model.hyperplanes().len());
        if left > 0 {
            return Certificate::new(format!(
                "no certificate: {left} of {all} hyperplanes were not started; their coefficients \
                 are the starting point"
            ));
        }
        if self.fit.solver().is_some() && self.fit.certificates().is_empty() {
            let why = "no certificate: training ended before the duality gap was computed";
            return Certificate::new(why.to_owned());
        }
        Certificate::of(&self.model_file.header)
    }

    /// The facts of a fit that need no further computation.
    pub(super) fn new(
        setup: &Setup<'_>,
        learner: &dyn Learner,
        mut fit: FitResult,
        model_file: ModelFile,
    ) -> Self {
        let (training, problem) = (setup.training, setup.problem);
        let (labels, weights) = (problem.labels(), problem.weights());
        let counts = !training.recipe.counts.is_empty();
        if let Some(by) = training.recipe.standardize() {
            fit.facts = fit.facts.in_raw_units(&by);
        }
        let largest = majority(labels.codes(), labels.k(), weights);
        let classes = labels.classes();
        Self {
            data: setup.name.to_owned(),
            majority: largest.map(|(c, share)| Majority { class: classes[c].clone(), share }),
            classes: classes.iter().cloned().zip(problem.class_weights()).collect(),
            weight: weights.iter().sum(),
            weighted: !counts && weights.iter().any(|s| *s != 1.0),
            missing: training.missing.clone(),
            dropped: training.dropped,
            notes: training.notes.clone(),
            settings: settings(learner, &fit),
            fit,
            solvers: None,
            schemes: None,
            path: Vec::new(),
            model_file,
            evaluated: None,
            checked: None,
            seconds: Seconds::default(),
            threads: setup.request.threads,
            seed: setup.request.seed(),
            saved: None,
            report: None,
            files: Vec::new(),
            command: String::new(),
        }
    }
}
