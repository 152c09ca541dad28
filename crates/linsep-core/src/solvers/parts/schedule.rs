//! Step length schedules.

use crate::error::{Error, named};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Step length of step t = 0, 1, 2, … for a first length η.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// η in every step.
    #[default]
    Constant,
    /// η / (t + 1).
    #[serde(rename = "1/t")]
    InverseT,
    /// η / √(t + 1).
    #[serde(rename = "1/sqrt(t)")]
    InverseSqrtT,
    /// η, halved until the objective falls enough (Armijo rule).
    Backtracking,
    /// From a curvature bound of the objective; η is not used.
    Automatic,
}

impl Schedule {
    /// All schedules.
    pub const ALL: [Self; 5] =
        [Self::Constant, Self::InverseT, Self::InverseSqrtT, Self::Backtracking, Self::Automatic];

    /// Name, the same in every interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::Constant => "constant",
            Self::InverseT => "1/t",
            Self::InverseSqrtT => "1/sqrt(t)",
            Self::Backtracking => "backtracking",
            Self::Automatic => "automatic",
        }
    }

    /// Length of step t; for a line search, the first trial.
    pub fn length(self, eta: f64, t: u64) -> f64 {
        match self {
            Self::Constant | Self::Backtracking | Self::Automatic => eta,
            Self::InverseT => eta / (t as f64 + 1.0),
            Self::InverseSqrtT => eta / (t as f64 + 1.0).sqrt(),
        }
    }
}

impl FromStr for Schedule {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self, Error> {
        named("`schedule`", word, &Self::ALL, Self::name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths() {
        let at_3 = |schedule: Schedule| schedule.length(2.0, 3);
        assert_eq!(Schedule::ALL.map(at_3), [2.0, 0.5, 1.0, 2.0, 2.0]);
        assert_eq!("1/sqrt(t)".parse(), Ok(Schedule::InverseSqrtT));
    }
}
