//! Geometry of a hyperplane w·x + b = 0.
//!
//! * The hyperplane divides space into two half-spaces; w points into the positive one, where w·x +
//!   b > 0.
//! * The signed distance of a point from the hyperplane is r = z/‖w‖.
//! * Its projection x − r w/‖w‖ = x − (z/‖w‖²) w is the nearest point of the hyperplane.
//! * The signed distance of the hyperplane from the origin, measured along w, is −b/‖w‖.
//!
//! With w = 0 there is no hyperplane (all points have the score b), and these are `None`.

use crate::data::Hyperplane;
use crate::math::kernels::{dot, norm_sq};

impl Hyperplane {
    /// Score of a point; its sign is the side of the hyperplane.
    pub fn at(&self, x: &[f64]) -> f64 {
        dot(x, &self.w) + self.b
    }

    /// Signed distance r of a point from the hyperplane: positive on the side w points to.
    pub fn distance(&self, x: &[f64]) -> Option<f64> {
        let length = self.length()?;
        Some(self.at(x) / length)
    }

    /// Projection of x: the nearest point of the hyperplane.
    pub fn project(&self, x: &[f64]) -> Option<Vec<f64>> {
        let length = self.length()?;
        let r = self.at(x) / length;
        Some(x.iter().zip(&self.w).map(|(x, w)| x - r * (w / length)).collect())
    }

    /// Signed distance of the hyperplane from the origin, measured along w.
    pub fn offset(&self) -> Option<f64> {
        Some(-self.b / self.length()?)
    }

    /// ‖w‖, scaled so that squares neither overflow nor underflow; `None` if w = 0.
    fn length(&self) -> Option<f64> {
        let largest = self.w.iter().fold(0.0_f64, |m, w| m.max(w.abs()));
        if largest == 0.0 {
            return None;
        }
        let scaled: Vec<f64> = self.w.iter().map(|w| w / largest).collect();
        Some(largest * norm_sq(&scaled).sqrt())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hyperplane(w: &[f64], b: f64) -> Hyperplane {
        Hyperplane { w: w.to_vec(), b }
    }

    #[test]
    fn distance_and_projection_of_a_point_from_the_lectures() {
        // Which side of −1 + x1 + x2 = 0 does (2, 1) lie on? −1 + 2 + 1 = 2: the positive one.
        let h = hyperplane(&[1.0, 1.0], -1.0);
        assert_eq!(h.at(&[2.0, 1.0]), 2.0);
        assert!((h.distance(&[2.0, 1.0]).unwrap() - 2.0 / 2.0_f64.sqrt()).abs() < 1e-15);
        let foot = h.project(&[2.0, 1.0]).unwrap();
        assert!((foot[0] - 1.0).abs() < 1e-15 && foot[1].abs() < 1e-15);
        assert!((h.offset().unwrap() - 0.5_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn neurons_of_the_lectures_compute_logic_gates() {
        let corners = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]];
        let gate = |w: [f64; 2], b| corners.map(|x| hyperplane(&w, b).at(&x) >= 0.0);
        assert_eq!(gate([1.0, 1.0], -1.5), [false, false, false, true], "AND");
        assert_eq!(gate([1.0, 1.0], -0.5), [false, true, true, true], "OR");
        assert_eq!(gate([-1.0, -1.0], 1.5), [true, true, true, false], "NAND");
        assert_eq!(gate([-1.0, -1.0], 0.5), [true, false, false, false], "NOR");
        let and = corners.map(|x| hyperplane(&[1.0, 1.0], -1.5).at(&x));
        assert_eq!(and, [-1.5, -0.5, -0.5, 0.5], "the AND neuron's table");
    }

    #[test]
    fn zero_coefficients_have_no_hyperplane() {
        let h = hyperplane(&[0.0, 0.0], 3.0);
        assert_eq!(h.at(&[5.0, 5.0]), 3.0);
        assert!(h.distance(&[1.0, 1.0]).is_none() && h.project(&[1.0, 1.0]).is_none());
        assert!(h.offset().is_none());
    }

    #[test]
    fn extreme_coefficients_neither_overflow_nor_underflow() {
        for scale in [1e200, 1e-200] {
            let h = hyperplane(&[3.0 * scale, 4.0 * scale], 5.0 * scale);
            assert!((h.distance(&[0.0, 0.0]).unwrap() - 1.0).abs() < 1e-15, "{scale}");
        }
    }

    proptest! {
        #[test]
        fn the_projection_is_on_the_hyperplane_at_distance_r(
            w in prop::collection::vec(-10.0..10.0_f64, 1..6),
            b in -10.0..10.0_f64,
            seed in prop::collection::vec(-10.0..10.0_f64, 6),
        ) {
            prop_assume!(w.iter().any(|w| w.abs() > 1e-3));
            let x = &seed[..w.len()];
            let h = hyperplane(&w, b);
            let (r, foot) = (h.distance(x).unwrap(), h.project(x).unwrap());
            prop_assert!(h.distance(&foot).unwrap().abs() < 1e-10);
            let away: f64 = x.iter().zip(&foot).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
            prop_assert!((away - r.abs()).abs() < 1e-10);
        }
    }
}
