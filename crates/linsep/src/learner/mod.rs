//! Problem in, model out.
//!
//! A [`Learner`] learns all classes at once. [`Reduced`] is the one that applies a [`Solver`](crate::solver::Solver), which
//! finds single planes: two classes take one, more follow a [`Scheme`]. The closed forms learn from
//! [`Moments`](crate::data::Moments) and nothing else, in one pass:
//!
//! | method | planes | kind of model |
//! |---|---|---|
//! | `least-squares` | nearest to 1-of-K targets | a discriminant |
//! | `fisher` | means far apart, classes narrow; directions to project onto | a discriminant |
//! | `gaussian` | equal posterior probabilities of Gaussian classes | generative |
//!
//! [`Likelihood`] is logistic regression with standard errors, tests and intervals.
//!
//! [`ALL`] is the register of methods that parsing, help and the model file walk.

mod certified;
mod convergence;
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
mod parts;
mod path;
mod reduced;
mod register;
mod scheme;
mod stored;
mod view;

pub use convergence::{Convergence, convergence};
pub use existence::{Optimum, Verdicts, at_stake, verdicts};
pub use facts::{Fact, Facts};
pub use fisher::{Bias, Fisher, mean_direction};
pub use fit::{Certified, Fit, Together};
pub use gaussian::Gaussian;
pub use least_squares::LeastSquares;
pub use likelihood::Likelihood;
pub use majority::Majority;
pub use parts::{Priors, Shrinkage};
pub use path::{PathPoint, along, lambdas, path};
pub use reduced::{Reduced, fit, fit_against};
pub use register::{ALL, Build, Entry, by_name};
pub use scheme::Scheme;
use stored::as_stored;
pub use view::view;

use crate::control::Watch;
use crate::data::{Plane, Problem};
use crate::error::Error;
use crate::options::Setting;

/// Learns a model, whatever the number of classes.
pub trait Learner: Sync {
    /// The name used in every face.
    fn name(&self) -> &'static str;

    /// The settings in force, by name.
    fn settings(&self) -> Vec<(&'static str, Setting)>;

    /// Whether the settings are in range.
    fn check(&self) -> Result<(), Error>;

    /// Bytes of memory that learning takes beside the features, about, before anything is allocated.
    fn memory(&self, problem: &Problem<'_>) -> u64;

    /// Itself, if it applies a solver that finds single planes.
    fn as_reduced(&self) -> Option<&Reduced> {
        None
    }

    /// Learns. Starts from one plane per plane of the model where it starts from planes at all. Of two classes
    /// `positive` (0 or 1) is the one whose scores are positive; without it, the second.
    fn learn(
        &self,
        problem: &Problem<'_>,
        starts: Option<&[Plane]>,
        positive: Option<usize>,
        watch: &mut dyn Watch,
    ) -> Result<Fit, Error>;
}

/// Refuses planes to start from.
fn no_start(method: &'static str, starts: Option<&[Plane]>) -> Result<(), Error> {
    if starts.is_none() {
        return Ok(());
    }
    let runs = |entry: &&Entry| matches!(entry.build, Build::Solver(_));
    let takers = ALL.iter().filter(runs).map(|entry| entry.name).collect();
    Err(Error::NoSuchSetting { method, name: "start", takers })
}

/// Neither side of the matrix is small enough.
fn too_wide(method: &'static str, problem: &Problem<'_>) -> Error {
    Error::TooWide {
        method,
        d: problem.x().d(),
        n: problem.x().n(),
        instead: "leave columns out, or take logistic or least-squares with a lambda (which finds Fisher's \
                  direction between two classes, with a ridge): they have no such limit",
    }
}
