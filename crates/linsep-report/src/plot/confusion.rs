//! Confusion matrix as a heat map, shaded by the share of each true class.

use super::{Fact, short};
use crate::number::{count, percent};
use linsep::core::Label;
use linsep::jobs::plot::ConfusionMatrix;
use linsep_plot::{Anchor, Axis, Chart, Mark, SeriesStyle};
use serde_json::json;

/// The accuracy.
pub(super) fn fact(matrix: &ConfusionMatrix) -> Fact {
    let (value, text) = (json!(matrix.accuracy), percent(matrix.accuracy));
    Fact { key: "accuracy", label: "accuracy", value, text }
}

/// The chart of a confusion matrix.
pub(crate) fn chart(matrix: &ConfusionMatrix) -> Chart {
    /// Limit of classes for numbers in the cells.
    const WRITTEN: usize = 12;
    let names: Vec<String> = matrix.classes.iter().map(Label::to_string).collect();
    let k = names.len();
    // Numbers must be readable on every shade.
    let darkest = if k <= WRITTEN { 0.4 } else { 0.9 };
    let mut chart = Chart::new(
        "Confusion matrix",
        Axis::named("predicted class", names.clone()),
        Axis::named("true class", names).reversed(),
    )
    .size(620.0_f64.max(26.0 * k as f64 + 200.0), 460.0_f64.max(22.0 * k as f64 + 160.0))
    .subtitle(&format!(
        "{}: accuracy {}; shading: share of the true class",
        short(&matrix.data),
        percent(matrix.accuracy)
    ))
    .describe(
        "The confusion matrix: a line for each true class, a column for each predicted class.",
    );
    for (c, name) in ["correct", "misclassified"].into_iter().enumerate() {
        let look = SeriesStyle { opacity: darkest, ..SeriesStyle::nth(c) };
        chart = chart.named(name, Mark::Areas(Vec::new()), look);
    }
    for (i, row) in matrix.confusion.rows().enumerate() {
        let total: f64 = row.iter().sum();
        for (j, &cell) in row.iter().enumerate().filter(|(_, cell)| **cell > 0.0) {
            let (x, y) = (j as f64, i as f64);
            let corner = |dx: f64, dy: f64| (x + 0.48 * dx, y + 0.48 * dy);
            let square =
                vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
            let opacity = 0.06 + (darkest - 0.06) * cell / total;
            let look = SeriesStyle { opacity, ..SeriesStyle::nth(usize::from(i != j)) };
            chart = chart.layer(Mark::Areas(vec![square]), look);
        }
        if k <= WRITTEN {
            for (j, &cell) in row.iter().enumerate() {
                let note = Mark::Note((j as f64, i as f64), count(cell), Anchor::Middle);
                chart = chart.layer(note, SeriesStyle::reference());
            }
        }
    }
    chart
}
