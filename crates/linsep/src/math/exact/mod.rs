//! Arithmetic without rounding, on doubles as they are.
//!
//! Every double is a dyadic rational, m·2ᵉ with whole m, so a claim about given doubles is a claim about whole
//! numbers and can be settled for good:
//!
//! * [`Rational`]: a fraction of two whole numbers of any size, and its text
//! * [`Form`]: the exact sign of h·x for a rational h and a row x of doubles, through a filter in doubles
//! * [`Matrix`]: whole-number rows; [`Basis`]: which of them are independent, and systems of equations
//!   with them, solved exactly
//! * [`program`]: small linear programs, also with variables that must be whole

mod dyadic;
mod form;
mod matrix;
mod modular;
pub mod program;
mod rational;
mod solve;

pub use dyadic::Dyadic;
pub use form::Form;
pub use matrix::Matrix;
pub use num_bigint::BigInt;
pub use rational::Rational;
pub use solve::{Basis, Solved};
