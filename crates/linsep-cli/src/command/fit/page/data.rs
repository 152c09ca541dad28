//! What was done with the data, and what was noticed about it.

use super::{ReportPage, SHOWN};
use crate::command::check::flags;
use crate::command::fit::report::Report;
use crate::page::Page;
use crate::text::plural;
use linsep_io::Recipe;
use linsep_io::recipe::{Encoding, TableRecipe};

impl ReportPage<'_> {
    /// What was done, in plain words.
    pub(super) fn done(&self, page: &mut Page, report: &Report<'_>) {
        let (training, header) = (report.training, &report.bundle.header);
        page.section("What was done");
        let mut words = vec![
            format!(
                "Read {}: {} that became {}.",
                self.name,
                plural(training.x.n(), "row", "rows"),
                plural(training.x.d(), "column of numbers", "columns of numbers")
            ),
            format!("Classes: {}.", report.classes()),
        ];
        match &header.recipe {
            Recipe::Table(table) => words.extend(columns(table)),
            Recipe::Sparse { base, .. } => {
                words.push(format!("Columns are numbered from {base} and taken as they are."));
            }
        }
        if training.dropped > 0 {
            let rows = plural(training.dropped, "row was", "rows were");
            words.push(format!("{rows} left out for what they miss."));
        }
        let missing: u64 = training.missing.iter().map(|(_, n)| n).sum();
        if missing > 0 {
            let cells = plural(missing as usize, "missing value", "missing values");
            let most = training.missing.iter().map(|(name, n)| format!("{name} {n}"));
            let most: Vec<String> = most.take(SHOWN).collect();
            words.push(format!("{cells}: {}.", most.join(", ")));
        }
        words.push(format!("Method: {}.", report.method()));
        words.push(match self.evaluation {
            Some((on, _)) => format!("Judged on {on}, which it did not learn from."),
            None => "Judged on the rows it learned from, which flatters it: hold rows out with --holdout 0.2, or name \
                     others with --test."
                .to_owned(),
        });
        page.list(&words);
    }

    /// What the data doctor found, the gravest first, and what was said about the data while it was
    /// read.
    pub(super) fn noticed(&self, page: &mut Page, report: &Report<'_>) {
        // Why columns were left out has been said with what was done.
        let left_out = match &report.bundle.header.recipe {
            Recipe::Table(table) => &table.left_out[..],
            Recipe::Sparse { .. } => &[],
        };
        let said = |note: &&String| {
            left_out.iter().any(|left| note.starts_with(&format!("column {} dropped", left.name)))
        };
        let notes: Vec<&String> = report.training.notes.iter().filter(|note| !said(note)).collect();
        let findings = self.examined.map_or(&[][..], |examined| &examined.report.findings);
        if notes.is_empty() && findings.is_empty() {
            return;
        }
        page.section("What was noticed");
        for finding in findings.iter().take(2 * SHOWN) {
            let advice = format!("{}{}", finding.advice, flags(finding));
            page.finding(finding.severity.name(), &finding.what, &advice);
        }
        if findings.len() > 2 * SHOWN {
            let more = findings.len() - 2 * SHOWN;
            page.paragraph(&format!("… and {more} more, which linsep check lists."));
        }
        for text in notes {
            let (what, advice) = text.split_once("; ").unwrap_or((text, ""));
            page.finding("note", what, advice);
        }
    }
}

/// What became of columns, in words.
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
    let words = of(|e| matches!(e, Encoding::Category { .. }));
    let hashed = of(|e| matches!(e, Encoding::Hashed { .. }));
    let mut out = Vec::new();
    if !numbers.is_empty() {
        let how = if table.standardized { ", standardized to learn" } else { "" };
        out.push(format!("Columns of numbers{how}: {}.", list(&numbers)));
    }
    if !words.is_empty() {
        out.push(format!(
            "Columns of words, one column of 0 and 1 for each word: {}.",
            list(&words)
        ));
    }
    if !hashed.is_empty() {
        out.push(format!("Columns of very many words, hashed: {}.", list(&hashed)));
    }
    let left: Vec<String> =
        table.left_out.iter().map(|left| format!("{} ({})", left.name, left.why)).collect();
    if !left.is_empty() {
        out.push(format!("Left out: {}.", list(&left)));
    }
    out
}
