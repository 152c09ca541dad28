//! Problem in, model out.

mod fit;
mod path;

pub use fit::{Fit, fit, fit_against};
pub use path::{PathPoint, path};
