//! Exact arithmetic on doubles.
//!
//! Every double is a dyadic rational, m·2ᵉ with integer m. A claim about given doubles is therefore
//! a claim about integers, which exact arithmetic decides:
//!
//! * [`Rational`]: a fraction of two big integers, and its text
//! * [`LinearForm`]: the exact sign of h·x for a rational h and a row x of doubles, with a
//!   floating-point filter
//! * [`Matrix`]: an integer matrix; [`Basis`]: a maximal set of its independent rows, and the exact
//!   solution of linear systems with them
//! * [`program`]: small linear programs and integer programs

mod dyadic;
mod form;
mod matrix;
mod modular;
pub mod program;
mod rational;
mod solve;

pub use dyadic::Dyadic;
pub use form::LinearForm;
pub use matrix::Matrix;
pub use num_bigint::BigInt;
pub use rational::Rational;
pub use solve::{Basis, Solved};
