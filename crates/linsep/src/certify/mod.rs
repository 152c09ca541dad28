//! What can be said for certain about an answer, or about the data before there is one.
//!
//! * [`gap`]: how far a plane can be from the best one at most
//! * [`Proof`]: which predictions that settles
//! * [`separation`]: can planes separate the classes? With [`Evidence`] either way
//! * [`check()`]: whether evidence holds, in exact arithmetic, whoever found it
//! * [`Novikoff`]: how many corrections a perceptron can make at most
//! * [`Signed`]: what there is to separate, which both of them stand on

pub mod check;
pub mod gap;
mod novikoff;
mod proof;
pub mod separation;
mod signed;

pub use check::{Dependence, Evidence, Flaw, Verdict, check};
pub use gap::{Certificate, Dual};
pub use novikoff::Novikoff;
pub use proof::Proof;
pub use separation::{Separation, separate};
pub use signed::{Against, Signed};
