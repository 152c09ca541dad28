//! Selection of λ by cross-validation, or by leave-one-out for a learner that computes it.

use super::Setup;
use crate::error::Error;
use crate::validate::{CrossValidation, FoldedData, Tuning};
use linsep_core::Observer;
use linsep_core::binary::{RegularizationStrength, RegularizedErm};
use linsep_core::control::PartObserver;
use linsep_core::learner::{Fact, FitResult, Learner, MulticlassLearner, lambdas};

/// Name of the leave-one-out curve among the facts of a learner.
pub const LEAVE_ONE_OUT: &str = "leave-one-out";

impl Setup<'_> {
    /// The learner with the λ selected by cross-validation; `None` if λ is given, or selected by
    /// leave-one-out.
    pub(super) fn tuned(
        &self,
        learner: &dyn Learner,
        watch: &mut dyn Observer,
    ) -> Result<Option<(MulticlassLearner, Tuning)>, Error> {
        let request = self.request;
        let (Some(settings), Some(folded)) = (request.tune, self.folded) else { return Ok(None) };
        let reduced = learner.as_reduced();
        let convex = reduced.and_then(|reduced| reduced.solver.as_convex());
        let (Some(reduced), Some(convex)) = (reduced, convex) else { return Ok(None) };
        let grid = lambdas(self.problem, convex, settings.points)?;
        let later = request.threads + self.remaining_folds();
        let mut reserving = PartObserver::before(watch, later);
        let folds = self.cross_validation(folded);
        let tuning = folds.tune(reduced, &grid, settings.rule, &mut reserving)?;
        watch.stage("training", None);
        let strength = RegularizationStrength::Lambda(tuning.lambda());
        let solver = Box::new(RegularizedErm { strength, ..convex.clone() });
        Ok(Some((reduced.by(solver), tuning)))
    }

    /// The cross-validation of the fit.
    pub(super) fn cross_validation<'b>(&'b self, folded: &'b FoldedData) -> CrossValidation<'b> {
        let request = self.request;
        let (positive, weigh) = (request.positive.as_ref(), &request.class_weights);
        CrossValidation { folded, positive, weigh, threads: request.threads }
    }

    /// Number of folds that are scored after training.
    pub(super) fn remaining_folds(&self) -> usize {
        let some = self.request.post_processing().is_some();
        self.folded.filter(|_| some).map_or(0, |folded| folded.splits.len())
    }
}

/// The leave-one-out curve over λ, of a learner that computes one.
pub(super) fn leave_one_out(setup: &Setup<'_>, fit: &FitResult) -> Option<Tuning> {
    let Some(Fact::Table(_, table)) = fit.facts.get(LEAVE_ONE_OUT) else { return None };
    let points: Option<Vec<[f64; 3]>> =
        table.iter().map(|row| row.as_slice().try_into().ok()).collect();
    Tuning::by_leaving_one_out(setup.training.x.n(), points?)
}
