//! Training a classifier: the request, the outcome, and the steps between them.
//!
//! | step | file | content |
//! |---|---|---|
//! | check | `check` | contradictory settings are refused before any data are touched |
//! | encode | `encode` | holdout, folds, data check; recipe, features and classes of the rest |
//! | test data | `evaluate` | faults of the test data are found before training |
//! | separation | `separation` | separable classes: the objective has no minimizer, or many |
//! | tune | `tune` | λ by cross-validation |
//! | train | `train` | the learner, or a path of λ, from a starting point |
//! | post-process | `post_process` | calibration, threshold, abstention, by out-of-fold scores |
//! | certify | `certify` | claims about the fit: no minimum, estimates, mistake bound |
//! | model file | `model` | hyperplanes in raw units, and the summary of training |
//! | evaluate | `evaluate` | metrics on rows that were not trained on; misclassified rows |
//!
//! `inference` has the steps of standard errors and tests, `explain` the choices of solver and
//! scheme, `outcome` all that a report needs.

mod certify;
mod check;
mod encode;
mod evaluate;
mod explain;
mod inference;
mod model;
mod outcome;
mod post_process;
mod separation;
mod train;
mod tune;

pub use encode::Rows;
pub use evaluate::{FitEvaluation, Misclassified, ShownEvaluation, TestData};
pub use explain::{NoSolverChoice, SchemeChoice, SolverChoice};
pub use inference::InferenceSettings;
pub use outcome::{FitOutcome, Majority, UsedFile};
pub use separation::InfiniteEstimates;
pub(crate) use train::starting_hyperplanes;
pub use tune::LEAVE_ONE_OUT;

use super::Seconds;
use crate::dataset::{TrainingData, TrainingSettings};
use crate::error::Error;
use crate::evaluation::Spill;
use crate::memory::check_learner;
use crate::validate::{FoldSettings, FoldedData};
use encode::Encoded;
use linsep_core::calibrate::Calibration;
use linsep_core::control::Phase;
use linsep_core::data::ClassWeights;
use linsep_core::learner::Method;
use linsep_core::validate::{AbstainRule, LambdaRule, ThresholdRule};
use linsep_core::{Label, Observer, Problem, StopReason};
use linsep_io::Input;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// Request for a fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Fit {
    /// The method and its settings.
    pub method: Method,
    /// Roles and preprocessing of the columns.
    pub data: TrainingSettings,
    /// Factors on the sample weights, by class.
    pub class_weights: ClassWeights,
    /// The positive class of two. With inference, this class is tested against all others.
    pub positive: Option<Label>,
    /// Starting coefficients, each hyperplane followed by its intercept; empty for zeros.
    pub start: Vec<f64>,
    /// Number of values of a path of decreasing λ.
    pub path: Option<usize>,
    /// Selection of λ by cross-validation.
    pub tune: Option<Tune>,
    /// Calibration of probabilities.
    pub calibrate: Option<Calibration>,
    /// Rule for the decision threshold of two classes.
    pub threshold: Option<ThresholdRule>,
    /// Rule for abstention.
    pub abstain: Option<AbstainRule>,
    /// The folds of tuning and post-processing; their seed is that of the method.
    pub folds: Option<FoldSettings>,
    /// Standard errors, tests and intervals.
    pub inference: Option<InferenceSettings>,
    /// Share of each class that is held out for evaluation.
    pub holdout: Option<f64>,
    /// Whether the solvers are listed with their costs.
    pub explain_solver: bool,
    /// Whether the multiclass schemes are listed.
    pub explain_multiclass: bool,
    /// Whether the outcome has what a report page shows: data check, an evaluation in any case, and
    /// the worst misclassified rows.
    pub report: bool,
    /// Time limit of training in seconds; each analysis beside training takes at most a quarter.
    pub timeout: Option<f64>,
    /// Number of folds that are processed concurrently.
    pub threads: usize,
    /// Memory and folder for the scores of an evaluation.
    pub spill: Spill,
    /// Whether a model is accepted some of whose hyperplanes were not started.
    pub unfinished: bool,
}

impl Default for Fit {
    fn default() -> Self {
        Self {
            method: Method::default(),
            data: TrainingSettings::default(),
            class_weights: ClassWeights::default(),
            positive: None,
            start: Vec::new(),
            path: None,
            tune: None,
            calibrate: None,
            threshold: None,
            abstain: None,
            folds: None,
            inference: None,
            holdout: None,
            explain_solver: false,
            explain_multiclass: false,
            report: false,
            timeout: None,
            threads: 1,
            spill: Spill::default(),
            unfinished: false,
        }
    }
}

/// A request step by step; fields without a function here are set directly.
impl Fit {
    /// Returns the request for a fit by a method, with default settings.
    pub fn new(method: Method) -> Self {
        Self { method, ..Self::default() }
    }

    /// Names the target column.
    pub fn target(mut self, column: &str) -> Self {
        self.data.target = Some(column.to_owned());
        self
    }

    /// Selects λ by cross-validation from this number of values.
    pub fn tune(self, points: usize) -> Self {
        Self { tune: Some(Tune { points, ..Tune::default() }), ..self }
    }

    /// Calibrates the probabilities by out-of-fold scores.
    pub fn calibrate(self, by: Calibration) -> Self {
        Self { calibrate: Some(by), ..self }
    }

