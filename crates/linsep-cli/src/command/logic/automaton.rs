//! `linsep logic automaton`: a finite-state machine and its network of neurons with unit delays.

use crate::failure::Failure;
use crate::output::Output;
use clap::Args;
use linsep::io::Source;
use linsep::jobs::Outcome;
use linsep::jobs::logic::Automaton;
use linsep::read_machine;
use std::path::PathBuf;

#[derive(Args)]
pub struct AutomatonArgs {
    /// Machine file: a table of states by symbols, or a list of transitions, as CSV or JSON
    file: PathBuf,

    /// Input word: symbols one after another, or separated by blanks or commas
    #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
    input: Option<String>,
}

pub fn run(args: &AutomatonArgs, out: &Output) -> Result<(), Failure> {
    let machine = read_machine(Source::open(&args.file)?)?;
    let request = Automaton { name: args.file.display().to_string(), input: args.input.clone() };
    out.report(&Outcome::Automaton(request.run(machine)?))
}
