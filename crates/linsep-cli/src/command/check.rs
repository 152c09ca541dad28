//! `linsep check`: the data check before a fit.

use crate::data::{ColumnArgs, ReadArgs, name_of};
use crate::failure::Failure;
use crate::output::Output;
use crate::progress::Progress;
use clap::Args;
use linsep::diagnostics::Severity;
use linsep::jobs::{Check, Outcome};
use std::path::PathBuf;
use std::time::Instant;

#[derive(Args)]
#[command(mut_arg("strict", |arg| arg.help(
    "Exit with code 1 on a serious finding; for LIBSVM, accept only what LIBLINEAR accepts"
)))]
pub struct CheckArgs {
    /// Data files, read as one data set; - is stdin
    #[arg(required = true)]
    data: Vec<PathBuf>,

    /// Skip the separation test
    #[arg(long, conflicts_with = "timeout", help_heading = "Limits")]
    no_separation: bool,

    /// Stop the separation test after this many seconds
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = super::seconds, help_heading = "Limits")]
    timeout: f64,

    #[command(flatten)]
    columns: ColumnArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

pub fn run(args: &CheckArgs, out: &Output) -> Result<(), Failure> {
    let clock = Instant::now();
    let input = args.columns.read(&args.data, &args.reading, out)?;
    let read = clock.elapsed().as_secs_f64();
    let check = Check { data: args.columns.settings(out), separation: !args.no_separation };
    let mut outcome =
        check.run(input, &mut Progress::new("checking").limit_stages(args.timeout))?;
    outcome.data = name_of(&args.data);
    outcome.seconds.read = read;
    let serious = outcome.found.report.count(Severity::Serious) > 0;
    out.report(&Outcome::Check(outcome))?;
    if args.reading.is_strict() && serious { Err(Failure::Found) } else { Ok(()) }
}
