//! Choosing the strength of the penalty, calibrating, threshold and limit: what `fit` does on
//! held-out rows.

use crate::failure::Failure;
use crate::folds::{Bar, FoldArgs};
use crate::method::long;
use crate::output::Output;
use crate::progress::Progress;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use linsep::binary::{RegularizationStrength, RegularizedErm};
use linsep::control::PartObserver;
use linsep::data::ClassWeights;
use linsep::learner::{Fact, Fit, Learner, MulticlassLearner, lambdas};
use linsep::validate::{AbstainRule, LambdaRule, PostProcessing, ThresholdRule};
use linsep::{Label, Problem, calibrate};
use linsep_io::validate::{FoldedData, PostProcessingRecord, Tuning, out_of_fold_scores, tune};
use linsep_io::{Input, TrainingSettings};

/// The group of these options in the help.
const DECISION: &str = "Decision";

/// Tuning, calibration and threshold
#[derive(Args)]
#[command(next_help_heading = "Validation and tuning")]
pub(super) struct TrustArgs {
    /// Select λ by cross-validation, from N values
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "20", long_help = "Select λ by cross-validation, from N values [default: 20]; for least-squares by leave-one-out",
        value_parser = clap::value_parser!(u16).range(2..), conflicts_with_all = ["lambda", "c", "loo", "path", "start"])]
    pub(super) tune: Option<u16>,

    /// Selected λ: the best, or the largest within one standard error of it [default: best]
    #[arg(long, hide_short_help = true, value_name = "RULE", value_parser = LambdaRule::ALL.map(LambdaRule::name), requires = "tune")]
    choose: Option<String>,

    /// Calibrate: platt, isotonic or temperature
    #[arg(long, value_name = "METHOD", help_heading = DECISION, value_parser = PossibleValuesParser::from(calibrations()), hide_possible_values = true, long_help = long("Calibrate probabilities on out-of-fold scores", &calibrations()))]
    calibrate: Option<String>,

    /// Decision threshold: a number, or f1, youden, …
    #[arg(long_help = "Threshold of two classes: a number (a probability if the model has probabilities, else a score), or where one of these is best out of fold: f1, youden, cost:FP,FN, precision>=P, recall>=R", long, value_name = "RULE", help_heading = DECISION, allow_negative_numbers = true)]
    threshold: Option<ThresholdRule>,

    /// Abstain below this probability; error<=SHARE selects the probability that allows this error
    /// rate
    #[arg(long, value_name = "LIMIT", help_heading = DECISION, hide_short_help = true)]
    abstain: Option<AbstainRule>,

    #[command(flatten)]
    folds: FoldArgs,
}

fn calibrations() -> Vec<PossibleValue> {
    let value = |entry: &calibrate::Entry| PossibleValue::new(entry.name).help(entry.about);
    calibrate::ALL.iter().map(value).collect()
}

/// The curve of a learner that left out one row at a time.
pub(super) fn left_one_out(fit: &Fit, rows: usize) -> Option<Tuning> {
    let Some(Fact::Table(_, table)) = fit.facts.get(LEAVE_ONE_OUT) else { return None };
    let points: Option<Vec<[f64; 3]>> =
        table.iter().map(|row| row.as_slice().try_into().ok()).collect();
    Tuning::by_leaving_one_out(rows, points?)
}

/// The name of that curve among what a learner has to say.
pub(super) const LEAVE_ONE_OUT: &str = "leave-one-out";

/// What folds are learned with.
pub(super) struct Setup<'a> {
    pub(super) positive: Option<&'a Label>,
    pub(super) weigh: &'a ClassWeights,
    pub(super) out: &'a Output,
}

impl TrustArgs {
    fn trust(&self) -> Result<PostProcessing, Failure> {
        let calibrate = self.calibrate.as_deref().map(calibrate::by_name).transpose()?;
        Ok(PostProcessing { calibrate, threshold: self.threshold, abstain: self.abstain })
    }

