//! Binary learners: one file each.
//!
//! Two families. `logistic`, `svm` and `convex` minimize an objective, with a certificate
//! ([`RegularizedErm`]). The others update on misclassified rows:
//!
//! | method | update | ends on separable data |
//! |---|---|---|
//! | `perceptron` | row by row | yes, after at most (R/γ)² updates |
//! | `batch-perceptron` | all misclassified rows of an epoch in one step | yes |
//! | `averaged-perceptron` | row by row; returns the mean of all hyperplanes | yes |
//! | `pocket` | row by row; returns the hyperplane with the fewest misclassified rows | yes |
//! | `gradient-descent` | gradient of the perceptron criterion, by a step schedule | see there |
//!
//! All of them fit a [`BinaryProblem`] problem, always terminate, and return the best finite
//! hyperplane. They are methods of [`learner::ALL`](crate::learner::ALL), the registry that
//! parsing, help and tests iterate over.

pub(crate) mod batch_perceptron;
pub(crate) mod convex;
pub(crate) mod gradient_descent;
mod parts;
pub(crate) mod perceptron;

pub use crate::solvers::Schedule;
pub use batch_perceptron::BatchPerceptron;
pub use convex::{RegularizationStrength, RegularizedErm};
pub use gradient_descent::GradientDescent;
pub use parts::{Order, Tie};
pub(crate) use perceptron::{Coefficients, Pass, Selector, run_epochs};
pub use perceptron::{Perceptron, PerceptronVariant};

use crate::certify::{Enclosure, OptimalityCertificate};
use crate::control::{Cancel, Observer, StopReason};
use crate::data::{BinaryProblem, Hyperplane};
use crate::error::Error;
use crate::model::Link;
use crate::options::Setting;
use crate::solvers::Candidate;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::sync::Arc;

/// Result of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BinaryFit {
    /// Hyperplane; all its coefficients are finite.
    pub hyperplane: Hyperplane,
    /// Stop reason.
    pub stop: StopReason,
    /// Epochs: passes over the data.
    pub epochs: u64,
    /// Updates of the hyperplane.
    pub updates: u64,
    /// Total weight of the misclassified training rows.
    #[serde(with = "crate::float")]
    pub mistakes: f64,
    /// Certificate of optimality, if an objective was minimized.
    pub certificate: Option<OptimalityCertificate>,
    /// Bounds on the scores of every minimizer.
    #[serde(skip)]
    pub(crate) enclosure: Option<Arc<Enclosure>>,
    /// Name of the solver, if there was a choice.
    pub solver: Option<Cow<'static, str>>,
}

impl BinaryFit {
    /// Result of a run stopped before its first epoch: the hyperplane is the starting point.
    pub(crate) fn not_started(problem: &BinaryProblem<'_>, start: Hyperplane) -> Self {
        // With zero coefficients all scores are 0, without a pass.
        let zero = start.is_zero();
        let scores = if zero { vec![0.0; problem.x().n()] } else { start.scores(problem.x()) };
        let rows = scores.into_iter().zip(problem.y()).zip(problem.s());
        let wrong = rows.filter(|((z, y), _)| (*z >= 0.0) != (**y > 0.0));
        Self {
            mistakes: wrong.map(|(_, s)| s).sum(),
            hyperplane: start,
            stop: StopReason::Interrupted,
            epochs: 0,
            updates: 0,
            certificate: None,
            enclosure: None,
            solver: None,
        }
    }

    /// Whether the run was interrupted before its first epoch or update.
    pub(crate) fn is_not_started(&self) -> bool {
        let interrupted = matches!(self.stop, StopReason::Interrupted | StopReason::TimeLimit);
        interrupted && self.epochs == 0 && self.updates == 0
    }

    /// Replaces the stop reason of an interrupted run by the reason that the token gives.
    pub(crate) fn with_stop_reason(self, token: &Cancel) -> Self {
        let stop = match (self.stop, token.reason()) {
            (StopReason::Interrupted, Some(reason)) => reason,
            (stop, _) => stop,
        };
        Self { stop, ..self }
    }
}

/// Fits a hyperplane.
pub trait BinaryLearner: Sync {
    /// Name, the same in every interface.
    fn name(&self) -> &'static str;

    /// Settings in force, by name.
    fn settings(&self) -> Vec<(&'static str, Setting)>;

    /// Checks that the settings are in range.
    fn check(&self) -> Result<(), Error>;

    /// Link from scores to probabilities.
    fn link(&self) -> Link {
        Link::None
    }

    /// Solvers to choose from, with their estimated costs on this problem.
    fn candidates(&self, _problem: &BinaryProblem<'_>) -> Result<Vec<Candidate>, Error> {
        Ok(Vec::new())
    }

    /// This learner, if it is a perceptron, which also learns several classes jointly.
    fn as_perceptron(&self) -> Option<&Perceptron> {
        None
    }

    /// Bound on the updates from zero on separable rows, if there is one.
    fn update_bound(&self, problem: &BinaryProblem<'_>) -> Option<UpdateBound> {
        let rule = self.as_perceptron()?;
        let part = smallest_part(problem.s());
        Some(UpdateBound { lift: rule.intercept, times: 1.0 / part, eta: rule.eta, part })
    }

    /// The learner as [`RegularizedErm`], if it minimizes an objective.
    fn as_convex(&self) -> Option<&RegularizedErm> {
        None
    }

    /// Runs from `start` until a stop reason ([`StopReason`]) holds.
    fn fit(
        &self,
        problem: &BinaryProblem<'_>,
        start: Hyperplane,
        watch: &mut dyn Observer,
    ) -> Result<BinaryFit, Error>;
}

/// Bound on the updates, as a multiple of (R/γ)².
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UpdateBound {
    /// Whether a row is (x, 1) rather than x.
    pub lift: bool,
    /// Factor of (R/γ)².
    pub times: f64,
    /// Step length η.
    pub eta: f64,
    /// Smallest fraction of a row in a single update.
    pub part: f64,
}

/// Smallest fraction of a row in a single update: 1 if all sample weights are integers.
pub(crate) fn smallest_part(s: &[f64]) -> f64 {
    s.iter().map(|s| s.fract()).filter(|part| *part > 0.0).fold(1.0, f64::min)
}

/// Rejects a start of another dimension or with values that are not finite.
fn check_start(problem: &BinaryProblem<'_>, start: &Hyperplane) -> Result<(), Error> {
    let (got, want) = (start.d(), problem.x().d());
    if got != want {
        return Err(Error::Shape { what: "coefficients of the starting point", got, want });
    }
    match start.w.iter().chain([&start.b]).find(|v| !v.is_finite()) {
        Some(&got) => Err(Error::Setting { name: "start", got, want: "a finite number" }),
        None => Ok(()),
    }
}

/// Rejects a step length that is not a positive normal double. A subnormal η has fewer than 53
/// bits, so ηx would not be a scaled x. No upper limit is needed: a run that overflows ends as
/// diverged, with a finite result.
pub(crate) fn check_eta(eta: f64) -> Result<(), Error> {
    if eta.is_normal() && eta > 0.0 {
        return Ok(());
    }
    let want = "a finite number of at least 2.2250738585072014e-308";
    Err(Error::Setting { name: "eta", got: eta, want })
}
