//! `linsep show`: contents of a model file.

use super::hyperplane_names;
use crate::failure::Failure;
use crate::output::Output;
use clap::Args;
use linsep::core::DecisionRule;
use linsep::model_file::Header;
use linsep::optimality::Certificate;
use linsep::{ModelFile, Recipe};
use linsep_report::fit::class_columns;
use linsep_report::flags::dropped;
use linsep_report::number::{accuracy, number, plural};
use linsep_report::{Style, Table, Text, inference, post_processing};
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(Args)]
pub struct ShowArgs {
    /// Model file
    model: PathBuf,

    /// Show at most this many features, those of the largest coefficients
    #[arg(long, value_name = "N", default_value_t = 20, help_heading = "Output")]
    top: usize,
}

pub fn run(args: &ShowArgs, out: &Output) -> Result<(), Failure> {
    let model_file = ModelFile::load(&args.model)?;
    let style = Style { wide: out.wide, verbose: out.verbose };
    out.result(|| as_json(&model_file), || as_text(&model_file, args.top, style))
}

fn as_json(model_file: &ModelFile) -> Value {
    let mut header = model_file.header.clone();
    header.recipe.left_out = dropped(&header.recipe.left_out);
    let mut json = serde_json::to_value(&header).unwrap_or_default();
    let hyperplanes: Vec<Value> = model_file
        .model
        .hyperplanes()
        .iter()
        .map(|hyperplane| json!({ "w": hyperplane.w, "b": hyperplane.b }))
        .collect();
    json["planes"] = Value::from(hyperplanes);
    json
}

fn as_text(model_file: &ModelFile, top: usize, style: Style) -> String {
    let (header, model) = (&model_file.header, &model_file.model);
    let mut out = Text::new(style);
    let mut line = |key: &str, value: String| out.entry(key, &value);
    let scheme = header.multiclass.as_ref().map_or(String::new(), |scheme| format!(", {scheme}"));
    line("method", format!("{}{scheme} ({})", header.method, settings(header).join(", ")));
    let classes: Vec<String> = model.classes().iter().map(ToString::to_string).collect();
    line("classes", classes.join(", "));
    line(
        "decision",
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
        },
    );
    line(
        "columns",
        match &header.recipe.pairs {
            None => table_line(&header.recipe),
            Some(pairs) => {
                let features = plural(header.recipe.width(), "feature", "features");
                format!("{features}, numbered from {}", pairs.base)
            }
        },
    );
    let training = &header.training;
    let counts = !header.recipe.counts.is_empty();
    line(
        "training",
        format!(
            "{}: {}; {} after {}",
            plural(training.rows, "row", "rows"),
            accuracy(
                training.accuracy,
                training.mistakes,
                (!counts).then_some(training.rows as f64),
                weighted(header)
            ),
            training.stop,
            match training.proofs.first() {
                Some(_) => plural(training.epochs as usize, "iteration", "iterations"),
                None => plural(training.epochs as usize, "epoch", "epochs"),
            },
        ),
    );
    if let Some(first) = training.proofs.first() {
        line("solver", first.solver.clone());
    }
    let Certificate { claims, numbers } = Certificate::of(header);
    for (key, value) in ["certificate", "", ""].into_iter().zip(claims.into_iter().chain(numbers)) {
        line(key, value);
    }
    let (tuning, trust) = (training.tuning.as_ref(), training.trust.as_ref());
    for (key, value) in post_processing::lines(tuning, trust, model) {
        line(key, value);
    }
    line(
        "written",
        format!(
            "by linsep {}, format {}.{}",
            header.linsep, header.format.major, header.format.minor
        ),
    );
    for column in dropped(&header.recipe.left_out).iter().take(top) {
        out.entry("dropped", &format!("{}: {}", column.name, column.why));
    }
    let known = header.inference.as_ref();
    for (key, value) in known.map_or_else(Vec::new, inference::lines) {
        out.entry(key, &value);
    }
    post_processing::tables(&mut out, tuning, trust);
    match known {
        None => coefficients(&mut out, model_file, top),
        Some(known) => inference::tables(&mut out, known, top),
    }
    out.finish()
}

/// Returns the settings of the method with their names.
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

/// Returns whether rows were weighted: then the total weight of misclassified rows is not their
/// number.
fn weighted(header: &Header) -> bool {
    let training = &header.training;
    if !header.recipe.counts.is_empty() {
        return false;
    }
    let rows = training.rows as f64;
    ((1.0 - training.accuracy) * rows - training.mistakes).abs() > 1e-6 * rows
}

/// Returns the number of columns of each type.
fn table_line(recipe: &Recipe) -> String {
    let mut parts: Vec<String> = Vec::new();
    for (adjective, steps) in recipe.groups(|kind| kind.adjective) {
        let (one, many) = (format!("{adjective} column"), format!("{adjective} columns"));
        let standardized = recipe.standardized && steps[0].units(0).is_some();
        let how = if standardized { " (standardized in training)" } else { "" };
        parts.push(format!("{}{how}", plural(steps.len(), &one, &many)));
    }
    if !recipe.left_out.is_empty() {
        parts.push(format!("{} dropped", plural(recipe.left_out.len(), "column", "columns")));
    }
    parts.push(format!("missing values: {}", recipe.missing.name()));
    format!("{}; target: {}", parts.join(", "), class_columns(recipe))
}

/// Appends the table of the largest coefficients and the intercept, after an empty line.
fn coefficients(out: &mut Text, model_file: &ModelFile, top: usize) {
    const MOST: usize = 10;
    let hyperplanes = model_file.model.hyperplanes();
    let shown = hyperplanes.len().min(MOST);
    let names = hyperplane_names(&model_file.model);
    let names: Vec<&str> = match shown {
        1 => vec!["feature", "coefficient"],
        _ => ["feature"].into_iter().chain(names.iter().take(MOST).map(String::as_str)).collect(),
    };
    let size =
        |j: usize| hyperplanes.iter().map(|hyperplane| hyperplane.w[j].abs()).fold(0.0, f64::max);
    let mut order: Vec<usize> = (0..model_file.model.d()).collect();
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
