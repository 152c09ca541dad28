//! The steps of a learning rule as tables and JSON.

use crate::flags::spell;
use crate::layout::{Style, Text};
use crate::number::{number, plural};
use crate::table::Table;
use linsep::core::control::Record;
use linsep::core::{Hyperplane, Label};
use linsep::jobs::TraceOutcome;
use linsep::model_file::{Header, number as json_number};
use serde_json::{Value, json};

/// The outcome as JSON.
pub(crate) fn json(outcome: &TraceOutcome) -> Value {
    let classes: Vec<Value> = outcome.classes.iter().map(Header::class).collect();
    let steps: Vec<Value> = outcome.steps.iter().map(|record| step(record, &classes)).collect();
    let mut json = json!({ "method": outcome.method });
    if let Some(scheme) = &outcome.multiclass {
        json["multiclass"] = json!(scheme);
    }
    json["columns"] = json!(outcome.columns);
    json["classes"] = json!(classes);
    if let Some(positive) = outcome.positive {
        json["positive"] = classes[positive].clone();
    }
    json["steps"] = json!(steps);
    json["cut"] = json!(outcome.truncated);
    json["stop"] = json!(outcome.stop.name());
    json["epochs"] = json!(outcome.epochs);
    json["updates"] = json!(outcome.updates);
    json["mistakes"] = json_number(outcome.mistakes);
    match (&outcome.hyperplanes[..], outcome.positive) {
        ([hyperplane], Some(_)) => {
            json["w"] = json!(hyperplane.w);
            json["b"] = json!(hyperplane.b);
        }
        (hyperplanes, _) => json["planes"] = planes(hyperplanes),
    }
    json
}

fn planes(hyperplanes: &[Hyperplane]) -> Value {
    hyperplanes.iter().map(|hyperplane| json!({ "w": hyperplane.w, "b": hyperplane.b })).collect()
}

fn step(record: &Record, classes: &[Value]) -> Value {
    match record {
        Record::Batch { step, hyperplane, scores, mistakes, criterion } => json!({
            "step": step,
            "w": hyperplane.w,
            "b": hyperplane.b,
            "scores": scores,
            "mistakes": mistakes,
            "criterion": criterion,
        }),
        Record::Row { epoch, row, z, predicted, target, updated, hyperplane } => json!({
            "epoch": epoch,
            "row": row,
            "z": z,
            "predicted": predicted,
            "target": target,
            "updated": updated,
            "w": hyperplane.w,
            "b": hyperplane.b,
        }),
        Record::Scores { epoch, row, scores, winner, target, updated, hyperplanes } => json!({
            "epoch": epoch,
            "row": row,
            "scores": scores,
            "winner": winner.map(|c| &classes[c]),
            "target": classes[*target],
            "updated": updated,
            "planes": planes(hyperplanes),
        }),
    }
}

/// The outcome as text.
pub(crate) fn text(outcome: &TraceOutcome, style: Style) -> String {
    // 1. The steps.
    let mut out = Text::new(style);
    match (outcome.positive, &outcome.multiclass) {
        (Some(positive), _) => {
            let positive = &outcome.classes[positive];
            let head = format!("{}; +1 is {positive}; rows are counted from 1", outcome.method);
            out.paragraph(0, &head);
        }
        (None, scheme) => {
            let scheme = scheme.as_deref().unwrap_or_default();
            out.push_str(&format!("{}, {scheme}; rows are counted from 1\n", outcome.method));
        }
    }
    out.gap();
    if outcome.positive.is_none() {
        out.table(&scores_table(outcome), 2);
    } else if matches!(outcome.steps.first(), Some(Record::Batch { .. })) {
        out.table(&batch_table(outcome), 2);
        if let Some(table) = batch_scores(outcome) {
            out.gap();
            out.table(&table, 2);
        }
    } else {
        out.table(&row_table(outcome), 2);
    }
    if outcome.truncated {
        let steps = plural(outcome.steps.len(), "step", "steps");
        out.paragraph(2, &format!("… only {steps} shown; raise --steps for more"));
    }

    // 2. The result.
    out.gap();
    out.entry("status", &format!("{}: {}", outcome.stop, spell(outcome.stop.meaning())));
    let names = with_bias(&outcome.columns).join(", ");
    let result = |hyperplane| format!("({names}) = ({})", cells(hyperplane).join(", "));
    match (&outcome.hyperplanes[..], outcome.positive) {
        ([hyperplane], Some(_)) => out.entry("result", &result(hyperplane)),
        (hyperplanes, _) => {
            for (class, hyperplane) in outcome.classes.iter().zip(hyperplanes) {
                out.entry("result", &format!("{class}: {}", result(hyperplane)));
            }
        }
    }
    out.entry("errors", &number(outcome.mistakes));
    out.finish()
}

