//! Cross-validation: work on every fold, with the training problem of its training fold.

use super::folded::{FoldedData, Test};
use super::parallel;
use crate::error::Error;
use linsep_core::data::ClassWeights;
use linsep_core::{Cancel, Label, LinearModel, Observer, Problem};
use linsep_io::location::{Location, quoted_excerpt};

/// A cross-validation: the folds, and what their training problems have in common.
#[derive(Clone, Copy)]
pub(crate) struct CrossValidation<'a> {
    /// The data with their folds.
    pub(crate) folded: &'a FoldedData,
    /// The class of positive scores, of two.
    pub(crate) positive: Option<&'a Label>,
    /// Factors on the sample weights, by class.
    pub(crate) weigh: &'a ClassWeights,
    /// Number of folds that are processed concurrently.
    pub(crate) threads: usize,
}

/// An encoded fold.
pub(super) struct Fold<'a> {
    pub(super) index: usize,
    pub(super) problem: &'a Problem<'a>,
    /// Index of the class of positive scores.
    pub(super) positive: Option<usize>,
    pub(super) test: &'a Test,
}

impl CrossValidation<'_> {
    /// Returns the results of `work` on each fold, in order. Refuses training folds that lack a
    /// class. `what` names the results for a run that is ended early.
    pub(super) fn each<T: Send>(
        &self,
        what: &'static str,
        watch: &mut dyn Observer,
        work: impl Fn(&Fold<'_>, &mut Cancel) -> Result<T, Error> + Sync,
    ) -> Result<Vec<T>, Error> {
        let folded = self.folded;
        let one = |index: usize, mut cancel: Cancel| {
            let core = Error::core(folded.name());
            cancel.check(what).map_err(core)?;
            let prepared = folded.prepared(index)?;
            let problem = prepared.problem(self.weigh).map_err(core)?;
            self.require_all_classes(&problem)?;
            let positive = self.positive.map(|label| problem.class(label));
            let positive = positive.transpose().map_err(core)?;
            work(&Fold { index, problem: &problem, positive, test: &prepared.test }, &mut cancel)
        };
        parallel::run(folded.splits.len(), self.threads, watch, one).into_iter().collect()
    }

    /// Returns the index of each class of the data in a model with all classes.
    pub(super) fn places(&self, model: &LinearModel) -> Vec<u32> {
        let position = |class: &Label| model.classes().iter().position(|own| own == class);
        let place = |class: &Label| position(class).map_or(u32::MAX, |at| at as u32);
        self.folded.classes.iter().map(place).collect()
    }

    fn require_all_classes(&self, problem: &Problem<'_>) -> Result<(), Error> {
        let own = problem.labels().classes();
        let Some(class) = self.folded.classes.iter().find(|c| own.binary_search(c).is_err()) else {
            return Ok(());
        };
        let problem = format!(
            "with {} folds, all rows of class {} are in one test fold, so its training folds lack \
             the class. Use fewer folds, split by another column, or remove these rows.",
            self.folded.splits.len(),
            quoted_excerpt(&class.to_string())
        );
        Err(Error::data(Location::file(self.folded.name()), problem))
    }
}
