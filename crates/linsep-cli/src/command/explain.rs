//! `linsep explain`: contributions of the columns to a prediction, and counterfactuals.

use crate::data::{ReadArgs, name_of};
use crate::failure::Failure;
use crate::lists::{List, all};
use crate::output::{Output, note};
use clap::Args;
use linsep::ModelFile;
use linsep::core::Label;
use linsep::io::Source;
use linsep::jobs::{Explain, Outcome};
use std::path::PathBuf;

#[derive(Args)]
pub struct ExplainArgs {
    /// Model file
    model: PathBuf,

    /// Data file; - is stdin
    data: PathBuf,

    /// Rows to explain, counted from 1, as 3 or 3,17 [default: the first three]
    #[arg(long, value_name = "N,…", value_delimiter = ',', value_parser = row_number, help_heading = "Data")]
    row: Vec<usize>,

    /// Class to compare with, and class of the counterfactuals [default: the runner-up]
    #[arg(long, value_name = "CLASS", help_heading = "Output")]
    against: Option<String>,

    /// Columns that may change in counterfactuals [default: all]
    #[arg(long, value_name = "COLUMN,…", help_heading = "Output")]
    allow: Vec<List>,

    /// Show at most this many contributions and changes
    #[arg(long, value_name = "N", default_value_t = 10, help_heading = "Output")]
    top: usize,

    /// Target column [default: as in training, if present]
    #[arg(long, value_name = "COLUMN", help_heading = "Data")]
    target: Option<String>,

    /// Rename classes of the data to those of the model
    #[arg(long, value_name = "OLD=NEW,…", allow_hyphen_values = true, help_heading = "Data")]
    label_map: Vec<List>,

    #[command(flatten)]
    reading: ReadArgs,
}

pub fn run(args: &ExplainArgs, out: &Output) -> Result<(), Failure> {
    let model_file = ModelFile::load(&args.model)?;
    let job = Explain {
        rows: args.row.clone(),
        against: args.against.as_deref().map(Label::parse),
        allow: all(&args.allow),
        top: args.top,
        target: args.target.clone(),
        label_map: all(&args.label_map),
    };
    let (model, read) = (args.model.display().to_string(), args.reading.options(out));
    let mut outcome = job.run(&model_file, &model, Source::open(&args.data)?, &read)?;
    for row in &outcome.unscored {
        note(&format!(
            "row {} has a missing value, which the model does not accept: no prediction",
            row + 1
        ));
    }
    outcome.data = name_of(std::slice::from_ref(&args.data));
    out.report(&Outcome::Explain(outcome))
}

/// Parses a row number, counted from 1, into an index.
fn row_number(text: &str) -> Result<usize, String> {
    match text.trim().parse::<usize>() {
        Ok(row) if row > 0 => Ok(row - 1),
        _ => Err("expected a row number, counted from 1".to_owned()),
    }
}
