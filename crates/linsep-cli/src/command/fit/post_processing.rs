//! Tuning of λ, and post-processing by out-of-fold scores: calibration, threshold, abstention.

use crate::failure::Failure;
use crate::folds::{Bar, FoldArgs};
use crate::method::{long, parsed};
use crate::output::Output;
use crate::progress::Progress;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use linsep::binary::{RegularizationStrength, RegularizedErm};
use linsep::control::PartObserver;
use linsep::data::ClassWeights;
use linsep::learner::{Fact, Fit, Learner, MulticlassLearner, lambdas};
use linsep::validate::{AbstainRule, LambdaRule, PostProcessing, ThresholdRule};
use linsep::validate::{FoldedData, PostProcessingRecord, Tuning, out_of_fold_scores, tune};
use linsep::{Input, TrainingSettings};
use linsep::{Label, Problem, calibrate};

/// The group of these options in the help.
const DECISION: &str = "Decision";

/// Tuning, calibration and threshold
#[derive(Args)]
#[command(next_help_heading = "Validation and tuning")]
pub(super) struct PostProcessingArgs {
    /// Select λ by cross-validation from N values
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "20", long_help = "Select λ by cross-validation from N values [default: 20]; for least-squares by leave-one-out",
        value_parser = clap::value_parser!(u16).range(2..), conflicts_with_all = ["lambda", "c", "loo", "path", "start"])]
    pub(super) tune: Option<u16>,

    /// Selection rule: the best λ, or the largest λ within one standard error [default: best]
    #[arg(long, hide_short_help = true, value_name = "RULE", value_parser = LambdaRule::ALL.map(LambdaRule::name), requires = "tune")]
    choose: Option<String>,

    /// Calibration: platt, isotonic or temperature
    #[arg(long, value_name = "METHOD", help_heading = DECISION, value_parser = PossibleValuesParser::from(calibrations()), hide_possible_values = true, long_help = long("Calibration of probabilities by out-of-fold scores", &calibrations()))]
    calibrate: Option<String>,

    /// Decision threshold: a number, or a rule such as f1
    #[arg(long_help = "Decision threshold of two classes: a number (a probability if the model has probabilities, else a score), or the out-of-fold optimum of a rule: f1, youden, cost:FP,FN, precision>=P, recall>=R", long, value_name = "RULE", value_parser = parsed::<ThresholdRule>, help_heading = DECISION, allow_negative_numbers = true)]
    threshold: Option<ThresholdRule>,

    /// Abstain below this probability, or at an error rate: error<=SHARE
    #[arg(long, value_name = "LIMIT", value_parser = parsed::<AbstainRule>, help_heading = DECISION, hide_short_help = true)]
    abstain: Option<AbstainRule>,

    #[command(flatten)]
    folds: FoldArgs,
}

fn calibrations() -> Vec<PossibleValue> {
    let value = |entry: &calibrate::Entry| PossibleValue::new(entry.name).help(entry.about);
    calibrate::ALL.iter().map(value).collect()
}

/// The leave-one-out curve over λ, of a learner that computes one.
pub(super) fn leave_one_out_curve(fit: &Fit, rows: usize) -> Option<Tuning> {
    let Some(Fact::Table(_, table)) = fit.facts.get(LEAVE_ONE_OUT) else { return None };
    let points: Option<Vec<[f64; 3]>> =
        table.iter().map(|row| row.as_slice().try_into().ok()).collect();
    Tuning::by_leaving_one_out(rows, points?)
}

/// The name of the leave-one-out curve among the facts of a learner.
pub(super) const LEAVE_ONE_OUT: &str = "leave-one-out";

/// Settings of the training on folds.
pub(super) struct Setup<'a> {
    pub(super) positive: Option<&'a Label>,
    pub(super) weigh: &'a ClassWeights,
    pub(super) out: &'a Output,
}

