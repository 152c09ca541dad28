//! How good predictions are: one measure per file. All of them count sample weights.

mod accuracy;
mod auc;
mod confusion;

pub use accuracy::accuracy;
pub use auc::auc;
pub use confusion::{ClassScore, Confusion};
