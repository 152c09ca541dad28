//! Rows of two coordinates, and the window that shows them.

use super::{Point, Series};
use crate::dataset::TrainingData;
use linsep_core::model::Window;
use linsep_core::{Labels, LinearModel};
use serde::{Deserialize, Serialize};

/// A line segment.
pub type Segment = [Point; 2];

/// Limit of drawn rows: more rows overlap and make the file large.
const MOST: usize = 3_000;

/// Rows as points, by class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scatter {
    /// Names of the axes.
    pub axes: [String; 2],
    /// Window that contains the rows, with a border.
    pub window: Window,
    /// Rows of each class; of very many rows, every n-th.
    pub classes: Vec<Series>,
    /// n.
    pub step: usize,
}

impl Scatter {
    /// Rows with these coordinates and classes.
    pub(super) fn new(axes: [String; 2], points: &[Point], labels: &Labels) -> Self {
        let step = points.len().div_ceil(MOST).max(1);
        let class = |(c, class): (u32, &linsep_core::Label)| {
            let own = points.iter().zip(labels.codes()).step_by(step);
            let own = own.filter(|(_, code)| **code == c).map(|(p, _)| *p);
            Series { name: class.to_string(), points: own.collect() }
        };
        let classes = (0..).zip(labels.classes()).map(class).collect();
        Self { axes, window: window(points), classes, step }
    }

    /// Boundaries of a model within the window.
    pub(super) fn boundaries(&self, model: &LinearModel) -> Vec<Segment> {
        let [low, high] = [self.window.low, self.window.high].map(|[x, y]| (x, y));
        model.boundaries(low, high)
    }
}

/// Returns the window that contains the points, with a border.
pub(super) fn window(points: &[Point]) -> Window {
    const BORDER: f64 = 0.08;
    let side = |of: fn(&Point) -> f64| {
        let low = points.iter().map(of).fold(f64::INFINITY, f64::min);
        let high = points.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        let border = if high > low { BORDER * (high - low) } else { 1.0 + low.abs() };
        (low - border, high + border)
    };
    let ((left, right), (low, high)) = (side(|p| p.0), side(|p| p.1));
    Window { low: [left, low], high: [right, high] }
}

/// Returns the first two features of the training rows in raw units.
pub(super) fn in_raw_units(training: &TrainingData) -> Vec<Point> {
    let by = training.recipe.standardize();
    let point = |i: usize| {
        let row = training.x.row(i);
        let row = by.as_ref().map_or(row.clone(), |by| by.unscale(&row));
        (row[0], row[1])
    };
    (0..training.x.n()).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_point_has_a_window_around_it() {
        let one = window(&[(3.0, -5.0)]);
        assert!(one.low[0] < 3.0 && one.high[0] > 3.0 && one.low[1] < -5.0 && one.high[1] > -5.0);
    }
}
