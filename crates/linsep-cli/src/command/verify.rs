//! `linsep verify`: check of a separation certificate against data, in exact arithmetic.

use super::separable::PositiveArgs;
use crate::data::{InputArgs, name_of};
use crate::failure::Failure;
use crate::output::{Output, print_notes};
use crate::progress::Progress;
use clap::Args;
use linsep::SeparationCertificate;
use linsep::jobs::{Outcome, Separable};
use std::path::PathBuf;

#[derive(Args)]
#[command(mut_arg("data", |arg| arg.help(
    "Data files, read with the same options as by `linsep separable`"
)))]
pub struct VerifyArgs {
    /// Certificate, as written by `linsep separable --output`
    certificate: PathBuf,

    #[command(flatten)]
    positive: PositiveArgs,

    #[command(flatten)]
    input: InputArgs,
}

pub fn run(args: &VerifyArgs, out: &Output) -> Result<(), Failure> {
    let certificate = SeparationCertificate::load(&args.certificate)?;
    let input = args.input.read(out)?;
    let job = Separable { data: args.input.settings(out), positive: args.positive.class() };
    let name = args.certificate.display().to_string();
    let mut outcome = job.verify(&certificate, &name, input, &mut Progress::new("verification"))?;
    print_notes(&outcome.notes);
    outcome.data = name_of(&args.input.data);
    out.report(&Outcome::Verify(outcome))
}
