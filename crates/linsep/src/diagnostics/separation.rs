//! Separation of the classes by hyperplanes, and its effect on logistic regression.
//!
//! The result is that of [`separate`](crate::certify::separate()): verified in exact arithmetic, or
//! undecided.

use super::finding::list;
use super::{Check, Finding, Report, Severity, Subject};
use crate::certify::separation::{Divergence, InfiniteCoefficient};
use crate::certify::{SeparationKind, separate};
use crate::control::Observer;
use std::collections::BTreeSet;

pub(super) const CHECK: Check =
    Check { name: "separation", about: "whether planes can separate the classes", run };

/// Largest number of classes that is checked; more are rarely intended.
const MOST_CLASSES: usize = 100;

fn run(subject: &Subject<'_>, report: &mut Report, watch: &mut dyn Observer) {
    let Some(limits) = &subject.separation else {
        report.skip(CHECK.name, "it was not asked for");
        return;
    };
    let k = subject.problem.labels().k();
    if k > MOST_CLASSES {
        return report.skip(CHECK.name, format!("there are {k} classes, more than {MOST_CLASSES}"));
    }
    let answer = match separate(subject.problem, None, limits, watch) {
        Ok(answer) => answer,
        Err(error) => return report.skip(CHECK.name, error.to_string()),
    };
    if let Some(reason) = answer.reason {
        let mut why = format!("undecided: {}", reason.meaning());
        if answer.known.dependence.is_some() {
            why += "; it is proved that no plane has every row strictly on its own side";
        }
        report.skip(CHECK.name, why);
        return;
    }
    // Columns whose coefficients are infinite in any case; if there are none, those of which some
    // are.
    let fixed =
        |one: &&InfiniteCoefficient| matches!(one.divergence, Divergence::Plus | Divergence::Minus);
    let sure = answer.infinite.iter().any(|one| fixed(&one) && one.column.is_some());
    let named = answer.infinite.iter().filter(|one| !sure || fixed(one));
    let columns: BTreeSet<usize> = named.filter_map(|one| one.column).collect();
    let infinite: Vec<&str> = columns.into_iter().map(|j| subject.name(j)).collect();
    let some = if sure { "" } else { "some of " };
    let meaning = answer.verdict.meaning();
    let (severity, what, advice) = match answer.verdict {
        SeparationKind::Complete => (
            Severity::Warning,
            format!(
                "complete: {meaning}; logistic regression without a penalty has no optimum, its weights grow for ever"
            ),
            "keep a penalty, and see that no column gives the class away",
        ),
        SeparationKind::QuasiComplete => (
            Severity::Warning,
            format!(
                "quasi-complete: {meaning}; logistic regression without a penalty has no optimum, and coefficients are infinite ({some}{})",
                if infinite.is_empty() { "the bias".to_owned() } else { list(&infinite) }
            ),
            "keep a penalty; the full verdict (separable) shows the rows and columns responsible",
        ),
        SeparationKind::Overlap | SeparationKind::Undecided => (
            Severity::Note,
            format!("overlap: {meaning}; logistic regression without a penalty has an optimum"),
            "nothing needs to be done",
        ),
    };
    let finding = Finding::new(CHECK.name, severity, what)
        .columns(infinite)
        .word("verdict", answer.verdict.name())
        .number("sweeps", answer.sweeps as f64)
        .advice(advice);
    report.add(match answer.verdict {
        SeparationKind::Overlap | SeparationKind::Undecided => finding,
        SeparationKind::Complete | SeparationKind::QuasiComplete => {
            finding.setting("penalty", "l2")
        }
    });
}
