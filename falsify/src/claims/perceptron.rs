//! Perceptrons: how many corrections they made, and the most they can make.

use super::fit::Data;
use crate::case::Case;
use linsep::learner::{self, Scheme, convergence};
use linsep::options::Options;

/// Corrections of a hyperplane, or of all jointly.
#[derive(Clone, Copy, Debug)]
pub struct Corrections {
    /// Corrections made.
    pub made: u64,
    /// No run from 0 makes more.
    pub bound: f64,
    /// R and γ that the bound is made of.
    pub radius: f64,
    /// γ.
    pub gamma: f64,
    /// Whether they are of Kesler's construct.
    pub kesler: bool,
}

/// What is run.
#[derive(Clone, Copy, Debug)]
pub struct Perceptron {
    /// Method by name.
    pub method: &'static str,
    /// `one-vs-rest`, `one-vs-one`, `kesler` or `winner-take-all`.
    pub scheme: &'static str,
}

/// The corrections of a perceptron on a case's rows.
pub fn corrections(
    case: &Case,
    perceptron: Perceptron,
) -> Result<Vec<Option<Corrections>>, String> {
    let data = Data::of(case)?;
    let problem = data.problem()?;
    let text = |e: linsep::Error| e.to_string();
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
            found.map(|found| Corrections {
                made: found.corrections,
                bound: found.bound,
                radius: found.novikoff.radius,
                gamma: found.novikoff.gamma,
                kesler: found.kesler,
            })
        })
        .collect())
}
