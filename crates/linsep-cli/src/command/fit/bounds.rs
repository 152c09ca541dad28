//! The updates of a perceptron against its mistake bound (Novikoff).

use super::report::Report;
use crate::progress::Progress;
use linsep::learner::{Fit, Learner, MistakeBound, convergence};
use linsep::model_file::number as json_number;
use linsep::{Label, Problem};
use linsep_report::number::{count, lower, upper, upper_count};
use serde_json::{Value, json};

/// The bound of each hyperplane, or one for all jointly; empty for other methods and for a start
/// other than zero.
pub(super) fn of(
    learner: &dyn Learner,
    problem: &Problem<'_>,
    started: bool,
    positive: Option<&str>,
    fit: &Fit,
    limit: Option<f64>,
) -> Result<Vec<Option<MistakeBound>>, linsep::core::Error> {
    let Some(reduced) = learner.as_reduced().filter(|_| !started) else { return Ok(Vec::new()) };
    let positive = positive.map(|class| problem.class(&Label::parse(class))).transpose()?;
    convergence(reduced, problem, positive, fit, &mut Progress::within("mistake bound", limit))
}

pub(super) fn json(one: &MistakeBound) -> Value {
    json!({
        "corrections": one.updates,
        "bound": json_number(one.bound.floor()),
        "radius": one.novikoff.radius,
        "gamma": one.novikoff.gamma,
        "rows": if one.kesler { "kesler" } else { "data" },
    })
}

impl Report<'_> {
    /// The line of the summary, for one hyperplane or joint training.
    pub(super) fn bound(&self) -> Option<String> {
        let [Some(one)] = self.bounds[..] else { return None };
        let row = if one.kesler { "row of Kesler's construction" } else { "row" };
        Some(format!(
            "{} updates ≤ {} (mistake bound (R/γ)², Novikoff): largest norm of a {row} R = {}, largest margin γ ≥ {}, in the units of training",
            count(one.updates as f64),
            upper_count(one.bound.floor()),
            upper(one.novikoff.radius),
            lower(one.novikoff.gamma)
        ))
    }
}
