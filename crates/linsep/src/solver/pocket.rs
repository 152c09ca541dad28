//! Pocket algorithm: Rosenblatt's rule, keeping the plane that made the fewest mistakes.
//!
//! On data that no plane separates the perceptron visits good planes and leaves them again. A plane
//! that survives a long run of rows without a mistake is probably good, so whenever a run ends that
//! is longer than the run of the plane in the pocket, the plane is judged on **all** rows, and goes
//! into the pocket if it makes fewer mistakes (Gallant's "ratchet": the pocket never gets worse).
//!
//! # When it ends
//!
//! * A whole pass without a correction: separated, as the perceptron.
//! * Otherwise the budget. If rows were drawn at random one by one, with replacement, the pocket would
//!   hold a plane of the fewest possible mistakes with a probability that tends to one (Gallant). Here
//!   a pass is a permutation, which reads memory better and sees every row, and for which no such
//!   theorem is known; finding the fewest mistakes is NP-hard either way.
//!
//! Cost: the perceptron's, plus one pass over the non-zeros for each run that is judged.
//! Source: Gallant, *Perceptron-based learning algorithms*, IEEE Trans. Neural Networks 1 (1990).

use super::parts::{Best, Follow, Keep, Keeper, Order, Pass, Rosenblatt, count_mistakes};
use super::{Entry, Solution, Solver, check_eta};
use crate::control::Watch;
use crate::data::{Binary, Plane};
use crate::error::Error;
use crate::options::Setting;

/// Settings of the pocket algorithm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pocket {
    /// The rule and how rows are shown.
    pub rule: Rosenblatt,
}

impl Default for Pocket {
    /// Random order: a fixed one may never show a good plane its longest run.
    fn default() -> Self {
        Self { rule: Rosenblatt { order: Order::Random, ..Rosenblatt::default() } }
    }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "pocket",
    about: "Rosenblatt's rule, keeping the plane that made the fewest mistakes",
    takes: Rosenblatt::TAKES,
    build: |options| Ok(Box::new(Pocket { rule: Pocket::default().rule.with(options) })),
};

impl Solver for Pocket {
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
        Some((self.rule, Keep::Pocket))
    }

    fn solve(
        &self,
        problem: &Binary<'_>,
        start: Plane,
        watch: &mut dyn Watch,
    ) -> Result<Solution, Error> {
        let ratchet = |best| Ratchet { problem, rule: self.rule, run: 0.0, longest: 0.0, best };
        self.rule.run(problem, start, watch, ratchet)
    }
}

/// Judges a plane whose run of right rows is longer than that of the plane in the pocket.
struct Ratchet<'a, 'b> {
    problem: &'a Binary<'b>,
    rule: Rosenblatt,
    /// Weight of the rows since the last mistake.
    run: f64,
    /// The same, for the plane in the pocket.
    longest: f64,
    best: Best,
}

impl Ratchet<'_, '_> {
    fn judge_now(&mut self, h: &Plane) {
        let mistakes = count_mistakes(self.problem, self.rule.tie, h);
        if self.best.offer(h, mistakes) {
            self.longest = self.run;
        }
    }
}

impl Follow for Ratchet<'_, '_> {
    #[inline]
    fn right(&mut self, i: usize, _z: f64, _h: &Plane) {
        self.run += self.problem.s()[i];
    }

    fn wrong(&mut self, h: &Plane) {
        if self.run > self.longest {
            self.judge_now(h);
        }
        self.run = 0.0;
    }

    /// The copies of a weighted row that found themselves right begin the next run.
    #[inline]
    fn corrected(&mut self, i: usize, _z: f64, copies: f64, _h: &Plane) {
        self.run = self.problem.s()[i] - copies;
    }
}

impl Keeper for Ratchet<'_, '_> {
    fn note(&mut self, h: &Plane, _pass: Pass) -> f64 {
        self.judge_now(h);
        self.best.mistakes()
    }

    fn best(self, _h: &Plane) -> Best {
        self.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Budget;
    use crate::data::{Design, Labels, Problem};
    use crate::math::rng::Rng;
    use crate::solver::OnlinePerceptron;

    #[test]
    fn never_worse_than_the_planes_at_the_ends_of_passes() {
        for seed in 0..50 {
            let mut rng = Rng::new(seed, 0);
            let x: Vec<f64> = (0..40).map(|_| rng.below(9) as f64 - 4.0).collect();
            let labels = x.chunks(2).map(|x| {
                let truth = x[0] + x[1] > 0.0;
                if truth == (rng.unit() < 0.8) { "b" } else { "a" }
            });
            let labels = Labels::parse(labels.collect::<Vec<_>>());
            let design = Design::dense(20, 2, x.clone()).unwrap();
            let problem = Problem::new(&design, &labels, None).unwrap();
            let binary = problem.against_rest(1);
            let rule = Rosenblatt { seed, budget: Budget::epochs(30), ..Pocket::default().rule };
            let pocket = Pocket { rule }.solve(&binary, Plane::zero(2), &mut ()).unwrap();
            let ends = OnlinePerceptron { rule }.solve(&binary, Plane::zero(2), &mut ()).unwrap();
            assert!(pocket.mistakes <= ends.mistakes);
            assert_eq!(pocket.mistakes, count_mistakes(&binary, rule.tie, &pocket.plane));
        }
    }

    #[test]
    fn the_ratchet_looks_inside_a_pass() {
        // In this order the plane is right on all but the twin for most of the pass, and the
        // twin at its end always leaves a bad plane behind.
        let x = Design::dense(5, 1, vec![-2.0, -1.0, 1.0, 2.0, 40.0]).unwrap();
        let labels = Labels::parse(["a", "a", "b", "b", "a"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let rule = Rosenblatt { budget: Budget::epochs(50), ..Rosenblatt::default() };
        let binary = problem.against_rest(1);
        let pocket = Pocket { rule }.solve(&binary, Plane::zero(1), &mut ()).unwrap();
        let last = OnlinePerceptron { rule };
        let last = last.solve(&binary, Plane::zero(1), &mut ()).unwrap();
        assert_eq!(pocket.mistakes, 1.0);
        assert!(last.mistakes > pocket.mistakes, "planes at the end of a pass are worse");
    }
}
