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
//! It is for one plane: with many at once two threads were no faster than one (`docs/speed.md`), and they go by
//! [`in_turn`](super::in_turn). What is called a row here may as well be a column, and w a number per row.
//!
//! **Same bits.** With a cut, xᵢ·w *is* the sum over the first half plus the sum over the second, on one thread as on two, and
//! two copies of a [`Decide`] that are told the same decide the same. So it does not matter when a second thread comes,
//! or whether one does at all. One comes when a thread of the pool has nothing else to do, and goes again when the first had to wait for it
//! too often, as it would where other programs want the processor.

mod link;

use super::design::{Half, Halves};
use crate::math::rng::Rng;
use link::{ALONE, Guard, Hand, Link, Lost, READY};
use std::sync::atomic::Ordering;

/// Says what a row changes. Copies that are told the same scores of the same rows say the same. It must not wait for other threads of the pool:
/// the one that it waits for may be waiting for it.
pub(crate) trait Decide: Clone + Send {
    /// What z = xᵢ·w says of row i.
    fn decide(&mut self, i: usize, z: f64) -> Verdict;
}

/// What becomes of w after a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// The row is added to it, times this.
    Add(f64),
    /// It stays as it is.
    Keep,
    /// The walk ends before this row.
    End,
}

/// Neighbours that come one after the other, so that memory is read in long stretches.
pub(crate) const RUN: usize = 16;

/// These rows in runs of neighbours, the runs in random order.
pub(crate) fn in_runs(rows: &[u32], mut order: Rng) -> Vec<u32> {
    let mut runs: Vec<&[u32]> = rows.chunks(RUN).collect();
    order.shuffle(&mut runs);
    runs.concat()
}

/// Goes through these rows, in this order.
pub(crate) fn walk<X: Halves, D: Decide>(x: &X, rows: &[u32], w: &mut [f64], decide: &mut D) {
    let walk = Walk { x, rows };
    let (first, second) = w.split_at_mut(x.cut().unwrap_or(w.len()));
    if x.cut().is_none() || x.mean_stored() < LONG || rayon::current_num_threads() == 1 {
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

/// Rows for which one may have had to wait long before the two part.
const STALLS: u32 = 100;

/// What both know.
struct Walk<'a, X> {
    x: &'a X,
    rows: &'a [u32],
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
        for at in from..rows.len() {
            if at % LOOK == 0 && until() {
                return at;
            }
            if let Some(&next) = rows.get(at + 1) {
                x.fetch(next as usize);
            }
            let i = rows[at] as usize;
            let mut z = x.score_half(i, Half::First, first);
            if x.cut().is_some() {
                z += x.score_half(i, Half::Second, second);
            }
            match decide.decide(i, z) {
                Verdict::Add(c) => {
                    x.add_half(i, Half::First, c, first);
                    x.add_half(i, Half::Second, c, second);
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
            let z = x.score_half(i, half, w);
            let part = half == Half::First && stalls > STALLS;
            mine.tell(at, z, part);
            if let Some(next) = next {
                x.fetch_weights(next, half, w);
            }
            let (others, parted) = other.hear(at, &link.state, &mut stalls)?;
            // a + b = b + a, to the last bit
            match decide.decide(i, z + others) {
                Verdict::Add(c) => x.add_half(i, half, c, w),
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
        let guard = Guard(link);
        let ready = || link.state.load(Ordering::Acquire) == READY;
        let next = self.alone(0, first, second, decide, ready);
        if next < self.rows.len() {
            link.give(Hand { w: second, decide: decide.clone(), from: next });
            let next = self.half(Half::First, next, first, decide, link);
            let returned = next.and_then(|next| link.take_back().map(|hand| (next, hand)));
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
        let guard = Guard(link);
        let Some(mut hand) = link.take() else { return };
        let done = self.half(Half::Second, hand.from, hand.w, &mut hand.decide, link);
        if done.is_ok() {
            std::mem::forget(guard);
            link.give_back(hand);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Csr, Rows};

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
        seen: f64,
        rows: usize,
        end: usize,
        panic: bool,
    }

    impl Decide for Mixed {
        fn decide(&mut self, i: usize, z: f64) -> Verdict {
            if self.rows == self.end {
                assert!(!self.panic, "as it should");
                return Verdict::End;
            }
            self.rows += 1;
            self.seen = 0.9 * self.seen + z;
            let c = (self.seen + i as f64).sin();
            if i % 7 == 2 { Verdict::Keep } else { Verdict::Add(c) }
        }
    }

    fn walked(threads: usize, mut mixed: Mixed) -> (Vec<u64>, u64, usize) {
        let x = long_rows();
        assert!(x.cut().is_some() && x.mean_stored() >= LONG, "worth two threads");
        // Often enough that a second thread has the time to come.
        let rows: Vec<u32> = (0..40).flat_map(|_| 0..ROWS as u32).collect();
        let mut w = vec![0.0; x.d()];
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
            let mixed = Mixed { seen: 0.0, rows: 0, end, panic: false };
            let one = walked(1, mixed.clone());
            assert_eq!(one.2, rows);
            for threads in [2, 5] {
                assert!(walked(threads, mixed.clone()) == one, "{threads} threads");
            }
        }
    }

    #[test]
    fn halves_add_up_to_the_whole() {
        let x = long_rows();
        let w: Vec<f64> = (0..x.d()).map(|j| (j as f64).cos()).collect();
        for i in 0..x.n() {
            let (first, second) = w.split_at(x.cut().unwrap());
            let parts = x.score_half(i, Half::First, first) + x.score_half(i, Half::Second, second);
            assert_eq!(x.dot(i, &w), parts);
            let (mut whole, mut parts) = (w.clone(), w.clone());
            x.axpy(0.3, i, &mut whole);
            let (first, second) = parts.split_at_mut(x.cut().unwrap());
            x.add_half(i, Half::First, 0.3, first);
            x.add_half(i, Half::Second, 0.3, second);
            assert_eq!(whole, parts);
        }
    }

    #[test]
    #[should_panic(expected = "as it should")]
    fn a_panic_ends_both() {
        walked(2, Mixed { seen: 0.0, rows: 0, end: 9000, panic: true });
    }
}
