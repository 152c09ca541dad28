//! Stop reasons, limits and observers of a run.
//!
//! A solver never prints and never reads a clock. Once per epoch it reports its progress to a
//! [`Observer`] and continues unless the observer returns `false`. An observer with
//! [`wants_steps`](Observer::wants_steps) also receives every update. [`Trace`] is such an
//! observer: it records the steps, with the columns of the tables in textbooks.
//!
//! Time limits and Ctrl-C take effect within an epoch: another thread sets a [`Cancel`] token,
//! which inner loops read.
//!
//! Over 400 lines: an event of a run, its owned form and the observer that records it belong
//! together.

mod cancel;
mod note;

pub use cancel::{Cancel, PartObserver};
pub use note::{Note, SettingValue, literal};

use crate::data::Hyperplane;
use crate::names::names;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The reason why a run ended. A run that does not converge has a stop reason, not an error, and
/// returns the best hyperplane found. In order, the most favorable first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum StopReason {
    /// No row is misclassified, so there is no update left.
    Separated,
    /// The certified relative gap is at most the tolerance.
    Optimal,
    /// The solution has a closed form.
    ClosedForm,
    /// The updates cancel, no step lowers the objective, or the run repeats a state: it would never
    /// end.
    Stalled,
    /// The objective has no minimum: it decreases while the coefficients diverge.
    NoMinimum,
    /// The iteration or update limit is reached.
    IterationLimit,
    /// The time limit is reached.
    TimeLimit,
    /// The observer ended the run.
    Interrupted,
    /// A value overflowed: the step length or the data are too large.
    Diverged,
}

names!(StopReason {
    Separated => "separated",
    Optimal => "optimal",
    ClosedForm => "closed-form",
    Stalled => "stalled",
    NoMinimum => "no-minimum",
    IterationLimit => "iteration-limit",
    TimeLimit => "time-limit",
    Interrupted => "interrupted",
    Diverged => "diverged",
});

impl StopReason {
    /// The meaning, for users; settings are in backticks.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Separated => "every training row is on the correct side of the hyperplane",
            Self::Optimal => "relative gap ≤ tol",
            Self::ClosedForm => "computed by a formula, exact up to rounding",
            Self::NoMinimum => {
                "the rows are separable, so the objective has no minimizer; add a penalty"
            }
            Self::Stalled => "the updates of an epoch cancel out",
            Self::IterationLimit => "`max-iter` reached",
            Self::TimeLimit => "`timeout` reached",
            Self::Interrupted => "interrupted by the user",
            Self::Diverged => "the step length was too large; reduce `eta` or standardize the data",
        }
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Epochs (passes over the data); 0 only evaluates the starting point.
    pub epochs: u64,
    /// Updates, for row-by-row solvers.
    pub updates: u64,
}

impl Budget {
    /// At most `epochs` epochs, and any number of updates.
    pub fn epochs(epochs: u64) -> Self {
        Self { epochs, updates: u64::MAX }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::epochs(1_000)
    }
}

/// State of a run at the end of an epoch.
#[derive(Clone, Copy, Debug)]
pub struct Epoch {
    /// Completed epochs; 0 is the starting point.
    pub epoch: u64,
    /// Epoch limit.
    pub of: u64,
    /// The value that the run minimizes.
    pub standing: EpochMetric,
}

/// The progress measure of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EpochMetric {
    /// Total sample weight of the misclassified rows; their number if all sample weights are 1.
    Mistakes(f64),
    /// The objective, and its relative duality gap, if known.
    Objective {
        /// F.
        value: f64,
        /// Relative duality gap.
        relative_gap: Option<f64>,
    },
}

/// One step of a run, for observers with [`Observer::wants_steps`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Record {
    /// A step of a batch solver, which evaluates all rows.
    Batch {
        /// Steps taken before this one.
        step: u64,
        /// The hyperplane that was evaluated.
        hyperplane: Hyperplane,
        /// zᵢ of every row.
        #[serde(with = "crate::float")]
        scores: Vec<f64>,
        /// Misclassified rows, counted from 0.
        mistakes: Vec<usize>,
        /// Value of the objective.
        #[serde(with = "crate::float")]
        criterion: f64,
    },
    /// One row of a row-by-row solver.
    Row {
        /// Epoch, from 0.
        epoch: u64,
        /// The row, counted from 0.
        row: usize,
        /// Its score before the update.
        #[serde(with = "crate::float")]
        z: f64,
        /// Predicted side: −1, +1, or 0 for a row on the hyperplane that counts as misclassified.
        predicted: i8,
        /// True side: −1 or +1.
        target: i8,
        /// Whether there was an update.
        updated: bool,
        /// The hyperplane after the update.
        hyperplane: Hyperplane,
    },
    /// One row of a multiclass row-by-row solver.
    Scores {
        /// Epoch, from 0.
        epoch: u64,
        /// The row, counted from 0.
        row: usize,
        /// Its score for every class, before the update.
        #[serde(with = "crate::float")]
        scores: Vec<f64>,
        /// The class with the largest score, if it is unique.
        winner: Option<usize>,
        /// The true class.
        target: usize,
        /// Whether there was an update.
        updated: bool,
        /// The hyperplanes after the update.
        hyperplanes: Vec<Hyperplane>,
    },
}

