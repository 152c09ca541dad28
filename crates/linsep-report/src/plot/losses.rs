//! Loss functions over the margin.

use linsep::jobs::plot::Losses;
use linsep_plot::{Axis, Chart, Mark, SeriesStyle};

/// Range of the losses, which contains the hinge loss but not the squared loss. It begins below 0,
/// so that curves at 0 are visible.
const LOSSES: (f64, f64) = (-0.15, 4.0);

pub(super) fn chart(losses: &Losses) -> Chart {
    let x = Axis::new("margin m = y·z").range(losses.margins.0, losses.margins.1);
    let y = Axis::new("loss ℓ(m)").range(LOSSES.0, LOSSES.1);
    let chart = Chart::new("Loss functions", x, y)
        .subtitle("Loss of a row by its margin; rows of negative margin are misclassified")
        .describe(
            "Curves of loss functions, and the 0/1 loss as a step from 1 down to 0 at margin 0.",
        );
    losses.curves.iter().enumerate().fold(chart, |chart, (i, curve)| {
        let style = i.checked_sub(1).map_or_else(SeriesStyle::reference, SeriesStyle::nth);
        chart.named(&curve.name, Mark::Line(curve.points.clone()), style)
    })
}
