//! How good predictions are: one measure per file. All of them count sample weights.

mod accuracy;
mod auc;
mod brier;
mod confusion;
mod log_loss;

pub use accuracy::accuracy;
pub use auc::auc;
pub use brier::brier;
pub use confusion::{ClassScore, Confusion};
pub use log_loss::log_loss;
