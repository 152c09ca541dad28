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
//! each fetches the weights that its half of the next row needs; or, where most rows leave w as it is
//! ([`Decide::MOSTLY_KEEPS`]), adds up its half of the next row as if this one did, and tells it anew should it not.
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
    /// Whether most rows leave w as it is, so that the next row's score may be begun before this one's is known.
    const MOSTLY_KEEPS: bool = false;

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
    let mut next = 0;
    if let Some(cut) = x.cut()
        && x.mean_stored() >= LONG
        && rayon::current_num_threads() > 1
    {
        let link = Link::new();
        next = rayon::in_place_scope(|scope| {
            scope.spawn(|_| walk.second(&link));
            walk.first(&link, cut, w, decide)
        });
    }
    walk.alone(next, w, decide, || false);
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
        w: &mut [f64],
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
            match decide.decide(i, x.score(i, w)) {
                Verdict::Add(c) => x.add(i, c, w),
                Verdict::Keep => {}
                Verdict::End => break,
            }
        }
        rows.len()
    }

    /// From row `from` on with half of the columns; returns which row is next.
    ///
    /// Where most rows leave w as it is, a row's half is told before what the other has of the row before is heard: it is
    /// what it should be unless that row is added, and is then told anew. So nobody waits as long as rows are kept.
    fn half<D: Decide>(
        &self,
        half: Half,
        from: usize,
        w: &mut [f64],
        decide: &mut D,
        link: &Link<'_, D>,
    ) -> Result<usize, Lost> {
        let (x, rows) = (self.x, self.rows);
        let row = |at: usize| rows.get(at).map(|&i| i as usize);
        let (mine, other) = match half {
            Half::First => (&link.first, &link.second),
            Half::Second => (&link.second, &link.first),
        };
        let (mut stalls, mut told) = (0, 0);
        let mut tell = |i: usize, w: &[f64], stalls: u32| {
            let part = half == Half::First && stalls > STALLS;
            told += 1;
            mine.tell(told, x.score_half(i, half, w), part)
        };
        let mut ahead = None;
        for (at, &i) in rows.iter().enumerate().skip(from) {
            let i = i as usize;
            if let Some(soon) = row(at + 1 + usize::from(D::MOSTLY_KEEPS)) {
                x.fetch_half(soon, half);
            }
            let own = ahead.take().unwrap_or_else(|| tell(i, w, stalls));
            if let Some(next) = row(at + 1) {
                if D::MOSTLY_KEEPS {
                    ahead = Some(tell(next, w, stalls));
                } else {
                    x.fetch_weights(next, half, w);
                }
            }
            let (others, parted) = other.hear(own.number, &link.state, &mut stalls)?;
            // a + b = b + a, to the last bit
            match decide.decide(i, own.z + others) {
                Verdict::Add(c) => {
                    x.add_half(i, half, c, w);
                    ahead = None;
                }
                Verdict::Keep => {}
                Verdict::End => break,
            }
            if own.part || parted {
                return Ok(at + 1);
            }
        }
        Ok(rows.len())
    }

    /// The thread that called: alone until there is a second, then with it, should it come. Returns which row is next.
    fn first<'w, D: Decide>(
        &self,
        link: &Link<'w, D>,
        cut: usize,
        w: &'w mut [f64],
        decide: &mut D,
    ) -> usize {
        let guard = Guard(link);
        let ready = || link.state.load(Ordering::Acquire) == READY;
        let mut next = self.alone(0, w, decide, ready);
        if next < self.rows.len() {
            let (first, second) = w.split_at_mut(cut);
            link.give(Hand { w: second, decide: decide.clone(), from: next });
            let done = self.half(Half::First, next, first, decide, link);
            let returned = done.and_then(|next| link.take_back().map(|_| next));
            next = returned.expect("the second thread comes to its end");
        }
        drop(guard);
        next
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
    struct Mixed<const KEEPS: bool> {
        seen: f64,
        rows: usize,
        end: usize,
        panic: bool,
    }

    impl<const KEEPS: bool> Decide for Mixed<KEEPS> {
        const MOSTLY_KEEPS: bool = KEEPS;

        fn decide(&mut self, i: usize, z: f64) -> Verdict {
            if self.rows == self.end {
                assert!(!self.panic, "as it should");
                return Verdict::End;
            }
            self.rows += 1;
            self.seen = 0.9 * self.seen + z;
            let c = (self.seen + i as f64).sin();
            // Runs of either kind, and single ones.
            let keep = if KEEPS { i % 11 < 8 && i % 5 != 3 } else { i % 7 == 2 };
            if keep { Verdict::Keep } else { Verdict::Add(c) }
        }
    }

    fn walked<const KEEPS: bool>(
        threads: usize,
        mut mixed: Mixed<KEEPS>,
    ) -> (Vec<u64>, u64, usize) {
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

    fn bits_of_one<const KEEPS: bool>() {
        let all = 40 * ROWS;
        for (end, rows) in [(usize::MAX - 3, all + 15), (7001, 7004), (0, 3)] {
            let mixed = Mixed::<KEEPS> { seen: 0.0, rows: 0, end, panic: false };
            let one = walked(1, mixed.clone());
            assert_eq!(one.2, rows);
            for threads in [2, 5] {
                assert!(walked(threads, mixed.clone()) == one, "{threads} threads");
            }
        }
    }

    #[test]
    fn two_threads_give_the_bits_of_one() {
        bits_of_one::<false>();
    }

    #[test]
    fn so_they_do_where_rows_are_scored_ahead() {
        bits_of_one::<true>();
    }

    #[test]
    fn halves_add_up_to_the_whole() {
        let x = long_rows();
        let w: Vec<f64> = (0..x.d()).map(|j| (j as f64).cos()).collect();
        for i in 0..x.n() {
            let (first, second) = w.split_at(x.cut().unwrap());
            let parts = x.score_half(i, Half::First, first) + x.score_half(i, Half::Second, second);
            assert_eq!([x.dot(i, &w), x.score(i, &w)], [parts; 2]);
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
        walked(2, Mixed::<true> { seen: 0.0, rows: 0, end: 9000, panic: true });
    }
}
