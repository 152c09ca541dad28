//! Perceptron: every mistake is corrected as soon as it is seen.
//!
//! Rows are shown one after the other, in the order of the data or a new random one each pass. A row
//! with yᵢ zᵢ ≤ 0 (see [`Tie`](super::Tie) for rows exactly on the plane) is corrected:
//! **h ← h + η yᵢ (xᵢ, 1)**.
//!
//! # When it ends
//!
//! * A whole pass without a correction: separated. If a unit u has yᵢ (xᵢ, 1)·u ≥ γ > 0 for all i,
//!   and R = maxᵢ ‖(xᵢ, 1)‖, then from h = 0 each correction adds at least ηγ to h·u and at most η²R²
//!   to ‖h‖² (a corrected row has yᵢzᵢ ≤ 0). After t corrections tηγ ≤ h·u ≤ ‖h‖ ≤ ηR√t, so there are
//!   **at most (R/γ)² of them**, whatever η and the order (Novikoff). In doubles that holds, up to
//!   rounding, for the η of [`Novikoff::holds_in_doubles`](crate::certify::Novikoff::holds_in_doubles).
//! * Otherwise, on data that no plane separates, the rule goes on forever. In the order of the data
//!   it may come back to a plane it had before, and is then known to go round in a circle
//!   (stationary); else the budget ends it. The answer is then one of three planes, judged on all
//!   rows: the last, the one after the pass that met the fewest mistakes, or the start.
//!
//! Cost: one pass over the non-zeros per epoch, and two at the end to judge.
//! Source: Rosenblatt, *The perceptron*, Psychological Review 65 (1958); Novikoff, *On convergence
//! proofs on perceptrons* (1962).

use super::parts::{Best, Follow, Keep, Keeper, Pass, Rosenblatt, count_mistakes};
use super::{Entry, Solution, Solver, check_eta};
use crate::control::Watch;
use crate::data::{Binary, Plane};
use crate::error::Error;
use crate::options::Setting;

/// Settings of the perceptron.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OnlinePerceptron {
    /// The rule and how rows are shown.
    pub rule: Rosenblatt,
}

pub(crate) const ENTRY: Entry = Entry {
    name: "perceptron",
    about: "Rosenblatt's rule: correct each mistake as it is seen",
    takes: Rosenblatt::TAKES,
    build: |options| Ok(Box::new(OnlinePerceptron { rule: Rosenblatt::default().with(options) })),
};

impl Solver for OnlinePerceptron {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn settings(&self) -> Vec<(&'static str, Setting)> {
        self.rule.settings()
    }

    fn check(&self) -> Result<(), Error> {
        check_eta(self.rule.eta)
    }

    fn as_corrector(&self) -> Option<(Rosenblatt, Keep)> {
        Some((self.rule, Keep::Fewest))
    }

    fn solve(
        &self,
        problem: &Binary<'_>,
        start: Plane,
        watch: &mut dyn Watch,
    ) -> Result<Solution, Error> {
        self.rule.run(problem, start, watch, |best| {
            let fewest = Fewest { plane: Plane::zero(0), wrong: f64::INFINITY, is_last: false };
            EndOfPass { problem, rule: self.rule, fewest, best }
        })
    }
}

/// Keeps the plane that the pass with the fewest mistakes ended with.
struct EndOfPass<'a, 'b> {
    problem: &'a Binary<'b>,
    rule: Rosenblatt,
    fewest: Fewest,
    best: Best,
}

struct Fewest {
    plane: Plane,
    wrong: f64,
    is_last: bool,
}

impl Follow for EndOfPass<'_, '_> {
    #[inline]
    fn right(&mut self, _i: usize, _z: f64, _h: &Plane) {}

    #[inline]
    fn wrong(&mut self, _h: &Plane) {}

    #[inline]
    fn corrected(&mut self, _i: usize, _z: f64, _copies: f64, _h: &Plane) {}
}

impl Keeper for EndOfPass<'_, '_> {
    const FOLLOWS: bool = false;

    fn note(&mut self, h: &Plane, pass: Pass) -> f64 {
        let Fewest { plane, wrong, is_last } = &mut self.fewest;
        *is_last = pass.wrong < *wrong;
        if *is_last {
            plane.clone_from(h);
            *wrong = pass.wrong;
        }
        pass.wrong
    }

