//! `linsep verify`: check of a separation certificate against data, in exact arithmetic.

use super::separable::PositiveArgs;
use crate::data::{ColumnArgs, ReadArgs, name_of};
use crate::failure::Failure;
use crate::output::{Output, print_notes};
use crate::progress::Progress;
use clap::Args;
use linsep::SeparationCertificate;
use linsep::jobs::{Outcome, Separable};
use std::path::PathBuf;

#[derive(Args)]
pub struct VerifyArgs {
    /// Certificate, as written by `linsep separable --output`
    certificate: PathBuf,

    /// Data files, read with the same options as by `linsep separable`
    #[arg(required = true)]
    data: Vec<PathBuf>,

    #[command(flatten)]
    positive: PositiveArgs,

    #[command(flatten)]
    columns: ColumnArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

pub fn run(args: &VerifyArgs, out: &Output) -> Result<(), Failure> {
    let certificate = SeparationCertificate::load(&args.certificate)?;
    let input = args.columns.read(&args.data, &args.reading, out)?;
    let job = Separable { data: args.columns.settings(out), positive: args.positive.class() };
    let name = args.certificate.display().to_string();
    let mut outcome = job.verify(&certificate, &name, input, &mut Progress::new("verification"))?;
    print_notes(&outcome.notes);
    outcome.data = name_of(&args.data);
    out.report(&Outcome::Verify(outcome))
}
