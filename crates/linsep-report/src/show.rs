//! The contents of a model file as text and JSON.

use crate::fit::class_columns;
use crate::flags::dropped;
use crate::layout::{Style, Text};
use crate::number::{accuracy, number, plural};
use crate::table::Table;
use crate::{inference, mistake_bound, post_processing, separation};
use linsep::core::DecisionRule;
use linsep::core::model::Model;
use linsep::jobs::ShowOutcome;
use linsep::model_file::Header;
use linsep::optimality::Certificate;
use linsep::{ModelFile, Recipe};
use serde_json::{Value, json};

/// The outcome as JSON: the header of the file, the hyperplanes, and what loading recomputed.
pub(crate) fn json(outcome: &ShowOutcome) -> Value {
    let ModelFile { model, header, .. } = &outcome.model_file;
    let mut header = header.clone();
    header.recipe.dropped = dropped(&header.recipe.dropped);
    let mut json = serde_json::to_value(&header).unwrap_or_default();
    let hyperplanes: Vec<Value> = model
        .hyperplanes()
        .iter()
        .map(|hyperplane| json!({ "w": hyperplane.w, "b": hyperplane.b }))
        .collect();
    json["planes"] = Value::from(hyperplanes);
    // Keys of the interface that differ from those of the file.
    for (place, key, shown) in [
        ("", "operating_point", "cut"),
        ("/recipe", "dropped", "left_out"),
        ("/training", "certificates", "proofs"),
        ("/training", "post_processing", "trust"),
    ] {
        if let Some(Value::Object(part)) = json.pointer_mut(place)
            && let Some(value) = part.remove(key)
        {
            part.insert(shown.to_owned(), value);
        }
    }
    json["recomputed"] = json!(outcome.recomputed);
    json["recorded"] = json!(outcome.recorded);
    json
}

/// The outcome as text.
pub(crate) fn text(outcome: &ShowOutcome, style: Style) -> String {
    let (header, model) = (&outcome.model_file.header, &outcome.model_file.model);
    let mut out = Text::new(style);
    let scheme = header.multiclass.as_ref().map_or(String::new(), |scheme| format!(", {scheme}"));
    out.entry("method", &format!("{}{scheme} ({})", header.method, settings(header).join(", ")));
    let classes: Vec<String> = model.classes().iter().map(ToString::to_string).collect();
    out.entry("classes", &classes.join(", "));
    out.entry("decision", &decision(model, &classes));
    out.entry("columns", &columns(&header.recipe));
    training(outcome, &mut out);
    out.entry(
        "written",
        &format!(
            "by linsep {}, format {}.{}",
            header.linsep, header.format.major, header.format.minor
        ),
    );
    let recomputed = outcome.recomputed.join(", ");
    out.entry("recomputed", &format!("on loading, equal to the file: {recomputed}"));
    let recorded = outcome.recorded.join(", ");
    out.entry("recorded", &format!("by fit, not recomputed: {recorded}"));
    for column in dropped(&header.recipe.dropped).iter().take(outcome.top) {
        out.entry("dropped", &format!("{}: {}", column.name, column.why));
    }
    let known = header.inference.as_ref();
    for (key, value) in known.map_or_else(Vec::new, inference::lines) {
        out.entry(key, &value);
    }
    let (tuning, processed) =
        (header.training.tuning.as_ref(), header.training.post_processing.as_ref());
    post_processing::tables(&mut out, tuning, processed);
    match known {
        None => coefficients(&mut out, &outcome.model_file, outcome.top),
        Some(known) => inference::tables(&mut out, known, outcome.top),
    }
    out.finish()
}

/// Appends the summary of training.
fn training(outcome: &ShowOutcome, out: &mut Text) {
    let (header, model) = (&outcome.model_file.header, &outcome.model_file.model);
    let training = &header.training;
    let counts = !header.recipe.counts.is_empty();
    let rows = (!counts).then_some(training.rows as f64);
    let accuracy = accuracy(training.accuracy, training.mistakes, rows, outcome.weighted);
    let length = match training.certificates.first() {
        Some(_) => plural(training.epochs as usize, "iteration", "iterations"),
        None => plural(training.epochs as usize, "epoch", "epochs"),
    };
    let rows = plural(training.rows, "row", "rows");
    out.entry("training", &format!("{rows}: {accuracy}; {} after {length}", training.stop));
    if let Some(first) = training.certificates.first() {
        out.entry("solver", &first.solver);
    }
    let Certificate { claims, numbers } = Certificate::of(header);
    for (key, value) in ["certificate", "", ""].into_iter().zip(claims.into_iter().chain(numbers)) {
        out.entry(key, &value);
    }
    for text in mistake_bound::lines(&training.mistake_bounds, model) {
        out.entry("bound", &text);
    }
    for text in separation::lines(training.separation.as_ref(), model) {
        out.entry("note", &text);
    }
    let (tuning, processed) = (training.tuning.as_ref(), training.post_processing.as_ref());
    for (key, value) in post_processing::lines(tuning, processed, model) {
        out.entry(key, &value);
    }
}

