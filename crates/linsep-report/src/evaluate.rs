//! An evaluation as text and JSON.

use crate::compare::key;
use crate::layout::{Style, Text};
use crate::number::{self, count, number, percent, plural};
use crate::table::Table;
use linsep::core::Label;
use linsep::core::metric::{ALL, Bin, Confusion, Measured, Metric, Of};
use linsep::evaluation::{Curves, Evaluation, RejectOptionMetrics};
use linsep::jobs::EvaluateOutcome;
use linsep::model_file::{Header, number as json_number};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// The metrics with a value or an interval, beside their definitions.
fn measured(evaluation: &Evaluation) -> impl Iterator<Item = (&'static Metric, &Measured)> {
    ALL.into_iter().filter_map(|metric| {
        let own = evaluation.metrics.iter().find(|own| own.name == metric.name)?;
        Some((metric, own))
    })
}

/// A warning if the majority class alone is more accurate than the model.
pub(crate) fn below_majority(evaluation: &Evaluation) -> Option<String> {
    let (class, share) = evaluation.majority()?;
    number::below_majority(evaluation.accuracy(), &class.to_string(), share)
}

/// Title, value and confidence interval of each defined metric.
pub(crate) fn metrics(evaluation: &Evaluation) -> Vec<(&'static str, String, String)> {
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
pub(crate) fn summary(evaluation: &Evaluation, out: &mut Text) {
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
        let many = matches!(metric.of, Of::Ranking) && evaluation.ranked > 1;
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
pub(crate) fn text(outcome: &EvaluateOutcome, style: Style) -> String {
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
    out.table(&by_class(evaluation), 2);
    out.finish()
}

/// The metrics of each class.
pub(crate) fn by_class(evaluation: &Evaluation) -> Table {
    let share = |s: Option<f64>| s.map_or_else(|| "–".to_owned(), percent);
    let mut table = Table::new(&["class", "precision", "recall", "F1", "rows"], 1).drop_first(&[4]);
    for (class, score) in evaluation.classes.iter().zip(evaluation.confusion.scores()) {
        let shares = [score.precision, score.recall, score.f1].map(share);
        let cells = [class.to_string()].into_iter().chain(shares);
        table.row(cells.chain([count(score.support)]).collect());
    }
    table
}

/// An evaluation as JSON. Neither the confusion matrix nor the curves are copied, since both may be
/// large.
#[derive(Serialize)]
pub(crate) struct Form<'a> {
    #[serde(flatten)]
    metrics: Value,
    #[serde(serialize_with = "rows")]
    confusion: &'a Confusion,
    #[serde(flatten)]
    rest: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    curves: Option<&'a Option<Curves>>,
}

/// The form of an outcome, with its curves if they were requested.
pub(crate) fn form(outcome: &EvaluateOutcome) -> Form<'_> {
    let curves = outcome.with_curves.then_some(&outcome.curves);
    Form { curves, ..without_curves(&outcome.evaluation) }
}

fn without_curves(evaluation: &Evaluation) -> Form<'_> {
    let (metrics, rest) = (metrics_json(evaluation), rest_json(evaluation));
    Form { metrics, confusion: &evaluation.confusion, rest, curves: None }
}

/// Writes the rows of the confusion matrix one by one.
fn rows<S: Serializer>(confusion: &Confusion, to: S) -> Result<S::Ok, S::Error> {
    let cells = |row: Vec<f64>| row.into_iter().map(json_number).collect::<Value>();
    to.collect_seq(confusion.rows().map(cells))
}

/// The outcome as JSON.
pub(crate) fn json(outcome: &EvaluateOutcome) -> Value {
    json!(form(outcome))
}

/// All metrics and the confusion matrix, without curves.
pub(crate) fn evaluation_json(evaluation: &Evaluation) -> Value {
    json!(without_curves(evaluation))
}

/// Size, classes and metrics. The intervals follow the last metric that may have one.
fn metrics_json(evaluation: &Evaluation) -> Value {
    let classes: Vec<Value> = evaluation.classes.iter().map(Header::class).collect();
    let mut json = json!({ "n": evaluation.rows, "classes": classes });
    let all: Vec<_> = measured(evaluation).collect();
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
    json
}

/// Metrics by class, unknown classes and reliability.
fn rest_json(evaluation: &Evaluation) -> Value {
    let class = |(class, score): (&Label, linsep::core::metric::ClassScore)| {
        json!({
            "class": Header::class(class),
            "precision": score.precision,
            "recall": score.recall,
            "f1": score.f1,
            "support": json_number(score.support),
        })
    };
    let per_class = evaluation.classes.iter().zip(evaluation.confusion.scores()).map(class);
    let unknown = |(label, n): &(Label, u64)| json!({ "class": Header::class(label), "rows": n });
    let majority = evaluation.majority();
    let majority =
        majority.map(|(class, share)| json!({ "class": Header::class(class), "accuracy": share }));
    let mut json = json!({
        "per_class": per_class.collect::<Vec<_>>(),
        "unknown_labels": evaluation.unknown.iter().map(unknown).collect::<Vec<_>>(),
        "unscored": evaluation.unscored,
        "majority": majority,
        "below_majority": below_majority(evaluation).is_some(),
    });
    if let Some(ambiguous) = evaluation.ambiguous {
        json["ambiguous"] = json!(ambiguous);
    }
    if let Some(bins) = &evaluation.bins {
        for (metric, own) in measured(evaluation).filter(|(m, _)| matches!(m.of, Of::Bins(_))) {
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
