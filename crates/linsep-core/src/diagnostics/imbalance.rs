//! Class imbalance.
//!
//! If the largest class has the share p of the total weight, a constant prediction of this class
//! has accuracy p. An accuracy is informative only in its excess over p.

use super::finding::{figure, list, percent};
use super::{Check, Finding, Report, Severity, Subject};
use crate::control::Observer;

pub(super) const CHECK: Check = Check { name: "imbalance", about: "class imbalance", run };

/// Ratios of the largest to the smallest class that give a note, and a warning.
const NOTE: f64 = 10.0;
const WARNING: f64 = 100.0;

fn run(subject: &Subject<'_>, report: &mut Report, _watch: &mut dyn Observer) {
    let classes = subject.problem.labels().classes();
    let weights = subject.problem.class_weights();
    let by_weight = |a: &usize, b: &usize| weights[*a].total_cmp(&weights[*b]);
    let (Some(least), Some(most)) =
        ((0..classes.len()).min_by(by_weight), (0..classes.len()).max_by(by_weight))
    else {
        return;
    };
    let ratio = weights[most] / weights[least];
    if ratio < NOTE {
        return;
    }
    let share = weights[most] / subject.total();
    let severity = if ratio < WARNING { Severity::Note } else { Severity::Warning };
    let name = |c: usize| list(&[classes[c].to_string()]);
    let what = format!(
        "class {0} is {1} times as large as class {2}; always predicting {0} has accuracy {3}",
        name(most),
        figure(ratio.round()),
        name(least),
        percent(share)
    );
    report.add(
        Finding::new(CHECK.name, severity, what)
            .number("ratio", ratio)
            .number("majority", share)
            .advice(
                "compare balanced accuracy and recall per class besides accuracy; class weights \
                 can compensate",
            )
            .setting("class-weight", "balanced"),
    );
}
