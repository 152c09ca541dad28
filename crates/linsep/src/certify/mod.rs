//! What can be said for certain about an answer.
//!
//! * [`gap`]: how far a plane can be from the best one at most
//! * [`Proof`]: which predictions that settles

pub mod gap;
mod proof;

pub use gap::{Certificate, Dual};
pub use proof::Proof;
