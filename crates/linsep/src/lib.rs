//! Linear classification that proves its answers: the mathematics.
//!
//! A linear classifier scores a row x by a plane h = (w, b),
//!
//! ```text
//!   z = w·x + b,      class +1 where z ≥ 0, class −1 where z < 0,
//! ```
//!
//! and more than two classes by several planes. Learning is choosing h from n rows with known
//! classes, in general by making a criterion
//!
//! ```text
//!   F(h) = (1/Σsᵢ) Σᵢ sᵢ ℓ(zᵢ, yᵢ) + λ R(w)
//! ```
//!
//! small. This crate holds the criteria, the ways to minimise them, and what can be said for
//! certain about the result. It opens no file, reads no clock and prints nothing: those are the
//! business of the crates around it.
//!
//! # Symbols
//!
//! The same letters everywhere, in formulae and (in ASCII) in code:
//!
//! | symbol | meaning |
//! |---|---|
//! | n, d, k | rows, columns, classes |
//! | xᵢ, yᵢ, sᵢ | row i, its class as −1 or +1, its sample weight (a weight of 2 equals writing the row twice) |
//! | h = (w, b) | a plane: weights and bias |
//! | zᵢ = w·xᵢ + b | score of row i |
//! | mᵢ = yᵢ zᵢ | margin of row i: positive where the row is on its own side |
//! | ℓ(m), λ, C | loss; strength of the penalty; C = 1/(λ Σsᵢ) |
//! | α | dual variable of a row: −ℓ′(m) at the optimum |
//! | η | step length |
//! | g | gradient, or the sum of corrections |
//! | R, γ | largest ‖(xᵢ, 1)‖; smallest yᵢ (xᵢ, 1)·u for a unit u |
//!
//! # Rooms
//!
//! * [`data`]: rows and labels, checked once ([`Design`], [`Labels`], [`Problem`], [`Binary`], [`Plane`])
//! * [`features`]: what is done to columns before a plane is learned
//! * [`loss`], [`penalty`]: what a wrong score and large weights cost; [`objective`]: the criterion, put together
//! * [`examine`]: what should be known about rows and classes before anything is learned
//! * [`minimise`]: one file per way of finding its least; [`certify`]: how near that is, for certain
//! * [`solver`]: one file per way of finding a plane
//! * [`reduce`]: many classes by means of two; [`joint`]: many classes at once
//! * [`infer`]: standard errors, tests and intervals of logistic regression
//! * [`learner`]: problem in, model out; the register of methods; [`options`]: their settings
//! * [`model`]: the one model type, its decisions and its geometry
//! * [`explain`]: why a row is given its class, and what would change that
//! * [`metric`]: how good predictions are; [`validate`]: on rows that nothing was learned from; [`calibrate`]: probabilities
//!   learned from such rows
//! * [`logic`]: planes over 0 and 1: which Boolean functions one neuron computes, and networks for the rest
//! * [`control`]: why a run ended and who looks on; [`error`]: every way a caller can be wrong
//!
//! # Example
//!
//! ```
//! use linsep::prelude::*;
//!
//! // The four corners of the square; only (1, 1) is "yes": the logical AND.
//! let x = Design::dense(4, 2, vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0])?;
//! let labels = Labels::parse(["no", "no", "no", "yes"]);
//! let problem = Problem::new(&x, &labels, None)?;
//!
//! let fit = linsep::learner::fit(&problem, &Perceptron::default(), None, &mut ())?;
//! assert_eq!(fit.stop, Stop::Separated);
//! assert_eq!(fit.model.predict(&x)?, [0, 0, 0, 1]);
//! # Ok::<(), linsep::Error>(())
//! ```

pub mod calibrate;
pub mod certify;
pub mod control;
pub mod data;
pub mod error;
pub mod examine;
pub mod explain;
pub mod features;
pub mod infer;
pub mod joint;
pub mod learner;
pub mod logic;
pub mod loss;
pub mod math;
pub mod metric;
pub mod minimise;
pub mod model;
pub mod objective;
pub mod options;
pub mod penalty;
pub mod reduce;
pub mod solver;
pub mod validate;

pub use control::{Budget, Cancel, Stop, Trace, Watch};
pub use data::{Binary, Design, Label, Labels, Plane, Problem};
pub use error::Error;
pub use model::{Decide, LinearModel};

/// What most programs need, in one `use`.
pub mod prelude {
    pub use crate::control::{Budget, Cancel, Stop, Trace, Watch};
    pub use crate::data::{Binary, Design, Label, Labels, Plane, Problem};
    pub use crate::error::Error;
    pub use crate::learner::{Fisher, Gaussian, Learner, LeastSquares};
    pub use crate::model::{Decide, LinearModel};
    pub use crate::solver::{
        BatchPerceptron, Convex, GradientDescent, Order, Perceptron, PerceptronVariant, Schedule,
        Solver, Strength, Tie,
    };
}
