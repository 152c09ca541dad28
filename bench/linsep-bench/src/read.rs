//! `linsep-bench read`: from a file to a design matrix with labels.
//!
//! Two stages are timed: from text to a table or sparse rows, and from these to a checked matrix
//! with labels. Their sum is comparable with readers that return a matrix directly.

use crate::fingerprint::Fingerprint;
use crate::process::{Meter, Usage};
use clap::{Args, ValueEnum};
use linsep::io::table::Values;
use linsep::io::{Format, Input, ReadOptions, Table};
use linsep::{RecipeSettings, TrainingData, TrainingSettings};
use serde::Serialize;
use std::fs;
use std::path::PathBuf;

/// Reading to measure
#[derive(Args)]
pub(crate) struct ReadArgs {
    /// Format of the file
    #[arg(long, value_parser = Format::ALL.map(Format::name))]
    format: String,

    /// Number of threads
    #[arg(long, default_value_t = 1)]
    threads: usize,

    /// Last stage
    #[arg(long, value_enum, default_value_t = Stage::Design)]
    into: Stage,

    /// Data file
    file: PathBuf,
}

/// Result of the reading.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Stage {
    /// Typed columns: for tables with categorical columns
    Table,
    /// Matrix and labels
    Design,
}

#[derive(Serialize)]
struct Line {
    #[serde(flatten)]
    usage: Usage,
    /// Size of the file in bytes.
    bytes: u64,
    /// The two stages of `seconds`.
    read_seconds: f64,
    design_seconds: f64,
    /// Size of the result in memory, in bytes.
    result_bytes: usize,
    fingerprint: Fingerprint,
}

/// Result of the reading.
enum Outcome {
    Table(Table),
    Design(Box<TrainingData>),
}

/// Runs the job; returns the line to print.
pub(crate) fn run(args: &ReadArgs) -> Result<String, String> {
    // 1. Options.
    let format = Format::ALL.into_iter().find(|format| format.name() == args.format);
    let mut options = ReadOptions { format, ..ReadOptions::default() };
    options.csv.threads = args.threads;
    options.libsvm.threads = args.threads;
    let file = args.file.display();
    let bytes = fs::metadata(&args.file).map_err(|e| format!("{file}: {e}"))?.len();

    // 2. The timed job.
    let meter = Meter::start();
    let input = linsep::io::read(&args.file, &options).map_err(|e| e.to_string())?;
    let read_seconds = meter.seconds();
    let outcome = match (args.into, input) {
        (Stage::Design, input) => Outcome::Design(Box::new(
            TrainingData::new(input, &raw_settings()).map_err(|e| e.to_string())?,
        )),
        (Stage::Table, Input::Table(table)) => Outcome::Table(table),
        (Stage::Table, Input::Sparse(_)) => {
            return Err(format!("{file}: expected a table, found sparse rows"));
        }
    };
    let usage = meter.stop(args.threads);

    // 3. The results.
    let (result_bytes, fingerprint) = match &outcome {
        Outcome::Table(table) => (table_bytes(table), Fingerprint::of_table(table)),
        Outcome::Design(training) => {
            let TrainingData { x, labels, .. } = training.as_ref();
            (x.bytes() + 4 * labels.n(), Fingerprint::of_design(x, labels)?)
        }
    };
    let line = Line {
        design_seconds: usage.seconds - read_seconds,
        usage,
        bytes,
        read_seconds,
        result_bytes,
        fingerprint,
    };
    serde_json::to_string(&line).map_err(|e| e.to_string())
}

/// Settings that keep the numbers of the file, without standardization.
pub(crate) fn raw_settings() -> TrainingSettings {
    let recipe = RecipeSettings { standardize: false, ..RecipeSettings::default() };
    TrainingSettings { recipe, ..TrainingSettings::default() }
}

/// Returns the bytes of the numbers and codes of a table, without the dictionaries of levels.
fn table_bytes(table: &Table) -> usize {
    let words = table.columns.iter().map(|column| match &column.values {
        Values::Numeric { .. } => 0,
        Values::Categorical { codes, .. } => 4 * codes.len(),
    });
    8 * table.numbers.len() + words.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn read(format: &str, into: Stage, text: &str) -> Result<Value, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), text).unwrap();
        let (format, file) = (format.to_owned(), file.path().to_owned());
        let line = run(&ReadArgs { format, threads: 2, into, file })?;
        Ok(serde_json::from_str(&line).unwrap())
    }

    #[test]
    fn result_bytes_equal_the_size_of_the_storage() {
        let dense = read("csv", Stage::Design, "a,b,y\n1,2,0\n3,5,1\n").unwrap();
        assert_eq!(dense["result_bytes"], 2 * 2 * 8 + 2 * 4);
        let halves = read("libsvm", Stage::Design, "1 1:0.5\n-1 2:1 3:2\n").unwrap();
        let rows = 2 * (3 * 8 + 8); // three row pointers and a norm
        assert_eq!(halves["result_bytes"], 3 * 8 + rows + 2 * 4);
        let tenths = read("libsvm", Stage::Design, "1 1:0.1\n-1 2:1 3:2\n").unwrap();
        assert_eq!(tenths["result_bytes"], 3 * 12 + rows + 2 * 4);
        let mixed = read("csv", Stage::Table, "a,b\n1,u\n2,v\n").unwrap();
        assert_eq!(mixed["result_bytes"], 2 * 8 + 2 * 4);
    }

    #[test]
    fn the_line_contains_all_measurements() {
        let line = read("csv", Stage::Design, "a,b,y\n1,2,0\n3,5,1\n").unwrap();
        let part = |key: &str| line[key].as_f64().unwrap();
        assert!(part("read_seconds") > 0.0 && part("design_seconds") > 0.0);
        assert!(part("seconds") >= part("read_seconds"));
        assert!(part("peak_bytes") >= part("start_bytes"));
        assert_eq!(line["bytes"], 18);
    }

    #[test]
    fn impossible_jobs_are_refused() {
        assert!(read("libsvm", Stage::Table, "1 1:2\n").unwrap_err().contains("expected a table"));
        assert!(read("csv", Stage::Design, "y\n0\n1\n").is_err());
    }
}
