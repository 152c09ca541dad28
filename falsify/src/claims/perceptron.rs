//! Perceptrons: their number of updates, and the bound on it.

use super::fit::Data;
use crate::case::Case;
use linsep_core::learner::{self, Scheme, convergence};
use linsep_core::options::Options;

/// Updates of a hyperplane, or of a joint fit.
#[derive(Clone, Copy, Debug)]
pub struct Updates {
    /// Number of updates.
    pub updates: u64,
    /// Novikoff's bound on the updates of any run from 0.
    pub bound: f64,
    /// R of the bound.
    pub radius: f64,
    /// γ of the bound.
    pub gamma: f64,
    /// Whether the fit is by Kesler's construction.
    pub kesler: bool,
}

/// Perceptron to run.
#[derive(Clone, Copy, Debug)]
pub struct Perceptron {
    /// Name of the method.
    pub method: &'static str,
    /// `one-vs-rest`, `one-vs-one`, `kesler` or `winner-take-all`.
    pub scheme: &'static str,
}

/// Runs a perceptron on the rows of a case; returns its updates.
pub fn updates(case: &Case, perceptron: Perceptron) -> Result<Vec<Option<Updates>>, String> {
    let data = Data::of(case)?;
    let problem = data.problem()?;
    let text = |e: linsep_core::Error| e.to_string();
    let scheme = Scheme::by_name(perceptron.scheme).map_err(text)?;
    let options = Options {
        epochs: Some(200),
        seed: Some(case.settings.seed),
        multiclass: (case.rows.k > 2).then_some(scheme),
        ..Options::default()
    };
    let learner = learner::by_name(perceptron.method, &options).map_err(text)?;
    let fit = learner.learn(&problem, None, None, &mut ()).map_err(text)?;
    let Some(reduced) = learner.as_reduced() else { return Ok(Vec::new()) };
    let all = convergence(reduced, &problem, None, &fit, &mut ()).map_err(text)?;
    Ok(all
        .into_iter()
        .map(|found| {
            found.map(|found| Updates {
                updates: found.updates,
                bound: found.bound,
                radius: found.novikoff.radius,
                gamma: found.novikoff.gamma,
                kesler: found.kesler,
            })
        })
        .collect())
}
