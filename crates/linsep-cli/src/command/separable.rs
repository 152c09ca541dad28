//! `linsep separable`: the kind of separation of the classes, with a certificate.

use super::files::Files;
use crate::data::{InputArgs, name_of};
use crate::failure::Failure;
use crate::output::{Output, note, print_notes};
use crate::progress::Progress;
use clap::Args;
use linsep::SeparationCertificate;
use linsep::core::Label;
use linsep::jobs::{Outcome, Separable};
use std::path::PathBuf;
use std::time::Instant;

#[derive(Args)]
pub struct SeparableArgs {
    /// Save the certificate to this file, for `linsep verify`
    #[arg(short, long, value_name = "CERT", help_heading = "Output")]
    output: Option<PathBuf>,

    #[command(flatten)]
    positive: PositiveArgs,

    /// Stop undecided after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = super::seconds, help_heading = "Limits")]
    timeout: Option<f64>,

    #[command(flatten)]
    input: InputArgs,
}

/// Choice of the positive class.
#[derive(Args)]
pub struct PositiveArgs {
    /// Positive class of two [default: the second]; of more classes, this one against the rest
    #[arg(long, value_name = "CLASS", help_heading = "Data")]
    positive: Option<String>,
}

impl PositiveArgs {
    /// The class, if it is named.
    pub fn class(&self) -> Option<Label> {
        self.positive.as_deref().map(Label::parse)
    }
}

pub fn run(args: &SeparableArgs, out: &Output) -> Result<(), Failure> {
    Files::default()
        .reads(&args.input.data)
        .reads(args.input.weights_file())
        .writes("output", args.output.clone(), SeparationCertificate::KIND)
        .check(out)?;
    let clock = Instant::now();
    let input = args.input.read(out)?;
    let read = clock.elapsed().as_secs_f64();
    let job = Separable { data: args.input.settings(out), positive: args.positive.class() };
    let mut outcome = job.run(input, &mut Progress::within("separation", args.timeout))?;
    print_notes(&outcome.notes);
    outcome.data = name_of(&args.input.data);
    outcome.seconds.read += read;
    match (&args.output, &outcome.certificate) {
        (Some(path), Some(certificate)) => {
            certificate.save(path)?;
            outcome.saved = Some(path.display().to_string());
        }
        (Some(_), None) => note("no certificate was saved: separation is undecided"),
        (None, _) => {}
    }
    out.report(&Outcome::Separable(Box::new(outcome)))
}
