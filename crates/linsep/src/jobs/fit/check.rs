//! Contradictory settings, which are refused before any data are touched.

use super::Fit;
use crate::error::Error;
use linsep_core::learner::{Learner, Scheme};
use linsep_core::options::Penalty;
use linsep_core::validate::{LambdaRule, PostProcessing};

impl Fit {
    /// Refuses contradictory settings, and returns the learner.
    pub fn check(&self) -> Result<Box<dyn Learner>, Error> {
        self.check_conflicts()?;
        if self.inference.is_some() {
            self.check_inference()?;
        }
        let learner = self.method.learner(self.tune.is_some())?;
        let post_processing = self.post_processing();
        if self.folds.is_some() && self.tune.is_none() && !post_processing.is_some() {
            return refuse(
                "`folds`, `groups` and `time` require `tune`, `calibrate`, `threshold` or \
                 `abstain`",
            );
        }
        self.check_tuning(learner.as_ref())?;
        self.check_path(learner.as_ref())?;
        match self.holdout {
            Some(got) if !(got > 0.0 && got < 1.0) => {
                refuse(format!("`holdout`: expected a number between 0 and 1, found {got}"))
            }
            _ => Ok(learner),
        }
    }

    /// The post-processing, fitted to out-of-fold scores.
    pub(super) fn post_processing(&self) -> PostProcessing {
        let Self { calibrate, threshold, abstain, .. } = *self;
        PostProcessing { calibrate, threshold, abstain }
    }

    /// Refuses pairs of settings of which only one can have an effect.
    fn check_conflicts(&self) -> Result<(), Error> {
        let (path, start) = (self.path.is_some(), !self.start.is_empty());
        let options = &self.method.options;
        let (tune, infer) = (self.tune.is_some(), self.inference.is_some());
        let pairs = [
            ("path", path, "positive", self.positive.is_some()),
            ("path", path, "start", start),
            ("tune", tune, "lambda", options.lambda.is_some()),
            ("tune", tune, "c", options.c.is_some()),
            ("tune", tune, "loo", options.loo.is_some()),
            ("tune", tune, "path", path),
            ("tune", tune, "start", start),
            ("infer", infer, "path", path),
            ("infer", infer, "explain-solver", self.explain_solver),
            ("infer", infer, "explain-multiclass", self.explain_multiclass),
            ("infer", infer, "standardize=false", !self.data.recipe.standardize),
            ("infer", infer, "tune", tune),
            ("infer", infer, "calibrate", self.calibrate.is_some()),
            ("infer", infer, "threshold", self.threshold.is_some()),
            ("infer", infer, "abstain", self.abstain.is_some()),
        ];
        match pairs.into_iter().find(|(_, one, _, other)| *one && *other) {
            Some((setting, _, other, _)) => {
                refuse(format!("`{setting}` cannot be combined with `{other}`"))
            }
            None => Ok(()),
        }
    }

    /// Refuses settings other than those of unpenalized logistic regression.
    fn check_inference(&self) -> Result<(), Error> {
        let (learner, options) = (self.method.learner(false)?, &self.method.options);
        let convex = learner.as_reduced().and_then(|reduced| reduced.solver.as_convex());
        if convex.map(|convex| convex.loss.name()) != Some("logistic") {
            return refuse(format!(
                "`infer` and `firth` require `method=logistic`, not {}: standard errors, tests \
                 and intervals are based on the likelihood",
                learner.name()
            ));
        }
        let penalized = match options.penalty {
            Some(Penalty::None) => false,
            Some(_) => options.lambda != Some(0.0),
            None => options.c.is_some() || options.lambda.is_some_and(|lambda| lambda != 0.0),
        };
        if penalized {
            return refuse(
                "`infer` cannot be combined with a penalty, which biases the estimates and \
                 invalidates standard errors, tests and intervals. Remove `penalty`, `lambda` and \
                 `c`, or use `firth`, whose penalty has valid tests and intervals.",
            );
        }
        let given = [
            ("intercept=false", options.intercept.is_some()),
            ("class-weight", self.class_weights != linsep_core::data::ClassWeights::Equal),
            ("multiclass", options.multiclass.is_some()),
            ("start", !self.start.is_empty()),
            ("solver", options.solver.is_some()),
            ("tol", options.tol.is_some()),
            ("max-iter", options.epochs.is_some()),
            ("eta", options.eta.is_some()),
            ("schedule", options.schedule.is_some()),
        ];
        match given.into_iter().find(|(_, given)| *given) {
            Some((setting, _)) => refuse(format!(
                "`{setting}` cannot be combined with `infer` or `firth`, which maximize the \
                 likelihood of two classes with an intercept by Newton's method to double precision"
            )),
            None => Ok(self.inference.iter().try_for_each(|own| own.settings().check())?),
        }
    }

    /// Refuses tuning of a method that has no λ, or a rule that its way of tuning lacks.
    fn check_tuning(&self, learner: &dyn Learner) -> Result<(), Error> {
        let Some(tune) = self.tune else { return Ok(()) };
        let method = learner.name();
        if self.method.leaves_one_out() {
            return match tune.rule {
                LambdaRule::Best => Ok(()),
                rule @ LambdaRule::OneStandardError => refuse(format!(
                    "`choose={}` requires cross-validation; {method} tunes by leave-one-out, which \
                     has no standard error. Remove `choose`.",
                    rule.name()
                )),
            };
        }
        match learner.as_reduced().and_then(|reduced| reduced.solver.as_convex()) {
            Some(_) => Ok(()),
            None => refuse(format!(
                "`tune` requires a method with a penalty (logistic, svm, convex, least-squares), \
                 not {method}"
            )),
        }
    }

    /// Refuses a path of a method without a penalty, and with a joint scheme.
    fn check_path(&self, learner: &dyn Learner) -> Result<(), Error> {
        if self.path.is_none() {
            return Ok(());
        }
        if learner.as_reduced().and_then(|reduced| reduced.solver.as_convex()).is_none() {
            return refuse(format!(
                "`path` requires a method with a penalty (logistic, svm, convex), not {}",
                learner.name()
            ));
        }
        match self.method.options.multiclass {
            None | Some(Scheme::OneVsRest) => Ok(()),
            Some(other) => {
                refuse(format!("`path` requires `multiclass=one-vs-rest`, not {}", other.name()))
            }
        }
    }
}

/// Refuses a request with contradictory settings.
fn refuse<T>(why: impl Into<String>) -> Result<T, Error> {
    Err(Error::Request(why.into()))
}
