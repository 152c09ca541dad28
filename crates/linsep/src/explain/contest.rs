//! A model as a contest of classes: who wins a row, who is second, and the plane between two of them.
//!
//! All rules but votes are one rule: class c has an affine function `f_c`, and the largest wins.
//!
//! | rule | functions |
//! |---|---|
//! | `sign` | the threshold for the first class, z for the second |
//! | `argmax` | zⱼ for class j |
//! | `one-or-last` | zⱼ for class j, 0 for the last: a claim is a score ≥ 0, and of several the largest is taken |
//!
//! So the plane between two classes is `f_a − f_b`, positive where a is ahead. Votes have the plane of the pair.

use crate::data::Plane;
use crate::math::sum::Sum;
use crate::model::{Decide, LinearModel};

/// A model, looked at class by class.
#[derive(Clone, Debug)]
pub struct Contest<'a> {
    model: &'a LinearModel,
}

/// What a class scores: a plane of the model, or a number.
enum Function<'a> {
    Plane(&'a Plane),
    Constant(f64),
}

impl<'a> Contest<'a> {
    /// The contest that a model is.
    pub fn new(model: &'a LinearModel) -> Self {
        Self { model }
    }

    /// The model.
    pub fn model(&self) -> &'a LinearModel {
        self.model
    }

    /// The score of a row by every plane.
    pub fn scores(&self, x: &[f64]) -> Vec<f64> {
        self.model.planes().iter().map(|plane| plane.at(x)).collect()
    }

    /// The class that scores stand for, by position.
    pub fn class(&self, scores: &[f64]) -> usize {
        self.model.decide_all(scores)[0] as usize
    }

    /// Whether classes have functions of which the largest wins.
    pub fn is_convex(&self) -> bool {
        self.model.decide() != Decide::Vote
    }

    /// Of the other classes the one that is nearest to winning: by its function; by votes, and then by the sum over its pairs.
    pub fn runner_up(&self, scores: &[f64], winner: usize) -> usize {
        let better = |best: usize, c: usize| {
            let ahead = match self.values(scores) {
                Some(values) => values[c] > values[best],
                None => self.standing(scores, c) > self.standing(scores, best),
            };
            if ahead { c } else { best }
        };
        let others = (0..self.model.k()).filter(|&c| c != winner);
        others.reduce(better).unwrap_or(winner)
    }

    /// The plane that is positive where class a is ahead of class b.
    pub fn between(&self, a: usize, b: usize) -> Plane {
        if !self.is_convex() {
            let (plane, sign) = self.pair(a, b);
            let mut plane = plane.clone();
            plane.scale(sign);
            return plane;
        }
        let mut plane = Plane::zero(self.model.d());
        for (class, sign) in [(a, 1.0), (b, -1.0)] {
            match self.function(class) {
                Function::Plane(own) => plane.step(sign, own),
                Function::Constant(v) => plane.b += sign * v,
            }
        }
        plane
    }

    /// What the classes score, given the scores of the planes; none for votes.
    pub(super) fn values(&self, scores: &[f64]) -> Option<Vec<f64>> {
        let rest = |constant: f64| match self.model.decide() {
            Decide::Sign => vec![constant, scores[0]],
            Decide::OneOrLast => [scores, &[0.0]].concat(),
            _ => scores.to_vec(),
        };
        self.is_convex().then(|| rest(self.threshold()))
    }

    /// How fast the functions of the classes grow, given how fast the scores of the planes do; none for votes.
    pub(super) fn slopes(&self, slopes: &[f64]) -> Option<Vec<f64>> {
        self.is_convex().then(|| match self.model.decide() {
            Decide::Sign => vec![0.0, slopes[0]],
            Decide::OneOrLast => [slopes, &[0.0]].concat(),
            _ => slopes.to_vec(),
        })
    }

    fn function(&self, class: usize) -> Function<'a> {
        match (self.model.decide(), class) {
            (Decide::Sign, 0) => Function::Constant(self.threshold()),
            (Decide::Sign, _) => Function::Plane(&self.model.planes()[0]),
            (_, class) => {
                self.model.planes().get(class).map_or(Function::Constant(0.0), Function::Plane)
            }
        }
    }

    /// Where a single plane tells two classes apart.
    fn threshold(&self) -> f64 {
        self.model.cut().threshold
    }

    /// The plane of a pair, and the sign it is to be taken with for a to be positive.
    fn pair(&self, a: usize, b: usize) -> (&'a Plane, f64) {
        let duels = self.model.decide().duels(self.model.k());
        let (low, high) = (a.min(b), a.max(b));
        let at = duels.iter().position(|d| d.positive == high && d.negative == Some(low));
        let at = at.expect("there is a plane for every pair of different classes");
        (&self.model.planes()[at], if a > b { 1.0 } else { -1.0 })
    }

    /// Votes and summed scores of a class.
    fn standing(&self, scores: &[f64], class: usize) -> (u32, f64) {
        let (mut votes, mut sum) = (0, 0.0);
        for (duel, &z) in self.model.decide().duels(self.model.k()).iter().zip(scores) {
            if duel.positive == class {
                votes += u32::from(z >= 0.0);
                sum += z;
            } else if duel.negative == Some(class) {
                votes += u32::from(z < 0.0);
                sum -= z;
            }
        }
        (votes, sum)
    }
}

