//! The nearest row that is decided otherwise.
//!
//! Lengths are in units sⱼ of the columns (their deviations, say; 0: a column that may not change): ‖δ‖ = √Σ (δⱼ/sⱼ)².
//!
//! * **Any other class.** The rows of the winner w are a convex region, cut by the planes between w and the others. From inside, the
//!   nearest point of its border is the nearest point of the nearest plane: were the foot on that plane outside the region, another plane
//!   would have been met on the way, and be nearer. With a = `f_w − f_c` and lead z = a·x + b, one plane is met after
//!   δ = −z S²a/‖Sa‖², ‖δ‖ = z/‖Sa‖.
//! * **A certain class.** The nearest point of its own region { a·y + b ≥ 0 for every a = `f_c − f_l` }: a projection onto a polyhedron.
//!   Its dual is quadratic with a multiplier μ ≥ 0 per plane, and is maximised one multiplier at a time (Hildreth's method, Quart.
//!   Appl. Math. 4, 1957): μₗ ← max(0, μₗ − (gₗ·u + zₗ)/‖gₗ‖²) with gₗ = S aₗ and u = Σ μₗ gₗ. Where no change of the allowed columns reaches the
//!   region, the multipliers grow for ever; that is noticed by what is left after the sweeps allowed.
//! * **Votes** leave regions that are not convex. Then the way to the other side of each pair's plane is gone until the decision changes, and
//!   the shortest such way is taken: a true change, but not proved to be the least.

use super::Contest;
use super::reach::BEYOND;
use crate::math::kernels::dot;

/// A row that is decided otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Flip {
    /// The changed row; it has been scored.
    pub x: Vec<f64>,
    /// The class it is given.
    pub class: usize,
    /// How far it is from the row it was, in the units given.
    pub length: f64,
    /// Whether no shorter change does it (up to rounding).
    pub exact: bool,
}

impl Contest<'_> {
    /// The nearest row of another class, or of the class that is wanted. None where no change of the allowed columns leads to one.
    pub fn nearest(&self, x: &[f64], scale: &[f64], want: Option<usize>) -> Option<Flip> {
        let scores = self.scores(x);
        let winner = self.class(&scores);
        let others = (0..self.model().k()).filter(|&c| c != winner);
        if !self.is_convex() {
            let rivals = others.filter(|c| want.is_none_or(|want| want == *c));
            let ways = rivals.filter_map(|c| self.walk(x, scale, (winner, c), want));
            return ways.min_by(|a, b| a.length.total_cmp(&b.length));
        }
        // 1. Towards which class?
        let target = want.or_else(|| {
            let away = |c: usize| {
                let plane = self.between(winner, c);
                let step = Self::downhill(&plane, plane.at(x), scale)?;
                Some((length(&step, scale), c))
            };
            others.filter_map(away).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, c)| c)
        })?;
        // 2. Onto the border, and a hair beyond it, until scoring agrees.
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
            (done && length.is_finite()).then_some(Flip { x: there, class, length, exact: true })
        })
    }

    /// As far towards the plane of a pair, and through it, as it takes.
    fn walk(
        &self,
        x: &[f64],
        scale: &[f64],
        (winner, rival): (usize, usize),
        want: Option<usize>,
    ) -> Option<Flip> {
        let plane = self.between(winner, rival);
        // Downhill whatever the lead: a winner of most votes may have lost this one.
        let step = Self::downhill(&plane, 1.0, scale)?;
        let slopes: Vec<f64> =
            self.model().planes().iter().map(|plane| dot(&plane.w, &step)).collect();
        let t = self.reach(&self.scores(x), &slopes, want)?;
        BEYOND.into_iter().find_map(|more| {
            let t = t + (t + 1.0) * more;
            let there: Vec<f64> =
                x.iter().zip(&step).map(|(x, step)| t.mul_add(*step, *x)).collect();
            let class = self.class(&self.scores(&there));
            let done = want.map_or(class != winner, |want| class == want);
            let length = t * length(&step, scale);
            (done && length.is_finite()).then_some(Flip { x: there, class, length, exact: false })
        })
    }

    fn side(&self, x: &[f64], scale: &[f64], target: usize, rival: usize) -> Side {
        let plane = self.between(target, rival);
        let size = plane.w.iter().zip(x).map(|(w, x)| (w * x).abs()).sum::<f64>() + plane.b.abs();
        let g: Vec<f64> = plane.w.iter().zip(scale).map(|(w, s)| w * s).collect();
        Side { z: plane.at(x), square: dot(&g, &g), g, size }
    }
}

