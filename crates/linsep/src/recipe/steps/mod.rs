//! The kinds of steps, one per file.

pub(super) mod bins;
pub(super) mod category;
pub(super) mod derived;
pub(super) mod hashed;
pub(super) mod level_pair;
pub(super) mod level_slope;
pub(super) mod logarithm;
pub(super) mod number;
pub(super) mod product;
pub(super) mod spline;
pub(super) mod text;