    fn best(mut self, h: &Plane) -> Best {
        let Fewest { plane, wrong, is_last } = self.fewest;
        let (problem, tie) = (self.problem, self.rule.tie);
        let count = |h: &Plane| count_mistakes(problem, tie, h);
        if wrong == 0.0 {
            self.best.give(plane, 0.0); // every row was seen on its own side
            return self.best;
        }
        if wrong < f64::INFINITY {
            let mistakes = count(&plane);
            self.best.give(plane, mistakes);
        }
        if !is_last {
            self.best.offer(h, count(h));
        }
        self.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::{Budget, Record, Stop, Trace};
    use crate::data::{Design, Labels, Problem};
    use crate::solver::{Order, Tie};

    /// The lecture's six points, without the constant 1.
    const POINTS: [f64; 12] = [1.0, 1.0, 1.0, -1.0, 0.0, -1.0, -1.0, -1.0, -1.0, 1.0, 0.0, 1.0];

    #[test]
    fn the_lectures_table_row_by_row() {
        let x = Design::dense(6, 2, POINTS.to_vec()).unwrap();
        let labels = Labels::parse(["pos", "pos", "pos", "neg", "neg", "neg"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let rule = Rosenblatt { tie: Tie::Negative, ..Rosenblatt::default() };
        let mut trace = Trace::new(100);
        let solution = OnlinePerceptron { rule }
            .solve(&problem.against_rest(1), Plane::zero(2), &mut trace)
            .unwrap();

        // row, W·X, y, updated, (b, w1, w2) after
        let table = [
            (0, 0.0, -1, true, [1.0, 1.0, 1.0]),
            (1, 1.0, 1, false, [1.0, 1.0, 1.0]),
            (2, 0.0, -1, true, [2.0, 1.0, 0.0]),
            (3, 1.0, 1, true, [1.0, 2.0, 1.0]),
            (4, 0.0, -1, false, [1.0, 2.0, 1.0]),
            (5, 2.0, 1, true, [0.0, 2.0, 0.0]),
            (0, 2.0, 1, false, [0.0, 2.0, 0.0]),
        ];
        for (want, got) in table.iter().zip(trace.records()) {
            let Record::Row { row, z, predicted, updated, plane, .. } = got else {
                panic!("an online step")
            };
            let after = [plane.b, plane.w[0], plane.w[1]];
            assert_eq!((*row, *z, *predicted, *updated, after), *want);
        }
        assert_eq!(solution.plane, Plane { w: vec![2.0, -1.0], b: 1.0 });
        assert_eq!((solution.stop, solution.mistakes), (Stop::Separated, 0.0));
        let last_pass = &trace.records()[trace.records().len() - 6..];
        assert!(last_pass.iter().all(|r| matches!(r, Record::Row { updated: false, .. })));
    }

    fn xor(order: Order) -> Solution {
        let x = Design::dense(4, 2, vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0]).unwrap();
        let labels = Labels::parse(["0", "1", "1", "0"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let rule = Rosenblatt { order, budget: Budget::epochs(40), ..Rosenblatt::default() };
        let binary = problem.against_rest(1);
        let solution = OnlinePerceptron { rule }.solve(&binary, Plane::zero(2), &mut ()).unwrap();
        let count = count_mistakes(&binary, rule.tie, &solution.plane);
        assert_eq!(solution.mistakes, count, "the count belongs to the plane");
        solution
    }

    #[test]
    fn xor_in_order_goes_round_in_a_circle() {
        // The four corrections of the first pass cancel: the plane is back where it began.
        let solution = xor(Order::Cyclic);
        assert_eq!((solution.stop, solution.epochs, solution.updates), (Stop::Stationary, 1, 4));
    }

    #[test]
    fn xor_in_random_order_ends_by_budget_with_the_best_plane_met() {
        let solution = xor(Order::Random);
        assert_eq!((solution.stop, solution.epochs), (Stop::Budget, 40));
        assert!((1.0..4.0).contains(&solution.mistakes), "better than h = 0, worse than no plane");
    }

    #[test]
    fn the_number_of_corrections_can_be_limited() {
        let x = Design::dense(2, 1, vec![1.0, -1.0]).unwrap();
        let labels = Labels::parse(["a", "b"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let budget = Budget { epochs: 10, updates: 1 };
        let solver = OnlinePerceptron { rule: Rosenblatt { budget, ..Rosenblatt::default() } };
        let solution = solver.solve(&problem.against_rest(1), Plane::zero(1), &mut ()).unwrap();
        assert_eq!((solution.stop, solution.updates), (Stop::Budget, 1));
    }

    #[test]
    fn an_overflow_is_a_divergence_and_the_answer_stays_finite() {
        let x = Design::dense(2, 1, vec![1e200, 1.1e200]).unwrap();
        let labels = Labels::parse(["a", "b"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let solver = OnlinePerceptron { rule: Rosenblatt { eta: 1e200, ..Rosenblatt::default() } };
        let solution = solver.solve(&problem.against_rest(1), Plane::zero(1), &mut ()).unwrap();
        assert_eq!(solution.stop, Stop::Diverged);
        assert!(solution.plane.is_finite());
    }
}
