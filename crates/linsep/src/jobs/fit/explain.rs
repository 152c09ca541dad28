//! The choices of solver and multiclass scheme, with their alternatives.

use super::Setup;
use crate::error::Error;
use linsep_core::learner::{Learner, Scheme};
use serde::{Deserialize, Serialize};

/// The solvers that were candidates for a fit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SolverChoice {
    /// Each solver with its estimated seconds, or the requirement that is not met.
    pub candidates: Vec<(String, Result<f64, String>)>,
    /// Why there was no choice.
    pub none: Option<NoSolverChoice>,
}

/// Why a learner has no choice of solvers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoSolverChoice {
    /// It has a closed form.
    ClosedForm,
    /// It has a single update rule.
    UpdateRule,
    /// It trains all hyperplanes jointly, if there are more than two classes.
    Jointly(Scheme),
}

/// The multiclass schemes that a method supports.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SchemeChoice {
    /// Whether the scheme was requested.
    pub requested: bool,
    /// Why the default scheme is the default for these data.
    pub reason: Option<String>,
    /// The schemes that the method supports.
    pub supported: Vec<Scheme>,
}

/// The choices that a request asks for.
pub(super) type Choices = (Option<SolverChoice>, Option<SchemeChoice>);

impl Setup<'_> {
    /// The choices of solver and scheme, if requested.
    pub(super) fn explained(&self, learner: &dyn Learner) -> Result<Choices, Error> {
        let solvers = self.request.explain_solver.then(|| self.solvers(learner)).transpose()?;
        Ok((solvers, self.request.explain_multiclass.then(|| self.schemes(learner))))
    }

    fn solvers(&self, learner: &dyn Learner) -> Result<SolverChoice, Error> {
        let none = |none| SolverChoice { candidates: Vec::new(), none: Some(none) };
        let Some(reduced) = learner.as_reduced() else {
            return Ok(none(NoSolverChoice::ClosedForm));
        };
        if reduced.solver.as_convex().is_none() {
            return Ok(none(NoSolverChoice::UpdateRule));
        }
        let k = self.problem.labels().k();
        let scheme = reduced.scheme_for(self.problem);
        if k > 2 && self.request.path.is_none() && scheme.ways().is_some() {
            return Ok(none(NoSolverChoice::Jointly(scheme)));
        }
        let candidates = reduced.solver.candidates(&self.problem.against_rest(k - 1))?;
        let named =
            |name: &str, work: Result<f64, &str>| (name.to_owned(), work.map_err(str::to_owned));
        let candidates = candidates.into_iter().map(|one| named(one.name, one.work)).collect();
        Ok(SolverChoice { candidates, none: None })
    }

    fn schemes(&self, learner: &dyn Learner) -> SchemeChoice {
        let supports = |scheme: &Scheme| {
            learner.as_reduced().is_some_and(|reduced| scheme.suits(reduced.solver.as_ref()))
        };
        // A path is of one-vs-rest, whatever the default is.
        let own = learner.as_reduced().filter(|own| {
            self.request.path.is_none() || own.scheme_for(self.problem) == Scheme::OneVsRest
        });
        SchemeChoice {
            requested: self.request.method.options.multiclass.is_some(),
            reason: own.map(|own| own.reason(self.problem)),
            supported: Scheme::ALL.into_iter().filter(supports).collect(),
        }
    }
}
