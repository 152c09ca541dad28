//! Data, preprocessing and method; findings of the data check.

use super::{ReportPage, SHOWN};
use crate::command::check::flags;
use crate::command::fit::report::Report;
use linsep::Recipe;
use linsep::control::Note;
use linsep::recipe::{DroppedColumn, Encoding, TableRecipe};
use linsep_report::flags::spell;
use linsep_report::html::Page;
use linsep_report::number::plural;

impl ReportPage<'_> {
    /// Data, preprocessing, method and evaluation rows.
    pub(super) fn method(&self, page: &mut Page, report: &Report<'_>) {
        let (training, header) = (report.training, &report.model_file.header);
        page.section("Data and method");
        let mut items = vec![
            format!(
                "Data: {}: {}, {}.",
                self.name,
                plural(training.x.n(), "row", "rows"),
                plural(training.x.d(), "feature", "features")
            ),
            format!("Classes: {}.", report.classes()),
        ];
        match &header.recipe {
            Recipe::Table(table) => items.extend(columns(table)),
            Recipe::Sparse { base, .. } => {
                items.push(format!("Preprocessing: none; indices start at {base}."));
            }
        }
        if training.dropped > 0 {
            let rows = plural(training.dropped, "row", "rows");
            items.push(format!("Dropped for missing values: {rows}."));
        }
        let missing: u64 = training.missing.iter().map(|(_, n)| n).sum();
        if missing > 0 {
            let cells = plural(missing as usize, "missing value", "missing values");
            let most = training.missing.iter().map(|(name, n)| format!("{name} {n}"));
            let most: Vec<String> = most.take(SHOWN).collect();
            items.push(format!("{cells}: {}.", most.join(", ")));
        }
        items.push(format!("Method: {}.", report.method()));
        items.push(match self.evaluation {
            Some((on, _)) => format!("Evaluation: {on}, not used in training."),
            None => "Evaluation: the training rows, which overstates performance; hold rows out with --holdout 0.2, or \
                     give a test file with --test."
                .to_owned(),
        });
        page.list(&items);
    }

    /// Findings of the data check, the most severe first, and notes of reading the data.
    pub(super) fn findings(&self, page: &mut Page, report: &Report<'_>) {
        // Dropped columns are listed with the preprocessing.
        let dropped = match &report.model_file.header.recipe {
            Recipe::Table(table) => &table.left_out[..],
            Recipe::Sparse { .. } => &[],
        };
        let is_listed = |note: &&Note| {
            let is = |column: &DroppedColumn| note.subject.as_ref() == Some(&column.name);
            note.code == "dropped-column" && dropped.iter().any(is)
        };
        let notes = report.training.notes.iter();
        let notes: Vec<&Note> = notes.filter(|note| !is_listed(note)).collect();
        let findings = self.checked.map_or(&[][..], |checked| &checked.report.findings);
        if notes.is_empty() && findings.is_empty() {
            return;
        }
        page.section("Data check");
        for finding in findings.iter().take(2 * SHOWN) {
            let advice = format!("{}{}", spell(&finding.advice), flags(finding));
            page.finding(finding.severity.name(), &spell(&finding.what), &advice);
        }
        if findings.len() > 2 * SHOWN {
            let more = findings.len() - 2 * SHOWN;
            page.paragraph(&format!("… and {more} more; see linsep check."));
        }
        for Note { text, .. } in notes {
            let (what, advice) = text.split_once("; ").unwrap_or((text, ""));
            page.finding("note", &spell(what), &spell(advice));
        }
    }
}

/// The encoding of the columns.
fn columns(table: &TableRecipe) -> Vec<String> {
    let of = |wanted: fn(&Encoding) -> bool| {
        let names = table.steps.iter().filter(|step| wanted(&step.encoding));
        names.map(|step| step.name.clone()).collect::<Vec<_>>()
    };
    let list = |names: &[String]| {
        let more = names.len().saturating_sub(SHOWN);
        let shown = names.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(", ");
        if more > 0 { format!("{shown} and {more} more") } else { shown }
    };
    let numbers = of(|e| matches!(e, Encoding::Number { .. }));
    let categorical = of(|e| matches!(e, Encoding::Category { .. }));
    let hashed = of(|e| matches!(e, Encoding::Hashed { .. }));
    let mut out = Vec::new();
    if !numbers.is_empty() {
        let how = if table.standardized { ", standardized" } else { "" };
        out.push(format!("Numeric columns{how}: {}.", list(&numbers)));
    }
    if !categorical.is_empty() {
        out.push(format!("Categorical columns, one-hot encoded: {}.", list(&categorical)));
    }
    if !hashed.is_empty() {
        out.push(format!("Categorical columns, hashed: {}.", list(&hashed)));
    }
    let dropped =
        table.left_out.iter().map(|column| format!("{} ({})", column.name, spell(&column.why)));
    let dropped: Vec<String> = dropped.collect();
    if !dropped.is_empty() {
        out.push(format!("Dropped: {}.", list(&dropped)));
    }
    out
}
