//! Calibration, threshold and abstention, fitted to out-of-fold scores and evaluated on others.

use super::Setup;
use crate::error::Error;
use crate::validate::PostProcessingRecord;
use linsep_core::Observer;
use linsep_core::control::Phase;
use linsep_core::learner::{FitResult, Learner};

impl Setup<'_> {
    /// The fit with its post-processing, and the effect on out-of-fold rows. Mistakes and certified
    /// rows are those of the new decisions.
    pub(super) fn post_processed(
        &self,
        fit: FitResult,
        learner: &dyn Learner,
        watch: &mut dyn Observer,
    ) -> Result<(FitResult, Option<PostProcessingRecord>), Error> {
        let settings = self.request.post_processing();
        let Some(folded) = self.folded.filter(|_| settings.is_some()) else {
            return Ok((fit, None));
        };
        let scores = self.cross_validation(folded).out_of_fold_scores(learner, watch)?;
        // The steps below are short, and have no partial result.
        watch.phase(Phase::Whole);
        let own = fit.model.link().clone();
        let learned = settings.learn(&scores, &own)?;
        let measured = settings.evaluate(&scores, &own)?;
        let folds = folded.splits.len();
        let record = PostProcessingRecord::new(&settings, learned.cut, &measured, folds);
        Ok((fit.with_post_processing(self.problem, learned.link, learned.cut)?, Some(record)))
    }
}
