//! Loss functions over the margin m = y·z. Rows with m ≤ 0 lie on the wrong side of the hyperplane.
//!
//! The 0/1 loss is the quantity of interest, but its slope is zero almost everywhere. Every loss
//! function is a surrogate of it, as in the lectures' figure of training criteria.

use super::Series;
use linsep_core::loss::{ALL, Loss};
use serde::{Deserialize, Serialize};

/// Range of the margins.
const MARGINS: (f64, f64) = (-3.0, 3.0);
/// Line segments of a curve. The corners at 0 and 1 are ends of segments.
const PIECES: u32 = 600;

/// Loss functions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// Range of the margins.
    pub margins: (f64, f64),
    /// The 0/1 loss, then every loss function.
    pub curves: Vec<Series>,
}

impl Losses {
    /// Returns all loss functions.
    pub fn all() -> Self {
        let (low, high) = MARGINS;
        let step = vec![(low, 1.0), (0.0, 1.0), (0.0, 0.0), (high, 0.0)];
        let step = Series { name: "0/1 loss".to_owned(), points: step };
        Self {
            margins: MARGINS,
            curves: [step].into_iter().chain(ALL.iter().map(|loss| curve(*loss))).collect(),
        }
    }
}

fn curve(loss: &dyn Loss) -> Series {
    let (low, high) = MARGINS;
    let margin = |i: u32| low + (high - low) * f64::from(i) / f64::from(PIECES);
    let points = (0..=PIECES).map(margin).map(|m| (m, loss.value(m))).collect();
    Series { name: loss.name().to_owned(), points }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Losses have corners at m = 0 and m = 1. Both must be points of the curve, or the corners are
    /// cut off.
    #[test]
    fn corners_are_points_of_a_curve() {
        let curve = curve(ALL[0]).points;
        assert_eq!((curve[0].0, curve[600].0), MARGINS);
        for corner in [0.0, 1.0] {
            assert!(curve.iter().any(|(m, _)| *m == corner), "{corner}");
        }
    }

    #[test]
    fn the_zero_one_loss_and_every_loss_have_a_curve() {
        let curves = Losses::all().curves;
        let names: Vec<&str> = curves.iter().map(|curve| curve.name.as_str()).collect();
        assert_eq!(names[0], "0/1 loss");
        assert_eq!(names[1..], *ALL.iter().map(|loss| loss.name()).collect::<Vec<_>>());
    }
}
