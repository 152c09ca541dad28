//! Columns equal to others, to the last bit, in every row of positive weight.
//!
//! Only the sum of their coefficients is determined. The penalty decides how it is divided, so a
//! single coefficient has no meaning for its column.
//!
//! Candidates have equal fingerprints; they are then compared value by value.

use super::duplicates::equal;
use super::finding::list;
use super::{Check, Finding, Report, Severity, Subject};
use crate::control::Observer;
use crate::data::Columns;
use std::collections::BTreeMap;

pub(super) const CHECK: Check =
    Check { name: "duplicate-columns", about: "identical columns", run };

fn run(subject: &Subject<'_>, report: &mut Report, _watch: &mut dyn Observer) {
    for set in sets(subject) {
        let names: Vec<&str> = set.iter().map(|&j| subject.name(j)).collect();
        let what = match &names[..] {
            [one, other] => format!("columns {one} and {other} are identical"),
            many => format!("{} columns are identical: {}", many.len(), list(many)),
        };
        let mut finding = Finding::new(CHECK.name, Severity::Warning, what)
            .columns(&names)
            .advice("keep one of them: their coefficients are not identifiable");
        for name in &names[1..] {
            finding = finding.setting("drop", *name);
        }
        report.add(finding);
    }
}

/// Sets of equal nonconstant columns, in the order of their first columns.
pub(super) fn sets(subject: &Subject<'_>) -> Vec<Vec<usize>> {
    let mut by_print: BTreeMap<(u64, usize), Vec<usize>> = BTreeMap::new();
    for (j, own) in subject.summaries().iter().enumerate().filter(|(_, own)| !own.is_constant()) {
        by_print.entry((own.print, own.nonzero)).or_default().push(j);
    }
    let x = subject.problem.x();
    let mut sets = Vec::new();
    for candidates in by_print.into_values().filter(|set| set.len() > 1) {
        let content = |j: usize| {
            let mut own = Vec::new();
            Columns::new(x, &[j as u32]).each(0, |i, v| {
                if v != 0.0 && subject.is_live(i) {
                    own.push((i, v));
                }
            });
            (j, own)
        };
        sets.extend(equal(candidates.into_iter().map(content)));
    }
    sets.sort_unstable();
    sets
}
