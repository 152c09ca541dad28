//! `linsep logic`: threshold logic, one file per question.

mod automaton;
mod count;
mod function;
mod network;
mod picture;
mod threshold;

use super::files::Files;
use crate::failure::Failure;
use crate::output::Output;
use clap::{Args, Subcommand};
use linsep::logic::Neuron;
use serde_json::{Value, json};
use std::fmt::Write;

#[derive(Args)]
pub struct LogicArgs {
    #[command(subcommand)]
    question: Question,
}

/// What can be asked.
#[derive(Subcommand)]
enum Question {
    /// Can one neuron compute this Boolean function? Its least weights, or the proof that it cannot
    Threshold(threshold::ThresholdArgs),
    /// A network of neurons that computes it, with as few hidden ones as are found
    Network(network::NetworkArgs),
    /// How many functions of N inputs can one neuron compute?
    Count(count::CountArgs),
    /// A finite-state machine as neurons with delays
    Automaton(automaton::AutomatonArgs),
}

impl LogicArgs {
    /// What is read and written, where something is written.
    pub fn files(&self) -> Files<'_> {
        match &self.question {
            Question::Network(args) => args.files(),
            Question::Threshold(_) | Question::Count(_) | Question::Automaton(_) => {
                Files::default()
            }
        }
    }
}

pub fn run(args: &LogicArgs, out: &Output) -> Result<(), Failure> {
    match &args.question {
        Question::Threshold(args) => threshold::run(args, out),
        Question::Network(args) => network::run(args, out),
        Question::Count(args) => count::run(args, out),
        Question::Automaton(args) => automaton::run(args, out),
    }
}

/// A neuron as an inequality: `2 x1 − x3 ≥ 1`.
fn inequality(neuron: &Neuron, inputs: &[String]) -> String {
    let mut sum = String::new();
    for (w, input) in neuron.weights.iter().zip(inputs).filter(|(w, _)| **w != 0) {
        let sign = match (*w < 0, sum.is_empty()) {
            (true, true) => "−",
            (true, false) => " − ",
            (false, true) => "",
            (false, false) => " + ",
        };
        let size = w.unsigned_abs();
        let _ = if size == 1 {
            write!(sum, "{sign}{input}")
        } else {
            write!(sum, "{sign}{size} {input}")
        };
    }
    if sum.is_empty() {
        sum.push('0');
    }
    format!("{sum} ≥ {}", minus(neuron.threshold))
}

/// A number with a proper minus.
fn minus(v: i64) -> String {
    if v < 0 { format!("−{}", v.unsigned_abs()) } else { v.to_string() }
}

/// A neuron as JSON, with the lectures' w0, for which the sum is never 0.
fn neuron_json(neuron: &Neuron) -> Value {
    json!({
        "weights": neuron.weights,
        "threshold": neuron.threshold,
        "w0": 0.5 - neuron.threshold as f64,
        "name": neuron.name(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neurons_are_written_as_people_do() {
        let names = ["a", "b", "c"].map(str::to_owned);
        let text = |weights: [i64; 3], threshold| {
            inequality(&Neuron { weights: weights.to_vec(), threshold }, &names)
        };
        assert_eq!(text([2, 0, -1], 1), "2 a − c ≥ 1");
        assert_eq!(text([-1, -3, 1], -2), "−a − 3 b + c ≥ −2");
        assert_eq!(text([0, 0, 0], 1), "0 ≥ 1");
    }
}
