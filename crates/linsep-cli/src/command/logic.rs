//! `linsep logic`: threshold logic. Neurons have weights w and a threshold, or the bias w0 of the
//! lectures.

use super::files::Files;
use super::plot::{PLOT, write_picture};
use crate::failure::Failure;
use crate::output::Output;
use crate::progress::Progress;
use clap::{Args, Subcommand};
use linsep::io::{ReadOptions, Source};
use linsep::jobs::Outcome;
use linsep::jobs::logic::{Automaton, CountThresholdFunctions, Function};
use linsep::logic::Limits;
use linsep::logic::count::MOST;
use linsep::{read_machine, read_truth};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct LogicArgs {
    #[command(subcommand)]
    command: LogicCommand,
}

/// Subcommands of threshold logic.
#[derive(Subcommand)]
enum LogicCommand {
    /// Decide whether one neuron computes a Boolean function, with minimal weights or a proof
    Threshold(ThresholdArgs),
    /// Build a network of neurons for a Boolean function, with few hidden neurons
    Network(NetworkArgs),
    /// Count the threshold functions of N inputs
    Count(CountArgs),
    /// Build a network of neurons with delays for a finite-state machine
    Automaton(AutomatonArgs),
}

#[derive(Args)]
struct ThresholdArgs {
    #[command(flatten)]
    function: FunctionArgs,

    /// Limit of search nodes for the proof that the weights are minimal
    #[arg(long, value_name = "N", default_value_t = Limits::default().parts)]
    parts: u64,
}

#[derive(Args)]
struct NetworkArgs {
    #[command(flatten)]
    function: FunctionArgs,

    /// Draw the network in this .svg or .png file, or as SVG to stdout (-); for two inputs with the
    /// hyperplanes of its neurons
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

#[derive(Args)]
struct CountArgs {
    /// Number of inputs; 8 take up to a minute
    #[arg(value_name = "N", value_parser = clap::value_parser!(u8).range(0..=i64::from(MOST)))]
    inputs: u8,
}

#[derive(Args)]
struct AutomatonArgs {
    /// Machine file: a table of states by symbols, or a list of transitions, as CSV or JSON
    file: PathBuf,

    /// Input word: symbols one after another, or separated by blanks or commas
    #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
    input: Option<String>,
}

/// A Boolean function: an expression, a truth table in bits or hexadecimal, or a table in a file.
#[derive(Args)]
struct FunctionArgs {
    /// Boolean function: an expression like 'x1 & !(x2 | x3)', 'a ^ b', 'maj(a, b, c)' or 'a -> b';
    /// a truth table in bits (0110, inputs from 00 to 11, the last input fastest) or hexadecimal
    /// (0xe8); or a file with one row per input vector
    #[arg(value_name = "EXPR|TABLE|FILE", allow_hyphen_values = true)]
    function: String,

    /// Column of the output in a file
    /// [default: target, label, class, output, f or y, else the last]
    #[arg(long, value_name = "COLUMN")]
    target: Option<String>,
}

pub fn run(args: &LogicArgs, out: &Output) -> Result<(), Failure> {
    let outcome = match &args.command {
        LogicCommand::Threshold(args) => {
            let limits = Limits { parts: args.parts };
            Outcome::Threshold(args.function.read(out)?.decide(&limits))
        }
        LogicCommand::Network(args) => {
            let files = Files::default().reads([Path::new(&args.function.function)]);
            files.writes("output", args.output.clone(), PLOT).check(out)?;
            let network = args.function.read(out)?.network(&Limits::default())?;
            let outcome = Outcome::Network(network);
            if let Some(path) = &args.output {
                return write_picture(outcome, path, out);
            }
            outcome
        }
        LogicCommand::Count(args) => {
            let job = CountThresholdFunctions { inputs: args.inputs };
            Outcome::Count(job.run(&mut Progress::new("counting"))?)
        }
        LogicCommand::Automaton(args) => {
            let machine = read_machine(Source::open(&args.file)?)?;
            let name = args.file.display().to_string();
            Outcome::Automaton(Automaton { name, input: args.input.clone() }.run(machine)?)
        }
    };
    out.report(&outcome)
}

impl FunctionArgs {
    /// Parses the argument. An existing file takes precedence over an expression.
    fn read(&self, out: &Output) -> Result<Function, Failure> {
        let text = self.function.clone();
        if let Some(function) = Function::of_bits(&text) {
            return Ok(function?);
        }
        if text == "-" || Path::new(&text).is_file() || looks_like_a_file(&text) {
            let mut options = ReadOptions::default();
            options.csv.threads = out.threads;
            let source = Source::open(&text)?;
            let (inputs, truth) = read_truth(source, self.target.as_deref(), &options)?;
            return Ok(Function { text, inputs, truth });
        }
        Ok(Function::of_expression(&text)?)
    }
}

/// Returns whether a text is a file name with an extension, which no expression has, so that the
/// error is about a missing file.
fn looks_like_a_file(text: &str) -> bool {
    let ending = Path::new(text).extension().and_then(|ending| ending.to_str());
    let plain = |ending: &str| ending.chars().all(char::is_alphanumeric);
    ending.is_some_and(plain) && !text.contains(char::is_whitespace)
}
