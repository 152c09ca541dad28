//! Methods side by side on the same folds.
//!
//! Every contender learns from the same rows of the same folds, prepared once for all of them, and is judged on the same
//! other rows. A contender that cannot learn from this data does not end the comparison: it says why.
//!
//! | file | what |
//! |---|---|
//! | `measure` | one contender on one fold |
//! | `verdict` | who is best, who is as good, and what to take |

mod measure;
mod verdict;

use super::folded::{Folded, Prepared};
use super::{Jobs, jobs};
use crate::error::Error;
use linsep::control::Stop;
use linsep::data::ClassWeights;
use linsep::validate::{Contender, mean};
use measure::measure;
use serde::Serialize;
use std::sync::{Arc, Mutex, PoisonError};
use verdict::verdict;

/// What contenders are compared by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// Share of rows predicted rightly.
    #[default]
    Accuracy,
    /// The same as if all classes were of one size.
    Balanced,
    /// Of probabilities.
    LogLoss,
    /// Of scores.
    Auc,
}

impl Measure {
    /// Every measure.
    pub const ALL: [Self; 4] = [Self::Accuracy, Self::Balanced, Self::LogLoss, Self::Auc];

    /// The name used in every face.
    pub fn name(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::Balanced => "balanced-accuracy",
            Self::LogLoss => "log-loss",
            Self::Auc => "auc",
        }
    }

    /// The name within a sentence.
    fn words(self) -> &'static str {
        match self {
            Self::Accuracy => "accuracy",
            Self::Balanced => "balanced accuracy",
            Self::LogLoss => "log-loss",
            Self::Auc => "AUC",
        }
    }

    fn of(self, measured: &Measured) -> Option<f64> {
        match self {
            Self::Accuracy => Some(measured.accuracy),
            Self::Balanced => measured.balanced_accuracy,
            Self::LogLoss => measured.log_loss,
            Self::Auc => measured.auc,
        }
    }

    /// Turned so that more is better.
    fn worth(self, value: f64) -> f64 {
        if self == Self::LogLoss { -value } else { value }
    }
}

/// A contender on one fold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// Share of rows predicted rightly.
    pub accuracy: f64,
    /// Mean recall over the classes that have rows here.
    pub balanced_accuracy: Option<f64>,
    /// Log-loss, of models with probabilities.
    pub log_loss: Option<f64>,
    /// Area under the curve; of several classes the mean over those that have rows here.
    pub auc: Option<f64>,
    /// Seconds of learning.
    pub fit_seconds: f64,
    /// Seconds of scoring the rows judged on.
    pub predict_seconds: f64,
    /// Weights that are not zero, over all planes.
    pub nonzero: usize,
    /// Why learning ended.
    pub stop: &'static str,
    /// How far the optimum can be below, as a share, where that is proved.
    pub relative_gap: Option<f64>,
}

/// A mean over folds and how much they differ.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub deviation: f64,
}

/// A contender on all folds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Compared {
    /// Its name.
    pub name: String,
    /// Why it could not take part, if so.
    pub failure: Option<String>,
    /// Fold by fold.
    pub folds: Vec<Measured>,
    /// Over the folds.
    pub accuracy: Option<Spread>,
    /// Over the folds.
    pub balanced_accuracy: Option<Spread>,
    /// Over the folds.
    pub log_loss: Option<Spread>,
    /// Over the folds.
    pub auc: Option<Spread>,
    /// Over the folds.
    pub fit_seconds: Option<Spread>,
    /// Over the folds.
    pub predict_seconds: Option<Spread>,
    /// Mean over the folds.
    pub nonzero: Option<f64>,
    /// The largest, where all folds have one.
    pub relative_gap: Option<f64>,
    /// The worst.
    pub stop: Option<&'static str>,
    /// How likely a difference from the best as large would be by chance; 1 of the best itself.
    pub p: Option<f64>,
}

/// All of them, and what follows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// In the order of the contenders.
    pub contenders: Vec<Compared>,
    /// What they were compared by.
    pub by: &'static str,
    /// Who has the best mean, as a position; none where nobody could take part.
    pub best: Option<usize>,
    /// Who is as good, for all that these folds can tell.
    pub as_good: Vec<usize>,
    /// Whether the best is better than the baseline.
    pub better_than_baseline: bool,
    /// What to take, in one sentence.
    pub advice: String,
}

/// Compares contenders on the folds of some data.
pub fn compare(
    folded: &Folded,
    contenders: &[Contender],
    by: Measure,
    weigh: &ClassWeights,
    threads: usize,
    watch: &dyn Jobs,
) -> Result<Comparison, Error> {
    // 1. Everyone on every fold. Jobs of one fold follow each other, and it is let go of after the last.
    let (folds, count) = (folded.splits.len(), contenders.len());
    let desks: Vec<Desk> = (0..folds).map(|fold| Desk::new(fold, count)).collect();
    let results = jobs::run(folds * count, threads, watch, |job, cancel| {
        let desk = &desks[job / count];
        let result = match desk.prepared(folded) {
            Ok(prepared) => Ok(measure(folded, &prepared, &contenders[job % count], weigh, cancel)),
            Err(error) => Err(error),
        };
        desk.done();
        result
    });

    // 2. By contender. What is wrong with the data itself is an error; what a contender cannot do is said of it.
    let mut all: Vec<Result<Vec<Measured>, String>> = vec![Ok(Vec::new()); count];
    for (job, result) in results.into_iter().enumerate() {
        let one = &mut all[job % count];
        match (result?, &mut *one) {
            (Ok(measured), Ok(folds)) => folds.push(measured),
            (Err(why), Ok(_)) => *one = Err(why.to_string()),
            (_, Err(_)) => {}
        }
    }
    let compared = contenders.iter().zip(all).map(|(one, all)| Compared::new(&one.name, all));
    Ok(verdict(compared.collect(), by, folded.share()))
}

/// A fold that is prepared when the first contender asks for it, and let go of after the last.
struct Desk {
    fold: usize,
    /// The fold, and how many contenders are still to come.
    state: Mutex<(Option<Arc<Prepared>>, usize)>,
}

impl Desk {
    fn new(fold: usize, contenders: usize) -> Self {
        Self { fold, state: Mutex::new((None, contenders)) }
    }

    fn prepared(&self, folded: &Folded) -> Result<Arc<Prepared>, Error> {
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

impl Compared {
    fn new(name: &str, folds: Result<Vec<Measured>, String>) -> Self {
        let (folds, failure) = match folds {
            Ok(folds) => (folds, None),
            Err(why) => (Vec::new(), Some(why)),
        };
        // A measure that some fold lacks has no mean that could be compared.
        let over = |of: &dyn Fn(&Measured) -> Option<f64>| {
            let values: Option<Vec<f64>> = folds.iter().map(of).collect();
            let found = mean(&values?)?;
            Some(Spread { mean: found.mean, deviation: found.deviation })
        };
        let reason = |name: &str| Stop::ALL.iter().position(|stop| stop.name() == name);
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

    /// Fold by fold, turned so that more is better; none where a fold lacks it.
    fn worth(&self, by: Measure) -> Option<Vec<f64>> {
        let values: Option<Vec<f64>> = self.folds.iter().map(|m| by.of(m)).collect();
        values.filter(|v| !v.is_empty()).map(|v| v.into_iter().map(|v| by.worth(v)).collect())
    }
}

#[cfg(test)]
mod tests;
