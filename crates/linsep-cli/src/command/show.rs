//! `linsep show`: what is in a model.

use crate::failure::Failure;
use crate::output::Output;
use crate::text::{Table, count, number, percent, plural};
use clap::Args;
use linsep_io::Bundle;
use linsep_io::bundle::Schema;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;

#[derive(Args)]
pub struct ShowArgs {
    /// The model
    model: PathBuf,

    /// Show this many columns at the most, those of the largest weights first
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
}

pub fn run(args: &ShowArgs, out: &Output) -> Result<(), Failure> {
    let bundle = Bundle::load(&args.model)?;
    out.result(|| as_json(&bundle), || as_text(&bundle, args.top))
}

fn as_json(bundle: &Bundle) -> Value {
    let mut json = serde_json::to_value(&bundle.header).unwrap_or_default();
    let planes: Vec<Value> =
        bundle.model.planes().iter().map(|plane| json!({ "w": plane.w, "b": plane.b })).collect();
    json["planes"] = Value::from(planes);
    json
}

fn as_text(bundle: &Bundle, top: usize) -> String {
    let (header, model) = (&bundle.header, &bundle.model);
    let mut out = String::new();
    let mut line = |key: &str, value: String| {
        let _ = writeln!(out, "{key:<9} {value}");
    };
    let settings: Vec<String> = header
        .settings
        .iter()
        .map(|(name, value)| match value {
            Value::String(word) => format!("{name} {word}"),
            value => format!("{name} {value}"),
        })
        .collect();
    let scheme = header.multiclass.as_ref().map_or(String::new(), |scheme| format!(", {scheme}"));
    line("method", format!("{}{scheme} ({})", header.method, settings.join(", ")));
    let classes: Vec<String> = model.classes().iter().map(ToString::to_string).collect();
    line("classes", classes.join(", "));
    line(
        "decision",
        match model.planes().len() {
            1 => format!("{} where the score is ≥ 0, else {}", classes[1], classes[0]),
            _ => "the class with the largest score".to_owned(),
        },
    );
    line(
        "schema",
        match &header.schema {
            Schema::Table { target, features, .. } => {
                format!(
                    "{}, classes in {target}",
                    plural(features.len(), "named column", "named columns")
                )
            }
            Schema::Sparse { columns, base } => {
                format!("{}, numbered from {base}", plural(*columns, "column", "columns"))
            }
        },
    );
    let training = &header.training;
    line(
        "training",
        format!(
            "{}: {} right ({} wrong); {} after {}",
            plural(training.rows, "row", "rows"),
            percent(training.accuracy),
            count(training.mistakes),
            training.stop,
            plural(training.epochs as usize, "epoch", "epochs"),
        ),
    );
    line(
        "written",
        format!(
            "by linsep {}, format {}.{}",
            header.linsep, header.format.major, header.format.minor
        ),
    );
    out.push('\n');
    out.push_str(&weights(bundle, &classes, top));
    out
}

/// The columns with the largest weights, and the bias.
fn weights(bundle: &Bundle, classes: &[String], top: usize) -> String {
    const MOST: usize = 10;
    let planes = bundle.model.planes();
    let shown = planes.len().min(MOST);
    let names: Vec<&str> = match shown {
        1 => vec!["column", "weight"],
        _ => ["column"].into_iter().chain(classes.iter().take(MOST).map(String::as_str)).collect(),
    };
    let size = |j: usize| planes.iter().map(|plane| plane.w[j].abs()).fold(0.0, f64::max);
    let mut order: Vec<usize> = (0..bundle.model.d()).collect();
    if order.len() > top {
        order.sort_by(|&a, &b| size(b).total_cmp(&size(a)).then(a.cmp(&b)));
    }
    let mut table = Table::new(&names, 1);
    for &j in order.iter().take(top) {
        let cells = planes.iter().take(shown).map(|plane| number(plane.w[j]));
        table.row([bundle.header.schema.feature(j)].into_iter().chain(cells).collect());
    }
    let bias = planes.iter().take(shown).map(|plane| number(plane.b));
    table.row(["(bias)".to_owned()].into_iter().chain(bias).collect());
    let mut out = table.show(2);
    if order.len() > top {
        let _ = writeln!(
            out,
            "  … and {} of smaller weight",
            plural(order.len() - top, "column", "columns")
        );
    }
    if planes.len() > shown {
        let _ = writeln!(out, "  … and {}", plural(planes.len() - shown, "class", "classes"));
    }
    out
}
