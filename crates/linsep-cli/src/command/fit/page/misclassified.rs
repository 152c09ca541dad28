//! Misclassified rows of highest confidence, with their largest contributions.

use super::ReportPage;
use crate::command::evaluate::EvaluationRows;
use crate::failure::Failure;
use linsep::Evaluation;
use linsep::Label;
use linsep::explain::{Cell, Explain, Explanation};
use linsep::{LabelMap, ModelFile, Scoring, SelectedRow, Source};
use linsep_report::html::{Grid, Page};
use linsep_report::number::{number, percent};

impl ReportPage<'_> {
    /// Misclassified rows, by decreasing confidence.
    pub(super) fn misclassified(
        &self,
        page: &mut Page,
        model_file: &ModelFile,
        (evaluation, rows): (&Evaluation, &EvaluationRows),
        on: &str,
    ) -> Result<(), Failure> {
        page.section("Misclassified rows");
        let counts = !model_file.header.recipe.counts.is_empty();
        let worst = if counts { Vec::new() } else { evaluation.worst.clone() };
        if worst.is_empty() {
            page.paragraph(if counts {
                "A row of counts belongs to several classes, so no single row is listed."
            } else {
                "None."
            });
            return Ok(());
        }
        page.paragraph(&format!(
            "Misclassified rows of {on}, by decreasing confidence. Row numbers are those of the file, counted from 1; the \
             contributions shown are the largest to the score of the predicted class."
        ));
        let explain = Explain { model_file, against: None, allow: Some(&[]), most: 0 };
        let head = ["row", "true class", "predicted", "confidence", "contributions"];
        let mut grid = Grid::new("Misclassified rows", &head, 5);
        for row in self.selected(model_file, rows, &worst)? {
            if let Some(mut found) = explain.row(&row)? {
                if let (None, Some(numbers)) = (&self.args.test, &rows.numbers) {
                    found.row = numbers[found.row];
                }
                grid.row(cells(model_file, &found));
            }
        }
        page.table(&grid);
        Ok(())
    }

    /// Rows by number, from the test file or the rows in memory.
    fn selected(
        &self,
        model_file: &ModelFile,
        evaluated: &EvaluationRows,
        rows: &[usize],
    ) -> Result<Vec<SelectedRow>, Failure> {
        let scoring = self.args.columns.scoring();
        let read = self.args.reading.options(self.out);
        let map: LabelMap = scoring.map(model_file)?;
        let scoring = Scoring {
            model_file,
            hyperplanes: model_file.model.hyperplanes(),
            read: &read,
            labels: true,
            target: scoring.target.as_deref(),
            counts: &[],
            weights: None,
            map: &map,
        };
        Ok(match &self.args.test {
            Some(test) => scoring.pick(Source::open(test)?, rows)?.0,
            None => scoring.pick_from(&evaluated.input, rows),
        })
    }
}

/// The table row of a misclassified row.
fn cells(model_file: &ModelFile, found: &Explanation) -> Vec<String> {
    let class = |c: usize| model_file.model.classes()[c].to_string();
    let confidence = found
        .probabilities
        .as_ref()
        .map_or_else(|| format!("score {}", number(found.score)), |p| percent(p[found.class]));
    // Contributions that raise the score of the predicted class.
    let sign = if found.towards == found.class { 1.0 } else { -1.0 };
    let mut positive: Vec<_> =
        found.contributions.iter().filter(|c| sign * c.value > 0.0).collect();
    positive.sort_by(|a, b| b.value.abs().total_cmp(&a.value.abs()));
    let shown = positive.iter().take(3).map(|c| {
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
        confidence,
        shown.collect::<Vec<_>>().join(", "),
    ]
}
