//! The updates of a perceptron against its mistake bound (Novikoff), for `fit` and `show`.

use crate::number::{count, lower, upper, upper_count};
use linsep::core::learner::MistakeBound;
use linsep::core::model::Model;
use linsep::model_file::number as json_number;
use serde_json::{Value, json};

/// The bounds as JSON, if there is one.
pub(crate) fn json(bounds: &[Option<MistakeBound>]) -> Option<Value> {
    let all = || bounds.iter().map(|one| one.as_ref().map(one_json)).collect();
    bounds.iter().any(Option::is_some).then(all)
}

fn one_json(one: &MistakeBound) -> Value {
    json!({
        "corrections": one.updates,
        "bound": json_number(one.bound.floor()),
        "radius": one.novikoff.radius,
        "gamma": one.novikoff.gamma,
        "rows": if one.kesler { "kesler" } else { "data" },
    })
}

/// The line of a single hyperplane, or of joint training.
pub(crate) fn single(bounds: &[Option<MistakeBound>]) -> Option<String> {
    let [Some(one)] = bounds else { return None };
    let row = if one.kesler { "row of Kesler's construction" } else { "row" };
    Some(format!(
        "{} (mistake bound (R/γ)², Novikoff): largest norm of a {row} R = {}, largest margin γ ≥ {}, in the units of training",
        updates(one),
        upper(one.novikoff.radius),
        lower(one.novikoff.gamma)
    ))
}

/// The line of a single bound, or one line per hyperplane that has a bound.
pub(crate) fn lines(bounds: &[Option<MistakeBound>], model: &Model) -> Vec<String> {
    const SHOWN: usize = 5;
    if bounds.len() < 2 {
        return single(bounds).into_iter().collect();
    }
    let names = model.decision_rule().hyperplane_names(model.classes());
    let bounded = names.iter().zip(bounds).filter_map(|(name, one)| Some((name, one.as_ref()?)));
    let line = |(name, one): (&String, &MistakeBound)| {
        format!("class {name}: {} (mistake bound (R/γ)², Novikoff)", updates(one))
    };
    let mut lines: Vec<String> = bounded.map(line).collect();
    let more = lines.len().saturating_sub(SHOWN);
    lines.truncate(SHOWN);
    if more > 0 {
        lines.push(format!("{more} more hyperplanes have a mistake bound"));
    }
    lines
}

fn updates(one: &MistakeBound) -> String {
    let noun = if one.updates == 1 { "update" } else { "updates" };
    format!("{} {noun} ≤ {}", count(one.updates as f64), upper_count(one.bound.floor()))
}
