//! Repeated rows.
//!
//! A repeated row counts once per repetition, like a sample weight. Accidental repetitions bias the
//! fit, and if copies of a row are in both training and test folds, the test is optimistic.

use super::finding::percent;
use super::{Check, Finding, Report, Severity, Subject};
use crate::control::Observer;

pub(super) const CHECK: Check = Check { name: "duplicate-rows", about: "duplicate rows", run };

fn run(subject: &Subject<'_>, report: &mut Report, _watch: &mut dyn Observer) {
    let codes = subject.problem.labels().codes();
    // Repeats of a row with the same class; `conflicting-rows` covers those with another class.
    let mut repeats = Vec::new();
    let mut sets = 0_usize;
    for set in subject.duplicate_groups() {
        let mut rows = set.clone();
        rows.sort_by_key(|&i| (codes[i as usize], i));
        for same in rows.chunk_by(|a, b| codes[*a as usize] == codes[*b as usize]) {
            repeats.extend(same[1..].iter().map(|&i| i as usize));
            sets += usize::from(same.len() > 1);
        }
    }
    if repeats.is_empty() {
        return;
    }
    repeats.sort_unstable();
    let live = (0..codes.len()).filter(|&i| subject.is_live(i)).count();
    let share = repeats.len() as f64 / live as f64;
    let what = match repeats.len() {
        1 => "1 row duplicates another, with the same class".to_owned(),
        n => format!("{n} rows ({}) duplicate others, with the same class", percent(share)),
    };
    report.add(
        Finding::new(CHECK.name, Severity::Note, what)
            .rows(repeats)
            .number("sets", sets as f64)
            .number("share", share)
            .advice(
                "check that they are intended: duplicates in both training and test folds \
                bias the accuracy upwards",
            ),
    );
}
