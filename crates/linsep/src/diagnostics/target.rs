//! Check whether the default target, the last column, is the right one.
//!
//! The first sign of a wrong default is reported:
//!
//! 1. **Count columns**: two or more numeric columns of counts. All other columns are categorical
//!    with few levels, and each combination of levels occurs once. The numeric columns are then one
//!    count per class.
//! 2. **Counts or weights**: the column is called count, weight or similar, so it is a frequency.
//! 3. **Measurements or text**: too many distinct values for classes.
//! 4. **The name of another column** suggests an outcome (case, outcome, survived, …), and the name
//!    of the default target does not.

use super::{Check, Finding, Raw, Report, Severity};
use crate::dataset::are_unlike_classes;
use linsep_io::table::{Column, Values};
use linsep_io::target::is_known;
use std::collections::HashSet;

pub(super) const CHECK: Check = Check { name: "target", run };

/// Names of outcome columns.
const OUTCOMES: [&str; 26] = [
    "case",
    "category",
    "churn",
    "churned",
    "classification",
    "death",
    "default",
    "diagnosis",
    "died",
    "disease",
    "event",
    "fraud",
    "group_label",
    "is_spam",
    "outcome",
    "response",
    "result",
    "sick",
    "spam",
    "species",
    "status",
    "success",
    "survival",
    "survived",
    "target_class",
    "truth",
];
/// Names of frequency columns.
const COUNTS: [&str; 9] =
    ["count", "counts", "freq", "frequency", "n", "total", "weight", "weights", "wt"];
/// Names of columns that are derived from frequencies.
const SHARES: [&str; 4] = ["percent", "percentage", "pct", "share"];
/// Maximum number of distinct values of a class column.
const FEW: usize = 20;

fn run(raw: &Raw<'_>, report: &mut Report) {
    let Some(target) = raw.target() else { return };
    if raw.settings.target.is_some() || is_known(&target.name) {
        return;
    }
    report.findings.extend(
        table_of_counts(raw, target)
            .or_else(|| counts(raw, target))
            .or_else(|| strange(raw, target))
            .or_else(|| named(raw, target)),
    );
}

fn finding(what: String) -> Finding {
    Finding::new(CHECK.name, Severity::Serious, what)
}

fn is_one_of(column: &Column, names: &[&str]) -> bool {
    let lower = column.name.to_lowercase();
    let bare = lower.strip_prefix("is_").or(lower.strip_prefix("has_")).unwrap_or(&lower);
    names.contains(&lower.as_str()) || names.contains(&bare)
}

/// Reports count columns beside categorical columns with distinct combinations of levels, of which
/// most occur.
fn table_of_counts(raw: &Raw<'_>, target: &Column) -> Option<Finding> {
    let all = &raw.table.columns;
    let (numbers, words): (Vec<&Column>, Vec<&Column>) =
        all.iter().partition(|c| matches!(c.values, Values::Numeric { .. }));
    let count = |c: &&Column| {
        c.missing == 0 && raw.is_whole(c) && raw.numbers(c).is_some_and(|mut v| v.all(|v| v >= 0.0))
    };
    if numbers.len() < 2 || words.is_empty() || raw.table.rows < 4 || !numbers.iter().all(count) {
        return None;
    }
    let mut combinations = 1_usize;
    for column in &words {
        combinations = combinations.checked_mul(raw.distinct_up_to(column, FEW)?)?;
    }
    let cells = |i: usize| -> Vec<u32> {
        let code = |c: &&Column| match &c.values {
            Values::Categorical { codes, .. } => codes[i],
            Values::Numeric { .. } => 0,
        };
        words.iter().map(code).collect()
    };
    let different: HashSet<Vec<u32>> = (0..raw.table.rows).map(cells).collect();
    if different.len() < raw.table.rows || combinations > 2 * raw.table.rows {
        return None;
    }
    let names: Vec<&str> = numbers.iter().map(|c| c.name.as_str()).collect();
    Some(
        finding(format!(
            "the data look like counts ({}) per combination of the other columns, but the target \
             defaults to the last column, {}",
            names.join(", "),
            target.name
        ))
        .columns(&names)
        .advice("name the count columns, one per class")
        .setting("counts", names.join(",")),
    )
}

/// Reports a target of frequencies or percentages.
fn counts(raw: &Raw<'_>, target: &Column) -> Option<Finding> {
    let called = |names: &'static [&'static str]| move |c: &&Column| is_one_of(c, names);
    if !(is_one_of(target, &COUNTS) || is_one_of(target, &SHARES)) {
        return None;
    }
    let mut found = finding(format!(
        "the target defaults to the last column, {}, but its name suggests row counts",
        target.name
    ))
    .columns([&target.name])
    .advice("name the target column, and use the counts as sample weights");
    if let Some(class) = candidate(raw, target) {
        found = found.setting("target", &class.name);
    }
    if let Some(weights) = raw.table.columns.iter().find(called(&COUNTS)) {
        found = found.setting("weights", &weights.name);
    }
    for share in raw.table.columns.iter().filter(called(&SHARES)) {
        found = found.setting("drop", &share.name);
    }
    Some(found)
}

/// Reports a target with too many values, or of measurements.
fn strange(raw: &Raw<'_>, target: &Column) -> Option<Finding> {
    if !are_unlike_classes(raw.classes(), raw.table.rows) {
        return None;
    }
    let found = finding(format!(
        "the target defaults to the last column, {}, with {} distinct values, which look like \
         measurements or text",
        target.name,
        raw.classes().len()
    ))
    .columns([&target.name])
    .number("classes", raw.classes().len() as f64)
    .advice("name the target column");
    let class = candidate(raw, target).map_or("COLUMN", |class| &class.name);
    Some(found.setting("target", class))
}

/// Reports another column with the name of an outcome.
fn named(raw: &Raw<'_>, target: &Column) -> Option<Finding> {
    if is_one_of(target, &OUTCOMES) {
        return None;
    }
    let class = outcome(raw, target)?;
    Some(
        finding(format!(
            "the target defaults to the last column, {}, but the name of column {} suggests the \
             target",
            target.name, class.name
        ))
        .columns([&target.name, &class.name])
        .advice("name the target column, even if it is the last one")
        .setting("target", &class.name),
    )
}

/// Returns another column with the name of an outcome and few distinct values.
fn outcome<'a>(raw: &Raw<'a>, target: &Column) -> Option<&'a Column> {
    let few = |c: &&Column| raw.distinct_up_to(c, FEW).is_some_and(|n| n >= 2);
    others(raw, target).find(|c| is_one_of(c, &OUTCOMES) && few(c))
}

/// Returns another column that may be the target: by its name, else the first with two values, else
/// the first with few.
fn candidate<'a>(raw: &Raw<'a>, target: &Column) -> Option<&'a Column> {
    let with = |most: usize| {
        let few = move |c: &&Column| raw.distinct_up_to(c, most).is_some_and(|n| n >= 2);
        others(raw, target).find(few)
    };
    outcome(raw, target).or_else(|| with(2)).or_else(|| with(FEW))
}

fn others<'a>(raw: &Raw<'a>, target: &Column) -> impl Iterator<Item = &'a Column> {
    let (number, table) = (target.number, raw.table);
    table.columns.iter().filter(move |c| c.number != number && c.missing == 0)
}
