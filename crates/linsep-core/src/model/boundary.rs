//! Decision boundaries of a model with two features.
//!
//! A single hyperplane gives the line w·x + b = 0. With several, classes a and b meet on the line
//! `z_a` = `z_b`, where no third class has a larger score. Each c restricts the line to the half
//! line `z_a ≥ z_c`, so at most one segment remains.

use super::LinearModel;
use crate::data::Hyperplane;

/// Point in two dimensions.
type Point = (f64, f64);

impl LinearModel {
    /// Segments of the decision boundaries within the rectangle from `low` to `high`. Empty unless
    /// the model has two features.
    pub fn boundaries(&self, low: Point, high: Point) -> Vec<[Point; 2]> {
        if self.d() != 2 {
            return Vec::new();
        }
        // A single hyperplane decides by its threshold: it competes with a constant.
        let zero = Hyperplane { b: self.operating_point().threshold, ..Hyperplane::zero(2) };
        let hyperplanes: Vec<&Hyperplane> = match self.hyperplanes() {
            [one] => vec![&zero, one],
            many => many.iter().collect(),
        };
        let inside = [
            Hyperplane { w: vec![1.0, 0.0], b: -low.0 },
            Hyperplane { w: vec![-1.0, 0.0], b: high.0 },
            Hyperplane { w: vec![0.0, 1.0], b: -low.1 },
            Hyperplane { w: vec![0.0, -1.0], b: high.1 },
        ];
        let mut pieces = Vec::new();
        for a in 0..hyperplanes.len() {
            for b in a + 1..hyperplanes.len() {
                let others = (0..hyperplanes.len()).filter(|&c| c != a && c != b);
                let rivals = others.map(|c| less(hyperplanes[a], hyperplanes[c]));
                let keep: Vec<Hyperplane> = inside.iter().cloned().chain(rivals).collect();
                pieces.extend(piece(&less(hyperplanes[b], hyperplanes[a]), &keep));
            }
        }
        pieces
    }
}

fn less(a: &Hyperplane, b: &Hyperplane) -> Hyperplane {
    let mut difference = a.clone();
    difference.step(-1.0, b);
    difference
}

/// Part of a line on which none of these scores is negative.
fn piece(line: &Hyperplane, keep: &[Hyperplane]) -> Option<[Point; 2]> {
    // Parametrized from the point nearest to the origin.
    let foot = line.project(&[0.0, 0.0])?;
    let along = [-line.w[1], line.w[0]];
    let (mut from, mut to) = (f64::NEG_INFINITY, f64::INFINITY);
    for hyperplane in keep {
        let (start, slope) =
            (hyperplane.at(&foot), hyperplane.w[0] * along[0] + hyperplane.w[1] * along[1]);
        let t = -start / slope;
        match slope {
            s if s > 0.0 => from = from.max(t),
            s if s < 0.0 => to = to.min(t),
            _ if start < 0.0 => return None,
            _ => {}
        }
    }
    let at = |t: f64| (t.mul_add(along[0], foot[0]), t.mul_add(along[1], foot[1]));
    (from < to && from.is_finite() && to.is_finite()).then(|| [at(from), at(to)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Label;
    use crate::model::DecisionRule;

    fn model(hyperplanes: &[([f64; 2], f64)]) -> LinearModel {
        let decide = if hyperplanes.len() == 1 { DecisionRule::Sign } else { DecisionRule::ArgMax };
        let classes = (0..hyperplanes.len().max(2)).map(|c| Label::Number(c as f64)).collect();
        let hyperplanes =
            hyperplanes.iter().map(|(w, b)| Hyperplane { w: w.to_vec(), b: *b }).collect();
        LinearModel::new(classes, hyperplanes, decide).unwrap()
    }

    #[test]
    fn the_boundary_of_one_hyperplane_crosses_the_rectangle() {
        let pieces = model(&[([1.0, 1.0], -1.0)]).boundaries((0.0, 0.0), (2.0, 2.0));
        assert_eq!(pieces.len(), 1);
        let [(x0, y0), (x1, y1)] = pieces[0];
        assert!((x0 + y0 - 1.0).abs() < 1e-12 && (x1 + y1 - 1.0).abs() < 1e-12);
        assert!(((x0 - x1).abs() - 1.0).abs() < 1e-12, "from edge to edge: {pieces:?}");
        let beside = model(&[([1.0, 1.0], -9.0)]).boundaries((0.0, 0.0), (2.0, 2.0));
        assert!(beside.is_empty());
    }

    #[test]
    fn the_boundaries_of_three_classes_meet_in_a_point() {
        // Scores 0, x, y: all meet at the origin, where a third class ends each line.
        let three = model(&[([0.0, 0.0], 0.0), ([1.0, 0.0], 0.0), ([0.0, 1.0], 0.0)]);
        let pieces = three.boundaries((-1.0, -1.0), (1.0, 1.0));
        assert_eq!(pieces.len(), 3);
        for [a, b] in &pieces {
            let at_origin = |p: &Point| p.0.abs() < 1e-12 && p.1.abs() < 1e-12;
            assert!(at_origin(a) != at_origin(b), "one end at the origin: {pieces:?}");
        }
    }
}
