//! Training from a starting point, and the refusal of runs that are no model.

use super::Setup;
use crate::error::Error;
use crate::jobs::grouped;
use linsep_core::binary::BinaryFit;
use linsep_core::control::{PartObserver, literal};
use linsep_core::learner::{FitResult, Learner, PathPoint, path};
use linsep_core::{Hyperplane, Observer, StopReason};

/// Splits the numbers of a start into hyperplanes of d coefficients and an intercept; `None`
/// without numbers.
pub(crate) fn starting_hyperplanes(
    numbers: &[f64],
    d: usize,
    hyperplanes: usize,
) -> Result<Option<Vec<Hyperplane>>, Error> {
    let (got, want) = (numbers.len(), hyperplanes * (d + 1));
    if got == 0 {
        return Ok(None);
    }
    if got != want {
        let each = match hyperplanes {
            0 | 1 => String::new(),
            many => format!(" of each of the {many} hyperplanes"),
        };
        return Err(Error::Request(format!(
            "`start`: expected {want} numbers, found {got}. Give {d} coefficients and the \
             intercept{each}."
        )));
    }
    let hyperplane = |numbers: &[f64]| Hyperplane { w: numbers[..d].to_vec(), b: numbers[d] };
    Ok(Some(numbers.chunks_exact(d + 1).map(hyperplane).collect()))
}

impl Setup<'_> {
    /// The starting hyperplanes, in the units of training.
    pub(super) fn start(&self, learner: &dyn Learner) -> Result<Option<Vec<Hyperplane>>, Error> {
        let (numbers, k) = (&self.request.start, self.training.labels.k());
        let start = match learner.as_reduced() {
            Some(own) => {
                starting_hyperplanes(numbers, self.training.x.d(), own.scheme.hyperplanes(k))?
            }
            // A learner without a starting point refuses any list, even an empty one.
            None => (!numbers.is_empty()).then(Vec::new),
        };
        let recipe = &self.training.recipe;
        Ok(start.map(|all| all.iter().map(|h| recipe.to_standardized(h)).collect()))
    }

    /// The fit, and the points of a path if one is requested. Time is reserved for the folds that
    /// are scored afterwards.
    pub(super) fn trained(
        &self,
        learner: &dyn Learner,
        start: Option<&[Hyperplane]>,
        watch: &mut dyn Observer,
    ) -> Result<(FitResult, Vec<PathPoint>), Error> {
        let later = self.remaining_folds().div_ceil(self.request.threads.max(1));
        let mut watch = PartObserver::new(watch, 1 + later);
        let (problem, k) = (self.problem, self.problem.labels().k());
        let convex = learner.as_reduced().and_then(|reduced| reduced.solver.as_convex());
        if let (Some(points), Some(convex)) = (self.request.path, convex) {
            let points = path(problem, convex, points, &mut watch)?;
            let last = points.last().expect("a path has at least two points");
            return Ok((last.fit.clone(), points));
        }
        let positive = match &self.request.positive {
            Some(_) if k > 2 => {
                return Err(Error::Request(format!(
                    "{}: `positive` requires two classes, found {k}",
                    literal(self.name)
                )));
            }
            class => class.as_ref().map(|class| problem.class(class)).transpose()?,
        };
        Ok((learner.learn(problem, start, positive, &mut watch)?, Vec::new()))
    }

    /// Refuses a diverged fit, and an unfinished one unless it is accepted.
    pub(super) fn refuse_early_end(
        &self,
        fit: &FitResult,
        start: Option<&[Hyperplane]>,
    ) -> Result<(), Error> {
        let start_of =
            |j: usize| start.map_or_else(|| Hyperplane::zero(fit.model.d()), |all| all[j].clone());
        let is_lost = |(j, run): (usize, &BinaryFit)| {
            run.stop == StopReason::Diverged && run.hyperplane == start_of(j)
        };
        if let Some((_, run)) = fit.runs.iter().enumerate().find(|&run| is_lost(run)) {
            return Err(Error::Refused(format!(
                "training diverged in epoch {} without improving on the starting point; no model \
                 was saved. Reduce `eta`, remove `eta` and `schedule` to select the step length \
                 automatically, or standardize the features.",
                grouped(run.epochs as usize)
            )));
        }
        let left = fit.not_started();
        if left.is_empty() || self.request.unfinished {
            return Ok(());
        }
        const SHOWN: usize = 8;
        let all = fit.model.decision_rule().hyperplane_names(fit.model.classes());
        let names: Vec<&str> = left.iter().take(SHOWN).map(|&j| all[j].as_str()).collect();
        let more = if left.len() > SHOWN { ", …" } else { "" };
        let (why, remedy) = match fit.stop {
            StopReason::TimeLimit => ("`timeout` reached", "Increase `timeout`"),
            _ => ("interrupted", "Run it again"),
        };
        Err(Error::Refused(format!(
            "{}: {why} before {} of {} hyperplane{} were started ({}{more}). {remedy}, or save the \
             model as it is with `force`.",
            literal(self.name),
            left.len(),
            grouped(all.len()),
            if all.len() == 1 { "" } else { "s" },
            literal(&names.join(", "))
        )))
    }
}
