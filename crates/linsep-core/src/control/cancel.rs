//! Cancellation tokens, and observers of parts of a run.
//!
//! A timer or a signal handler sets a [`Cancel`] token, which inner loops read: one relaxed load. A
//! token has two levels. Once it [is set](Cancel::is_set), training ends with the best result so
//! far. Once it [is over](Cancel::is_certification_canceled), certification of that result ends as
//! well. A pass over the rows that ends early leaves a partial sum: its caller reads the token and
//! discards the sum.

use super::{Epoch, Note, Observer, Record, StopReason};
use crate::error::Error;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// A request to end early, shared between threads. Clones share one state.
///
/// An inner loop that reads a set token returns as soon as it has a valid result: the best
/// hyperplane so far, or "undecided". No computed value may depend on a token in any other way.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<Token>);

#[derive(Debug, Default)]
struct Token {
    reason: AtomicU8,
    over: AtomicBool,
    /// The token of the whole run, if this token belongs to a part of it.
    whole: Option<Cancel>,
}

impl Cancel {
    const TIME: u8 = 1;
    const ASKED: u8 = 2;

    /// Creates a token for a part of the run. Canceling the run cancels the part; canceling the
    /// part does not cancel the run.
    pub fn part(&self) -> Self {
        Self(Arc::new(Token { whole: Some(self.clone()), ..Token::default() }))
    }

    /// Requests the end at the time limit. The first request determines the reason.
    pub fn time_out(&self) {
        self.set(Self::TIME);
    }

    /// Requests the end on behalf of the user. The first request determines the reason.
    pub fn interrupt(&self) {
        self.set(Self::ASKED);
    }

    /// Requests the end of the certification of the best result as well.
    pub fn cancel_certification(&self) {
        self.time_out();
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

    /// Whether the end of certification was requested as well.
    pub fn is_certification_canceled(&self) -> bool {
        let token = &*self.0;
        token.over.load(Ordering::Relaxed)
            || token.whole.as_ref().is_some_and(Self::is_certification_canceled)
    }

    /// The reason of the request, if there was one.
    pub fn reason(&self) -> Option<StopReason> {
        match self.0.reason.load(Ordering::Relaxed) {
            Self::TIME => Some(StopReason::TimeLimit),
            Self::ASKED => Some(StopReason::Interrupted),
            _ => self.0.whole.as_ref().and_then(Self::reason),
        }
    }

    /// Returns an error if the token is set, for work that has no partial result to return.
    pub fn check(&self, what: &'static str) -> Result<(), Error> {
        match self.reason() {
            None => Ok(()),
            Some(why) => Err(Error::Ended { what, time: why == StopReason::TimeLimit }),
        }
    }

    /// Runs `work`, and returns its result, or `None` as soon as the token is set. This is for
    /// uninterruptible calls, such as a large factorization: `work` continues in the caller's pool,
    /// and its result is dropped.
    pub(crate) fn wait<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        // A pool thread cannot wait for its own work, and a token without clones is never set.
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
/// Ends the run once the token is set.
impl Observer for Cancel {
    fn epoch(&mut self, _now: &Epoch) -> bool {
        !self.is_set()
    }

    fn cancel(&self) -> Cancel {
        self.clone()
    }
}

/// An observer of one part of a longer run. It ends the part when its share of the time is used up.
pub struct PartObserver<'a> {
    watch: &'a mut dyn Observer,
    cancel: Cancel,
    left: usize,
    later: usize,
    stopped: bool,
}

impl<'a> PartObserver<'a> {
    /// The next of `left` remaining parts of equal share, this one included.
    pub fn new(watch: &'a mut dyn Observer, left: usize) -> Self {
        let cancel = watch.share(left, 1);
        Self { watch, cancel, left, later: 0, stopped: false }
    }

    /// A part that ends with the whole, and whose own parts leave an equal share of the time to
    /// each of `later` parts.
    pub fn before(watch: &'a mut dyn Observer, later: usize) -> Self {
        let cancel = watch.cancel();
        Self { watch, cancel, left: 1, later, stopped: false }
    }

    /// Whether the watcher of the whole requested the end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped
    }
}

impl Observer for PartObserver<'_> {
    fn epoch(&mut self, now: &Epoch) -> bool {
        self.stopped |= !self.watch.epoch(now);
        !self.stopped && !self.cancel.is_set()
    }

    fn cancel(&self) -> Cancel {
        self.cancel.clone()
    }

    fn share(&mut self, left: usize, lanes: usize) -> Cancel {
        self.watch.share(left * self.left + self.later, lanes)
    }

    fn hyperplane(&mut self, j: usize, of: usize) {
        self.watch.hyperplane(j, of);
    }

    fn stage(&mut self, name: &str, steps: Option<usize>) {
        self.watch.stage(name, steps);
    }

    fn done(&mut self, steps: usize) {
        self.watch.done(steps);
    }

    fn note(&mut self, note: &Note) {
        self.watch.note(note);
    }

    fn wants_steps(&self) -> bool {
        self.watch.wants_steps()
    }

    fn step(&mut self, record: &dyn Fn() -> Record) {
        self.watch.step(record);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_request_determines_the_reason() {
        let token = Cancel::default();
        let clone = token.clone();
        assert_eq!((token.is_set(), token.reason()), (false, None));
        clone.time_out();
        clone.interrupt();
        assert_eq!((token.is_set(), token.reason()), (true, Some(StopReason::TimeLimit)));
    }

    #[test]
    fn canceling_the_whole_cancels_its_parts_only_in_that_direction() {
        let whole = Cancel::default();
        let (first, second) = (whole.part(), whole.part());
        first.cancel_certification();
        assert!(
            first.is_set()
                && first.is_certification_canceled()
                && !whole.is_set()
                && !second.is_set()
        );
        whole.interrupt();
        assert_eq!(
            (first.reason(), second.reason()),
            (Some(StopReason::TimeLimit), Some(StopReason::Interrupted))
        );
        assert!(second.is_set() && !second.is_certification_canceled());
        whole.cancel_certification();
        assert!(second.is_certification_canceled());
        assert_eq!(second.reason(), Some(StopReason::Interrupted), "the first request counts");
    }

    #[test]
    fn wait_returns_none_once_the_token_is_set() {
        let token = Cancel::default();
        let (other, (go, wait)) = (token.clone(), mpsc::channel::<()>());
        assert_eq!(token.wait(|| 1), Some(1));
        other.interrupt();
        assert_eq!(token.wait(move || wait.recv().is_ok()), None, "the work has not ended");
        drop(go);
    }
}
