//! Options of the method, its solver and its multiclass scheme.

pub mod values;

use crate::failure::Failure;
use clap::Args;
use linsep::core::binary::{Order, Schedule, Tie};
use linsep::core::data::ClassWeights;
use linsep::core::learner::{InterceptRule, Method, Priors, Scheme, Shrinkage};
use linsep::core::options::Options;
use std::str::FromStr;
use values::{
    coefficient, long, losses, method_values, methods, penalties, penalty_values, schemes,
    solver_values, spelled,
};

/// Groups of options in the help.
const OPTIMIZATION: &str = "Optimization";
const MULTICLASS: &str = "Multiclass";

/// Method and its settings
#[derive(Args)]
#[command(next_help_heading = "Method")]
pub struct MethodArgs {
    /// Method, such as svm or lda [default: logistic]
    #[arg(long, value_name = "METHOD", value_parser = methods(), hide_possible_values = true, long_help = long("Method [default: logistic, or convex if a loss is given]", &method_values()))]
    method: Option<String>,

    /// Loss function, for svm and convex
    #[arg(long, value_name = "LOSS", value_parser = losses(), hide_short_help = true)]
    loss: Option<String>,

    /// Penalty: l2, l1, elastic-net, none [default: l2]
    #[arg(long, value_name = "PENALTY", value_parser = penalties(), ignore_case = true, hide_possible_values = true, long_help = long("Penalty [default: l2]", &penalty_values()))]
    penalty: Option<String>,

    /// Regularization strength λ, against the mean loss
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, hide_short_help = true)]
    lambda: Option<f64>,

    /// Inverse regularization strength [default: 1]
    #[arg(
        long_help = "Inverse regularization strength, as in LIBLINEAR and scikit-learn: λ = 1/(C × total sample weight) [default: 1]",
        short = 'C',
        long = "C",
        value_name = "NUMBER",
        allow_negative_numbers = true
    )]
    c: Option<f64>,

    /// Share of l1 in the elastic net [default: 0.5]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true, hide_short_help = true)]
    l1_ratio: Option<f64>,

    /// Fit no intercept (hyperplanes through the origin)
    #[arg(long, hide_short_help = true)]
    no_intercept: bool,

    /// Class weights: balanced, or CLASS=WEIGHT,…
    #[arg(long, value_name = "WEIGHTS")]
    class_weight: Option<String>,

    /// Rule for the intercept, for fisher with two classes [default: gaussian]
    #[arg(long = "intercept-rule", value_name = "RULE", value_parser = InterceptRule::ALL.map(InterceptRule::name), hide_short_help = true)]
    intercept_rule: Option<String>,

    /// Number of discriminant directions, for fisher [default: all]
    #[arg(long, value_name = "N", hide_short_help = true)]
    dims: Option<usize>,

    /// Class priors, for fisher and gaussian: empirical, uniform, or CLASS=P,… [default: empirical]
    #[arg(long, value_name = "PRIORS", value_parser = spelled::<Priors>, hide_short_help = true)]
    priors: Option<Priors>,

    /// Shrinkage of the covariance, for fisher and gaussian: from 0 to 1, or auto [default: 0]
    #[arg(long, value_name = "NUMBER|auto", value_parser = spelled::<Shrinkage>, allow_negative_numbers = true, hide_short_help = true)]
    shrinkage: Option<Shrinkage>,

    /// Select λ by leave-one-out cross-validation, for least-squares
    #[arg(long, hide_short_help = true)]
    loo: bool,

    /// Optimization algorithm [default: auto: lowest estimated cost]
    #[arg(long, value_name = "SOLVER", value_parser = solver_values(), help_heading = OPTIMIZATION, hide_short_help = true)]
    solver: Option<String>,

    /// Stop when the relative duality gap is at most this [default: 0.0001]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, help_heading = OPTIMIZATION, hide_short_help = true)]
    tol: Option<f64>,

    /// Limit of iterations, or of epochs for row-by-row solvers
    #[arg(long = "max-iter", value_name = "N", help_heading = OPTIMIZATION, hide_short_help = true)]
    epochs: Option<u64>,

    /// Step length η
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true, help_heading = OPTIMIZATION, hide_short_help = true)]
    eta: Option<f64>,

    /// Step-length schedule
    #[arg(long, value_name = "SCHEDULE", value_parser = Schedule::ALL.map(Schedule::name), help_heading = OPTIMIZATION, hide_short_help = true)]
    schedule: Option<String>,

    /// Order of the rows within an epoch
    #[arg(long, value_name = "ORDER", value_parser = Order::ALL.map(Order::name), help_heading = OPTIMIZATION, hide_short_help = true)]
    order: Option<String>,

    /// Treatment of training rows exactly on the hyperplane
    #[arg(long, value_name = "RULE", value_parser = Tie::ALL.map(Tie::name), help_heading = OPTIMIZATION, hide_short_help = true)]
    tie: Option<String>,

    /// Seed of the random number generator [default: 0]
    #[arg(long, visible_alias = "random-state", value_name = "N", help_heading = OPTIMIZATION, hide_short_help = true)]
    seed: Option<u64>,

    /// Starting coefficients, the intercept last: w1,w2,…,b; several hyperplanes in sequence
    /// [default: zeros]
    #[arg(long, value_name = "NUMBERS", allow_hyphen_values = true, value_delimiter = ',', value_parser = coefficient, help_heading = OPTIMIZATION, hide_short_help = true)]
    start: Vec<f64>,

    /// Multiclass scheme [default: softmax for logistic, winner-take-all for perceptrons, else
    /// one-vs-rest; see --explain-multiclass]
    #[arg(long, value_name = "SCHEME", value_parser = schemes(), help_heading = MULTICLASS, hide_short_help = true)]
    multiclass: Option<String>,
}

impl MethodArgs {
    /// The method and its settings.
    pub fn method(&self) -> Result<Method, Failure> {
        fn parsed<T: FromStr<Err = linsep::core::Error>>(
            text: Option<&String>,
        ) -> Result<Option<T>, linsep::core::Error> {
            text.map(|text| text.parse()).transpose()
        }
        let options = Options {
            loss: parsed(self.loss.as_ref())?,
            penalty: parsed(self.penalty.as_ref())?,
            lambda: self.lambda,
            c: self.c,
            l1_ratio: self.l1_ratio,
            solver: parsed(self.solver.as_ref())?,
            tol: self.tol,
            intercept: self.no_intercept.then_some(false),
            eta: self.eta,
            epochs: self.epochs,
            tie: parsed(self.tie.as_ref())?,
            order: parsed(self.order.as_ref())?,
            seed: self.seed,
            schedule: parsed(self.schedule.as_ref())?,
            bias: parsed(self.intercept_rule.as_ref())?,
            dims: self.dims,
            priors: self.priors.clone(),
            shrinkage: self.shrinkage,
            loo: self.loo.then_some(true),
            multiclass: self.multiclass.as_deref().map(Scheme::by_name).transpose()?,
        };
        Ok(Method { entry: parsed(self.method.as_ref())?, options })
    }

    /// The starting coefficients, each hyperplane followed by its intercept; empty for zeros.
    pub fn start(&self) -> &[f64] {
        &self.start
    }

    /// The class weights.
    pub fn class_weights(&self) -> Result<ClassWeights, Failure> {
        match &self.class_weight {
            None => Ok(ClassWeights::Equal),
            Some(text) => Ok(text.parse()?),
        }
    }
}
