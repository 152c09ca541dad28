//! Loss functions over the margin m = y·z. Rows with m ≤ 0 lie on the wrong side of the hyperplane.
//!
//! The 0/1 loss is the quantity of interest, but its slope is zero almost everywhere. Every loss
//! function is a surrogate of it, as in the lectures' figure of training criteria.

use linsep::loss::Loss;
use linsep_plot::{Axis, Chart, Mark, SeriesStyle};

pub use linsep::loss::ALL;

/// Range of the margins.
const MARGINS: (f64, f64) = (-3.0, 3.0);
/// Range of the losses, which contains the hinge loss but not the squared loss. It begins below 0,
/// so that curves at 0 are visible.
const LOSSES: (f64, f64) = (-0.15, 4.0);
/// Line segments of a curve. The corners at 0 and 1 are ends of segments.
const PIECES: u32 = 600;

/// Returns the chart of these losses.
pub fn chart(losses: &[&dyn Loss]) -> Chart {
    let x = Axis::new("margin m = y·z").range(MARGINS.0, MARGINS.1);
    let y = Axis::new("loss ℓ(m)").range(LOSSES.0, LOSSES.1);
    let step = vec![(MARGINS.0, 1.0), (0.0, 1.0), (0.0, 0.0), (MARGINS.1, 0.0)];
    let chart = Chart::new("Loss functions", x, y)
        .subtitle("Loss of a row by its margin; rows of negative margin are misclassified")
        .describe(
            "Curves of loss functions, and the 0/1 loss as a step from 1 down to 0 at margin 0.",
        )
        .named("0/1 loss", Mark::Line(step), SeriesStyle::reference());
    losses.iter().enumerate().fold(chart, |chart, (i, loss)| {
        chart.named(loss.name(), Mark::Line(curve(*loss)), SeriesStyle::nth(i))
    })
}

fn curve(loss: &dyn Loss) -> Vec<(f64, f64)> {
    let (low, high) = MARGINS;
    let margin = |i: u32| low + (high - low) * f64::from(i) / f64::from(PIECES);
    (0..=PIECES).map(margin).map(|m| (m, loss.value(m))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Losses have corners at m = 0 and m = 1. Both must be points of the curve, or the corners are
    /// cut off.
    #[test]
    fn corners_are_points_of_a_curve() {
        let curve = curve(ALL[0]);
        assert_eq!((curve[0].0, curve[600].0), MARGINS);
        for corner in [0.0, 1.0] {
            assert!(curve.iter().any(|(m, _)| *m == corner), "{corner}");
        }
    }

    #[test]
    fn chart_shows_the_zero_one_loss_and_every_loss() {
        let chart = chart(ALL);
        let names = chart.names();
        assert_eq!(names[0], "0/1 loss");
        assert_eq!(names[1..], *ALL.iter().map(|loss| loss.name()).collect::<Vec<_>>());
    }
}
