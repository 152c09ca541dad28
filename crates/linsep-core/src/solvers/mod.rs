//! Solvers that minimize a regularized objective: one file each.
//!
//! | name | requires | cost of an iteration |
//! |---|---|---|
//! | `newton` | a loss with curvature, few features | two passes and `XᵀCX` |
//! | `newton-cg` | a loss with curvature | two passes per inner step |
//! | `lbfgs` | a loss with a gradient | two passes |
//! | `dual-cd` | λ₂ > 0 and no λ₁ | one pass, row by row |
//! | `working-set-cd` | a loss with curvature | the columns of the working set |
//! | `interior` | a piecewise linear-quadratic loss, few features or λ₁ | seven passes and `XᵀCX` |
//! | `rounding` | a loss with a kink | that of the inner solver |
//! | `gradient-descent` | nothing | two passes |
//! | `sgd` | nothing | one pass, row by row |
//!
//! All solvers share **one stopping criterion**: the relative duality gap is at most `tol`. Without
//! a penalty there is no lower bound; then the norm of the gradient is at most `tol` of its norm at
//! h = 0. Every solver returns a certificate with the hyperplane, also at the iteration limit.

mod auto;
mod dual_cd;
mod gradient_descent;
mod interior_point;
mod lbfgs;
mod newton;
mod newton_cg;
mod parts;
mod sgd;
mod smoothing;
mod working_set_cd;

pub use auto::{Candidate, candidates, choose};
pub use dual_cd::DualCd;
pub use gradient_descent::GradientDescent;
pub use interior_point::InteriorPoint;
pub use lbfgs::Lbfgs;
pub use newton::Newton;
pub(crate) use newton::rows_alone;
pub use newton_cg::NewtonCg;
pub use parts::Schedule;
pub(crate) use parts::{Damping, GapCheck, GapSchedule, best_intercept, report_batch_step, search};
pub use sgd::Sgd;
pub use smoothing::Smoothing;
pub use working_set_cd::WorkingSetCd;

use crate::certify::OptimalityGap;
use crate::control::{Budget, Epoch, EpochMetric, Observer, StopReason};
use crate::data::Hyperplane;
use crate::error::Error;
use crate::objective::Objective;

/// Stopping criteria.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoppingCriteria {
    /// Tolerance on the relative duality gap.
    pub tol: f64,
    /// Iteration limit, in epochs.
    pub budget: Budget,
}

impl Default for StoppingCriteria {
    fn default() -> Self {
        Self { tol: 1e-4, budget: Budget::epochs(1_000) }
    }
}

impl StoppingCriteria {
    /// Checks that the tolerance is finite and above 0.
    pub fn check(&self) -> Result<(), Error> {
        if self.tol > 0.0 && self.tol.is_finite() {
            return Ok(());
        }
        Err(Error::Setting { name: "tol", got: self.tol, want: "a finite number above 0" })
    }
}

/// Result of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct SolverResult {
    /// Hyperplane; all its numbers are finite.
    pub hyperplane: Hyperplane,
    /// Stop reason.
    pub stop: StopReason,
    /// Epochs done.
    pub epochs: u64,
    /// Bound on the suboptimality of the hyperplane.
    pub certificate: OptimalityGap,
    /// Margins of the hyperplane, if known, up to a few roundings of their size and of the
    /// intercept.
    pub margins: Option<Vec<f64>>,
    /// Dual point of the best lower bound; `None` stands for α = −ℓ′(m).
    pub alpha: Option<Vec<f64>>,
}

/// Requirement of a solver on the objective.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// A loss with a continuous slope.
    Gradient,
    /// A loss with a continuous slope, for second-order solvers.
    Curvature,
    /// A loss whose slope jumps.
    Kink,
    /// λ₁ = 0.
    NoL1,
    /// λ₂ > 0 and λ₁ = 0.
    L2Alone,
    /// λ₁ > 0 or λ₂ > 0.
    Penalty,
    /// Few features: a dense d × d matrix fits in memory.
    FewColumns,
    /// Few features, or λ₁ > 0, which selects few.
    FewThatMatter,
    /// A piecewise linear-quadratic loss that reaches 0.
    Pieces,
}