    /// Selects the decision threshold of two classes.
    pub fn threshold(self, rule: ThresholdRule) -> Self {
        Self { threshold: Some(rule), ..self }
    }

    /// Abstains by a rule.
    pub fn abstain(self, rule: AbstainRule) -> Self {
        Self { abstain: Some(rule), ..self }
    }

    /// Holds out this share of each class for evaluation.
    pub fn holdout(self, share: f64) -> Self {
        Self { holdout: Some(share), ..self }
    }
}

/// Selection of λ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tune {
    /// Number of values of λ.
    pub points: usize,
    /// The rule of the selection.
    pub rule: LambdaRule,
}

impl Default for Tune {
    fn default() -> Self {
        Self { points: 20, rule: LambdaRule::default() }
    }
}

/// What the steps after encoding have in common.
#[derive(Clone, Copy)]
struct Setup<'a> {
    request: &'a Fit,
    /// Name of the data, for messages.
    name: &'a str,
    training: &'a TrainingData,
    problem: &'a Problem<'a>,
    folded: Option<&'a FoldedData>,
}

impl Fit {
    /// Trains a classifier.
    pub fn run(&self, data: &Input) -> Result<FitOutcome, Error> {
        self.run_with(data.clone(), None, &mut ())
    }

    /// Trains a classifier on `data`, and evaluates it on `test`. The observer sees the progress
    /// and may end the run.
    pub fn run_with(
        &self,
        data: Input,
        test: Option<&TestData>,
        watch: &mut dyn Observer,
    ) -> Result<FitOutcome, Error> {
        // 1. Encode the training rows.
        let mut learner = self.check()?;
        let (name, clock) = (&data.name().to_owned(), Instant::now());
        let Encoded { mut training, raw, folded, aside, checked } =
            self.encode(data, test.is_none(), learner.as_ref(), watch)?;
        let inference = self.inferred(name, &mut training)?;
        let weights = training.weights.take();
        let core = Error::core(name);
        let plain = |x, weights| Problem::new(x, &training.labels, weights).map_err(core);
        let raw = raw.features(&training.x).map(|x| plain(x, weights.clone())).transpose()?;
        let mut problem = plain(&training.x, weights)?;
        self.class_weights.apply(&mut problem)?;
        check_learner(self.data.memory, name, learner.as_ref(), &problem)?;
        let folded = folded.as_ref();
        let setup = Setup { request: self, name, training: &training, problem: &problem, folded };
        if let Some(test) = test {
            setup.check_test(test, watch)?;
        }

        // 2. Separable classes, then λ.
        let separated = setup.separated(learner.as_ref(), raw.as_ref(), watch)?;
        let read = clock.elapsed().as_secs_f64();
        let clock = Instant::now();
        watch.phase(Phase::Partial(self.timeout));
        watch.stage("training", None);
        let tuned = setup.tuned(learner.as_ref(), watch)?;
        let tuning = tuned.map(|(tuned, tuning)| {
            learner = Box::new(tuned);
            tuning
        });
        let learner = inference.as_ref().map_or(learner.as_ref(), |own| &own.learner);

        // 3. Train, post-process and certify.
        let choices = setup.explained(learner)?;
        let start = setup.start(learner)?;
        let (fit, path) = setup.trained(learner, start.as_deref(), watch)?;
        setup.refuse_early_end(&fit, start.as_deref())?;
        let (fit, processed) = setup.post_processed(fit, learner, watch)?;
        let fit = setup.certified(fit, separated.as_ref())?;
        if let Some(inference) = &inference {
            setup.require_estimates(&fit, inference, raw.as_ref(), watch)?;
        }
        let trained = clock.elapsed().as_secs_f64();

        // 4. The model file, the remaining claims, and the evaluation.
        let mut model_file = setup.model_file(&fit, learner, inference.as_ref())?;
        let summary = &mut model_file.header.training;
        summary.tuning = tuning.or_else(|| tune::leave_one_out(&setup, &fit));
        summary.post_processing = processed;
        summary.separation = match separated {
            None => setup.separated_beside_firth(inference.as_ref(), raw.as_ref(), watch),
            found => found,
        };
        summary.mistake_bounds = setup.mistake_bounds(&fit, learner, start.is_some(), watch)?;
        // An evaluation on a long file would delay the end that the user requested.
        let interrupted = watch.cancel().reason() == Some(StopReason::Interrupted);
        watch.phase(Phase::Whole);
        let evaluated = match test {
            Some(_) if interrupted => None,
            test => setup.evaluated(&model_file, test, aside.as_ref(), watch)?,
        };
        let seconds = Seconds { read, work: trained };
        let (solvers, schemes) = choices;
        Ok(FitOutcome {
            solvers,
            schemes,
            path,
            evaluated,
            checked,
            seconds,
            ..FitOutcome::new(&setup, learner, fit, model_file)
        })
    }

    /// Time limit in seconds of each analysis beside training: separation, existence, margins.
    fn side_limit(&self) -> Option<f64> {
        self.timeout.map(|seconds| seconds / 4.0)
    }

    /// The seed of all random numbers.
    fn seed(&self) -> u64 {
        self.method.options.seed.unwrap_or_default()
    }
}
