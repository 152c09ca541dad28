//! Settings of the inference.

use crate::error::Error;
use crate::features::Standardization;
use crate::names::names;
use serde::{Deserialize, Serialize};

/// Method of the confidence intervals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Intervals {
    /// Profile likelihood if it is cheap, else standard errors.
    #[default]
    Auto,
    /// Standard errors.
    Wald,
    /// Profile likelihood, with likelihood-ratio tests.
    Profile,
}

names!(Intervals of "`intervals`" {
    Auto => "auto",
    Wald => "wald",
    Profile => "profile",
});

/// Estimator of the standard errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StandardErrors {
    /// The inverse information, valid if the model is correctly specified.
    #[default]
    Model,
    /// The sandwich estimator.
    Hc0,
    /// The sandwich estimator times n/(n − p).
    Hc1,
}

names!(StandardErrors of "`standard-errors`" {
    Model => "model",
    Hc0 => "hc0",
    Hc1 => "hc1",
});

/// Settings of [`infer`](super::infer).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Whether the likelihood has Firth's penalty.
    pub firth: bool,
    /// Confidence level of the intervals, between 0 and 1.
    pub level: f64,
    /// Method of the intervals.
    pub intervals: Intervals,
    /// Estimator of the standard errors.
    pub standard_errors: StandardErrors,
    /// Columns without a coefficient, such as the reference level of a categorical column.
    pub excluded_columns: Vec<usize>,
    /// Groups of columns with a joint test, such as the levels of a categorical column.
    pub joint_groups: Vec<Vec<usize>>,
    /// Standardization of the columns relative to the reported units; `None` if they are equal.
    pub units: Option<Standardization>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            firth: false,
            level: 0.95,
            intervals: Intervals::default(),
            standard_errors: StandardErrors::default(),
            excluded_columns: Vec::new(),
            joint_groups: Vec::new(),
            units: None,
        }
    }
}

impl Settings {
    /// Checks ranges and combinations of the settings.
    pub fn check(&self) -> Result<(), Error> {
        if !(self.level > 0.0 && self.level < 1.0) {
            return Err(Error::Setting {
                name: "level",
                got: self.level,
                want: "a number between 0 \
                and 1",
            });
        }
        if self.standard_errors == StandardErrors::Model {
            return Ok(());
        }
        // Sandwich errors assume a misspecified likelihood, so its profile and its Firth penalty
        // are invalid too.
        let solver = self.standard_errors.name();
        let refuse = |lacks, able| {
            Err(Error::UnmetRequirement {
                setting: "standard-errors",
                solver,
                lacks,
                able: vec![able],
            })
        };
        match self.intervals {
            _ if self.firth => refuse("maximum likelihood without Firth's penalty", "model"),
            Intervals::Profile => refuse("Wald intervals", "model"),
            _ => Ok(()),
        }
    }
}
