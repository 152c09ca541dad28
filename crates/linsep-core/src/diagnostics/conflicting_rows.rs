//! Identical rows of different classes, and the resulting lower bound on the error.
//!
//! Every classifier gives identical rows one prediction. In a group of identical rows it is correct
//! for one class at most, so
//!
//! ```text
//!   error  ≥  Σ over groups of identical rows  (weight of the group − weight of its heaviest
//!   class)
//! ```
//!
//! for **every** classifier of these columns, linear or not; a row of weight 2 counts twice. Hence
//! no hyperplane separates the classes completely.

use super::finding::{figure, percent};
use super::{Check, Finding, Report, Severity, Subject};
use crate::control::Observer;
use std::collections::BTreeMap;

pub(super) const CHECK: Check =
    Check { name: "conflicting-rows", about: "identical rows of different classes", run };

/// Lower bound on the error rate that gives a warning.
const MUCH: f64 = 0.01;

fn run(subject: &Subject<'_>, report: &mut Report, _watch: &mut dyn Observer) {
    let (codes, s) = (subject.problem.labels().codes(), subject.problem.weights());
    let (mut rows, mut sets, mut least) = (Vec::new(), 0_usize, 0.0);
    for set in subject.duplicate_groups() {
        let mut by_class: BTreeMap<u32, f64> = BTreeMap::new();
        for &i in set {
            *by_class.entry(codes[i as usize]).or_default() += s[i as usize];
        }
        if by_class.len() > 1 {
            let heaviest = by_class.values().fold(0.0, |most: f64, w| most.max(*w));
            least += by_class.values().sum::<f64>() - heaviest;
            sets += 1;
            rows.extend(set.iter().map(|&i| i as usize));
        }
    }
    if sets == 0 {
        return;
    }
    let share = least / subject.total();
    let severity = if share < MUCH { Severity::Note } else { Severity::Warning };
    let groups = if sets == 1 {
        "1 group of identical rows has".to_owned()
    } else {
        format!(
            "{sets} groups of \
        identical rows have"
        )
    };
    let what = format!(
        "{groups} different classes ({} rows); any classifier misclassifies training rows of \
         total weight ≥ {} ({})",
        rows.len(),
        figure(least),
        percent(share)
    );
    report.add(
        Finding::new(CHECK.name, severity, what)
            .rows(rows)
            .number("sets", sets as f64)
            .number("least_error", least)
            .number("least_error_share", share)
            .advice("check these rows for a wrong class or a missing column"),
    );
}
