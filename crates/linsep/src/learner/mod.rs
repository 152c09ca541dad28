//! Problem in, model out.
//!
//! A [`Learner`] learns all classes at once. [`Reduced`] is the one that applies a [`Solver`](crate::solver::Solver), which
//! finds single planes: two classes take one, more follow a [`Scheme`]. [`ALL`] is the register of methods
//! that parsing, help and the model file walk.

mod facts;
mod fit;
mod path;
mod reduced;
mod register;
mod scheme;

pub use facts::{Fact, Facts};
pub use fit::{Fit, Together};
pub use path::{PathPoint, path};
pub use reduced::{Reduced, fit, fit_against};
pub use register::{ALL, Build, Entry, by_name};
pub use scheme::Scheme;

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
