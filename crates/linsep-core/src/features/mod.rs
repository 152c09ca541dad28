//! φ(x): transformations of columns before training.
//!
//! A hyperplane over φ(x) is a nonlinear boundary over x. φ is fixed before training, so every
//! certificate of a linear fit holds for the problem over φ(x).

mod bins;
mod logarithm;
mod monomials;
mod quantiles;
mod splines;
mod standardize;

pub use bins::Bins;
pub use logarithm::log1p;
pub use monomials::{count_monomials, monomials};
pub use splines::Splines;
pub(crate) use standardize::power_of_two;
pub use standardize::{ColumnStatistics, MIN_DEVIATION, Standardization, column_statistics};
