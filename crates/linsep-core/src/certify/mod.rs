//! Rigorous bounds and certificates, for a fitted model or for the data before any fit.
//!
//! * [`gap`]: the duality gap, an upper bound on the suboptimality of a hyperplane
//! * [`OptimalityCertificate`]: the distance of a hyperplane to every optimum, and an interval for
//!   the score of every row
//! * [`separation`]: whether hyperplanes can separate the classes, with a witness ([`Witness`])
//! * [`check()`]: verifies a witness in exact arithmetic, independently of its origin
//! * [`Novikoff`]: the mistake bound of the perceptron
//! * [`SignedRows`]: the signed rows, on which [`separation`] and [`check()`] are based

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
mod work;

pub use check::{PositiveDependence, SeparationKind, Witness, WitnessError, check};
pub use gap::{Dual, OptimalityGap};
pub(crate) use multiclass::certify_multiclass;
pub use novikoff::Novikoff;
pub use optimality::OptimalityCertificate;
pub(crate) use optimality::{Enclosure, Known, certified_stop, certify};
pub use separation::{Separation, separate};
pub use signed::{SignedRow, SignedRows};
pub(crate) use squares::certify_squares;
pub(crate) use winner::Winner;
pub(crate) use work::{SECOND, Work};
