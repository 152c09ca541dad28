//! `linsep logic`: threshold logic, one module per subcommand. Neurons have weights w and a
//! threshold, or the bias w0 of the lectures.

mod automaton;
mod count;
mod drawing;
mod function;
mod network;

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
    command: LogicCommand,
}

/// Subcommands of threshold logic.
#[derive(Subcommand)]
enum LogicCommand {
    /// Decide whether one neuron computes a Boolean function, with minimal weights or a proof
    Threshold(threshold::ThresholdArgs),
    /// Build a network of neurons for a Boolean function, with few hidden neurons
    Network(network::NetworkArgs),
    /// Count the threshold functions of N inputs
    Count(count::CountArgs),
    /// Build a network of neurons with delays for a finite-state machine
    Automaton(automaton::AutomatonArgs),
}

impl LogicArgs {
    /// Returns the files read and written by a subcommand that writes a file.
    pub fn files(&self) -> Files<'_> {
        match &self.command {
            LogicCommand::Network(args) => args.files(),
            LogicCommand::Threshold(_) | LogicCommand::Count(_) | LogicCommand::Automaton(_) => {
                Files::default()
            }
        }
    }
}

pub fn run(args: &LogicArgs, out: &Output) -> Result<(), Failure> {
    match &args.command {
        LogicCommand::Threshold(args) => threshold::run(args, out),
        LogicCommand::Network(args) => network::run(args, out),
        LogicCommand::Count(args) => count::run(args, out),
        LogicCommand::Automaton(args) => automaton::run(args, out),
    }
}

/// Returns a neuron as an inequality: `2 x1 − x3 ≥ 1`.
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

/// Returns a number as text with a minus sign.
fn minus(v: i64) -> String {
    if v < 0 { format!("−{}", v.unsigned_abs()) } else { v.to_string() }
}

/// Returns a neuron as JSON, with the bias w0 of the lectures, for which w0 + w·x is never 0.
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
    fn inequalities_omit_zero_and_unit_weights() {
        let names = ["a", "b", "c"].map(str::to_owned);
        let text = |weights: [i64; 3], threshold| {
            inequality(&Neuron { weights: weights.to_vec(), threshold }, &names)
        };
        assert_eq!(text([2, 0, -1], 1), "2 a − c ≥ 1");
        assert_eq!(text([-1, -3, 1], -2), "−a − 3 b + c ≥ −2");
        assert_eq!(text([0, 0, 0], 1), "0 ≥ 1");
    }
}
