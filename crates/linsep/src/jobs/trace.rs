//! The steps of a learning rule, as in the tables of the lectures: weight vector w and bias b.

use super::fit::starting_hyperplanes;
use super::plot::Prepared;
use crate::dataset::TrainingSettings;
use crate::error::Error;
use linsep_core::binary::BinaryFit;
use linsep_core::control::{Record, literal};
use linsep_core::learner::{Learner, Method, MulticlassLearner, Scheme};
use linsep_core::{Hyperplane, Label, Observer, StopReason, float};
use linsep_io::Input;
use serde::{Deserialize, Serialize};

/// Request for the steps of a learning rule.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Trace {
    /// Roles of the columns. The features are not standardized, so that the steps can be checked by
    /// hand.
    pub data: TrainingSettings,
    /// The run.
    pub run: Steps,
}

/// A run whose steps are recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Steps {
    /// The method.
    pub method: Method,
    /// Class coded +1, against all others; by default the second of two.
    pub positive: Option<Label>,
    /// Starting coefficients, each hyperplane followed by its intercept; empty for zeros.
    pub start: Vec<f64>,
    /// Limit of recorded steps.
    pub limit: usize,
}

impl Default for Steps {
    fn default() -> Self {
        Self { method: Method::default(), positive: None, start: Vec::new(), limit: 10_000 }
    }
}

/// The steps of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceOutcome {
    /// Name of the method.
    pub method: String,
    /// The multiclass scheme, if all hyperplanes are updated jointly.
    pub multiclass: Option<String>,
    /// Names of the features.
    pub columns: Vec<String>,
    /// The classes.
    pub classes: Vec<Label>,
    /// Index of the class coded +1, of a single hyperplane.
    pub positive: Option<usize>,
    /// The steps.
    pub steps: Vec<Record>,
    /// Whether there were more steps than the limit.
    pub truncated: bool,
    /// Stop reason.
    pub stop: StopReason,
    /// Epochs.
    pub epochs: u64,
    /// Updates of a hyperplane.
    pub updates: u64,
    /// Total weight of the misclassified rows.
    #[serde(with = "float")]
    pub mistakes: f64,
    /// The result: one hyperplane, or one per class.
    pub hyperplanes: Vec<Hyperplane>,
}

/// A recorded run of a single hyperplane.
pub(crate) struct Followed {
    /// Index of the class coded +1.
    pub(crate) positive: usize,
    /// Hyperplane at the start.
    pub(crate) start: Hyperplane,
    pub(crate) trace: linsep_core::Trace,
    solution: BinaryFit,
    pub(crate) method: &'static str,
}

impl Trace {
    /// Refuses contradictory settings, before any file is read.
    pub fn check(&self) -> Result<(), Error> {
        self.run.check()
    }

    /// Trains and records every step.
    pub fn run(&self, data: Input) -> Result<TraceOutcome, Error> {
        self.check()?;
        let mut settings = self.data.clone();
        settings.recipe.standardize = false;
        let own = Prepared::new(data, &settings)?;
        let learner = self.run.method.learner(false)?;
        let reduced = reduced(learner.as_ref())?;
        let joint = is_joint(reduced.scheme) && own.training.labels.k() > 2;
        if joint && self.run.positive.is_none() {
            return self.run.follow_jointly(&own, reduced);
        }
        let Followed { positive, trace, solution, method, .. } = self.run.follow(&own)?;
        Ok(TraceOutcome {
            method: method.to_owned(),
            multiclass: None,
            columns: own.training.recipe.features(),
            classes: own.training.labels.classes().to_vec(),
            positive: Some(positive),
            truncated: trace.is_truncated(),
            steps: trace.into_records(),
            stop: solution.stop,
            epochs: solution.epochs,
            updates: solution.updates,
            mistakes: solution.mistakes,
            hyperplanes: vec![solution.hyperplane],
        })
    }
}

impl Steps {
    /// Refuses a method without steps.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let learner = self.method.learner(false)?;
        let reduced = reduced(learner.as_ref())?;
        let single = is_joint(reduced.scheme) || reduced.scheme == Scheme::OneVsRest;
        if reduced.requested && !single {
            return Err(Error::Request(format!(
                "trace: expected `multiclass=one-vs-rest`, winner-take-all or kesler, found {}",
                reduced.scheme.name()
            )));
        }
        Ok(())
    }

    /// Trains the hyperplane of one class against the rest and records every step.
    pub(crate) fn follow(&self, own: &Prepared) -> Result<Followed, Error> {
        // 1. The positive class.
        let problem = own.problem()?;
        let positive = match (&self.positive, own.training.labels.k()) {
            (Some(class), _) => problem.class(class)?,
            (None, 2) => 1,
            (None, k) => {
                return Err(Error::Request(format!(
                    "{}: a trace has two classes, found {k}. Choose the class to trace against \
                     the rest with `positive`.",
                    literal(&own.name)
                )));
            }
        };

        // 2. Train and record every step.
        let d = own.training.x.d();
        let start = starting_hyperplanes(&self.start, d, 1)?.and_then(|mut starts| starts.pop());
        let start = start.unwrap_or_else(|| Hyperplane::zero(d));
        let mut trace = linsep_core::Trace::new(self.limit);
        let learner = self.method.learner(false)?;
        let solver = reduced(learner.as_ref())?.solver.as_ref();
        let solution = solver.fit(&problem.against_rest(positive), start.clone(), &mut trace)?;
        Ok(Followed { positive, start, trace, solution, method: solver.name() })
    }

    /// Trains the hyperplanes of all classes jointly and records every step.
    fn follow_jointly(
        &self,
        own: &Prepared,
        reduced: &MulticlassLearner,
    ) -> Result<TraceOutcome, Error> {
        let mut trace = linsep_core::Trace::new(self.limit);
        let hyperplanes = reduced.scheme.hyperplanes(own.training.labels.k());
        let starts = starting_hyperplanes(&self.start, own.training.x.d(), hyperplanes)?;
        let watch: &mut dyn Observer = &mut trace;
        let fit = reduced.learn(&own.problem()?, starts.as_deref(), None, watch)?;
        Ok(TraceOutcome {
            method: reduced.solver.name().to_owned(),
            multiclass: fit.multiclass.map(Scheme::name).map(str::to_owned),
            columns: own.training.recipe.features(),
            classes: fit.model.classes().to_vec(),
            positive: None,
            truncated: trace.is_truncated(),
            steps: trace.into_records(),
            stop: fit.stop,
            epochs: fit.epochs,
            updates: fit.updates,
            mistakes: fit.mistakes,
            hyperplanes: fit.model.hyperplanes().to_vec(),
        })
    }
}

/// Returns the reduction of a learner to a binary learner, whose steps can be recorded.
fn reduced(learner: &dyn Learner) -> Result<&MulticlassLearner, Error> {
    learner.as_reduced().ok_or_else(|| {
        Error::Request(format!(
            "trace: `method={}` has no steps to show; use perceptron or batch-perceptron",
            learner.name()
        ))
    })
}

/// Whether a scheme updates all hyperplanes jointly.
fn is_joint(scheme: Scheme) -> bool {
    matches!(scheme, Scheme::WinnerTakeAll | Scheme::Kesler)
}
