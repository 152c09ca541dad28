//! Data, preprocessing and method; findings of the data check.

use super::SHOWN;
use crate::fit::Report;
use crate::flags::{flags, spell};
use crate::html::Page;
use crate::number::{listed, plural};
use linsep::Recipe;
use linsep::core::control::Note;
use linsep::jobs::fit::FitEvaluation;
use linsep::recipe::DroppedColumn;

impl Report<'_> {
    /// Data, preprocessing, method and evaluation rows.
    pub(super) fn data_and_method(self, page: &mut Page, evaluated: &FitEvaluation) {
        page.section("Data and method");
        let mut items =
            vec![format!("Data: {}.", self.data()), format!("Classes: {}.", self.classes())];
        match &self.recipe().pairs {
            None => items.extend(columns(self.recipe())),
            Some(pairs) => {
                items.push(format!("Preprocessing: none; indices start at {}.", pairs.base));
            }
        }
        if self.0.dropped > 0 {
            let rows = plural(self.0.dropped, "row", "rows");
            items.push(format!("Dropped for missing values: {rows}."));
        }
        let missing: u64 = self.0.missing.iter().map(|(_, n)| n).sum();
        if missing > 0 {
            let cells = plural(missing as usize, "missing value", "missing values");
            let most = self.0.missing.iter().map(|(name, n)| format!("{name} {n}"));
            let most: Vec<String> = most.take(SHOWN).collect();
            items.push(format!("{cells}: {}.", most.join(", ")));
        }
        items.push(format!("Method: {}.", self.method()));
        items.push(if evaluated.held_out {
            format!("Evaluation: {}, not used in training.", evaluated.on)
        } else {
            "Evaluation: the training rows, which overstates performance; hold rows out with \
             --holdout 0.2, or give a test file with --test."
                .to_owned()
        });
        page.list(&items);
    }

    /// Findings of the data check, the most severe first, and notes of reading the data.
    pub(super) fn findings(self, page: &mut Page) {
        // Dropped columns are listed with the preprocessing.
        let dropped = &self.recipe().dropped;
        let is_listed = |note: &&Note| {
            let is = |column: &DroppedColumn| note.subject.as_ref() == Some(&column.name);
            note.code == "dropped-column" && dropped.iter().any(is)
        };
        let notes: Vec<&Note> = self.0.notes.iter().filter(|note| !is_listed(note)).collect();
        let checked = self.0.checked.as_ref();
        let findings = checked.map_or(&[][..], |checked| &checked.report.findings);
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
fn columns(recipe: &Recipe) -> Vec<String> {
    let mut out = Vec::new();
    for (title, steps) in recipe.groups(|kind| kind.title) {
        let names = listed(steps.iter().map(|step| step.name()), SHOWN);
        let standardized = recipe.standardized && steps[0].units(0).is_some();
        let how = if standardized { ", standardized" } else { "" };
        out.push(format!("{title}{how}: {names}."));
    }
    let dropped = recipe.dropped.iter().map(|own| format!("{} ({})", own.name, spell(&own.why)));
    if dropped.len() > 0 {
        out.push(format!("Dropped: {}.", listed(dropped, SHOWN)));
    }
    out
}