impl Requirement {
    /// Largest d for which a dense d × d matrix is formed.
    const MOST_COLUMNS: usize = 5_000;

    /// Completes the message "newton needs …".
    fn words(self) -> &'static str {
        match self {
            Self::Gradient => "a differentiable loss",
            Self::Curvature => "a loss with bounded curvature",
            Self::Kink => "a nondifferentiable loss",
            Self::NoL1 => "a penalty without l1 part",
            Self::L2Alone => "a pure l2 penalty",
            Self::Penalty => "a penalty",
            Self::FewColumns => "at most 5000 features",
            Self::FewThatMatter => "at most 5000 features or a penalty with l1 part",
            Self::Pieces => "a piecewise linear or quadratic loss",
        }
    }

    fn is_met(self, objective: &Objective<'_>) -> bool {
        let penalty = objective.penalty();
        match self {
            Self::Gradient | Self::Curvature => objective.loss().curvature_bound().is_some(),
            Self::Kink => objective.loss().curvature_bound().is_none(),
            Self::NoL1 => penalty.l1 == 0.0,
            Self::L2Alone => penalty.l1 == 0.0 && penalty.l2 > 0.0,
            Self::Penalty => penalty.is_some(),
            Self::FewColumns => objective.x().d() <= Self::MOST_COLUMNS,
            Self::FewThatMatter => Self::FewColumns.is_met(objective) || penalty.l1 > 0.0,
            Self::Pieces => objective.loss().pieces().is_some(),
        }
    }
}

/// Solver of a regularized objective.
pub trait Solver: Sync {
    /// Name, the same in every interface.
    fn name(&self) -> &'static str;

    /// Requirements on the objective.
    fn needs(&self) -> &'static [Requirement];

    /// Returns the first unmet requirement, such as "a loss with curvature".
    fn unmet_requirement(&self, objective: &Objective<'_>) -> Option<&'static str> {
        self.needs().iter().find(|need| !need.is_met(objective)).map(|need| need.words())
    }

    /// Runs from `start` until a stop reason holds. The objective meets all requirements.
    fn solve(
        &self,
        objective: &Objective<'_>,
        start: Hyperplane,
        goal: &StoppingCriteria,
        watch: &mut dyn Observer,
    ) -> SolverResult;
}

/// Settings given by the user; `None` keeps the default of the solver.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)] // named after the settings
pub struct Options {
    pub eta: Option<f64>,
    pub schedule: Option<Schedule>,
    pub seed: Option<u64>,
}

/// Registry entry of a solver.
pub struct Entry {
    /// Name, the same in every interface.
    pub name: &'static str,
    /// One line for help texts.
    pub about: &'static str,
    /// Names of its settings, except the seed, which every solver accepts.
    pub takes: &'static [&'static str],
    /// Builds the solver, with its own defaults for settings not given.
    pub build: fn(&Options) -> Box<dyn Solver>,
}

/// Registry of all solvers.
pub const ALL: &[Entry] = &[
    newton::ENTRY,
    newton_cg::ENTRY,
    lbfgs::ENTRY,
    dual_cd::ENTRY,
    working_set_cd::ENTRY,
    interior_point::ENTRY,
    smoothing::ENTRY,
    gradient_descent::ENTRY,
    sgd::ENTRY,
];

/// Reports the objective and gap to the observer; `false` requests a stop.
fn report_epoch(
    watch: &mut dyn Observer,
    epoch: u64,
    goal: &StoppingCriteria,
    value: f64,
    relative_gap: Option<f64>,
) -> bool {
    let standing = EpochMetric::Objective { value, relative_gap };
    watch.epoch(&Epoch { epoch, of: goal.budget.epochs, standing }) && !watch.cancel().is_set()
}