/// The score of x as a sum: what the centre scores, and wⱼ(xⱼ − cⱼ) for every column where that is not 0, in the order of the columns.
pub fn contributions(plane: &Plane, x: &[f64], centre: &[f64]) -> (f64, Vec<(usize, f64)>) {
    let base = plane.w.iter().zip(centre).map(|(w, c)| w * c).chain([plane.b]).collect::<Sum>();
    let terms = plane.w.iter().zip(x.iter().zip(centre)).map(|(w, (x, c))| w * (x - c));
    (base.value(), terms.enumerate().filter(|(_, term)| *term != 0.0).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Label;
    use proptest::prelude::*;

    fn model(decide: Decide, k: usize, planes: &[(Vec<f64>, f64)]) -> LinearModel {
        let classes = (0..k).map(|c| Label::Number(c as f64)).collect();
        let planes = planes.iter().map(|(w, b)| Plane { w: w.clone(), b: *b }).collect();
        LinearModel::new(classes, planes, decide).unwrap()
    }

    #[test]
    fn contributions_are_by_hand() {
        let plane = Plane { w: vec![2.0, -1.0, 5.0], b: 1.0 };
        let (base, terms) = contributions(&plane, &[3.0, 4.0, 1.0], &[1.0, 0.0, 1.0]);
        assert_eq!(base, 8.0, "2·1 + 5·1 + 1");
        assert_eq!(terms, [(0, 4.0), (1, -4.0)], "the third column is where the centre is");
    }

    #[test]
    fn the_last_class_of_k_minus_1_planes_scores_0() {
        let three = model(Decide::OneOrLast, 3, &[(vec![1.0, 0.0], 0.0), (vec![0.0, 1.0], 0.0)]);
        let contest = Contest::new(&three);
        for x in [[1.0, 2.0], [-1.0, 2.0], [-1.0, -2.0], [3.0, 2.0]] {
            let scores = contest.scores(&x);
            let values = contest.values(&scores).unwrap();
            let best = (0..3).max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap();
            assert_eq!(contest.class(&scores), best, "{x:?}");
        }
        assert_eq!(contest.between(2, 0), Plane { w: vec![-1.0, 0.0], b: 0.0 });
    }

    #[test]
    fn votes_have_the_plane_of_the_pair_and_a_second() {
        let planes = [(vec![1.0], 0.0), (vec![2.0], 0.0), (vec![4.0], 0.0)];
        let three = model(Decide::Vote, 3, &planes);
        let contest = Contest::new(&three);
        assert_eq!(contest.between(2, 0).w, [2.0]);
        assert_eq!(contest.between(0, 2).w, [-2.0]);
        // At 1 every pair is for the later class: 2 has two votes, 1 one, 0 none.
        let scores = contest.scores(&[1.0]);
        assert_eq!((contest.class(&scores), contest.runner_up(&scores, 2)), (2, 1));
    }

    proptest! {
        #[test]
        fn contributions_sum_to_the_score(
            w in prop::collection::vec(-1e3..1e3_f64, 5),
            x in prop::collection::vec(-1e3..1e3_f64, 5),
            centre in prop::collection::vec(-1e3..1e3_f64, 5),
            b in -1e3..1e3_f64,
        ) {
            let plane = Plane { w, b };
            let (base, terms) = contributions(&plane, &x, &centre);
            let sum = base + terms.iter().map(|(_, term)| term).sum::<f64>();
            prop_assert!((sum - plane.at(&x)).abs() < 1e-8);
        }

        #[test]
        fn the_winner_is_ahead_of_all(
            numbers in prop::collection::vec(-5.0..5.0_f64, 12),
            x in prop::collection::vec(-5.0..5.0_f64, 2),
        ) {
            let plane = |j: usize| (numbers[3 * j..3 * j + 2].to_vec(), numbers[3 * j + 2]);
            for (decide, k, planes) in
                [(Decide::Sign, 2, 1), (Decide::ArgMax, 4, 4), (Decide::OneOrLast, 4, 3)]
            {
                let model = model(decide, k, &(0..planes).map(plane).collect::<Vec<_>>());
                let contest = Contest::new(&model);
                let scores = contest.scores(&x);
                let winner = contest.class(&scores);
                let second = contest.runner_up(&scores, winner);
                let ahead = |c: usize| contest.between(winner, c).at(&x);
                for c in (0..k).filter(|&c| c != winner) {
                    prop_assert!(ahead(c) >= -1e-9);
                    prop_assert!(ahead(c) >= ahead(second) - 1e-9);
                }
            }
        }
    }
}
