//! `linsep verify`: does a certificate hold for this data?

use super::separable::PositiveArgs;
use crate::data::{ColumnArgs, ReadArgs, name_of, problem};
use crate::failure::Failure;
use crate::output::Output;
use crate::terminal::one_line;
use clap::Args;
use linsep_io::Certificate;
use serde_json::json;
use std::path::PathBuf;

#[derive(Args)]
pub struct VerifyArgs {
    /// The certificate
    certificate: PathBuf,

    /// The data, read as it was when the certificate was made
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
    let certificate = Certificate::load(&args.certificate)?;
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
            format!(
                "valid: {} is {} ({}), proved in exact arithmetic\n",
                one_line(&name),
                verdict.name(),
                verdict.meaning()
            )
        },
    )
}
