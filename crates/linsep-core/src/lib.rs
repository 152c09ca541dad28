//! Linear classification with certified results: the mathematical core.
//!
//! A linear classifier scores a row x by a hyperplane h = (w, b),
//!
//! ```text
//!   z = w·x + b,      class +1 where z ≥ 0, class −1 where z < 0,
//! ```
//!
//! and more than two classes by several hyperplanes. Training chooses h from n rows with known
//! classes, in most methods as a minimizer of an objective
//!
//! ```text
//!   F(h) = (1/Σsᵢ) Σᵢ sᵢ ℓ(zᵢ, yᵢ) + λ R(w)
//! ```
//!
//! This crate holds the objectives, the solvers, and the certificates of their results. It opens no
//! file, reads no clock and prints nothing: those tasks belong to the crates that use it.
//!
//! # Symbols
//!
//! Each symbol has one meaning, in formulas and (in ASCII) in code:
//!
//! | symbol | meaning |
//! |---|---|
//! | n, d, k | rows, columns, classes |
//! | xᵢ, yᵢ, sᵢ | row i, its class −1 or +1, its sample weight (2 equals the row twice) |
//! | h = (w, b) | a hyperplane: coefficients and intercept |
//! | zᵢ = w·xᵢ + b | score of row i |
//! | mᵢ = yᵢ zᵢ | margin of row i: positive if the row is correctly classified |
//! | ℓ(m), λ, C | loss; regularization strength; C = 1/(λ Σsᵢ) |
//! | α | dual variable of a row: −ℓ′(m) at the optimum |
//! | η | step length |
//! | g | gradient, or the sum of updates |
//! | R, γ | largest ‖(xᵢ, 1)‖; smallest yᵢ (xᵢ, 1)·u for a unit u |
//!
//! # Modules
//!
//! * [`data`]: rows and labels, validated once ([`Design`], [`Labels`], [`Problem`],
//!   [`BinaryProblem`], [`Hyperplane`])
//! * [`features`]: transformations of columns before training
//! * [`loss`], [`penalty`]: the two terms of the [`objective`]
//! * [`diagnostics`]: data checks before training
//! * [`solvers`]: the solvers, one file each; [`certify`]: certificates of their results
//! * [`binary`]: the binary learners, one file each
//! * [`reduce`]: reductions of multiclass problems to binary ones; [`multiclass`]: multiclass
//!   problems as one optimization
//! * [`infer`]: standard errors, tests and intervals of logistic regression
//! * [`learner`]: the registry of methods, from problem to model; [`options`]: their settings
//! * [`model`]: score functions, decision rules, the linear model and its geometry
//! * [`explain`]: contributions to a prediction, and its counterfactuals
//! * [`metric`]: measures of predictions; [`validate`]: their estimates on test folds;
//!   [`calibrate`]: probability calibration from out-of-fold scores
//! * [`float`]: numbers in JSON, with infinities; [`control`]: stop reasons, limits and observers;
//!   [`error`]: the errors of all calls
//!
//! # Example
//!
//! ```
//! use linsep_core::prelude::*;
//!
//! // The four corners of the square; only (1, 1) is "yes": the logical AND.
//! let x = Design::dense(4, 2, vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0])?;
//! let labels = Labels::parse(["no", "no", "no", "yes"]);
//! let problem = Problem::new(&x, &labels, None)?;
//!
//! let fit = linsep_core::learner::fit(&problem, &Perceptron::default(), None, &mut ())?;
//! assert_eq!(fit.stop, StopReason::Separated);
//! assert_eq!(fit.model.predict(&x)?, [0, 0, 0, 1]);
//! # Ok::<(), linsep_core::Error>(())
//! ```

pub mod binary;
pub mod calibrate;
pub mod certify;
pub mod control;
pub mod data;
pub mod diagnostics;
pub mod error;
pub mod explain;
pub mod features;
pub mod float;
pub mod infer;
pub mod learner;
pub mod loss;
pub mod math;
pub mod metric;
pub mod model;
pub mod multiclass;
mod names;
pub mod objective;
pub mod options;
pub mod penalty;
pub mod reduce;
pub mod solvers;
pub mod text;
pub mod validate;

pub use control::{Budget, Cancel, Observer, StopReason, Trace};
pub use data::{BinaryProblem, Design, Hyperplane, Label, Labels, Problem};
pub use error::Error;
pub use model::{DecisionRule, LinearModel};

/// The items that most programs need, in one `use`.
pub mod prelude {
    pub use crate::binary::{
        BatchPerceptron, BinaryLearner, GradientDescent, Order, Perceptron, PerceptronVariant,
        RegularizationStrength, RegularizedErm, Schedule, Tie,
    };
    pub use crate::control::{Budget, Cancel, Observer, StopReason, Trace};
    pub use crate::data::{BinaryProblem, Design, Hyperplane, Label, Labels, Problem};
    pub use crate::error::Error;
    pub use crate::learner::{Fisher, Gaussian, Learner, LeastSquares};
    pub use crate::model::{DecisionRule, LinearModel};
}
