//! The options that choose and set up a method.

use crate::failure::Failure;
use clap::Args;
use clap::builder::PossibleValue;
use clap::builder::PossibleValuesParser;
use linsep::data::ClassWeights;
use linsep::learner::{self, Bias, Learner, Priors, Scheme, Shrinkage};
use linsep::loss::{self, Loss};
use linsep::options::Options;
use linsep::solver::{Order, Schedule, Tie};
use linsep::{Plane, minimise, penalty};

/// How to learn
#[derive(Args)]
#[command(next_help_heading = "Method")]
pub struct MethodArgs {
    /// How to learn [default: logistic, or convex if a loss is given]
    #[arg(long, value_name = "METHOD", value_parser = methods())]
    method: Option<String>,

    /// What a score costs, for svm and convex
    #[arg(long, value_name = "LOSS", value_parser = losses())]
    loss: Option<String>,

    /// What large weights cost [default: l2]
    #[arg(long, value_name = "PENALTY", value_parser = penalties())]
    penalty: Option<String>,

    /// Strength of the penalty, against the mean loss
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    lambda: Option<f64>,

    /// The same as other programs have it, against the sum of losses: λ = 1/(C × weight of all rows) [default: 1]
    #[arg(short = 'C', long = "C", value_name = "NUMBER", allow_negative_numbers = true)]
    c: Option<f64>,

    /// Share of l1 in the elastic net [default: 0.5]
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    l1_ratio: Option<f64>,

    /// Way of minimising [default: auto, the one that should be fastest]
    #[arg(long, value_name = "SOLVER", value_parser = ways())]
    solver: Option<String>,

    /// How near to the optimum: relative duality gap [default: 0.0001]
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    tol: Option<f64>,

    /// A plane through the origin
    #[arg(long)]
    no_intercept: bool,

    /// How more than two classes are told apart [default: softmax for logistic, winner-take-all for perceptrons, else one-vs-rest; see --explain]
    #[arg(long, value_name = "SCHEME", value_parser = schemes())]
    multiclass: Option<String>,

    /// Weights of classes: balanced, or CLASS=WEIGHT,…
    #[arg(long, value_name = "WEIGHTS")]
    class_weight: Option<String>,

    /// Where the threshold of two classes lies, for fisher [default: gaussian]
    #[arg(long, value_name = "RULE", value_parser = Bias::ALL.map(Bias::name))]
    bias: Option<String>,

    /// Directions to keep, for fisher [default: as many as there are]
    #[arg(long, value_name = "N")]
    dims: Option<usize>,

    /// How likely classes are beforehand, for fisher and gaussian: empirical, uniform, or CLASS=P,… [default: empirical]
    #[arg(long, value_name = "PRIORS")]
    priors: Option<Priors>,

    /// Draw the covariance towards a plain one, for fisher and gaussian: a number from 0 to 1, or auto [default: 0]
    #[arg(long, value_name = "NUMBER|auto", allow_negative_numbers = true)]
    shrinkage: Option<Shrinkage>,

    /// Choose lambda by leaving out one row at a time, for least-squares
    #[arg(long)]
    loo: bool,

    /// Step length
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    eta: Option<f64>,

    /// Passes over the data allowed
    #[arg(long, value_name = "N")]
    epochs: Option<u64>,

    /// What a row exactly on the plane counts as, while learning
    #[arg(long, value_name = "RULE", value_parser = Tie::ALL.map(Tie::name))]
    tie: Option<String>,

    /// Order in which rows are shown
    #[arg(long, value_name = "ORDER", value_parser = Order::ALL.map(Order::name))]
    order: Option<String>,

    /// Seed of everything random
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    /// How the step length changes
    #[arg(long, value_name = "SCHEDULE", value_parser = Schedule::ALL.map(Schedule::name))]
    schedule: Option<String>,

    /// Start from these weights, the bias last: w1,w2,…,b; of several planes one after the other [default: zeros]
    #[arg(long, value_name = "NUMBERS", allow_hyphen_values = true, value_delimiter = ',', value_parser = coefficient)]
    start: Vec<f64>,
}

pub fn methods() -> PossibleValuesParser {
    let value = |entry: &learner::Entry| PossibleValue::new(entry.name).help(entry.about);
    learner::ALL.iter().map(value).collect::<Vec<_>>().into()
}

fn losses() -> PossibleValuesParser {
    let value = |loss: &&dyn Loss| PossibleValue::new(loss.name()).help(loss.about());
    loss::ALL.iter().map(value).collect::<Vec<_>>().into()
}

fn penalties() -> PossibleValuesParser {
    let value = |entry: &penalty::Entry| PossibleValue::new(entry.name).help(entry.about);
    penalty::ALL.iter().map(value).collect::<Vec<_>>().into()
}

fn ways() -> PossibleValuesParser {
    let auto = PossibleValue::new("auto").help("the one that should be fastest");
    let value = |entry: &minimise::Entry| PossibleValue::new(entry.name).help(entry.about);
    std::iter::once(auto).chain(minimise::ALL.iter().map(value)).collect::<Vec<_>>().into()
}

fn schemes() -> PossibleValuesParser {
    let value = |scheme: Scheme| PossibleValue::new(scheme.name()).help(scheme.about());
    Scheme::ALL.map(value).to_vec().into()
}

fn coefficient(text: &str) -> Result<f64, String> {
    let text = text.trim();
    text.parse().map_err(|_| format!("{text:?} is not a number"))
}

