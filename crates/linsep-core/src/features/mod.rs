//! φ(x): transformations of columns before training.

mod standardize;

pub(crate) use standardize::power_of_two;
pub use standardize::{ColumnStatistics, MIN_DEVIATION, Standardization, column_statistics};
