//! Classes with a single row.
//!
//! One row gives no information on the variation of a class, and leaves no row for a test fold. A
//! row of weight 2 counts as two.

use super::finding::list;
use super::{Check, Finding, Report, Severity, Subject};
use crate::control::Observer;

pub(super) const CHECK: Check =
    Check { name: "singleton-classes", about: "classes with a single row", run };

fn run(subject: &Subject<'_>, report: &mut Report, _watch: &mut dyn Observer) {
    let labels = subject.problem.labels();
    let mut first = vec![None; labels.k()];
    let mut rows = vec![0_usize; labels.k()];
    for (i, &code) in labels.codes().iter().enumerate().filter(|(i, _)| subject.is_live(*i)) {
        rows[code as usize] += 1;
        first[code as usize].get_or_insert(i);
    }
    let weights = subject.problem.class_weights();
    let single: Vec<usize> =
        (0..labels.k()).filter(|&c| rows[c] == 1 && weights[c] < 2.0).collect();
    if single.is_empty() {
        return;
    }
    let names: Vec<String> = single.iter().map(|&c| labels.classes()[c].to_string()).collect();
    let what = match &names[..] {
        [_] => format!("class {} has a single row", list(&names)),
        many => format!("{} classes have a single row: {}", many.len(), list(many)),
    };
    let finding = Finding::new(CHECK.name, Severity::Serious, what)
        .rows(single.iter().filter_map(|&c| first[c]))
        .number("classes", single.len() as f64)
        .advice("drop these rows, or merge classes");
    report.add(match &names[..] {
        [one] => finding.setting("label-map", format!("{one}=OTHER")),
        _ => finding,
    });
}
