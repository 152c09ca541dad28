//! Rows as points, one marker per class.

use linsep::core::model::Window;
use linsep::jobs::plot::Scatter;
use linsep_plot::{Axis, Chart, Mark, SeriesStyle};

/// Returns the axes of a window.
pub(super) fn axes([x, y]: &[String; 2], window: &Window) -> (Axis, Axis) {
    let axis = |name: &str, j: usize| Axis::new(name).range(window.low[j], window.high[j]);
    (axis(x, 0), axis(y, 1))
}

/// Returns a chart of the rows.
pub(super) fn chart(title: &str, rows: &Scatter) -> Chart {
    let (x, y) = axes(&rows.axes, &rows.window);
    rows.classes.iter().enumerate().fold(Chart::new(title, x, y), |chart, (c, class)| {
        chart.named(&class.name, Mark::Points(class.points.clone()), SeriesStyle::nth(c))
    })
}

/// Returns the remark of the subtitle if not every row is drawn.
pub(super) fn thinned(rows: &Scatter) -> String {
    match rows.step {
        1 => String::new(),
        step => format!("; 1 of {step} rows drawn"),
    }
}
