//! Solvers that minimize a regularized objective: one file each.
//!
//! A solver states its requirements ([`Solver::needs`]) and its cost ([`Solver::work`]);
//! `--explain-solver` lists both for a problem.
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

pub use auto::{Candidate, candidates, check, choose};
pub(crate) use newton::rows_alone;
pub use parts::Schedule;
pub(crate) use parts::{
    Damping, GapCheck, GapSchedule, PenaltyAlong, best_intercept, report_batch_step, search,
};

use crate::certify::OptimalityGap;
use crate::control::{Budget, Epoch, EpochMetric, Observer, StopReason};
use crate::data::Hyperplane;
use crate::error::Error;
use crate::loss::Loss;
use crate::objective::Objective;
use crate::penalty::Penalty;

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
        let few = objective.x().d() <= Self::MOST_COLUMNS;
        match self {
            Self::FewColumns => few,
            Self::FewThatMatter => few || objective.penalty().l1 > 0.0,
            other => other.permits(objective.loss(), objective.penalty()),
        }
    }

    /// Whether some data with this loss and penalty meet the requirement.
    fn permits(self, loss: &dyn Loss, penalty: Penalty) -> bool {
        match self {
            Self::Gradient | Self::Curvature => loss.curvature_bound().is_some(),
            Self::Kink => loss.curvature_bound().is_none(),
            Self::NoL1 => penalty.l1 == 0.0,
            Self::L2Alone => penalty.is_l2_alone(),
            Self::Penalty => penalty.is_some(),
            Self::Pieces => loss.pieces().is_some(),
            Self::FewColumns | Self::FewThatMatter => true,
        }
    }
}

/// Solver of a regularized objective.
pub trait Solver: Sync {
    /// Name, the same in every interface.
    fn name(&self) -> &'static str;

    /// One line for help texts.
    fn about(&self) -> &'static str;

    /// Names of its settings, except the seed, which every solver accepts.
    fn takes(&self) -> &'static [&'static str] {
        &[]
    }

    /// Requirements on the objective.
    fn needs(&self) -> &'static [Requirement];

    /// Estimated work of a run, in visits of a stored value. The objective meets all requirements.
    fn work(&self, objective: &Objective<'_>, goal: &StoppingCriteria) -> f64;

    /// Whether the solver converges too slowly for small tolerances; such solvers rank last.
    fn is_last(&self) -> bool {
        false
    }

    /// Whether the length of a run is in epochs: the solver goes row by row. Others count
    /// iterations.
    fn counts_epochs(&self) -> bool {
        false
    }

    /// Whether the solver forms a dense d × d matrix, so that it requires few features.
    fn forms_matrix(&self) -> bool {
        let few = [Requirement::FewColumns, Requirement::FewThatMatter];
        self.needs().iter().any(|need| few.contains(need))
    }

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

impl Options {
    /// Names of the settings that were given, except the seed.
    fn given(&self) -> impl Iterator<Item = &'static str> {
        let all = [("eta", self.eta.is_some()), ("schedule", self.schedule.is_some())];
        all.into_iter().filter(|(_, given)| *given).map(|(name, _)| name)
    }
}

/// All solvers, with their own defaults for settings not given.
pub fn all(options: &Options) -> Vec<Box<dyn Solver>> {
    vec![
        Box::new(newton::Newton),
        Box::new(newton_cg::NewtonCg),
        Box::new(lbfgs::Lbfgs),
        Box::new(dual_cd::DualCd::with(options)),
        Box::new(working_set_cd::WorkingSetCd::with(options)),
        Box::new(interior_point::InteriorPoint),
        Box::new(smoothing::Smoothing::with(options)),
        Box::new(gradient_descent::GradientDescent::with(options)),
        Box::new(sgd::Sgd::with(options)),
    ]
}

/// The solver of the given name; `None` for `auto` and unknown names.
pub fn by_name(name: &str, options: &Options) -> Option<Box<dyn Solver>> {
    all(options).into_iter().find(|solver| solver.name() == name)
}

/// Reports the objective and gap to the observer; `false` requests a stop.
pub(crate) fn report_epoch(
    watch: &mut dyn Observer,
    epoch: u64,
    goal: &StoppingCriteria,
    value: f64,
    relative_gap: Option<f64>,
) -> bool {
    let standing = EpochMetric::Objective { value, relative_gap };
    watch.epoch(&Epoch { epoch, of: goal.budget.epochs, standing }) && !watch.cancel().is_set()
}
