//! Numerical building blocks: kernels, linear algebra, exact arithmetic, random numbers.

pub mod exact;
pub mod independent;
pub mod inverse;
pub mod kernels;
pub mod linalg;
pub mod parallel;
pub mod rng;
pub mod scalar;
pub mod sum;
