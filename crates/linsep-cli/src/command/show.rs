//! `linsep show`: contents of a model file.

use crate::failure::Failure;
use crate::output::Output;
use clap::Args;
use linsep::ModelFile;
use linsep::jobs::{Outcome, Show};
use std::path::PathBuf;

#[derive(Args)]
pub struct ShowArgs {
    /// Model file
    model: PathBuf,

    /// Show at most this many features, those of the largest coefficients
    #[arg(long, value_name = "N", default_value_t = Show::default().top, help_heading = "Output")]
    top: usize,
}

pub fn run(args: &ShowArgs, out: &Output) -> Result<(), Failure> {
    let outcome = Show { top: args.top }.run(ModelFile::load(&args.model)?);
    out.report(&Outcome::Show(Box::new(outcome)))
}
