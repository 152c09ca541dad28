//! The penalties, by name: which parts of λ₁‖w‖₁ + (λ₂/2)‖w‖² they have.
//!
//! | name | λ₁ | λ₂ |
//! |---|---|---|
//! | `l2` | 0 | λ |
//! | `l1` | λ | 0 |
//! | `elastic-net` | ρλ | (1−ρ)λ |
//! | `none` | 0 | 0 |

use crate::error::{Error, named};
use crate::penalty;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Penalty of a method; [`penalty::Penalty`] adds its strengths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Penalty {
    /// λ‖w‖²/2: shrinks all coefficients (ridge).
    #[default]
    L2,
    /// λ‖w‖₁: sets many coefficients to exactly zero (lasso).
    L1,
    /// λ(ρ‖w‖₁ + (1−ρ)‖w‖²/2).
    ElasticNet,
    /// No penalty.
    None,
}

impl Penalty {
    /// Every penalty.
    pub const ALL: [Self; 4] = [Self::L2, Self::L1, Self::ElasticNet, Self::None];

    /// Name, the same in every interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::L2 => "l2",
            Self::L1 => "l1",
            Self::ElasticNet => "elastic-net",
            Self::None => "none",
        }
    }

    /// One line for help texts.
    pub fn about(self) -> &'static str {
        match self {
            Self::L2 => "λ‖w‖²/2: shrinks all coefficients (ridge)",
            Self::L1 => "λ‖w‖₁: sets many coefficients to exactly zero (lasso)",
            Self::ElasticNet => "λ(ρ‖w‖₁ + (1−ρ)‖w‖²/2): mixture of l1 and l2",
            Self::None => "no penalty",
        }
    }

    /// The penalty of strength λ, and ρ for the elastic net.
    pub fn with(self, lambda: f64, ratio: f64) -> Result<penalty::Penalty, Error> {
        if !(lambda.is_finite() && lambda >= 0.0) {
            return Err(Error::Setting {
                name: "lambda",
                got: lambda,
                want: "a finite number of at least 0",
            });
        }
        if !(0.0..=1.0).contains(&ratio) {
            let want = "a number between 0 and 1";
            return Err(Error::Setting { name: "l1-ratio", got: ratio, want });
        }
        Ok(self.strengths(lambda, ratio))
    }

    /// The penalty of λ = 1 and ρ = ½, which shows the parts that it has.
    pub fn unit(self) -> penalty::Penalty {
        self.strengths(1.0, 0.5)
    }

    fn strengths(self, lambda: f64, ratio: f64) -> penalty::Penalty {
        let (l1, l2) = match self {
            Self::L2 => (0.0, lambda),
            Self::L1 => (lambda, 0.0),
            Self::ElasticNet => (ratio * lambda, (1.0 - ratio) * lambda),
            Self::None => (0.0, 0.0),
        };
        penalty::Penalty { l1, l2 }
    }
}

impl FromStr for Penalty {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self, Error> {
        named("`penalty`", word, &Self::ALL, Self::name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_strengths_round_trip() {
        for penalty in Penalty::ALL {
            assert_eq!(penalty.with(0.5, 0.25).unwrap().name(), penalty.name());
            assert_eq!(penalty.name().parse(), Ok(penalty));
        }
        let net = penalty::Penalty { l1: 0.125, l2: 0.375 };
        assert_eq!(Penalty::ElasticNet.with(0.5, 0.25), Ok(net));
        for (lambda, ratio, name) in [
            (-1.0, 0.5, "lambda"),
            (f64::NAN, 0.5, "lambda"),
            (f64::INFINITY, 0.5, "lambda"),
            (1.0, 1.5, "l1-ratio"),
        ] {
            let message = Penalty::L1.with(lambda, ratio).unwrap_err().to_string();
            assert!(message.starts_with(&format!("`{name}`: expected")), "{message}");
        }
    }
}
