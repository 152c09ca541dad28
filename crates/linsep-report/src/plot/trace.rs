//! Decision boundary and objective at the steps of a run.

use super::{Fact, scatter};
use crate::number::{number, plural};
use linsep::jobs::plot::{Scatter, StepBoundary, TracePlot};
use linsep_plot::{Axis, Chart, Mark, Rgb, SeriesStyle};
use serde_json::json;

/// The boundaries, for two features, and the objective.
pub(super) fn charts(plot: &TracePlot) -> Vec<Chart> {
    match &plot.rows {
        Some(rows) => vec![boundaries(rows, &plot.boundaries), curve(plot).size(520.0, 480.0)],
        None => vec![curve(plot)],
    }
}

/// The number of steps, and the objective at both ends.
pub(super) fn fact(plot: &TracePlot) -> Fact {
    let at = |point: Option<&(f64, f64)>| number(point.map_or(f64::NAN, |p| p.1));
    let (from, to) = (at(plot.objective.first()), at(plot.objective.last()));
    let (steps, name) = (steps(plot), name(plot));
    let text = format!("{}, {name} from {from} to {to}", plural(steps, "step", "steps"));
    Fact { key: "steps", label: "steps", value: json!(steps), text }
}

fn steps(plot: &TracePlot) -> usize {
    plot.objective.last().map_or(0, |(step, _)| *step as usize)
}

fn name(plot: &TracePlot) -> &'static str {
    if plot.by_row { "mean perceptron loss" } else { "objective" }
}

fn curve(plot: &TracePlot) -> Chart {
    let points = &plot.objective;
    let (one, many) = if plot.by_row { ("update", "updates") } else { ("step", "steps") };
    let length = plural(steps(plot), one, many);
    let mut chart = Chart::new("Objective", Axis::new(many), Axis::new(name(plot)))
        .subtitle(&format!("{}, {length}", plot.method))
        .describe("The objective after every step.")
        .layer(Mark::Line(points.clone()), SeriesStyle::nth(0));
    if points.len() <= 60 {
        chart = chart.layer(Mark::Points(points.clone()), SeriesStyle::nth(0));
    }
    chart
}

/// Returns the chart of the rows and of the boundary at some of the steps.
fn boundaries(rows: &Scatter, shown: &[StepBoundary]) -> Chart {
    let mut chart = scatter::chart("Decision boundaries", rows)
        .subtitle("From the start (pale) to the end (black)")
        .describe("Rows as points, and the boundary at some of the steps of the run.");
    for (place, StepBoundary { step, boundary }) in shown.iter().enumerate() {
        let last = place + 1 == shown.len();
        let share = if shown.len() > 1 { place as f64 / (shown.len() - 1) as f64 } else { 1.0 };
        let gray = (190.0 - 164.0 * share) as u8;
        let (width, dash): (f64, &[f64]) = if last { (2.6, &[]) } else { (1.4, &[6.0, 3.0]) };
        let color = Rgb(gray, gray, gray);
        let look = SeriesStyle { width, dash, color, ..SeriesStyle::reference() };
        let outside = if boundary.is_empty() { " (outside the plot)" } else { "" };
        let name = match step {
            0 => format!("start{outside}"),
            step if last => format!("end, after {step}{outside}"),
            step => format!("after {step}{outside}"),
        };
        chart = chart.named(&name, Mark::Segments(boundary.clone()), look);
    }
    chart
}
