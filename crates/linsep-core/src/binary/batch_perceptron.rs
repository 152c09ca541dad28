//! Batch perceptron: one update per epoch, from all misclassified rows.
//!
//! Over hyperplanes h = (w, b), with zᵢ = xᵢ·w + b and yᵢ ∈ {−1, +1}, it descends
//!
//! ```text
//!   J(h) = Σ_{i∈M} −sᵢ yᵢ zᵢ,     M = { i : yᵢ zᵢ ≤ 0 }     (zᵢ = 0 is misclassified, see Tie)
//! ```
//!
//! along g = Σ_{i∈M} sᵢ yᵢ (xᵢ, 1), a negative subgradient. One epoch is **h ← h + η g**.
//!
//! # Termination
//!
//! * M = ∅: separated. If a unit u has yᵢ (xᵢ, 1)·u ≥ γ > 0 for all i, and R = maxᵢ ‖(xᵢ, 1)‖, then
//!   from h = 0 an epoch adds at least ηγ|M| to h·u and at most η²R²|M|² to ‖h‖². As |M| ≤ n, the
//!   mistakes summed over all epochs are **at most n R²/γ²** for every η (in doubles: for the η of
//!   [`Novikoff::holds_in_doubles`](crate::certify::Novikoff::holds_in_doubles)). With sample
//!   weights, |M| is the weight of M and n the total weight.
//! * g = 0 with M ≠ ∅: stationary. In exact arithmetic this sum is Gordan's certificate that no
//!   separating hyperplane exists.
//! * Otherwise the epoch limit. The best hyperplane so far is the result; this is no error.
//!
//! Cost: one pass over the nonzeros per epoch; memory for two more hyperplanes, the step and the
//! best.
//! Source: Duda, Hart & Stork, *Pattern Classification* (2nd ed.), §5.5.

use super::parts::{Best, Tie};
use super::{BinaryFit, BinaryLearner, UpdateBound, check_eta, check_start};
use crate::control::{Budget, Epoch, EpochMetric, Observer, StopReason};
use crate::data::{BinaryProblem, Hyperplane, Rows, on_rows};
use crate::error::Error;
use crate::learner::{Build, Entry};
use crate::options::{Options, Setting};
use crate::solvers::report_batch_step;

/// Settings of the batch perceptron.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatchPerceptron {
    /// Step length η > 0. From h = 0 it scales h and changes no prediction.
    pub eta: f64,
    /// Meaning of a score of 0 during training.
    pub tie: Tie,
    /// Epoch limit.
    pub budget: Budget,
}

impl Default for BatchPerceptron {
    fn default() -> Self {
        Self { eta: 1.0, tie: Tie::Mistake, budget: Budget::default() }
    }
}

pub(crate) const ENTRY: Entry = Entry {
    name: "batch-perceptron",
    about: "update with all misclassified rows at once",
    takes: &["eta", "max-iter", "tie"],
    build: Build::Solver(|options| Ok(Box::new(BatchPerceptron::with(options)))),
};

impl BatchPerceptron {
    fn with(options: &Options) -> Self {
        let own = Self::default();
        Self {
            eta: options.eta.unwrap_or(own.eta),
            tie: options.tie.unwrap_or(own.tie),
            budget: options.epochs.map_or(own.budget, Budget::epochs),
        }
    }
}

impl BinaryLearner for BatchPerceptron {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn settings(&self) -> Vec<(&'static str, Setting)> {
        vec![
            ("eta", Setting::Number(self.eta)),
            ("max-iter", Setting::Number(self.budget.epochs as f64)),
            ("tie", Setting::Word(self.tie.name().into())),
        ]
    }

    fn check(&self) -> Result<(), Error> {
        check_eta(self.eta)
    }

