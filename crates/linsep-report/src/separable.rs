//! A separation test as text and JSON.

mod witness;

use crate::layout::{Style, Text};
use crate::number::{count, lower, plural, upper, upper_count};
use linsep::core::certify::SeparationKind;
use linsep::core::certify::separation::{
    Divergence, InfiniteCoefficient, Margin, PartialResult, Reason, Separation,
};
use linsep::jobs::SeparableOutcome;
use linsep::model_file::number as json_number;
use serde_json::{Value, json};

/// The outcome as JSON.
pub(crate) fn json(outcome: &SeparableOutcome) -> Value {
    let SeparableOutcome { separation, classes, features, seconds, .. } = outcome;
    let infinite = |one: &InfiniteCoefficient| {
        json!({
            "class": classes[one.class],
            "column": one.column.map_or("(bias)", |j| &features[j]),
            "sign": sign(one.divergence).map(|(sign, _)| sign),
        })
    };
    json!({
        "verdict": separation.verdict.name(),
        "verified": separation.evidence.is_some(),
        "n": outcome.rows,
        "d": features.len(),
        "k": classes.len(),
        "classes": classes,
        "certificate": outcome.certificate.as_ref().map(|certificate| json!({
            "planes": certificate.hyperplanes,
            "rows": certificate.dependence.as_ref().map(|part| &part.rows),
            "against": certificate.dependence.as_ref().and_then(|part| part.against.as_ref()),
            "weights": certificate.dependence.as_ref().map(|part| &part.weights),
            "spanning": certificate.spanning,
            "sha256": certificate.data.sha256,
        })),
        "infinite_coefficients": separation.infinite.iter().map(infinite).collect::<Vec<_>>(),
        "reason": separation.reason.map(Reason::meaning),
        "known": separation.reason.map(|_| known_json(&separation.known)),
        "sweeps": separation.sweeps,
        "margin": separation.margin.as_ref().map_or(Value::Null, margin_json),
        "seconds": { "read": seconds.read, "decide": seconds.work },
        "out": outcome.saved,
    })
}

/// The outcome as text.
pub(crate) fn text(outcome: &SeparableOutcome, style: Style) -> String {
    let SeparableOutcome { separation, classes, features, .. } = outcome;
    let names: Vec<String> = classes.iter().map(ToString::to_string).collect();
    let mut out = Text::new(style);
    let size = [plural(outcome.rows, "row", "rows"), plural(features.len(), "feature", "features")];
    out.entry("data", &format!("{}: {}", outcome.data, size.join(", ")));
    out.entry("classes", &format!("{}: {}", names.len(), names.join(", ")));
    let kind = separation.verdict;
    out.entry("separation", &format!("{}: {}", kind.name(), kind.meaning()));
    if let Some(reason) = separation.reason {
        out.entry("reason", reason.meaning());
        for line in known_text(&separation.known, classes.len()) {
            out.entry("known", &line);
        }
        if let Some(rows) = &outcome.dependence {
            witness::dependent_rows(&mut out, rows, outcome);
        }
        return out.finish();
    }
    let estimate = estimate(separation);
    out.entry("implies", &format!("unpenalized logistic regression has {estimate}"));
    for one in &separation.infinite {
        out.entry("", &infinite(one, outcome));
    }
    if let Some(margin) = &separation.margin {
        margin_text(&mut out, margin);
    }
    out.entry("verified", "in exact arithmetic, by the independent checker");
    if let Some(path) = &outcome.saved {
        out.whole_entry("certificate", path);
    }
    if let Some(witness) = &separation.evidence {
        witness::text(&mut out, witness, outcome);
    }
    out.finish()
}

