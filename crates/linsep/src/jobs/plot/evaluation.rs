//! Plots of an evaluation.

use super::{ConfusionMatrix, Curve, Curves, Picture, Reliability};
use crate::error::Error;
use crate::evaluation::Evaluation;
use serde::{Deserialize, Serialize};

/// Plots of an evaluation.
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
}

/// Request for a plot of an evaluation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlotEvaluation {
    /// The plot.
    pub plot: EvaluationPlot,
    /// Name of the model.
    pub model: String,
    /// Name of the data.
    pub data: String,
}

impl EvaluationPlot {
    /// Name of the plot.
    pub fn name(self) -> &'static str {
        match self {
            Self::Confusion => "confusion",
            Self::Roc => Curve::Roc.name(),
            Self::Pr => Curve::PrecisionRecall.name(),
            Self::Calibration => "calibration",
        }
    }
}

impl PlotEvaluation {
    /// Computes the picture of an evaluation.
    pub fn run(&self, evaluation: &Evaluation<'_>) -> Result<Picture, Error> {
        let (model, data) = (&self.model, &self.data);
        match self.plot {
            EvaluationPlot::Confusion => {
                Ok(Picture::Confusion(ConfusionMatrix::of(evaluation, data)))
            }
            EvaluationPlot::Roc => self.curves(evaluation, Curve::Roc),
            EvaluationPlot::Pr => self.curves(evaluation, Curve::PrecisionRecall),
            EvaluationPlot::Calibration => match Reliability::of(evaluation, data) {
                Some(diagram) => Ok(Picture::Reliability(diagram)),
                None => Err(Error::Refused(format!(
                    "{model}: expected a model with probabilities. Fit one with --method logistic \
                     or gaussian, or with --calibrate platt."
                ))),
            },
        }
    }

    fn curves(&self, evaluation: &Evaluation<'_>, kind: Curve) -> Result<Picture, Error> {
        let curves = Curves::of(evaluation, kind, &self.data)?.ok_or_else(|| {
            Error::Refused(format!(
                "{}: plot {} requires rows of two classes or more, and a model with a score per \
                 class (not one-vs-one or one-vs-rest-but-last)",
                self.data,
                kind.name()
            ))
        })?;
        Ok(Picture::Curves(curves))
    }
}
