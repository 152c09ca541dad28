//! Comparison of methods by cross-validation on the same folds.

use crate::dataset::TrainingSettings;
use crate::error::Error;
use crate::validate::{Comparison, FoldSettings, FoldedData, compare};
use linsep_core::data::ClassWeights;
use linsep_core::metric::{Metric, compared};
use linsep_core::validate::pick;
use linsep_core::{Label, Observer};
use linsep_io::Input;
use serde::{Deserialize, Serialize};

/// Request for a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Compare {
    /// Roles and preprocessing of the columns.
    pub data: TrainingSettings,
    /// Methods to compare with the baseline; all if empty.
    pub methods: Vec<String>,
    /// Metric that ranks the methods.
    pub by: String,
    /// Whether classes have balanced weights in training.
    pub balanced: bool,
    /// The folds.
    pub folds: FoldSettings,
    /// Number of threads.
    pub threads: usize,
}

impl Default for Compare {
    fn default() -> Self {
        Self {
            data: TrainingSettings::default(),
            methods: Vec::new(),
            by: compared()[0].name.to_owned(),
            balanced: false,
            folds: FoldSettings::default(),
            threads: 1,
        }
    }
}

/// Outcome of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CompareOutcome {
    /// Name of the data.
    pub data: String,
    /// Number of rows.
    pub rows: usize,
    /// The classes.
    pub classes: Vec<Label>,
    /// The folds.
    pub folds: FoldSettings,
    /// Number of threads.
    pub threads: usize,
    /// The results.
    pub comparison: Comparison,
}

impl Compare {
    /// Refuses settings that do not depend on the data.
    pub fn check(&self) -> Result<(), Error> {
        self.metric().map(|_| ())
    }

    fn metric(&self) -> Result<&'static Metric, Error> {
        let all = compared();
        let known = || all.iter().map(|metric| metric.name).collect();
        all.iter().find(|metric| metric.name == self.by).copied().ok_or_else(|| {
            let got = self.by.clone();
            linsep_core::Error::UnknownName { family: "metric", got, known: known() }.into()
        })
    }

    /// Compares methods on data. A request to end early is an error: there is no partial result.
    pub fn run(&self, data: Input, watch: &mut dyn Observer) -> Result<CompareOutcome, Error> {
        let by = self.metric()?;
        let name = data.name().to_owned();
        let folded = FoldedData::new(data, &self.data, &self.folds)?;
        let contenders = pick(&self.methods, folded.classes.len())?;
        let weigh = if self.balanced { ClassWeights::Balanced } else { ClassWeights::Equal };
        let comparison = compare(&folded, &contenders, by, &weigh, self.threads, watch)?;
        Ok(CompareOutcome {
            data: name,
            rows: folded.n,
            classes: folded.classes,
            folds: self.folds.clone(),
            threads: self.threads,
            comparison,
        })
    }
}