/// A phase of a job, by what remains of it if it ends early.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Phase {
    /// Nothing: the job fails if its token is set.
    Whole,
    /// The best result so far. The phase ends early on request, and after so many seconds, if
    /// given.
    Partial(Option<f64>),
}

/// Observer of a run: receives its progress, and can end it.
pub trait Observer: Send {
    /// Receives the state at the end of an epoch; `false` ends the run.
    fn epoch(&mut self, _now: &Epoch) -> bool {
        true
    }

    /// The token that inner loops read between epochs. Wrappers return the token of the wrapped
    /// observer.
    fn cancel(&self) -> Cancel {
        Cancel::default()
    }

    /// The token of the next of `left` parts of the work that have not started, of which `lanes`
    /// run concurrently. A time limit gives each part an equal share of the remaining time.
    /// Wrappers forward the call.
    fn share(&mut self, _left: usize, _lanes: usize) -> Cancel {
        self.cancel()
    }

    /// The stop reason, after the observer ended the run.
    fn stop_reason(&self) -> StopReason {
        self.cancel().reason().unwrap_or(StopReason::Interrupted)
    }

    /// Marks the start of training of hyperplane `j` of `of`. If several are trained concurrently,
    /// this call and the following ones concern the first unfinished one.
    fn hyperplane(&mut self, _j: usize, _of: usize) {}

    /// Begins a phase of a job, with a token of its own: the time limit of the previous one ends.
    fn phase(&mut self, _phase: Phase) {}

    /// Marks the start of a named stage of longer work, of so many steps, if their number is known.
    fn stage(&mut self, _name: &str, _steps: Option<usize>) {}

    /// Receives the number of finished steps of the stage: of rows, if their number is unknown.
    fn done(&mut self, _steps: usize) {}

    /// Receives a note for the user.
    fn note(&mut self, _note: &Note) {}

    /// Whether [`step`](Self::step) is called. It costs time, so the default is `false`.
    fn wants_steps(&self) -> bool {
        false
    }

    /// Receives a step, if [`wants_steps`](Self::wants_steps). The record copies what it shows, so
    /// it is made only on request.
    fn step(&mut self, _record: &dyn Fn() -> Record) {}
}

/// The observer that does nothing.
impl Observer for () {}

/// An observer that records steps up to a limit, then ends the run.
#[derive(Clone, Debug)]
pub struct Trace {
    records: Vec<Record>,
    limit: usize,
    cut: bool,
}

impl Trace {
    /// Creates a trace of at most `limit` steps.
    pub fn new(limit: usize) -> Self {
        Self { records: Vec::new(), limit, cut: false }
    }

    /// The steps, in order.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The steps, in order, without a copy.
    pub fn into_records(self) -> Vec<Record> {
        self.records
    }

    /// Whether there were more steps than the limit.
    pub fn is_truncated(&self) -> bool {
        self.cut
    }
}

impl Observer for Trace {
    fn epoch(&mut self, _now: &Epoch) -> bool {
        !self.cut
    }

    fn wants_steps(&self) -> bool {
        true
    }

    fn step(&mut self, record: &dyn Fn() -> Record) {
        if self.records.len() == self.limit {
            self.cut = true;
        } else {
            self.records.push(record());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_ends_the_run_at_its_limit() {
        let step = || Record::Row {
            epoch: 0,
            row: 0,
            z: 0.0,
            predicted: 0,
            target: 1,
            updated: false,
            hyperplane: Hyperplane::zero(1),
        };
        let mut trace = Trace::new(2);
        let now = Epoch { epoch: 1, of: 9, standing: EpochMetric::Mistakes(0.0) };
        trace.step(&step);
        trace.step(&step);
        assert!(trace.epoch(&now), "two steps fit");
        trace.step(&step);
        assert_eq!(trace.records().len(), 2);
        assert!(trace.is_truncated() && !trace.epoch(&now), "the third does not");
    }

    #[test]
    fn names_are_unique() {
        let mut names = StopReason::ALL.map(StopReason::name).to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), StopReason::ALL.len());
    }
}
