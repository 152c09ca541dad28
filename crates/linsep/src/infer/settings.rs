//! What can be asked about coefficients.

use crate::error::{Error, named};
use crate::features::Standardise;
use std::str::FromStr;

/// Where intervals come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Intervals {
    /// Profiles where they cost little, else standard errors.
    #[default]
    Auto,
    /// Standard errors.
    Wald,
    /// Profiles of the likelihood, with likelihood-ratio tests.
    Profile,
}

impl Intervals {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Wald, Self::Profile];

    /// The name used in every face.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Wald => "wald",
            Self::Profile => "profile",
        }
    }
}

impl FromStr for Intervals {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self, Error> {
        named("kind of interval", word, &Self::ALL, Self::name)
    }
}

/// Where standard errors come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Errors {
    /// The information: they hold if the model does.
    #[default]
    Model,
    /// The sandwich.
    Hc0,
    /// The sandwich times n/(n − p).
    Hc1,
}

impl Errors {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Model, Self::Hc0, Self::Hc1];

    /// The name used in every face.
    pub fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Hc0 => "hc0",
            Self::Hc1 => "hc1",
        }
    }
}

impl FromStr for Errors {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self, Error> {
        named("kind of standard error", word, &Self::ALL, Self::name)
    }
}

/// What is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Whether the likelihood has Firth's penalty.
    pub firth: bool,
    /// Level of the intervals, between 0 and 1.
    pub level: f64,
    /// Where intervals come from.
    pub intervals: Intervals,
    /// Where standard errors come from.
    pub errors: Errors,
    /// Columns that get no coefficient, such as the level of a category that the others are compared with.
    pub left_out: Vec<usize>,
    /// Columns that are tested together, such as the levels of a category.
    pub together: Vec<Vec<usize>>,
    /// What the columns are of those that coefficients are reported for; `None` if they are these.
    pub units: Option<Standardise>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            firth: false,
            level: 0.95,
            intervals: Intervals::default(),
            errors: Errors::default(),
            left_out: Vec::new(),
            together: Vec::new(),
            units: None,
        }
    }
}

impl Settings {
    /// Whether they are in range and go together.
    pub fn check(&self) -> Result<(), Error> {
        if !(self.level > 0.0 && self.level < 1.0) {
            return Err(Error::Setting { name: "level", got: self.level, want: "between 0 and 1" });
        }
        if self.errors == Errors::Model {
            return Ok(());
        }
        // A likelihood that is not trusted for its errors is not trusted for its profile, nor for a penalty made of it.
        let solver = self.errors.name();
        let refuse = |lacks, able| Err(Error::Combination { solver, lacks, able: vec![able] });
        match self.intervals {
            _ if self.firth => refuse("maximum likelihood without Firth's penalty", "model"),
            Intervals::Profile => refuse("intervals from standard errors (wald)", "model"),
            _ => Ok(()),
        }
    }
}
