//! Arguments of plots of data, of an evaluation, and of a model.

use super::{Files, Target, no_model};
use crate::command::evaluate::open;
use crate::data::{ColumnArgs, ReadArgs, ScoreArgs};
use crate::failure::Failure;
use crate::method::{MethodArgs, methods, spelled};
use crate::output::Output;
use crate::progress::Progress;
use clap::Args;
use linsep::ModelFile;
use linsep::core::Label;
use linsep::core::learner::Shrinkage;
use linsep::core::options::Options;
use linsep::jobs::PlotData;
use linsep::jobs::plot::{
    DataPlot, EvaluationPlot, OutOfFoldReliability, Picture, PlotBoundaries, PlotCoefficients,
    PlotEvaluation, PlotPath, PlotProjection, PlotRows, PlotWeights,
};
use std::path::PathBuf;

#[derive(Args)]
pub(super) struct BoundariesArgs {
    /// Data files with two features and the target
    #[arg(required = true)]
    pub(super) data: Vec<PathBuf>,

    /// Methods, with default settings [default: logistic and least-squares]
    #[arg(long, value_name = "METHOD,…", value_delimiter = ',', value_parser = methods(), help_heading = "Method")]
    method: Vec<String>,

    #[command(flatten)]
    pub(super) target: Target,

    #[command(flatten)]
    pub(super) input: InputArgs,
}

#[derive(Args)]
pub(super) struct ProjectionArgs {
    /// Data files of two classes
    #[arg(required = true)]
    pub(super) data: Vec<PathBuf>,

    /// Shrinkage of the within-class covariance: from 0 to 1, or auto [default: 0]
    #[arg(long, value_name = "NUMBER|auto", value_parser = spelled::<Shrinkage>)]
    shrinkage: Option<Shrinkage>,

    #[command(flatten)]
    pub(super) target: Target,

    #[command(flatten)]
    pub(super) input: InputArgs,
}

#[derive(Args)]
pub(super) struct DataArgs {
    /// Data files, read as one data set
    #[arg(required = true)]
    pub(super) data: Vec<PathBuf>,

    #[command(flatten)]
    pub(super) target: Target,

    #[command(flatten)]
    method: MethodArgs,

    #[command(flatten)]
    pub(super) input: InputArgs,
}

#[derive(Args)]
pub(super) struct WeightsArgs {
    /// Data files of two classes with one column, or two with --no-intercept
    #[arg(required = true)]
    pub(super) data: Vec<PathBuf>,

    /// Train without bias, on two columns
    #[arg(long, help_heading = "Method")]
    no_intercept: bool,

    /// Learning rule whose path is drawn
    #[arg(long, value_name = "METHOD", help_heading = "Method", default_value = "perceptron", value_parser = ["perceptron", "batch-perceptron"])]
    method: String,

    /// Step length
    #[arg(long, value_name = "NUMBER", help_heading = "Optimization")]
    eta: Option<f64>,

    /// Limit of epochs
    #[arg(long = "max-iter", value_name = "N", help_heading = "Optimization")]
    epochs: Option<u64>,

    #[command(flatten)]
    pub(super) target: Target,

    #[command(flatten)]
    pub(super) input: InputArgs,
}

#[derive(Args)]
pub(super) struct PathArgs {
    /// Data files, to fit the regularization path; or a tuned model
    #[arg(required = true)]
    pub(super) data: Vec<PathBuf>,

    /// Number of values of λ
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u16).range(2..), help_heading = "Method")]
    points: u16,

    /// Class whose coefficients are drawn, of three classes or more [default: the first]
    #[arg(long, value_name = "CLASS", help_heading = "Data")]
    class: Option<String>,

    /// Name this many features, those of the largest coefficients
    #[arg(long, value_name = "N", default_value_t = 8, help_heading = "Output")]
    top: usize,

    #[command(flatten)]
    pub(super) target: Target,

    #[command(flatten)]
    method: MethodArgs,

    #[command(flatten)]
    pub(super) input: InputArgs,
}

/// Roles of the columns, and how data are read.
#[derive(Args)]
pub(super) struct InputArgs {
    #[command(flatten)]
    columns: ColumnArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

impl InputArgs {
    /// Returns the files read and written.
    pub(super) fn files<'a>(
        &'a self,
        plot: &str,
        (data, target): (&'a [PathBuf], &'a Target),
    ) -> Files<'a> {
        target.files(plot).reads(data).reads(self.columns.weights_file())
    }

    /// Reads the data and draws their plot.
    fn draw(
        &self,
        plot: DataPlot,
        (data, target): (&[PathBuf], &Target),
        out: &Output,
    ) -> Result<(), Failure> {
        let request = PlotData { data: self.columns.settings(out), plot };
        request.check()?;
        let input = self.columns.read(data, &self.reading, out)?;
        let outcome = match request.plot {
            DataPlot::Path(_) => {
                request.run(input, &mut Progress::within("regularization path", None))?
            }
            _ => request.run(input, &mut ())?,
        };
        target.write(outcome, out)
    }
}

impl BoundariesArgs {
    pub(super) fn run(&self, out: &Output) -> Result<(), Failure> {
        let mut plot = PlotBoundaries::default();
        if !self.method.is_empty() {
            plot.methods = self.method.iter().map(|name| name.parse()).collect::<Result<_, _>>()?;
        }
        let plot = DataPlot::Boundaries(plot);
        self.input.draw(plot, (&self.data, &self.target), out)
    }
}

