//! Comparison of methods by cross-validation on common folds.
//!
//! All contenders are fitted to the same training folds, encoded once for all of them, and
//! evaluated on the same test folds. A contender that fails on the data does not end the
//! comparison: its error is reported.
//!
//! | file | content |
//! |---|---|
//! | `measure` | one contender on one fold |
//! | `significance` | the best contender, those not significantly different, and the advice |

mod measure;
mod significance;

use super::folded::{FoldedData, Prepared};
use super::parallel;
use crate::error::Error;
use linsep_core::Observer;
use linsep_core::control::StopReason;
use linsep_core::data::ClassWeights;
use linsep_core::validate::{Contender, mean};
use measure::measure;
use serde::Serialize;
use significance::significance;
use std::sync::{Arc, Mutex, PoisonError};

/// Metric of a comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// Accuracy.
    #[default]
    Accuracy,
    /// Balanced accuracy.
    Balanced,
    /// Log-loss, of the probabilities.
    LogLoss,
    /// Area under the ROC curve, of the scores.
    Auc,
}

impl Metric {
    /// All metrics.
    pub const ALL: [Self; 4] = [Self::Accuracy, Self::Balanced, Self::LogLoss, Self::Auc];

    /// Returns the name, the same in every interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::Balanced => "balanced-accuracy",
            Self::LogLoss => "log-loss",
            Self::Auc => "auc",
        }
    }

    /// Returns the name within a sentence.
    fn words(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::Balanced => "balanced accuracy",
            Self::LogLoss => "log-loss",
            Self::Auc => "AUC",
        }
    }

    fn of(self, measured: &FoldResult) -> Option<f64> {
        match self {
            Self::Accuracy => Some(measured.accuracy),
            Self::Balanced => measured.balanced_accuracy,
            Self::LogLoss => measured.log_loss,
            Self::Auc => measured.auc,
        }
    }

    /// Returns the value with the sign chosen so that larger is better.
    fn worth(self, value: f64) -> f64 {
        if self == Self::LogLoss { -value } else { value }
    }
}

/// Result of a contender on one fold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FoldResult {
    /// Accuracy on the test fold.
    pub accuracy: f64,
    /// Mean recall over the classes in the test fold.
    pub balanced_accuracy: Option<f64>,
    /// Log-loss, if the model has probabilities.
    pub log_loss: Option<f64>,
    /// Area under the ROC curve; with several classes the mean over those in the test fold.
    pub auc: Option<f64>,
    /// Training time in seconds.
    pub fit_seconds: f64,
    /// Prediction time on the test fold, in seconds.
    pub predict_seconds: f64,
    /// Number of nonzero coefficients, over all hyperplanes.
    pub nonzero: usize,
    /// Stop reason.
    pub stop: &'static str,
    /// Upper bound on the relative suboptimality, if there is a certificate.
    pub relative_gap: Option<f64>,
}

/// Mean and standard deviation over folds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
}

/// Results of a contender on all folds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ContenderResult {
    /// Name of the contender.
    pub name: String,
    /// Error message, if the contender failed.
    pub failure: Option<String>,
    /// Results by fold.
    pub folds: Vec<FoldResult>,
    /// Mean and standard deviation over the folds.
    pub accuracy: Option<Spread>,
    /// Mean and standard deviation over the folds.
    pub balanced_accuracy: Option<Spread>,
    /// Mean and standard deviation over the folds.
    pub log_loss: Option<Spread>,
    /// Mean and standard deviation over the folds.
    pub auc: Option<Spread>,
    /// Mean and standard deviation over the folds.
    pub fit_seconds: Option<Spread>,
    /// Mean and standard deviation over the folds.
    pub predict_seconds: Option<Spread>,
    /// Mean over the folds.
    pub nonzero: Option<f64>,
    /// Maximum over the folds, if all have one.
    pub relative_gap: Option<f64>,
    /// The worst stop reason of the folds.
    pub stop: Option<&'static str>,
    /// p-value of the difference from the best; 1 for the best itself.
    pub p: Option<f64>,
}

/// Result of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Results, in the order of the contenders.
    pub contenders: Vec<ContenderResult>,
    /// Name of the metric.
    pub by: &'static str,
    /// Index of the contender with the best mean; `None` if all failed.
    pub best: Option<usize>,
    /// Indices of the contenders that are not significantly different from the best.
    pub as_good: Vec<usize>,
    /// Whether the best is significantly better than the baseline.
    pub better_than_baseline: bool,
    /// Recommendation, in one sentence.
    pub advice: String,
}

