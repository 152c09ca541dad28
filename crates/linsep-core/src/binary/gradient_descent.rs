//! Gradient descent on the perceptron criterion, with a choice of step schedules.
//!
//! ```text
//!   E(h) = (1/S) Σ sᵢ ℓ(zᵢ, yᵢ),   S = Σ sᵢ,   ℓ(z, y) = max(0, −yz)
//!   h ← h − (ηₜ/S) g,              g = Σ sᵢ ℓ′(zᵢ, yᵢ) (xᵢ, 1) = S ∇E(h)
//! ```
//!
//! The criterion is a mean, so η here is the η of the batch perceptron times S. With the constant
//! schedule both produce the same hyperplanes.
//!
//! # Termination
//!
//! * Every row strictly on its correct side: separated. On separable data the constant schedule
//!   terminates within the batch perceptron's bound. 1/t and 1/√t terminate too, as Σ ηₜ = ∞ and E
//!   is convex, but their bound on the epochs depends on η.
//! * g = 0, or no step along −∇E lowers E: stationary.
//! * A value is no longer finite: diverged. E grows at most linearly along any line, so a large η
//!   overshoots without the geometric growth of a curved objective. Only the range of doubles ends
//!   it.
//! * Otherwise the epoch limit. The result is the hyperplane with the least misclassified weight,
//!   not the one with the least E: E can always be made small by shrinking h.
//!
//! **Backtracking** tries ηₜ = η, η/2, η/4, … until E(h − ηₜ∇E) ≤ E(h) − c ηₜ‖∇E‖², c = 10⁻⁴
//! (Armijo). At h = 0 the criterion has its minimum 0 for all data, so the first step from there
//! has length η.
//!
//! Cost: one pass over the non-zeros per epoch, and one per trial of a line search.
//! Source: Duda, Hart & Stork, *Pattern Classification* (2nd ed.), §5.4; Nocedal & Wright,
//! *Numerical Optimization* (2nd ed.), Algorithm 3.1.

use super::parts::Best;
use super::{BinaryFit, BinaryLearner, check_eta, check_start};
use crate::control::{Budget, Epoch, EpochMetric, Observer, StopReason};
use crate::data::{BinaryProblem, Hyperplane, Rows, on_rows};
use crate::error::Error;
use crate::learner::{Build, Entry};
use crate::loss::{Loss, Perceptron};
use crate::options::{Options, Setting};
use crate::solvers::{Schedule, report_batch_step};

/// Settings of gradient descent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GradientDescent {
    /// First step length η > 0.
    pub eta: f64,
    /// Step schedule.
    pub schedule: Schedule,
    /// Epoch limit.
    pub budget: Budget,
}

impl Default for GradientDescent {
    fn default() -> Self {
        Self { eta: 1.0, schedule: Schedule::Constant, budget: Budget::default() }
    }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "gradient-descent",
    about: "gradient descent on the perceptron criterion, with a step-length schedule",
    takes: &["eta", "max-iter", "schedule"],
    build: Build::Solver(|options| Ok(Box::new(GradientDescent::with(options)))),
};

impl GradientDescent {
    fn with(options: &Options) -> Self {
        let own = Self::default();
        Self {
            eta: options.eta.unwrap_or(own.eta),
            schedule: options.schedule.unwrap_or(own.schedule),
            budget: options.epochs.map_or(own.budget, Budget::epochs),
        }
    }
}

impl BinaryLearner for GradientDescent {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn settings(&self) -> Vec<(&'static str, Setting)> {
        vec![
            ("eta", Setting::Number(self.eta)),
            ("max-iter", Setting::Number(self.budget.epochs as f64)),
            ("schedule", Setting::Word(self.schedule.name().into())),
        ]
    }

    fn check(&self) -> Result<(), Error> {
        check_eta(self.eta)
    }

    fn fit(
        &self,
        problem: &BinaryProblem<'_>,
        start: Hyperplane,
        watch: &mut dyn Observer,
    ) -> Result<BinaryFit, Error> {
        self.check()?;
        check_start(problem, &start)?;
        let mut h = start;
        let mut g = Hyperplane::zero(h.d());
        let mut best = Best::new(h.copy(), f64::INFINITY);
        let mut epoch = 0;

        loop {
            // 1. Value and gradient.
            let (e, mistakes) = on_rows!(problem.x(), x => sweep(x, problem, &h, &mut g));
            best.offer(&h, mistakes);
            report_batch_step(watch, problem, epoch, &h, e, |y, z| y * z > 0.0);

            // 2. The first stop reason that holds is the one reported.
            let standing = EpochMetric::Mistakes(mistakes);
            let go_on = watch.epoch(&Epoch { epoch, of: self.budget.epochs, standing });
            let reasons = [
                (mistakes == 0.0, StopReason::Separated),
                (!(e.is_finite() && h.is_finite()), StopReason::Diverged),
                (g.is_zero(), StopReason::Stalled),
                (!go_on, StopReason::Interrupted),
                (epoch == self.budget.epochs, StopReason::IterationLimit),
            ];
            if let Some(&(_, stop)) = reasons.iter().find(|(holds, _)| *holds) {
                return Ok(best.end(stop, epoch, epoch));
            }

            // 3. Step.
            let length = self.schedule.length(self.eta, epoch) / problem.total_weight();
            if self.schedule == Schedule::Backtracking && !h.is_zero() {
                let Some(lower) = backtrack(problem, &h, &g, e, length) else {
                    return Ok(best.end(StopReason::Stalled, epoch, epoch));
                };
                h = lower;
            } else {
                h.step(-length, &g);
            }
            epoch += 1;
        }
    }
}

