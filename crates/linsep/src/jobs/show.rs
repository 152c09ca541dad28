//! The contents of a model file.

use crate::model_file::{Header, ModelFile};
use serde::{Deserialize, Serialize};

/// Request for the contents of a model file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Show {
    /// Most features listed, those of the largest coefficients.
    pub top: usize,
}

impl Default for Show {
    fn default() -> Self {
        Self { top: 20 }
    }
}

/// The contents of a model file.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ShowOutcome {
    /// The model and its metadata.
    pub model_file: ModelFile,
    /// Most features listed.
    pub top: usize,
    /// Whether training rows had weights that are not counts.
    pub weighted: bool,
}

impl Show {
    /// Describes a model file.
    pub fn run(&self, model_file: ModelFile) -> ShowOutcome {
        let weighted = is_weighted(&model_file.header);
        ShowOutcome { model_file, top: self.top, weighted }
    }
}

/// Whether the total weight of misclassified rows differs from their number.
fn is_weighted(header: &Header) -> bool {
    let training = &header.training;
    if !header.recipe.counts.is_empty() {
        return false;
    }
    let rows = training.rows as f64;
    ((1.0 - training.accuracy) * rows - training.mistakes).abs() > 1e-6 * rows
}
