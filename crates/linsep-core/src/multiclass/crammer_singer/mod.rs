//! Crammer–Singer support vector machine: the true class against its strongest competitor.
//!
//! ```text
//!   F(W, b) = (1/S) Σ sᵢ [maxⱼ (zᵢⱼ + [j ≠ cᵢ]) − zᵢ_cᵢ]  +  (λ/2) Σⱼ ‖wⱼ‖²
//!
//!   zᵢⱼ = wⱼ·xᵢ + bⱼ,     cᵢ the class of row i
//! ```
//!
//! The loss of a row is 0 if the score of its true class exceeds every other by 1. The intercepts
//! are not penalized.
//!
//! # The dual
//!
//! A maximum over j is a maximum over pᵢ ≥ 0 with Σⱼ pᵢⱼ = 1. Minimizing over W for fixed p gives
//! wⱼ = (1/λS) Σ sᵢ ([j = cᵢ] − pᵢⱼ) xᵢ, so
//!
//! ```text
//!   D(p) = (1/S) Σ sᵢ (1 − pᵢ_cᵢ) − (λ/2) Σⱼ ‖wⱼ‖²
//!
//!   with free intercepts:   Σᵢ sᵢ pᵢⱼ = Sⱼ for every j,  Sⱼ the total sample weight of class j
//! ```
//!
//! is at most F for all W and b. All certificates here are based on this lower bound (see
//! `proofs`).
//!
//! # Two solvers
//!
//! * Dual coordinate descent on one pᵢ at a time (see `descent`): a step is cheap, and rows with
//!   few common features hardly interact.
//! * The proximal method on all pᵢ, with Newton's method in each stage (see `proximal`): for few
//!   features, where every row interacts with every other.
//!
//! Source: Crammer & Singer, *On the algorithmic implementation of multiclass kernel-based vector
//! machines*, JMLR 2 (2001).

mod balance;
mod best_certificate;
mod curvature;
mod descent;
mod points;
mod proximal;
mod simplex;
#[cfg(test)]
mod tests;

use super::{MulticlassFit, start};
use crate::binary::RegularizedErm;
use crate::control::Observer;
use crate::data::{Hyperplane, Problem};
use crate::error::Error;
use crate::options::Solver;
use crate::penalty::Penalty;
use crate::solvers::StoppingCriteria;

/// Settings of the Crammer–Singer SVM.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrammerSinger {
    /// λ > 0.
    pub lambda: f64,
    /// Whether hyperplanes have intercepts.
    pub intercept: bool,
    /// Stopping criteria.
    pub goal: StoppingCriteria,
    /// Seed of the row order.
    pub seed: u64,
    /// Whether the proximal method runs, on all rows, or dual coordinate descent, row by row.
    pub proximal: bool,
}

/// Names of the solvers with a penalty: it must be λ₂ alone.
pub(crate) fn crammer_singer_solvers(penalty: Penalty) -> &'static [&'static str] {
    if penalty.is_l2_alone() { &["dual-cd"] } else { &[] }
}

impl CrammerSinger {
    /// Takes penalty, stopping criteria and seed from the settings of a binary problem.
    pub fn of(convex: &RegularizedErm, problem: &Problem<'_>) -> Self {
        Self {
            lambda: convex.lambda(problem.weights().iter().sum()),
            intercept: convex.intercept,
            goal: convex.goal,
            seed: convex.options.seed.unwrap_or_default(),
            proximal: convex.solver == Solver::Auto && proximal::suits(problem),
        }
    }

    /// Checks that λ is finite and above 0, and the stopping criteria.
    pub fn check(&self) -> Result<(), Error> {
        if !(self.lambda > 0.0 && self.lambda.is_finite()) {
            let want = "a finite number above 0";
            return Err(Error::Setting { name: "lambda", got: self.lambda, want });
        }
        self.goal.check()
    }

    /// Runs until a stop reason holds.
    pub fn minimize(
        &self,
        problem: &Problem<'_>,
        starts: Option<&[Hyperplane]>,
        watch: &mut dyn Observer,
    ) -> Result<MulticlassFit, Error> {
        self.check()?;
        watch.hyperplane(0, 1);
        let start = start(problem, starts)?;
        Ok(if self.proximal {
            proximal::minimize(*self, problem, &start, watch)
        } else {
            descent::minimize(*self, problem, &start, watch)
        })
    }
}
