//! Starting hyperplanes, and the refusal of runs that did not improve on them.

use super::FitArgs;
use crate::command::hyperplane_names;
use crate::failure::Failure;
use crate::output::Output;
use linsep::TrainingData;
use linsep::binary::BinaryFit;
use linsep::learner::{Fit, Learner};
use linsep::{Hyperplane, StopReason};
use linsep_report::number::{count, plural};

/// The starting hyperplanes, in the units of training.
pub(super) fn starts(
    args: &FitArgs,
    learner: &dyn Learner,
    training: &TrainingData,
) -> Result<Option<Vec<Hyperplane>>, Failure> {
    let k = training.labels.k();
    let start = match learner.as_reduced() {
        Some(own) => args.method.starts(training.x.d(), own.scheme.hyperplanes(k))?,
        // A learner without a starting point refuses any list, even an empty one.
        None => args.method.is_started().then(Vec::new),
    };
    let standardized = |hyperplanes: Vec<Hyperplane>| {
        hyperplanes.iter().map(|h| training.recipe.to_standardized(h)).collect()
    };
    Ok(start.map(standardized))
}

/// Refuses a diverged fit, and an unfinished fit without `--force`.
pub(super) fn refuse_early_end(
    fit: &Fit,
    start: Option<&[Hyperplane]>,
    name: &str,
    out: &Output,
) -> Result<(), Failure> {
    refuse_divergence(fit, start)?;
    refuse_not_started(fit, name, out)
}

/// Refuses hyperplanes that were not started, unless `--force` is given.
fn refuse_not_started(fit: &Fit, name: &str, out: &Output) -> Result<(), Failure> {
    const SHOWN: usize = 8;
    let left = fit.not_started();
    if left.is_empty() || out.force {
        return Ok(());
    }
    let all = hyperplane_names(&fit.model);
    let names: Vec<&str> = left.iter().take(SHOWN).map(|&j| all[j].as_str()).collect();
    let more = if left.len() > SHOWN { ", …" } else { "" };
    let (end, remedy) = match fit.stop {
        StopReason::TimeLimit => {
            ("--timeout reached", "Increase --timeout, or save the model as it is with --force.")
        }
        _ => ("interrupted", "Run it again, or save the model as it is with --force."),
    };
    Err(Failure::Refused(format!(
        "{name}: {end} before {} of {} were started ({}{more}). {remedy}",
        left.len(),
        plural(all.len(), "hyperplane", "hyperplanes"),
        names.join(", ")
    )))
}

/// Refuses a run that overflowed before it improved on its starting point.
fn refuse_divergence(fit: &Fit, start: Option<&[Hyperplane]>) -> Result<(), Failure> {
    let start_of =
        |j: usize| start.map_or_else(|| Hyperplane::zero(fit.model.d()), |all| all[j].clone());
    let is_lost = |(j, run): (usize, &BinaryFit)| {
        run.stop == StopReason::Diverged && run.hyperplane == start_of(j)
    };
    match fit.runs.iter().enumerate().find(|&run| is_lost(run)) {
        None => Ok(()),
        Some((_, run)) => Err(Failure::Refused(format!(
            "training diverged in epoch {} without improving on the starting point; no model was saved. Reduce --eta, \
             remove --eta and --schedule to select the step length automatically, or standardize the features.",
            count(run.epochs as f64)
        ))),
    }
}