fn margin_text(out: &mut Text, margin: &Margin) {
    out.entry(
        "margin",
        &format!(
            "{} to {} (maximum distance from a hyperplane to the nearest rows)",
            lower(margin.distance.least),
            upper(margin.distance.most)
        ),
    );
    out.entry(
        "",
        &format!(
            "mistake bound (Novikoff): at most (R/γ)² = {} perceptron updates (R = {}, γ ≥ {})",
            upper_count(margin.novikoff().ceil()),
            upper(margin.radius),
            lower(margin.gamma.least)
        ),
    );
}

/// A coefficient without a finite estimate.
fn infinite(one: &InfiniteCoefficient, outcome: &SeparableOutcome) -> String {
    let (sign, open) = match (sign(one.divergence), one.divergence) {
        (Some((_, sign)), _) => (sign, ""),
        (None, Divergence::Undetermined) => ("? ", ": undetermined (+∞, −∞ or finite)"),
        (None, _) => ("? ", ": infinite along the hyperplane shown, sign undecided"),
    };
    let class = match &outcome.classes[..] {
        [_, _] => String::new(),
        classes => format!(" (class {})", classes[one.class]),
    };
    let feature = one.column.map_or("(intercept)", |j| &outcome.features[j]);
    format!("{sign}  {feature}{class}{open}")
}

/// The estimate of unpenalized logistic regression that a kind of separation implies.
fn estimate(separation: &Separation) -> &'static str {
    let fixed = |one: &InfiniteCoefficient| sign(one.divergence).is_some();
    match separation.verdict {
        SeparationKind::Complete => "no finite maximum-likelihood estimate",
        SeparationKind::QuasiComplete if separation.infinite.iter().all(fixed) => {
            "no finite maximum-likelihood estimate: these estimates are infinite"
        }
        SeparationKind::QuasiComplete => {
            "no finite maximum-likelihood estimate: some of these estimates are infinite"
        }
        SeparationKind::Overlap | SeparationKind::Undecided => {
            "a finite maximum-likelihood estimate"
        }
    }
}

/// The determined sign of an infinite coefficient, as JSON value and as text.
fn sign(toward: Divergence) -> Option<(&'static str, &'static str)> {
    match toward {
        Divergence::Plus => Some(("+", "+∞")),
        Divergence::Minus => Some(("-", "−∞")),
        Divergence::Undetermined | Divergence::Undecided => None,
    }
}

/// The partial result of an undecided test as JSON.
fn known_json(known: &PartialResult) -> Value {
    let of = known.dependence.as_ref().map(|few| {
        let rows: Vec<usize> = few.rows.iter().map(|against| against.row).collect();
        json!({ "rows": rows, "weights": few.weights })
    });
    json!({
        "not_complete": known.dependence.is_some(),
        "dependence": of,
        "fewest_wrong": known.fewest_misclassified.map(|(n, _)| n),
        "of": known.fewest_misclassified.map(|(_, of)| of),
    })
}

/// The partial result of an undecided test as text.
fn known_text(known: &PartialResult, k: usize) -> Vec<String> {
    let first = match &known.dependence {
        Some(_) => {
            "not complete, proved by the rows below; quasi-complete and overlap remain possible"
        }
        None => "nothing is proved: complete, quasi-complete and overlap remain possible",
    };
    let best = known.fewest_misclassified.map(|(n, of)| {
        let (n, of) = (count(n as f64), count(of as f64));
        match k {
            2 => format!("best hyperplane found: {n} of {of} rows on the wrong side or on it"),
            _ => format!(
                "best hyperplanes found: {n} of {of} pairs of a row and another class without a \
                 positive margin"
            ),
        }
    });
    [Some(first.to_owned()), best].into_iter().flatten().collect()
}

fn margin_json(margin: &Margin) -> Value {
    json!({
        "distance": { "least": margin.distance.least, "most": margin.distance.most },
        "gamma": { "least": margin.gamma.least, "most": margin.gamma.most },
        "radius": margin.radius,
        "novikoff": json_number(margin.novikoff()),
        "plane": { "w": margin.distance.hyperplane.w, "b": margin.distance.hyperplane.b },
    })
}
