//! The updates of a perceptron against its mistake bound (Novikoff).

use super::Report;
use crate::number::{count, lower, upper, upper_count};
use linsep::core::learner::MistakeBound;
use linsep::model_file::number as json_number;
use serde_json::{Value, json};

impl Report<'_> {
    /// The bounds, if there is one.
    pub(super) fn bounds_json(self) -> Option<Value> {
        let all = &self.0.bounds;
        all.iter()
            .any(Option::is_some)
            .then(|| all.iter().map(|one| one.as_ref().map(json)).collect())
    }

    /// The line of the summary, for one hyperplane or joint training.
    pub(super) fn bound(self) -> Option<String> {
        let [Some(one)] = &self.0.bounds[..] else { return None };
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

fn json(one: &MistakeBound) -> Value {
    json!({
        "corrections": one.updates,
        "bound": json_number(one.bound.floor()),
        "radius": one.novikoff.radius,
        "gamma": one.novikoff.gamma,
        "rows": if one.kesler { "kesler" } else { "data" },
    })
}
