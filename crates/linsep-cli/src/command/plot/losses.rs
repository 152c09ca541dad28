//! The losses over the margin m = y·z: what a row costs that lies on the wrong side (m ≤ 0), on the
//! right side but near the hyperplane, or far away from it.
//!
//! The 0/1 cost is what one would like to minimize; it has no slope to go down. Every loss takes
//! its place in its own way, and the picture puts them side by side, as the lectures' figure of
//! training criteria does.

use linsep::loss::Loss;
use linsep_plot::{Axis, Chart, Mark, SeriesStyle};

pub use linsep::loss::ALL;

/// The margins shown.
const MARGINS: (f64, f64) = (-3.0, 3.0);
/// The costs shown: the hinge loss still fits in; a squared loss leaves at the top. Zero has some
/// air below, so that curves can be seen there.
const COSTS: (f64, f64) = (-0.15, 4.0);
/// Pieces of a curve. The corners at 0 and 1 fall between two of them.
const PIECES: u32 = 600;

/// The picture of these losses.
pub fn chart(losses: &[&dyn Loss]) -> Chart {
    let x = Axis::new("margin m = y·z").range(MARGINS.0, MARGINS.1);
    let y = Axis::new("loss ℓ(m)").range(COSTS.0, COSTS.1);
    let step = vec![(MARGINS.0, 1.0), (0.0, 1.0), (0.0, 0.0), (MARGINS.1, 0.0)];
    let chart = Chart::new("Training criteria", x, y)
        .subtitle(
            "What a row costs by its margin; left of 0 it lies on the wrong side of the plane",
        )
        .describe(
            "Curves of loss functions, and the 0/1 cost as a step from 1 down to 0 at margin 0.",
        )
        .named("0/1 cost", Mark::Line(step), SeriesStyle::reference());
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

    /// The corners of losses are at m = 0 and m = 1: they must be points of the curve, or it is
    /// bevelled.
    #[test]
    fn corners_are_points_of_a_curve() {
        let curve = curve(ALL[0]);
        assert_eq!((curve[0].0, curve[600].0), MARGINS);
        for corner in [0.0, 1.0] {
            assert!(curve.iter().any(|(m, _)| *m == corner), "{corner}");
        }
    }

    #[test]
    fn every_loss_is_shown_beside_the_true_cost() {
        let chart = chart(ALL);
        let names = chart.names();
        assert_eq!(names[0], "0/1 cost");
        assert_eq!(names[1..], *ALL.iter().map(|loss| loss.name()).collect::<Vec<_>>());
    }
}
