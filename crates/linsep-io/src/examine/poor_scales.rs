//! Check for numeric columns that standardization does not bring to the scale of the other columns.

use super::{Check, Finding, Raw, Report, Severity};
use crate::recipe::Poor;
use crate::table::Values;
use linsep::features::spreads;

pub(super) const CHECK: Check = Check {
    name: "poor-scales",
    about: "columns too small to standardize, or with numbers so large that the others vanish",
    run,
};

fn run(raw: &Raw<'_>, report: &mut Report) {
    if !raw.settings.recipe.standardise {
        return;
    }
    let table = raw.table;
    let weights = raw.row_weights();
    let spreads = spreads(&table.numbers, table.width, &weights);
    for column in raw.features() {
        let Values::Number { slot } = column.values else { continue };
        let Some(poor) = Poor::of(table, slot, &spreads[slot], &weights) else { continue };
        let (name, what) = (&column.name, poor.what());
        let mut finding =
            Finding::new(CHECK.name, Severity::Warning, format!("column {name}: {what}"))
                .columns([name])
                .advice(poor.advice());
        if let Poor::Drowned { rows, largest } = poor {
            finding = finding.rows(rows).number("largest", largest);
        }
        report.add(finding);
    }
}
