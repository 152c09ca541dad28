//! Constant columns: they carry no information and act like the intercept.

use super::finding::list;
use super::{Check, Finding, Report, Severity, Subject};
use crate::control::Observer;

pub(super) const CHECK: Check = Check { name: "constant-columns", about: "constant columns", run };

fn run(subject: &Subject<'_>, report: &mut Report, _watch: &mut dyn Observer) {
    let all = subject.summaries();
    let (zero, other): (Vec<usize>, Vec<usize>) =
        (0..all.len()).filter(|&j| all[j].is_constant()).partition(|&j| all[j].max == 0.0);
    for (columns, value) in [(zero, " (0)"), (other, "")] {
        let names: Vec<&str> = columns.iter().map(|&j| subject.name(j)).collect();
        let what = match &names[..] {
            [] => continue,
            [one] => format!("column {one} is constant{value}"),
            many => format!("{} columns are constant{value}: {}", many.len(), list(many)),
        };
        report.add(
            Finding::new(CHECK.name, Severity::Note, what)
                .number("columns", names.len() as f64)
                .columns(names)
                .advice("no action needed: constant columns carry no information"),
        );
    }
}
