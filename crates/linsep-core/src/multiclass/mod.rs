//! All-in-one multiclass methods: one optimization over all classes, not a reduction to binary.
//!
//! * winner-take-all and Kesler's construction: perceptron rules for k hyperplanes
//! * [`CrammerSinger`]: the Crammer–Singer support vector machine
//! * [`softmax()`]: softmax regression (multinomial logistic regression)
//! * least squares on class targets, if X is too large for a closed form
//!
//! The row-by-row methods work on a matrix of coefficients, where the k coefficients of a feature
//! are contiguous. One pass over the stored values of a row then gives all k scores.

mod coefficient_matrix;
mod conjugate;
mod crammer_singer;
mod fitted;
mod kesler;
mod least_squares;
mod perceptron;
mod proximal_intercepts;
mod softmax;
mod winner_take_all;
mod working;

pub(crate) use coefficient_matrix::CoefficientMatrix;
pub use crammer_singer::CrammerSinger;
pub(crate) use crammer_singer::crammer_singer_solvers;
pub(crate) use kesler::Kesler;
pub use kesler::{Expanded, expand};
pub(crate) use least_squares::least_squares;
pub(crate) use perceptron::{PerceptronRule, RowScores, multiclass_perceptron};
pub use softmax::softmax;
pub(crate) use softmax::softmax_solvers;
pub(crate) use winner_take_all::CountingTies;

use crate::certify::{OptimalityCertificate, Winner};
use crate::control::StopReason;
use crate::data::{Hyperplane, Problem};
use crate::error::Error;

/// Result of a multiclass fit.
#[derive(Clone, Debug, PartialEq)]
pub struct MulticlassFit {
    /// One hyperplane per class, or a single one for two classes; every number is finite.
    pub hyperplanes: Vec<Hyperplane>,
    /// Stop reason.
    pub stop: StopReason,
    /// Passes over the data.
    pub epochs: u64,
    /// Perceptron updates.
    pub updates: u64,
    /// Total weight of the misclassified training rows; a tie for the largest score counts as one.
    pub mistakes: f64,
    /// Certificate of the hyperplanes, if an objective was minimized.
    pub certificate: Option<OptimalityCertificate>,
    /// Class of every row at every optimum, if certified.
    pub(crate) winners: Option<Vec<Option<Winner>>>,
    /// Name of the solver, if there is one.
    pub solver: Option<&'static str>,
}

/// Returns the given start hyperplanes, checked for shape and finite values, or zeros.
fn start(problem: &Problem<'_>, starts: Option<&[Hyperplane]>) -> Result<CoefficientMatrix, Error> {
    let (d, k) = (problem.x().d(), problem.labels().k());
    let Some(hyperplanes) = starts else { return Ok(CoefficientMatrix::zero(d, k)) };
    if hyperplanes.len() != k {
        return Err(Error::Shape { what: "starting hyperplanes", got: hyperplanes.len(), want: k });
    }
    for hyperplane in hyperplanes {
        if hyperplane.d() != d {
            return Err(Error::Shape {
                what: "coefficients of the starting point",
                got: hyperplane.d(),
                want: d,
            });
        }
        if let Some(&got) = hyperplane.w.iter().chain([&hyperplane.b]).find(|v| !v.is_finite()) {
            return Err(Error::Setting { name: "start", got, want: "a finite number" });
        }
    }
    Ok(CoefficientMatrix::of(hyperplanes))
}
