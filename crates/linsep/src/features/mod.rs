//! φ(x): what is done to columns before a plane is learned.

mod standardise;

pub use standardise::{Spread, Standardise, spreads};