impl MethodArgs {
    /// The learner, set up; `tuned` lets one that can choose its strength by itself do so.
    pub fn learner(&self, tuned: bool) -> Result<Box<dyn Learner>, Failure> {
        fn word<T: std::str::FromStr<Err = linsep::Error>>(
            text: Option<&String>,
        ) -> Result<Option<T>, linsep::Error> {
            text.map(|text| text.parse()).transpose()
        }
        let default = if self.loss.is_some() { "convex" } else { learner::ALL[0].name };
        let method = self.method.as_deref().unwrap_or(default);
        let alone =
            tuned && learner::ALL.iter().any(|e| e.name == method && e.takes.contains(&"loo"));
        let options = Options {
            loss: self.loss.clone(),
            penalty: self.penalty.clone(),
            lambda: self.lambda,
            c: self.c,
            l1_ratio: self.l1_ratio,
            solver: self.solver.clone(),
            tol: self.tol,
            intercept: self.no_intercept.then_some(false),
            eta: self.eta,
            epochs: self.epochs,
            tie: word(self.tie.as_ref())?,
            order: word(self.order.as_ref())?,
            seed: self.seed,
            schedule: word(self.schedule.as_ref())?,
            bias: word(self.bias.as_ref())?,
            dims: self.dims,
            priors: self.priors.clone(),
            shrinkage: self.shrinkage,
            loo: (self.loo || alone).then_some(true),
            multiclass: self.multiclass.as_deref().map(Scheme::by_name).transpose()?,
        };
        Ok(learner::by_name(method, &options)?)
    }

    /// The planes to start from, if they were given: as many as there are to find, each as long as the data is wide.
    pub fn starts(&self, d: usize, planes: usize) -> Result<Option<Vec<Plane>>, Failure> {
        if !self.is_started() {
            return Ok(None);
        }
        let (got, want) = (self.start.len(), planes * (d + 1));
        if got != want {
            let each = if planes > 1 {
                format!("for each of the {planes} planes ")
            } else {
                String::new()
            };
            return Err(Failure::Usage(format!(
                "--start has {got} numbers, but {want} are needed: {each}one for each of the {d} columns, then the bias"
            )));
        }
        let plane = |numbers: &[f64]| Plane { w: numbers[..d].to_vec(), b: numbers[d] };
        Ok(Some(self.start.chunks_exact(d + 1).map(plane).collect()))
    }

    /// Whether planes to start from were given.
    pub fn is_started(&self) -> bool {
        !self.start.is_empty()
    }

    /// The weights of classes that were asked for.
    pub fn class_weights(&self) -> Result<ClassWeights, Failure> {
        match &self.class_weight {
            None => Ok(ClassWeights::Equal),
            Some(text) => Ok(text.parse()?),
        }
    }

    /// Refuses what inference has no place for: it is about logistic regression without a penalty.
    pub fn for_inference(&self) -> Result<(), Failure> {
        let learner = self.learner(false)?;
        let solver = learner.as_reduced().map(|reduced| reduced.solver.as_ref());
        let loss = solver.and_then(|solver| solver.as_convex()).map(|convex| convex.loss.name());
        if loss != Some("logistic") {
            let name = learner.name();
            return Err(Failure::Usage(format!(
                "--infer and --firth are about logistic regression, not about {name}: standard errors, tests and intervals \
                 are those of a likelihood"
            )));
        }
        let penalised = match self.penalty.as_deref() {
            Some("none") => false,
            Some(_) => self.lambda != Some(0.0),
            None => self.c.is_some() || self.lambda.is_some_and(|lambda| lambda != 0.0),
        };
        if penalised {
            return Err(Failure::Usage(
                "a penalty draws coefficients towards 0 by an unknown amount, so standard errors, tests and intervals of such a \
                 fit would not hold: leave --penalty, --lambda and --C out (--infer takes none), or take --firth, \
                 whose penalty has tests and intervals of its own"
                    .to_owned(),
            ));
        }
        let given = [
            ("--no-intercept", self.no_intercept),
            ("--class-weight", self.class_weight.is_some()),
            ("--multiclass", self.multiclass.is_some()),
            ("--start", self.is_started()),
            ("--solver", self.solver.is_some()),
            ("--tol", self.tol.is_some()),
            ("--epochs", self.epochs.is_some()),
            ("--eta", self.eta.is_some()),
            ("--schedule", self.schedule.is_some()),
        ];
        match given.iter().find(|(_, given)| *given) {
            None => Ok(()),
            Some((flag, _)) => Err(Failure::Usage(format!(
                "{flag} has no place beside --infer and --firth: they take the likelihood of two classes with a bias, every \
                 row by its own weight, by Newton's method as far as doubles go"
            ))),
        }
    }

    /// The scheme that was asked for.
    pub fn multiclass(&self) -> Option<&str> {
        self.multiclass.as_deref()
    }

    /// Refuses another scheme for what goes with one-vs-rest alone.
    pub fn one_vs_rest_only(&self, what: &str) -> Result<(), Failure> {
        match self.multiclass() {
            Some(scheme) if scheme != Scheme::OneVsRest.name() => {
                Err(Failure::Usage(format!("{what} goes with one-vs-rest, not with {scheme}")))
            }
            _ => Ok(()),
        }
    }

    /// The seed in force.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or_default()
    }
}
