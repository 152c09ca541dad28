//! Check for cells that were changed on reading: bytes that are not UTF-8, integers that no double
//! represents.

use super::{Check, Finding, Raw, Report, Severity};

pub(super) const CHECK: Check = Check { name: "cells", run };

fn run(raw: &Raw<'_>, report: &mut Report) {
    let table = raw.table;
    for (n, what, advice) in [
        (table.not_utf8, "cells are not UTF-8 and were read as Latin-1", "save the file as UTF-8"),
        (
            table.rounded,
            "integers were rounded to double precision",
            "if they are identifiers, drop their column or read it as categorical",
        ),
    ] {
        if n > 0 {
            report.add(
                Finding::new(CHECK.name, Severity::Note, format!("{n} {what}"))
                    .number("cells", n as f64)
                    .advice(advice),
            );
        }
    }
}
