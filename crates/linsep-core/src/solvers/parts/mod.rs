//! Building blocks shared by several solvers.

mod best_intercept;
mod central;
mod damping;
mod gap_schedule;
mod l1_quadratic;
mod line_search;
mod report;
mod schedule;
mod state;
pub(super) mod work;

pub(crate) use best_intercept::best_intercept;
pub(super) use best_intercept::shift_intercept;
pub(super) use central::Central;
pub(crate) use damping::Damping;
pub(super) use damping::floor;
pub(crate) use gap_schedule::{GapCheck, GapSchedule};
pub(super) use l1_quadratic::L1Quadratic;
pub(super) use line_search::{Line, halve};
pub(crate) use line_search::{PenaltyAlong, search};
pub(crate) use report::report_batch_step;
pub use schedule::Schedule;
pub(super) use state::State;
