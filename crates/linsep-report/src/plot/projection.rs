//! Histograms of two classes along Fisher's direction (upward) and along the difference of their
//! means (downward).

use linsep::jobs::plot::Projection;
use linsep_plot::{Axis, Chart, Mark, SeriesStyle};

pub(super) fn chart(plot: &Projection) -> Chart {
    let Projection { low, wide, .. } = *plot;
    let mut chart = Chart::new(
        "Fisher's direction and the difference of means",
        Axis::new("within-class standard deviations from the overall mean"),
        Axis::new("share of rows"),
    )
    .subtitle("Upward: along Fisher's direction; downward: along the difference of means")
    .describe(
        "Histograms of two classes along two directions; less overlap means better separation.",
    );
    for (c, (class, histograms)) in plot.classes.iter().enumerate() {
        for (bins, sign) in histograms.iter().zip([1.0, -1.0]) {
            let bar = |(i, share): (usize, &f64)| {
                let (left, top) = (low + wide * i as f64, sign * share);
                vec![(left, 0.0), (left + wide, 0.0), (left + wide, top), (left, top)]
            };
            let bars =
                bins.iter().enumerate().filter(|(_, share)| **share > 0.0).map(bar).collect();
            let look = SeriesStyle { opacity: 0.55, ..SeriesStyle::nth(c) };
            chart = chart.named(class, Mark::Areas(bars), look);
        }
    }
    chart
}
