//! Winner-take-all, a multiclass perceptron: the class of the largest score wins if it is unique.
//!
//! Neuron j fires if wⱼ·(x, 1) exceeds the score of every other neuron. For a row of class o:
//!
//! * if neuron o fires, the row is classified correctly;
//! * if another neuron j fires, both are updated: **wₒ ← wₒ + η (x, 1), wⱼ ← wⱼ − η (x, 1)**;
//! * if no neuron fires, because the largest score is tied (with or without o), only the neuron of
//!   the true class is updated: **wₒ ← wₒ + η (x, 1)**.
//!
//! # Termination
//!
//! After a whole epoch without an update: for every row the neuron of its true class fires. Write W
//! for the k weight vectors as one vector, and let W* of length 1 separate the classes: (w*ₒ −
//! w*ⱼ)·(x, 1) ≥ γ > 0 for every row and every j ≠ o. Subtracting the mean of the w*ⱼ from each
//! changes no difference and does not lengthen W*. So let their sum be 0; then w*ₒ·(x, 1) ≥
//! γ(k−1)/k. From W = 0, after t updates with a winner and t′ ties, with R = max ‖(x, 1)‖:
//!
//! * W*·W ≥ ηγ (t + t′(k−1)/k), by the above;
//! * ‖W‖ ≤ ηR (√(2t) + t′): an update with a winner adds 2η (wₒ − wⱼ)·(x, 1) + 2η²‖(x, 1)‖² to
//!   ‖W‖², whose first term is negative. A tie adds at most ηR to ‖W‖.
//!
//! As W*·W ≤ ‖W‖, γt ≤ R (√(2t) + t′), and so **t ≤ 2(R/γ)² + 2t′R/γ**. Without ties this is
//! Novikoff's bound for Kesler's rows, which are √2 times as long ([`Kesler`](super::Kesler)): the
//! proof of the lectures. The lectures do not treat ties, and this bound does not limit t′: an
//! endless run would have infinitely many.
//!
//! A tie requires scores that are equal to the last bit. Rows in general position tie only while
//! two weight vectors are still equal. That ends with the first epoch, as a row is never classified
//! correctly while the vector of its class equals another. So then t′ ≤ n, and the run terminates.
//!
//! Cost: one pass over the nonzeros per epoch, k multiplications for each.
//! Source: the rule of the lectures; without ties it is the multiclass perceptron of Duda & Hart,
//! *Pattern Classification and Scene Analysis* (1973), §5.12.

use super::perceptron::winner;
use super::{PerceptronRule, RowScores};
use std::sync::atomic::{AtomicU64, Ordering};

/// Winner-take-all rule of the lectures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WinnerTakeAll;

impl PerceptronRule for WinnerTakeAll {
    fn update_row(&self, look: &mut RowScores, own: usize, copy: f64) -> u64 {
        match winner(look.scores()) {
            Some(winner) if winner == own => return 0,
            Some(winner) => look.add_update(winner, -copy, 0.0),
            None => {}
        }
        look.add_update(own, copy, 0.0);
        copy.ceil() as u64
    }

    fn visits(&self, _k: usize) -> f64 {
        1.0
    }
}

/// Winner-take-all rule that counts the updates at ties, for its mistake bound.
#[derive(Debug, Default)]
pub(crate) struct CountingTies(AtomicU64);

