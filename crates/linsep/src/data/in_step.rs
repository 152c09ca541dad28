//! Rows one after the other, on two threads in step: each has half of the columns.
//!
//! A method that changes w after every row,
//!
//! ```text
//!   z = xᵢ·w,     c = decide(i, z),     w ← w + c xᵢ
//! ```
//!
//! cannot give some rows to a second thread: each row needs what the row before changed. But z is a sum over columns, and
//! every column of w changes by itself. So the columns are cut in two ([`Halves::cut`]), and each thread has one half of w, in
//! its own cache. Of every row each adds up its half of z and tells the other; then both know z, and both decide. To decide
//! twice costs less than to wait for an answer: a row takes one exchange between two caches (0.15 µs), not two. While it lasts,
//! each fetches the weights that its half of the next row needs.
//!
//! It is for one plane. With k planes at once z and c are k numbers, and w has k for every column; such a walk can be made too, but two threads
//! were no faster than one with it (`docs/speed.md`), so it is made by one. What is called a row here may as well be a column, and w a number
//! per row.
//!
//! **Same bits.** With a cut, xᵢ·w *is* the sum over the first half plus the sum over the second, on one thread as on two, and
//! two copies of a [`Decide`] that are told the same decide the same. So it does not matter when a second thread comes,
//! or whether one does at all. One comes when a thread of the pool has nothing else to do, and goes again when the first had to wait for it
//! too often, as it would where other programs want the processor.

use super::design::{Half, Halves};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Says what a row changes. Copies that are told the same scores of the same rows say the same. It must not wait for other threads of the pool:
/// the one that it waits for may be waiting for it.
pub(crate) trait Decide: Clone + Send {
    /// k: how many numbers w has for a column.
    fn planes(&self) -> usize {
        1
    }

    /// Turns the k scores z = xᵢ·w of row i into what it is to be added with.
    fn decide(&mut self, i: usize, z: &mut [f64]) -> Verdict;
}

/// What becomes of w after a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The row is added to it, by what z is now.
    Add,
    /// It stays as it is.
    Keep,
    /// The walk ends before this row.
    End,
}

/// Goes through these rows, in this order.
pub(crate) fn walk<X: Halves, D: Decide>(x: &X, rows: &[u32], w: &mut [f64], decide: &mut D) {
    let k = decide.planes();
    let walk = Walk { x, rows, k };
    let (first, second) = w.split_at_mut(x.cut().map_or(w.len(), |cut| k * cut));
    let long = k == 1 && x.mean_stored() >= LONG;
    if x.cut().is_none() || !long || rayon::current_num_threads() == 1 {
        walk.alone(0, first, second, decide, || false);
        return;
    }
    let link = Link::new();
    rayon::in_place_scope(|scope| {
        scope.spawn(|_| walk.second(&link));
        walk.first(&link, first, second, decide);
    });
}

/// Stored values of a row, in the mean, from which on an exchange costs less than it saves.
const LONG: usize = 128;

/// Rows after which one who walks alone looks whether there is a second thread.
const LOOK: usize = 16;

/// So many looks at what the other says before the processor is offered to somebody else.
const PATIENCE: u32 = 2000;

/// Rows for which that may happen before the two part.
const STALLS: u32 = 100;

/// What both know.
struct Walk<'a, X> {
    x: &'a X,
    rows: &'a [u32],
    k: usize,
}

