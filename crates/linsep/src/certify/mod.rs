//! What can be said for certain about an answer, or about the data before there is one.
//!
//! * [`gap`]: how far a plane can be from the best one at most
//! * [`OptimalityCertificate`]: how far a hyperplane is from optimal, for every optimum; and an interval for the score of every row
//! * [`separation`]: can planes separate the classes? With [`Evidence`] either way
//! * [`check()`]: whether evidence holds, in exact arithmetic, whoever found it
//! * [`Novikoff`]: how many corrections a perceptron can make at most
//! * [`Signed`]: what there is to separate, which both of them stand on

mod ball;
pub mod check;
mod dual_point;
mod flows;
pub mod gap;
mod multiclass;
mod novikoff;
mod optimality;
pub mod separation;
mod signed;
mod squares;
mod winner;

pub use check::{Dependence, Evidence, Flaw, Verdict, check};
pub use gap::{Certificate, Dual};
pub(crate) use multiclass::{JointLoss, certify_jointly};
pub use novikoff::Novikoff;
pub use optimality::OptimalityCertificate;
pub(crate) use optimality::{Enclosure, Known, certify};
pub use separation::{Separation, separate};
pub use signed::{Against, Signed};
pub(crate) use squares::certify_squares;
pub(crate) use winner::Winner;
