//! Check for numeric columns that standardization does not bring to the scale of the other columns.

use super::{Check, Finding, Raw, Report, Severity};
use crate::recipe::ScaleProblem;
use linsep_core::features::column_statistics;
use linsep_io::table::Values;

pub(super) const CHECK: Check = Check { name: "poor-scales", run };

fn run(raw: &Raw<'_>, report: &mut Report) {
    if !raw.settings.recipe.standardize {
        return;
    }
    let table = raw.table;
    let weights = raw.row_weights();
    let spreads = column_statistics(&table.numbers, table.width, &weights);
    for column in raw.features() {
        let Values::Numeric { slot } = column.values else { continue };
        let Some(poor) = ScaleProblem::of(table, slot, &spreads[slot], &weights) else { continue };
        let (name, what) = (&column.name, poor.what());
        let mut finding =
            Finding::new(CHECK.name, Severity::Warning, format!("column {name}: {what}"))
                .columns([name])
                .advice(poor.advice());
        if let ScaleProblem::Outliers { rows, largest } = poor {
            finding = finding.rows(rows).number("largest", largest);
        }
        report.add(finding);
    }
}
