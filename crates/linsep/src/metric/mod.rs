//! How good predictions are: one measure per file. All of them count sample weights.

mod accuracy;
mod confusion;

pub use accuracy::accuracy;
pub use confusion::{ClassScore, Confusion};
