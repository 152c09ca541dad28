//! φ(x): what is done to columns before a plane is learned.

mod standardise;

pub(crate) use standardise::power_of_two;
pub use standardise::{MIN_DEVIATION, Spread, Standardise, spreads};
