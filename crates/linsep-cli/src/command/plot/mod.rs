//! `linsep plot`: plots.
//!
//! Each plot is a job; this module writes its picture to a file, in the format of the file's
//! extension.

mod args;

use super::files::Files;
use super::trace::TraceArgs;
use crate::failure::Failure;
use crate::method::MethodArgs;
use crate::output::{Output, print, print_notes};
use args::{
    BoundariesArgs, CoefficientsArgs, DataArgs, EvaluationArgs, PathArgs, ProjectionArgs,
    WeightsArgs,
};
use clap::{Args, Subcommand};
use linsep::ModelFile;
use linsep::io::{AtomicFile, Kind};
use linsep::jobs::plot::{DataPlot, EvaluationPlot, Losses, Picture};
use linsep::jobs::{Outcome, PlotData, PlotOutcome};
use linsep_plot::Format;
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
    #[command(mut_arg("data", |arg| arg.help("Data files with two features and the target")))]
    Boundaries(Box<DataArgs<BoundariesArgs, ()>>),
    /// Two classes projected onto Fisher's direction and onto the difference of means
    #[command(mut_arg("data", |arg| arg.help("Data files of two classes")))]
    Projection(Box<DataArgs<ProjectionArgs, ()>>),
    /// Decision regions and ambiguous regions of a model of two features
    #[command(mut_arg("model", |arg| arg.help("Model file of two features")))]
    #[command(mut_arg("data", |arg| arg.help("Data files, whose rows are drawn as points")))]
    Regions(Box<EvaluationArgs>),
    /// Rows as points, with the decision boundary and the margins of a method
    #[command(mut_arg("data", |arg| arg.help("Data files, read as one data set")))]
    Data(Box<DataArgs<(), MethodArgs>>),
    /// Decision boundary and objective at the steps of a run
    Trace(Box<TracePlotArgs>),
    /// Weight space: a line for each row, the solution region, the path of the perceptron
    #[command(mut_arg("data", |arg| arg.help(
        "Data files of two classes with one column, or two with --no-intercept"
    )))]
    Weights(Box<DataArgs<WeightsArgs, ()>>),
    /// Confusion matrix
    Confusion(Box<EvaluationArgs>),
    /// Largest coefficients of a model
    Coefficients(CoefficientsArgs),
    /// ROC curve: true positive rate over false positive rate
    Roc(Box<EvaluationArgs>),
    /// Precision-recall curve
    Pr(Box<EvaluationArgs>),
    /// Reliability diagram; of a calibrated model, before and after calibration
    #[command(mut_arg("data", |arg| arg.required(false).help(
        "Data files with known classes [default: the out-of-fold predictions of the calibration]"
    )))]
    Calibration(Box<EvaluationArgs>),
    /// Regularization path: coefficients over λ; for a tuned model, the tuning curve
    #[command(mut_arg("data", |arg| arg.help(
        "Data files, to fit the regularization path; or a tuned model"
    )))]
    Path(Box<DataArgs<PathArgs, MethodArgs>>),
}

#[derive(Args)]
struct TracePlotArgs {
    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    trace: TraceArgs,
}

/// File of a picture.
#[derive(Args)]
pub struct Target {
    /// Write the plot to this .svg or .png file, or as SVG to stdout (-)
    /// [default: the name of the plot, as SVG, in the current folder]
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    output: Option<PathBuf>,
}

pub fn run(args: &PlotArgs, out: &Output) -> Result<(), Failure> {
    match &args.plot {
        Plot::Losses(target) => {
            target.files("losses").check(out)?;
            target.write(Picture::Losses(Losses::all()).into(), out)
        }
        Plot::Boundaries(args) => args.run(out),
        Plot::Projection(args) => args.run(out),
        Plot::Regions(args) => args.run(EvaluationPlot::Regions, out),
        Plot::Data(args) => args.run(out),
        Plot::Trace(args) => args.run(out),
        Plot::Weights(args) => args.run(out),
        Plot::Confusion(args) => args.run(EvaluationPlot::Confusion, out),
        Plot::Coefficients(args) => args.run(out),
        Plot::Roc(args) => args.run(EvaluationPlot::Roc, out),
        Plot::Pr(args) => args.run(EvaluationPlot::Pr, out),
        Plot::Calibration(args) => args.run(EvaluationPlot::Calibration, out),
        Plot::Path(args) => args.run(out),
    }
}

impl TracePlotArgs {
    fn run(&self, out: &Output) -> Result<(), Failure> {
        self.target.files("trace").reads([&self.trace.data]).check(out)?;
        no_model("trace", std::slice::from_ref(&self.trace.data))?;
        let request =
            PlotData { data: self.trace.settings(out), plot: DataPlot::Trace(self.trace.steps()?) };
        request.check()?;
        self.target.write(request.run(self.trace.read(out)?, &mut ())?, out)
    }
}

/// Refuses a model file where a plot requires data, and lists the plots of a model.
fn no_model(plot: &str, files: &[PathBuf]) -> Result<(), Failure> {
    let Some(model) = files.iter().find(|file| ModelFile::load(file).is_ok()) else {
        return Ok(());
    };
    let model = model.display();
    Err(Failure::Usage(format!(
        "{model}: plot {plot} expects data, found a model. Give the data and --method. Plots of a model are regions, \
         confusion, roc, pr, calibration (MODEL DATA), coefficients and path (MODEL)."
    )))
}

/// Recognition of a plot before it is overwritten.
pub(super) const PLOT: Kind = Kind {
    name: "an SVG or PNG plot",
    is: |start| Format::ALL.iter().any(|format| format.is(start)),
};

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
    fn write(&self, plot: PlotOutcome, out: &Output) -> Result<(), Failure> {
        print_notes(&plot.notes);
        let path = self.path(plot.picture.name());
        if path.as_os_str() == "-" && out.json {
            return Err(Failure::Usage(
                "the plot and --json cannot both go to stdout. Name a file with --output."
                    .to_owned(),
            ));
        }
        write_picture(Outcome::Plot(plot), &path, out)
    }
}

/// Writes the picture of an outcome and reports its file. On stdout, the picture is the only
/// output.
pub(super) fn write_picture(
    mut outcome: Outcome,
    path: &Path,
    out: &Output,
) -> Result<(), Failure> {
    let Some((scene, file)) = linsep_report::scene(&outcome).zip(outcome.file()) else {
        return Err(Failure::Refused(format!(
            "{}: expected the outcome of a plot, found an outcome without a picture.",
            path.display()
        )));
    };
    if path.as_os_str() == "-" {
        out.save(&outcome)?;
        return print(&Format::Svg.write(&scene));
    }
    *file = Some(path.display().to_string());
    AtomicFile::write_whole(path, &format_of(path)?.write(&scene))?;
    out.report(&outcome)
}

/// Returns the format of a file name's extension.
fn format_of(path: &Path) -> Result<Format, Failure> {
    Format::of_file(path).ok_or_else(|| {
        let endings = Format::ALL.map(|format| format!(".{}", format.name())).join(" or ");
        let (path, instead) = (path.display(), path.with_extension("svg"));
        let instead = instead.display();
        Failure::Usage(format!(
            "{path}: expected a file name that ends in {endings}. Try {instead}."
        ))
    })
}
