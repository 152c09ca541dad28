//! Many classes by means of two: a binary learner in, planes out.

mod one_vs_rest;

pub use one_vs_rest::one_vs_rest;
pub(crate) use one_vs_rest::starts_or_zero;
