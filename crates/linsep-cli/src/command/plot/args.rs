//! Arguments of plots of data, of an evaluation, and of a model.

use super::{Target, no_model};
use crate::command::evaluate::open;
use crate::data::{InputArgs, ReadArgs, ScoreArgs};
use crate::failure::Failure;
use crate::method::MethodArgs;
use crate::method::values::{methods, spelled};
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

/// Arguments of a plot of data: those of the plot itself, of its file, of its method, and of the
/// data.
#[derive(Args)]
pub(super) struct DataArgs<P: Args, M: Args> {
    #[command(flatten)]
    plot: P,

    #[command(flatten)]
    target: Target,

    #[command(flatten)]
    method: M,

    #[command(flatten)]
    input: InputArgs,
}

#[derive(Args)]
pub(super) struct BoundariesArgs {
    /// Methods, with default settings [default: logistic and least-squares]
    #[arg(long, value_name = "METHOD,…", value_delimiter = ',', value_parser = methods(), help_heading = "Method")]
    method: Vec<String>,
}

#[derive(Args)]
pub(super) struct ProjectionArgs {
    /// Shrinkage of the within-class covariance: from 0 to 1, or auto [default: 0]
    #[arg(long, value_name = "NUMBER|auto", value_parser = spelled::<Shrinkage>)]
    shrinkage: Option<Shrinkage>,
}

#[derive(Args)]
pub(super) struct WeightsArgs {
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
}

#[derive(Args)]
pub(super) struct PathArgs {
    /// Number of values of λ
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u16).range(2..), help_heading = "Method")]
    points: u16,

    /// Class whose coefficients are drawn, of three classes or more [default: the first]
    #[arg(long, value_name = "CLASS", help_heading = "Data")]
    class: Option<String>,

    /// Name this many features, those of the largest coefficients
    #[arg(long, value_name = "N", default_value_t = 8, help_heading = "Output")]
    top: usize,
}

impl<P: Args, M: Args> DataArgs<P, M> {
    /// Checks the files read and written by the plot of this name.
    fn check_files(&self, plot: &str, out: &Output) -> Result<(), Failure> {
        let files = self.target.files(plot).reads(&self.input.data);
        files.reads(self.input.weights_file()).check(out)
    }

    /// Reads the data and draws their plot.
    fn draw(&self, plot: DataPlot, out: &Output) -> Result<(), Failure> {
        let request = PlotData { data: self.input.settings(out), plot };
        request.check()?;
        let input = self.input.read(out)?;
        let outcome = match request.plot {
            DataPlot::Path(_) => {
                request.run(input, &mut Progress::within("regularization path", None))?
            }
            _ => request.run(input, &mut ())?,
        };
        self.target.write(outcome, out)
    }
}

impl DataArgs<BoundariesArgs, ()> {
    pub(super) fn run(&self, out: &Output) -> Result<(), Failure> {
        self.check_files("boundaries", out)?;
        let mut plot = PlotBoundaries::default();
        if !self.plot.method.is_empty() {
            let methods = self.plot.method.iter().map(|name| name.parse());
            plot.methods = methods.collect::<Result<_, _>>()?;
        }
        self.draw(DataPlot::Boundaries(plot), out)
    }
}

impl DataArgs<ProjectionArgs, ()> {
    pub(super) fn run(&self, out: &Output) -> Result<(), Failure> {
        self.check_files("projection", out)?;
        let shrinkage = self.plot.shrinkage.unwrap_or_default();
        self.draw(DataPlot::Projection(PlotProjection { shrinkage }), out)
    }
}

impl DataArgs<(), MethodArgs> {
    pub(super) fn run(&self, out: &Output) -> Result<(), Failure> {
        self.check_files("data", out)?;
        no_model("data", &self.input.data)?;
        let (method, class_weights) = (self.method.method()?, self.method.class_weights()?);
        self.draw(DataPlot::Data(PlotRows { method, class_weights }), out)
    }
}

impl DataArgs<WeightsArgs, ()> {
    pub(super) fn run(&self, out: &Output) -> Result<(), Failure> {
        self.check_files("weights", out)?;
        no_model("weights", &self.input.data)?;
        let WeightsArgs { no_intercept, method, eta, epochs } = &self.plot;
        let intercept = no_intercept.then_some(false);
        let options = Options { intercept, eta: *eta, epochs: *epochs, ..Options::default() };
        self.draw(DataPlot::Weights(PlotWeights { method: method.parse()?, options }), out)
    }
}

impl DataArgs<PathArgs, MethodArgs> {
    pub(super) fn run(&self, out: &Output) -> Result<(), Failure> {
        self.check_files("path", out)?;
        if let [file] = &self.input.data[..]
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
            points: usize::from(self.plot.points),
            class: self.plot.class.as_deref().map(Label::parse),
            top: self.plot.top,
        });
        self.draw(plot, out)
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
    /// Draws the plot of these rows; without rows, the out-of-fold predictions of a calibration.
    pub(super) fn run(&self, plot: EvaluationPlot, out: &Output) -> Result<(), Failure> {
        let files = self.target.files(plot.name()).reads([&self.model]).reads(&self.data);
        files.reads(self.scoring.weights_file()).check(out)?;
        let model_file = ModelFile::load(&self.model)?;
        if self.data.is_empty() {
            return self.target.write(self.out_of_fold(&model_file)?.into(), out);
        }
        let (rows, model) = (self.scoring.job(out), self.model.display().to_string());
        let (sources, read) = (open(&self.data)?, self.reading.options(out));
        let request = PlotEvaluation { plot, rows, model };
        let outcome = request.run(&model_file, sources, &read, &mut Progress::new("evaluating"))?;
        self.target.write(outcome, out)
    }

    fn out_of_fold(&self, model_file: &ModelFile) -> Result<Picture, Failure> {
        let diagram = OutOfFoldReliability::of(model_file).ok_or_else(|| {
            Failure::Usage(format!(
                "{}: expected a calibrated model or data, found a model without out-of-fold predictions. Give data with \
                 known classes.",
                self.model.display()
            ))
        })?;
        Ok(Picture::OutOfFoldReliability(diagram))
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
    pub(super) fn run(&self, out: &Output) -> Result<(), Failure> {
        self.target.files("coefficients").reads([&self.model]).check(out)?;
        let model_file = ModelFile::load(&self.model)?;
        model_file.linear(&self.model.display().to_string())?;
        let coefficients = PlotCoefficients { top: self.top }.run(&model_file);
        self.target.write(Picture::Coefficients(coefficients).into(), out)
    }
}
