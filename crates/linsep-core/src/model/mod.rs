//! Linear model, the result of every learner; its decisions and its geometry.

mod boundary;
mod decision_rule;
mod geometry;
mod linear;
mod link;
mod operating_point;
mod polygon;
mod regions;
pub mod scorecard;
mod tensor;
mod within;

pub use decision_rule::{ClassPair, DecisionRule};
pub use linear::{LinearModel, scores_of};
pub use link::{IsotonicMap, Link, PlattScaling};
pub use operating_point::{Abstain, Decision, OperatingPoint};
pub use polygon::Point;
pub use regions::{Piece, Regions, Window};
pub use tensor::{Entries, Tensor, Tensors};
