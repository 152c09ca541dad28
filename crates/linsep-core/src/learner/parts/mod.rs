//! Parts shared by several learners.

mod answer;
mod class_pairs;
mod covariance;
mod priors;
mod shrinkage;
mod side;
mod threshold;

pub(super) use answer::{ClosedFormResult, intercept_at, model_of, quadratic_form, scatter_rows};
pub(super) use class_pairs::each_binary_problem;
pub(super) use covariance::{Covariance, of_covariance};
pub use priors::Priors;
pub use shrinkage::Shrinkage;
pub(super) use side::{Frame, on_side};
pub(super) use threshold::Threshold;
