//! A method and its settings, by name.

use crate::error::Error;
use linsep_core::learner::{self, Learner};
use linsep_core::options::Options;
use serde::{Deserialize, Serialize};

/// A method and its settings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Method {
    /// Name of the method; by default `logistic`, or `convex` if a loss is given.
    pub name: Option<String>,
    /// The settings that are given; the others keep the defaults of the method.
    pub options: Options,
}

impl Method {
    /// Name of the method.
    pub fn name(&self) -> &str {
        let default = if self.options.loss.is_some() { "convex" } else { learner::ALL[0].name };
        self.name.as_deref().unwrap_or(default)
    }

    /// Whether the method selects λ by leave-one-out cross-validation if it is tuned.
    pub fn leaves_one_out(&self) -> bool {
        learner::ALL.iter().any(|e| e.name == self.name() && e.takes.contains(&"loo"))
    }

    /// The learner; `tuned` enables leave-one-out for a method that provides it.
    pub fn learner(&self, tuned: bool) -> Result<Box<dyn Learner>, Error> {
        let mut options = self.options.clone();
        if tuned && self.leaves_one_out() {
            options.loo = Some(true);
        }
        Ok(learner::by_name(self.name(), &options)?)
    }
}
