//! Weight space: each row is a line through the origin, and the weight vectors that classify all
//! rows correctly form a cone between these lines.

use super::Fact;
use super::scatter::axes;
use crate::flags::spell;
use crate::number::number;
use linsep::jobs::plot::{Point, WeightSpace};
use linsep_plot::{Chart, Mark, Marker, Rgb, SeriesStyle};
use serde_json::json;

/// Limit of drawn lines and path points.
const MOST: usize = 60;

/// The rows as read, and normalized.
pub(super) fn charts(space: &WeightSpace) -> Vec<Chart> {
    vec![as_read(space), as_normalized(space)]
}

/// Whether there is a solution, and the weights found.
pub(super) fn facts(space: &WeightSpace) -> Vec<Fact> {
    let empty = space.region.is_empty();
    let region =
        if empty { "empty: no weight vector classifies all rows correctly" } else { "not empty" };
    let (x, y) = space.path.last().copied().unwrap_or_default();
    let weights = format!("({}, {}): {}", number(x), number(y), spell(space.stop.meaning()));
    vec![
        Fact { key: "region", label: "region", value: json!(!empty), text: region.to_owned() },
        Fact { key: "weights", label: "weights", value: json!([x, y]), text: weights },
    ]
}

/// Returns the path, scaled to fit; the solution region is a cone, so lengths do not matter.
fn shown_path(space: &WeightSpace) -> (f64, Vec<Point>) {
    let longest = space.path.iter().map(|p| p.0.hypot(p.1)).fold(0.0, f64::max);
    let scale = if longest > space.radius() { space.radius() / longest } else { 1.0 };
    (scale, space.path.iter().map(|p| (p.0 * scale, p.1 * scale)).collect())
}

/// Returns the line of the weight vectors whose hyperplane contains a row.
fn line(space: &WeightSpace, (x, y): (f64, f64)) -> [(f64, f64); 2] {
    let far = 4.0 * space.radius() / x.hypot(y).max(f64::MIN_POSITIVE);
    [(-y * far, x * far), (y * far, -x * far)]
}

fn points(space: &WeightSpace, chart: Chart, points: &[(f64, f64)]) -> Chart {
    let of = |sign: f64| {
        let own = points.iter().zip(&space.y).filter(move |(_, y)| **y == sign);
        Mark::Points(own.map(|(p, _)| *p).collect())
    };
    chart.named(&space.classes[0], of(-1.0), SeriesStyle::nth(0)).named(
        &space.classes[1],
        of(1.0),
        SeriesStyle::nth(1),
    )
}

/// Returns the chart of the rows: the weight vector points to the positive class, and the
/// boundary is perpendicular to the weight vector.
fn as_read(space: &WeightSpace) -> Chart {
    let (x, y) = axes(&space.axes, &space.window);
    let mut chart = Chart::new("Rows x", x, y)
        .size(560.0, 520.0)
        .equal()
        .subtitle("The weight vector points to the positive side of the boundary")
        .describe("Rows as points in weight space, the solution region, the weight vector found as an arrow from the origin, and its boundary.");
    chart = solutions(chart, space);
    let (_, path) = shown_path(space);
    let last = path.last().copied().unwrap_or_default();
    let length = last.0.hypot(last.1);
    if length > 0.0 {
        let boundary = Mark::Segments(vec![line(space, last)]);
        let dashed = SeriesStyle { dash: &[6.0, 4.0], ..SeriesStyle::reference() };
        chart = chart.named("boundary", boundary, dashed);
        let grown = 0.9 * space.radius() / length;
        let tip = (last.0 * grown, last.1 * grown);
        chart = chart.named(
            "weight vector found",
            arrow((0.0, 0.0), tip, 0.06 * space.radius()),
            SeriesStyle { width: 2.2, ..SeriesStyle::reference() },
        );
    }
    points(space, chart, &space.rows)
}

/// Returns the chart of the normalized rows, on whose positive sides the solution region lies.
fn as_normalized(space: &WeightSpace) -> Chart {
    let (x, y) = axes(&space.axes, &space.window);
    let (scale, path) = shown_path(space);
    let scaled = if scale < 1.0 { format!("; path scaled by {scale:.3}") } else { String::new() };
    let lines = if space.rows.len() > MOST {
        format!("; lines of the first {MOST} rows")
    } else {
        String::new()
    };
    let mut chart = Chart::new("Normalized rows y·x", x, y)
        .size(600.0, 520.0)
        .equal()
        .subtitle(&format!("Each row admits one side of its line{lines}{scaled}"))
        .describe("Normalized rows in weight space, the line of each row, the solution region, and the path of the perceptron.");
    chart = solutions(chart, space);
    let normalized: Vec<Point> = space.normalized().collect();
    let lines = normalized.iter().take(MOST).map(|p| line(space, *p)).collect();
    let color = Rgb(0x8c, 0x8c, 0x8c);
    let gray = SeriesStyle { width: 0.9, color, ..SeriesStyle::reference() };
    chart = chart.named("line of a row", Mark::Segments(lines), gray);
    let purple = SeriesStyle { width: 2.2, dash: &[], ..SeriesStyle::nth(3) };
    chart = chart.named("path", Mark::Line(path.clone()), purple);
    if path.len() <= MOST {
        chart = chart.layer(Mark::Points(path), SeriesStyle { marker: Marker::Ring, ..purple });
    }
    points(space, chart, &normalized)
}

/// Adds the solution region if it is not empty; the region of normalized rows is the same.
fn solutions(chart: Chart, space: &WeightSpace) -> Chart {
    if space.region.is_empty() {
        return chart;
    }
    let green = SeriesStyle { opacity: 0.3, ..SeriesStyle::nth(2) };
    chart.named("solution region", Mark::Areas(vec![space.region.clone()]), green)
}

/// Returns an arrow as three segments.
fn arrow(from: (f64, f64), to: (f64, f64), head: f64) -> Mark {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(f64::MIN_POSITIVE);
    let (dx, dy) = (dx / length * head, dy / length * head);
    let wing = |side: f64| (to.0 - dx - side * 0.5 * dy, to.1 - dy + side * 0.5 * dx);
    Mark::Segments(vec![[from, to], [wing(1.0), to], [wing(-1.0), to]])
}
