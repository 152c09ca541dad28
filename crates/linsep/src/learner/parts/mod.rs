//! Parts shared by several learners.

mod answer;
mod covariance;
mod duels;
mod priors;
mod shrinkage;
mod side;
mod threshold;

pub(super) use answer::{ClosedFormResult, intercept_at, model_of, scatter_rows};
pub(super) use covariance::Covariance;
pub(super) use duels::each_binary_problem;
pub use priors::Priors;
pub use shrinkage::Shrinkage;
pub(super) use side::{Frame, on_side};
pub(super) use threshold::Threshold;
