//! What several closed forms share.

mod answer;
mod covariance;
mod priors;
mod shrinkage;
mod side;
mod threshold;

pub(super) use answer::{Answer, bias_at, scatter_rows};
pub(super) use covariance::Covariance;
pub use priors::Priors;
pub use shrinkage::Shrinkage;
pub(super) use side::{Frame, on_side};
pub(super) use threshold::Threshold;