impl CountingTies {
    /// Updates at ties.
    pub(crate) fn ties(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl PerceptronRule for CountingTies {
    fn update_row(&self, look: &mut RowScores, own: usize, copy: f64) -> u64 {
        if winner(look.scores()).is_none() {
            self.0.fetch_add(copy.ceil() as u64, Ordering::Relaxed);
        }
        WinnerTakeAll.update_row(look, own, copy)
    }

    fn visits(&self, k: usize) -> f64 {
        WinnerTakeAll.visits(k)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary::{Order, Perceptron, PerceptronVariant};
    use crate::control::{Budget, Record, StopReason, Trace};
    use crate::data::{Design, Hyperplane, Labels, Problem};
    use crate::math::rng::Rng;
    use crate::multiclass::{MulticlassFit, multiclass_perceptron};

    #[test]
    fn winner_is_the_unique_largest_score() {
        assert_eq!(winner(&[3.0, -1.0, 2.0]), Some(0));
        assert_eq!(winner(&[1.0, 1.0, 2.0]), Some(2), "the lectures' neuron 3");
        assert_eq!(winner(&[2.0, 1.0, 2.0]), None);
        assert_eq!(winner(&[0.0, 0.0]), None);
    }

    fn run(
        x: &Design,
        labels: &[&str],
        starts: Option<&[Hyperplane]>,
        epochs: u64,
    ) -> MulticlassFit {
        let labels = Labels::parse(labels.iter().copied());
        let problem = Problem::new(x, &labels, None).unwrap();
        let (variant, budget) = (PerceptronVariant::Averaged, Budget::epochs(epochs));
        let rule = Perceptron { variant, budget, ..Perceptron::default() };
        multiclass_perceptron(&problem, &rule, &WinnerTakeAll, starts, &mut ()).unwrap()
    }

    /// The three cases of the rule, by hand. With one visit per epoch the mean is the iterate
    /// itself.
    #[test]
    fn the_three_cases_of_the_rule() {
        let x = Design::dense(3, 1, vec![2.0, 0.0, 0.0]).unwrap();
        let labels = Labels::parse(["a", "b", "c"]);
        // Rows b and c have negligible sample weights, so only row a has a visible effect.
        let problem = Problem::new(&x, &labels, Some(vec![1.0, 1e-100, 1e-100])).unwrap();
        let after = |scores: [f64; 3]| {
            let starts = scores.map(|b| Hyperplane { w: vec![0.0], b });
            let rule =
                Perceptron { budget: Budget { epochs: 1, updates: 1 }, ..Perceptron::default() };
            let found =
                multiclass_perceptron(&problem, &rule, &WinnerTakeAll, Some(&starts), &mut ());
            let hyperplanes = found.unwrap().hyperplanes;
            hyperplanes.iter().map(|hyperplane| [hyperplane.w[0], hyperplane.b]).collect::<Vec<_>>()
        };
        let moved = |b: f64, by: f64| [2.0 * by, b + by];
        // b fires: a is increased, b is decreased, c is unchanged.
        assert_eq!(after([0.0, 3.0, 1.0]), [moved(0.0, 1.0), moved(3.0, -1.0), moved(1.0, 0.0)]);
        // b and c tie for the largest score: only a changes.
        assert_eq!(after([0.0, 3.0, 3.0]), [moved(0.0, 1.0), moved(3.0, 0.0), moved(3.0, 0.0)]);
        // Likewise if a is one of the tied classes.
        assert_eq!(after([3.0, 3.0, 1.0]), [moved(3.0, 1.0), moved(3.0, 0.0), moved(1.0, 0.0)]);
    }

    /// Network of the lectures: neuron 3 fires if the inputs differ. Trained on its truth table.
    #[test]
    fn the_lectures_network_can_be_learned() {
        let x = Design::dense(4, 2, vec![-1.0, -1.0, -1.0, 1.0, 1.0, -1.0, 1.0, 1.0]).unwrap();
        let found = run(&x, &["1", "3", "3", "2"], None, 1000);
        assert_eq!((found.stop, found.mistakes), (StopReason::Separated, 0.0));
    }

    /// Weight vectors of the lectures as a start: row by row, with scores, winner and updates.
    #[test]
    fn steps_are_reported_to_the_observer() {
        let x = Design::dense(4, 2, vec![-1.0, -1.0, -1.0, 1.0, 1.0, -1.0, 1.0, 1.0]).unwrap();
        let labels = Labels::parse(["1", "3", "3", "2"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let hyperplane = |w: [f64; 2], b: f64| Hyperplane { w: w.to_vec(), b };
        let starts = [
            hyperplane([-1.0, -1.0], 1.0),
            hyperplane([1.0, 1.0], 1.0),
            hyperplane([0.0, 0.0], 2.0),
        ];
        let mut trace = Trace::new(100);
        let rule = Perceptron::default();
        multiclass_perceptron(&problem, &rule, &WinnerTakeAll, Some(&starts), &mut trace).unwrap();
        let table = [[3.0, -1.0, 2.0], [1.0, 1.0, 2.0], [1.0, 1.0, 2.0], [-1.0, 3.0, 2.0]];
        assert_eq!(trace.records().len(), 4, "one epoch without updates");
        for (record, want) in trace.records().iter().zip(table) {
            let Record::Scores { row, scores, winner, target, updated, .. } = record else {
                panic!("a step of many classes")
            };
            assert_eq!(
                (&scores[..], *winner, *updated),
                (&want[..], Some(*target), false),
                "{row}"
            );
        }
    }

    #[test]
    fn separable_classes_are_separated_within_the_bound() {
        let mut checked = 0;
        for seed in 0..60 {
            let mut rng = Rng::new(seed, 0);
            let (k, d) = (3 + rng.below(4) as usize, 1 + rng.below(3) as usize);
            // Integers produce many ties.
            let mut truth: Vec<Vec<f64>> =
                (0..k).map(|_| (0..=d).map(|_| rng.below(9) as f64 - 4.0).collect()).collect();
            for j in 0..=d {
                let mean = truth.iter().map(|w| w[j]).sum::<f64>() / k as f64;
                truth.iter_mut().for_each(|w| w[j] -= mean);
            }
            let length = truth.iter().flatten().map(|w| w * w).sum::<f64>().sqrt();
            let (mut rows, mut labels, mut gamma, mut radius) =
                (vec![], vec![], f64::INFINITY, 0.0_f64);
            for _ in 0..40 {
                let row: Vec<f64> =
                    (0..d).map(|_| rng.below(9) as f64 - 4.0).chain([1.0]).collect();
                let dot = |w: &Vec<f64>| w.iter().zip(&row).map(|(w, x)| w * x).sum::<f64>();
                let mut scores: Vec<(f64, usize)> =
                    truth.iter().enumerate().map(|(c, w)| (dot(w), c)).collect();
                scores.sort_by(|a, b| b.0.total_cmp(&a.0));
                let margin = (scores[0].0 - scores[1].0) / length;
                if margin > 0.02 {
                    gamma = gamma.min(margin);
                    radius = radius.max(row.iter().map(|v| v * v).sum::<f64>().sqrt());
                    rows.extend_from_slice(&row[..d]);
                    labels.push(scores[0].1.to_string());
                }
            }
            let parsed = Labels::parse(labels.iter().map(String::as_str));
            if parsed.k() < 3 {
                continue;
            }
            let x = Design::dense(labels.len(), d, rows).unwrap();
            let problem = Problem::new(&x, &parsed, None).unwrap();
            for order in Order::ALL {
                let budget = Budget::epochs(1_000_000);
                let rule = Perceptron { order, budget, eta: 0.5, ..Perceptron::default() };
                let how = CountingTies::default();
                let found = multiclass_perceptron(&problem, &rule, &how, None, &mut ()).unwrap();
                assert_eq!((found.stop, found.mistakes), (StopReason::Separated, 0.0));
                let ties = how.ties() as f64;
                let (corrections, ratio) = (found.updates as f64 - ties, radius / gamma);
                let most = 2.0 * ratio * ratio + 2.0 * ties * ratio;
                assert!(ties >= 1.0 && corrections <= most, "{corrections} {ties} {most}");
                checked += 1;
            }
        }
        assert!(checked > 60, "{checked}");
    }
}