/// A half space in scaled units: g·u + z ≥ 0.
struct Side {
    g: Vec<f64>,
    z: f64,
    square: f64,
    /// Of the terms that z is summed up from: what rounding is measured by.
    size: f64,
}

/// The shortest change into all these half spaces, `more` of their sizes beyond the border.
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
    // Inside all of them, up to rounding? If not, there is no way there.
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

/// ‖δ‖ in units of the columns; a column that may not change has not.
fn length(step: &[f64], scale: &[f64]) -> f64 {
    let parts = step.iter().zip(scale).filter(|(_, s)| **s > 0.0).map(|(step, s)| step / s);
    parts.fold(0.0, f64::hypot)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::model;
    use super::*;
    use crate::model::Decide;
    use proptest::prelude::*;

    #[test]
    fn the_lectures_point() {
        // x₁ + x₂ = 1 from (2, 1): the foot is (1, 0), √2 away.
        let two = model(Decide::Sign, 2, &[1.0, 1.0, -1.0], 2);
        let flip = Contest::new(&two).nearest(&[2.0, 1.0], &[1.0, 1.0], None).unwrap();
        assert!((flip.length - 2.0_f64.sqrt()).abs() < 1e-9 && flip.class == 0 && flip.exact);
        assert!((flip.x[0] - 1.0).abs() < 1e-9 && flip.x[1].abs() < 1e-9);
        // Only the second column may change: it has to fall by 2.
        let flip = Contest::new(&two).nearest(&[2.0, 1.0], &[0.0, 1.0], None).unwrap();
        assert!((flip.x[1] + 1.0).abs() < 1e-9 && flip.x[0] == 2.0);
        assert_eq!(Contest::new(&two).nearest(&[2.0, 1.0], &[0.0, 0.0], None), None);
    }

    #[test]
    fn a_certain_class_may_lie_behind_another() {
        // Scores 0, x, 2x − 1 in one column: from −1 class 1 begins at 0, class 2 at 1.
        let three = model(Decide::ArgMax, 3, &[0.0, 0.0, 1.0, 0.0, 2.0, -1.0], 1);
        let contest = Contest::new(&three);
        let near = contest.nearest(&[-1.0], &[1.0], None).unwrap();
        assert!(near.class == 1 && near.x[0].abs() < 1e-9);
        let far = contest.nearest(&[-1.0], &[1.0], Some(2)).unwrap();
        assert!(far.class == 2 && (far.x[0] - 1.0).abs() < 1e-6, "{far:?}");
        // Scores 0, x, x − 1: the last one never wins.
        let never = model(Decide::ArgMax, 3, &[0.0, 0.0, 1.0, 0.0, 1.0, -1.0], 1);
        assert_eq!(Contest::new(&never).nearest(&[-1.0], &[1.0], Some(2)), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Brute force: no row on a fine circle just inside the length found is decided otherwise.
        #[test]
        fn nothing_nearer_is_decided_otherwise(
            numbers in prop::collection::vec(-3.0..3.0_f64, 18),
            x in prop::collection::vec(-3.0..3.0_f64, 2),
            scale in prop::collection::vec(0.2..3.0_f64, 2),
        ) {
            for (decide, k) in
                [(Decide::Sign, 2), (Decide::ArgMax, 4), (Decide::OneOrLast, 4), (Decide::Vote, 4)]
            {
                let model = model(decide, k, &numbers, 2);
                let contest = Contest::new(&model);
                let winner = contest.class(&contest.scores(&x));
                for want in std::iter::once(None).chain((0..k).filter(|&c| c != winner).map(Some)) {
                    let Some(flip) = contest.nearest(&x, &scale, want) else { continue };
                    let fine = |class: usize| want.map_or(class != winner, |want| class == want);
                    prop_assert!(fine(contest.class(&contest.scores(&flip.x))));
                    prop_assert_eq!(flip.exact, decide != Decide::Vote);
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
