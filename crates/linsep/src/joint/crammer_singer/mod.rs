//! Crammer and Singer's support vector machine: each class against its strongest rival, all at once.
//!
//! ```text
//!   F(W, b) = (1/S) Σ sᵢ maxⱼ (zᵢⱼ + [j ≠ cᵢ]) − zᵢ_cᵢ  +  (λ/2) Σⱼ ‖wⱼ‖²,        zᵢⱼ = wⱼ·xᵢ + bⱼ,  cᵢ the class of row i
//! ```
//!
//! A row costs nothing where its own class is ahead of every other by 1. The biases are not penalised.
//!
//! # The dual
//!
//! A maximum over j is a maximum over weights pᵢ ≥ 0 with Σⱼ pᵢⱼ = 1. Minimising over W for fixed p gives wⱼ = (1/λS) Σ sᵢ ([j = cᵢ] − pᵢⱼ) xᵢ, so
//!
//! ```text
//!   D(p) = (1/S) Σ sᵢ (1 − pᵢ_cᵢ) − (λ/2) Σⱼ ‖wⱼ‖²,        and for free biases  Σᵢ sᵢ pᵢⱼ = Sⱼ, the weight of class j, for every j
//! ```
//!
//! is at most F at all planes. It is what all that is proved here rests on (see `proofs`).
//!
//! # Two ways
//!
//! * one row's p at a time, best for all others as they are (see `descent`): a step is cheap, and rows that have few columns in common hardly disturb each other;
//! * all of them together, each held near where it was, by Newton's method (see `proximal`): for few columns, where every row disturbs every other.
//!
//! Source: Crammer & Singer, *On the algorithmic implementation of multiclass kernel-based vector machines*, JMLR 2 (2001).

mod balance;
mod curvature;
mod descent;
mod points;
mod proofs;
mod proximal;
mod simplex;
#[cfg(test)]
mod tests;

use super::{Found, start};
use crate::control::Watch;
use crate::data::{Plane, Problem};
use crate::error::Error;
use crate::minimise::Goal;
use crate::solver::Convex;

/// Settings of Crammer and Singer's machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrammerSinger {
    /// λ > 0.
    pub lambda: f64,
    /// Whether planes have biases.
    pub intercept: bool,
    /// When it is good enough.
    pub goal: Goal,
    /// Seed of the order of rows.
    pub seed: u64,
    /// How it is minimised.
    pub way: Way,
}

/// How it is minimised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Way {
    /// As should be fastest.
    #[default]
    Auto,
    /// One row's point of the simplex at a time.
    Descent,
    /// All of them together.
    Proximal,
}

impl CrammerSinger {
    /// With the strength, the goal and the seed of a criterion of two classes.
    pub fn of(convex: &Convex, problem: &Problem<'_>) -> Self {
        Self {
            lambda: convex.lambda(problem.weights().iter().sum()),
            intercept: convex.intercept,
            goal: convex.goal,
            seed: convex.options.seed.unwrap_or_default(),
            way: if convex.solver == "dual-cd" { Way::Descent } else { Way::Auto },
        }
    }

    /// Refuses a λ that is not above 0.
    pub fn check(&self) -> Result<(), Error> {
        if !(self.lambda > 0.0 && self.lambda.is_finite()) {
            let want = "finite and above 0";
            return Err(Error::Setting { name: "lambda", got: self.lambda, want });
        }
        self.goal.check()
    }

    /// Runs until there is a reason to stop.
    pub fn minimise(
        &self,
        problem: &Problem<'_>,
        starts: Option<&[Plane]>,
        watch: &mut dyn Watch,
    ) -> Result<Found, Error> {
        self.check()?;
        watch.plane(0, 1);
        let start = start(problem, starts)?;
        let together = match self.way {
            Way::Auto => proximal::suits(problem),
            Way::Descent => false,
            Way::Proximal => true,
        };
        Ok(if together {
            proximal::minimise(*self, problem, &start, watch)
        } else {
            descent::minimise(*self, problem, &start, watch)
        })
    }
}
