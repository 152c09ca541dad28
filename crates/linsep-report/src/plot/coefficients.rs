//! Coefficients of a model, the largest first. Those of numeric features are per standard
//! deviation, to be comparable across units. If the model has inference (`fit --infer`, `--firth`),
//! each coefficient is a point with its confidence interval, else a bar.

use super::Fact;
use crate::number::{plural, small_percent};
use linsep::jobs::plot::{Coefficients, Interval, Intervals};
use linsep_plot::{Axis, Chart, Mark, SeriesStyle};
use serde_json::json;

/// The number of features shown.
pub(super) fn fact(plot: &Coefficients) -> Fact {
    let (shown, d) = (plot.features.len(), plot.d);
    let text = format!("{shown} of {d}");
    Fact { key: "columns", label: "features", value: json!(shown), text }
}

/// The chart of the largest coefficients.
pub(crate) fn chart(plot: &Coefficients) -> Chart {
    // 1. Names and remarks.
    let unit = if plot.standardized {
        "coefficient (numeric features standardized)"
    } else {
        "coefficient"
    };
    let mut subtitle = match (&plot.hyperplanes[..], &plot.multiclass) {
        ([positive], _) => format!("{}; positive values favor {positive}", plot.method),
        (_, Some(scheme)) => format!("{}, {scheme}", plot.method),
        (_, None) => plot.method.clone(),
    };
    if plot.omitted > 0 {
        let features = plural(plot.omitted, "feature", "features");
        subtitle += &format!("; {features} with smaller coefficients not shown");
    }
    if !plot.fixed.is_empty() {
        let names: Vec<&str> = plot.fixed.iter().take(4).map(String::as_str).collect();
        let more = if plot.fixed.len() > 4 { ", …" } else { "" };
        subtitle += &format!("; fixed at 0: {}{more}", names.join(", "));
    }

    // 2. Bars from the top downward.
    let height = 150.0 + 21.0 * plot.features.len() as f64;
    let y = Axis::named("", plot.features.clone()).reversed();
    let mut chart = Chart::new("Coefficients", Axis::new(unit), y)
        .size(720.0, height.max(260.0))
        .subtitle(&subtitle)
        .describe("The largest coefficients of the model by feature, as bars from zero.")
        .layer(Mark::VerticalLine(0.0), SeriesStyle::reference());
    if let Some(known) = &plot.inference {
        return with_intervals(chart, known);
    }
    let many = plot.values.len() as f64;
    for (p, values) in plot.values.iter().enumerate() {
        // Hyperplanes share the height of a line.
        let shift = if plot.values.len() > 1 { 0.7 * ((p as f64 + 0.5) / many - 0.5) } else { 0.0 };
        let half = 0.3 / many;
        let bar = |(place, &w): (usize, &f64)| {
            let y = place as f64 + shift;
            vec![(0.0, y - half), (w, y - half), (w, y + half), (0.0, y + half)]
        };
        let mark = Mark::Areas(values.iter().enumerate().map(bar).collect());
        let look = SeriesStyle { opacity: 0.75, ..SeriesStyle::nth(p) };
        chart = match plot.values.len() {
            1 => chart.layer(mark, look),
            _ => chart.named(&plot.hyperplanes[p], mark, look),
        };
    }
    chart
}

/// Adds each estimate with its confidence interval. An infinite end extends to the plot's edge.
fn with_intervals(chart: Chart, known: &Intervals) -> Chart {
    // 1. The range of the plot: to the largest finite end.
    let numbers = known.of.iter().flat_map(|i| [i.estimate, i.ends.0, i.ends.1]);
    let far = numbers.filter(|v| v.is_finite()).fold(0.0_f64, |far, v| far.max(v.abs()));
    let within = |v: f64| v.clamp(-1.1 * far, 1.1 * far);

    // 2. Intervals and estimates.
    let y = |interval: &Interval| interval.feature as f64;
    let sure = known.of.iter().filter(|i| !i.ends.0.is_nan() && !i.ends.1.is_nan());
    let segments = sure.map(|i| [(within(i.ends.0), y(i)), (within(i.ends.1), y(i))]);
    let points = known.of.iter().map(|i| (i.estimate, y(i))).collect();
    let look = SeriesStyle { width: 2.0, ..SeriesStyle::nth(0) };
    let name = format!("{} CI ({})", small_percent(known.level), known.method);
    chart
        .describe("The largest coefficients of the model by feature, as points with confidence intervals.")
        .named(&name, Mark::Segments(segments.collect()), look)
        .named("estimate", Mark::Points(points), look)
}
