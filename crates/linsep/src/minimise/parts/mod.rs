//! Building blocks shared by several solvers.

mod best_bias;
mod central;
mod damping;
mod line_search;
mod pace;
mod parabola;
mod schedule;
mod state;
mod tell;

pub(crate) use best_bias::best_intercept;
pub(super) use central::Central;
pub(crate) use damping::Damping;
pub(super) use damping::floor;
pub(crate) use line_search::search;
pub(super) use line_search::{Line, halve};
pub(crate) use pace::{GapCheck, GapSchedule};
pub(super) use parabola::L1Quadratic;
pub use schedule::Schedule;
pub(super) use state::State;
pub(crate) use tell::report_batch_step;
