//! The one model type every learner ends in, its decisions and its geometry.

mod decide;
mod geometry;
mod linear;
mod link;

pub use decide::Decide;
pub use linear::LinearModel;
pub use link::Link;
