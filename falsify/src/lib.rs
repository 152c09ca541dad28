//! Randomized tests that try to falsify the claims of linsep.
//!
//! Every claim that linsep prints is a statement about an exact optimum, a separation or a bound.
//! Random and adversarial problems are drawn ([`draw`], [`case`]) and fitted by linsep
//! ([`claims`]). The claims are compared ([`check`]) with references that share no code with linsep
//! ([`mod@reference`]). The references are optima in [`double_double`] arithmetic, certified by
//! their own duality gap, and exact linear programs. [`run`] repeats this until a limit, and
//! counts.

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
