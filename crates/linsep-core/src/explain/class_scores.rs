//! Class scores: the affine function of each class, the winner, the runner-up and the hyperplane
//! between two classes.
//!
//! All decision rules but votes have one form: class c has an affine function `f_c`, and the
//! largest wins.
//!
//! | rule | functions |
//! |---|---|
//! | `sign` | the threshold for the first class, z for the second |
//! | `argmax` | zⱼ for class j |
//! | `one-or-last` | zⱼ for class j, 0 for the last; of nonnegative scores the largest wins |
//!
//! So the hyperplane between two classes is `f_a − f_b`, positive where a leads. For votes it is
//! the hyperplane of the pair.

use crate::data::Hyperplane;
use crate::math::sum::Sum;
use crate::model::{DecisionRule, LinearModel};

/// View of a model by classes.
#[derive(Clone, Debug)]
pub struct ClassScores<'a> {
    model: &'a LinearModel,
}

impl<'a> ClassScores<'a> {
    /// Creates the view of a model.
    pub fn new(model: &'a LinearModel) -> Self {
        Self { model }
    }

    /// Model.
    pub fn model(&self) -> &'a LinearModel {
        self.model
    }

    /// Scores of a row by all hyperplanes.
    pub fn scores(&self, x: &[f64]) -> Vec<f64> {
        self.model.hyperplanes().iter().map(|hyperplane| hyperplane.at(x)).collect()
    }

    /// Class predicted by the scores, by position.
    pub fn class(&self, scores: &[f64]) -> usize {
        self.model.decide_all(scores)[0] as usize
    }

    /// Whether the largest of one function per class wins, so that regions are convex.
    pub fn is_convex(&self) -> bool {
        self.model.decision_rule() != DecisionRule::Vote
    }

    /// Runner-up among the other classes: by its function, or with votes by their number and then
    /// by the sum over its pairs.
    pub fn runner_up(&self, scores: &[f64], winner: usize) -> usize {
        let better = |best: usize, c: usize| {
            let ahead = match self.values(scores, self.threshold()) {
                Some(values) => values[c] > values[best],
                None => self.standing(scores, c) > self.standing(scores, best),
            };
            if ahead { c } else { best }
        };
        let others = (0..self.model.k()).filter(|&c| c != winner);
        others.reduce(better).unwrap_or(winner)
    }

    /// Hyperplane that is positive where class a leads class b.
    pub fn between(&self, a: usize, b: usize) -> Hyperplane {
        if !self.is_convex() {
            let (hyperplane, sign) = self.pair(a, b);
            let mut hyperplane = hyperplane.clone();
            hyperplane.scale(sign);
            return hyperplane;
        }
        let mut hyperplane = Hyperplane::zero(self.model.d());
        for (class, sign) in [(a, 1.0), (b, -1.0)] {
            hyperplane.step(sign, &self.function(class));
        }
        hyperplane
    }

    /// Values of the class functions, from those of the hyperplanes and of the first class of
    /// `sign`; `None` for votes.
    pub(super) fn values(&self, of_hyperplanes: &[f64], first: f64) -> Option<Vec<f64>> {
        self.is_convex().then(|| match self.model.decision_rule() {
            DecisionRule::Sign => vec![first, of_hyperplanes[0]],
            DecisionRule::OneOrLast => [of_hyperplanes, &[0.0]].concat(),
            _ => of_hyperplanes.to_vec(),
        })
    }

    /// Function of a class: a hyperplane of the model, or a constant.
    fn function(&self, class: usize) -> Hyperplane {
        let constant = |b: f64| Hyperplane { b, ..Hyperplane::zero(self.model.d()) };
        match (self.model.decision_rule(), class) {
            (DecisionRule::Sign, 0) => constant(self.threshold()),
            (DecisionRule::Sign, _) => self.model.hyperplanes()[0].clone(),
            _ => self.model.hyperplanes().get(class).cloned().unwrap_or_else(|| constant(0.0)),
        }
    }

    /// Threshold of a single hyperplane.
    pub(super) fn threshold(&self) -> f64 {
        self.model.operating_point().threshold
    }

    /// Hyperplane of a pair, and the sign with which it is positive for a.
    fn pair(&self, a: usize, b: usize) -> (&'a Hyperplane, f64) {
        let class_pairs = self.model.decision_rule().class_pairs(self.model.k());
        let (low, high) = (a.min(b), a.max(b));
        let at = class_pairs.iter().position(|d| d.positive == high && d.negative == Some(low));
        let at = at.expect("there is a hyperplane for every pair of different classes");
        (&self.model.hyperplanes()[at], if a > b { 1.0 } else { -1.0 })
    }

    /// Votes and summed scores of a class.
    fn standing(&self, scores: &[f64], class: usize) -> (u32, f64) {
        let (mut votes, mut sum) = (0, 0.0);
        for (class_pair, &z) in
            self.model.decision_rule().class_pairs(self.model.k()).iter().zip(scores)
        {
            if class_pair.positive == class {
                votes += u32::from(z >= 0.0);
                sum += z;
            } else if class_pair.negative == Some(class) {
                votes += u32::from(z < 0.0);
                sum -= z;
            }
        }
        (votes, sum)
    }
}

