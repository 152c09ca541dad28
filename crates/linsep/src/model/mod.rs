//! Linear model, the result of every learner; its decisions and its geometry.

mod boundary;
mod cut;
mod decide;
mod geometry;
mod linear;
mod link;
mod polygon;
mod regions;
pub mod scorecard;
mod within;

pub use cut::{Abstain, Decision, OperatingPoint};
pub use decide::{ClassPair, DecisionRule};
pub use linear::{LinearModel, scores_of};
pub use link::{IsotonicMap, Link, PlattScaling};
pub use polygon::Point;
pub use regions::{Piece, Regions, Window};
