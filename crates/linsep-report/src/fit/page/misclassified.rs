//! Misclassified rows of highest confidence, with their largest contributions.

use crate::html::Page;
use crate::number::{number, percent};
use crate::table::Table;
use linsep::core::Label;
use linsep::explain::{Cell, Contribution};
use linsep::jobs::fit::Misclassified;

/// Misclassified rows, by decreasing confidence; `None` for rows of counts.
pub(super) fn section(page: &mut Page, worst: Option<&[Misclassified]>, on: &str) {
    page.section("Misclassified rows");
    let Some(worst) = worst else {
        page.paragraph("A row of counts belongs to several classes, so no single row is listed.");
        return;
    };
    if worst.is_empty() {
        page.paragraph("None.");
        return;
    }
    page.paragraph(&format!(
        "Misclassified rows of {on}, by decreasing confidence. Row numbers are those of the file, counted from 1; the \
         contributions shown are the largest to the score of the predicted class."
    ));
    let head = ["row", "true class", "predicted", "confidence", "contributions"];
    let mut table = Table::new(&head, 5);
    worst.iter().for_each(|row| table.row(cells(row)));
    page.table("Misclassified rows", &table);
}

/// The table row of a misclassified row.
fn cells(row: &Misclassified) -> Vec<String> {
    let score = || format!("score {}", number(row.score));
    let contribution = |c: &Contribution| {
        let cell = match &c.cell {
            Cell::Number(v) => number(*v),
            Cell::Word(word) | Cell::Unknown(word) => word.clone(),
            Cell::Missing => "missing".to_owned(),
        };
        format!("{} {cell} (+{})", c.name, number(c.value.abs()))
    };
    vec![
        (row.row + 1).to_string(),
        row.actual.as_ref().map_or_else(String::new, Label::to_string),
        row.predicted.to_string(),
        row.probability.map_or_else(score, percent),
        row.contributions.iter().map(contribution).collect::<Vec<_>>().join(", "),
    ]
}
