//! Check for columns that training drops: constant, entirely missing, free text.

use super::{Check, Finding, Raw, Report, Severity};
use crate::recipe::ContentType;
use linsep_io::table::{Column, Values};

pub(super) const CHECK: Check = Check { name: "left-out", run };

fn run(raw: &Raw<'_>, report: &mut Report) {
    let found: Vec<_> = raw.features().map(|column| (&column.name, why(raw, column))).collect();
    // Without other features, training encodes the text.
    let nothing_else = found.iter().all(|(_, why)| why.is_some());
    for (name, why) in found {
        let Some((what, text)) = why.filter(|(_, text)| !(*text && nothing_else)) else { continue };
        let finding = Finding::new(CHECK.name, Severity::Note, what).columns([name]);
        report.add(if text {
            finding.advice("dropped in training; encode its words").setting("text", name)
        } else {
            finding.advice("no action needed: dropped in training")
        });
    }
}

/// Returns the description of a dropped column, and whether it holds text.
fn why(raw: &Raw<'_>, column: &Column) -> Option<(String, bool)> {
    let name = &column.name;
    if column.missing == raw.table.rows {
        return Some((format!("all values of column {name} are missing"), false));
    }
    let constant = |value: &str| Some((format!("column {name} is constant ({value})"), false));
    match &column.values {
        // If some cells are missing and all others equal, the missing indicator may be informative.
        _ if column.missing > 0 && raw.distinct_up_to(column, 1).is_some() => None,
        Values::Categorical { levels, .. } if levels.len() == 1 => constant(&levels[0]),
        Values::Categorical { levels, .. } => (raw.content(column) == Some(ContentType::Text))
            .then(|| {
                (format!("column {name} holds text ({} distinct values)", levels.len()), true)
            }),
        Values::Numeric { .. } => {
            raw.distinct_up_to(column, 1)?;
            constant(&raw.numbers(column)?.next()?.to_string())
        }
    }
}
