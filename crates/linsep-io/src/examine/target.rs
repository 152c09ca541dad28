//! Is the column that is taken for the classes, because it is the last and nobody said otherwise, the right one?
//!
//! Four signs that it is not, the first that holds is told:
//!
//! 1. **A table of counts**: two columns of counts or more, all others words of few kinds, each combination of them once. The classes are
//!    the columns of counts.
//! 2. **Counts or weights**: it is called count, weight or the like. It says how often a row counts, and the classes are elsewhere.
//! 3. **Measurements or text**: too many different values for classes.
//! 4. **Another column's name** says that it holds an outcome (case, outcome, survived, …), and this one's does not.

use super::{Check, Finding, Raw, Report, Severity};
use crate::dataset::are_strange;
use crate::table::{Column, Values};
use crate::target::is_known;
use std::collections::HashSet;

pub(super) const CHECK: Check = Check {
    name: "target",
    about: "a column that looks more like the classes than the one taken by default",
    run,
};

/// Names of columns that hold an outcome.
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
/// Names of columns that say how often a row counts.
const COUNTS: [&str; 9] =
    ["count", "counts", "freq", "frequency", "n", "total", "weight", "weights", "wt"];
/// And of such that only follow from counts.
const SHARES: [&str; 4] = ["percent", "percentage", "pct", "share"];
/// Different values that classes have at most.
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

/// Columns of counts beside words whose combinations are all different, and of which there could not be many more.
fn table_of_counts(raw: &Raw<'_>, target: &Column) -> Option<Finding> {
    let all = &raw.table.columns;
    let (numbers, words): (Vec<&Column>, Vec<&Column>) =
        all.iter().partition(|c| matches!(c.values, Values::Number { .. }));
    let count = |c: &&Column| {
        c.missing == 0 && raw.is_whole(c) && raw.numbers(c).is_some_and(|mut v| v.all(|v| v >= 0.0))
    };
    if numbers.len() < 2 || words.is_empty() || raw.table.rows < 4 || !numbers.iter().all(count) {
        return None;
    }
    let mut combinations = 1_usize;
    for column in &words {
        combinations = combinations.checked_mul(raw.few(column, FEW)?)?;
    }
    let cells = |i: usize| -> Vec<u32> {
        let code = |c: &&Column| match &c.values {
            Values::Words { codes, .. } => codes[i],
            Values::Number { .. } => 0,
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
            "this looks like a table of counts ({}) for every combination of the other columns, but the last column, {}, is taken for the classes",
            names.join(", "),
            target.name
        ))
        .columns(&names)
        .advice("name the columns with the counts of each class")
        .setting("counts", names.join(",")),
    )
}

/// A column of counts or shares.
fn counts(raw: &Raw<'_>, target: &Column) -> Option<Finding> {
    let called = |names: &'static [&'static str]| move |c: &&Column| is_one_of(c, names);
    if !(is_one_of(target, &COUNTS) || is_one_of(target, &SHARES)) {
        return None;
    }
    let mut found = finding(format!(
        "the last column, {}, is taken for the classes, but its name says how often a row counts",
        target.name
    ))
    .columns([&target.name])
    .advice("name the column with the classes, and that with the counts as weights");
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

/// Too many values, or measurements.
fn strange(raw: &Raw<'_>, target: &Column) -> Option<Finding> {
    if !are_strange(raw.classes(), raw.table.rows) {
        return None;
    }
    let found = finding(format!(
        "the last column, {}, is taken for the classes, and has {} different values: that looks like measurements or text",
        target.name,
        raw.classes().len()
    ))
    .columns([&target.name])
    .number("classes", raw.classes().len() as f64)
    .advice("name the column with the classes");
    let class = candidate(raw, target).map_or("COLUMN", |class| &class.name);
    Some(found.setting("target", class))
}

/// Another column's name.
fn named(raw: &Raw<'_>, target: &Column) -> Option<Finding> {
    if is_one_of(target, &OUTCOMES) {
        return None;
    }
    let class = outcome(raw, target)?;
    Some(
        finding(format!(
            "the last column, {}, is taken for the classes, but column {} sounds more like them",
            target.name, class.name
        ))
        .columns([&target.name, &class.name])
        .advice("name the column with the classes; naming the last one says that it is right")
        .setting("target", &class.name),
    )
}

/// Another column that is called an outcome, and has a few different values.
fn outcome<'a>(raw: &Raw<'a>, target: &Column) -> Option<&'a Column> {
    let few = |c: &&Column| raw.few(c, FEW).is_some_and(|n| n >= 2);
    others(raw, target).find(|c| is_one_of(c, &OUTCOMES) && few(c))
}

/// Another column that may hold the classes: by its name, else the first with two values, else the first with few.
fn candidate<'a>(raw: &Raw<'a>, target: &Column) -> Option<&'a Column> {
    let with = |most: usize| {
        let few = move |c: &&Column| raw.few(c, most).is_some_and(|n| n >= 2);
        others(raw, target).find(few)
    };
    outcome(raw, target).or_else(|| with(2)).or_else(|| with(FEW))
}

fn others<'a>(raw: &Raw<'a>, target: &Column) -> impl Iterator<Item = &'a Column> {
    let (number, table) = (target.number, raw.table);
    table.columns.iter().filter(move |c| c.number != number && c.missing == 0)
}
