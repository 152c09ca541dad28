//! `linsep predict`: the class of every row, one output row per input row.

use super::evaluate::open;
use super::files::Files;
use crate::data::ReadArgs;
use crate::failure::Failure;
use crate::output::{Output, note, print_notes};
use crate::progress::Progress;
use clap::Args;
use linsep::io::{AtomicFile, Kind, Location, ReadOptions, Source};
use linsep::jobs::{Outcome, Predict, PredictionCounts};
use linsep::{Error, ModelFile};
use linsep_report::predict::{self, Csv, FIRST};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

#[derive(Args)]
pub struct PredictArgs {
    /// Model file
    model: PathBuf,

    /// Data files, predicted one after another; - is stdin
    #[arg(required = true)]
    data: Vec<PathBuf>,

    /// Write the predictions to this file [default: stdout]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Add the score of every hyperplane
    #[arg(long, help_heading = "Output")]
    scores: bool,

    /// Add the probability of every class
    #[arg(long, help_heading = "Output")]
    proba: bool,

    /// Rows in ambiguous regions (one-vs-one, one-vs-rest-but-last): break ties by score, or keep
    /// them, with an empty prediction and a column "ambiguous"
    #[arg(long, value_name = "RULE", value_parser = ["break", "keep"], default_value = "break", help_heading = "Output")]
    ambiguous: String,

    /// Prefix ' to texts that a spreadsheet would run as formulas: those that begin with =, +, -,
    /// @, tab or CR
    #[arg(long, help_heading = "Output")]
    spreadsheet_safe: bool,

    #[command(flatten)]
    reading: ReadArgs,
}

/// Recognition of a predictions file before it is overwritten.
const KIND: Kind = Kind {
    name: "a file of predictions",
    is: |start| {
        let text = String::from_utf8_lossy(start);
        if text.starts_with('{') {
            return text.starts_with("{\"n\":") && text.contains(",\"classes\":[");
        }
        let mut columns = text.lines().next().unwrap_or_default().split(',');
        let beside = |name: &str| {
            let name = name.trim_start_matches('"');
            ["ambiguous", "abstained", "score"].contains(&name)
                || name.starts_with("score_")
                || name.starts_with("p_")
        };
        columns.next() == Some(FIRST) && columns.next().is_none_or(beside)
    },
};

pub fn run(args: &PredictArgs, out: &Output) -> Result<(), Failure> {
    Files::default()
        .reads([&args.model])
        .reads(&args.data)
        .writes("output", args.output.clone(), KIND)
        .check(out)?;
    let model_file = ModelFile::load(&args.model)?;
    let job = Predict {
        scores: args.scores,
        probabilities: args.proba,
        keep_ambiguous: args.ambiguous == "keep",
        spreadsheet_safe: args.spreadsheet_safe,
    };
    job.check(&model_file, &args.model.display().to_string())?;
    let (sources, read) = (open(&args.data)?, args.reading.options(out));
    let (notes, ambiguous, abstained) = if out.json || out.outcome.is_some() {
        let outcome =
            job.run(&model_file, sources, &read, out.memory, &mut Progress::new("predicting"))?;
        let all = (outcome.notes.clone(), outcome.ambiguous.len(), outcome.abstained.len());
        let outcome = Outcome::Predict(outcome);
        out.save(&outcome)?;
        out.write_table(&outcome, args.output.as_deref())?;
        all
    } else {
        let counts = match &args.output {
            None => {
                let mut stdout = BufWriter::with_capacity(1 << 16, io::stdout());
                let counts = stream(job, &model_file, sources, &read, "stdout", &mut stdout);
                match counts {
                    // A closed pipe, as by head, is no failure.
                    Err(Error::Io(linsep::io::Error::Write { source, .. }))
                        if source.kind() == io::ErrorKind::BrokenPipe =>
                    {
                        return Err(Failure::Silent);
                    }
                    counts => counts?,
                }
            }
            Some(path) => {
                let mut file = AtomicFile::create(path)?;
                let name = path.display().to_string();
                let counts = stream(job, &model_file, sources, &read, &name, &mut file)?;
                file.finish()?;
                counts
            }
        };
        (counts.notes, counts.ambiguous, counts.abstained)
    };
    let beside = predict::notes(ambiguous, job.keep_ambiguous, abstained);
    print_notes(&notes);
    beside.iter().for_each(|text| note(text));
    Ok(())
}

/// Writes predictions as CSV, block by block.
fn stream(
    job: Predict,
    model_file: &ModelFile,
    sources: Vec<Source>,
    read: &ReadOptions,
    name: &str,
    out: &mut (impl Write + Send),
) -> Result<PredictionCounts, Error> {
    let failed = |source: io::Error| {
        Error::from(linsep::io::Error::Write { place: Box::new(Location::file(name)), source })
    };
    let (csv, mut text) = (Csv::new(job.columns(&model_file.model)), String::new());
    csv.header(&mut text);
    let counts =
        job.stream(model_file, sources, read, &mut Progress::new("predicting"), |rows| {
            rows.iter().for_each(|row| csv.row(row.as_ref(), &mut text));
            out.write_all(text.as_bytes()).map_err(failed)?;
            text.clear();
            Ok(())
        })?;
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(failed)?;
    Ok(counts)
}
