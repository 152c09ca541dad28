//! `linsep logic threshold`: decision whether a Boolean function is a threshold function.

use super::function::FunctionArgs;
use crate::failure::Failure;
use crate::output::Output;
use clap::Args;
use linsep::jobs::Outcome;
use linsep::logic::Limits;

#[derive(Args)]
pub struct ThresholdArgs {
    #[command(flatten)]
    function: FunctionArgs,

    /// Limit of search nodes for the proof that the weights are minimal
    #[arg(long, value_name = "N", default_value_t = Limits::default().parts)]
    parts: u64,
}

pub fn run(args: &ThresholdArgs, out: &Output) -> Result<(), Failure> {
    let function = args.function.read(out)?;
    out.report(&Outcome::Threshold(function.decide(&Limits { parts: args.parts })))
}
