//! All planes at once: criteria that look at the scores of every class together.

mod softmax;

pub use softmax::{Softmax, softmax};
