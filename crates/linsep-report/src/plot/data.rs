//! Rows of a data set as points, with the decision boundary and the margins of a method.

use super::{Fact, scatter};
use crate::number::{number, percent};
use linsep::jobs::plot::RowsAndBoundary;
use linsep::optimality::suboptimality;
use linsep_plot::{Chart, Mark, SeriesStyle};
use serde_json::json;

pub(super) fn chart(plot: &RowsAndBoundary) -> Chart {
    let space = if plot.projected { " in this projection" } else { "" };
    let certified = suboptimality(&plot.certificates);
    let subtitle = format!(
        "Boundary of {}{space}; accuracy {}{}{}",
        plot.method,
        percent(plot.accuracy),
        certified.map_or_else(String::new, |certified| format!("; {certified}")),
        scatter::thinned(&plot.rows)
    );
    let look = SeriesStyle { width: 2.0, ..SeriesStyle::reference() };
    let chart = scatter::chart("Rows and boundary", &plot.rows)
        .subtitle(&subtitle)
        .describe("Rows as points, one marker per class, and the decision boundary.")
        .named("boundary", Mark::Segments(plot.boundary.clone()), look);
    let Some(margins) = &plot.margins else { return chart };
    let name = match margins.width {
        Some(width) => format!("margins, {} apart", number(width)),
        None => "scores −1 and 1".to_owned(),
    };
    let look = SeriesStyle { dash: &[5.0, 4.0], ..SeriesStyle::reference() };
    chart.named(&name, Mark::Segments(margins.lines.clone()), look)
}

pub(super) fn fact(plot: &RowsAndBoundary) -> Fact {
    let (value, text) = (json!(plot.accuracy), percent(plot.accuracy));
    Fact { key: "right", label: "accuracy", value, text }
}
