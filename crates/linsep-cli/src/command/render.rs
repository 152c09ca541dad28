//! `linsep render`: a saved outcome of a job, printed as by the job itself.

use super::files::Files;
use super::plot::{PLOT, write_picture};
use crate::failure::Failure;
use crate::output::Output;
use clap::Args;
use linsep::io::AtomicFile;
use linsep::jobs::Outcome;
use linsep_report::fit::page;
use std::path::PathBuf;

#[derive(Args)]
pub struct RenderArgs {
    /// File written with --outcome
    outcome: PathBuf,

    /// Write the picture of the outcome to this .svg or .png file, or as SVG to stdout (-); of a
    /// fit with a report, its page to this .html file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

pub fn run(args: &RenderArgs, out: &Output) -> Result<(), Failure> {
    let kind = match &args.output {
        Some(path) if super::fit::is_html(path) => page::KIND,
        _ => PLOT,
    };
    Files::default()
        .reads([&args.outcome])
        .writes("output", args.output.clone(), kind)
        .check(out)?;
    let name = args.outcome.display();
    let bytes =
        std::fs::read(&args.outcome).map_err(|e| linsep::Error::from_io(&name.to_string(), e))?;
    let outcome: Outcome = serde_json::from_slice(&bytes).map_err(|e| {
        Failure::Refused(format!(
            "{name}: expected the outcome of a job, found another file ({e})."
        ))
    })?;
    match &args.output {
        Some(path) if super::fit::is_html(path) => {
            let page = match &outcome {
                Outcome::Fit(fit) => page::page(fit),
                _ => None,
            };
            let page = page.ok_or_else(|| {
                Failure::Refused(format!("{name}: expected the outcome of a fit with --report."))
            })?;
            Ok(AtomicFile::write_whole(path, page.as_bytes())?)
        }
        Some(path) => write_picture(outcome, path, out),
        None => out.report(&outcome),
    }
}
