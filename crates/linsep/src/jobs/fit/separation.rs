//! Separable classes: the effect on the minimizer of an unpenalized objective, and infinite
//! estimates.
//!
//! Without a penalty, an objective of separable classes may have no minimizer, or many. A small
//! gradient or a stalled run is then no sign of convergence. Separation is decided on the features
//! in raw units: standardization rounds, and the test is exact.

use super::Setup;
use crate::error::Error;
use crate::model_file::separation::{column_name, named_coefficients, text_name};
use crate::model_file::{SeparableProblem, SeparationRecord};
use crate::recipe::Recipe;
use linsep_core::certify::separation::{Divergence, InfiniteCoefficient, SMALL};
use linsep_core::certify::{Separation, SeparationKind};
use linsep_core::control::Phase;
use linsep_core::learner::{
    FitResult, Learner, SeparationEffect, separation_effect, separation_effects,
};
use linsep_core::{Observer, Problem, StopReason};
use linsep_io::Input;

/// The kind of separation, and the columns with infinite maximum-likelihood estimates.
#[derive(Clone, Debug, PartialEq)]
pub struct InfiniteEstimates {
    /// The kind of separation.
    pub verdict: SeparationKind,
    /// The columns, with the limits of their estimates.
    pub columns: Vec<(String, Divergence)>,
}

/// Whether the data are small enough for a separation test beside a fit.
pub(super) fn is_small(input: &Input) -> bool {
    let numbers = match input {
        Input::Table(table) => table.rows.saturating_mul(table.columns.len()),
        Input::Sparse(sparse) => sparse.indices.len(),
    };
    numbers <= SMALL
}

/// Whether separable classes would affect the learner's minimizer.
pub(super) fn is_undetermined(learner: &dyn Learner) -> bool {
    learner.as_reduced().and_then(separation_effect).is_some()
}

fn is_fixed(divergence: Divergence) -> bool {
    matches!(divergence, Divergence::Plus | Divergence::Minus)
}

impl Setup<'_> {
    /// Separable classes, if separation affects the minimizer and the data are small.
    pub(super) fn separated(
        &self,
        learner: &dyn Learner,
        raw: Option<&Problem<'_>>,
        watch: &mut dyn Observer,
    ) -> Result<Option<SeparationRecord>, Error> {
        let (Some(problem), Some(reduced)) = (raw, learner.as_reduced()) else { return Ok(None) };
        if self.request.inference.is_some() {
            return Ok(None);
        }
        // Training reports an unknown class.
        let positive = self.request.positive.as_ref();
        let positive = positive.and_then(|class| problem.class(class).ok());
        watch.phase(Phase::Partial(self.request.side_limit()));
        watch.stage("separation", None);
        let Some(found) = separation_effects(reduced, problem, positive, watch)? else {
            return Ok(None);
        };
        let features = self.training.recipe.features();
        let problems = found.list.iter().enumerate();
        let problems: Vec<SeparableProblem> = problems
            .filter_map(|(j, one)| separable_problem(j, one.as_ref()?, &features))
            .collect();
        let (effect, of) = (Some(found.optimum), found.list.len());
        Ok((!problems.is_empty()).then_some(SeparationRecord { effect, problems, of }))
    }
}

/// Sets the status `no-minimum` where the objective has no minimizer.
pub(super) fn correct_status(separated: &SeparationRecord, fit: &mut FitResult) {
    if separated.effect != Some(SeparationEffect::None) {
        return;
    }
    let converged = |stop: StopReason| matches!(stop, StopReason::Optimal | StopReason::Stalled);
    for part in &separated.problems {
        if let Some(run) = fit.runs.get_mut(part.hyperplane).filter(|run| converged(run.stop)) {
            run.stop = StopReason::NoMinimum;
        }
    }
    if converged(fit.stop) {
        fit.stop = StopReason::NoMinimum;
    }
}

/// The problem of a hyperplane; `None` unless its classes are separable.
pub(super) fn separable_problem(
    hyperplane: usize,
    found: &Separation,
    features: &[String],
) -> Option<SeparableProblem> {
    let fixed = |one: &&InfiniteCoefficient| is_fixed(one.divergence);
    let sure = found.infinite.iter().any(|one| fixed(&one));
    let mut infinite: Vec<String> = Vec::new();
    for one in found.infinite.iter().filter(|one| !sure || fixed(one)) {
        let name = column_name(features, one.column);
        if !infinite.contains(&name) {
            infinite.push(name);
        }
    }
    let kind = found.verdict;
    matches!(kind, SeparationKind::Complete | SeparationKind::QuasiComplete)
        .then_some(SeparableProblem { hyperplane, kind, infinite, sure })
}

impl InfiniteEstimates {
    pub(super) fn new(found: &Separation, recipe: &Recipe) -> Self {
        let features = recipe.features();
        let columns = found.infinite.iter();
        let columns = columns.map(|one| (column_name(&features, one.column), one.divergence));
        Self { verdict: found.verdict, columns: columns.collect() }
    }

    /// A clause that names the infinite estimates, with the sign of each, if determined.
    ///
    /// Columns with an infinite estimate on every sequence that approaches the supremum; if there
    /// is none, on some sequence.
    pub(super) fn clause(&self) -> String {
        let show = |name: &str, divergence| match divergence {
            Divergence::Plus => format!("{name} (+∞)"),
            Divergence::Minus => format!("{name} (−∞)"),
            Divergence::Undetermined => format!("{name} (sign undetermined)"),
            Divergence::Undecided => name.to_owned(),
        };
        let sure = self.columns.iter().any(|(_, divergence)| is_fixed(*divergence));
        let named = self.columns.iter().filter(|(_, divergence)| !sure || is_fixed(*divergence));
        let names: Vec<String> =
            named.map(|(name, divergence)| show(text_name(name), *divergence)).collect();
        let (coefficients, verb) = named_coefficients(&names, sure);
        format!("{coefficients} {verb} infinite")
    }
}
