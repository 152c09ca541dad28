//! `linsep evaluate`: a model evaluated on data with known classes.

use crate::data::{ReadArgs, ScoreArgs, name_of};
use crate::failure::Failure;
use crate::output::{Output, print_notes};
use crate::progress::Progress;
use clap::Args;
use linsep::ModelFile;
use linsep::io::Source;
use linsep::jobs::{Evaluate, Outcome};
use std::path::PathBuf;

#[derive(Args)]
pub struct EvaluateArgs {
    /// Model file
    model: PathBuf,

    /// Data files with known classes, read as one data set; - is stdin
    #[arg(required = true)]
    data: Vec<PathBuf>,

    /// Add the points of the ROC and precision-recall curves to --json (two classes)
    #[arg(long, requires = "json", help_heading = "Output")]
    curves: bool,

    #[command(flatten)]
    scoring: ScoreArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

pub fn run(args: &EvaluateArgs, out: &Output) -> Result<(), Failure> {
    let model_file = ModelFile::load(&args.model)?;
    let job = Evaluate { curves: args.curves, ..args.scoring.job(out) };
    let (sources, read) = (open(&args.data)?, args.reading.options(out));
    let mut outcome = job.run(&model_file, sources, &read, &mut Progress::new("evaluating"))?;
    print_notes(&outcome.notes);
    outcome.data = name_of(&args.data);
    out.report(&Outcome::Evaluate(outcome))
}

/// Opens data files.
pub fn open(paths: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    Ok(paths.iter().map(Source::open).collect::<Result<_, _>>()?)
}
