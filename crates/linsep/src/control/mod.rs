//! Why a run ended, how long it may last, and who looks on.
//!
//! A solver never prints and never reads a clock. Once per epoch it tells a [`Watch`] where it
//! stands and goes on unless the watcher says no. A watcher that
//! [`wants_steps`](Watch::wants_steps) is told of every single correction as well; [`Trace`] is one,
//! and writes them down as the lectures' tables have them.
//!
//! Time limits and Ctrl-C do not wait for the end of an epoch: another thread sets a [`Cancel`] token, which
//! inner loops read.

mod cancel;

pub use cancel::{Cancel, Part};

use crate::data::Plane;
use std::fmt;

/// Why a run ended. Not reaching an optimum is a reason, not an error: the best plane found
/// comes back with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Stop {
    /// No row is on the wrong side: nothing is left to correct.
    Separated,
    /// The plane is proved to be as near to the optimum as was asked for.
    Optimal,
    /// The answer is a formula: there was nothing to wait for.
    Computed,
    /// The corrections cancel, or no step lowers the criterion: the run would stay here forever, or
    /// go round in a circle.
    Stationary,
    /// The criterion has no minimum: it falls for ever as the weights grow.
    Unbounded,
    /// The budget is spent.
    Budget,
    /// The time that was allowed is used up.
    Time,
    /// The watcher asked to stop.
    Asked,
    /// The numbers left the range of doubles: the step length or the data are too large.
    Diverged,
}

impl Stop {
    /// Every reason, from the best to the worst news.
    pub const ALL: [Self; 9] = [
        Self::Separated,
        Self::Optimal,
        Self::Computed,
        Self::Stationary,
        Self::Unbounded,
        Self::Budget,
        Self::Time,
        Self::Asked,
        Self::Diverged,
    ];

    /// The name used in every face.
    pub fn name(self) -> &'static str {
        match self {
            Self::Separated => "separated",
            Self::Optimal => "optimal",
            Self::Computed => "closed-form",
            Self::Stationary => "stalled",
            Self::Unbounded => "no-minimum",
            Self::Budget => "iteration-limit",
            Self::Time => "time-limit",
            Self::Asked => "interrupted",
            Self::Diverged => "diverged",
        }
    }

    /// What it means, in words for a person.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Separated => "every training row is on its own side of the plane",
            Self::Optimal => "relative gap ≤ tol",
            Self::Computed => "the answer is a formula, exact up to rounding",
            Self::Unbounded => {
                "the rows can be separated, so the criterion falls for ever as the weights grow; add a penalty"
            }
            Self::Stationary => "the corrections cancel out, so going on would change nothing",
            Self::Budget => "the allowed epochs were used up",
            Self::Time => "the time that was allowed is used up",
            Self::Asked => "stopped on request",
            Self::Diverged => {
                "the steps were too large, so that the numbers overflowed; take a smaller step length or scale the data"
            }
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How long a run may last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Passes over the data; 0 only scores the start.
    pub epochs: u64,
    /// Corrections, for solvers that correct row by row.
    pub updates: u64,
}

impl Budget {
    /// So many epochs, and as many corrections as they need.
    pub fn epochs(epochs: u64) -> Self {
        Self { epochs, updates: u64::MAX }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::epochs(1_000)
    }
}

/// Where a run stands at the end of an epoch.
#[derive(Clone, Copy, Debug)]
pub struct Epoch {
    /// Epochs done, from 0 (the start) on.
    pub epoch: u64,
    /// Epochs allowed.
    pub of: u64,
    /// How good the plane is.
    pub standing: Standing,
}

/// What a run goes by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Standing {
    /// Weight of the rows on the wrong side; their number where all weights are 1.
    Mistakes(f64),
    /// The value of the criterion, and how far below it the optimum can be as a share of it, where
    /// that is known.
    Criterion {
        /// F.
        value: f64,
        /// Relative duality gap.
        relative_gap: Option<f64>,
    },
}

/// One step of a run, as it is seen by a watcher that wants steps.
#[derive(Clone, Copy, Debug)]
pub enum Step<'a> {
    /// A batch method looked at all rows.
    Batch {
        /// Steps taken so far.
        step: u64,
        /// The plane that was looked at.
        plane: &'a Plane,
        /// zᵢ of every row.
        scores: &'a [f64],
        /// Rows on the wrong side, counted from 0.
        mistakes: &'a [usize],
        /// Value of the criterion.
        criterion: f64,
    },
    /// A row-by-row method looked at one row.
    Row {
        /// Pass over the data, from 0.
        epoch: u64,
        /// The row, counted from 0.
        row: usize,
        /// Its score before any correction.
        z: f64,
        /// The side the plane puts it on: −1, +1, or 0 for on the plane where that is a mistake.
        predicted: i8,
        /// The side it belongs to: −1 or +1.
        target: i8,
        /// Whether the plane was corrected.
        updated: bool,
        /// The plane after the correction.
        plane: &'a Plane,
    },
    /// A row-by-row method for many classes looked at one row.
    Scores {
        /// Pass over the data, from 0.
        epoch: u64,
        /// The row, counted from 0.
        row: usize,
        /// Its score for every class, before any correction.
        scores: &'a [f64],
        /// The class whose score is the largest, if there is only one.
        winner: Option<usize>,
        /// The class it belongs to.
        target: usize,
        /// Whether planes were corrected.
        updated: bool,
        /// The planes after the correction.
        planes: &'a [Plane],
    },
}

