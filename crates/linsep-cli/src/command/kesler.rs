//! `linsep kesler`: Kesler's construction as a CSV file.

use super::files::Files;
use crate::data::ReadArgs;
use crate::failure::Failure;
use crate::output::{Output, print};
use clap::Args;
use linsep::TrainingSettings;
use linsep::io::{AtomicFile, ClassColumn, Kind};
use linsep::jobs::{Kesler, Outcome};
use std::path::PathBuf;

#[derive(Args)]
pub struct KeslerArgs {
    /// Data file; - is stdin
    data: PathBuf,

    /// Write the rows as CSV to this file [default: stdout]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,

    /// Negate the rows against an earlier class and label them −1, to train on two classes
    #[arg(long, help_heading = "Method")]
    mirror: bool,

    /// Omit the intercept column of each class
    #[arg(long, help_heading = "Method")]
    no_intercept: bool,

    /// Target column [default: target, label, class or y, else the last]
    #[arg(long, value_name = "COLUMN", help_heading = "Data")]
    target: Option<String>,

    #[command(flatten)]
    reading: ReadArgs,
}

impl KeslerArgs {
    /// Returns the command with default settings.
    pub(super) fn plain(data: PathBuf, output: Option<PathBuf>, reading: ReadArgs) -> Self {
        Self { data, output, mirror: false, no_intercept: false, target: None, reading }
    }
}

/// Recognition of a file of Kesler's construction before it is overwritten, by its columns.
pub(super) const KIND: Kind = Kind {
    name: "Kesler's construction",
    is: |start| {
        let text = String::from_utf8_lossy(start);
        let (header, whole) =
            text.split_once('\n').map_or((text.as_ref(), false), |(header, _)| (header, true));
        header.contains(':') && (!whole || header.ends_with(",side"))
    },
};

pub fn run(args: &KeslerArgs, out: &Output) -> Result<(), Failure> {
    Files::default().reads([&args.data]).writes("output", args.output.clone(), KIND).check(out)?;
    let mut read = args.reading.options(out);
    read.csv.classes = ClassColumn::of(args.target.as_deref());
    let data = TrainingSettings {
        target: args.target.clone(),
        any_target: out.force,
        ..TrainingSettings::default()
    };
    let request = Kesler { data, intercept: !args.no_intercept, mirror: args.mirror };
    let mut outcome = request.run(linsep::io::read(&args.data, &read)?)?;
    let text = linsep_report::kesler::csv(&outcome);
    let Some(path) = &args.output else { return print(text.as_bytes()) };
    AtomicFile::write_whole(path, text.as_bytes())?;
    outcome.file = Some(path.display().to_string());
    out.report(&Outcome::Kesler(outcome))
}