/// A table of numbers with these columns.
fn table(names: impl IntoIterator<Item = String>) -> Table {
    let names: Vec<String> = names.into_iter().collect();
    Table::new(&names.iter().map(String::as_str).collect::<Vec<_>>(), 0)
}

fn row_table(outcome: &TraceOutcome) -> Table {
    let head = ["epoch", "row", "z", "predicted", "target", "update"].map(str::to_owned);
    let weights = outcome.columns.iter().map(|name| format!("w({name})"));
    let mut table = table(head.into_iter().chain(weights).chain(["b".to_owned()]));
    for record in &outcome.steps {
        let Record::Row { epoch, row, z, predicted, target, updated, hyperplane } = record else {
            continue;
        };
        let head = [
            (epoch + 1).to_string(),
            (row + 1).to_string(),
            number(*z),
            format!("{predicted:+}").replace("+0", "0"),
            format!("{target:+}"),
            yes(*updated),
        ];
        table.row(head.into_iter().chain(cells(hyperplane)).collect());
    }
    table
}

fn batch_table(outcome: &TraceOutcome) -> Table {
    let weights = outcome.columns.iter().map(|name| format!("w({name})"));
    let tail = ["b", "objective", "errors", "misclassified rows"].map(str::to_owned);
    let mut table = table(["step".to_owned()].into_iter().chain(weights).chain(tail));
    for record in &outcome.steps {
        let Record::Batch { step, hyperplane, mistakes, criterion, .. } = record else { continue };
        let tail = [number(*criterion), mistakes.len().to_string(), few(mistakes)];
        table.row([step.to_string()].into_iter().chain(cells(hyperplane)).chain(tail).collect());
    }
    table
}

/// Returns the scores of every row at every step; `None` for many rows.
fn batch_scores(outcome: &TraceOutcome) -> Option<Table> {
    const MOST: usize = 12;
    let mut shown = None;
    for record in &outcome.steps {
        let Record::Batch { step, scores, .. } = record else { continue };
        if scores.len() > MOST {
            return None;
        }
        let shown = shown.get_or_insert_with(|| {
            let rows = (1..=scores.len()).map(|i| format!("z({i})"));
            table(["step".to_owned()].into_iter().chain(rows))
        });
        let cells = scores.iter().map(|z| number(*z));
        shown.row([step.to_string()].into_iter().chain(cells).collect());
    }
    shown
}

/// Returns scores, winner and update of every row, for hyperplanes that are updated jointly.
fn scores_table(outcome: &TraceOutcome) -> Table {
    let names: Vec<String> = outcome.classes.iter().map(Label::to_string).collect();
    let scores = names.iter().map(|name| format!("z({name})"));
    let [head, tail] = [&["epoch", "row"][..], &["winner", "target", "update"]]
        .map(|names| names.iter().map(|&name| name.to_owned()));
    let mut table = table(head.chain(scores).chain(tail));
    for record in &outcome.steps {
        let Record::Scores { epoch, row, scores, winner, target, updated, .. } = record else {
            continue;
        };
        let head = [(epoch + 1).to_string(), (row + 1).to_string()];
        let tail = [
            winner.map_or("–".to_owned(), |c| names[c].clone()),
            names[*target].clone(),
            yes(*updated),
        ];
        let scores = scores.iter().map(|z| number(*z));
        table.row(head.into_iter().chain(scores).chain(tail).collect());
    }
    table
}

fn yes(updated: bool) -> String {
    if updated { "yes" } else { "no" }.to_owned()
}

/// Returns the names of the columns and of the bias: b, or bias if a column is called b.
fn with_bias(columns: &[String]) -> Vec<String> {
    let bias = if columns.iter().any(|name| name == "b") { "bias" } else { "b" };
    columns.iter().cloned().chain([bias.to_owned()]).collect()
}

/// Returns the weights and the bias as text.
fn cells(hyperplane: &Hyperplane) -> Vec<String> {
    hyperplane.w.iter().chain([&hyperplane.b]).map(|v| number(*v)).collect()
}

/// Returns the first row numbers, counted from 1.
fn few(rows: &[usize]) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> = rows.iter().take(SHOWN).map(|row| (row + 1).to_string()).collect();
    let more = if rows.len() > SHOWN { " …" } else { "" };
    format!("{}{more}", shown.join(" "))
}
