//! The worst mistakes, with their rows and what spoke for them.

use super::ReportPage;
use crate::command::evaluate::Judged;
use crate::evaluation::Evaluation;
use crate::failure::Failure;
use crate::page::{Grid, Page};
use crate::text::{number, percent};
use linsep::Label;
use linsep_io::explain::{Cell, Explain, Explanation};
use linsep_io::{LabelMap, ModelFile, Recipe, Scoring, SelectedRow, Source};

impl ReportPage<'_> {
    /// Rows that are predicted wrongly, those first that it was surest of.
    pub(super) fn mistakes(
        &self,
        page: &mut Page,
        bundle: &ModelFile,
        (evaluation, rows): (&Evaluation<'_>, &Judged),
        on: &str,
    ) -> Result<(), Failure> {
        page.section("Worst mistakes");
        let counts =
            matches!(&bundle.header.recipe, Recipe::Table(table) if !table.counts.is_empty());
        let worst = if counts { Vec::new() } else { evaluation.worst().to_vec() };
        if worst.is_empty() {
            page.paragraph(if counts {
                "Rows with counts are of several classes at once, so there is no single row to show."
            } else {
                "There are none."
            });
            return Ok(());
        }
        page.paragraph(&format!(
            "Among {on}, these are predicted wrongly; those first that the model is surest of. They have their numbers in \
             the file, counted from 1, and beside them what spoke most for the class they were given."
        ));
        let explain = Explain { bundle, against: None, allow: Some(&[]), most: 0 };
        let head = ["row", "is", "predicted as", "sure", "for it"];
        let mut grid = Grid::new("Mistakes", &head, 5);
        for picked in self.picked(bundle, rows, &worst)? {
            if let Some(mut found) = explain.row(&picked)? {
                if let (None, Some(numbers)) = (&self.args.test, &rows.numbers) {
                    found.row = numbers[found.row];
                }
                grid.row(mistake(bundle, &found));
            }
        }
        page.table(&grid);
        Ok(())
    }

    /// Rows by number, from wherever they were judged.
    fn picked(
        &self,
        bundle: &ModelFile,
        judged: &Judged,
        rows: &[usize],
    ) -> Result<Vec<SelectedRow>, Failure> {
        let scoring = self.args.columns.scoring();
        let read = self.args.reading.options(self.out);
        let map: LabelMap = scoring.map(bundle)?;
        let scoring = Scoring {
            bundle,
            hyperplanes: bundle.model.hyperplanes(),
            read: &read,
            labels: true,
            target: scoring.target.as_deref(),
            counts: &[],
            weights: None,
            map: &map,
        };
        Ok(match &self.args.test {
            Some(test) => scoring.pick(Source::open(test)?, rows)?.0,
            None => scoring.pick_from(&judged.input, rows),
        })
    }
}

/// A row that was predicted wrongly, in words.
fn mistake(bundle: &ModelFile, found: &Explanation) -> Vec<String> {
    let class = |c: usize| bundle.model.classes()[c].to_string();
    let sure = found
        .probabilities
        .as_ref()
        .map_or_else(|| format!("score {}", number(found.score)), |p| percent(p[found.class]));
    // What speaks for the class that was given.
    let sign = if found.towards == found.class { 1.0 } else { -1.0 };
    let mut reasons: Vec<_> = found.contributions.iter().filter(|c| sign * c.value > 0.0).collect();
    reasons.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
    let reasons = reasons.iter().take(3).map(|c| {
        let cell = match &c.cell {
            Cell::Number(v) => number(*v),
            Cell::Word(word) | Cell::Unknown(word) => word.clone(),
            Cell::Missing => "missing".to_owned(),
        };
        format!("{} {cell} (+{})", c.name, number(c.value.abs()))
    });
    vec![
        (found.row + 1).to_string(),
        found.actual.as_ref().map_or_else(String::new, Label::to_string),
        class(found.class),
        sure,
        reasons.collect::<Vec<_>>().join(", "),
    ]
}
