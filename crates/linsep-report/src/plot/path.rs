//! Regularization path: coefficients over λ. For a tuned model: the cross-validated cost over λ.

use super::{Fact, short};
use crate::number::{number, plural};
use linsep::jobs::plot::Path;
use linsep::validate::{Tuning, TuningPoint};
use linsep_plot::{Axis, Chart, Mark, Rgb, SeriesStyle};
use serde_json::json;

/// The number of values of λ.
pub(super) fn fact(path: &Path) -> Fact {
    let n = path.lambdas.len();
    let text = plural(n, "value of λ", "values of λ");
    Fact { key: "strengths", label: "path", value: json!(n), text }
}

/// The chart with a line per feature; those of the largest coefficients are named.
pub(super) fn chart(path: &Path) -> Chart {
    let line = |coefficients: &[f64]| {
        Mark::Line(path.lambdas.iter().copied().zip(coefficients.iter().copied()).collect())
    };
    let x = Axis::log("λ (regularization strength)").reversed();
    let y = Axis::new("coefficient (numeric features standardized)");
    let (data, class) = (short(&path.data), &path.class);
    let mut chart = Chart::new("Regularization path", x, y)
        .size(760.0, 480.0)
        .subtitle(&format!("{data}: coefficients of {class}; λ decreases to the right"))
        .describe(
            "The coefficient of each feature over the regularization strength, on a logarithmic axis.",
        );
    let color = Rgb(0xb5, 0xb5, 0xb5);
    let gray = SeriesStyle { width: 0.9, color, ..SeriesStyle::reference() };
    for coefficients in &path.others {
        chart = chart.layer(line(coefficients), gray);
    }
    for (i, (name, coefficients)) in path.features.iter().enumerate() {
        chart = chart.named(name, line(coefficients), SeriesStyle::nth(i));
    }
    chart
}

/// The chart of the cross-validated cost by which λ was selected.
pub(crate) fn tuning_chart(tuning: &Tuning) -> Chart {
    let points = &tuning.points;
    let line: Vec<(f64, f64)> = points.iter().map(|p| (p.lambda, p.cost)).collect();
    let spread = |p: &TuningPoint| {
        let error = p.standard_error?;
        Some([(p.lambda, p.cost - error), (p.lambda, p.cost + error)])
    };
    let spread: Vec<_> = points.iter().filter_map(spread).collect();
    let mut chart = Chart::new(
        "Selection of λ",
        Axis::log("λ (regularization strength)").reversed(),
        Axis::new(&format!("out-of-fold {}", tuning.by)),
    )
    .subtitle(&format!("{}; selected λ = {} ({})", tuning.how(), number(tuning.lambda()), tuning.choose))
    .describe("The mean out-of-fold cost over the regularization strength, with intervals of one standard error.");
    if !spread.is_empty() {
        let look = SeriesStyle { width: 1.4, dash: &[], ..SeriesStyle::nth(5) };
        chart = chart.named("one standard error", Mark::Segments(spread), look);
    }
    let over = if tuning.leave_one_out { "mean over the rows" } else { "mean over the folds" };
    chart = chart
        .named(over, Mark::Line(line.clone()), SeriesStyle::nth(0))
        .layer(Mark::Points(line), SeriesStyle::nth(0));
    let same = tuning.best == tuning.chosen;
    for (name, at, look) in [
        ("minimum", tuning.best, SeriesStyle::nth(2)),
        (if same { "minimum, selected" } else { "selected" }, tuning.chosen, SeriesStyle::nth(1)),
    ] {
        if let Some(point) = points.get(at).filter(|_| !same || name != "minimum") {
            chart = chart.named(name, Mark::VerticalLine(point.lambda), look);
        }
    }
    chart
}
