//! Check for rows without a class: they cannot be used for training, and `fit` refuses them unless
//! they are dropped.

use super::{Check, Finding, Raw, Report, Severity};

pub(super) const CHECK: Check = Check { name: "unlabeled-rows", run };

fn run(raw: &Raw<'_>, report: &mut Report) {
    let finding = Finding::new(CHECK.name, Severity::Serious, "").rows(raw.unlabeled_rows());
    let (Some(target), true) = (raw.target(), finding.row_count > 0) else { return };
    let what = match finding.row_count {
        1 => format!("1 row has no class in column {}", target.name),
        n => format!("{n} rows have no class in column {}", target.name),
    };
    report.add(
        finding
            .what(what)
            .columns([&target.name])
            .advice(
                "fill the classes in, or drop rows with missing values; the other checks \
                ignore these rows",
            )
            .setting("missing", "drop"),
    );
}
