//! φ(x): transformations of columns before training.

mod standardise;

pub(crate) use standardise::power_of_two;
pub use standardise::{ColumnStatistics, MIN_DEVIATION, Standardization, column_statistics};
