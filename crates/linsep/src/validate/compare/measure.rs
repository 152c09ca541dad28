//! Result of one contender on one fold: training time and metrics on the test fold.

use super::FoldResult;
use crate::memory::check_learner;
use crate::validate::folded::{FoldedData, Prepared};
use linsep_core::data::ClassWeights;
use linsep_core::learner::FitResult;
use linsep_core::metric::{Confusion, accuracy, auc, log_loss};
use linsep_core::model::LinearModel;
use linsep_core::validate::{Contender, mean};
use linsep_core::{Cancel, Label};
use std::time::Instant;

/// Fits and evaluates one contender on one fold.
pub(super) fn measure(
    folded: &FoldedData,
    prepared: &Prepared,
    contender: &Contender,
    weigh: &ClassWeights,
    mut cancel: Cancel,
) -> Result<FoldResult, Box<dyn std::error::Error + Send + Sync>> {
    let problem = prepared.problem(weigh)?;
    let learner = contender.learner()?;
    check_learner(folded.memory(), folded.name(), learner.as_ref(), &problem)?;
    let clock = Instant::now();
    let fit = learner.learn(&problem, None, None, &mut cancel)?;
    let fit_seconds = clock.elapsed().as_secs_f64();
    let clock = Instant::now();
    let scores = fit.model.scores(&prepared.test.x)?;
    let predicted = fit.model.decide_all(&scores);
    let predict_seconds = clock.elapsed().as_secs_f64();
    Ok(FoldResult {
        fit_seconds,
        predict_seconds,
        ..evaluate(folded, prepared, &fit, &scores, &predicted)
    })
}

/// Computes the metrics. A class missing from the training fold cannot be predicted and has
/// probability 0.
fn evaluate(
    folded: &FoldedData,
    prepared: &Prepared,
    fit: &FitResult,
    scores: &[f64],
    predicted: &[u32],
) -> FoldResult {
    let (model, test) = (&fit.model, &prepared.test);
    let position = |class: &Label| folded.classes.binary_search(class).unwrap_or(usize::MAX);
    let among_all: Vec<usize> = model.classes().iter().map(position).collect();
    let predicted: Vec<u32> = predicted.iter().map(|&c| among_all[c as usize] as u32).collect();
    let (target, weights) = (&test.target, &test.weights);
    let confusion = Confusion::new(folded.classes.len(), target, &predicted, weights);
    let weights_of = model.hyperplanes().iter().flat_map(|hyperplane| &hyperplane.w);
    let gaps: Option<Vec<f64>> =
        fit.certificates().iter().map(|(own, _)| own.gap.relative_gap()).collect();
    FoldResult {
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

/// Returns the predicted probability of the true class of each row; `None` if the model has no
/// probabilities.
fn likelihood(
    model: &LinearModel,
    among_all: &[usize],
    scores: &[f64],
    target: &[u32],
) -> Option<Vec<f64>> {
    let mut p = Vec::new();
    let rows = scores.chunks_exact(model.hyperplanes().len()).zip(target);
    let of_row = |(row, &target): (&[f64], &u32)| {
        if !model.probabilities(row, &mut p) {
            return None;
        }
        let own = among_all.iter().position(|&c| c == target as usize);
        Some(own.map_or(0.0, |c| p[c]))
    };
    rows.map(of_row).collect()
}

/// Returns the area under the ROC curve; with several classes the mean over those in the test fold.
fn area(
    model: &LinearModel,
    among_all: &[usize],
    scores: &[f64],
    target: &[u32],
    weights: &[f64],
) -> Option<f64> {
    let (hyperplanes, ranks) = (model.hyperplanes().len(), model.ranks(scores)?);
    let of = |hyperplane: usize, class: usize| {
        let positive: Vec<bool> = target.iter().map(|&t| t as usize == among_all[class]).collect();
        let own: Vec<f64> = ranks.iter().skip(hyperplane).step_by(hyperplanes).copied().collect();
        auc(&positive, &own, weights)
    };
    if hyperplanes == 1 {
        return of(0, 1);
    }
    let all: Vec<f64> = (0..hyperplanes).filter_map(|j| of(j, j)).collect();
    mean(&all).map(|m| m.mean)
}