impl<X: Halves> Walk<'_, X> {
    /// From row `from` on, until `until` says so; returns which row is next, `rows.len()` at the end.
    fn alone<D: Decide>(
        &self,
        from: usize,
        first: &mut [f64],
        second: &mut [f64],
        decide: &mut D,
        until: impl Fn() -> bool,
    ) -> usize {
        let (x, rows) = (self.x, self.rows);
        let (mut z, mut more) = (vec![0.0; self.k], vec![0.0; self.k]);
        for at in from..rows.len() {
            if at % LOOK == 0 && until() {
                return at;
            }
            if let Some(&next) = rows.get(at + 1) {
                x.fetch(next as usize);
            }
            let i = rows[at] as usize;
            x.score_half(i, Half::First, first, &mut z);
            if x.cut().is_some() {
                x.score_half(i, Half::Second, second, &mut more);
                z.iter_mut().zip(&more).for_each(|(z, more)| *z += more);
            }
            match decide.decide(i, &mut z) {
                Verdict::Add => {
                    x.add_half(i, Half::First, &z, first);
                    x.add_half(i, Half::Second, &z, second);
                }
                Verdict::Keep => {}
                Verdict::End => break,
            }
        }
        rows.len()
    }

    /// From row `from` on with half of the columns; returns which row is next.
    fn half<D: Decide>(
        &self,
        half: Half,
        from: usize,
        w: &mut [f64],
        decide: &mut D,
        link: &Link<'_, D>,
    ) -> Result<usize, Lost> {
        let (x, rows) = (self.x, self.rows);
        let (mine, other) = match half {
            Half::First => (&link.first, &link.second),
            Half::Second => (&link.second, &link.first),
        };
        let mut stalls = 0;
        for at in from..rows.len() {
            let next = rows.get(at + 1).map(|&next| next as usize);
            if let Some(next) = next {
                x.fetch_half(next, half);
            }
            let i = rows[at] as usize;
            let mut z = [0.0];
            x.score_half(i, half, w, &mut z);
            let part = half == Half::First && stalls > STALLS;
            mine.tell(at, z[0], part);
            if let Some(next) = next {
                x.fetch_weights(next, half, w);
            }
            let (others, parted) = other.hear(at, &link.state, &mut stalls)?;
            z[0] += others; // a + b = b + a, to the last bit
            match decide.decide(i, &mut z) {
                Verdict::Add => x.add_half(i, half, &z, w),
                Verdict::Keep => {}
                Verdict::End => break,
            }
            if part || parted {
                return Ok(at + 1);
            }
        }
        Ok(rows.len())
    }

    /// The thread that called: alone at first, then with the second, should it come.
    fn first<'w, D: Decide>(
        &self,
        link: &Link<'w, D>,
        first: &mut [f64],
        second: &'w mut [f64],
        decide: &mut D,
    ) {
        let guard = Guard(&link.state);
        let ready = || link.state.load(Ordering::Acquire) == READY;
        let next = self.alone(0, first, second, decide, ready);
        if next < self.rows.len() {
            *link.hand() = Some(Hand { w: second, decide: decide.clone(), from: next });
            link.state.store(TOGETHER, Ordering::Release);
            let next = self.half(Half::First, next, first, decide, link);
            let returned = next.and_then(|next| link.returned().map(|hand| (next, hand)));
            let (next, hand) = returned.expect("the second thread comes to its end");
            self.alone(next, first, hand.w, decide, || false);
        }
        drop(guard);
    }

    /// A second thread, if it comes before the first is done.
    fn second<D: Decide>(&self, link: &Link<'_, D>) {
        let comes = link.state.compare_exchange(ALONE, READY, Ordering::AcqRel, Ordering::Acquire);
        if comes.is_err() {
            return;
        }
        let guard = Guard(&link.state);
        if link.wait(READY) != TOGETHER {
            return; // the first has ended alone
        }
        let Some(mut hand) = link.hand().take() else { return };
        let done = self.half(Half::Second, hand.from, hand.w, &mut hand.decide, link);
        if done.is_ok() {
            *link.hand() = Some(hand);
            std::mem::forget(guard);
            link.state.store(RETURNED, Ordering::Release);
        }
    }
}

/// The first walks alone.
const ALONE: u8 = 0;
/// A second thread is there and waits.
const READY: u8 = 1;
/// Both walk.
const TOGETHER: u8 = 2;
/// The second has given back its weights.
const RETURNED: u8 = 3;
/// One of them is gone: at the end, or for a panic.
const OVER: u8 = 4;

/// What the second thread is given, and gives back.
struct Hand<'w, D> {
    w: &'w mut [f64],
    decide: D,
    from: usize,
}

/// All that two threads share.
struct Link<'w, D> {
    state: AtomicU8,
    hand: Mutex<Option<Hand<'w, D>>>,
    first: Voice,
    second: Voice,
}

impl<'w, D> Link<'w, D> {
    fn new() -> Self {
        let (state, hand) = (AtomicU8::new(ALONE), Mutex::new(None));
        Self { state, hand, first: Voice::default(), second: Voice::default() }
    }

    fn hand(&self) -> MutexGuard<'_, Option<Hand<'w, D>>> {
        self.hand.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the state is another, and returns it.
    fn wait(&self, state: u8) -> u8 {
        let mut looks = 0;
        loop {
            let now = self.state.load(Ordering::Acquire);
            if now != state {
                return now;
            }
            look_again(&mut looks);
        }
    }

    /// Waits until the second thread has given back what it had.
    fn returned(&self) -> Result<Hand<'w, D>, Lost> {
        if self.wait(TOGETHER) == RETURNED { self.hand().take().ok_or(Lost) } else { Err(Lost) }
    }
}

/// The other thread is gone.
#[derive(Debug)]
struct Lost;

/// Whoever leaves, also by a panic, lets the other know.
struct Guard<'a>(&'a AtomicU8);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.0.store(OVER, Ordering::Release);
    }
}

/// What one says and the other hears: a cache line of its own, and its neighbour, which is fetched with it. One may be a row ahead of
/// the other, not two: it tells of row k + 2 after it heard of row k + 1, which is told after row k was heard of. So there are
/// two places, for even rows and for odd ones.
#[derive(Default)]
#[repr(align(128))]
struct Voice([Said; 2]);

#[derive(Default)]
struct Said {
    /// The row, counted from 1.
    row: AtomicU64,
    /// The bits of half of z.
    z: AtomicU64,
    /// Whether the two part after this row.
    part: AtomicBool,
}

