//! Reduction of multiclass problems to binary ones.

mod one_vs_one;
mod one_vs_rest;
mod parallel;

pub use one_vs_one::one_vs_one;
pub use one_vs_rest::{one_vs_rest, one_vs_rest_but_last};
