//! Kesler's construction as CSV, text and JSON.

use crate::flags::field;
use crate::layout::{Style, Text};
use crate::number::plural;
use linsep::jobs::KeslerOutcome;
use serde_json::{Value, json};
use std::fmt::Write;

/// The rows as CSV: one block of columns per class, then the side.
pub fn csv(outcome: &KeslerOutcome) -> String {
    let mut text = String::new();
    for column in &outcome.columns {
        text.extend([&field(column), ","]);
    }
    text.push_str("side\n");
    for (row, side) in outcome.rows.iter().zip(&outcome.sides) {
        for v in row {
            let _ = write!(text, "{v},");
        }
        let _ = writeln!(text, "{side}");
    }
    text
}

/// The outcome as JSON.
pub(crate) fn json(outcome: &KeslerOutcome) -> Value {
    json!({
        "rows": outcome.rows.len(),
        "columns": outcome.columns.len(),
        "classes": outcome.classes,
        "path": outcome.file,
    })
}

/// The outcome as text.
pub(crate) fn text(outcome: &KeslerOutcome, style: Style) -> String {
    let rows = |n| plural(n, "row", "rows");
    let columns = plural(outcome.columns.len(), "column", "columns");
    let (from, to, k) = (rows(outcome.from), rows(outcome.rows.len()), outcome.classes);
    let mut text = Text::new(style);
    text.entry("kesler", &format!("{from} of {k} classes expanded to {to} of {columns}"));
    if let Some(file) = &outcome.file {
        text.whole_entry("output", file);
    }
    text.finish()
}
