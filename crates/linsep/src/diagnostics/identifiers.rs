//! Check for columns that number or name the rows. A model that uses them does not generalize to
//! other rows.
//!
//! * Text: more than half of the cells are distinct.
//! * Integers that increase by one from row to row.
//! * Integers, nine in ten distinct, in a hundred rows or more; in twenty, if the column is called
//!   id or similar.

use super::{Check, Finding, Raw, Report, Severity};
use crate::recipe::{ContentType, is_row_number};
use linsep_io::table::{Column, Values};
use std::collections::HashSet;

pub(super) const CHECK: Check = Check { name: "identifiers", run };

fn run(raw: &Raw<'_>, report: &mut Report) {
    for column in raw.features() {
        let Some(what) = looks_so(raw, column) else { continue };
        let name = &column.name;
        let words = matches!(column.values, Values::Categorical { .. });
        let finding = |severity| {
            Finding::new(CHECK.name, severity, format!("column {name} {what}")).columns([name])
        };
        report.add(if words {
            finding(Severity::Note)
                .advice("dropped in training, unless kept with `categorical`")
                .setting("drop", name)
        } else {
            finding(Severity::Warning)
                .advice("if it is an identifier, drop it: its values do not generalize to new rows")
                .setting("drop", name)
        });
    }
}

fn looks_so(raw: &Raw<'_>, column: &Column) -> Option<String> {
    let (rows, present) = (raw.table.rows, raw.table.rows - column.missing);
    match &column.values {
        Values::Categorical { levels, .. } => (raw.content(column)
            == Some(ContentType::Identifier))
        .then(|| {
            format!("looks like an identifier: {} distinct levels in {present} rows", levels.len())
        }),
        Values::Numeric { slot } => {
            if is_row_number(raw.table, *slot) {
                return Some(format!("numbers the {rows} rows: it increases by 1 from row to row"));
            }
            let enough = if is_name(&column.name) { 20 } else { 100 };
            if present < enough || !mostly_differs(raw, column, 1000) || !raw.is_whole(column) {
                return None;
            }
            let different: HashSet<u64> = raw.numbers(column)?.map(f64::to_bits).collect();
            (different.len() * 10 >= present * 9).then(|| {
                format!(
                    "looks like an identifier: {} distinct integers in {present} rows",
                    different.len()
                )
            })
        }
    }
}

/// Whether most of the first `content_type` numbers are distinct: a cheap test before the exact
/// one.
fn mostly_differs(raw: &Raw<'_>, column: &Column, look: usize) -> bool {
    let Some(numbers) = raw.numbers(column) else { return false };
    let first: Vec<u64> = numbers.take(look).map(f64::to_bits).collect();
    let different: HashSet<&u64> = first.iter().collect();
    different.len() * 2 > first.len()
}

/// Whether a column name is that of an identifier: `id`, `row`, `index`, …; `customer_id`,
/// `PassengerId`.
fn is_name(name: &str) -> bool {
    const NAMES: [&str; 8] = ["id", "index", "key", "row", "uuid", "guid", "serial", "record"];
    let lower = name.to_lowercase();
    let behind = ["_id", "-id", " id", ".id"].iter().any(|end| lower.ends_with(end));
    NAMES.contains(&lower.as_str()) || behind || name.ends_with("Id") || name.ends_with("ID")
}
