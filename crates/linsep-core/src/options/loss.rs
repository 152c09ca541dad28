//! The losses, by name.

use crate::error::{Error, named};
use crate::loss;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Loss of a method; [`Loss::function`] has its formulas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// ln(1 + e⁻ᵐ).
    #[default]
    Logistic,
    /// max(0, 1−m).
    Hinge,
    /// max(0, 1−m)².
    SquaredHinge,
    /// The hinge, smoothed on \[0, 1\].
    SmoothHinge,
    /// (1−m)².
    Squared,
    /// max(0, −m).
    Perceptron,
}

impl Loss {
    /// Every loss.
    pub const ALL: [Self; 6] = [
        Self::Logistic,
        Self::Hinge,
        Self::SquaredHinge,
        Self::SmoothHinge,
        Self::Squared,
        Self::Perceptron,
    ];

    /// The scalar functions of the loss.
    pub fn function(self) -> &'static dyn loss::Loss {
        match self {
            Self::Logistic => &loss::Logistic,
            Self::Hinge => &loss::Hinge,
            Self::SquaredHinge => &loss::SquaredHinge,
            Self::SmoothHinge => &loss::SmoothHinge,
            Self::Squared => &loss::Squared,
            Self::Perceptron => &loss::Perceptron,
        }
    }

    /// Name, the same in every interface.
    pub fn name(self) -> &'static str {
        self.function().name()
    }
}

impl FromStr for Loss {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self, Error> {
        named("`loss`", word, &Self::ALL, Self::name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_loss_has_one_name() {
        assert_eq!(
            Loss::ALL.map(Loss::name).to_vec(),
            loss::ALL.iter().map(|l| l.name()).collect::<Vec<_>>()
        );
        for loss in Loss::ALL {
            assert_eq!(loss.name().parse(), Ok(loss));
        }
        let refusal = "hing".parse::<Loss>().unwrap_err().to_string();
        assert!(refusal.starts_with("`loss`: expected one of"), "{refusal}");
    }
}
