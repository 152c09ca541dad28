//! `linsep show`: contents of a model file.

use super::hyperplane_names;
use crate::certificate;
use crate::data::{class_columns, dropped};
use crate::failure::Failure;
use crate::inference;
use crate::layout::{Table, entry, paragraph};
use crate::output::Output;
use crate::post_processing;
use clap::Args;
use linsep::DecisionRule;
use linsep::model_file::Header;
use linsep::recipe::{Encoding, TableRecipe};
use linsep::{ModelFile, Recipe};
use linsep_report::number::{accuracy, number, plural};
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
    out.result(|| as_json(&model_file), || as_text(&model_file, args.top))
}

fn as_json(model_file: &ModelFile) -> Value {
    let mut header = model_file.header.clone();
    if let Recipe::Table(table) = &mut header.recipe {
        table.left_out = dropped(&table.left_out);
    }
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

fn as_text(model_file: &ModelFile, top: usize) -> String {
    let (header, model) = (&model_file.header, &model_file.model);
    let mut out = String::new();
    let mut line = |key: &str, value: String| entry(&mut out, key, &value);
    let scheme = header.multiclass.as_ref().map_or(String::new(), |scheme| format!(", {scheme}"));
    line("method", format!("{}{scheme} ({})", header.method, settings(header).join(", ")));
    let classes: Vec<String> = model.classes().iter().map(ToString::to_string).collect();
    line("classes", classes.join(", "));
    line(
        "decision",
        match model.decision_rule() {
            DecisionRule::Sign => {
                let at = model.operating_point().threshold;
                let at = match post_processing::probability_at(model, at) {
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
        match &header.recipe {
            Recipe::Table(table) => table_line(table),
            Recipe::Sparse { columns, base } => {
                format!("{}, numbered from {base}", plural(columns.count(), "feature", "features"))
            }
        },
    );
    let training = &header.training;
    let counts = match &header.recipe {
        Recipe::Table(table) if !table.counts.is_empty() => Some(table),
        _ => None,
    };
    line(
        "training",
        format!(
            "{}: {}; {} after {}",
            plural(training.rows, "row", "rows"),
            accuracy(
                training.accuracy,
                training.mistakes,
                counts.is_none().then_some(training.rows as f64),
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
    for (key, value) in
        ["certificate", "", ""].into_iter().zip(certificate::lines(training, &header.recipe))
    {
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
    if let Recipe::Table(table) = &header.recipe {
        for column in dropped(&table.left_out).iter().take(top) {
            entry(&mut out, "dropped", &format!("{}: {}", column.name, column.why));
        }
    }
    let own = match &header.inference {
        None => vec![coefficients(model_file, top)],
        Some(known) => {
            for (key, value) in inference::lines(known) {
                entry(&mut out, key, &value);
            }
            inference::tables(known, top)
        }
    };
    for table in post_processing::tables(tuning, trust).into_iter().chain(own) {
        out.push('\n');
        out.push_str(&table);
    }
    out
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
    if matches!(&header.recipe, Recipe::Table(table) if !table.counts.is_empty()) {
        return false;
    }
    let rows = training.rows as f64;
    ((1.0 - training.accuracy) * rows - training.mistakes).abs() > 1e-6 * rows
}

/// Returns the columns of a table by their encoding.
fn table_line(table: &TableRecipe) -> String {
    let (mut numeric, mut categorical) = (0, 0);
    for step in &table.steps {
        match step.encoding {
            Encoding::Number { .. } => numeric += 1,
            Encoding::Category { .. } | Encoding::Hashed { .. } => categorical += 1,
        }
    }
    let mut parts = Vec::new();
    if numeric > 0 {
        let columns = plural(numeric, "numeric column", "numeric columns");
        let standardized = if table.standardized { " (standardized in training)" } else { "" };
        parts.push(format!("{columns}{standardized}"));
    }
    if categorical > 0 {
        parts.push(plural(categorical, "categorical column", "categorical columns"));
    }
    if !table.left_out.is_empty() {
        parts.push(format!("{} dropped", plural(table.left_out.len(), "column", "columns")));
    }
    parts.push(format!("missing values: {}", table.missing.name()));
    format!("{}; target: {}", parts.join(", "), class_columns(table))
}

/// Returns the table of the largest coefficients and the intercept.
fn coefficients(model_file: &ModelFile, top: usize) -> String {
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
    let mut out = table.show(2);
    if order.len() > top {
        let more = plural(order.len() - top, "feature", "features");
        paragraph(&mut out, 2, &format!("… and {more} with smaller coefficients"));
    }
    if hyperplanes.len() > shown {
        let more = plural(hyperplanes.len() - shown, "hyperplane", "hyperplanes");
        paragraph(&mut out, 2, &format!("… and {more}"));
    }
    out
}
