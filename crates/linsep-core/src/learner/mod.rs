//! Learners: from a problem to a model.
//!
//! A [`Learner`] fits a model of any number of classes. [`MulticlassLearner`] applies a binary
//! [`BinaryLearner`](crate::binary::BinaryLearner): two classes take one hyperplane, more follow a
//! [`Scheme`]. The closed forms depend on [`Moments`](crate::data::Moments) alone, from one pass:
//!
//! | method | hyperplanes | type of model |
//! |---|---|---|
//! | `least-squares` | nearest to 1-of-K targets | discriminant |
//! | `fisher` | class means far apart, classes narrow; directions of projection | discriminant |
//! | `gaussian` | equal posterior probabilities of Gaussian classes | generative |
//!
//! [`LogisticInference`] is logistic regression with standard errors, tests and intervals.
//!
//! [`ALL`] is the registry of methods that parsing, help and the model file iterate over.

mod certified;
mod convergence;
mod criterion;
mod existence;
mod facts;
mod fisher;
mod fit;
mod gaussian;
mod least_squares;
mod leave_one_out;
mod likelihood;
mod majority;
mod memory;
mod method;
mod parts;
mod path;
mod reduced;
mod registry;
mod scheme;
mod stored;
mod view;

pub use convergence::{MistakeBound, convergence};
pub use existence::{SeparationEffect, SeparationEffects, separation_effect, separation_effects};
pub use facts::{Fact, Facts};
pub use fisher::{Fisher, InterceptRule, mean_direction};
pub use fit::{Certified, FitResult, JointRun};
pub use gaussian::Gaussian;
pub use least_squares::LeastSquares;
pub use likelihood::LogisticInference;
pub use majority::Majority;
pub use method::Method;
pub use parts::{Priors, Shrinkage};
pub use path::{PathPoint, along, lambdas, path};
pub use reduced::{MulticlassLearner, fit, fit_against};
pub use registry::{ALL, Build, Entry, by_name};
pub use scheme::Scheme;
use stored::in_storage_order;
pub use view::view;

use crate::control::Observer;
use crate::data::{Hyperplane, Problem};
use crate::error::Error;
use crate::options::Setting;

/// Fits a model, with any number of classes.
pub trait Learner: Sync {
    /// Name, the same in every interface.
    fn name(&self) -> &'static str;

    /// Settings in force, by name.
    fn settings(&self) -> Vec<(&'static str, Setting)>;

    /// Checks that the settings are in range.
    fn check(&self) -> Result<(), Error>;

    /// Estimated memory of training besides the features, in bytes, before any allocation.
    fn memory(&self, problem: &Problem<'_>) -> u64;

    /// The learner as [`MulticlassLearner`], if it applies a binary learner.
    fn as_reduced(&self) -> Option<&MulticlassLearner> {
        None
    }

    /// Fits a model. An iterative learner starts from `starts`, one hyperplane per hyperplane of
    /// the model. Of two classes, class `positive` (0 or 1) has positive scores; by default the
    /// second.
    fn learn(
        &self,
        problem: &Problem<'_>,
        starts: Option<&[Hyperplane]>,
        positive: Option<usize>,
        watch: &mut dyn Observer,
    ) -> Result<FitResult, Error>;
}

/// Rejects start hyperplanes.
fn no_start(method: &'static str, starts: Option<&[Hyperplane]>) -> Result<(), Error> {
    if starts.is_none() {
        return Ok(());
    }
    let runs = |entry: &&Entry| matches!(entry.build, Build::Solver(_));
    let takers = ALL.iter().filter(runs).map(|entry| entry.name).collect();
    Err(Error::NoSuchSetting { method, name: "start", takers })
}

/// Error for a matrix with too many rows and columns.
fn too_wide(method: &'static str, problem: &Problem<'_>) -> Error {
    Error::TooWide {
        method,
        d: problem.x().d(),
        n: problem.x().n(),
        instead: "Drop columns, or use `method=logistic` or least-squares with `lambda` (for two \
            classes, a ridge-regularized Fisher direction), which have no such limit",
    }
}
