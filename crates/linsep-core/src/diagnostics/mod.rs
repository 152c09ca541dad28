//! Data checks before training.
//!
//! A **check** looks for one kind of problem, in a file of its own; [`run_checks`] runs the list
//! [`ALL`]. A check reports [`Finding`]s: plain values with a sentence, the columns and rows
//! concerned, the underlying numbers and advice. A check that would take too long or does not apply
//! to the data is listed in [`Report::skipped`].
//!
//! | check | what it looks for |
//! |---|---|
//! | `singleton-classes` | classes with a single row |
//! | `imbalance` | classes much rarer than others |
//! | `constant-columns` | constant columns |
//! | `duplicate-columns` | columns equal to others, to the last bit |
//! | `collinear-columns` | columns that are linear combinations of others, exactly or nearly |
//! | `leaking-columns` | columns that separate the classes on their own (target leakage) |
//! | `scales` | columns of very different scale, or with little variation about a large number |
//! | `duplicate-rows` | repeated rows |
//! | `conflicting-rows` | identical rows of different classes, and the lower bound on the error |
//! | `separation` | separation of the classes by hyperplanes, verified in exact arithmetic |
//!
//! Rows of weight 0 are ignored, and a row of weight 2 counts twice, as everywhere.

mod collinear_columns;
mod conflicting_rows;
mod constant_columns;
mod duplicate_columns;
mod duplicate_rows;
mod duplicates;
mod finding;
mod imbalance;
mod leaking_columns;
mod scales;
mod separation;
mod singleton_classes;
mod subject;
mod summary;

pub use finding::{Finding, Report, Severity, Skipped};
pub use subject::{Layout, Subject};

use crate::control::Observer;

/// Registry entry of a check.
pub struct Check {
    /// Name, the same in every interface.
    pub name: &'static str,
    /// Kind of problem, in one line.
    pub about: &'static str,
    /// Runs the check and reports its findings.
    pub run: fn(&Subject<'_>, &mut Report, &mut dyn Observer),
}

/// All checks, in the order of their reports.
pub const ALL: &[Check] = &[
    singleton_classes::CHECK,
    imbalance::CHECK,
    constant_columns::CHECK,
    duplicate_columns::CHECK,
    collinear_columns::CHECK,
    leaking_columns::CHECK,
    scales::CHECK,
    duplicate_rows::CHECK,
    conflicting_rows::CHECK,
    separation::CHECK,
];

/// Runs every check, and adds its findings to a report.
pub fn run_checks(subject: &Subject<'_>, report: &mut Report, watch: &mut dyn Observer) {
    for check in ALL {
        watch.stage(check.name, None);
        (check.run)(subject, report, watch);
    }
}

#[cfg(test)]
mod tests;
