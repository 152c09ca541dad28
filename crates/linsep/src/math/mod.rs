//! Arithmetic that everything else stands on.

pub mod exact;
pub mod independent;
pub mod inverse;
pub mod kernels;
pub mod linalg;
pub mod parallel;
pub mod rng;
pub mod scalar;
pub mod sum;
