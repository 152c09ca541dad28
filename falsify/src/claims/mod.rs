//! Claims of linsep: the only folder that calls the library, one file per kind of claim.
//!
//! Public types are plain: numbers, classes and strings, no type of linsep.

pub mod fit;
pub mod model;
pub mod perceptron;
pub mod rows;
