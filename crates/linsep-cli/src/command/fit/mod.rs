//! `linsep fit`: train a classifier and save it.

mod infer;
mod post_processing;
mod reproduce;

use crate::command::files::Files;
use crate::data::{InputArgs, name_of};
use crate::failure::Failure;
use crate::method::MethodArgs;
use crate::output::{Output, note};
use crate::progress::Progress;
use clap::Args;
use linsep::core::Label;
use linsep::io::AtomicFile;
use linsep::jobs::fit::{TestData, UsedFile};
use linsep::jobs::{Fit, FitOutcome, Outcome};
use linsep::{ModelFile, sha256};
use linsep_report::fit::page;
use post_processing::PostProcessingArgs;
use std::path::{Path, PathBuf};
use std::time::Instant;

#[derive(Args)]
pub struct FitArgs {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    method: MethodArgs,

    /// List the solvers with their estimated costs
    #[arg(long, help_heading = "Optimization", hide_short_help = true)]
    explain_solver: bool,

    /// List the multiclass schemes and their sizes
    #[arg(long = "explain-multiclass", help_heading = "Multiclass", hide_short_help = true)]
    explain_multiclass: bool,

    /// Positive class of two classes [default: the second]
    #[arg(long, value_name = "CLASS", help_heading = "Multiclass", hide_short_help = true)]
    positive: Option<String>,

    /// Fit a regularization path of N values of λ, down to the given one [default: 20]
    #[arg(long, help_heading = "Validation and tuning", hide_short_help = true, value_name = "N", conflicts_with_all = ["positive", "start"], num_args = 0..=1, default_missing_value = "20", value_parser = clap::value_parser!(u16).range(2..))]
    path: Option<u16>,

    /// Evaluate on this test file
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "holdout",
        help_heading = "Validation and tuning"
    )]
    test: Option<PathBuf>,

    /// Hold out this share of each class for evaluation
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = "Validation and tuning")]
    holdout: Option<f64>,

    #[command(flatten)]
    post_processing: PostProcessingArgs,

    #[command(flatten)]
    infer: infer::InferArgs,

    /// Model file to write [default: DATA.linsep]
    #[arg(short, long, value_name = "MODEL", help_heading = "Output")]
    output: Option<PathBuf>,

    /// HTML report to write
    #[arg(long, value_name = "FILE", value_parser = html, help_heading = "Output")]
    report: Option<PathBuf>,

    /// Stop training after this many seconds
    #[arg(long_help = "Stop training after this many seconds and keep the best hyperplanes so far; reading is not counted, and the certificate may take 10 % more (at least 0.5 s)", long, value_name = "SECONDS", value_parser = super::seconds, help_heading = "Limits", hide_short_help = true)]
    timeout: Option<f64>,
}

impl FitArgs {
    /// Path of the model file.
    fn to(&self) -> PathBuf {
        self.output.clone().unwrap_or_else(|| default_path(&self.input.data[0]))
    }

    /// The request.
    fn request(&self, out: &Output) -> Result<Fit, Failure> {
        let mut fit = Fit {
            method: self.method.method()?,
            data: self.input.settings(out),
            class_weights: self.method.class_weights()?,
            positive: self.positive.as_deref().map(Label::parse),
            start: self.method.start().to_vec(),
            path: self.path.map(usize::from),
            inference: self.infer.settings()?,
            holdout: self.holdout,
            explain_solver: self.explain_solver,
            explain_multiclass: self.explain_multiclass,
            report: self.report.is_some(),
            timeout: self.timeout,
            threads: out.threads,
            spill: out.spill(),
            unfinished: out.force,
            ..Fit::default()
        };
        self.post_processing.add_to(&mut fit)?;
        fit.check()?;
        Ok(fit)
    }

    /// The data files with their digests.
    fn used_files(&self) -> Result<Vec<UsedFile>, Failure> {
        let data = self.input.data.iter().map(|path| (path, false));
        let used = |(path, test): (&PathBuf, bool)| {
            let stream = path.as_os_str() == "-";
            let sha256 = (!stream).then(|| sha256(path)).transpose()?;
            Ok(UsedFile { path: path.display().to_string(), test, sha256 })
        };
        data.chain(self.test.iter().map(|path| (path, true))).map(used).collect()
    }
}

fn share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if share > 0.0 && share < 1.0 => Ok(share),
        _ => Err("expected a number between 0 and 1".to_owned()),
    }
}

/// Whether a path ends in `.html`, as that of a page must.
pub fn is_html(path: &Path) -> bool {
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    matches!(ending.as_deref(), Some("html" | "htm"))
}

fn html(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if is_html(&path) {
        return Ok(path);
    }
    let example = path.with_extension("html");
    Err(format!("expected a path that ends in .html, such as {}", example.display()))
}

/// Default path in the current folder: iris.csv → iris.linsep; data.csv.gz → data.linsep; stdin →
/// model.linsep.
fn default_path(data: &Path) -> PathBuf {
    let name = data.file_name().map(|name| name.to_string_lossy().into_owned());
    let stem = name.as_deref().and_then(|name| name.split('.').find(|part| !part.is_empty()));
    match stem {
        Some(stem) if stem != "-" => PathBuf::from(format!("{stem}.linsep")),
        _ => PathBuf::from("model.linsep"),
    }
}

pub fn run(args: &FitArgs, out: &Output) -> Result<(), Failure> {
    Files::default()
        .reads(&args.input.data)
        .reads(&args.test)
        .reads(args.input.weights_file())
        .writes("output", Some(args.to()), ModelFile::KIND)
        .writes("report", args.report.clone(), page::KIND)
        .check(out)?;
    let fit = args.request(out)?;
    let clock = Instant::now();
    let data = args.input.read(out)?;
    let test = args.test.as_ref().map(|path| TestData::file(path, args.input.reading.options(out)));
    let (test, read) = (test.transpose()?, clock.elapsed().as_secs_f64());
    let mut outcome = fit.run_with(data, test.as_ref(), &mut Progress::new("training"))?;
    outcome.data = name_of(&args.input.data);
    outcome.seconds.read += read;

    let to = args.to();
    outcome.model_file.save(&to)?;
    outcome.saved = Some(to.display().to_string());
    linsep_report::fit::notes(&outcome).iter().for_each(|text| note(text));
    if let Some(path) = &args.report {
        args.write_page(&mut outcome, path)?;
    }
    out.report(&Outcome::Fit(Box::new(outcome)))
}

impl FitArgs {
    /// Writes the report page.
    fn write_page(&self, outcome: &mut FitOutcome, path: &Path) -> Result<(), Failure> {
        outcome.report = Some(path.display().to_string());
        outcome.files = self.used_files()?;
        outcome.command = reproduce::command_line(std::env::args().skip(1));
        if let Some(page) = page::page(outcome) {
            AtomicFile::write_whole(path, page.as_bytes())?;
            note(&format!("report: {}", path.display()));
        } else {
            // An interrupted fit has no evaluation on its test file.
            outcome.report = None;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_model_name_is_that_of_the_data() {
        let path = |data: &str| default_path(Path::new(data)).display().to_string();
        assert_eq!(path("examples/iris.csv"), "iris.linsep");
        assert_eq!(path("covtype.csv.gz"), "covtype.linsep");
        assert_eq!(path(".hidden.csv"), "hidden.linsep");
        assert_eq!(path("-"), "model.linsep");
    }

    #[test]
    fn path_of_a_page_ends_in_html() {
        assert!(html("a/R.HTML").is_ok());
        assert!(html("report.pdf").unwrap_err().ends_with("such as report.html"));
    }
}