impl PostProcessingArgs {
    fn settings(&self) -> Result<PostProcessing, Failure> {
        let calibrate = self.calibrate.as_deref().map(calibrate::by_name).transpose()?;
        Ok(PostProcessing { calibrate, threshold: self.threshold, abstain: self.abstain })
    }

    /// The folds, if an option needs them.
    pub(super) fn folded(
        &self,
        input: &Input,
        settings: &TrainingSettings,
        seed: u64,
    ) -> Result<Option<FoldedData>, Failure> {
        if !self.settings()?.is_some() && self.tune.is_none() {
            if self.folds.is_some() {
                let text = "--folds, --groups and --time require --tune, --calibrate, --threshold or --abstain";
                return Err(Failure::Usage(text.to_owned()));
            }
            return Ok(None);
        }
        let folded = FoldedData::new(input.clone(), settings, &self.folds.cutting(None, seed))?;
        let k = folded.classes.len();
        if self.threshold.is_some() && k > 2 {
            return Err(Failure::Usage(format!(
                "--threshold requires two classes, found {k}. Merge classes with --label-map OLD=NEW, or use --abstain, \
                 which works with any number of classes."
            )));
        }
        Ok(Some(folded))
    }

    /// The learner with the λ selected by cross-validation, with `--tune` and unless it tunes by
    /// leave-one-out.
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
                    "--choose {} requires cross-validation; {} tunes by leave-one-out, which has no standard error. \
                     Remove --choose.",
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
                "--tune requires a method with a penalty (logistic, svm, convex, least-squares), not {}",
                learner.name()
            )));
        };
        let grid = lambdas(problem, convex, usize::from(points))?;
        let Setup { positive, weigh, out } = *setup;
        let later = out.threads + self.remaining_folds(Some(folded))?;
        let bar = Bar::new("tuning λ", folded.splits.len()).within(progress, later);
        let tuning = tune(folded, reduced, &grid, rule, positive, weigh, out.threads, &bar)?;
        let strength = RegularizationStrength::Lambda(tuning.lambda());
        let solver = Box::new(RegularizedErm { strength, ..convex.clone() });
        Ok(Some((reduced.by(solver), tuning)))
    }

    /// Folds that are scored after training.
    fn remaining_folds(&self, folded: Option<&FoldedData>) -> Result<usize, Failure> {
        let some = self.settings()?.is_some();
        Ok(folded.filter(|_| some).map_or(0, |folded| folded.splits.len()))
    }

    /// The observer of training, which reserves time for the folds scored afterwards.
    pub(super) fn training<'a>(
        &self,
        progress: &'a mut Progress,
        folded: Option<&FoldedData>,
        out: &Output,
    ) -> Result<PartObserver<'a>, Failure> {
        let later = self.remaining_folds(folded)?.div_ceil(out.threads);
        Ok(PartObserver::new(progress, 1 + later))
    }

    /// Calibrates, sets the threshold and the abstention limit, and measures their effect.
    pub(super) fn post_processed(
        &self,
        fit: Fit,
        learner: &dyn Learner,
        problem: &Problem<'_>,
        folded: Option<&FoldedData>,
        setup: &Setup<'_>,
        progress: Progress,
    ) -> Result<(Fit, Option<PostProcessingRecord>), Failure> {
        let settings = self.settings()?;
        let Some(folded) = folded.filter(|_| settings.is_some()) else { return Ok((fit, None)) };
        let bar = Bar::new("cross-validation", folded.splits.len()).within(&progress, 0);
        let Setup { positive, weigh, out } = *setup;
        let scores = out_of_fold_scores(folded, learner, positive, weigh, out.threads, &bar)?;
        drop(bar);
        // The steps below are short, so Ctrl-C may end the program.
        drop(progress);
        let own = fit.model.link().clone();
        let learned = settings.learn(&scores, &own)?;
        let measured = settings.evaluate(&scores, &own)?;
        let folds = folded.splits.len();
        let record = PostProcessingRecord::new(&settings, learned.cut, &measured, folds);
        Ok((fit.with_post_processing(problem, learned.link, learned.cut)?, Some(record)))
    }
}
