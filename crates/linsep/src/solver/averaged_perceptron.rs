//! Averaged perceptron: Rosenblatt's rule, answering with the mean of all planes met.
//!
//! The plane of the perceptron jumps at every mistake and remembers the last rows best. The mean
//! over all looks at a row,
//!
//! ```text
//!   h̄ = (1/T) Σ_{t=1..T} hₜ,     hₜ the plane after look t,
//! ```
//!
//! is steadier and generalises better (it is what the voted perceptron's majority is close to). A
//! plane changed by Δⱼ after cⱼ looks has h̄ = hₜ − (1/T) Σⱼ cⱼ Δⱼ, t = T, so one more vector, u = Σ cⱼ Δⱼ,
//! gives the mean for the price of a second addition at each mistake. A row of weight s is s looks.
//!
//! # When it ends
//!
//! * A pass makes no correction **and** h̄ makes no mistake: separated. From the first pass without
//!   correction on, h stays and h̄ moves towards it, so on separable data this comes about.
//! * Otherwise the budget. The answer is h̄ as it is at the end, not the best one met: fewest mistakes
//!   on the training rows would pick an early, noisy mean, and of another length than those of the other
//!   classes, which one-versus-rest compares it with.
//!
//! Cost: as the perceptron, plus one addition of the row per mistake and a plane of scratch.
//! Source: Freund & Schapire, *Large margin classification using the perceptron algorithm*, Machine
//! Learning 37 (1999); the sum u is due to Daumé, *Practical structured learning* (2006), fig. 2.3.

use super::parts::{Best, Follow, Keep, Keeper, Order, Pass, Rosenblatt, count_mistakes};
use super::{Entry, Solution, Solver, check_eta};
use crate::control::{Budget, Watch};
use crate::data::{Binary, Plane, Rows, on_rows};
use crate::error::Error;
use crate::options::Setting;

/// Settings of the averaged perceptron.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AveragedPerceptron {
    /// The rule and how rows are shown.
    pub rule: Rosenblatt,
}

impl Default for AveragedPerceptron {
    /// Fifty epochs, because one more would move the mean by a fiftieth at the most; random order,
    /// because files are often sorted by class, and a run of one class pulls the plane far off.
    fn default() -> Self {
        let (order, budget) = (Order::Random, Budget::epochs(50));
        Self { rule: Rosenblatt { order, budget, ..Rosenblatt::default() } }
    }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "averaged-perceptron",
    about: "Rosenblatt's rule, answering with the mean of all planes met",
    takes: Rosenblatt::TAKES,
    build: |options| {
        Ok(Box::new(AveragedPerceptron { rule: AveragedPerceptron::default().rule.with(options) }))
    },
};

impl Solver for AveragedPerceptron {
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
        Some((self.rule, Keep::Mean))
    }

    fn solve(
        &self,
        problem: &Binary<'_>,
        start: Plane,
        watch: &mut dyn Watch,
    ) -> Result<Solution, Error> {
        let late = Plane::zero(start.d());
        let mean = |best| Mean { problem, rule: self.rule, late, looks: 0.0, best };
        self.rule.run(problem, start, watch, mean)
    }
}

/// Keeps the mean of all planes.
struct Mean<'a, 'b> {
    problem: &'a Binary<'b>,
    rule: Rosenblatt,
    /// u = Σ cⱼ Δⱼ: what the mean has missed because corrections came late.
    late: Plane,
    /// T, the looks so far.
    looks: f64,
    best: Best,
}

impl Mean<'_, '_> {
    fn plane(&self, h: &Plane) -> Plane {
        let mut mean = h.clone();
        if self.looks > 0.0 {
            mean.step(-1.0 / self.looks, &self.late);
        }
        mean
    }

    /// Mistakes of the mean. It is judged as T h̄ = T h − u, before it is divided: of whole numbers that is exact, and what lies on the plane is on it however
    /// rows are stored.
    fn mistakes(&self, h: &Plane) -> f64 {
        let mut multiple = h.clone();
        if self.looks > 0.0 {
            multiple.scale(self.looks);
            multiple.step(-1.0, &self.late);
        }
        count_mistakes(self.problem, self.rule.tie, &multiple)
    }
}

