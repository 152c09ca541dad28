//! The contents of a model file, and how far they are known to be true.
//!
//! Loading recomputes a part of the file ([`RECOMPUTED`]). The results of training cannot be
//! recomputed without the training data: anyone can write "gap 0" into a file. The outcome lists
//! both, so that an interface does not present the second as the first.

use crate::model_file::{Header, ModelFile, RECOMPUTED};
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
    /// The parts of the file that loading recomputed.
    pub recomputed: Vec<String>,
    /// The results of training that the file claims.
    pub recorded: Vec<String>,
}

impl Show {
    /// Describes a model file.
    pub fn run(&self, model_file: ModelFile) -> ShowOutcome {
        let weighted = is_weighted(&model_file.header);
        let recomputed = RECOMPUTED.map(str::to_owned).to_vec();
        let recorded = recorded(&model_file.header);
        ShowOutcome { model_file, top: self.top, weighted, recomputed, recorded }
    }
}

/// The results of training in a header.
fn recorded(header: &Header) -> Vec<String> {
    let training = &header.training;
    let known = [
        ("training", true),
        ("certificate", !training.certificates.is_empty()),
        ("mistake bound", training.mistake_bounds.iter().any(Option::is_some)),
        ("separation", training.separation.is_some()),
        ("tuning", training.tuning.is_some()),
        ("out-of-fold metrics", training.post_processing.is_some()),
        ("inference", header.inference.is_some()),
    ];
    known.into_iter().filter(|(_, has)| *has).map(|(name, _)| name.to_owned()).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jobs::Fit;
    use linsep_io::{ReadOptions, Source, read_source};

    fn fitted() -> ModelFile {
        let text = "x,y\n0,a\n1,a\n2,b\n1,b\n3,b\n";
        let data = read_source(Source::from_bytes("data.csv", text), &ReadOptions::default());
        Fit::default().run(&data.unwrap()).unwrap().model_file
    }

    #[test]
    fn forged_results_of_training_are_loaded_but_listed_as_recorded() {
        let mut forged = fitted();
        let training = &mut forged.header.training;
        training.accuracy = 1.0;
        training.mistakes = 0.0;
        training.certificates[0].gap = Some(0.0);
        training.certificates[0].relative_gap = Some(0.0);
        let loaded = ModelFile::from_bytes("m", &forged.to_bytes().unwrap()).unwrap();
        let shown = Show::default().run(loaded);
        assert_eq!(shown.recorded, ["training", "certificate"]);
        assert!(!shown.recomputed.iter().any(|part| shown.recorded.contains(part)));
    }
}
