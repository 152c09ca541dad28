//! Methods side by side on the same folds.
//!
//! Every contender learns from the same rows of the same folds, prepared once for all of them, and is judged on the same
//! other rows. A contender that cannot learn from this data does not end the comparison: it says why.
//!
//! The best mean of a measure is a winner only if it is more than chance. All others are tested against it on the pairs of folds
//! ([`paired`]), and their p are made larger for their number ([`holm`]); who is not below 5 % is as good, for all that
//! these folds can tell.

use super::folded::{Folded, Prepared};
use super::jobs;
use crate::error::Error;
use linsep::Label;
use linsep::control::Stop;
use linsep::data::ClassWeights;
use linsep::learner::Fit;
use linsep::metric::{Confusion, accuracy, auc, log_loss};
use linsep::model::LinearModel;
use linsep::validate::{BASELINE, Contender, holm, mean, paired};
use serde::Serialize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

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

/// The share of verdicts that may be wrong.
const LEVEL: f64 = 0.05;

/// Compares contenders on the folds of some data.
pub fn compare(
    folded: &Folded,
    contenders: &[Contender],
    by: Measure,
    weigh: &ClassWeights,
    threads: usize,
    done: &(dyn Fn(usize) + Sync),
) -> Result<Comparison, Error> {
    // 1. Everyone on every fold. Jobs of one fold follow each other, and it is let go of after the last.
    let (folds, count) = (folded.splits.len(), contenders.len());
    let desks: Vec<Desk> = (0..folds).map(|fold| Desk::new(fold, count)).collect();
    let results = jobs::run(folds * count, threads, done, |job| {
        let desk = &desks[job / count];
        let result = match desk.prepared(folded) {
            Ok(prepared) => Ok(measure(folded, &prepared, &contenders[job % count], weigh)),
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

/// One contender on one fold.
fn measure(
    folded: &Folded,
    prepared: &Prepared,
    contender: &Contender,
    weigh: &ClassWeights,
) -> Result<Measured, linsep::Error> {
    let problem = prepared.problem(weigh)?;
    let learner = contender.learner()?;
    let clock = Instant::now();
    let fit = learner.learn(&problem, None, None, &mut ())?;
    let fit_seconds = clock.elapsed().as_secs_f64();
    let clock = Instant::now();
    let scores = fit.model.scores(&prepared.test.x)?;
    let predicted = fit.model.decide_all(&scores);
    let predict_seconds = clock.elapsed().as_secs_f64();
    Ok(Measured {
        fit_seconds,
        predict_seconds,
        ..judge(folded, prepared, &fit, &scores, &predicted)
    })
}

/// How good predictions are; a class that the fold did not learn cannot be predicted, and has probability 0.
fn judge(
    folded: &Folded,
    prepared: &Prepared,
    fit: &Fit,
    scores: &[f64],
    predicted: &[u32],
) -> Measured {
    let (model, test) = (&fit.model, &prepared.test);
    let position = |class: &Label| folded.classes.binary_search(class).unwrap_or(usize::MAX);
    let among_all: Vec<usize> = model.classes().iter().map(position).collect();
    let predicted: Vec<u32> = predicted.iter().map(|&c| among_all[c as usize] as u32).collect();
    let (target, weights) = (&test.target, &test.weights);
    let confusion = Confusion::new(folded.classes.len(), target, &predicted, weights);
    let weights_of = model.planes().iter().flat_map(|plane| &plane.w);
    let gaps: Option<Vec<f64>> =
        fit.proofs().iter().map(|(proof, _)| proof.certificate.relative_gap()).collect();
    Measured {
        accuracy: accuracy(target, &predicted, weights),
        balanced_accuracy: confusion.balanced_accuracy(),
        log_loss: likelihood(model, &among_all, scores, target).map(|p| log_loss(&p, weights)),
        auc: area(model, &among_all, scores, target, weights),
        fit_seconds: 0.0,
        predict_seconds: 0.0,
        nonzero: weights_of.filter(|w| **w != 0.0).count(),
        stop: fit.stop.name(),
        relative_gap: gaps.filter(|g| !g.is_empty()).map(|g| g.into_iter().fold(0.0, f64::max)),
    }
}

/// The probability that each row's class was given; none where the model has none.
fn likelihood(
    model: &LinearModel,
    among_all: &[usize],
    scores: &[f64],
    target: &[u32],
) -> Option<Vec<f64>> {
    let mut p = Vec::new();
    let rows = scores.chunks_exact(model.planes().len()).zip(target);
    let of_row = |(row, &target): (&[f64], &u32)| {
        if !model.probabilities(row, &mut p) {
            return None;
        }
        let own = among_all.iter().position(|&c| c == target as usize);
        Some(own.map_or(0.0, |c| p[c]))
    };
    rows.map(of_row).collect()
}

/// The area under the curve; of several classes the mean over those that rows are of.
fn area(
    model: &LinearModel,
    among_all: &[usize],
    scores: &[f64],
    target: &[u32],
    weights: &[f64],
) -> Option<f64> {
    let (planes, ranks) = (model.planes().len(), model.ranks(scores)?);
    let of = |plane: usize, class: usize| {
        let positive: Vec<bool> = target.iter().map(|&t| t as usize == among_all[class]).collect();
        let own: Vec<f64> = ranks.iter().skip(plane).step_by(planes).copied().collect();
        auc(&positive, &own, weights)
    };
    if planes == 1 {
        return of(0, 1);
    }
    let all: Vec<f64> = (0..planes).filter_map(|j| of(j, j)).collect();
    mean(&all).map(|m| m.mean)
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

/// Who is best, and who is as good.
fn verdict(mut contenders: Vec<Compared>, by: Measure, share: f64) -> Comparison {
    let worth: Vec<Option<Vec<f64>>> = contenders.iter().map(|one| one.worth(by)).collect();
    let of = |i: usize| worth[i].as_ref().and_then(|w| mean(w)).map(|m| m.mean);
    // Of equals, one that learned something before the baseline, then the first.
    let better = |a: usize, b: usize| {
        let baseline = contenders[a].name == BASELINE;
        if of(b) > of(a) || (of(b) == of(a) && baseline) { b } else { a }
    };
    let best = (0..contenders.len()).filter(|&i| of(i).is_some()).reduce(better);
    let mut as_good = Vec::new();
    if let Some(best) = best {
        let own = worth[best].clone().unwrap_or_default();
        let tested: Vec<(usize, f64)> = (0..contenders.len())
            .filter(|&i| i != best)
            .filter_map(|i| Some((i, paired(&own, worth[i].as_ref()?, share)?.p)))
            .collect();
        let p = holm(&tested.iter().map(|(_, p)| *p).collect::<Vec<_>>());
        contenders[best].p = Some(1.0);
        for ((i, _), p) in tested.into_iter().zip(p) {
            contenders[i].p = Some(p);
            if p >= LEVEL {
                as_good.push(i);
            }
        }
    }
    let baseline = contenders.iter().position(|one| one.name == BASELINE);
    let better_than_baseline =
        best.is_some() && baseline.is_none_or(|b| best != Some(b) && !as_good.contains(&b));
    let advice = advice(&contenders, by, best, &as_good, better_than_baseline);
    Comparison { contenders, by: by.name(), best, as_good, better_than_baseline, advice }
}

/// What to take, in one sentence.
fn advice(
    all: &[Compared],
    measure: Measure,
    best: Option<usize>,
    as_good: &[usize],
    better_than_baseline: bool,
) -> String {
    let Some(best) = best else {
        return format!("Nothing to take: no contender has a {} on every fold.", measure.name());
    };
    let name = &all[best].name;
    let by = measure.name().replace('-', " ");
    if !better_than_baseline {
        return format!(
            "Nothing to take yet: {name} has the best {by}, but on these folds that cannot be told from always naming \
             the most common class."
        );
    }
    // The best of them first.
    let worth = |i: usize| all[i].worth(measure).and_then(|w| mean(&w)).map_or(0.0, |m| m.mean);
    let mut others = as_good.to_vec();
    others.sort_by(|&a, &b| worth(b).total_cmp(&worth(a)));
    let names: Vec<&str> = others.iter().take(SHOWN).map(|&i| all[i].name.as_str()).collect();
    let more = match others.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match &names[..] {
        [] => {
            format!("Take {name}: its {by} is better than that of all others, by more than chance.")
        }
        [one] => format!(
            "Take {name} or {one}: {name} has the best {by}, and on these folds {one} cannot be told from it."
        ),
        some => format!(
            "Take {name} or one of those that these folds cannot tell from it, which are {}{more}: {name} has the best \
             {by}, but not by more than chance.",
            some.join(", ")
        ),
    }
}

/// How many of those that are as good are named.
const SHOWN: usize = 4;

#[cfg(test)]
mod tests;