    /// The folds, if anything needs them.
    pub(super) fn folded(
        &self,
        input: &Input,
        settings: &TrainingSettings,
        seed: u64,
    ) -> Result<Option<FoldedData>, Failure> {
        if !self.trust()?.is_some() && self.tune.is_none() {
            if self.folds.is_some() {
                let text = "--folds, --groups and --time go with --tune, --calibrate, --threshold or --abstain";
                return Err(Failure::Usage(text.to_owned()));
            }
            return Ok(None);
        }
        let folded = FoldedData::new(input.clone(), settings, &self.folds.cutting(None, seed))?;
        let k = folded.classes.len();
        if self.threshold.is_some() && k > 2 {
            return Err(Failure::Usage(format!(
                "--threshold is for two classes, and there are {k}: make them two with --label-map OLD=NEW, or leave \
                 it out (--abstain is for any number of classes)"
            )));
        }
        Ok(Some(folded))
    }

    /// The learner with the strength that the folds chose, if they were asked and it cannot choose
    /// by itself.
    pub(super) fn tuned(
        &self,
        learner: &dyn Learner,
        problem: &Problem<'_>,
        folded: Option<&FoldedData>,
        setup: &Setup<'_>,
        progress: &Progress,
    ) -> Result<Option<(MulticlassLearner, Tuning)>, Failure> {
        let (Some(points), Some(folded)) = (self.tune, folded) else { return Ok(None) };
        let rule = self.choose.as_deref().map_or(Ok(LambdaRule::default()), LambdaRule::by_name)?;
        if learner.settings().iter().any(|(name, _)| *name == "loo") {
            if rule != LambdaRule::Best {
                return Err(Failure::Usage(format!(
                    "--choose {} is a matter of folds, and {} leaves out one row at a time, which tells no standard \
                     error: leave --choose out",
                    rule.name(),
                    learner.name()
                )));
            }
            return Ok(None);
        }
        let reduced = learner.as_reduced();
        let convex = reduced.and_then(|reduced| reduced.solver.as_convex());
        let (Some(reduced), Some(convex)) = (reduced, convex) else {
            return Err(Failure::Usage(format!(
                "--tune is for methods with a penalty (logistic, svm, convex, least-squares), not for {}",
                learner.name()
            )));
        };
        let grid = lambdas(problem, convex, usize::from(points))?;
        let Setup { positive, weigh, out } = *setup;
        let later = out.threads + self.jobs_held_out(Some(folded))?;
        let bar = Bar::new("tuning λ", folded.splits.len()).within(progress, later);
        let tuning = tune(folded, reduced, &grid, rule, positive, weigh, out.threads, &bar)?;
        let strength = RegularizationStrength::Lambda(tuning.lambda());
        let solver = Box::new(RegularizedErm { strength, ..convex.clone() });
        Ok(Some((reduced.by(solver), tuning)))
    }

    /// How many folds are to be held out after training.
    fn jobs_held_out(&self, folded: Option<&FoldedData>) -> Result<usize, Failure> {
        let some = self.trust()?.is_some();
        Ok(folded.filter(|_| some).map_or(0, |folded| folded.splits.len()))
    }

    /// What looks on while training: folds that are held out after it get their share of the time.
    pub(super) fn training<'a>(
        &self,
        progress: &'a mut Progress,
        folded: Option<&FoldedData>,
        out: &Output,
    ) -> Result<PartObserver<'a>, Failure> {
        let later = self.jobs_held_out(folded)?.div_ceil(out.threads);
        Ok(PartObserver::new(progress, 1 + later))
    }

    /// The fit with probabilities, threshold and limit, and how they fared.
    pub(super) fn trusted(
        &self,
        fit: Fit,
        learner: &dyn Learner,
        problem: &Problem<'_>,
        folded: Option<&FoldedData>,
        setup: &Setup<'_>,
        progress: Progress,
    ) -> Result<(Fit, Option<PostProcessingRecord>), Failure> {
        let trust = self.trust()?;
        let Some(folded) = folded.filter(|_| trust.is_some()) else { return Ok((fit, None)) };
        let bar = Bar::new("cross-validation", folded.splits.len()).within(&progress, 0);
        let Setup { positive, weigh, out } = *setup;
        let held = out_of_fold_scores(folded, learner, positive, weigh, out.threads, &bar)?;
        drop(bar);
        // What follows has a result in no time, and Ctrl-C ends it at once.
        drop(progress);
        let own = fit.model.link().clone();
        let learned = trust.learn(&held, &own)?;
        let judged = trust.evaluate(&held, &own)?;
        let kept = PostProcessingRecord::new(&trust, learned.cut, &judged, folded.splits.len());
        Ok((fit.with_post_processing(problem, learned.link, learned.cut)?, Some(kept)))
    }
}
