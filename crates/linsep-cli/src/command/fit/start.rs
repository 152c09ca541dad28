//! Where hyperplanes start from, and what is done where they got nowhere from there.

use super::FitArgs;
use crate::command::hyperplane_names;
use crate::failure::Failure;
use crate::output::Output;
use crate::text::plural;
use linsep::binary::BinaryFit;
use linsep::learner::{Fit, Learner};
use linsep::{Hyperplane, StopReason};
use linsep_io::TrainingData;

/// The hyperplanes to start from, in the units that are learned in.
pub(super) fn starts(
    args: &FitArgs,
    learner: &dyn Learner,
    training: &TrainingData,
) -> Result<Option<Vec<Hyperplane>>, Failure> {
    let k = training.labels.k();
    let start = match learner.as_reduced() {
        Some(own) => args.method.starts(training.x.d(), own.scheme.hyperplanes(k))?,
        // What starts from nowhere refuses any hyperplane.
        None => args.method.is_started().then(Vec::new),
    };
    let unfold = |hyperplanes: Vec<Hyperplane>| {
        hyperplanes.iter().map(|h| training.recipe.to_standardized(h)).collect()
    };
    Ok(start.map(unfold))
}

/// Refuses to go on with a fit that has nothing to save, or something to save only with `--force`.
pub(super) fn refuse_early_end(
    fit: &Fit,
    start: Option<&[Hyperplane]>,
    name: &str,
    out: &Output,
) -> Result<(), Failure> {
    refuse_divergence(fit, start)?;
    refuse_unbegun(fit, name, out)
}

/// A model with hyperplanes that were not begun is saved only with `--force`.
fn refuse_unbegun(fit: &Fit, name: &str, out: &Output) -> Result<(), Failure> {
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
            ("the time limit ended training", "Give --timeout more seconds, or add")
        }
        _ => ("training was interrupted", "Train longer, or add"),
    };
    Err(Failure::Refused(format!(
        "{name}: {end} before {} of {} were begun ({}{more}). {remedy} --force to save the model as it is",
        left.len(),
        plural(all.len(), "hyperplane", "hyperplanes"),
        names.join(", ")
    )))
}

/// Planes that overflowed before any was met that is better than the start are no answer, and not
/// worth a file.
fn refuse_divergence(fit: &Fit, start: Option<&[Hyperplane]>) -> Result<(), Failure> {
    let begun =
        |j: usize| start.map_or_else(|| Hyperplane::zero(fit.model.d()), |all| all[j].clone());
    let lost = |(j, run): (usize, &BinaryFit)| {
        run.stop == StopReason::Diverged && run.hyperplane == begun(j)
    };
    match fit.runs.iter().enumerate().find(|&run| lost(run)) {
        None => Ok(()),
        Some((_, run)) => Err(Failure::Refused(format!(
            "the steps were too large: after {} the numbers overflowed, and no plane better than the one at the start was \
             met, so that there is no model to save. Take a smaller --eta, or leave --eta and --schedule out to have steps \
             chosen; columns of like sizes help as well",
            plural(run.epochs as usize, "epoch", "epochs")
        ))),
    }
}
