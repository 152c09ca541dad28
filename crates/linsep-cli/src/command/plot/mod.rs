//! `linsep plot`: plots, one module per plot.
//!
//! This module writes a plot to its file, in the format of the file's extension. A plot is a
//! [`Chart`] of numbers computed by the core; `linsep-plot` determines its appearance.

mod boundaries;
pub mod coefficients;
pub mod confusion;
pub mod curves;
mod data;
mod losses;
pub mod parts;
pub mod path;
mod projection;
mod regions;
pub mod reliability;
mod trace;
mod weights;

use super::files::Files;
use crate::failure::Failure;
use crate::layout::{entry, whole_entry};
use crate::output::{Output, print};
use clap::{Args, Subcommand};
use curves::Curve;
use linsep::{AtomicFile, Kind};
use linsep_plot::{Chart, Format, Scene};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

#[derive(Args)]
pub struct PlotArgs {
    #[command(subcommand)]
    plot: Plot,
}

/// Plots of the program.
#[derive(Subcommand)]
enum Plot {
    /// Loss functions over the margin, and the 0/1 loss
    Losses(Target),
    /// Rows of two features, with the decision boundaries of several methods
    Boundaries(Box<boundaries::BoundariesArgs>),
    /// Two classes projected onto Fisher's direction and onto the difference of means
    Projection(Box<projection::ProjectionArgs>),
    /// Decision regions and ambiguous regions of a model of two features
    Regions(Box<regions::RegionsArgs>),
    /// Rows as points, with the decision boundary and the margins of a method
    Data(Box<data::DataArgs>),
    /// Decision boundary and objective at the steps of a run
    Trace(Box<trace::TracePlotArgs>),
    /// Weight space: a line for each row, the solution region, the path of the perceptron
    Weights(Box<weights::WeightsArgs>),
    /// Confusion matrix
    Confusion(Box<parts::EvaluationArgs>),
    /// Largest coefficients of a model
    Coefficients(coefficients::CoefficientsArgs),
    /// ROC curve: true positive rate over false positive rate
    Roc(Box<parts::EvaluationArgs>),
    /// Precision-recall curve
    Pr(Box<parts::EvaluationArgs>),
    /// Reliability diagram; of a calibrated model, before and after calibration
    Calibration(Box<reliability::ReliabilityArgs>),
    /// Regularization path: coefficients over λ; for a tuned model, the tuning curve
    Path(Box<path::PathArgs>),
}

#[derive(Args)]
struct Target {
    /// Write the plot to this .svg or .png file, or as SVG to stdout (-)
    /// [default: the name of the plot, as SVG, in the current folder]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

pub fn run(args: &PlotArgs, out: &Output) -> Result<(), Failure> {
    match &args.plot {
        Plot::Losses(target) => target.write("losses", &losses::chart(losses::ALL), out),
        Plot::Boundaries(args) => boundaries::run(args, out),
        Plot::Projection(args) => projection::run(args, out),
        Plot::Regions(args) => regions::run(args, out),
        Plot::Data(args) => data::run(args, out),
        Plot::Trace(args) => trace::run(args, out),
        Plot::Weights(args) => weights::run(args, out),
        Plot::Confusion(args) => confusion::run(args, out),
        Plot::Coefficients(args) => coefficients::run(args, out),
        Plot::Roc(args) => curves::run(args, Curve::Roc, out),
        Plot::Pr(args) => curves::run(args, Curve::PrecisionRecall, out),
        Plot::Calibration(args) => reliability::run(args, out),
        Plot::Path(args) => path::run(args, out),
    }
}

impl PlotArgs {
    /// Returns the files read and written.
    pub fn files(&self) -> Files<'_> {
        match &self.plot {
            Plot::Losses(target) => target.files("losses"),
            Plot::Boundaries(args) => args.files(),
            Plot::Projection(args) => args.files(),
            Plot::Regions(args) => args.files(),
            Plot::Data(args) => args.files(),
            Plot::Trace(args) => args.files(),
            Plot::Weights(args) => args.files(),
            Plot::Confusion(args) => args.files("confusion"),
            Plot::Coefficients(args) => args.files(),
            Plot::Roc(args) => args.files(Curve::Roc.name()),
            Plot::Pr(args) => args.files(Curve::PrecisionRecall.name()),
            Plot::Calibration(args) => args.files(),
            Plot::Path(args) => args.files(),
        }
    }
}

