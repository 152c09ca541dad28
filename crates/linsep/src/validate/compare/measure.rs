//! Result of one contender on one fold: training time and metrics on the test fold.

use super::FoldResult;
use crate::memory::check_learner;
use crate::validate::folded::{FoldedData, Prepared};
use linsep_core::data::ClassWeights;
use linsep_core::metric::{Level, Measure, Measured, Row, compared, levels};
use linsep_core::model::LinearModel;
use linsep_core::validate::Contender;
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
    let coefficients = fit.model.hyperplanes().iter().flat_map(|hyperplane| &hyperplane.w);
    let gaps: Option<Vec<f64>> =
        fit.certificates().iter().map(|(own, _)| own.gap.relative_gap()).collect();
    Ok(FoldResult {
        metrics: metrics(folded, prepared, &fit.model, &scores, &predicted),
        fit_seconds,
        predict_seconds,
        nonzero: coefficients.filter(|w| **w != 0.0).count(),
        stop: fit.stop,
        relative_gap: gaps.filter(|g| !g.is_empty()).map(|g| g.into_iter().fold(0.0, f64::max)),
    })
}

/// Computes the metrics. A class missing from the training fold cannot be predicted and has
/// probability 0.
fn metrics(
    folded: &FoldedData,
    prepared: &Prepared,
    model: &LinearModel,
    scores: &[f64],
    predicted: &[u32],
) -> Vec<Measured> {
    let (test, hyperplanes) = (&prepared.test, model.hyperplanes().len());
    let position = |class: &Label| folded.classes.binary_search(class).unwrap_or(usize::MAX);
    let among_all: Vec<usize> = model.classes().iter().map(position).collect();

    // 1. Metrics of the rows.
    let mut measure = Measure::new(folded.classes.len(), &compared());
    let (mut own, mut p) = (Vec::new(), vec![0.0; folded.classes.len()]);
    for (i, row) in scores.chunks_exact(hyperplanes).enumerate() {
        let likely = model.probabilities(row, &mut own);
        if likely {
            among_all.iter().zip(&own).for_each(|(&c, &own)| p[c] = own);
        }
        measure.add(&Row {
            target: test.target[i],
            predicted: among_all[predicted[i] as usize] as u32,
            weight: test.weights[i],
            probabilities: likely.then_some(&p[..]),
        });
    }

    // 2. Metrics of the ranking of each class.
    let ranks = model.ranks(scores).unwrap_or_default();
    let side = |hyperplane: usize| {
        let class = among_all[if hyperplanes == 1 { 1 } else { hyperplane }];
        let positive: Vec<bool> = test.target.iter().map(|&t| t as usize == class).collect();
        let own: Vec<f64> = ranks.iter().skip(hyperplane).step_by(hyperplanes).copied().collect();
        levels(&positive, &own, &test.weights)
    };
    let sides = if ranks.is_empty() { 0 } else { hyperplanes };
    let sides: Vec<Vec<Level>> = (0..sides).map(side).collect();
    let Ok(measures) = measure.finish(&sides);
    measures.metrics
}
