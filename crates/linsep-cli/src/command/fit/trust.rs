//! Choosing the strength of the penalty, calibrating, threshold and limit: what `fit` does on held-out rows.

use crate::failure::Failure;
use crate::folds::{Bar, FoldArgs};
use crate::output::Output;
use crate::progress::Progress;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use linsep::control::Part;
use linsep::data::ClassWeights;
use linsep::learner::{Fact, Fit, Learner, Reduced, lambdas};
use linsep::solver::{Convex, Strength};
use linsep::validate::{Choose, Limit, Rule, Trust};
use linsep::{Label, Problem, calibrate};
use linsep_io::validate::{Folded, TrustKept, Tuning, hold_out, tune};
use linsep_io::{Input, TrainingSettings};

/// Chosen and learned on rows that are held out
#[derive(Args)]
#[command(next_help_heading = "Choosing and trusting")]
pub(super) struct TrustArgs {
    /// Choose the strength of the penalty by folds, from so many; of least-squares by leaving out one row at a time
    /// [default: 20]
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "20",
        value_parser = clap::value_parser!(u16).range(2..), conflicts_with_all = ["lambda", "c", "loo", "path", "start"])]
    pub(super) tune: Option<u16>,

    /// Which strength: the best, or the strongest penalty that is within one standard error of it [default: best]
    #[arg(long, value_name = "RULE", value_parser = Choose::ALL.map(Choose::name), requires = "tune")]
    choose: Option<String>,

    /// Learn probabilities from held-out scores
    #[arg(long, value_name = "WAY", value_parser = calibrations())]
    calibrate: Option<String>,

    /// Of two classes, decide where this is best: f1, youden, cost:FP,FN, precision>=P or recall>=R
    #[arg(long, value_name = "RULE")]
    threshold: Option<Rule>,

    /// Name no class where the model is less sure than this probability; error<=SHARE finds the limit that allows that
    /// share of mistakes
    #[arg(long, value_name = "LIMIT")]
    abstain: Option<Limit>,

    #[command(flatten)]
    folds: FoldArgs,
}

fn calibrations() -> PossibleValuesParser {
    let value = |entry: &calibrate::Entry| PossibleValue::new(entry.name).help(entry.about);
    calibrate::ALL.iter().map(value).collect::<Vec<_>>().into()
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
    fn trust(&self) -> Result<Trust, Failure> {
        let calibrate = self.calibrate.as_deref().map(calibrate::by_name).transpose()?;
        Ok(Trust { calibrate, threshold: self.threshold, abstain: self.abstain })
    }

    /// The folds, if anything needs them.
    pub(super) fn folded(
        &self,
        input: &Input,
        settings: &TrainingSettings,
        seed: u64,
    ) -> Result<Option<Folded>, Failure> {
        if !self.trust()?.is_some() && self.tune.is_none() {
            if self.folds.is_some() {
                let text = "--folds, --groups and --time go with --tune, --calibrate, --threshold or --abstain";
                return Err(Failure::Usage(text.to_owned()));
            }
            return Ok(None);
        }
        let folded = Folded::new(input.clone(), settings, &self.folds.cutting(None, seed))?;
        let k = folded.classes.len();
        if self.threshold.is_some() && k > 2 {
            return Err(Failure::Usage(format!(
                "--threshold is for two classes, and there are {k}: make them two with --label-map OLD=NEW, or leave \
                 it out (--abstain is for any number of classes)"
            )));
        }
        Ok(Some(folded))
    }

    /// The learner with the strength that the folds chose, if they were asked and it cannot choose by itself.
    pub(super) fn tuned(
        &self,
        learner: &dyn Learner,
        problem: &Problem<'_>,
        folded: Option<&Folded>,
        setup: &Setup<'_>,
        progress: &Progress,
    ) -> Result<Option<(Reduced, Tuning)>, Failure> {
        let (Some(points), Some(folded)) = (self.tune, folded) else { return Ok(None) };
        let rule = self.choose.as_deref().map_or(Ok(Choose::default()), Choose::by_name)?;
        if learner.settings().iter().any(|(name, _)| *name == "loo") {
            if rule != Choose::Best {
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
        let bar = Bar::new("choosing λ", folded.splits.len()).within(progress, later);
        let tuning = tune(folded, reduced, &grid, rule, positive, weigh, out.threads, &bar)?;
        let strength = Strength::Lambda(tuning.lambda());
        let solver = Box::new(Convex { strength, ..convex.clone() });
        Ok(Some((reduced.by(solver), tuning)))
    }

    /// How many folds are to be held out after training.
    fn jobs_held_out(&self, folded: Option<&Folded>) -> Result<usize, Failure> {
        let some = self.trust()?.is_some();
        Ok(folded.filter(|_| some).map_or(0, |folded| folded.splits.len()))
    }

    /// What looks on while training: folds that are held out after it get their share of the time.
    pub(super) fn training<'a>(
        &self,
        progress: &'a mut Progress,
        folded: Option<&Folded>,
        out: &Output,
    ) -> Result<Part<'a>, Failure> {
        let later = self.jobs_held_out(folded)?.div_ceil(out.threads);
        Ok(Part::new(progress, 1 + later))
    }

    /// The fit with probabilities, threshold and limit, and how they fared.
    pub(super) fn trusted(
        &self,
        fit: Fit,
        learner: &dyn Learner,
        problem: &Problem<'_>,
        folded: Option<&Folded>,
        setup: &Setup<'_>,
        progress: Progress,
    ) -> Result<(Fit, Option<TrustKept>), Failure> {
        let trust = self.trust()?;
        let Some(folded) = folded.filter(|_| trust.is_some()) else { return Ok((fit, None)) };
        let bar = Bar::new("holding out", folded.splits.len()).within(&progress, 0);
        let Setup { positive, weigh, out } = *setup;
        let held = hold_out(folded, learner, positive, weigh, out.threads, &bar)?;
        drop(bar);
        // What follows has a result in no time, and Ctrl-C ends it at once.
        drop(progress);
        let own = fit.model.link().clone();
        let learned = trust.learn(&held, &own)?;
        let judged = trust.judge(&held, &own)?;
        let kept = TrustKept::new(&trust, learned.cut, &judged, folded.splits.len());
        Ok((fit.with_trust(problem, learned.link, learned.cut)?, Some(kept)))
    }
}