impl Voice {
    #[inline]
    fn tell(&self, row: usize, z: f64, part: bool) {
        let said = &self.0[row % 2];
        said.z.store(z.to_bits(), Ordering::Relaxed);
        said.part.store(part, Ordering::Relaxed);
        said.row.store(row as u64 + 1, Ordering::Release);
    }

    /// What was told of a row, and whether the two part after it.
    #[inline]
    fn hear(&self, row: usize, state: &AtomicU8, stalls: &mut u32) -> Result<(f64, bool), Lost> {
        let said = &self.0[row % 2];
        let mut looks = 0;
        while said.row.load(Ordering::Acquire) != row as u64 + 1 {
            if !look_again(&mut looks) && state.load(Ordering::Acquire) == OVER {
                return Err(Lost);
            }
        }
        *stalls += u32::from(looks > PATIENCE);
        let z = f64::from_bits(said.z.load(Ordering::Relaxed));
        Ok((z, said.part.load(Ordering::Relaxed)))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Csr, Rows};
    use crate::math::rng::Rng;

    const ROWS: usize = 400;

    /// Long rows, some of them empty on one side of the cut.
    fn long_rows() -> Csr<f32> {
        let mut rng = Rng::new(7, 0);
        let (d, mut starts, mut indices) = (900, vec![0], Vec::new());
        for i in 0..ROWS {
            let columns = match i % 50 {
                3 => 0..300,
                4 => 600..900,
                _ => 0..900,
            };
            indices.extend(columns.filter(|_| rng.unit() < 0.4).map(|j: u32| j));
            starts.push(indices.len());
        }
        let values = indices.iter().map(|_| (rng.unit() - 0.5) as f32).collect();
        Csr::new(d, starts, indices, values).unwrap()
    }

    /// Adds rows with factors that depend on all that was seen before.
    #[derive(Clone)]
    struct Mixed {
        k: usize,
        seen: f64,
        rows: usize,
        end: usize,
        panic: bool,
    }

    impl Decide for Mixed {
        fn planes(&self) -> usize {
            self.k
        }

        fn decide(&mut self, i: usize, z: &mut [f64]) -> Verdict {
            if self.rows == self.end {
                assert!(!self.panic, "as it should");
                return Verdict::End;
            }
            self.rows += 1;
            for z in z {
                self.seen = 0.9 * self.seen + *z;
                *z = (self.seen + i as f64).sin();
            }
            if i % 7 == 2 { Verdict::Keep } else { Verdict::Add }
        }
    }

    fn walked(threads: usize, mut mixed: Mixed) -> (Vec<u64>, u64, usize) {
        let x = long_rows();
        assert!(x.cut().is_some() && x.mean_stored() >= LONG, "worth two threads");
        // Often enough that a second thread has the time to come.
        let rows: Vec<u32> = (0..40).flat_map(|_| 0..ROWS as u32).collect();
        let mut w = vec![0.0; mixed.k * x.d()];
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            walk(&x, &rows, &mut w, &mut mixed);
            mixed.end = mixed.end.max(mixed.rows) + 3;
            walk(&x, &rows[5..20], &mut w, &mut mixed);
        });
        (w.into_iter().map(f64::to_bits).collect(), mixed.seen.to_bits(), mixed.rows)
    }

    #[test]
    fn two_threads_give_the_bits_of_one() {
        let all = 40 * ROWS;
        for (end, rows) in [(usize::MAX - 3, all + 15), (7001, 7004), (0, 3)] {
            for k in [1, 3, 20] {
                let mixed = Mixed { k, seen: 0.0, rows: 0, end, panic: false };
                let one = walked(1, mixed.clone());
                assert_eq!(one.2, rows);
                for threads in [2, 5] {
                    assert!(walked(threads, mixed.clone()) == one, "{threads} threads, {k} planes");
                }
            }
        }
    }

    #[test]
    fn halves_add_up_to_the_whole() {
        let x = long_rows();
        let w: Vec<f64> = (0..x.d()).map(|j| (j as f64).cos()).collect();
        for i in 0..x.n() {
            let (first, second) = w.split_at(x.cut().unwrap());
            let half = |half, w| {
                let mut z = [0.0];
                x.score_half(i, half, w, &mut z);
                z[0]
            };
            assert_eq!(x.dot(i, &w), half(Half::First, first) + half(Half::Second, second));
            let (mut whole, mut parts) = (w.clone(), w.clone());
            x.axpy(0.3, i, &mut whole);
            let (first, second) = parts.split_at_mut(x.cut().unwrap());
            x.add_half(i, Half::First, &[0.3], first);
            x.add_half(i, Half::Second, &[0.3], second);
            assert_eq!(whole, parts);
        }
    }

    #[test]
    #[should_panic(expected = "as it should")]
    fn a_panic_ends_both() {
        walked(2, Mixed { k: 1, seen: 0.0, rows: 0, end: 9000, panic: true });
    }
}
