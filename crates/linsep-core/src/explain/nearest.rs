//! Counterfactuals: the nearest row of another class.
//!
//! Lengths are in units sⱼ of the columns (for example their standard deviations; 0 for a column
//! that may not change): ‖δ‖ = √Σ (δⱼ/sⱼ)².
//!
//! * **Any other class.** The region of the winner w is convex, bounded by the hyperplanes between
//!   w and the others. The nearest point of its boundary is the projection onto the nearest
//!   hyperplane. If that projection lay outside the region, the path to it would cross another,
//!   nearer hyperplane. With a = `f_w − f_c` and lead z = a·x + b, a hyperplane is reached after
//!   δ = −z S²a/‖Sa‖², ‖δ‖ = z/‖Sa‖.
//! * **A given class.** The nearest point of its region { a·y + b ≥ 0 for every a = `f_c − f_l` }:
//!   a projection onto a polyhedron. The dual is a quadratic with a multiplier μ ≥ 0 per
//!   hyperplane, maximized by coordinate ascent (Hildreth's method, Quart. Appl. Math. 4, 1957):
//!   μₗ ← max(0, μₗ − (gₗ·u + zₗ)/‖gₗ‖²) with gₗ = S aₗ and u = Σ μₗ gₗ. If no change of the
//!   allowed columns reaches the region, the multipliers diverge; the violation that remains after
//!   the last sweep shows this.
//! * **Votes** have nonconvex regions. For each pair, the path across its hyperplane is followed
//!   until the prediction changes. The shortest of these paths is returned: a valid change, but not
//!   certified to be the shortest.

use super::ClassScores;
use super::reach::BEYOND;
use crate::math::kernels::dot;

/// Changed row with another prediction.
#[derive(Clone, Debug, PartialEq)]
pub struct Counterfactual {
    /// Changed row; its prediction has been computed.
    pub x: Vec<f64>,
    /// Predicted class of the changed row.
    pub class: usize,
    /// Distance from the original row, in the given units.
    pub length: f64,
    /// Whether no shorter change suffices (up to rounding).
    pub exact: bool,
}

impl ClassScores<'_> {
    /// Nearest row of another class, or of the class `want`. `None` if no change of the allowed
    /// columns leads to one.
    pub fn nearest(&self, x: &[f64], scale: &[f64], want: Option<usize>) -> Option<Counterfactual> {
        let scores = self.scores(x);
        let winner = self.class(&scores);
        let others = (0..self.model().k()).filter(|&c| c != winner);
        if !self.is_convex() {
            let rivals = others.filter(|c| want.is_none_or(|want| want == *c));
            let ways = rivals.filter_map(|c| self.walk(x, scale, (winner, c), want));
            return ways.min_by(|a, b| a.length.total_cmp(&b.length));
        }
        // 1. Target class.
        let target = want.or_else(|| {
            let away = |c: usize| {
                let hyperplane = self.between(winner, c);
                let step = Self::downhill(&hyperplane, hyperplane.at(x), scale)?;
                Some((length(&step, scale), c))
            };
            others.filter_map(away).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, c)| c)
        })?;
        // 2. Projection onto the boundary, and slightly beyond until the prediction changes.
        let rivals: Vec<usize> = match want {
            None => vec![winner],
            Some(want) => (0..self.model().k()).filter(|&c| c != want).collect(),
        };
        let sides: Vec<Side> = rivals.iter().map(|&c| self.side(x, scale, target, c)).collect();
        BEYOND.into_iter().find_map(|more| {
            let step = project(&sides, scale, more)?;
            let there: Vec<f64> = x.iter().zip(&step).map(|(x, step)| x + step).collect();
            let class = self.class(&self.scores(&there));
            let done = want.map_or(class != winner, |want| class == want);
            let length = length(&step, scale);
            (done && length.is_finite()).then_some(Counterfactual {
                x: there,
                class,
                length,
                exact: true,
            })
        })
    }

    /// Moves towards the hyperplane of a pair and beyond, until the prediction changes.
    fn walk(
        &self,
        x: &[f64],
        scale: &[f64],
        (winner, rival): (usize, usize),
        want: Option<usize>,
    ) -> Option<Counterfactual> {
        let hyperplane = self.between(winner, rival);
        // Downhill for either sign of the lead: the winner of the vote may have lost this pair.
        let step = Self::downhill(&hyperplane, 1.0, scale)?;
        let slopes: Vec<f64> =
            self.model().hyperplanes().iter().map(|hyperplane| dot(&hyperplane.w, &step)).collect();
        let t = self.reach(&self.scores(x), &slopes, want)?;
        BEYOND.into_iter().find_map(|more| {
            let t = t + (t + 1.0) * more;
            let there: Vec<f64> =
                x.iter().zip(&step).map(|(x, step)| t.mul_add(*step, *x)).collect();
            let class = self.class(&self.scores(&there));
            let done = want.map_or(class != winner, |want| class == want);
            let length = t * length(&step, scale);
            (done && length.is_finite()).then_some(Counterfactual {
                x: there,
                class,
                length,
                exact: false,
            })
        })
    }

    fn side(&self, x: &[f64], scale: &[f64], target: usize, rival: usize) -> Side {
        let hyperplane = self.between(target, rival);
        let size = hyperplane.w.iter().zip(x).map(|(w, x)| (w * x).abs()).sum::<f64>()
            + hyperplane.b.abs();
        let g: Vec<f64> = hyperplane.w.iter().zip(scale).map(|(w, s)| w * s).collect();
        Side { z: hyperplane.at(x), square: dot(&g, &g), g, size }
    }
}

