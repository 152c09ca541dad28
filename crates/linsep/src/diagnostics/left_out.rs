//! Check for columns that training drops: constant, entirely missing, free text.

use super::{Check, Finding, Raw, Report, Severity};
use crate::recipe::{ContentType, content_type};
use linsep_io::table::{Column, Values};

pub(super) const CHECK: Check =
    Check { name: "left-out", about: "dropped columns: constant, all values missing, text", run };

fn run(raw: &Raw<'_>, report: &mut Report) {
    for column in raw.features() {
        let name = &column.name;
        let (what, text) = match why(raw, column) {
            None => continue,
            Some(Why::Missing) => (format!("all values of column {name} are missing"), false),
            Some(Why::Same(value)) => (format!("column {name} is constant ({value})"), false),
            Some(Why::Text(n)) => (format!("column {name} holds text ({n} distinct values)"), true),
        };
        let finding = Finding::new(CHECK.name, Severity::Note, what).columns([name]);
        report.add(if text {
            finding
                .advice("dropped in training; if it is categorical, keep it")
                .setting("categorical", name)
        } else {
            finding.advice("no action needed: dropped in training")
        });
    }
}

enum Why {
    Missing,
    Same(String),
    Text(usize),
}

fn why(raw: &Raw<'_>, column: &Column) -> Option<Why> {
    if column.missing == raw.table.rows {
        return Some(Why::Missing);
    }
    match &column.values {
        // If some cells are missing and all others equal, the missing indicator may be informative.
        _ if column.missing > 0 && raw.distinct_up_to(column, 1).is_some() => None,
        Values::Categorical { levels, .. } if levels.len() == 1 => {
            Some(Why::Same(levels[0].clone()))
        }
        Values::Categorical { levels, .. } => {
            let kept = raw.settings.recipe.keep.contains(&column.name);
            let text = content_type(levels, raw.table.rows - column.missing) == ContentType::Text;
            (text && !kept).then_some(Why::Text(levels.len()))
        }
        Values::Numeric { .. } => {
            raw.distinct_up_to(column, 1)?;
            raw.numbers(column)?.next().map(|v| Why::Same(v.to_string()))
        }
    }
}
