//! `linsep verify`: check of a separation certificate against data, in exact arithmetic.

use super::separable::PositiveArgs;
use crate::data::{ColumnArgs, ReadArgs, name_of, problem};
use crate::failure::Failure;
use crate::layout::entry;
use crate::output::Output;
use clap::Args;
use linsep::SeparationCertificate;
use serde_json::json;
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
    let name = name_of(&args.data);
    let mut training = args.columns.plain_training(&args.data, &args.reading, out)?;
    args.positive.apply(&mut training)?;
    let weights = training.weights.take();
    let problem = problem(&training, weights, &name)?;
    let evidence = certificate.check(&args.certificate.display().to_string(), &problem)?;
    let verdict = evidence.verdict;
    out.result(
        || json!({ "valid": true, "verdict": verdict.name(), "sha256": certificate.data.sha256 }),
        || {
            let mut text = String::new();
            entry(&mut text, "certificate", &format!("valid for {name}, in exact arithmetic"));
            entry(&mut text, "separation", &format!("{}: {}", verdict.name(), verdict.meaning()));
            text
        },
    )
}
