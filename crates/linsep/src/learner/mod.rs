//! Problem in, model out.

mod fit;

pub use fit::{Fit, fit, fit_against};
