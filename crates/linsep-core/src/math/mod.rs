//! Numerical building blocks: kernels, linear algebra, exact arithmetic, random numbers.

pub mod exact;
pub(crate) mod independent;
pub(crate) mod inverse;
pub(crate) mod kernels;
pub(crate) mod linalg;
pub(crate) mod parallel;
pub mod rng;
pub(crate) mod scalar;
pub mod sum;
