//! Plots of an evaluation.

use super::{ConfusionMatrix, Curve, Curves, Picture, Reliability};
use crate::error::Error;
use crate::jobs::Evaluated;
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
    pub fn run(&self, evaluated: &Evaluated) -> Result<Picture, Error> {
        let (model, data) = (&self.model, &self.data);
        match self.plot {
            EvaluationPlot::Confusion => {
                Ok(Picture::Confusion(ConfusionMatrix::of(&evaluated.evaluation, data)))
            }
            EvaluationPlot::Roc => self.curves(evaluated, Curve::Roc),
            EvaluationPlot::Pr => self.curves(evaluated, Curve::PrecisionRecall),
            EvaluationPlot::Calibration => match Reliability::of(&evaluated.evaluation, data) {
                Some(diagram) => Ok(Picture::Reliability(diagram)),
                None => Err(Error::Refused(format!(
                    "{model}: expected a model with probabilities. Fit one with --method logistic \
                     or gaussian, or with --calibrate platt."
                ))),
            },
        }
    }

    fn curves(&self, evaluated: &Evaluated, kind: Curve) -> Result<Picture, Error> {
        let curves = Curves::of(evaluated, kind, &self.data)?.ok_or_else(|| {
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
