//! `linsep export`: a model in another form, one file per form.

mod scorecard;

use super::files::Files;
use crate::data::ReadArgs;
use crate::failure::Failure;
use crate::output::Output;
use clap::Args;
use linsep_io::{Kind, ModelFile};
use std::path::PathBuf;

#[derive(Args)]
pub struct ExportArgs {
    /// The model
    model: PathBuf,

    /// The form
    #[arg(long, value_name = "FORM", value_parser = FORMS.map(|form| form.name), help_heading = "Output")]
    to: String,

    /// Where to write it; the end of the name says how (.csv, .json, anything else is text)
    /// [default: stdout, as text]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Data on which the decisions are compared with the model's; several files are one data set
    #[arg(long, value_name = "DATA", num_args = 1.., help_heading = "Data")]
    data: Vec<PathBuf>,

    #[command(flatten)]
    scorecard: scorecard::ScorecardArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

/// A form, and how a model is written in it.
struct Form {
    name: &'static str,
    /// What its file is to a command that overwrites it.
    kind: Kind,
    write: fn(&ExportArgs, &ModelFile, &Output) -> Result<(), Failure>,
}

/// Every form there is.
const FORMS: [Form; 1] = [Form { name: "scorecard", kind: scorecard::KIND, write: scorecard::run }];

impl ExportArgs {
    fn form(&self) -> &'static Form {
        let form = FORMS.iter().find(|form| form.name == self.to);
        form.expect("the parser lets no other name pass")
    }

    /// What it reads and writes.
    pub fn files(&self) -> Files<'_> {
        Files::default().reads([&self.model]).reads(&self.data).writes(
            "output",
            self.output.clone(),
            self.form().kind,
        )
    }
}

pub fn run(args: &ExportArgs, out: &Output) -> Result<(), Failure> {
    let bundle = ModelFile::load(&args.model)?;
    (args.form().write)(args, &bundle, out)
}
