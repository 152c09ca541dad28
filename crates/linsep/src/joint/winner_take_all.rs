//! Winner-take-all: k neurons of which the one with the largest score fires, and alone.
//!
//! Neuron j fires where wⱼ·(x, 1) is larger than that of every other. A row of class o
//!
//! * at which o fires is right;
//! * at which another one, j, fires pulls the two: **wₒ ← wₒ + η (x, 1), wⱼ ← wⱼ − η (x, 1)**;
//! * at which nobody fires, because the largest score is shared (whether o has a part in it or not), pulls its own alone:
//!   **wₒ ← wₒ + η (x, 1)**.
//!
//! # When it ends
//!
//! A whole pass without a correction: every row's own neuron fires. Write W for the k planes in one vector, and let W* of
//! length 1 separate the classes: (w*ₒ − w*ⱼ)·(x, 1) ≥ γ > 0 for every row and every j ≠ o. Taking the mean of the w*ⱼ off each
//! changes no difference and makes W* no longer, so let their sum be 0; then w*ₒ·(x, 1) ≥ γ(k−1)/k. From W = 0, after t
//! corrections with a winner and t′ ties, with R = max ‖(x, 1)‖:
//!
//! * W*·W ≥ ηγ (t + t′(k−1)/k), by the above;
//! * ‖W‖ ≤ ηR (√(2t) + t′): a winner's correction adds 2η (wₒ − wⱼ)·(x, 1) + 2η²‖(x, 1)‖² to ‖W‖², of which the first is negative,
//!   and a tie's adds at most ηR to ‖W‖.
//!
//! As W*·W ≤ ‖W‖, γt ≤ R (√(2t) + t′), and so **t ≤ 2(R/γ)² + 2t′R/γ**. Without ties that is Novikoff's bound for Kesler's
//! rows, which are √2 times as long ([`Kesler`](super::Kesler)): the lectures' proof. They pass over the ties, of which this says nothing: an
//! endless run would take endlessly many. A tie takes scores that are equal to the last bit. Rows in general position make
//! them only while two planes are still the same, which is over after the first pass, as a row whose own plane is the
//! same as another's is never right; so then t′ ≤ n, and the run ends.
//!
//! Cost: one pass over the non-zeros per epoch, k multiplications for each.
//! Source: the rule of the lectures; without ties it is the multiclass perceptron of Duda & Hart, *Pattern Classification
//! and Scene Analysis* (1973), §5.12.

use super::correct::winner;
use super::{Correct, Look};
use std::sync::atomic::{AtomicU64, Ordering};

/// The lectures' rule for k neurons of which one wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WinnerTakeAll;

impl Correct for WinnerTakeAll {
    fn show(&self, look: &mut Look, own: usize, copy: f64) -> u64 {
        match winner(look.scores()) {
            Some(winner) if winner == own => return 0,
            Some(winner) => look.pull(winner, -copy, 0.0),
            None => {}
        }
        look.pull(own, copy, 0.0);
        copy.ceil() as u64
    }

    fn looks(&self, _k: usize) -> f64 {
        1.0
    }
}

/// The same, and counts the corrections at ties, which its bound must know.
#[derive(Debug, Default)]
pub struct CountingTies(AtomicU64);

