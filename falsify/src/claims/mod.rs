//! What linsep claims: the only folder that calls it, one file per kind of claim.
//!
//! Everything handed out is plain: numbers, classes and reasons, no type of linsep.

pub mod fit;
pub mod model;
pub mod perceptron;
pub mod rows;
