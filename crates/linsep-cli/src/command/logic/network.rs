//! `linsep logic network`: a network of neurons that computes a Boolean function.

use super::function::FunctionArgs;
use crate::command::files::Files;
use crate::command::plot::{PLOT, write_picture};
use crate::failure::Failure;
use crate::output::Output;
use clap::Args;
use linsep::jobs::Outcome;
use linsep::logic::Limits;
use std::path::PathBuf;

#[derive(Args)]
pub struct NetworkArgs {
    #[command(flatten)]
    function: FunctionArgs,

    /// Draw the network in this .svg or .png file, or as SVG to stdout (-); for two inputs with the
    /// hyperplanes of its neurons
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

pub fn run(args: &NetworkArgs, out: &Output) -> Result<(), Failure> {
    let function = [args.function.file()];
    Files::default().reads(function).writes("output", args.output.clone(), PLOT).check(out)?;
    let function = args.function.read(out)?;
    let outcome = Outcome::Network(function.network(&Limits::default())?);
    match &args.output {
        Some(path) => write_picture(outcome, path, out),
        None => out.report(&outcome),
    }
}
