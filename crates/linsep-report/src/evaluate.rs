//! An evaluation as text and JSON.

use crate::compare::key;
use crate::escape::safe_json;
use crate::layout::{Style, Table, Text};
use crate::number::{self, count, number, percent, plural};
use linsep::core::Label;
use linsep::core::metric::{ALL, Bin, Measured, Metric, Of};
use linsep::evaluation::{Curves, Evaluation, RejectOptionMetrics};
use linsep::jobs::EvaluateOutcome;
use linsep::model_file::{Header, number as json_number};
use serde_json::{Value, json};
use std::io::{self, Write};

/// The metrics with a value or an interval, beside their definitions.
fn measured(evaluation: &Evaluation) -> impl Iterator<Item = (&'static Metric, &Measured)> {
    ALL.into_iter().filter_map(|metric| {
        let own = evaluation.metrics.iter().find(|own| own.name == metric.name)?;
        Some((metric, own))
    })
}

/// A warning if the majority class alone is more accurate than the model.
pub fn below_majority(evaluation: &Evaluation) -> Option<String> {
    let (class, share) = evaluation.majority()?;
    number::below_majority(evaluation.accuracy(), &class.to_string(), share)
}

/// Title, value and confidence interval of each defined metric.
pub fn metrics(evaluation: &Evaluation) -> Vec<(&'static str, String, String)> {
    let decimals: fn(f64) -> String = |v| format!("{v:.4}");
    let fact = |title, show: fn(f64) -> String, value: f64, ends: Option<(f64, f64)>| {
        let range = ends.map(|(a, b)| format!("95 % CI {} to {}", show(a), show(b)));
        (title, show(value), range.unwrap_or_default())
    };
    let of = |(metric, own): (&'static Metric, &Measured)| {
        let show = if metric.is_share { percent } else { decimals };
        Some(fact(metric.title, show, own.value.filter(|v| v.is_finite())?, own.interval))
    };
    let mut all: Vec<_> = measured(evaluation).filter_map(of).collect();
    if let Some(RejectOptionMetrics { coverage, error, error_interval }) = evaluation.reject_option
    {
        all.extend(coverage.is_finite().then(|| fact("coverage", percent, coverage, None)));
        let title = "error rate of covered rows";
        all.extend(error.map(|error| fact(title, percent, error, error_interval)));
    }
    all
}

/// Appends one line per main metric.
pub fn summary(evaluation: &Evaluation, out: &mut Text) {
    let range = |show: fn(f64) -> String, ends: Option<(f64, f64)>| {
        ends.map_or_else(String::new, |(a, b)| format!(" (95 % CI {} to {})", show(a), show(b)))
    };
    for (i, (metric, own)) in measured(evaluation).enumerate() {
        let Some((key, stands_for)) = metric.summary else { continue };
        let show = if metric.is_share { percent } else { number };
        let value = match (own.value, &metric.of) {
            (Some(value), _) => show(value),
            (None, Of::Confusion(_)) => "–".to_owned(),
            (None, _) => continue,
        };
        let many = matches!(metric.of, Of::Ranking(..)) && evaluation.ranked > 1;
        let stands_for = stands_for.or(many.then_some("mean over the classes"));
        let meaning = stands_for.map_or_else(String::new, |text| format!(" ({text})"));
        out.entry(key, &format!("{value}{meaning}{}", range(show, own.interval)));
        if let Some(warning) = below_majority(evaluation).filter(|_| i == 0) {
            out.entry("warning", &warning);
        }
    }
    if let Some(RejectOptionMetrics { coverage, error, error_interval }) = evaluation.reject_option
    {
        let error = error.map_or_else(String::new, |error| {
            format!(", error rate {}{}", percent(error), range(percent, error_interval))
        });
        out.entry("coverage", &format!("{}{error}", percent(coverage)));
    }
    let rows = |n: u64| plural(n as usize, "row", "rows");
    for (label, n) in &evaluation.unknown {
        let text = format!(
            "{} of class {label}, not a class of the model, counted as misclassified",
            rows(*n)
        );
        out.entry("unknown", &text);
    }
    if evaluation.unlisted > 0 {
        let rows = rows(evaluation.unlisted);
        out.entry(
            "unknown",
            &format!("{rows} of further unknown classes, counted as misclassified"),
        );
    }
    if let Some(ambiguous) = evaluation.ambiguous.filter(|rows| *rows > 0) {
        let rows = rows(ambiguous as u64);
        out.entry("ambiguous", &format!("{rows} in ambiguous regions, predicted by score"));
    }
    if evaluation.unscored > 0 {
        let rows = rows(evaluation.unscored);
        out.entry("unscored", &format!("{rows} with missing values, not counted"));
    }
}

/// The outcome as text.
pub fn text(outcome: &EvaluateOutcome, style: Style) -> String {
    const MOST: usize = 20;
    let evaluation = &outcome.evaluation;
    let mut out = Text::new(style);
    let rows = plural(evaluation.rows, "row", "rows");
    out.entry("data", &format!("{}: {rows}", outcome.data));
    summary(evaluation, &mut out);
    let names: Vec<String> = evaluation.classes.iter().map(Label::to_string).collect();
    if names.len() <= MOST {
        out.push_str("\nconfusion matrix (rows: true class, columns: predicted class)\n");
        let header: Vec<&str> = [""].into_iter().chain(names.iter().map(String::as_str)).collect();
        let mut table = Table::new(&header, 1);
        for (class, row) in names.iter().zip(evaluation.confusion.rows()) {
            let cells = row.iter().map(|c| count(*c));
            table.row([class.clone()].into_iter().chain(cells).collect());
        }
        out.table(&table, 2);
    }
    out.gap();
    let share = |s: Option<f64>| s.map_or_else(|| "–".to_owned(), percent);
    let mut table = Table::new(&["class", "precision", "recall", "F1", "rows"], 1).drop_first(&[4]);
    for (class, score) in names.into_iter().zip(evaluation.confusion.scores()) {
        let (precision, recall, f1) =
            (share(score.precision), share(score.recall), share(score.f1));
        table.row(vec![class, precision, recall, f1, count(score.support)]);
    }
    out.table(&table, 2);
    out.finish()
}