/// Compares contenders on the folds of some data.
pub fn compare(
    folded: &FoldedData,
    contenders: &[Contender],
    by: Metric,
    weigh: &ClassWeights,
    threads: usize,
    watch: &mut dyn Observer,
) -> Result<Comparison, Error> {
    // 1. Each contender on each fold. The jobs of a fold are consecutive; its data is freed after
    //    the last.
    let (folds, count) = (folded.splits.len(), contenders.len());
    let desks: Vec<SharedFold> = (0..folds).map(|fold| SharedFold::new(fold, count)).collect();
    watch.stage("comparing", Some(folds * count));
    let results = parallel::run(folds * count, threads, watch, |job, cancel| {
        let desk = &desks[job / count];
        let result = match desk.prepared(folded) {
            Ok(prepared) => Ok(measure(folded, &prepared, &contenders[job % count], weigh, cancel)),
            Err(error) => Err(error),
        };
        desk.done();
        result
    });

    // 2. Results by contender. An error of the data ends the comparison; an error of a contender is
    //    its result.
    let mut all: Vec<Result<Vec<FoldResult>, String>> = vec![Ok(Vec::new()); count];
    for (job, result) in results.into_iter().enumerate() {
        let one = &mut all[job % count];
        match (result?, &mut *one) {
            (Ok(measured), Ok(folds)) => folds.push(measured),
            (Err(why), Ok(_)) => *one = Err(why.to_string()),
            (_, Err(_)) => {}
        }
    }
    let compared =
        contenders.iter().zip(all).map(|(one, all)| ContenderResult::new(&one.name, all));
    Ok(significance(compared.collect(), by, folded.share()))
}

/// A fold that is encoded for its first contender and freed after its last.
struct SharedFold {
    fold: usize,
    /// The encoded fold, and the number of remaining contenders.
    state: Mutex<(Option<Arc<Prepared>>, usize)>,
}

impl SharedFold {
    fn new(fold: usize, contenders: usize) -> Self {
        Self { fold, state: Mutex::new((None, contenders)) }
    }

    fn prepared(&self, folded: &FoldedData) -> Result<Arc<Prepared>, Error> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(prepared) = &state.0 {
            return Ok(Arc::clone(prepared));
        }
        let prepared = Arc::new(folded.prepare(self.fold)?);
        state.0 = Some(Arc::clone(&prepared));
        Ok(prepared)
    }

    fn done(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.1 -= 1;
        if state.1 == 0 {
            state.0 = None;
        }
    }
}

impl ContenderResult {
    fn new(name: &str, folds: Result<Vec<FoldResult>, String>) -> Self {
        let (folds, failure) = match folds {
            Ok(folds) => (folds, None),
            Err(why) => (Vec::new(), Some(why)),
        };
        // A metric that is undefined on some fold has no comparable mean.
        let over = |of: &dyn Fn(&FoldResult) -> Option<f64>| {
            let values: Option<Vec<f64>> = folds.iter().map(of).collect();
            let found = mean(&values?)?;
            Some(Spread { mean: found.mean, deviation: found.deviation })
        };
        let reason = |name: &str| StopReason::ALL.iter().position(|stop| stop.name() == name);
        Self {
            name: name.to_owned(),
            failure,
            accuracy: over(&|m| Some(m.accuracy)),
            balanced_accuracy: over(&|m| m.balanced_accuracy),
            log_loss: over(&|m| m.log_loss),
            auc: over(&|m| m.auc),
            fit_seconds: over(&|m| Some(m.fit_seconds)),
            predict_seconds: over(&|m| Some(m.predict_seconds)),
            nonzero: over(&|m| Some(m.nonzero as f64)).map(|s| s.mean),
            relative_gap: {
                let gaps: Option<Vec<f64>> = folds.iter().map(|m| m.relative_gap).collect();
                gaps.filter(|g| !g.is_empty()).map(|g| g.into_iter().fold(0.0, f64::max))
            },
            stop: folds.iter().map(|m| m.stop).max_by_key(|name| reason(name)),
            p: None,
            folds,
        }
    }

    /// Returns the metric by fold, with larger values better; `None` if it is undefined on some
    /// fold.
    fn worth(&self, by: Metric) -> Option<Vec<f64>> {
        let values: Option<Vec<f64>> = self.folds.iter().map(|m| by.of(m)).collect();
        values.filter(|v| !v.is_empty()).map(|v| v.into_iter().map(|v| by.worth(v)).collect())
    }
}

#[cfg(test)]
mod tests;
