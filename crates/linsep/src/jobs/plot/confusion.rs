//! Confusion matrix of an evaluation.

use crate::evaluation::Evaluation;
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
    /// True class, predicted class and weight of the cells above 0, by row.
    pub cells: Vec<(usize, usize, f64)>,
}

impl ConfusionMatrix {
    /// Returns the matrix of an evaluation.
    pub fn of(evaluation: &Evaluation, data: &str) -> Self {
        let cells = evaluation.confusion.rows().enumerate().flat_map(|(i, row)| {
            let above = row.into_iter().enumerate().filter(|(_, cell)| *cell > 0.0);
            above.map(move |(j, cell)| (i, j, cell)).collect::<Vec<_>>()
        });
        Self {
            data: data.to_owned(),
            classes: evaluation.classes.clone(),
            accuracy: evaluation.accuracy(),
            cells: cells.collect(),
        }
    }
}
