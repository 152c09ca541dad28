//! Why a run ended, how long it may last, and who looks on.
//!
//! A solver never prints and never reads a clock. Once per epoch it tells a [`Watch`] where it
//! stands and goes on unless the watcher says no. A watcher that
//! [`wants_steps`](Watch::wants_steps) is told of every single correction as well; [`Trace`] is one,
//! and writes them down as the lectures' tables have them.
//!
//! Time limits and Ctrl-C do not wait for the end of an epoch: another thread (a timer, a signal
//! handler) sets a [`Cancel`] token, which inner loops read. Reading it costs one relaxed load.
//! A token has two levels. Once it [is set](Cancel::is_set), training ends with the best result so
//! far. Once it [is over](Cancel::is_over), certification of that result ends as well. A pass that
//! ends early leaves a part of a sum: its caller reads the token and discards the sum.

use crate::data::Plane;
use crate::error::Error;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

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
            Self::Computed => "computed",
            Self::Stationary => "stationary",
            Self::Unbounded => "unbounded",
            Self::Budget => "budget",
            Self::Time => "time",
            Self::Asked => "asked",
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

/// A request to end early, shared between threads. Clones are the same token.
///
/// An inner loop that sees it set ends as soon as it has something valid to return: the best
/// hyperplane so far, or "undecided". Nothing that is computed may depend on a token in any other
/// way.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<Token>);

#[derive(Debug, Default)]
struct Token {
    reason: AtomicU8,
    over: AtomicBool,
    /// The token of the work that this one is for a part of.
    whole: Option<Cancel>,
}

impl Cancel {
    const TIME: u8 = 1;
    const ASKED: u8 = 2;

    /// A token for a part of the work. The part ends with the whole, and the whole goes on without
    /// the part.
    pub fn part(&self) -> Self {
        Self(Arc::new(Token { whole: Some(self.clone()), ..Token::default() }))
    }

    /// Requests the end because the time limit is reached. The first request counts.
    pub fn time_is_up(&self) {
        self.set(Self::TIME);
    }

    /// Requests the end because the user interrupted the run. The first request counts.
    pub fn interrupt(&self) {
        self.set(Self::ASKED);
    }

    /// Requests that even the certification of the best result ends.
    pub fn give_up(&self) {
        self.time_is_up();
        self.0.over.store(true, Ordering::Relaxed);
    }

    fn set(&self, why: u8) {
        let _ = self.0.reason.compare_exchange(0, why, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Whether the end was requested.
    pub fn is_set(&self) -> bool {
        let token = &*self.0;
        token.reason.load(Ordering::Relaxed) != 0 || token.whole.as_ref().is_some_and(Self::is_set)
    }

    /// Whether certification is to end as well.
    pub fn is_over(&self) -> bool {
        let token = &*self.0;
        token.over.load(Ordering::Relaxed) || token.whole.as_ref().is_some_and(Self::is_over)
    }

    /// Why the end was requested, if it was.
    pub fn reason(&self) -> Option<Stop> {
        match self.0.reason.load(Ordering::Relaxed) {
            Self::TIME => Some(Stop::Time),
            Self::ASKED => Some(Stop::Asked),
            _ => self.0.whole.as_ref().and_then(Self::reason),
        }
    }

    /// Refuses to go on with the result of work that the token may have ended early, and that has no part of a
    /// result to return.
    pub fn check(&self, what: &'static str) -> Result<(), Error> {
        match self.reason() {
            None => Ok(()),
            Some(why) => Err(Error::Ended { what, time: why == Stop::Time }),
        }
    }

    /// What `work` returns, or `None` as soon as the token is set: for a large factorization, which nothing can
    /// interrupt. It goes on in the caller's pool, and its result is dropped.
    pub(crate) fn wait<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        // A thread of the pool cannot wait for its own work, and a token without clones is never set.
        if rayon::current_thread_index().is_some() || Arc::strong_count(&self.0) == 1 {
            return Some(work());
        }
        let (done, result) = mpsc::channel();
        rayon::spawn(move || {
            // The caller may have stopped waiting.
            let _ = done.send(work());
        });
        loop {
            match result.recv_timeout(Duration::from_millis(5)) {
                Ok(found) => return Some(found),
                Err(RecvTimeoutError::Timeout) if !self.is_set() => {}
                Err(_) => return None,
            }
        }
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

/// A token alone ends a run when it is set.
impl Watch for Cancel {
    fn epoch(&mut self, _now: &Epoch) -> bool {
        !self.is_set()
    }

    fn cancel(&self) -> Cancel {
        self.clone()
    }
}

/// A watcher of the next part of longer work: it ends the part when its share of the time is used up.
pub struct Part<'a> {
    watch: &'a mut dyn Watch,
    cancel: Cancel,
    left: usize,
}

impl<'a> Part<'a> {
    /// Of so many equal parts that are left, this one included.
    pub fn new(watch: &'a mut dyn Watch, left: usize) -> Self {
        let cancel = watch.share(left, 1);
        Self { watch, cancel, left }
    }
}

impl Watch for Part<'_> {
    fn epoch(&mut self, now: &Epoch) -> bool {
        self.watch.epoch(now) && !self.cancel.is_set()
    }

    fn cancel(&self) -> Cancel {
        self.cancel.clone()
    }

    fn share(&mut self, left: usize, lanes: usize) -> Cancel {
        self.watch.share(left * self.left, lanes)
    }

    fn plane(&mut self, j: usize, of: usize) {
        self.watch.plane(j, of);
    }

    fn stage(&mut self, name: &str) {
        self.watch.stage(name);
    }

    fn wants_steps(&self) -> bool {
        self.watch.wants_steps()
    }

    fn step(&mut self, step: &Step<'_>) {
        self.watch.step(step);
    }
}

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
    fn the_first_request_to_cancel_counts() {
        let token = Cancel::default();
        let clone = token.clone();
        assert_eq!((token.is_set(), token.reason()), (false, None));
        clone.time_is_up();
        clone.interrupt();
        assert_eq!((token.is_set(), token.reason()), (true, Some(Stop::Time)));
    }

    #[test]
    fn a_part_ends_with_the_whole_and_not_the_other_way_round() {
        let whole = Cancel::default();
        let (first, second) = (whole.part(), whole.part());
        first.give_up();
        assert!(first.is_set() && first.is_over() && !whole.is_set() && !second.is_set());
        whole.interrupt();
        assert_eq!((first.reason(), second.reason()), (Some(Stop::Time), Some(Stop::Asked)));
        assert!(second.is_set() && !second.is_over());
        whole.give_up();
        assert!(second.is_over());
        assert_eq!(second.reason(), Some(Stop::Asked), "the first request counts");
    }

    #[test]
    fn nobody_waits_for_work_once_the_token_is_set() {
        let token = Cancel::default();
        let (other, (go, wait)) = (token.clone(), mpsc::channel::<()>());
        assert_eq!(token.wait(|| 1), Some(1));
        other.interrupt();
        assert_eq!(token.wait(move || wait.recv().is_ok()), None, "the work has not ended");
        drop(go);
    }

    #[test]
    fn names_are_unique() {
        let mut names = Stop::ALL.map(Stop::name).to_vec();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), Stop::ALL.len());
    }
}
