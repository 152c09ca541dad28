//! Check for cells that were changed on reading: bytes that are not UTF-8, integers that no double
//! represents.

use super::{Check, Finding, Raw, Report, Severity};

pub(super) const CHECK: Check =
    Check { name: "cells", about: "cells that were not read as they stand", run };

fn run(raw: &Raw<'_>, report: &mut Report) {
    let table = raw.table;
    for (n, what, advice) in [
        (table.not_utf8, "cells are not UTF-8 and were read as Latin-1", "save the file as UTF-8"),
        (
            table.rounded,
            "whole numbers are too long for a double and were rounded",
            "if they are identifiers, leave their column out or read it as words",
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