/// The outcome as JSON.
pub fn json(outcome: &EvaluateOutcome) -> Value {
    let mut json = evaluation_json(&outcome.evaluation);
    if outcome.with_curves {
        json["curves"] = json!(outcome.curves);
    }
    json
}

/// All metrics and the confusion matrix, without curves.
pub fn evaluation_json(evaluation: &Evaluation) -> Value {
    let mut json = facts(evaluation);
    let cells = |row: Vec<f64>| row.into_iter().map(json_number).collect::<Vec<Value>>();
    json["confusion"] = evaluation.confusion.rows().map(cells).collect();
    json
}

/// All metrics, with a place for the confusion matrix.
fn facts(evaluation: &Evaluation) -> Value {
    let classes: Vec<Value> = evaluation.classes.iter().map(Header::class).collect();
    let mut json = json!({ "n": evaluation.rows, "classes": classes });
    let all: Vec<_> = measured(evaluation).collect();
    // The intervals follow the last metric that may have one; metrics of the reliability table
    // stand beside it.
    let last = all.iter().rposition(|(metric, _)| metric.has_interval);
    for (i, (metric, own)) in all.iter().enumerate() {
        if !matches!(metric.of, Of::Bins(_)) {
            json[key(metric)] = json!(own.value);
        }
        if Some(i) == last {
            for (metric, own) in all.iter().filter(|(metric, _)| metric.has_interval) {
                json[format!("{}_interval", key(metric))] = json!(own.interval);
            }
        }
    }
    let confusion = &evaluation.confusion;
    let class = |(class, score): (&Label, linsep::core::metric::ClassScore)| {
        json!({
            "class": Header::class(class),
            "precision": score.precision,
            "recall": score.recall,
            "f1": score.f1,
            "support": json_number(score.support),
        })
    };
    json["confusion"] = Value::Null;
    json["per_class"] = evaluation.classes.iter().zip(confusion.scores()).map(class).collect();
    let unknown = |(label, n): &(Label, u64)| json!({ "class": Header::class(label), "rows": n });
    json["unknown_labels"] = evaluation.unknown.iter().map(unknown).collect();
    json["unscored"] = json!(evaluation.unscored);
    json["majority"] = json!(
        evaluation
            .majority()
            .map(|(class, share)| { json!({ "class": Header::class(class), "accuracy": share }) })
    );
    json["below_majority"] = json!(below_majority(evaluation).is_some());
    if let Some(ambiguous) = evaluation.ambiguous {
        json["ambiguous"] = json!(ambiguous);
    }
    if let Some(bins) = &evaluation.bins {
        for (metric, own) in all.iter().filter(|(metric, _)| matches!(metric.of, Of::Bins(_))) {
            json[key(metric)] = json!(own.value);
        }
        let bin = |bin: &Bin| json!({ "weight": bin.weight, "probability": bin.probability, "happened": bin.observed });
        json["reliability"] = bins.iter().map(bin).collect();
    }
    if evaluation.unlisted > 0 {
        json["unlisted_labels"] = json!({ "rows": evaluation.unlisted });
    }
    if let Some(RejectOptionMetrics { coverage, error, error_interval }) = evaluation.reject_option
    {
        json["coverage"] = json!(coverage);
        json["error_of_named"] = json!(error);
        json["error_of_named_interval"] = json!(error_interval);
    }
    json
}

/// Writes the outcome as one JSON object in pieces: neither the confusion matrix nor the curves are
/// in memory as JSON.
pub fn write_json(outcome: &EvaluateOutcome, out: &mut dyn Write) -> io::Result<()> {
    let evaluation = &outcome.evaluation;
    let mut before = "{";
    for (key, value) in facts(evaluation).as_object().into_iter().flatten() {
        out.write_all(safe_json(&format!("{before}{}:", Value::from(key.as_str()))).as_bytes())?;
        before = ",";
        if key == "confusion" {
            let row = |row: Vec<f64>| row.into_iter().map(json_number).collect();
            list(out, evaluation.confusion.rows().map(row))?;
        } else {
            out.write_all(safe_json(&value.to_string()).as_bytes())?;
        }
    }
    if outcome.with_curves {
        out.write_all(b",\"curves\":")?;
        match &outcome.curves {
            Some(curves) => write_curves(curves, out)?,
            None => out.write_all(b"null")?,
        }
    }
    out.write_all(b"}")
}

fn write_curves(curves: &Curves, out: &mut dyn Write) -> io::Result<()> {
    out.write_all(b"{\"roc\":")?;
    match &curves.roc {
        None => out.write_all(b"null")?,
        Some(points) => list(out, points.iter().map(|point| json!(point)))?,
    }
    out.write_all(b",\"precision_recall\":")?;
    match &curves.precision_recall {
        None => out.write_all(b"null")?,
        Some(points) => list(out, points.iter().map(|point| json!(point)))?,
    }
    write!(out, ",\"average_precision\":{}}}", Value::from(curves.average_precision))
}

/// Writes a JSON list, entry by entry.
fn list(out: &mut dyn Write, entries: impl Iterator<Item = Value>) -> io::Result<()> {
    let mut before = "[";
    for entry in entries {
        write!(out, "{before}{entry}")?;
        before = ",";
    }
    out.write_all(if before == "[" { b"[]" } else { b"]" })
}
