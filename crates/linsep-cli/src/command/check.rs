//! `linsep check`: the data check before a fit.

use crate::data::{InputArgs, name_of};
use crate::failure::Failure;
use crate::output::Output;
use crate::progress::Progress;
use clap::Args;
use linsep::diagnostics::Severity;
use linsep::jobs::{Check, Outcome};
use std::time::Instant;

#[derive(Args)]
#[command(mut_arg("strict", |arg| arg.help(
    "Exit with code 1 on a serious finding; for LIBSVM, accept only what LIBLINEAR accepts"
)))]
pub struct CheckArgs {
    /// Skip the separation test
    #[arg(long, conflicts_with = "timeout", help_heading = "Limits")]
    no_separation: bool,

    /// Stop the separation test after this many seconds
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = super::seconds, help_heading = "Limits")]
    timeout: f64,

    #[command(flatten)]
    input: InputArgs,
}

pub fn run(args: &CheckArgs, out: &Output) -> Result<(), Failure> {
    let clock = Instant::now();
    let input = args.input.read(out)?;
    let read = clock.elapsed().as_secs_f64();
    let check = Check { data: args.input.settings(out), separation: !args.no_separation };
    let mut outcome =
        check.run(input, &mut Progress::new("checking").limit_stages(args.timeout))?;
    outcome.data = name_of(&args.input.data);
    outcome.seconds.read = read;
    let serious = outcome.found.report.count(Severity::Serious) > 0;
    out.report(&Outcome::Check(outcome))?;
    if args.input.reading.is_strict() && serious { Err(Failure::Found) } else { Ok(()) }
}
