//! Scorecard: a model of two classes with small integer points, for paper forms and small devices.

use super::ExportArgs;
use crate::data::name_of;
use crate::failure::Failure;
use crate::output::{Output, note, print};
use clap::Args;
use linsep::ModelFile;
use linsep::card::read_options;
use linsep::io::{AtomicFile, Kind};
use linsep::jobs::{Outcome, Scorecard};
use linsep_report::scorecard::{self, HEADER};

#[derive(Args)]
#[command(next_help_heading = "Scorecard")]
pub struct ScorecardArgs {
    /// Bits per point value, sign included: 4 bits allow points from −7 to 7
    /// [default: the fewest that change no prediction on the data, at most 24; without data 8]
    #[arg(long, value_name = "B", value_parser = clap::value_parser!(u32).range(2..=31))]
    bits: Option<u32>,
}

/// Recognition of a scorecard before it is overwritten.
pub(super) const KIND: Kind = Kind {
    name: "a scorecard",
    is: |start| {
        let text = String::from_utf8_lossy(start);
        text.starts_with(HEADER)
            || text.starts_with("{\"form\":\"scorecard\"")
            || text.starts_with("card ") && text.contains("\npoints ")
    },
};

pub fn run(args: &ExportArgs, model_file: &ModelFile, out: &Output) -> Result<(), Failure> {
    let job = Scorecard { bits: args.scorecard.bits };
    let options = read_options(model_file, args.reading.options(out));
    let read = || linsep::io::read_files(&args.data, &options);
    let data = (!args.data.is_empty()).then(read).transpose()?;
    let mut outcome = job.run(model_file, &args.model.display().to_string(), data)?;
    if let Some((name, _)) = &mut outcome.data {
        *name = name_of(&args.data);
    }
    if outcome.dropped > 0 {
        note(&format!("rows with missing values, not compared: {}", outcome.dropped));
    }
    if let Some(path) = &args.output {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let content = match ending.as_deref() {
            Some("csv") => scorecard::csv(&outcome),
            Some("json") => format!("{}\n", scorecard::json(&outcome)),
            _ => scorecard::file_text(&outcome, out.style()),
        };
        if path.as_os_str() == "-" {
            return print(content.as_bytes());
        }
        AtomicFile::write_whole(path, content.as_bytes())?;
        outcome.saved = Some(path.display().to_string());
    }
    out.report(&Outcome::Scorecard(outcome))
}
