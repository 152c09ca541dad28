//! `linsep logic`: threshold logic, one module per subcommand. Neurons have weights w and a
//! threshold, or the bias w0 of the lectures.

mod automaton;
mod count;
mod function;
mod network;
mod threshold;

use crate::failure::Failure;
use crate::output::Output;
use clap::{Args, Subcommand};

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

pub fn run(args: &LogicArgs, out: &Output) -> Result<(), Failure> {
    match &args.command {
        LogicCommand::Threshold(args) => threshold::run(args, out),
        LogicCommand::Network(args) => network::run(args, out),
        LogicCommand::Count(args) => count::run(args, out),
        LogicCommand::Automaton(args) => automaton::run(args, out),
    }
}