/// Half-space in scaled units: g·u + z ≥ 0.
struct Side {
    g: Vec<f64>,
    z: f64,
    square: f64,
    /// Sum of the absolute terms of z, the scale of its rounding error.
    size: f64,
}

/// Shortest change into all these half-spaces, by `more` of their sizes beyond the boundary.
fn project(sides: &[Side], scale: &[f64], more: f64) -> Option<Vec<f64>> {
    const SWEEPS: usize = 20_000;
    const NEAR: f64 = 1e-12;
    let want: Vec<f64> = sides.iter().map(|side| side.z - more * side.size).collect();
    if sides.iter().zip(&want).any(|(side, z)| side.square == 0.0 && *z < 0.0) {
        return None;
    }
    let m = sides.len();
    let gram: Vec<f64> = sides.iter().flat_map(|a| sides.iter().map(|b| dot(&a.g, &b.g))).collect();
    let mut mu = vec![0.0; m];
    let mut settled = false;
    for _ in 0..SWEEPS {
        let mut moved = false;
        for l in (0..m).filter(|&l| sides[l].square > 0.0) {
            let at = dot(&gram[l * m..(l + 1) * m], &mu) + want[l];
            let new = (mu[l] - at / sides[l].square).max(0.0);
            moved |= (new - mu[l]).abs() > NEAR * new.abs().max(mu[l]);
            mu[l] = new;
        }
        settled = !moved;
        if settled {
            break;
        }
    }
    // Inside all half-spaces up to rounding? Otherwise their intersection is empty.
    let inside = |l: usize| {
        dot(&gram[l * m..(l + 1) * m], &mu) + want[l] >= -1e-9 * (sides[l].size + want[l].abs())
    };
    if !(settled || (0..m).all(inside)) || !(0..m).all(inside) {
        return None;
    }
    let mut step = vec![0.0; scale.len()];
    for (side, mu) in sides.iter().zip(&mu).filter(|(_, mu)| **mu > 0.0) {
        step.iter_mut().zip(&side.g).for_each(|(step, g)| *step += mu * g);
    }
    step.iter_mut().zip(scale).for_each(|(step, s)| *step *= s);
    Some(step)
}