/// Σ cⱼ over corrected copies, when the first of them is preceded by c looks: the whole ones by c, c +
/// 1, …, the fraction that may be left by c + ⌊copies⌋.
fn lateness(c: f64, copies: f64) -> f64 {
    let whole = copies.floor();
    c * copies + whole * (whole - 1.0) / 2.0 + (copies - whole) * whole
}

impl Follow for Mean<'_, '_> {
    #[inline]
    fn right(&mut self, i: usize, _z: f64, _h: &Plane) {
        self.looks += self.problem.s()[i];
    }

    #[inline]
    fn wrong(&mut self, _h: &Plane) {}

    #[inline]
    fn corrected(&mut self, i: usize, _z: f64, copies: f64, _h: &Plane) {
        let a = self.rule.eta * self.problem.y()[i] * lateness(self.looks, copies);
        on_rows!(self.problem.x(), x => x.axpy(a, i, &mut self.late.w));
        self.late.b += a * self.rule.lift();
        self.looks += self.problem.s()[i];
    }
}

impl Keeper for Mean<'_, '_> {
    fn note(&mut self, h: &Plane, pass: Pass) -> f64 {
        if pass.corrections > 0 {
            return pass.wrong;
        }
        self.mistakes(h)
    }

    fn best(mut self, h: &Plane) -> Best {
        let mean = self.plane(h);
        self.best.replace(&mean, self.mistakes(h));
        self.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::{Record, Stop, Trace};
    use crate::data::{Design, Labels, Problem};

    /// The planes a trace met, averaged by adding them up.
    fn plain_mean(trace: &Trace) -> Plane {
        let n = trace.records().len() as f64;
        let mut mean = Plane::zero(2);
        for record in trace.records() {
            let Record::Row { plane, .. } = record else { panic!("an online step") };
            mean.step(1.0 / n, plane);
        }
        mean
    }

    #[test]
    fn the_mean_is_the_mean_of_the_planes_in_the_trace() {
        let x = Design::dense(4, 2, vec![1.0, 0.5, -0.5, 2.0, 0.25, -1.0, -2.0, 0.75]).unwrap();
        let labels = Labels::parse(["a", "b", "b", "a"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let solver = AveragedPerceptron {
            rule: Rosenblatt { budget: Budget::epochs(1), ..Rosenblatt::default() },
        };
        let mut trace = Trace::new(100);
        let solution = solver.solve(&problem.against_rest(1), Plane::zero(2), &mut trace).unwrap();
        let want = plain_mean(&trace);
        assert!((solution.plane.w[0] - want.w[0]).abs() < 1e-15);
        assert!((solution.plane.w[1] - want.w[1]).abs() < 1e-15);
        assert!((solution.plane.b - want.b).abs() < 1e-15);
    }

    #[test]
    fn copies_are_late_by_the_looks_before_each() {
        assert_eq!(lateness(5.0, 1.0), 5.0);
        assert_eq!(lateness(5.0, 3.0), 5.0 + 6.0 + 7.0);
        assert_eq!(lateness(5.0, 2.5), 5.0 + 6.0 + 0.5 * 7.0);
        assert_eq!(lateness(5.0, 0.5), 2.5);
    }

    #[test]
    fn separated_means_the_mean_separates() {
        let x = Design::dense(4, 2, vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0]).unwrap();
        let labels = Labels::parse(["0", "0", "0", "1"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let solver = AveragedPerceptron { rule: Rosenblatt::default() };
        let solution = solver.solve(&problem.against_rest(1), Plane::zero(2), &mut ()).unwrap();
        assert_eq!((solution.stop, solution.mistakes), (Stop::Separated, 0.0));
        let tie = solver.rule.tie;
        assert_eq!(count_mistakes(&problem.against_rest(1), tie, &solution.plane), 0.0);
    }
}
