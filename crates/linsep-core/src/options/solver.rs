//! The solvers, by name.

use crate::error::{Error, named};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Solver of a method that minimizes an objective; [`crate::solvers`] has one file for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Solver {
    /// The solver of lowest estimated cost.
    #[default]
    Auto,
    /// Newton's method.
    Newton,
    /// Newton's method with conjugate gradients.
    NewtonCg,
    /// Limited-memory BFGS.
    Lbfgs,
    /// Dual coordinate descent.
    DualCd,
    /// Coordinate descent on a working set.
    WorkingSetCd,
    /// Interior-point method.
    InteriorPoint,
    /// Smoothing of a loss with a kink.
    Smoothing,
    /// Gradient descent.
    GradientDescent,
    /// Stochastic gradient descent.
    Sgd,
}

impl Solver {
    /// Every solver, `auto` first.
    pub const ALL: [Self; 10] = [
        Self::Auto,
        Self::Newton,
        Self::NewtonCg,
        Self::Lbfgs,
        Self::DualCd,
        Self::WorkingSetCd,
        Self::InteriorPoint,
        Self::Smoothing,
        Self::GradientDescent,
        Self::Sgd,
    ];

    /// Name, the same in every interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Newton => "newton",
            Self::NewtonCg => "newton-cg",
            Self::Lbfgs => "lbfgs",
            Self::DualCd => "dual-cd",
            Self::WorkingSetCd => "working-set-cd",
            Self::InteriorPoint => "interior-point",
            Self::Smoothing => "smoothing",
            Self::GradientDescent => "gradient-descent",
            Self::Sgd => "sgd",
        }
    }
}

impl FromStr for Solver {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self, Error> {
        named("`solver`", word, &Self::ALL, Self::name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solvers;

    #[test]
    fn every_solver_has_one_name() {
        let all = solvers::all(&solvers::Options::default());
        let registered: Vec<&str> = all.iter().map(|solver| solver.name()).collect();
        assert_eq!(Solver::ALL.map(Solver::name)[1..], registered[..]);
        for solver in Solver::ALL {
            assert_eq!(solver.name().parse(), Ok(solver));
        }
    }
}