/// ‖δ‖ in units of the columns; columns of unit 0 are unchanged.
fn length(step: &[f64], scale: &[f64]) -> f64 {
    let parts = step.iter().zip(scale).filter(|(_, s)| **s > 0.0).map(|(step, s)| step / s);
    parts.fold(0.0, f64::hypot)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::model;
    use super::*;
    use crate::model::DecisionRule;
    use proptest::prelude::*;

    #[test]
    fn the_counterfactual_of_a_point_from_the_lectures_is_its_projection() {
        // x₁ + x₂ = 1 from (2, 1): the projection is (1, 0), at distance √2.
        let two = model(DecisionRule::Sign, 2, &[1.0, 1.0, -1.0], 2);
        let flip = ClassScores::new(&two).nearest(&[2.0, 1.0], &[1.0, 1.0], None).unwrap();
        assert!((flip.length - 2.0_f64.sqrt()).abs() < 1e-9 && flip.class == 0 && flip.exact);
        assert!((flip.x[0] - 1.0).abs() < 1e-9 && flip.x[1].abs() < 1e-9);
        // Only the second column may change: it has to decrease by 2.
        let flip = ClassScores::new(&two).nearest(&[2.0, 1.0], &[0.0, 1.0], None).unwrap();
        assert!((flip.x[1] + 1.0).abs() < 1e-9 && flip.x[0] == 2.0);
        assert_eq!(ClassScores::new(&two).nearest(&[2.0, 1.0], &[0.0, 0.0], None), None);
    }

    #[test]
    fn a_given_class_may_be_farther_than_another() {
        // Scores 0, x, 2x − 1 in one column: from −1, class 1 begins at 0, class 2 at 1.
        let three = model(DecisionRule::ArgMax, 3, &[0.0, 0.0, 1.0, 0.0, 2.0, -1.0], 1);
        let contest = ClassScores::new(&three);
        let near = contest.nearest(&[-1.0], &[1.0], None).unwrap();
        assert!(near.class == 1 && near.x[0].abs() < 1e-9);
        let far = contest.nearest(&[-1.0], &[1.0], Some(2)).unwrap();
        assert!(far.class == 2 && (far.x[0] - 1.0).abs() < 1e-6, "{far:?}");
        // Scores 0, x, x − 1: the last one never wins.
        let never = model(DecisionRule::ArgMax, 3, &[0.0, 0.0, 1.0, 0.0, 1.0, -1.0], 1);
        assert_eq!(ClassScores::new(&never).nearest(&[-1.0], &[1.0], Some(2)), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Brute force: no row on a fine circle just inside the returned length has another
        /// prediction.
        #[test]
        fn no_nearer_row_has_another_prediction(
            numbers in prop::collection::vec(-3.0..3.0_f64, 18),
            x in prop::collection::vec(-3.0..3.0_f64, 2),
            scale in prop::collection::vec(0.2..3.0_f64, 2),
        ) {
            for (decide, k) in
                [(DecisionRule::Sign, 2), (DecisionRule::ArgMax, 4), (DecisionRule::OneOrLast, 4), (DecisionRule::Vote, 4)]
            {
                let model = model(decide, k, &numbers, 2);
                let contest = ClassScores::new(&model);
                let winner = contest.class(&contest.scores(&x));
                for want in std::iter::once(None).chain((0..k).filter(|&c| c != winner).map(Some)) {
                    let Some(flip) = contest.nearest(&x, &scale, want) else { continue };
                    let fine = |class: usize| want.map_or(class != winner, |want| class == want);
                    prop_assert!(fine(contest.class(&contest.scores(&flip.x))));
                    prop_assert_eq!(flip.exact, decide != DecisionRule::Vote);
                    if !flip.exact {
                        continue;
                    }
                    for turn in 0..720 {
                        let (sin, cos) = (f64::from(turn) * std::f64::consts::PI / 360.0).sin_cos();
                        for part in [0.999, 0.7, 0.3] {
                            let r = part * (flip.length - 1e-6);
                            let y = [x[0] + r * cos * scale[0], x[1] + r * sin * scale[1]];
                            prop_assert!(
                                r <= 0.0 || !fine(contest.class(&contest.scores(&y))),
                                "{decide:?} {want:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}
