//! Out-of-fold scores: each row is scored by hyperplanes trained without it.

use super::{CrossValidation, Fold};
use crate::error::Error;
use crate::memory::check_learner;
use linsep_core::calibrate::OutOfFoldScores;
use linsep_core::learner::Learner;
use linsep_core::{Cancel, Observer};

impl CrossValidation<'_> {
    /// Returns the out-of-fold scores of all rows.
    pub(crate) fn out_of_fold_scores(
        &self,
        learner: &dyn Learner,
        watch: &mut dyn Observer,
    ) -> Result<OutOfFoldScores, Error> {
        watch.stage("cross-validation", Some(self.folded.splits.len()));
        let parts = self.each(WHAT, watch, |fold, cancel| self.scores(fold, learner, cancel))?;
        let mut parts = parts.into_iter();
        let mut all = parts.next().expect("there are two folds or more");
        for part in parts {
            for (i, row) in part.rows().enumerate() {
                all.push(part.fold[i], part.target[i], part.weights[i], row);
            }
        }
        Ok(all)
    }

    /// Returns the scores of a test fold.
    fn scores(
        &self,
        fold: &Fold<'_>,
        learner: &dyn Learner,
        cancel: &mut Cancel,
    ) -> Result<OutOfFoldScores, Error> {
        let folded = self.folded;
        let core = Error::core(folded.name());
        check_learner(folded.memory(), folded.name(), learner, fold.problem)?;
        let fit = learner.learn(fold.problem, None, fold.positive, cancel).map_err(core)?;
        if !fit.not_started().is_empty() {
            cancel.check(WHAT).map_err(core)?;
        }
        let model = fit.model;
        let place = self.places(&model);
        let (test, hyperplanes) = (fold.test, model.hyperplanes().len());
        let scores = model.scores(&test.x).map_err(core)?;
        let mut held = OutOfFoldScores::new(model.decision_rule(), model.k());
        for (i, row) in scores.chunks_exact(hyperplanes).enumerate() {
            held.push(fold.index as u32, place[test.target[i] as usize], test.weights[i], row);
        }
        Ok(held)
    }
}

/// What a run that was ended early lacks.
const WHAT: &str = "the test folds";