/// The decision rule in words.
fn decision(model: &Model, classes: &[String]) -> String {
    match model.decision_rule() {
        DecisionRule::Sign => {
            let at = model.operating_point().threshold;
            let at = match model.probability_at(at) {
                Some(p) => format!("probability ≥ {}", number(p)),
                None => format!("score ≥ {}", number(at)),
            };
            format!("{} if its {at}, else {}", classes[1], classes[0])
        }
        DecisionRule::ArgMax => "the class with the largest score".to_owned(),
        DecisionRule::OneOrLast => format!(
            "the only class with score ≥ 0, or {} if there is none; ambiguous if several",
            classes[classes.len() - 1]
        ),
        DecisionRule::Vote => {
            "the class with the most votes of the class pairs; ambiguous in a tie".to_owned()
        }
        other => other.name().to_owned(),
    }
}

/// The settings of the method with their names.
fn settings(header: &Header) -> Vec<String> {
    header
        .settings
        .iter()
        .map(|(name, value)| match value {
            Value::String(value) => format!("{name} {value}"),
            value if name == "c" => format!("C {value}"),
            // A setting selected from the data has more digits than are significant.
            value => match value.as_f64() {
                Some(v) if value.to_string().len() > 8 => format!("{name} {}", number(v)),
                _ => format!("{name} {value}"),
            },
        })
        .collect()
}

/// The number of columns of each type, and the target.
fn columns(recipe: &Recipe) -> String {
    if let Some(pairs) = &recipe.pairs {
        let features = plural(recipe.width(), "feature", "features");
        return format!("{features}, numbered from {}", pairs.base);
    }
    let mut parts: Vec<String> = Vec::new();
    for (adjective, steps) in recipe.groups(|kind| kind.adjective) {
        let (one, many) = (format!("{adjective} column"), format!("{adjective} columns"));
        let standardized = recipe.standardized && steps[0].units(0).is_some();
        let how = if standardized { " (standardized in training)" } else { "" };
        parts.push(format!("{}{how}", plural(steps.len(), &one, &many)));
    }
    if !recipe.dropped.is_empty() {
        parts.push(format!("{} dropped", plural(recipe.dropped.len(), "column", "columns")));
    }
    parts.push(format!("missing values: {}", recipe.missing.name()));
    format!("{}; target: {}", parts.join(", "), class_columns(recipe))
}

/// Appends the table of the largest coefficients and the intercept, after an empty line.
fn coefficients(out: &mut Text, model_file: &ModelFile, top: usize) {
    const MOST: usize = 10;
    let model = &model_file.model;
    let hyperplanes = model.hyperplanes();
    let shown = hyperplanes.len().min(MOST);
    let names = model.decision_rule().hyperplane_names(model.classes());
    let names: Vec<&str> = match shown {
        1 => vec!["feature", "coefficient"],
        _ => ["feature"].into_iter().chain(names.iter().take(MOST).map(String::as_str)).collect(),
    };
    let size =
        |j: usize| hyperplanes.iter().map(|hyperplane| hyperplane.w[j].abs()).fold(0.0, f64::max);
    let mut order: Vec<usize> = (0..model.d()).collect();
    if order.len() > top {
        order.sort_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
    }
    let features = model_file.header.recipe.features();
    let mut table = Table::new(&names, 1);
    for &j in order.iter().take(top) {
        let cells = hyperplanes.iter().take(shown).map(|hyperplane| number(hyperplane.w[j]));
        table.row([features[j].clone()].into_iter().chain(cells).collect());
    }
    let intercepts = hyperplanes.iter().take(shown).map(|hyperplane| number(hyperplane.b));
    table.row(["(intercept)".to_owned()].into_iter().chain(intercepts).collect());
    out.gap();
    out.table(&table, 2);
    if order.len() > top {
        let more = plural(order.len() - top, "feature", "features");
        out.paragraph(2, &format!("… and {more} with smaller coefficients"));
    }
    if hyperplanes.len() > shown {
        let more = plural(hyperplanes.len() - shown, "hyperplane", "hyperplanes");
        out.paragraph(2, &format!("… and {more}"));
    }
}