impl ProjectionArgs {
    pub(super) fn run(&self, out: &Output) -> Result<(), Failure> {
        let shrinkage = self.shrinkage.unwrap_or_default();
        let plot = DataPlot::Projection(PlotProjection { shrinkage });
        self.input.draw(plot, (&self.data, &self.target), out)
    }
}

impl DataArgs {
    pub(super) fn run(&self, out: &Output) -> Result<(), Failure> {
        no_model("data", &self.data)?;
        let (method, class_weights) = (self.method.method()?, self.method.class_weights()?);
        let plot = DataPlot::Data(PlotRows { method, class_weights });
        self.input.draw(plot, (&self.data, &self.target), out)
    }
}

impl WeightsArgs {
    pub(super) fn run(&self, out: &Output) -> Result<(), Failure> {
        no_model("weights", &self.data)?;
        let intercept = self.no_intercept.then_some(false);
        let (eta, epochs) = (self.eta, self.epochs);
        let options = Options { intercept, eta, epochs, ..Options::default() };
        let plot = DataPlot::Weights(PlotWeights { method: self.method.parse()?, options });
        self.input.draw(plot, (&self.data, &self.target), out)
    }
}

impl PathArgs {
    pub(super) fn run(&self, out: &Output) -> Result<(), Failure> {
        if let [file] = &self.data[..]
            && let Ok(model_file) = ModelFile::load(file)
        {
            let tuning = model_file.header.training.tuning.ok_or_else(|| {
                Failure::Refused(format!(
                    "{}: expected a tuned model or data, found a model that was not tuned. Fit the model with --tune, or give the \
                     data.",
                    file.display()
                ))
            })?;
            return self.target.write(Picture::Tuning(tuning).into(), out);
        }
        let plot = DataPlot::Path(PlotPath {
            method: self.method.method()?,
            class_weights: self.method.class_weights()?,
            points: usize::from(self.points),
            class: self.class.as_deref().map(Label::parse),
            top: self.top,
        });
        self.input.draw(plot, (&self.data, &self.target), out)
    }
}

/// Arguments of a plot of a model and of rows with known classes.
#[derive(Args)]
pub(super) struct EvaluationArgs {
    /// Model file
    model: PathBuf,

    /// Data files with known classes
    #[arg(required = true)]
    data: Vec<PathBuf>,

    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    scoring: ScoreArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

impl EvaluationArgs {
    /// Returns the files read and written.
    pub(super) fn files(&self, plot: &str) -> Files<'_> {
        let files = self.target.files(plot).reads([&self.model]).reads(&self.data);
        files.reads(self.scoring.weights_file())
    }

    pub(super) fn run(&self, plot: EvaluationPlot, out: &Output) -> Result<(), Failure> {
        self.of(&ModelFile::load(&self.model)?, plot, out)
    }

    fn of(
        &self,
        model_file: &ModelFile,
        plot: EvaluationPlot,
        out: &Output,
    ) -> Result<(), Failure> {
        let (rows, model) = (self.scoring.job(out), self.model.display().to_string());
        let (sources, read) = (open(&self.data)?, self.reading.options(out));
        let mut watch = Progress::new("evaluating");
        let request = PlotEvaluation { plot, rows, model };
        let outcome = request.run(model_file, sources, &read, &mut watch)?;
        drop(watch);
        self.target.write(outcome, out)
    }
}

#[derive(Args)]
#[command(mut_arg("data", |arg| arg.required(false).help(
    "Data files with known classes [default: the out-of-fold predictions of the calibration]"
)))]
pub(super) struct CalibrationArgs {
    #[command(flatten)]
    own: EvaluationArgs,
}

impl CalibrationArgs {
    /// Returns the files read and written.
    pub(super) fn files(&self) -> Files<'_> {
        self.own.files("calibration")
    }

    pub(super) fn run(&self, out: &Output) -> Result<(), Failure> {
        let model_file = ModelFile::load(&self.own.model)?;
        if !self.own.data.is_empty() {
            return self.own.of(&model_file, EvaluationPlot::Calibration, out);
        }
        let diagram = OutOfFoldReliability::of(&model_file).ok_or_else(|| {
            Failure::Usage(format!(
                "{}: expected a calibrated model or data, found a model without out-of-fold predictions. Give data with \
                 known classes.",
                self.own.model.display()
            ))
        })?;
        self.own.target.write(Picture::OutOfFoldReliability(diagram).into(), out)
    }
}

#[derive(Args)]
pub(super) struct CoefficientsArgs {
    /// Model file
    model: PathBuf,

    /// Show at most this many features, those of the largest coefficients
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,

    #[command(flatten)]
    target: Target,
}

impl CoefficientsArgs {
    /// Returns the files read and written.
    pub(super) fn files(&self) -> Files<'_> {
        self.target.files("coefficients").reads([&self.model])
    }

    pub(super) fn run(&self, out: &Output) -> Result<(), Failure> {
        let model_file = ModelFile::load(&self.model)?;
        let coefficients = PlotCoefficients { top: self.top }.run(&model_file);
        self.target.write(Picture::Coefficients(coefficients).into(), out)
    }
}
