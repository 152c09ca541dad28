//! Models: scores of rows, and decisions by scores; linear models and their geometry.

mod boundary;
mod classifier;
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

pub use classifier::{Classifier, FunctionSettings, LoadFunction, Model, ModelType, ScoreFunction};
pub use decision_rule::{ClassPair, DecisionRule};
pub use linear::{Hyperplanes, LINEAR, LinearModel, scores_of};
pub use link::{IsotonicMap, Link, PlattScaling};
pub use operating_point::{Abstain, Decision, OperatingPoint};
pub use polygon::Point;
pub use regions::{Piece, Regions, Window};
pub use tensor::{Entries, Tensor, Tensors};
