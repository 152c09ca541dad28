//! The one model type every learner ends in, its decisions and its geometry.

mod boundary;
mod decide;
mod geometry;
mod linear;
mod link;

pub use boundary::Point;
pub use decide::Decide;
pub use linear::{LinearModel, scores_of};
pub use link::Link;