impl CountingTies {
    /// Corrections at which nobody fired.
    pub fn ties(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Correct for CountingTies {
    fn show(&self, look: &mut Look, own: usize, copy: f64) -> u64 {
        if winner(look.scores()).is_none() {
            self.0.fetch_add(copy.ceil() as u64, Ordering::Relaxed);
        }
        WinnerTakeAll.show(look, own, copy)
    }

    fn looks(&self, k: usize) -> f64 {
        WinnerTakeAll.looks(k)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::{Budget, Record, Stop, Trace};
    use crate::data::{Design, Labels, Plane, Problem};
    use crate::joint::{Found, correct};
    use crate::math::rng::Rng;
    use crate::solver::{Order, Perceptron, PerceptronVariant};

    #[test]
    fn one_wins_or_nobody() {
        assert_eq!(winner(&[3.0, -1.0, 2.0]), Some(0));
        assert_eq!(winner(&[1.0, 1.0, 2.0]), Some(2), "the lectures' neuron 3");
        assert_eq!(winner(&[2.0, 1.0, 2.0]), None);
        assert_eq!(winner(&[0.0, 0.0]), None);
    }

    fn run(x: &Design, labels: &[&str], starts: Option<&[Plane]>, epochs: u64) -> Found {
        let labels = Labels::parse(labels.iter().copied());
        let problem = Problem::new(x, &labels, None).unwrap();
        let (variant, budget) = (PerceptronVariant::Averaged, Budget::epochs(epochs));
        let rule = Perceptron { variant, budget, ..Perceptron::default() };
        correct(&problem, &rule, &WinnerTakeAll, starts, &mut ()).unwrap()
    }

    /// The three cases of the rule, by hand. With one look in a pass the mean is the plane itself.
    #[test]
    fn the_three_cases_of_the_rule() {
        let x = Design::dense(3, 1, vec![2.0, 0.0, 0.0]).unwrap();
        let labels = Labels::parse(["a", "b", "c"]);
        // Rows b and c weigh next to nothing, so that what is seen is what row a does.
        let problem = Problem::new(&x, &labels, Some(vec![1.0, 1e-100, 1e-100])).unwrap();
        let after = |scores: [f64; 3]| {
            let starts = scores.map(|b| Plane { w: vec![0.0], b });
            let rule =
                Perceptron { budget: Budget { epochs: 1, updates: 1 }, ..Perceptron::default() };
            let found = correct(&problem, &rule, &WinnerTakeAll, Some(&starts), &mut ());
            let planes = found.unwrap().planes;
            planes.iter().map(|plane| [plane.w[0], plane.b]).collect::<Vec<_>>()
        };
        let moved = |b: f64, by: f64| [2.0 * by, b + by];
        // b fires: a comes nearer, b gives way, c stays.
        assert_eq!(after([0.0, 3.0, 1.0]), [moved(0.0, 1.0), moved(3.0, -1.0), moved(1.0, 0.0)]);
        // b and c share the largest score: a alone moves.
        assert_eq!(after([0.0, 3.0, 3.0]), [moved(0.0, 1.0), moved(3.0, 0.0), moved(3.0, 0.0)]);
        // So it does where it has a part in the tie.
        assert_eq!(after([3.0, 3.0, 1.0]), [moved(3.0, 1.0), moved(3.0, 0.0), moved(1.0, 0.0)]);
    }

    /// The lectures' network: neuron 3 fires where the inputs differ. Learned from the table of its outputs.
    #[test]
    fn the_lectures_network_can_be_learned() {
        let x = Design::dense(4, 2, vec![-1.0, -1.0, -1.0, 1.0, 1.0, -1.0, 1.0, 1.0]).unwrap();
        let found = run(&x, &["1", "3", "3", "2"], None, 1000);
        assert_eq!((found.stop, found.mistakes), (Stop::Separated, 0.0));
    }

    /// The lectures' planes as a start: row by row, with the scores, the winner and what moved.
    #[test]
    fn steps_can_be_watched() {
        let x = Design::dense(4, 2, vec![-1.0, -1.0, -1.0, 1.0, 1.0, -1.0, 1.0, 1.0]).unwrap();
        let labels = Labels::parse(["1", "3", "3", "2"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let plane = |w: [f64; 2], b: f64| Plane { w: w.to_vec(), b };
        let starts = [plane([-1.0, -1.0], 1.0), plane([1.0, 1.0], 1.0), plane([0.0, 0.0], 2.0)];
        let mut trace = Trace::new(100);
        let rule = Perceptron::default();
        correct(&problem, &rule, &WinnerTakeAll, Some(&starts), &mut trace).unwrap();
        let table = [[3.0, -1.0, 2.0], [1.0, 1.0, 2.0], [1.0, 1.0, 2.0], [-1.0, 3.0, 2.0]];
        assert_eq!(trace.records().len(), 4, "one pass, and nothing to correct");
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
            // Integers, so that there are many ties.
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
                let found = correct(&problem, &rule, &how, None, &mut ()).unwrap();
                assert_eq!((found.stop, found.mistakes), (Stop::Separated, 0.0));
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
