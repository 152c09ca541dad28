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
use linsep_core::control::StopReason;
use linsep_core::data::ClassWeights;
use linsep_core::metric::{Measured, Metric, compared, value_of};
use linsep_core::validate::{Contender, mean};
use linsep_core::{Observer, float};
use measure::measure;
use serde::{Deserialize, Serialize};
use significance::significance;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

/// Result of a contender on one fold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FoldResult {
    /// The metrics that methods are compared by, on the test fold. With several classes, a metric
    /// of the ranking is the mean over those in the test fold.
    pub metrics: Vec<Measured>,
    /// Training time in seconds.
    pub fit_seconds: f64,
    /// Prediction time on the test fold, in seconds.
    pub predict_seconds: f64,
    /// Number of nonzero coefficients, over all hyperplanes.
    pub nonzero: usize,
    /// Stop reason.
    pub stop: StopReason,
    /// Upper bound on the relative suboptimality, if there is a certificate.
    #[serde(with = "float")]
    pub relative_gap: Option<f64>,
}

/// Mean and standard deviation over folds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// The mean.
    #[serde(with = "float")]
    pub mean: f64,
    /// The standard deviation.
    #[serde(with = "float")]
    pub deviation: f64,
}

/// Results of a contender on all folds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContenderResult {
    /// Name of the contender.
    pub name: String,
    /// Error message, if the contender failed.
    pub failure: Option<String>,
    /// Results by fold.
    pub folds: Vec<FoldResult>,
    /// Mean and standard deviation of each metric that methods are compared by; `None` if it is
    /// undefined on some fold.
    pub metrics: Vec<(Cow<'static, str>, Option<Spread>)>,
    /// Mean and standard deviation over the folds.
    pub fit_seconds: Option<Spread>,
    /// Mean and standard deviation over the folds.
    pub predict_seconds: Option<Spread>,
    /// Mean over the folds.
    pub nonzero: Option<f64>,
    /// Maximum over the folds, if all have one.
    #[serde(with = "float")]
    pub relative_gap: Option<f64>,
    /// The worst stop reason of the folds.
    pub stop: Option<StopReason>,
    /// p-value of the difference from the best; 1 for the best itself.
    #[serde(with = "float")]
    pub p: Option<f64>,
}

/// Result of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// Results, in the order of the contenders.
    pub contenders: Vec<ContenderResult>,
    /// Name of the metric.
    pub by: Cow<'static, str>,
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
    by: &'static Metric,
    weigh: &ClassWeights,
    threads: usize,
    watch: &mut dyn Observer,
) -> Result<Comparison, Error> {
    const WHAT: &str = "the folds of the comparison";
    let core = Error::core(folded.name());

    // 1. Each contender on each fold. The jobs of a fold are consecutive; its data is freed after
    //    the last.
    let (folds, count) = (folded.splits.len(), contenders.len());
    let desks: Vec<SharedFold> = (0..folds).map(|fold| SharedFold::new(fold, count)).collect();
    watch.stage("comparing", Some(folds * count));
    let results = parallel::run(folds * count, threads, watch, |job, cancel| {
        let desk = &desks[job / count];
        let result = cancel.check(WHAT).map_err(core).and_then(|()| desk.prepared(folded));
        let result = result
            .map(|prepared| measure(folded, &prepared, &contenders[job % count], weigh, cancel));
        desk.done();
        result
    });
    // A run that was cut short says nothing about its contender.
    watch.cancel().check(WHAT).map_err(core)?;

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
        let over = |of: &dyn Fn(&FoldResult) -> Option<f64>| {
            let values: Option<Vec<f64>> = folds.iter().map(of).collect();
            let found = mean(&values?)?;
            Some(Spread { mean: found.mean, deviation: found.deviation })
        };
        let metric = |metric: &&'static Metric| {
            (Cow::Borrowed(metric.name), over(&|fold| value_of(&fold.metrics, metric.name)))
        };
        Self {
            name: name.to_owned(),
            failure,
            metrics: compared().iter().map(metric).collect(),
            fit_seconds: over(&|m| Some(m.fit_seconds)),
            predict_seconds: over(&|m| Some(m.predict_seconds)),
            nonzero: over(&|m| Some(m.nonzero as f64)).map(|s| s.mean),
            relative_gap: {
                let gaps: Option<Vec<f64>> = folds.iter().map(|m| m.relative_gap).collect();
                gaps.filter(|g| !g.is_empty()).map(|g| g.into_iter().fold(0.0, f64::max))
            },
            stop: folds.iter().map(|m| m.stop).max(),
            p: None,
            folds,
        }
    }

    /// Returns the mean and deviation of a metric, if it is defined on every fold.
    pub fn spread(&self, metric: &str) -> Option<Spread> {
        self.metrics.iter().find(|(name, _)| name == metric)?.1
    }

    /// Returns the metric by fold, with larger values better; `None` if it is undefined on some
    /// fold.
    fn worth(&self, by: &Metric) -> Option<Vec<f64>> {
        let sign = if by.larger_is_better { 1.0 } else { -1.0 };
        let value = |fold: &FoldResult| Some(sign * value_of(&fold.metrics, by.name)?);
        let values: Option<Vec<f64>> = self.folds.iter().map(value).collect();
        values.filter(|v| !v.is_empty())
    }
}

#[cfg(test)]
mod tests;
