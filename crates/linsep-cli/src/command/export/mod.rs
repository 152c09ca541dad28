//! `linsep export`: a model in another format, one module per format.

mod scorecard;

use super::files::Files;
use crate::data::ReadArgs;
use crate::failure::Failure;
use crate::output::Output;
use clap::Args;
use linsep::ModelFile;
use linsep::io::Kind;
use std::path::PathBuf;

#[derive(Args)]
pub struct ExportArgs {
    /// Model file
    model: PathBuf,

    /// Format
    #[arg(long, value_name = "FORMAT", value_parser = FORMS.map(|form| form.name), help_heading = "Output")]
    to: String,

    /// Write to this file, as CSV or JSON by its extension, else as text [default: stdout, as text]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Data files, read as one data set, to compare the predictions with the model's
    #[arg(long, value_name = "DATA", num_args = 1.., help_heading = "Data")]
    data: Vec<PathBuf>,

    #[command(flatten)]
    scorecard: scorecard::ScorecardArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

/// An export format.
struct Form {
    name: &'static str,
    /// Recognition of its file before it is overwritten.
    kind: Kind,
    write: fn(&ExportArgs, &ModelFile, &Output) -> Result<(), Failure>,
}

/// All export formats.
const FORMS: [Form; 1] = [Form { name: "scorecard", kind: scorecard::KIND, write: scorecard::run }];

impl ExportArgs {
    fn form(&self) -> &'static Form {
        let form = FORMS.iter().find(|form| form.name == self.to);
        form.expect("the parser accepts only these names")
    }
}

pub fn run(args: &ExportArgs, out: &Output) -> Result<(), Failure> {
    Files::default()
        .reads([&args.model])
        .reads(&args.data)
        .writes("output", args.output.clone(), args.form().kind)
        .check(out)?;
    let model_file = ModelFile::load(&args.model)?;
    (args.form().write)(args, &model_file, out)
}
