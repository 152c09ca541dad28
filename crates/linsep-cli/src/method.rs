//! The options that choose and set up a method.

use crate::failure::Failure;
use clap::Args;
use clap::builder::PossibleValue;
use clap::builder::PossibleValuesParser;
use linsep::Plane;
use linsep::solver::{self, Options, Order, Schedule, Solver, Tie};

/// How to learn
#[derive(Args)]
#[command(next_help_heading = "Method")]
pub struct MethodArgs {
    /// How to learn
    #[arg(long, value_name = "METHOD", default_value = solver::ALL[0].name, value_parser = methods())]
    method: String,

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

    /// Start from these weights, the bias last: w1,w2,…,b [default: zeros]
    #[arg(long, value_name = "NUMBERS", allow_hyphen_values = true, value_parser = plane)]
    start: Option<Plane>,
}

fn methods() -> PossibleValuesParser {
    let value = |entry: &solver::Entry| PossibleValue::new(entry.name).help(entry.about);
    solver::ALL.iter().map(value).collect::<Vec<_>>().into()
}

fn plane(text: &str) -> Result<Plane, String> {
    let number = |part: &str| {
        let part = part.trim();
        part.parse::<f64>().map_err(|_| format!("{part:?} is not a number"))
    };
    let mut w = text.split(',').map(number).collect::<Result<Vec<f64>, String>>()?;
    match w.pop() {
        Some(b) if !w.is_empty() => Ok(Plane { w, b }),
        _ => Err("give at least one weight and the bias, separated by commas".to_owned()),
    }
}

impl MethodArgs {
    /// The solver, set up.
    pub fn solver(&self) -> Result<Box<dyn Solver>, Failure> {
        fn word<T: std::str::FromStr<Err = linsep::Error>>(
            text: Option<&String>,
        ) -> Result<Option<T>, linsep::Error> {
            text.map(|text| text.parse()).transpose()
        }
        let options = Options {
            eta: self.eta,
            epochs: self.epochs,
            tie: word(self.tie.as_ref())?,
            order: word(self.order.as_ref())?,
            seed: self.seed,
            schedule: word(self.schedule.as_ref())?,
        };
        Ok(solver::by_name(&self.method, &options)?)
    }

    /// The plane to start from, if one was given; it must fit the data.
    pub fn start(&self, d: usize) -> Result<Option<Plane>, Failure> {
        match &self.start {
            Some(plane) if plane.d() != d => Err(Failure::Usage(format!(
                "--start has {} numbers, but {} are needed: one for each of the {d} columns, then the bias",
                plane.d() + 1,
                d + 1
            ))),
            start => Ok(start.clone()),
        }
    }

    /// The seed in force.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or_default()
    }
}