/// First hyperplane h − length·g, halving the length, that lowers E by Armijo's condition; `None`
/// after sixty halvings.
fn backtrack(
    problem: &BinaryProblem<'_>,
    h: &Hyperplane,
    g: &Hyperplane,
    e: f64,
    first: f64,
) -> Option<Hyperplane> {
    const ENOUGH: f64 = 1e-4;
    const HALVINGS: i32 = 60;
    let slope = g.norm_sq() / problem.total_weight();
    (0..=HALVINGS).find_map(|halvings| {
        let length = first * 0.5_f64.powi(halvings);
        let mut trial = h.clone();
        trial.step(-length, g);
        let lower = on_rows!(problem.x(), x => criterion(x, problem, &trial));
        (lower <= e - ENOUGH * length * slope && trial != *h).then_some(trial)
    })
}

/// E(h).
fn criterion<X: Rows>(x: &X, problem: &BinaryProblem<'_>, h: &Hyperplane) -> f64 {
    let rows = problem.y().iter().zip(problem.s()).enumerate();
    let sum: f64 = rows.map(|(i, (&y, s))| s * Perceptron.value(y * h.score(x, i))).sum();
    sum / problem.total_weight()
}

/// Writes g; returns E(h) and the total weight of the misclassified rows.
fn sweep<X: Rows>(
    x: &X,
    problem: &BinaryProblem<'_>,
    h: &Hyperplane,
    g: &mut Hyperplane,
) -> (f64, f64) {
    g.clear();
    let (mut e, mut mistakes) = (0.0, 0.0);
    for (i, (&y, &s)) in problem.y().iter().zip(problem.s()).enumerate() {
        let z = h.score(x, i);
        let slope = y * Perceptron.slope(y * z);
        if s == 0.0 || slope == 0.0 {
            continue;
        }
        e += s * Perceptron.value(y * z);
        mistakes += s;
        g.add_row(s * slope, x, i);
    }
    (e / problem.total_weight(), mistakes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary::BatchPerceptron;
    use crate::control::{Record, Trace};
    use crate::data::{Design, Labels, Problem};

    fn overlapping() -> (Design, Labels) {
        let x = vec![1.0, 0.0, 1.0, 1.0, 0.5, 0.5, 0.0, 0.0, 0.0, 1.0, 0.75, 0.5];
        (Design::dense(6, 2, x).unwrap(), Labels::parse(["b", "b", "b", "a", "a", "a"]))
    }

    #[test]
    fn a_constant_schedule_gives_the_hyperplanes_of_the_batch_perceptron() {
        let (x, labels) = overlapping();
        let problem = Problem::new(&x, &labels, None).unwrap();
        let (mut descent, mut batch) = (Trace::new(20), Trace::new(20));
        let budget = Budget::epochs(10);
        let start = Hyperplane { w: vec![0.5, 1.0], b: -0.25 };
        let binary = problem.against_rest(1);
        GradientDescent { eta: 6.0, budget, ..Default::default() }
            .fit(&binary, start.clone(), &mut descent)
            .unwrap();
        BatchPerceptron { budget, ..Default::default() }.fit(&binary, start, &mut batch).unwrap();
        for (a, b) in descent.records().iter().zip(batch.records()) {
            let (
                Record::Batch { hyperplane: a, mistakes: m, .. },
                Record::Batch { hyperplane: b, mistakes: k, .. },
            ) = (a, b)
            else {
                panic!("batch steps")
            };
            assert_eq!(m, k);
            assert_eq!(a, b);
        }
        assert_eq!(descent.records().len(), 11);
    }

    #[test]
    fn backtracking_never_raises_the_criterion() {
        let (x, labels) = overlapping();
        let problem = Problem::new(&x, &labels, None).unwrap();
        let mut trace = Trace::new(100);
        let solver = GradientDescent {
            eta: 8.0,
            schedule: Schedule::Backtracking,
            budget: Budget::epochs(50),
        };
        let start = Hyperplane { w: vec![-3.0, 5.0], b: 0.5 };
        solver.fit(&problem.against_rest(1), start, &mut trace).unwrap();
        let values: Vec<f64> = trace
            .records()
            .iter()
            .map(|r| match r {
                Record::Batch { criterion, .. } => *criterion,
                Record::Row { .. } | Record::Scores { .. } => panic!("a batch step"),
            })
            .collect();
        assert!(values.len() > 2 && values.is_sorted_by(|a, b| a > b), "{values:?}");
    }

    #[test]
    fn every_schedule_separates_separable_rows() {
        let x = Design::dense(4, 2, vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0]).unwrap();
        let labels = Labels::parse(["0", "0", "0", "1"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        for schedule in [Schedule::Constant, Schedule::InverseT, Schedule::InverseSqrtT] {
            let solver = GradientDescent { eta: 4.0, schedule, budget: Budget::epochs(1_000_000) };
            let solution =
                solver.fit(&problem.against_rest(1), Hyperplane::zero(2), &mut ()).unwrap();
            assert_eq!(
                (solution.stop, solution.mistakes),
                (StopReason::Separated, 0.0),
                "{schedule:?}"
            );
        }
    }

    #[test]
    fn overflow_ends_as_diverged_with_a_finite_result() {
        let (x, labels) = overlapping();
        let problem = Problem::new(&x, &labels, None).unwrap();
        let solver = GradientDescent { eta: 1e308, ..Default::default() };
        let start = Hyperplane { w: vec![1e308, -1e308], b: 1e308 };
        let solution = solver.fit(&problem.against_rest(1), start, &mut ()).unwrap();
        assert_eq!(solution.stop, StopReason::Diverged);
        assert!(solution.hyperplane.is_finite());
    }
}
