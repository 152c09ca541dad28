//! Ways to minimise a criterion: one file each.
//!
//! | name | needs | a step costs |
//! |---|---|---|
//! | `newton` | a loss with curvature, few columns | two passes and `XᵀCX` |
//! | `newton-cg` | a loss with curvature | two passes per inner step |
//! | `lbfgs` | a loss with a gradient | two passes |
//! | `dual-cd` | λ₂ > 0 and no λ₁ | one pass, row by row |
//! | `working-set-cd` | a loss with curvature | the columns that matter |
//! | `interior` | a loss of lines and parabolas, few columns or λ₁ | seven passes and `XᵀCX` |
//! | `rounding` | a loss with a corner | what another way's step costs |
//! | `gradient-descent` | nothing | two passes |
//! | `sgd` | nothing | one pass, row by row |
//!
//! Every one of them ends by **one rule**: the relative duality gap is at most `tol`, or, where there is
//! no penalty and so no bound, the norm of the gradient is at most `tol` of what it is at h = 0. All return
//! a certificate with the plane, also when the budget ends first.

mod auto;
mod dual_cd;
mod gradient_descent;
mod interior;
mod lbfgs;
mod newton;
mod newton_cg;
mod parts;
mod rounding;
mod sgd;
mod working_set_cd;

pub use auto::{Candidate, candidates, choose};
pub use dual_cd::DualCd;
pub use gradient_descent::GradientDescent;
pub use interior::Interior;
pub use lbfgs::Lbfgs;
pub use newton::Newton;
pub(crate) use newton::rows_alone;
pub use newton_cg::NewtonCg;
pub use parts::Schedule;
pub(crate) use parts::{Ask, Damping, Pace, best_bias, search, tell_batch};
pub use rounding::Rounding;
pub use sgd::Sgd;
pub use working_set_cd::WorkingSetCd;

use crate::certify::Certificate;
use crate::control::{Budget, Epoch, Standing, Stop, Watch};
use crate::data::Plane;
use crate::error::Error;
use crate::objective::Objective;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    /// The relative duality gap that is good enough.
    pub tol: f64,
    /// Epochs allowed.
    pub budget: Budget,
}

impl Default for Goal {
    fn default() -> Self {
        Self { tol: 1e-4, budget: Budget::epochs(1_000) }
    }
}

impl Goal {
    /// Refuses a tolerance that is not above 0.
    pub fn check(&self) -> Result<(), Error> {
        if self.tol > 0.0 && self.tol.is_finite() {
            return Ok(());
        }
        Err(Error::Setting { name: "tol", got: self.tol, want: "finite and above 0" })
    }
}

/// What a run ended with.
#[derive(Clone, Debug, PartialEq)]
pub struct Minimum {
    /// The plane; every number in it is finite.
    pub plane: Plane,
    /// Why the run ended.
    pub stop: Stop,
    /// Epochs done.
    pub epochs: u64,
    /// How good the plane is, for certain.
    pub certificate: Certificate,
    /// Its margins, up to a few roundings of their size and of the bias, where they are at hand.
    pub margins: Option<Vec<f64>>,
    /// The dual point of the best lower bound, where it is not α = −ℓ′(m).
    pub alpha: Option<Vec<f64>>,
}

/// What a way asks of a criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A loss whose slope does not jump.
    Gradient,
    /// The same, for ways that go by second derivatives.
    Curvature,
    /// A loss whose slope jumps.
    Corner,
    /// No λ₁.
    NoL1,
    /// λ₂ > 0 and no λ₁.
    L2Alone,
    /// λ₁ or λ₂ above 0.
    Penalty,
    /// So few columns that a square of them fits the memory.
    FewColumns,
    /// The same, or λ₁, which makes few of them matter.
    FewThatMatter,
    /// A loss made of straight lines and parabolas that falls to 0.
    Pieces,
}

impl Need {
    /// Columns beyond which a dense square of them is refused.
    const MOST_COLUMNS: usize = 5_000;

    /// In words, as in "newton needs …".
    fn words(self) -> &'static str {
        match self {
            Self::Gradient => "a loss with a gradient everywhere",
            Self::Curvature => "a loss with curvature",
            Self::Corner => "a loss with a corner",
            Self::NoL1 => "a penalty without l1",
            Self::L2Alone => "an l2 penalty alone",
            Self::Penalty => "a penalty",
            Self::FewColumns => "at most 5000 columns",
            Self::FewThatMatter => "at most 5000 columns or a penalty with l1",
            Self::Pieces => "a loss of straight lines and parabolas",
        }
    }

    fn is_met(self, objective: &Objective<'_>) -> bool {
        let penalty = objective.penalty();
        match self {
            Self::Gradient | Self::Curvature => objective.loss().curvature_bound().is_some(),
            Self::Corner => objective.loss().curvature_bound().is_none(),
            Self::NoL1 => penalty.l1 == 0.0,
            Self::L2Alone => penalty.l1 == 0.0 && penalty.l2 > 0.0,
            Self::Penalty => penalty.is_some(),
            Self::FewColumns => objective.x().d() <= Self::MOST_COLUMNS,
            Self::FewThatMatter => Self::FewColumns.is_met(objective) || penalty.l1 > 0.0,
            Self::Pieces => objective.loss().pieces().is_some(),
        }
    }
}

/// Minimises a criterion.
pub trait Minimiser: Sync {
    /// The name used in every face.
    fn name(&self) -> &'static str;

    /// What it asks of an objective.
    fn needs(&self) -> &'static [Need];

    /// What the objective lacks for this way, if anything: "a loss with curvature", say.
    fn lacks(&self, objective: &Objective<'_>) -> Option<&'static str> {
        self.needs().iter().find(|need| !need.is_met(objective)).map(|need| need.words())
    }

    /// Runs from `start` until there is a reason to stop. The objective lacks nothing.
    fn minimise(
        &self,
        objective: &Objective<'_>,
        start: Plane,
        goal: &Goal,
        watch: &mut dyn Watch,
    ) -> Minimum;
}

/// Settings as a user gives them: what is `None` keeps the way's own default.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)] // named after the settings they are for
pub struct Options {
    pub eta: Option<f64>,
    pub schedule: Option<Schedule>,
    pub seed: Option<u64>,
}

/// A way of minimising in the register.
pub struct Entry {
    /// The name used in every face.
    pub name: &'static str,
    /// One line for help texts.
    pub about: &'static str,
    /// The settings it has, but for the seed, which may always be given.
    pub takes: &'static [&'static str],
    /// Builds it, with its own defaults for what is not given.
    pub build: fn(&Options) -> Box<dyn Minimiser>,
}

/// Every way there is.
pub const ALL: &[Entry] = &[
    newton::ENTRY,
    newton_cg::ENTRY,
    lbfgs::ENTRY,
    dual_cd::ENTRY,
    working_set_cd::ENTRY,
    interior::ENTRY,
    rounding::ENTRY,
    gradient_descent::ENTRY,
    sgd::ENTRY,
];

/// Tells the watcher where a run stands; `false` asks it to stop.
fn tell(
    watch: &mut dyn Watch,
    epoch: u64,
    goal: &Goal,
    value: f64,
    relative_gap: Option<f64>,
) -> bool {
    let standing = Standing::Criterion { value, relative_gap };
    watch.epoch(&Epoch { epoch, of: goal.budget.epochs, standing }) && !watch.cancel().is_set()
}
