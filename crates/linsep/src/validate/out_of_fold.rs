//! Out-of-fold scores: each row is scored by hyperplanes trained without it.

use super::{FoldedData, parallel};
use crate::error::Error;
use crate::memory::check_learner;
use linsep_core::calibrate::OutOfFoldScores;
use linsep_core::data::ClassWeights;
use linsep_core::learner::Learner;
use linsep_core::model::LinearModel;
use linsep_core::{Cancel, Label, Observer, Problem};
use linsep_io::location::{Location, quoted_excerpt};

/// Returns the out-of-fold scores of all rows. With two classes, `positive` is the class of
/// positive scores. Refuses training folds that lack a class.
pub fn out_of_fold_scores(
    folded: &FoldedData,
    learner: &dyn Learner,
    positive: Option<&Label>,
    weigh: &ClassWeights,
    threads: usize,
    watch: &mut dyn Observer,
) -> Result<OutOfFoldScores, Error> {
    watch.stage("cross-validation", Some(folded.splits.len()));
    let parts = parallel::run(folded.splits.len(), threads, watch, |fold, cancel| {
        one_fold(folded, fold, learner, positive, weigh, cancel)
    });
    let mut all: Option<OutOfFoldScores> = None;
    for part in parts {
        let part = part?;
        match &mut all {
            None => all = Some(part),
            Some(all) => {
                for (i, row) in part.rows().enumerate() {
                    all.push(part.fold[i], part.target[i], part.weights[i], row);
                }
            }
        }
    }
    Ok(all.expect("there are two folds or more"))
}

fn one_fold(
    folded: &FoldedData,
    fold: usize,
    learner: &dyn Learner,
    positive: Option<&Label>,
    weigh: &ClassWeights,
    mut cancel: Cancel,
) -> Result<OutOfFoldScores, Error> {
    let core = Error::core(folded.name());
    cancel.check("the test folds").map_err(core)?;
    let prepared = folded.prepared(fold)?;
    let problem = prepared.problem(weigh).map_err(core)?;
    all_classes(folded, &problem)?;
    check_learner(folded.memory(), folded.name(), learner, &problem)?;
    let positive = positive.map(|label| problem.class(label)).transpose().map_err(core)?;
    let fit = learner.learn(&problem, None, positive, &mut cancel).map_err(core)?;
    if !fit.not_started().is_empty() {
        cancel.check("the test folds").map_err(core)?;
    }
    let model = fit.model;
    let place = places(folded, &model);
    let (test, hyperplanes) = (&prepared.test, model.hyperplanes().len());
    let scores = model.scores(&test.x).map_err(core)?;
    let mut held = OutOfFoldScores::new(model.decision_rule(), model.k());
    for (i, row) in scores.chunks_exact(hyperplanes).enumerate() {
        held.push(fold as u32, place[test.target[i] as usize], test.weights[i], row);
    }
    Ok(held)
}

/// Refuses a training fold that lacks a class.
pub(super) fn all_classes(folded: &FoldedData, problem: &Problem<'_>) -> Result<(), Error> {
    let own = problem.labels().classes();
    match folded.classes.iter().find(|class| own.binary_search(class).is_err()) {
        None => Ok(()),
        Some(class) => Err(Error::data(
            Location::file(folded.name()),
            format!(
                "with {} folds, all rows of class {} are in one test fold, so its training folds \
                 lack the class. Use fewer folds, split by another column, or remove these rows.",
                folded.splits.len(),
                quoted_excerpt(&class.to_string())
            ),
        )),
    }
}

/// Returns the index of each class of the data in a model with all classes.
fn places(folded: &FoldedData, model: &LinearModel) -> Vec<u32> {
    let position = |class: &Label| model.classes().iter().position(|own| own == class);
    folded.classes.iter().map(|class| position(class).map_or(u32::MAX, |at| at as u32)).collect()
}