/// Recognition of a plot before it is overwritten.
pub(super) const PLOT: Kind = Kind {
    name: "an SVG or PNG plot",
    is: |start| Format::ALL.iter().any(|format| format.is(start)),
};

/// A result reported with a plot: JSON key and value, label and text.
struct Fact<'a> {
    key: &'a str,
    label: &'a str,
    value: Value,
    text: String,
}

impl Target {
    /// Returns the path of the plot of this name.
    fn path(&self, name: &str) -> PathBuf {
        self.output.clone().unwrap_or_else(|| format!("{name}.svg").into())
    }

    /// Returns the file written by the plot of this name.
    fn files(&self, name: &str) -> Files<'_> {
        Files::default().writes("output", Some(self.path(name)), PLOT)
    }

    /// Writes a plot and reports its file. On stdout, the plot is the only output.
    fn write(&self, name: &str, chart: &Chart, out: &Output) -> Result<(), Failure> {
        self.write_with(name, chart, &[], out)
    }

    /// Writes a plot and reports its file with further facts.
    fn write_with(
        &self,
        name: &str,
        chart: &Chart,
        facts: &[Fact<'_>],
        out: &Output,
    ) -> Result<(), Failure> {
        self.write_scene(name, &chart.scene(), &chart.names(), facts, out)
    }

    /// Writes a scene of several charts and reports its file, the series shown and further facts.
    fn write_scene(
        &self,
        name: &str,
        scene: &Scene,
        series: &[&str],
        facts: &[Fact<'_>],
        out: &Output,
    ) -> Result<(), Failure> {
        let path = self.path(name);
        if path.as_os_str() == "-" {
            if out.json {
                return Err(Failure::Usage(
                    "the plot and --json cannot both go to stdout. Name a file with --output."
                        .to_owned(),
                ));
            }
            return print(&Format::Svg.write(scene));
        }
        let format = format_of(&path)?;
        AtomicFile::write_whole(&path, &format.write(scene))?;
        let json = || {
            let mut json = as_json(name, &path, format, series);
            facts.iter().for_each(|fact| json[fact.key] = fact.value.clone());
            json
        };
        let text = || {
            let mut text = as_text(&path, series);
            facts.iter().for_each(|fact| entry(&mut text, fact.label, &fact.text));
            text
        };
        out.result(json, text)
    }
}

/// Returns the format of a file name's extension.
pub(super) fn format_of(path: &Path) -> Result<Format, Failure> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let named = |format: &Format| ending.as_deref() == Some(format.name());
    Format::ALL.into_iter().find(named).ok_or_else(|| {
        let endings = Format::ALL.map(|format| format!(".{}", format.name())).join(" or ");
        let (path, instead) = (path.display(), path.with_extension("svg"));
        let instead = instead.display();
        Failure::Usage(format!(
            "{path}: expected a file name that ends in {endings}. Try {instead}."
        ))
    })
}

fn as_json(name: &str, path: &Path, format: Format, series: &[&str]) -> Value {
    let curves: Vec<Value> = series.iter().map(|name| json!({ "name": name })).collect();
    json!({
        "plot": name,
        "path": path.display().to_string(),
        "format": format.name(),
        "curves": curves,
    })
}

fn as_text(path: &Path, series: &[&str]) -> String {
    let mut text = String::new();
    whole_entry(&mut text, "plot", &path.display().to_string());
    if !series.is_empty() {
        entry(&mut text, "series", &series.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_is_that_of_the_extension() {
        assert_eq!(format_of(Path::new("a.b/losses.svg")).unwrap(), Format::Svg);
        assert_eq!(format_of(Path::new("LOSSES.PNG")).unwrap(), Format::Png);
        for name in ["losses", "losses.jpg", ".svg", "svg", "losses.svg.gz"] {
            assert_eq!(format_of(Path::new(name)).unwrap_err().code(), 2, "{name}");
        }
    }
}
