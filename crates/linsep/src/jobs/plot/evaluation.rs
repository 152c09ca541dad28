//! Plots of a model and of rows with known classes.

use super::{ClassCurves, ConfusionMatrix, Curve, Picture, PlotOutcome, Reliability};
use crate::error::Error;
use crate::jobs::{Evaluate, Evaluated};
use crate::model_file::ModelFile;
use linsep_core::Observer;
use linsep_core::control::literal;
use linsep_io::input::set_name;
use linsep_io::{ReadOptions, Source};
use serde::{Deserialize, Serialize};

/// Plots of a model and of rows with known classes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvaluationPlot {
    /// Confusion matrix.
    #[default]
    Confusion,
    /// ROC curve.
    Roc,
    /// Precision-recall curve.
    Pr,
    /// Reliability diagram.
    Calibration,
    /// Decision regions of a model of two features.
    Regions,
}

/// Request for a plot of a model and of rows with known classes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlotEvaluation {
    /// The plot.
    pub plot: EvaluationPlot,
    /// Roles of the columns.
    pub rows: Evaluate,
    /// Name of the model.
    pub model: String,
}

impl EvaluationPlot {
    /// Name of the plot.
    pub fn name(self) -> &'static str {
        match self {
            Self::Confusion => "confusion",
            Self::Roc => Curve::Roc.name(),
            Self::Pr => Curve::PrecisionRecall.name(),
            Self::Calibration => "calibration",
            Self::Regions => "regions",
        }
    }
}

impl PlotEvaluation {
    /// Reads the rows and computes the picture.
    pub fn run(
        &self,
        model_file: &ModelFile,
        sources: Vec<Source>,
        read: &ReadOptions,
        watch: &mut dyn Observer,
    ) -> Result<PlotOutcome, Error> {
        if self.plot == EvaluationPlot::Regions {
            let (plot, notes) = self.regions(model_file, sources, read)?;
            return Ok(PlotOutcome { picture: Picture::Regions(plot), file: None, notes });
        }
        let data = set_name(sources.iter().map(Source::name));
        let evaluated = self.rows.measure(model_file, sources, read, watch)?;
        let picture = self.picture(&evaluated, &data)?;
        Ok(PlotOutcome { picture, file: None, notes: evaluated.notes })
    }

    fn picture(&self, evaluated: &Evaluated, data: &str) -> Result<Picture, Error> {
        let evaluation = &evaluated.evaluation;
        let curves = |kind: Curve| {
            let curves = ClassCurves::of(evaluated, kind, data)?.map(Picture::Curves);
            curves.ok_or_else(|| {
                Error::Refused(format!(
                    "{}: plot {} requires rows of two classes or more, and a model with a \
                     score per class (not one-vs-one or one-vs-rest-but-last)",
                    literal(data),
                    kind.name()
                ))
            })
        };
        match self.plot {
            EvaluationPlot::Roc => curves(Curve::Roc),
            EvaluationPlot::Pr => curves(Curve::PrecisionRecall),
            EvaluationPlot::Calibration => {
                let diagram = Reliability::of(evaluation, data).map(Picture::Reliability);
                diagram.ok_or_else(|| {
                    Error::Refused(format!(
                        "{}: expected a model with probabilities. Fit one with `method=logistic` \
                         or gaussian, or with `calibrate=platt`.",
                        literal(&self.model)
                    ))
                })
            }
            EvaluationPlot::Confusion | EvaluationPlot::Regions => {
                Ok(Picture::Confusion(ConfusionMatrix::of(evaluation, data)))
            }
        }
    }
}
