//! `linsep export`: a model in another form, one file per form.

mod scorecard;

use crate::data::ReadArgs;
use crate::failure::Failure;
use crate::output::Output;
use clap::Args;
use linsep_io::Bundle;
use std::path::PathBuf;

#[derive(Args)]
pub struct ExportArgs {
    /// The model
    model: PathBuf,

    /// The form
    #[arg(long, value_name = "FORM", value_parser = FORMS.map(|(name, _)| name))]
    to: String,

    /// Where to write it; the end of the name says how (.csv, .json, anything else is text) [default: stdout, as text]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Data on which the decisions are compared with the model's; several files are one data set
    #[arg(long, value_name = "DATA", num_args = 1..)]
    data: Vec<PathBuf>,

    #[command(flatten)]
    scorecard: scorecard::ScorecardArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

/// Writes a model in a form.
type Form = fn(&ExportArgs, &Bundle, &Output) -> Result<(), Failure>;

/// Every form there is.
const FORMS: [(&str, Form); 1] = [("scorecard", scorecard::run)];

pub fn run(args: &ExportArgs, out: &Output) -> Result<(), Failure> {
    let bundle = Bundle::load(&args.model)?;
    let form = FORMS.iter().find(|(name, _)| *name == args.to);
    let (_, write) = form.expect("the parser lets no other name pass");
    write(args, &bundle, out)
}
