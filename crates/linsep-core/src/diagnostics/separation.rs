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
    Check { name: "separation", about: "whether hyperplanes separate the classes", run };

/// Largest number of classes that is checked; more are rarely intended.
const MOST_CLASSES: usize = 100;

fn run(subject: &Subject<'_>, report: &mut Report, watch: &mut dyn Observer) {
    let Some(limits) = &subject.separation else {
        report.skip(CHECK.name, "not requested");
        return;
    };
    let k = subject.problem.labels().k();
    if k > MOST_CLASSES {
        return report.skip(CHECK.name, format!("{k} classes; the limit is {MOST_CLASSES}"));
    }
    let answer = match separate(subject.problem, None, limits, watch) {
        Ok(answer) => answer,
        Err(error) => return report.skip(CHECK.name, error.to_string()),
    };
    if let Some(reason) = answer.reason {
        let mut why = format!("undecided: {}", reason.meaning());
        if answer.known.dependence.is_some() {
            why += "; separation is not complete (proved)";
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
                "complete: {meaning}; unpenalized logistic regression has no finite \
                 maximum-likelihood estimate"
            ),
            "keep a penalty, and check the columns for target leakage",
        ),
        SeparationKind::QuasiComplete => (
            Severity::Warning,
            format!(
                "quasi-complete: {meaning}; unpenalized logistic regression has infinite \
                 estimates ({some}{})",
                if infinite.is_empty() { "intercept".to_owned() } else { list(&infinite) }
            ),
            "keep a penalty; linsep separable shows the rows and columns responsible",
        ),
        SeparationKind::Overlap | SeparationKind::Undecided => (
            Severity::Note,
            format!(
                "overlap: {meaning}; the maximum-likelihood estimate of unpenalized logistic \
                regression exists"
            ),
            "no action needed",
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
