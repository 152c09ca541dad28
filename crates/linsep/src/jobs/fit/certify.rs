//! Claims about a fit that depend on more than its own run.

use super::Setup;
use super::separation::correct_status;
use crate::error::Error;
use crate::model_file::SeparationRecord;
use linsep_core::Observer;
use linsep_core::control::Phase;
use linsep_core::learner::{FitResult, Learner, MistakeBound, convergence};

impl Setup<'_> {
    /// The fit with the claims that hold for the saved model: no minimum where the classes are
    /// separable, and certified predictions that rounding in the conversion to raw units cannot
    /// change.
    pub(super) fn certified(
        &self,
        mut fit: FitResult,
        separated: Option<&SeparationRecord>,
    ) -> Result<FitResult, Error> {
        if let Some(separated) = separated {
            correct_status(separated, &mut fit);
        }
        match self.training.recipe.standardize() {
            Some(standardize) => Ok(fit.in_raw_units(self.problem, &standardize)?),
            None => Ok(fit),
        }
    }

    /// The mistake bound of each hyperplane, or one for all jointly; empty for other methods and
    /// for a start other than zero.
    pub(super) fn mistake_bounds(
        &self,
        fit: &FitResult,
        learner: &dyn Learner,
        started: bool,
        watch: &mut dyn Observer,
    ) -> Result<Vec<Option<MistakeBound>>, Error> {
        let Some(reduced) = learner.as_reduced().filter(|_| !started) else {
            return Ok(Vec::new());
        };
        let positive = self.request.positive.as_ref();
        let positive = positive.map(|class| self.problem.class(class)).transpose()?;
        watch.phase(Phase::Partial(self.request.side_limit()));
        watch.stage("mistake bound", None);
        Ok(convergence(reduced, self.problem, positive, fit, watch)?)
    }
}
