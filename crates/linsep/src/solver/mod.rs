//! Ways to find a plane: one file each.
//!
//! Two families. `logistic`, `svm` and `convex` find the least of a criterion, with a proof ([`Convex`]). The others correct
//! mistakes:
//!
//! | method | how it corrects mistakes | ends on separable data |
//! |---|---|---|
//! | `perceptron` | row by row, as they come | yes, after at most (R/γ)² corrections |
//! | `batch-perceptron` | all of an epoch in one step | yes |
//! | `averaged-perceptron` | row by row; answers with the mean of all planes met | yes |
//! | `pocket` | row by row; keeps the plane that made the fewest mistakes | yes |
//! | `gradient-descent` | along the gradient of the perceptron criterion, by a step schedule | see there |
//!
//! All of them learn from a [`Binary`] problem, never fail to end, and return the best plane they
//! can answer for. They are methods of [`learner::ALL`](crate::learner::ALL), the register that parsing, help and tests walk.

pub(crate) mod batch_perceptron;
pub(crate) mod convex;
pub(crate) mod gradient_descent;
mod parts;
pub(crate) mod perceptron;

pub use crate::minimise::Schedule;
pub use batch_perceptron::BatchPerceptron;
pub use convex::{Convex, Strength};
pub use gradient_descent::GradientDescent;
pub(crate) use parts::{CycleDetector, RowOrder};
pub use parts::{Order, Tie};
pub use perceptron::{Perceptron, PerceptronVariant};

use crate::certify::{Enclosure, OptimalityCertificate};
use crate::control::{Cancel, Stop, Watch};
use crate::data::{Binary, Plane};
use crate::error::Error;
use crate::minimise::Candidate;
use crate::model::Link;
use crate::options::Setting;
use std::sync::Arc;

/// What a run ended with.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// The answer; every number in it is finite.
    pub plane: Plane,
    /// Why the run ended.
    pub stop: Stop,
    /// Passes over the data.
    pub epochs: u64,
    /// Corrections of the plane.
    pub updates: u64,
    /// Weight of the training rows the plane has on the wrong side.
    pub mistakes: f64,
    /// How far it is from optimal at most, where a criterion was minimised.
    pub certificate: Option<OptimalityCertificate>,
    /// Where the scores of every optimum lie.
    pub(crate) enclosure: Option<Arc<Enclosure>>,
    /// The way of minimising, where there was a choice.
    pub way: Option<&'static str>,
}

impl Solution {
    /// Of a run that was not begun, as it was to end before: the plane is where it would have started.
    pub(crate) fn unbegun(problem: &Binary<'_>, start: Plane) -> Self {
        // Of zero coefficients all scores are 0, without a pass.
        let zero = start.is_zero();
        let scores = if zero { vec![0.0; problem.x().n()] } else { start.scores(problem.x()) };
        let rows = scores.into_iter().zip(problem.y()).zip(problem.s());
        let wrong = rows.filter(|((z, y), _)| (*z >= 0.0) != (**y > 0.0));
        Self {
            mistakes: wrong.map(|(_, s)| s).sum(),
            plane: start,
            stop: Stop::Asked,
            epochs: 0,
            updates: 0,
            certificate: None,
            enclosure: None,
            way: None,
        }
    }

    /// Whether the run was to end before its hyperplane was any better than the start.
    pub fn is_unbegun(&self) -> bool {
        let told = matches!(self.stop, Stop::Asked | Stop::Time);
        told && self.epochs == 0 && self.updates == 0
    }

    /// The same, where the token of the run says why it was to end.
    pub(crate) fn because(self, token: &Cancel) -> Self {
        let stop = match (self.stop, token.reason()) {
            (Stop::Asked, Some(reason)) => reason,
            (stop, _) => stop,
        };
        Self { stop, ..self }
    }
}

/// Finds a plane.
pub trait Solver: Sync {
    /// The name used in every face.
    fn name(&self) -> &'static str;

    /// The settings in force, by name.
    fn settings(&self) -> Vec<(&'static str, Setting)>;

    /// Whether the settings are in range.
    fn check(&self) -> Result<(), Error>;

    /// What its scores say about probabilities.
    fn link(&self) -> Link {
        Link::None
    }

    /// The ways it can choose from, with what they would cost on this problem.
    fn candidates(&self, _problem: &Binary<'_>) -> Result<Vec<Candidate>, Error> {
        Ok(Vec::new())
    }

    /// Itself, if it is a perceptron, which also learns several classes jointly.
    fn as_perceptron(&self) -> Option<&Perceptron> {
        None
    }

    /// How its corrections from zero are bounded on rows that can be separated, if they are.
    fn corrects(&self, problem: &Binary<'_>) -> Option<Corrects> {
        let rule = self.as_perceptron()?;
        let part = smallest_part(problem.s());
        Some(Corrects { lift: rule.intercept, times: 1.0 / part, eta: rule.eta, part })
    }

    /// Itself, if it minimises a criterion.
    fn as_convex(&self) -> Option<&Convex> {
        None
    }

    /// Runs from `start` until there is a reason to [`Stop`].
    fn solve(
        &self,
        problem: &Binary<'_>,
        start: Plane,
        watch: &mut dyn Watch,
    ) -> Result<Solution, Error>;
}

/// How corrections are bounded: by so many times (R/γ)².
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corrects {
    /// Whether a row is (x, 1), and not x.
    pub lift: bool,
    /// How many times.
    pub times: f64,
    /// Step length η.
    pub eta: f64,
    /// The smallest part of a row that a correction is by.
    pub part: f64,
}

/// The smallest part of a row that a single correction can be by: 1 where weights are whole numbers.
pub(crate) fn smallest_part(s: &[f64]) -> f64 {
    s.iter().map(|s| s.fract()).filter(|part| *part > 0.0).fold(1.0, f64::min)
}

/// Refuses a start plane of another dimension or with numbers that are not finite.
fn check_start(problem: &Binary<'_>, start: &Plane) -> Result<(), Error> {
    let (got, want) = (start.d(), problem.x().d());
    if got != want {
        return Err(Error::Shape { what: "start weights", got, want });
    }
    match start.w.iter().chain([&start.b]).find(|v| !v.is_finite()) {
        Some(&got) => Err(Error::Setting { name: "start", got, want: "finite" }),
        None => Ok(()),
    }
}

/// Refuses a step length that is not a normal double above 0. A subnormal η has fewer than 53 bits, so ηx would not be x
/// scaled. The upper end needs no limit: a run that overflows ends as diverged, with a finite answer.
pub(crate) fn check_eta(eta: f64) -> Result<(), Error> {
    if eta.is_normal() && eta > 0.0 {
        return Ok(());
    }
    let want = "finite and at least 2.2250738585072014e-308";
    Err(Error::Setting { name: "eta", got: eta, want })
}
