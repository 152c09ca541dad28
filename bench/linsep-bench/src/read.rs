//! `linsep-bench read`: a file to a matrix that a learner takes.
//!
//! Two stages are timed: text to a table or sparse rows, and these to a checked matrix with labels.
//! Their sum is what compares with readers that give a matrix at once.

use crate::fingerprint::Fingerprint;
use crate::process;
use clap::{Args, ValueEnum};
use linsep_io::table::Values;
use linsep_io::{Format, Input, ReadOptions, RecipeSettings, Table, Training, TrainingSettings};
use serde::Serialize;
use std::fs;
use std::path::PathBuf;
use std::time::Instant;

/// What to read, and how far
#[derive(Args)]
pub(crate) struct ReadArgs {
    /// Format of the file
    #[arg(long, value_parser = Format::ALL.map(Format::name))]
    format: String,

    /// Threads to read with
    #[arg(long, default_value_t = 1)]
    threads: usize,

    /// Where to stop
    #[arg(long, value_enum, default_value_t = Goal::Design)]
    into: Goal,

    /// The file
    file: PathBuf,
}

/// What a file is read into.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Goal {
    /// Typed columns: for tables with words in them
    Table,
    /// A matrix and its labels
    Design,
}

#[derive(Serialize)]
struct Line {
    version: &'static str,
    threads: usize,
    /// Bytes of the file.
    bytes: u64,
    seconds: f64,
    /// The two stages of `seconds`.
    read_seconds: f64,
    design_seconds: f64,
    /// Processor time of all threads.
    cpu_seconds: f64,
    /// Bytes of what was asked for, as it lies in memory.
    result_bytes: usize,
    /// Resident before the job, and the most up to its end.
    start_bytes: u64,
    peak_bytes: u64,
    fingerprint: Fingerprint,
}

/// What a file was read into.
enum Outcome {
    Table(Table),
    Design(Box<Training>),
}

/// Does the job; the line to print.
pub(crate) fn run(args: &ReadArgs) -> Result<String, String> {
    // 1. What to do.
    let format = Format::ALL.into_iter().find(|format| format.name() == args.format);
    let mut options = ReadOptions { format, ..ReadOptions::default() };
    options.csv.threads = args.threads;
    options.libsvm.threads = args.threads;
    let file = args.file.display();
    let bytes = fs::metadata(&args.file).map_err(|e| format!("{file}: {e}"))?.len();

    // 2. The job, timed.
    let start_bytes = process::resident();
    let cpu = process::cpu_seconds();
    let start = Instant::now();
    let input = linsep_io::read(&args.file, &options).map_err(|e| e.to_string())?;
    let read_seconds = start.elapsed().as_secs_f64();
    let outcome = match (args.into, input) {
        (Goal::Design, input) => {
            Outcome::Design(Box::new(Training::new(input, &as_it_is()).map_err(|e| e.to_string())?))
        }
        (Goal::Table, Input::Table(table)) => Outcome::Table(table),
        (Goal::Table, Input::Sparse(_)) => return Err(format!("{file}: sparse rows, no table")),
    };
    let seconds = start.elapsed().as_secs_f64();
    let cpu_seconds = process::cpu_seconds() - cpu;
    let peak_bytes = process::peak();

    // 3. What came of it.
    let (result_bytes, fingerprint) = match &outcome {
        Outcome::Table(table) => (table_bytes(table), Fingerprint::of_table(table)),
        Outcome::Design(training) => {
            let Training { x, labels, .. } = training.as_ref();
            (x.bytes() + 4 * labels.n(), Fingerprint::of_design(x, labels)?)
        }
    };
    let line = Line {
        version: env!("CARGO_PKG_VERSION"),
        threads: args.threads,
        bytes,
        seconds,
        read_seconds,
        design_seconds: seconds - read_seconds,
        cpu_seconds,
        result_bytes,
        start_bytes,
        peak_bytes,
        fingerprint,
    };
    serde_json::to_string(&line).map_err(|e| e.to_string())
}

/// The numbers of the file, not standardised.
pub(crate) fn as_it_is() -> TrainingSettings {
    let recipe = RecipeSettings { standardise: false, ..RecipeSettings::default() };
    TrainingSettings { recipe, ..TrainingSettings::default() }
}

/// Numbers and codes of a table; the few different words aside.
fn table_bytes(table: &Table) -> usize {
    let words = table.columns.iter().map(|column| match &column.values {
        Values::Number { .. } => 0,
        Values::Words { codes, .. } => 4 * codes.len(),
    });
    8 * table.numbers.len() + words.sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn read(format: &str, into: Goal, text: &str) -> Result<Value, String> {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), text).unwrap();
        let (format, file) = (format.to_owned(), file.path().to_owned());
        let line = run(&ReadArgs { format, threads: 2, into, file })?;
        Ok(serde_json::from_str(&line).unwrap())
    }

    #[test]
    fn the_bytes_of_the_result_are_those_of_its_storage() {
        let dense = read("csv", Goal::Design, "a,b,y\n1,2,0\n3,5,1\n").unwrap();
        assert_eq!(dense["result_bytes"], 2 * 2 * 8 + 2 * 4);
        let halves = read("libsvm", Goal::Design, "1 1:0.5\n-1 2:1 3:2\n").unwrap();
        let rows = 2 * (3 * 8 + 8); // three places and a norm
        assert_eq!(halves["result_bytes"], 3 * 8 + rows + 2 * 4);
        let tenths = read("libsvm", Goal::Design, "1 1:0.1\n-1 2:1 3:2\n").unwrap();
        assert_eq!(tenths["result_bytes"], 3 * 12 + rows + 2 * 4);
        let mixed = read("csv", Goal::Table, "a,b\n1,u\n2,v\n").unwrap();
        assert_eq!(mixed["result_bytes"], 2 * 8 + 2 * 4);
    }

    #[test]
    fn a_line_says_what_was_measured() {
        let line = read("csv", Goal::Design, "a,b,y\n1,2,0\n3,5,1\n").unwrap();
        let part = |key: &str| line[key].as_f64().unwrap();
        assert!(part("read_seconds") > 0.0 && part("design_seconds") > 0.0);
        assert!(part("seconds") >= part("read_seconds"));
        assert!(part("peak_bytes") >= part("start_bytes"));
        assert_eq!(line["bytes"], 18);
    }

    #[test]
    fn what_cannot_be_done_is_said() {
        assert!(read("libsvm", Goal::Table, "1 1:2\n").unwrap_err().contains("no table"));
        assert!(read("csv", Goal::Design, "y\n0\n1\n").is_err());
    }
}
