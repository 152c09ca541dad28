//! `linsep evaluate`: a model evaluated on data with known classes.

use crate::data::{ReadArgs, ScoreArgs, name_of};
use crate::failure::Failure;
use crate::output::{Output, note};
use crate::progress::Progress;
use clap::Args;
use linsep::jobs::{Evaluate, Evaluated, Outcome};
use linsep::{Input, ModelFile, SampleWeights, Source};
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
    let mut watch = Progress::new("evaluating");
    let mut outcome = job.run(&model_file, sources, &read, &mut watch)?;
    drop(watch);
    outcome.notes.iter().for_each(|text| note(text));
    outcome.data = name_of(&args.data);
    out.report(&Outcome::Evaluate(outcome))
}

/// Opens data files.
pub fn open(paths: &[PathBuf]) -> Result<Vec<Source>, Failure> {
    Ok(paths.iter().map(Source::open).collect::<Result<_, _>>()?)
}

/// Rows in memory that a model is evaluated on.
#[derive(Clone)]
pub struct EvaluationRows {
    pub input: Input,
    /// Their indices in the data, if the rows are a subset.
    pub numbers: Option<Vec<usize>>,
    /// Sample weights of the subset, if a file gives the weights of all rows.
    pub weights: Option<Vec<f64>>,
}

impl ScoreArgs {
    /// Evaluates a model on rows in memory; `rows.weights` replaces a file of sample weights.
    pub fn evaluate_rows(
        &self,
        model_file: &ModelFile,
        (rows, worst): (&EvaluationRows, usize),
        out: &Output,
    ) -> Result<Evaluated, Failure> {
        let mut job = Evaluate { worst, ..self.job(out) };
        if let Some(own) = &rows.weights {
            job.weights = Some(SampleWeights::Rows(own.clone()));
        }
        Ok(job.measure_rows(model_file, rows.input.clone())?)
    }
}
