//! Rows of two features, with the decision boundaries of several methods on top.

use super::scatter;
use linsep::jobs::plot::Boundaries;
use linsep_plot::{Chart, Mark, SeriesStyle};

pub(super) fn chart(plot: &Boundaries) -> Chart {
    let chart = scatter::chart("Decision boundaries", &plot.rows)
        .subtitle(&format!("Decision boundary of each method{}", scatter::thinned(&plot.rows)))
        .describe(
            "Rows as points, one marker per class, and the decision boundary of each method.",
        );
    let k = plot.rows.classes.len();
    plot.methods.iter().enumerate().fold(chart, |chart, (m, (name, boundary))| {
        chart.named(name, Mark::Segments(boundary.clone()), SeriesStyle::nth(k + m))
    })
}
