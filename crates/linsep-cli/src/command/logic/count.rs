//! `linsep logic count`: number of threshold functions of N inputs.

use crate::failure::Failure;
use crate::output::Output;
use crate::progress::Progress;
use clap::Args;
use linsep::jobs::Outcome;
use linsep::jobs::logic::CountThresholdFunctions;
use linsep::logic::count::MOST;

#[derive(Args)]
pub struct CountArgs {
    /// Number of inputs; 8 take up to a minute
    #[arg(value_name = "N", value_parser = clap::value_parser!(u8).range(0..=i64::from(MOST)))]
    inputs: u8,
}

pub fn run(args: &CountArgs, out: &Output) -> Result<(), Failure> {
    let outcome =
        CountThresholdFunctions { inputs: args.inputs }.run(&mut Progress::new("counting"))?;
    out.report(&Outcome::Count(outcome))
}
