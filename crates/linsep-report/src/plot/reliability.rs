//! Reliability diagram: observed frequency over mean predicted probability.

use super::{Fact, pale, short};
use crate::number::number;
use linsep::core::metric::share_interval;
use linsep::jobs::plot::{OutOfFoldReliability, Reliability};
use linsep::validate::{BinRecord, Quality};
use linsep_plot::{Axis, Chart, Mark, SeriesStyle};
use serde_json::json;

/// The expected calibration error.
pub(super) fn fact(diagram: &Reliability) -> Fact {
    let Reliability { meaning, error, .. } = diagram;
    let value = json!([{ "class": meaning, "value": error }]);
    let text = format!("expected calibration error {} ({meaning})", number(*error));
    Fact { key: "error", label: "ECE", value, text }
}

/// The expected calibration error before and after.
pub(super) fn out_of_fold_fact(diagram: &OutOfFoldReliability) -> Fact {
    let error = diagram.after.calibration_error;
    let before = diagram.before.as_ref().map(|q| q.calibration_error);
    let text = before.map_or_else(String::new, |b| format!("{} before, ", number(b)));
    let text = format!("expected calibration error {text}{} after", number(error));
    Fact { key: "error", label: "ECE", value: json!({ "before": before, "after": error }), text }
}

/// The diagram of rows with known classes.
pub(crate) fn chart(diagram: &Reliability) -> Chart {
    let Reliability { data, meaning, error, bins } = diagram;
    let data = short(data);
    let subtitle = format!("{data}: {meaning}; expected calibration error {error:.4}");
    drawn(empty(&subtitle), bins, "observed")
}

/// The diagram of the out-of-fold predictions of a calibration.
pub(crate) fn out_of_fold_chart(diagram: &OutOfFoldReliability) -> Chart {
    let OutOfFoldReliability { method, folds, before, after } = diagram;
    let error = |quality: &Quality| format!("{:.4}", quality.calibration_error);
    let errors = match before {
        Some(before) => format!("{} before, {} after", error(before), error(after)),
        None => error(after),
    };
    let mut chart = empty(&format!(
        "{method}, out-of-fold ({folds} folds); expected calibration error {errors}"
    ));
    if let Some(before) = before {
        let points: Vec<_> =
            before.bins.iter().map(|bin| (bin.probability, bin.happened)).collect();
        let look = SeriesStyle { width: 1.4, ..SeriesStyle::nth(1) };
        chart = chart.layer(Mark::Line(points.clone()), look).named(
            "before",
            Mark::Points(points),
            SeriesStyle::nth(1),
        );
    }
    drawn(chart, &after.bins, "after")
}

/// Returns the axes and the line of perfect calibration.
fn empty(subtitle: &str) -> Chart {
    let (x, y) = (
        Axis::new("mean predicted probability").range(-0.02, 1.02),
        Axis::new("observed frequency").range(-0.02, 1.02),
    );
    Chart::new("Reliability diagram", x, y)
        .size(660.0, 520.0)
        .subtitle(subtitle)
        .describe("Observed frequency over mean predicted probability, in bins of equal width with 95 % confidence intervals.")
        .named("perfect calibration", Mark::Line(vec![(0.0, 0.0), (1.0, 1.0)]), pale())
}

/// Adds the bins as points with confidence intervals, and bars in proportion to their rows.
fn drawn(chart: Chart, bins: &[BinRecord], name: &str) -> Chart {
    let points: Vec<(f64, f64)> = bins.iter().map(|bin| (bin.probability, bin.happened)).collect();
    let intervals = bins.iter().filter_map(|bin| {
        let (low, high) = share_interval(bin.happened, bin.weight)?;
        Some([(bin.probability, low), (bin.probability, high)])
    });
    let most = bins.iter().map(|bin| bin.weight).fold(0.0, f64::max);
    let bar = |bin: &BinRecord| {
        let (x, high) = (bin.probability, 0.08 * bin.weight / most);
        vec![(x - 0.012, 0.0), (x + 0.012, 0.0), (x + 0.012, high), (x - 0.012, high)]
    };
    let own = SeriesStyle::nth(0);
    let bar_style = SeriesStyle { opacity: 0.18, ..SeriesStyle::reference() };
    let interval_style = SeriesStyle { width: 1.6, dash: &[], ..own };
    chart
        .named("rows in the bin", Mark::Areas(bins.iter().map(bar).collect()), bar_style)
        .named("95 % CI", Mark::Segments(intervals.collect()), interval_style)
        .layer(Mark::Line(points.clone()), SeriesStyle { width: 1.2, ..own })
        .named(name, Mark::Points(points), own)
}