/// Score of x as a sum: the score of the center, and the nonzero terms wⱼ(xⱼ − cⱼ) in the order of
/// the columns.
pub fn contributions(
    hyperplane: &Hyperplane,
    x: &[f64],
    center: &[f64],
) -> (f64, Vec<(usize, f64)>) {
    let base =
        hyperplane.w.iter().zip(center).map(|(w, c)| w * c).chain([hyperplane.b]).collect::<Sum>();
    let terms = hyperplane.w.iter().zip(x.iter().zip(center)).map(|(w, (x, c))| w * (x - c));
    (base.value(), terms.enumerate().filter(|(_, term)| *term != 0.0).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Label;
    use proptest::prelude::*;

    fn model(decide: DecisionRule, k: usize, hyperplanes: &[(Vec<f64>, f64)]) -> LinearModel {
        let classes = (0..k).map(|c| Label::Number(c as f64)).collect();
        let hyperplanes =
            hyperplanes.iter().map(|(w, b)| Hyperplane { w: w.clone(), b: *b }).collect();
        LinearModel::new(classes, hyperplanes, decide).unwrap()
    }

    #[test]
    fn contributions_equal_a_hand_computation() {
        let hyperplane = Hyperplane { w: vec![2.0, -1.0, 5.0], b: 1.0 };
        let (base, terms) = contributions(&hyperplane, &[3.0, 4.0, 1.0], &[1.0, 0.0, 1.0]);
        assert_eq!(base, 8.0, "2·1 + 5·1 + 1");
        assert_eq!(terms, [(0, 4.0), (1, -4.0)], "the third column is where the center is");
    }

    #[test]
    fn the_last_class_of_k_minus_1_planes_scores_0() {
        let three =
            model(DecisionRule::OneOrLast, 3, &[(vec![1.0, 0.0], 0.0), (vec![0.0, 1.0], 0.0)]);
        let contest = ClassScores::new(&three);
        for x in [[1.0, 2.0], [-1.0, 2.0], [-1.0, -2.0], [3.0, 2.0]] {
            let scores = contest.scores(&x);
            let values = contest.values(&scores, contest.threshold()).unwrap();
            let best = (0..3).max_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap();
            assert_eq!(contest.class(&scores), best, "{x:?}");
        }
        assert_eq!(contest.between(2, 0), Hyperplane { w: vec![-1.0, 0.0], b: 0.0 });
    }

    #[test]
    fn votes_use_the_hyperplane_of_the_pair_and_have_a_runner_up() {
        let hyperplanes = [(vec![1.0], 0.0), (vec![2.0], 0.0), (vec![4.0], 0.0)];
        let three = model(DecisionRule::Vote, 3, &hyperplanes);
        let contest = ClassScores::new(&three);
        assert_eq!(contest.between(2, 0).w, [2.0]);
        assert_eq!(contest.between(0, 2).w, [-2.0]);
        // At 1 every pair votes for the later class: 2 has two votes, 1 has one, 0 none.
        let scores = contest.scores(&[1.0]);
        assert_eq!((contest.class(&scores), contest.runner_up(&scores, 2)), (2, 1));
    }

    proptest! {
        #[test]
        fn contributions_sum_to_the_score(
            w in prop::collection::vec(-1e3..1e3_f64, 5),
            x in prop::collection::vec(-1e3..1e3_f64, 5),
            center in prop::collection::vec(-1e3..1e3_f64, 5),
            b in -1e3..1e3_f64,
        ) {
            let hyperplane = Hyperplane { w, b };
            let (base, terms) = contributions(&hyperplane, &x, &center);
            let sum = base + terms.iter().map(|(_, term)| term).sum::<f64>();
            prop_assert!((sum - hyperplane.at(&x)).abs() < 1e-8);
        }

        #[test]
        fn the_winner_leads_all_classes_and_the_runner_up_all_others(
            numbers in prop::collection::vec(-5.0..5.0_f64, 12),
            x in prop::collection::vec(-5.0..5.0_f64, 2),
        ) {
            let hyperplane = |j: usize| (numbers[3 * j..3 * j + 2].to_vec(), numbers[3 * j + 2]);
            for (decide, k, hyperplanes) in
                [(DecisionRule::Sign, 2, 1), (DecisionRule::ArgMax, 4, 4), (DecisionRule::OneOrLast, 4, 3)]
            {
                let model = model(decide, k, &(0..hyperplanes).map(hyperplane).collect::<Vec<_>>());
                let contest = ClassScores::new(&model);
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
