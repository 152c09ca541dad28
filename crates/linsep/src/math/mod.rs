//! Arithmetic that everything else stands on.

pub mod kernels;
pub mod rng;