    /// The weight of the misclassified rows, summed over all epochs, is at most S (R/γ)². Each of
    /// them weighs at least as much as the lightest row.
    fn update_bound(&self, problem: &BinaryProblem<'_>) -> Option<UpdateBound> {
        let live = problem.s().iter().filter(|s| **s > 0.0);
        let least = live.fold(f64::INFINITY, |least, s| least.min(*s));
        Some(UpdateBound {
            lift: true,
            times: problem.total_weight() / least,
            eta: self.eta,
            part: least,
        })
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
        let (mut epoch, mut updates) = (0, 0);

        loop {
            // 1. Misclassified rows and the direction of descent.
            let sum = on_rows!(problem.x(), x => sweep(x, problem, self.tie, &h, &mut g));
            best.offer(&h, sum.mistakes);
            report_batch_step(watch, problem, epoch, &h, sum.criterion, |y, z| {
                self.tie.right(y, z)
            });

            // 2. The first stop reason that holds is the one reported.
            let mistakes = sum.mistakes;
            let standing = EpochMetric::Mistakes(mistakes);
            let go_on = watch.epoch(&Epoch { epoch, of: self.budget.epochs, standing });
            let reasons = [
                (mistakes == 0.0, StopReason::Separated),
                (!h.is_finite(), StopReason::Diverged),
                (g.is_zero(), StopReason::Stalled),
                (!go_on, StopReason::Interrupted),
                (epoch == self.budget.epochs, StopReason::IterationLimit),
            ];
            if let Some(&(_, stop)) = reasons.iter().find(|(holds, _)| *holds) {
                return Ok(best.end(stop, epoch, updates));
            }

            // 3. Step.
            h.step(self.eta, &g);
            epoch += 1;
            updates += sum.rows;
        }
    }
}

/// Totals of a sweep: rows in M, their weight, and J.
struct Sum {
    rows: u64,
    mistakes: f64,
    criterion: f64,
}

/// Writes g = Σ_{i∈M} sᵢ yᵢ (xᵢ, 1): the only loop over the data.
fn sweep<X: Rows>(
    x: &X,
    problem: &BinaryProblem<'_>,
    tie: Tie,
    h: &Hyperplane,
    g: &mut Hyperplane,
) -> Sum {
    g.clear();
    let mut sum = Sum { rows: 0, mistakes: 0.0, criterion: 0.0 };
    for (i, (&y, &s)) in problem.y().iter().zip(problem.s()).enumerate() {
        let z = h.score(x, i);
        if s == 0.0 || tie.right(y, z) {
            continue;
        }
        g.add_row(s * y, x, i);
        sum.rows += 1;
        sum.mistakes += s;
        sum.criterion -= s * y * z;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Design, Labels, Problem};

    const CORNERS: [f64; 8] = [0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0];

    fn fit(x: &[f64], labels: &[&str], epochs: u64) -> (StopReason, f64) {
        let x = Design::dense(labels.len(), 2, x.to_vec()).unwrap();
        let labels = Labels::parse(labels.iter().copied());
        let problem = Problem::new(&x, &labels, None).unwrap();
        let solver = BatchPerceptron { budget: Budget::epochs(epochs), ..Default::default() };
        let solution = solver.fit(&problem.against_rest(1), Hyperplane::zero(2), &mut ()).unwrap();
        (solution.stop, solution.mistakes)
    }

    #[test]
    fn logical_and_is_separated_within_the_mistake_bound() {
        // The widest u is (2, 2, −3)/√17, so γ² = 1/17; R² = 3, n = 4: n R²/γ² = 204.
        assert_eq!(fit(&CORNERS, &["0", "0", "0", "1"], 204), (StopReason::Separated, 0.0));
    }

    #[test]
    fn xor_is_stationary_at_zero() {
        assert_eq!(fit(&CORNERS, &["0", "1", "1", "0"], 50), (StopReason::Stalled, 4.0));
    }

    #[test]
    fn one_of_two_identical_rows_with_different_labels_is_misclassified() {
        let x = [0.0, 0.0, 1.0, 1.0, 1.0, 1.0];
        assert_eq!(fit(&x, &["0", "1", "0"], 50), (StopReason::IterationLimit, 1.0));
    }

    #[test]
    fn zero_epochs_return_the_start_with_its_mistakes() {
        assert_eq!(fit(&CORNERS, &["0", "0", "0", "1"], 0), (StopReason::IterationLimit, 4.0));
    }
}
