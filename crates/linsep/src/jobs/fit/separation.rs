//! Separable classes: the effect on the minimizer of an unpenalized objective, and infinite
//! estimates.
//!
//! Without a penalty, an objective of separable classes may have no minimizer, or many. A small
//! gradient or a stalled run is then no sign of convergence. Separation is decided on the features
//! in raw units: standardization rounds, and the test is exact.

use super::Setup;
use crate::error::Error;
use crate::recipe::Recipe;
use linsep_core::certify::separation::{Divergence, InfiniteCoefficient, SMALL};
use linsep_core::certify::{Separation, SeparationKind};
use linsep_core::control::Phase;
use linsep_core::learner::{
    FitResult, Learner, SeparationEffect, separation_effect, separation_effects,
};
use linsep_core::{Observer, Problem, StopReason};
use linsep_io::Input;
use serde::{Deserialize, Serialize};

/// Separable classes, for which the objective has no minimizer, or many.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Separated {
    /// Effect on the minimizer.
    pub effect: SeparationEffect,
    /// The problems with separable classes.
    pub problems: Vec<SeparableProblem>,
    /// Number of problems: one per hyperplane, or one for joint training.
    pub of: usize,
}

/// A problem with separable classes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SeparableProblem {
    /// Position of the hyperplane.
    pub hyperplane: usize,
    /// The kind of separation.
    pub verdict: SeparationKind,
    /// Columns with an infinite coefficient; if not `sure`, some of these columns have one.
    pub infinite: Vec<String>,
    /// Whether every column of the list has an infinite coefficient.
    pub sure: bool,
}

/// The kind of separation, and the columns with infinite maximum-likelihood estimates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InfiniteEstimates {
    /// The kind of separation.
    pub verdict: SeparationKind,
    /// The columns, with the limits of their estimates.
    pub columns: Vec<(String, Divergence)>,
}

/// Name of the intercept among the columns.
const BIAS: &str = "(bias)";

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

/// The name of a column; `None` is the intercept.
fn column_name(features: &[String], column: Option<usize>) -> String {
    column.map_or_else(|| BIAS.to_owned(), |j| features[j].clone())
}

/// The name of a column in text.
fn text_name(name: &str) -> &str {
    if name == BIAS { "(intercept)" } else { name }
}

/// A noun phrase for the coefficients of these columns, or for some of them if not `sure`, and its
/// verb.
fn named_coefficients(names: &[String], sure: bool) -> (String, &'static str) {
    const SHOWN: usize = 8;
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let (noun, verb) = match names.len() {
        _ if !sure => ("some coefficients", "are"),
        1 => ("the coefficient", "is"),
        _ => ("the coefficients", "are"),
    };
    (format!("{noun} of {}{more}", names[..names.len().min(SHOWN)].join(", ")), verb)
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
    ) -> Result<Option<Separated>, Error> {
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
            .filter_map(|(j, one)| SeparableProblem::of(j, one.as_ref()?, &features))
            .collect();
        let (effect, of) = (found.optimum, found.list.len());
        Ok((!problems.is_empty()).then_some(Separated { effect, problems, of }))
    }
}

impl Separated {
    /// Sets the status `no-minimum` where the objective has no minimizer.
    pub(super) fn correct(&self, fit: &mut FitResult) {
        if self.effect != SeparationEffect::None {
            return;
        }
        let converged =
            |stop: StopReason| matches!(stop, StopReason::Optimal | StopReason::Stalled);
        for part in &self.problems {
            if let Some(run) = fit.runs.get_mut(part.hyperplane).filter(|run| converged(run.stop)) {
                run.stop = StopReason::NoMinimum;
            }
        }
        if converged(fit.stop) {
            fit.stop = StopReason::NoMinimum;
        }
    }
}

impl SeparableProblem {
    /// The problem of a hyperplane; `None` unless its classes are separable.
    fn of(hyperplane: usize, found: &Separation, features: &[String]) -> Option<Self> {
        let fixed = |one: &&InfiniteCoefficient| is_fixed(one.divergence);
        let sure = found.infinite.iter().any(|one| fixed(&one));
        let mut infinite: Vec<String> = Vec::new();
        for one in found.infinite.iter().filter(|one| !sure || fixed(one)) {
            let name = column_name(features, one.column);
            if !infinite.contains(&name) {
                infinite.push(name);
            }
        }
        let verdict = found.verdict;
        matches!(verdict, SeparationKind::Complete | SeparationKind::QuasiComplete)
            .then_some(Self { hyperplane, verdict, infinite, sure })
    }

    /// A noun phrase for the infinite coefficients, and its verb.
    pub fn coefficients(&self) -> (String, &'static str) {
        let names = self.infinite.iter().map(|name| text_name(name).to_owned());
        named_coefficients(&names.collect::<Vec<_>>(), self.sure)
    }
}

impl InfiniteEstimates {
    pub(super) fn new(found: &Separation, recipe: &Recipe) -> Self {
        let features = recipe.features();
        let columns = found.infinite.iter();
        let columns = columns.map(|one| (column_name(&features, one.column), one.divergence));
        Self { verdict: found.verdict, columns: columns.collect() }
    }

    /// A clause that names the infinite estimates.
    pub fn clause(&self) -> String {
        self.list(|name, _| name.to_owned())
    }

    /// The clause with the sign of each estimate, if determined.
    pub(super) fn clause_with_signs(&self) -> String {
        self.list(|name, divergence| match divergence {
            Divergence::Plus => format!("{name} (+∞)"),
            Divergence::Minus => format!("{name} (−∞)"),
            Divergence::Undetermined => format!("{name} (sign undetermined)"),
            Divergence::Undecided => name.to_owned(),
        })
    }

    /// Columns with an infinite estimate on every sequence that approaches the supremum; if there
    /// is none, on some sequence.
    fn list(&self, show: impl Fn(&str, Divergence) -> String) -> String {
        let sure = self.columns.iter().any(|(_, divergence)| is_fixed(*divergence));
        let named = self.columns.iter().filter(|(_, divergence)| !sure || is_fixed(*divergence));
        let names: Vec<String> =
            named.map(|(name, divergence)| show(text_name(name), *divergence)).collect();
        let (coefficients, verb) = named_coefficients(&names, sure);
        format!("{coefficients} {verb} infinite")
    }
}
