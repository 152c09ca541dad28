//! The corrections of perceptrons against the most they can make: Novikoff's bound, shown.

use super::report::Report;
use crate::progress::Progress;
use crate::text::{count, lower, upper, upper_count};
use linsep::learner::{Fit, Learner, MistakeBound, convergence};
use linsep::{Label, Problem};
use linsep_io::model_file::number as json_number;
use serde_json::{Value, json};

/// Seconds that looking for margins may take, where the time limit is not shorter.
const SECONDS: f64 = 1.0;

/// Of each hyperplane or of all together, where it is known; nothing for other methods, and nothing
/// for a run that was started elsewhere than at zero.
pub(super) fn of(
    learner: &dyn Learner,
    problem: &Problem<'_>,
    started: bool,
    positive: Option<&str>,
    fit: &Fit,
    limit: Option<f64>,
) -> Result<Vec<Option<MistakeBound>>, linsep::Error> {
    let Some(reduced) = learner.as_reduced().filter(|_| !started) else { return Ok(Vec::new()) };
    let positive = positive.map(|class| problem.class(&Label::parse(class))).transpose()?;
    let seconds = limit.map_or(SECONDS, |limit| limit.min(SECONDS));
    convergence(reduced, problem, positive, fit, &mut Progress::new("mistake bound", Some(seconds)))
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
    /// In words, where there is one hyperplane, or all were found together.
    pub(super) fn bound(&self) -> Option<String> {
        let [Some(one)] = self.bounds[..] else { return None };
        let rows = if one.kesler { "row of Kesler's construct" } else { "row" };
        Some(format!(
            "{} corrections of at most {} (Novikoff's bound): R = {} is the length of the longest {rows}, γ ≥ {} the largest margin, both of the rows as they are learned from",
            count(one.updates as f64),
            upper_count(one.bound.floor()),
            upper(one.novikoff.radius),
            lower(one.novikoff.gamma)
        ))
    }
}
