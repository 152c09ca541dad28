//! How two threads meet, what they say to each other, and how they part.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// So many looks at what the other says before the processor is offered to somebody else.
const PATIENCE: u32 = 2000;

/// The first walks alone.
pub(super) const ALONE: u8 = 0;
/// A second thread is there and waits.
pub(super) const READY: u8 = 1;
/// Both walk.
pub(super) const TOGETHER: u8 = 2;
/// The second has given back its weights.
pub(super) const RETURNED: u8 = 3;
/// One of them is gone: at the end, or for a panic.
const OVER: u8 = 4;

/// What the second thread is given, and gives back.
pub(super) struct Hand<'w, D> {
    pub w: &'w mut [f64],
    pub decide: D,
    pub from: usize,
}

/// All that two threads share.
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

    /// The first gives the second its half.
    pub(super) fn give(&self, half: Hand<'w, D>) {
        let mut hand = self.hand();
        *hand = Some(half);
        self.state.store(TOGETHER, Ordering::Release);
        self.handed.notify_one();
    }

    /// The second waits for its half: asleep, for it may be on the first's own processor, and would keep it from coming to that. `None`: the first has ended alone.
    pub(super) fn take(&self) -> Option<Hand<'w, D>> {
        let waits = |_: &mut Option<_>| self.state.load(Ordering::Acquire) == READY;
        let hand = self.handed.wait_while(self.hand(), waits);
        hand.unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The second gives it back.
    pub(super) fn give_back(&self, half: Hand<'w, D>) {
        *self.hand() = Some(half);
        self.state.store(RETURNED, Ordering::Release);
    }

    fn hand(&self) -> MutexGuard<'_, Option<Hand<'w, D>>> {
        self.hand.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first waits until it has.
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

    /// Whoever leaves, also by a panic, lets the other know.
    pub(super) fn leave(&self) {
        let hand = self.hand(); // so that the other is not between looking and falling asleep
        self.state.store(OVER, Ordering::Release);
        self.handed.notify_one();
        drop(hand);
    }
}

/// The other thread is gone.
#[derive(Debug)]
pub(super) struct Lost;

/// Leaves when it is dropped.
pub(super) struct Guard<'a, 'w, D>(pub &'a Link<'w, D>);

impl<D> Drop for Guard<'_, '_, D> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

/// What one says and the other hears, in messages that both number alike: a row's half of z, and those of up to A rows after it, which may have to be
/// said again.
///
/// A message is written over the one [`PLACES`] before it, so the other must have heard that, or never want to. Who is at row q has heard of row q − 1.
/// The other told that when it was at row q − 1 − A at the earliest, and after the last row before q − 1 that was added: so it has heard what was told before
/// that row, and no row from there to q − 2 was added. It may still have to hear of rows q − 1 − A to q − 1, that is A + 1 messages; of row q − 1, were it added, came
/// A more that are void by now; and rows q to q + A are told at most: 3A + 2 in all.
#[derive(Default)]
pub(super) struct Voice([Said; PLACES]);

const PLACES: usize = 16;

/// The most rows that may be told ahead.
pub(super) const MOST_AHEAD: usize = (PLACES - 2) / 3;

/// A message: a cache line of its own, and its neighbour, which is fetched with it.
#[derive(Default)]
#[repr(align(128))]
struct Said {
    /// Its number, counted from 1.
    number: AtomicU64,
    /// The bits of half of z.
    z: AtomicU64,
    /// Whether the two part after this row.
    part: AtomicBool,
}

/// What one has said.
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

    /// What was told in a message, and whether the two part after it.
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

/// Waits a moment; after many of them offers the processor to somebody else, and says no.
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
