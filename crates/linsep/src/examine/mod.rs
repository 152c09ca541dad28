//! What should be known about rows and classes before anything is learned from them.
//!
//! A **check** looks for one thing and is one file; [`ALL`] is the list that [`examine`] walks. What a check has to say is a
//! [`Finding`]: a plain value with a sentence, the columns and rows it is about, the numbers behind it, and what to do. A
//! check that would take too long, or does not apply to such data, says so in [`Report::skipped`] instead of being silent.
//!
//! | check | what it looks for |
//! |---|---|
//! | `singleton-classes` | classes with a single row |
//! | `imbalance` | classes that are far rarer than others |
//! | `constant-columns` | columns that are the same everywhere |
//! | `duplicate-columns` | columns that are equal to others, to the last bit |
//! | `collinear-columns` | columns that others combine to, exactly or nearly |
//! | `leaking-columns` | columns that tell the classes apart all by themselves |
//! | `scales` | columns of very different size, and such that hardly vary about a large number |
//! | `duplicate-rows` | rows that are there more than once |
//! | `conflicting-rows` | equal rows of different classes, and the error they force |
//! | `separation` | whether planes can separate the classes, proved |
//!
//! Rows of weight 0 are not there, and a weight of 2 is a row twice, as everywhere.

mod collinear_columns;
mod conflicting_rows;
mod constant_columns;
mod duplicate_columns;
mod duplicate_rows;
mod finding;
mod imbalance;
mod lonely_classes;
mod scales;
mod separation;
mod subject;
mod summary;
mod telling_columns;
mod twins;

pub use finding::{Finding, Report, Severity, Skipped};
pub use subject::{Layout, Subject};

use crate::control::Watch;

/// A check in the list.
pub struct Check {
    /// The name used in every face.
    pub name: &'static str,
    /// What it looks for, in one line.
    pub about: &'static str,
    /// Looks, and reports what it finds.
    pub run: fn(&Subject<'_>, &mut Report, &mut dyn Watch),
}

/// Every check there is, in the order of their reports.
pub const ALL: &[Check] = &[
    lonely_classes::CHECK,
    imbalance::CHECK,
    constant_columns::CHECK,
    duplicate_columns::CHECK,
    collinear_columns::CHECK,
    telling_columns::CHECK,
    scales::CHECK,
    duplicate_rows::CHECK,
    conflicting_rows::CHECK,
    separation::CHECK,
];

/// Makes every check, and adds what they find to a report.
pub fn examine(subject: &Subject<'_>, report: &mut Report, watch: &mut dyn Watch) {
    for check in ALL {
        watch.stage(check.name);
        (check.run)(subject, report, watch);
    }
}

#[cfg(test)]
mod tests;
