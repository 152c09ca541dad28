//! Plots: the data behind each picture.
//!
//! | request | of | plots |
//! |---|---|---|
//! | [`PlotData`] | data | boundaries, projection, data, trace, weights, path |
//! | [`PlotEvaluation`] | a model and rows | confusion, roc, pr, calibration, regions |
//! | [`PlotCoefficients`] | a model | coefficients |
//!
//! A [`Picture`] contains points in the units of its axes, and the facts that are printed; how it
//! looks is up to the interface that draws it.

mod boundaries;
mod coefficients;
mod confusion;
mod curves;
mod data;
mod evaluation;
mod losses;
mod path;
mod projection;
mod regions;
mod reliability;
mod scatter;
mod trace;
mod weights;

pub use boundaries::{Boundaries, PlotBoundaries};
pub use coefficients::{Coefficients, Interval, Intervals, PlotCoefficients};
pub use confusion::ConfusionMatrix;
pub use curves::{ClassCurve, ClassCurves, Curve};
pub use data::{Margins, PlotRows, RowsAndBoundary};
pub use evaluation::{EvaluationPlot, PlotEvaluation};
pub use losses::Losses;
pub use path::{Path, PlotPath};
pub use projection::{PlotProjection, Projection};
pub use regions::RegionsPlot;
pub use reliability::{OutOfFoldReliability, Reliability};
pub use scatter::{Scatter, Segment};
pub use trace::{StepBoundary, TracePlot};
pub use weights::{PlotWeights, WeightSpace};

use super::Steps;
use crate::dataset::{TrainingData, TrainingSettings};
use crate::error::Error;
use crate::validate::Tuning;
use linsep_core::control::{Note, literal};
use linsep_core::{Observer, Problem, float};
use linsep_io::Input;
use serde::{Deserialize, Serialize};

/// A point in the units of the axes.
pub type Point = (f64, f64);

/// Named points: a curve, or the rows of a class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// The points.
    #[serde(with = "float")]
    pub points: Vec<Point>,
}

/// Outcome of a plot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlotOutcome {
    /// The data of the picture.
    pub picture: Picture,
    /// File of the picture, if it was written.
    pub file: Option<String>,
    /// Notes about the data.
    pub notes: Vec<Note>,
}

/// Data of a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "plot", rename_all = "kebab-case")]
pub enum Picture {
    /// Loss functions over the margin.
    Losses(Losses),
    /// Rows, with the boundaries of several methods.
    Boundaries(Boundaries),
    /// Histograms of two projections.
    Projection(Projection),
    /// Decision regions of a model.
    Regions(RegionsPlot),
    /// Rows, with the boundary of a method.
    Data(RowsAndBoundary),
    /// Boundary and objective at the steps of a run.
    Trace(TracePlot),
    /// Weight space.
    Weights(WeightSpace),
    /// Confusion matrix.
    Confusion(ConfusionMatrix),
    /// Largest coefficients.
    Coefficients(Coefficients),
    /// ROC or precision-recall curves.
    Curves(ClassCurves),
    /// Reliability diagram.
    Reliability(Reliability),
    /// Reliability diagram of a calibration, before and after.
    OutOfFoldReliability(OutOfFoldReliability),
    /// Coefficients over λ.
    Path(Path),
    /// Cross-validated cost over λ.
    Tuning(Tuning),
}

impl Picture {
    /// Name of the plot.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Losses(_) => "losses",
            Self::Boundaries(_) => "boundaries",
            Self::Projection(_) => "projection",
            Self::Regions(_) => "regions",
            Self::Data(_) => "data",
            Self::Trace(_) => "trace",
            Self::Weights(_) => "weights",
            Self::Confusion(_) => "confusion",
            Self::Coefficients(_) => "coefficients",
            Self::Curves(curves) => curves.kind.name(),
            Self::Reliability(_) | Self::OutOfFoldReliability(_) => "calibration",
            Self::Path(_) | Self::Tuning(_) => "path",
        }
    }
}

impl From<Picture> for PlotOutcome {
    fn from(picture: Picture) -> Self {
        Self { picture, file: None, notes: Vec::new() }
    }
}

/// Request for a plot of data.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct PlotData {
    /// Roles and preprocessing of the columns.
    pub data: TrainingSettings,
    /// The plot.
    pub plot: DataPlot,
}

impl Default for PlotData {
    fn default() -> Self {
        Self { data: TrainingSettings::default(), plot: DataPlot::Data(PlotRows::default()) }
    }
}

/// Plots of data, and their settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "plot", rename_all = "kebab-case")]
pub enum DataPlot {
    /// Rows of two features, with the boundaries of several methods.
    Boundaries(PlotBoundaries),
    /// Two classes projected onto Fisher's direction and onto the difference of means.
    Projection(PlotProjection),
    /// Rows, with the boundary and the margins of a method.
    Data(PlotRows),
    /// Boundary and objective at the steps of a run.
    Trace(Steps),
    /// Weight space of two weights.
    Weights(PlotWeights),
    /// Coefficients over λ.
    Path(PlotPath),
}

impl PlotData {
    /// Refuses contradictory settings, before any file is read.
    pub fn check(&self) -> Result<(), Error> {
        match &self.plot {
            DataPlot::Data(rows) => {
                rows.method.learner(false)?;
                Ok(())
            }
            DataPlot::Trace(steps) => steps.check(),
            DataPlot::Path(path) => path.check(),
            DataPlot::Boundaries(_) | DataPlot::Projection(_) | DataPlot::Weights(_) => Ok(()),
        }
    }

    /// Computes the picture.
    pub fn run(&self, data: Input, watch: &mut dyn Observer) -> Result<PlotOutcome, Error> {
        self.check()?;
        let mut settings = self.data.clone();
        // Directions and weights depend on the units, and steps are to be checked by hand.
        if matches!(self.plot, DataPlot::Projection(_) | DataPlot::Trace(_) | DataPlot::Weights(_))
        {
            settings.recipe.standardize = false;
        }
        let own = Prepared::new(data, &settings)?;
        let picture = match &self.plot {
            DataPlot::Boundaries(plot) => Picture::Boundaries(plot.run(&own, watch)?),
            DataPlot::Projection(plot) => Picture::Projection(plot.run(&own, watch)?),
            DataPlot::Data(plot) => Picture::Data(plot.run(&own, watch)?),
            DataPlot::Trace(steps) => Picture::Trace(trace::run(steps, &own)?),
            DataPlot::Weights(plot) => Picture::Weights(plot.run(&own)?),
            DataPlot::Path(plot) => Picture::Path(plot.run(&own, watch)?),
        };
        Ok(PlotOutcome { picture, file: None, notes: own.training.notes })
    }
}

/// Training data, and their sample weights apart.
pub(crate) struct Prepared {
    pub(crate) name: String,
    pub(crate) training: TrainingData,
    weights: Option<Vec<f64>>,
}

impl Prepared {
    pub(crate) fn new(data: Input, settings: &TrainingSettings) -> Result<Self, Error> {
        let name = data.name().to_owned();
        let mut training = TrainingData::new(data, settings)?;
        let weights = training.weights.take();
        Ok(Self { name, training, weights })
    }

    /// Returns the training problem; errors name the data.
    pub(crate) fn problem(&self) -> Result<Problem<'_>, Error> {
        self.training.problem(&self.name, self.weights.clone())
    }

    /// Refuses the data for a plot: what it requires, what was found, and the remedy.
    fn refused(&self, plot: &str, want: &str, found: &str) -> Error {
        let name = literal(&self.name);
        Error::Refused(format!("{name}: plot {plot} requires {want}, found {found}"))
    }
}
