//! Synchronization of the two threads of a sweep: start, messages, and end.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Spin iterations before the thread yields the processor.
const PATIENCE: u32 = 2000;

/// The first thread sweeps alone.
pub(super) const ALONE: u8 = 0;
/// The second thread has started and waits.
pub(super) const READY: u8 = 1;
/// Both threads sweep.
pub(super) const TOGETHER: u8 = 2;
/// The second thread has returned its coefficients.
pub(super) const RETURNED: u8 = 3;
/// One of the threads has ended, regularly or by a panic.
const OVER: u8 = 4;

/// The data that the second thread receives and returns.
pub(super) struct Hand<'w, D> {
    pub w: &'w mut [f64],
    pub decide: D,
    pub from: usize,
}

/// The state shared by the two threads.
pub(super) struct Link<'w, D> {
    pub state: AtomicU8,
    hand: Mutex<Option<Hand<'w, D>>>,
    handed: Condvar,
    pub first: Voice,
    pub second: Voice,
}

impl<'w, D> Link<'w, D> {
    pub(super) fn new() -> Self {
        let (state, hand, handed) = (AtomicU8::new(ALONE), Mutex::new(None), Condvar::new());
        Self { state, hand, handed, first: Voice::default(), second: Voice::default() }
    }

    /// Hands the second half of the coefficients to the second thread.
    pub(super) fn give(&self, half: Hand<'w, D>) {
        let mut hand = self.hand();
        *hand = Some(half);
        self.state.store(TOGETHER, Ordering::Release);
        self.handed.notify_one();
    }

    /// Waits for the second half of the coefficients. The second thread sleeps, because it may run
    /// on the processor of the first and would block it. `None` if the first thread has ended
    /// alone.
    pub(super) fn take(&self) -> Option<Hand<'w, D>> {
        let waits = |_: &mut Option<_>| self.state.load(Ordering::Acquire) == READY;
        let hand = self.handed.wait_while(self.hand(), waits);
        hand.unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Returns the coefficients to the first thread.
    pub(super) fn give_back(&self, half: Hand<'w, D>) {
        *self.hand() = Some(half);
        self.state.store(RETURNED, Ordering::Release);
    }

    fn hand(&self) -> MutexGuard<'_, Option<Hand<'w, D>>> {
        self.hand.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the second thread has returned the coefficients.
    pub(super) fn take_back(&self) -> Result<Hand<'w, D>, Lost> {
        let mut looks = 0;
        loop {
            match self.state.load(Ordering::Acquire) {
                TOGETHER => _ = look_again(&mut looks),
                RETURNED => return self.hand().take().ok_or(Lost),
                _ => return Err(Lost),
            }
        }
    }

    /// Signals the end of a thread, also after a panic.
    pub(super) fn leave(&self) {
        let hand = self.hand(); // the lock rules out a lost wake-up
        self.state.store(OVER, Ordering::Release);
        self.handed.notify_one();
        drop(hand);
    }
}

/// The other thread has ended.
#[derive(Debug)]
pub(super) struct Lost;

/// Calls [`Link::leave`] when dropped.
pub(super) struct Guard<'a, 'w, D>(pub &'a Link<'w, D>);

impl<D> Drop for Guard<'_, '_, D> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

/// Ring of numbered messages from one thread to its partner: the partial score of a row, and
/// speculative partial scores of up to A later rows, resent if the row updates w.
///
/// A message overwrites the one [`PLACES`] before it, so the partner must have read that one or
/// must never need it. **Proof.** A thread at row q has read the message of row q − 1. The partner
/// sent that message at row q − 1 − A at the earliest, and after the last row before q − 1 with an
/// update. It had then read all messages sent before that row, and no row from there to q − 2 has
/// an update. It may still have to read the messages of rows q − 1 − A to q − 1, which are A + 1.
/// If row q − 1 has an update, A more messages followed it, which are void now. Rows q to q + A
/// have at most A + 1 messages. The sum is 3A + 2.
#[derive(Default)]
pub(super) struct Voice([Said; PLACES]);

const PLACES: usize = 16;

/// The largest number of speculative rows.
pub(super) const MOST_AHEAD: usize = (PLACES - 2) / 3;

/// A message. It fills its own cache line and the adjacent one, which processors prefetch in pairs.
#[derive(Default)]
#[repr(align(128))]
struct Said {
    /// Number of the message, counted from 1.
    number: AtomicU64,
    /// The bits of the partial score.
    z: AtomicU64,
    /// Whether two-threaded processing ends after this row.
    part: AtomicBool,
}

/// A sent message.
pub(super) struct Told {
    pub number: u64,
    pub z: f64,
    pub part: bool,
}

impl Voice {
    #[inline]
    pub(super) fn tell(&self, number: u64, z: f64, part: bool) -> Told {
        let said = self.place(number);
        said.z.store(z.to_bits(), Ordering::Relaxed);
        said.part.store(part, Ordering::Relaxed);
        said.number.store(number, Ordering::Release);
        Told { number, z, part }
    }

    /// Waits for a message; returns its partial score, and whether two-threaded processing ends
    /// after this row.
    #[inline]
    pub(super) fn hear(&self, number: u64, state: &AtomicU8) -> Result<(f64, bool), Lost> {
        let said = self.place(number);
        let mut looks = 0;
        while said.number.load(Ordering::Acquire) != number {
            if !look_again(&mut looks) && state.load(Ordering::Acquire) == OVER {
                return Err(Lost);
            }
        }
        let z = f64::from_bits(said.z.load(Ordering::Relaxed));
        Ok((z, said.part.load(Ordering::Relaxed)))
    }

    #[inline]
    fn place(&self, number: u64) -> &Said {
        &self.0[number as usize % PLACES]
    }
}

/// Spins once. After [`PATIENCE`] calls it yields the processor instead, and returns `false`.
#[inline]
fn look_again(looks: &mut u32) -> bool {
    *looks += 1;
    if *looks <= PATIENCE {
        std::hint::spin_loop();
        return true;
    }
    std::thread::yield_now();
    false
}
