//! A method with its settings: plain data that every interface passes on.
//!
//! The functions named after the methods start from the defaults of a method, and the functions
//! named after the settings change them:
//!
//! ```
//! use linsep_core::learner::Method;
//! use linsep_core::options::{Penalty, Solver};
//!
//! let lasso = Method::logistic().penalty(Penalty::L1).lambda(0.01);
//! assert!(lasso.learner(false).is_ok());
//! // Dual coordinate descent requires a pure l2 penalty.
//! assert!(lasso.solver(Solver::DualCd).learner(false).is_err());
//! ```

use super::{ALL, Entry, InterceptRule, Learner, Priors, Scheme, Shrinkage};
use super::{fisher, gaussian, least_squares};
use crate::binary::{Order, Tie, batch_perceptron, convex, gradient_descent, perceptron};
use crate::error::Error;
use crate::options::{Loss, Options, Penalty, Solver};
use crate::solvers::Schedule;
use serde::{Deserialize, Serialize};

/// A method and its settings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Method {
    /// The method; by default `logistic`, or `convex` if a loss is given.
    #[serde(rename = "name")]
    pub entry: Option<&'static Entry>,
    /// The settings that are given; the others keep the defaults of the method.
    pub options: Options,
}

/// Functions that start from the defaults of a method.
macro_rules! methods {
    ($($name:ident: $entry:expr, $doc:expr;)*) => {$(
        #[doc = $doc]
        pub fn $name() -> Self {
            Self { entry: Some(&$entry), options: Options::default() }
        }
    )*};
}

/// Functions that change a setting.
macro_rules! settings {
    ($($name:ident: $field:ident, $value:ty, $doc:expr;)*) => {$(
        #[doc = $doc]
        pub fn $name(mut self, value: $value) -> Self {
            self.options.$field = Some(value);
            self
        }
    )*};
}

impl Method {
    methods! {
        logistic: convex::LOGISTIC, "Logistic regression; provides probabilities.";
        svm: convex::SVM, "Linear support vector machine (hinge loss).";
        convex: convex::CONVEX, "Any loss with any penalty; by default the logistic loss.";
        least_squares: least_squares::ENTRY, "Least squares on one-hot targets.";
        fisher: fisher::ENTRY, "Fisher's discriminant.";
        gaussian: gaussian::ENTRY, "Linear discriminant analysis; provides probabilities.";
        perceptron: perceptron::LAST, "Rosenblatt's perceptron.";
        averaged_perceptron: perceptron::AVERAGED, "Mean of all weight vectors of a perceptron.";
        pocket: perceptron::POCKET, "Best weight vector of a perceptron.";
        batch_perceptron: batch_perceptron::ENTRY, "Perceptron with one update per epoch.";
        gradient_descent: gradient_descent::ENTRY, "Descent of the perceptron criterion.";
    }

    settings! {
        loss: loss, Loss, "The loss, for `svm` and `convex`.";
        penalty: penalty, Penalty, "The penalty.";
        lambda: lambda, f64, "Regularization strength λ, against the mean loss.";
        c: c, f64, "Inverse regularization strength C = 1/(λ × total sample weight).";
        l1_ratio: l1_ratio, f64, "Share of l1 in the elastic net.";
        solver: solver, Solver, "The solver.";
        tol: tol, f64, "Tolerance on the relative duality gap.";
        max_iter: epochs, u64, "Limit of iterations, or of epochs for row-by-row solvers.";
        intercept: intercept, bool, "Whether the hyperplanes have intercepts.";
        eta: eta, f64, "Step length η.";
        schedule: schedule, Schedule, "Step-length schedule.";
        order: order, Order, "Order of the rows within an epoch.";
        tie: tie, Tie, "Treatment of training rows exactly on the hyperplane.";
        seed: seed, u64, "Seed of all random numbers.";
        intercept_rule: bias, InterceptRule, "Rule for the intercept of `fisher`.";
        dims: dims, usize, "Number of discriminant directions of `fisher`.";
        priors: priors, Priors, "Class priors of `fisher` and `gaussian`.";
        shrinkage: shrinkage, Shrinkage, "Shrinkage of the covariance matrix.";
        multiclass: multiclass, Scheme, "Multiclass scheme.";
    }

    /// The method in the registry.
    pub fn entry(&self) -> &'static Entry {
        let default = if self.options.loss.is_some() { &convex::CONVEX } else { &ALL[0] };
        self.entry.unwrap_or(default)
    }

    /// Whether the method selects λ by leave-one-out cross-validation if it is tuned.
    pub fn leaves_one_out(&self) -> bool {
        self.entry().takes.contains(&"loo")
    }

    /// The learner; `tuned` enables leave-one-out for a method that provides it.
    pub fn learner(&self, tuned: bool) -> Result<Box<dyn Learner>, Error> {
        let mut options = self.options.clone();
        if tuned && self.leaves_one_out() {
            options.loo = Some(true);
        }
        self.entry().learner(&options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_has_a_function() {
        let all = [
            Method::logistic(),
            Method::svm(),
            Method::convex(),
            Method::least_squares(),
            Method::fisher(),
            Method::gaussian(),
            Method::averaged_perceptron(),
            Method::perceptron(),
            Method::batch_perceptron(),
            Method::pocket(),
            Method::gradient_descent(),
        ];
        assert_eq!(all.map(|method| method.entry().name).to_vec(), names());
    }

    fn names() -> Vec<&'static str> {
        ALL.iter().map(|entry| entry.name).collect()
    }

    #[test]
    fn the_default_is_logistic_or_convex_with_a_loss() {
        assert_eq!(Method::default().entry(), &convex::LOGISTIC);
        assert_eq!(Method::default().loss(Loss::Hinge).entry(), &convex::CONVEX);
    }
}
