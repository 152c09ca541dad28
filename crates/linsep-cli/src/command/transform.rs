//! `linsep transform`: every row projected onto the discriminant directions of a model, or
//! rewritten by Kesler's construction.

use super::evaluate::open;
use super::files::Files;
use super::kesler::{self, KeslerArgs};
use crate::data::ReadArgs;
use crate::failure::Failure;
use crate::output::{Output, print_notes};
use crate::progress::Progress;
use clap::Args;
use linsep::ModelFile;
use linsep::io::Kind;
use linsep::jobs::{Outcome, Transform, TransformOutcome};
use std::path::PathBuf;

#[derive(Args)]
pub struct TransformArgs {
    /// Model file with discriminant directions (--method fisher); with --kesler the data file
    model: PathBuf,

    /// Data files, projected one after another; - is stdin
    #[arg(required_unless_present = "kesler", conflicts_with = "kesler")]
    data: Vec<PathBuf>,

    /// Write Kesler's construction of the data without a model, as `linsep kesler` does
    #[arg(long, conflicts_with = "dims", help_heading = "Method")]
    kesler: bool,

    /// Number of directions, those of the largest between-class variance first [default: all]
    #[arg(long, value_name = "N", help_heading = "Method")]
    dims: Option<usize>,

    /// Write the coordinates to this file [default: stdout]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    #[command(flatten)]
    reading: ReadArgs,
}

/// Recognition of a file of coordinates before it is overwritten.
const KIND: Kind = Kind {
    name: "a file of coordinates",
    is: |start| {
        let text = String::from_utf8_lossy(start);
        if text.starts_with('{') {
            return text.starts_with("{\"n\":") && text.contains(",\"names\":[\"direction_1\"");
        }
        text.lines()
            .next()
            .unwrap_or_default()
            .split(',')
            .zip(1..)
            .all(|(column, j)| column == TransformOutcome::direction(j))
    },
};

pub fn run(args: &TransformArgs, out: &Output) -> Result<(), Failure> {
    let kind = if args.kesler { kesler::KIND } else { KIND };
    Files::default()
        .reads([&args.model])
        .reads(&args.data)
        .writes("output", args.output.clone(), kind)
        .check(out)?;
    if args.kesler {
        let (data, output) = (args.model.clone(), args.output.clone());
        return kesler::run(&KeslerArgs::plain(data, output, args.reading.clone()), out);
    }

    let (model_file, job) = (ModelFile::load(&args.model)?, Transform { dims: args.dims });
    let model = args.model.display().to_string();
    job.check(&model_file, &model)?;
    let (sources, read) = (open(&args.data)?, args.reading.options(out));
    let outcome = job.run(&model_file, &model, sources, &read, &mut Progress::new("projecting"))?;
    let notes = outcome.notes.clone();
    let outcome = Outcome::Transform(outcome);
    out.save(&outcome)?;
    out.write_table(&outcome, args.output.as_deref())?;
    print_notes(&notes);
    Ok(())
}
