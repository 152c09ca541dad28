//! Separable classes as text and JSON, for `fit`, its report page and `show`.

use linsep::core::certify::SeparationKind;
use linsep::core::learner::SeparationEffect;
use linsep::core::model::Model;
use linsep::model_file::{SeparableProblem, SeparationRecord};
use serde_json::{Value, json};

/// One line per separable problem.
pub(crate) fn lines(record: Option<&SeparationRecord>, model: &Model) -> Vec<String> {
    const SHOWN: usize = 5;
    let Some(SeparationRecord { effect, problems, of }) = record else { return Vec::new() };
    let names = model.decision_rule().hyperplane_names(model.classes());
    let line = |one: &SeparableProblem| match (of, names.get(one.hyperplane)) {
        (2.., Some(name)) => format!("class {name}: {}", text(one, *effect)),
        _ => text(one, *effect),
    };
    let mut lines: Vec<String> = problems.iter().take(SHOWN).map(line).collect();
    let more = problems.len().saturating_sub(SHOWN);
    if more > 0 {
        lines.push(format!("{more} more hyperplanes have separable classes"));
    }
    lines
}

/// The kind of separation, or a list by hyperplane.
pub(crate) fn json(record: &SeparationRecord, model: &Model) -> Value {
    let SeparationRecord { effect, problems, of } = record;
    let mut json = match &problems[..] {
        [one] if *of == 1 => {
            json!({ "verdict": one.kind.name(), "infinite": one.infinite })
        }
        problems => {
            let names = model.decision_rule().hyperplane_names(model.classes());
            let one = |one: &SeparableProblem| {
                json!({
                    "plane": names.get(one.hyperplane),
                    "verdict": one.kind.name(),
                    "infinite": one.infinite,
                })
            };
            json!({ "planes": problems.iter().map(one).collect::<Vec<_>>() })
        }
    };
    if let Some(effect) = effect {
        json["optimum"] = json!(match effect {
            SeparationEffect::None => "none",
            SeparationEffect::Many => "many",
        });
    }
    json
}

/// The separation of a problem, and its effect.
fn text(one: &SeparableProblem, effect: Option<SeparationEffect>) -> String {
    let (coefficients, verb) = one.coefficients();
    match (one.kind, effect) {
        (SeparationKind::Complete, Some(SeparationEffect::None)) => {
            "complete separation: the objective has no minimizer; the coefficients diverge"
                .to_owned()
        }
        (SeparationKind::Complete, Some(SeparationEffect::Many)) => {
            "complete separation: the minimum is 0, and many hyperplanes attain it".to_owned()
        }
        (SeparationKind::Complete, None) => {
            "complete separation: all maximum-likelihood estimates are infinite; Firth's estimates are finite"
                .to_owned()
        }
        (_, Some(SeparationEffect::None)) => format!(
            "quasi-complete separation: the objective has no minimizer; {coefficients} {verb} infinite (see linsep separable)"
        ),
        (_, Some(SeparationEffect::Many)) => format!(
            "quasi-complete separation: the minimizer is not unique; {coefficients} may diverge at no cost"
        ),
        (_, None) => format!(
            "quasi-complete separation: by maximum likelihood {coefficients} {verb} infinite; Firth's estimates are finite"
        ),
    }
}
