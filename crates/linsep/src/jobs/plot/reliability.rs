//! Reliability diagrams: observed frequency over mean predicted probability.
//!
//! Of rows with known classes, or of the out-of-fold predictions of a calibration, before and
//! after, which the model file contains.

use crate::evaluation::Evaluation;
use crate::model_file::ModelFile;
use crate::validate::{BinRecord, PostProcessingRecord, Quality};
use linsep_core::metric::calibration_error;
use serde::{Deserialize, Serialize};

/// Reliability diagram of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reliability {
    /// Name of the data.
    pub data: String,
    /// Meaning of the probabilities.
    pub meaning: String,
    /// Expected calibration error.
    pub error: f64,
    /// Bins with rows.
    pub bins: Vec<BinRecord>,
}

impl Reliability {
    /// Returns the diagram of an evaluation; `None` if the model has no probabilities.
    pub fn of(evaluation: &Evaluation, data: &str) -> Option<Self> {
        let bins = evaluation.bins.as_deref()?;
        let record = |bin: &linsep_core::metric::Bin| BinRecord {
            weight: bin.weight,
            probability: bin.probability,
            happened: bin.observed,
        };
        let meaning = evaluation.probability_meaning();
        let error = calibration_error(bins)?;
        let bins = bins.iter().map(record).collect();
        Some(Self { data: data.to_owned(), meaning, error, bins })
    }
}

/// Reliability diagram of the out-of-fold predictions of a calibration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutOfFoldReliability {
    /// The calibration method.
    pub method: String,
    /// Number of folds.
    pub folds: usize,
    /// Quality of the probabilities before, if the method has probabilities.
    pub before: Option<Quality>,
    /// Quality of the probabilities after.
    pub after: Quality,
}

impl OutOfFoldReliability {
    /// Returns the diagram of a model; `None` if it is not calibrated.
    pub fn of(model_file: &ModelFile) -> Option<Self> {
        Self::of_record(model_file.header.training.post_processing.as_ref()?)
    }

    /// Returns the diagram of a post-processing; `None` if it is not a calibration.
    pub fn of_record(record: &PostProcessingRecord) -> Option<Self> {
        Some(Self {
            method: record.calibrated.clone()?,
            folds: record.folds,
            before: record.before.clone(),
            after: record.after.clone()?,
        })
    }
}
