//! Settings as given by a user and as shown in reports: one list for all methods.
//!
//! [`Loss`], [`Penalty`] and [`Solver`] are what a user chooses by name. The items that these names
//! stand for have files of their own: [`crate::loss`], [`crate::penalty`], [`crate::solvers`].

mod loss;
mod penalty;
mod solver;

pub use loss::Loss;
pub use penalty::Penalty;
pub use solver::Solver;

use crate::binary::{Order, Tie};
use crate::learner::{InterceptRule, Priors, Scheme, Shrinkage};
use crate::solvers::Schedule;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// The value of a setting, for reports and model files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Setting {
    /// A number.
    Number(f64),
    /// A word or a list of words.
    Word(Cow<'static, str>),
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(v) => write!(f, "{v}"),
            Self::Word(word) => f.write_str(word),
        }
    }
}

/// Settings as given by a user: `None` keeps the default of the method.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[allow(missing_docs)] // the fields have the names of the settings
pub struct Options {
    pub eta: Option<f64>,
    pub epochs: Option<u64>,
    pub tie: Option<Tie>,
    pub order: Option<Order>,
    pub seed: Option<u64>,
    pub schedule: Option<Schedule>,
    pub loss: Option<Loss>,
    pub penalty: Option<Penalty>,
    pub lambda: Option<f64>,
    pub c: Option<f64>,
    pub l1_ratio: Option<f64>,
    pub solver: Option<Solver>,
    pub tol: Option<f64>,
    pub intercept: Option<bool>,
    pub bias: Option<InterceptRule>,
    pub dims: Option<usize>,
    pub priors: Option<Priors>,
    pub shrinkage: Option<Shrinkage>,
    pub loo: Option<bool>,
    pub multiclass: Option<Scheme>,
}

impl Options {
    /// Names of the settings that were given and that a method may lack. The multiclass scheme is
    /// checked elsewhere. A seed may always be given: methods without random numbers ignore it.
    pub(crate) fn given(&self) -> impl Iterator<Item = &'static str> {
        let all = [
            ("eta", self.eta.is_some()),
            ("max-iter", self.epochs.is_some()),
            ("tie", self.tie.is_some()),
            ("order", self.order.is_some()),
            ("schedule", self.schedule.is_some()),
            ("loss", self.loss.is_some()),
            ("penalty", self.penalty.is_some()),
            ("lambda", self.lambda.is_some()),
            ("c", self.c.is_some()),
            ("l1-ratio", self.l1_ratio.is_some()),
            ("solver", self.solver.is_some()),
            ("tol", self.tol.is_some()),
            ("intercept", self.intercept.is_some()),
            ("intercept-rule", self.bias.is_some()),
            ("dims", self.dims.is_some()),
            ("priors", self.priors.is_some()),
            ("shrinkage", self.shrinkage.is_some()),
            ("loo", self.loo.is_some()),
        ];
        all.into_iter().filter(|(_, given)| *given).map(|(name, _)| name)
    }
}
