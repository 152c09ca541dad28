//! Coordinates of projected rows as CSV and JSON.

use crate::layout::Style;
use linsep::jobs::TransformOutcome;
use serde_json::{Value, json};
use std::fmt::Write;

/// The outcome as CSV. A row that cannot be projected is empty.
pub(crate) fn text(outcome: &TransformOutcome, _: Style) -> String {
    let mut text = outcome.names.join(",");
    text.push('\n');
    for row in &outcome.rows {
        match row {
            Some(row) => {
                let cells: Vec<String> = row.iter().map(ToString::to_string).collect();
                let _ = writeln!(text, "{}", cells.join(","));
            }
            None => text.extend([&",".repeat(outcome.names.len() - 1), "\n"]),
        }
    }
    text
}

/// The outcome as JSON.
pub(crate) fn json(outcome: &TransformOutcome) -> Value {
    json!({ "n": outcome.rows.len(), "names": outcome.names, "rows": outcome.rows })
}
