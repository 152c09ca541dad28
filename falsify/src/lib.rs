//! A randomized attempt to falsify what linsep claims.
//!
//! Every claim that linsep prints is a sentence about an exact optimum, a separation or a bound. Here random and
//! adversarial problems are drawn ([`draw`], [`case`]), linsep learns from them ([`claims`]), and what it claims is compared
//! ([`check`]) with references that share no code with it ([`mod@reference`]): optima in [`double_double`] arithmetic that prove
//! their own duality gap, and exact linear programs. [`run`] repeats that for as long as it is given, and counts.

pub mod case;
pub mod check;
pub mod claims;
pub mod decision;
pub mod double_double;
pub mod draw;
pub mod linear_system;
pub mod mutants;
pub mod reference;
pub mod run;
pub mod settings;