/// Looks on while a solver runs.
pub trait Watch: Send {
    /// Told once per epoch; `false` asks the run to stop.
    fn epoch(&mut self, _now: &Epoch) -> bool {
        true
    }

    /// The token that inner loops read between epochs. Wrappers pass on that of what they wrap.
    fn cancel(&self) -> Cancel {
        Cancel::default()
    }

    /// The token of the next of `left` parts of the work that are not begun, of which `lanes` run
    /// side by side. A time limit gives each part an equal share of the time that remains. Wrappers
    /// pass the call on.
    fn share(&mut self, _left: usize, _lanes: usize) -> Cancel {
        self.cancel()
    }

    /// Why it asked to stop, once it has.
    fn why(&self) -> Stop {
        self.cancel().reason().unwrap_or(Stop::Asked)
    }

    /// Told when the j-th of `of` planes begins. Where several are trained side by side, this and what follows is about
    /// the first of those that are not done.
    fn plane(&mut self, _j: usize, _of: usize) {}

    /// Told when a part of longer work begins, by its name.
    fn stage(&mut self, _name: &str) {}

    /// Whether [`step`](Self::step) is to be called; costs time, so it is off unless asked for.
    fn wants_steps(&self) -> bool {
        false
    }

    /// Told of every step, if wanted.
    fn step(&mut self, _step: &Step<'_>) {}
}

/// Nobody looks on.
impl Watch for () {}

/// A step that was written down: the owned form of [`Step`].
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the fields are those of `Step`
pub enum Record {
    Batch {
        step: u64,
        plane: Plane,
        scores: Vec<f64>,
        mistakes: Vec<usize>,
        criterion: f64,
    },
    Row {
        epoch: u64,
        row: usize,
        z: f64,
        predicted: i8,
        target: i8,
        updated: bool,
        plane: Plane,
    },
    Scores {
        epoch: u64,
        row: usize,
        scores: Vec<f64>,
        winner: Option<usize>,
        target: usize,
        updated: bool,
        planes: Vec<Plane>,
    },
}

/// Writes down every step, up to a limit; then asks the run to stop.
#[derive(Clone, Debug)]
pub struct Trace {
    records: Vec<Record>,
    limit: usize,
    cut: bool,
}

impl Trace {
    /// A trace of at most `limit` steps.
    pub fn new(limit: usize) -> Self {
        Self { records: Vec::new(), limit, cut: false }
    }

    /// The steps, in order.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Whether there were more steps than the limit allowed.
    pub fn was_cut(&self) -> bool {
        self.cut
    }
}

impl Watch for Trace {
    fn epoch(&mut self, _now: &Epoch) -> bool {
        !self.cut
    }

    fn wants_steps(&self) -> bool {
        true
    }

    fn step(&mut self, step: &Step<'_>) {
        if self.records.len() == self.limit {
            self.cut = true;
            return;
        }
        self.records.push(match *step {
            Step::Batch { step, plane, scores, mistakes, criterion } => Record::Batch {
                step,
                plane: plane.clone(),
                scores: scores.to_vec(),
                mistakes: mistakes.to_vec(),
                criterion,
            },
            Step::Row { epoch, row, z, predicted, target, updated, plane } => {
                Record::Row { epoch, row, z, predicted, target, updated, plane: plane.clone() }
            }
            Step::Scores { epoch, row, scores, winner, target, updated, planes } => {
                let (scores, planes) = (scores.to_vec(), planes.to_vec());
                Record::Scores { epoch, row, scores, winner, target, updated, planes }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_trace_stops_at_its_limit() {
        let plane = Plane::zero(1);
        let step = Step::Row {
            epoch: 0,
            row: 0,
            z: 0.0,
            predicted: 0,
            target: 1,
            updated: false,
            plane: &plane,
        };
        let mut trace = Trace::new(2);
        let now = Epoch { epoch: 1, of: 9, standing: Standing::Mistakes(0.0) };
        trace.step(&step);
        trace.step(&step);
        assert!(trace.epoch(&now), "two steps fit");
        trace.step(&step);
        assert_eq!(trace.records().len(), 2);
        assert!(trace.was_cut() && !trace.epoch(&now), "the third does not");
    }

    #[test]
    fn names_are_unique() {
        let mut names = Stop::ALL.map(Stop::name).to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Stop::ALL.len());
    }
}
