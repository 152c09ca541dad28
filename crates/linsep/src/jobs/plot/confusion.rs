//! Confusion matrix of an evaluation.

use crate::evaluation::Evaluation;
use linsep_core::metric::Confusion;
use linsep_core::{Label, float};
use serde::{Deserialize, Serialize};

/// Confusion matrix.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConfusionMatrix {
    /// Name of the data.
    pub data: String,
    /// The classes.
    pub classes: Vec<Label>,
    /// Accuracy on all rows.
    #[serde(with = "float")]
    pub accuracy: f64,
    /// The matrix.
    pub confusion: Confusion,
}

impl ConfusionMatrix {
    /// Returns the matrix of an evaluation.
    pub fn of(evaluation: &Evaluation, data: &str) -> Self {
        Self {
            data: data.to_owned(),
            classes: evaluation.classes.clone(),
            accuracy: evaluation.accuracy(),
            confusion: evaluation.confusion.clone(),
        }
    }
}
