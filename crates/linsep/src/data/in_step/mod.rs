//! Row sweeps on two threads, each with half of the columns.
//!
//! A solver that updates w after every row,
//!
//! ```text
//!   z = xᵢ·w,     c = decide(i, z),     w ← w + c xᵢ
//! ```
//!
//! cannot distribute rows over threads: each row needs the update of the row before. But z is a sum
//! over columns, and every column of w is updated independently. The columns are therefore split in
//! two ([`Halves::cut`]), and each thread has one half of w in its own cache. For every row each
//! thread computes its partial score and sends it to its partner; then both threads have z and
//! compute the update. Computing it twice costs less than waiting for a reply: a row takes one
//! exchange between two caches (0.15 µs), not two. During the exchange each thread prefetches the
//! coefficients that its half of the next row needs. If most rows leave w unchanged, it instead
//! computes partial scores of the next rows speculatively ([`Decide::AHEAD`]), and resends them
//! after an update.
//!
//! This module sweeps one hyperplane: with many together two threads were no faster than one
//! (`docs/speed.md`), so they use [`in_turn`](super::in_turn). A "row" here may also be a column of
//! X, and w then has one number per row.
//!
//! **Same bits.** With a split, xᵢ·w *is* the sum over the first half plus the sum over the second,
//! on any number of threads. Two copies of a [`Decide`] with the same inputs return the same
//! updates. Results therefore do not depend on whether or when a second thread joins. It joins when
//! a thread of the pool is idle, and leaves if two threads are no faster than one ([`Company`]):
//! their processors may be far apart, or busy with other programs.

mod company;
mod link;

pub(crate) use company::Company;

use super::ROWS_AHEAD;
use super::design::{Half, Halves};
use crate::math::kernels::ticks;
use crate::math::rng::Rng;
use company::{ROWS, Trial};
use link::{ALONE, Guard, Hand, Link, Lost, READY};
use std::collections::VecDeque;
use std::sync::atomic::Ordering;

/// The update rule of a row. Copies with the same inputs return the same result. The rule must not
/// wait for other threads of the pool, which may be waiting for it: that would be a deadlock.
pub(crate) trait Decide: Clone + Send {
    /// Number of rows scored speculatively, as if no row before them had an update: for solvers
    /// where most rows have none.
    const AHEAD: usize = 0;

    /// The action for row i from its score z = xᵢ·w.
    fn decide(&mut self, i: usize, z: f64) -> Verdict;
}

/// The effect of a row on w.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// Adds the row times this factor to w.
    Add(f64),
    /// Leaves w unchanged.
    Keep,
    /// Ends the sweep before this row.
    End,
}

/// Adjacent rows that stay together in a random order, so that memory is read in long stretches.
pub(crate) const RUN: usize = 16;

/// The given rows in runs of adjacent rows, with the runs in random order.
pub(crate) fn in_runs(rows: &[u32], mut order: Rng) -> Vec<u32> {
    let mut runs: Vec<&[u32]> = rows.chunks(RUN).collect();
    order.shuffle(&mut runs);
    runs.concat()
}

/// Sweeps over these rows, in this order.
pub(crate) fn walk<X: Halves, D: Decide>(
    x: &X,
    rows: &[u32],
    w: &mut [f64],
    decide: &mut D,
    company: &mut Company,
) {
    const { assert!(D::AHEAD <= link::MOST_AHEAD, "there are places for what is told ahead") };
    let walk = Walk { x, rows };
    let mut next = 0;
    if let Some(cut) = x.cut()
        && x.mean_stored() >= LONG
        && rayon::current_num_threads() > 1
        && company.is_wanted()
    {
        let link = Link::new();
        next = rayon::in_place_scope(|scope| {
            scope.spawn(|_| walk.second(&link));
            walk.first(&link, cut, w, decide)
        });
        company.was(next < rows.len());
    }
    walk.alone(next, w, decide, |_| false);
}

/// Mean number of stored values per row from which a second thread saves more than it costs.
const LONG: usize = 128;

/// Rows between checks for a second thread.
const LOOK: usize = 16;

/// The data that both threads read.
struct Walk<'a, X> {
    x: &'a X,
    rows: &'a [u32],
}

impl<X: Halves> Walk<'_, X> {
    /// Processes rows from `from` on one thread, until `until` returns true. Returns the next row,
    /// `rows.len()` at the end.
    fn alone<D: Decide>(
        &self,
        from: usize,
        w: &mut [f64],
        decide: &mut D,
        until: impl Fn(usize) -> bool,
    ) -> usize {
        let (x, rows) = (self.x, self.rows);
        for at in from..rows.len() {
            if at % LOOK == 0 && until(at) {
                return at;
            }
            if let Some(&soon) = rows.get(at + ROWS_AHEAD) {
                x.fetch(soon as usize);
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

    /// Processes rows from `from` with half of the columns; returns the next row. The thread with a
    /// `trial` decides when to stop.
    ///
    /// If most rows leave w unchanged, partial scores of later rows are sent before the partner's
    /// part of this row arrives. They are valid unless this row updates w, and are then resent. No
    /// thread waits while rows leave w unchanged.
    fn half<D: Decide>(
        &self,
        half: Half,
        from: usize,
        w: &mut [f64],
        decide: &mut D,
        link: &Link<'_, D>,
        mut trial: Option<Trial>,
    ) -> Result<usize, Lost> {
        let (x, rows) = (self.x, self.rows);
        let row = |at: usize| rows.get(at).map(|&i| i as usize);
        let (mine, other) = match half {
            Half::First => (&link.first, &link.second),
            Half::Second => (&link.second, &link.first),
        };
        let (mut told, mut slow) = (0, false);
        let mut ahead = VecDeque::with_capacity(1 + D::AHEAD);
        for (at, &i) in rows.iter().enumerate().skip(from) {
            // 1. The partial scores of this row and of the speculative rows.
            while ahead.len() <= D::AHEAD
                && let Some(soon) = row(at + ahead.len())
            {
                if let Some(later) = row(at + ahead.len() + ROWS_AHEAD) {
                    x.fetch_half(later, half);
                }
                told += 1;
                ahead.push_back(mine.tell(told, x.score_half(soon, half, w), slow));
            }
            if let Some(next) = row(at + 1).filter(|_| D::AHEAD == 0) {
                x.fetch_weights(next, half, w);
            }

            // 2. The partner's partial score, and the update.
            let own = ahead.pop_front().expect("this row was told");
            let (others, parted) = other.hear(own.number, &link.state)?;
            // a + b = b + a, to the last bit
            match decide.decide(i as usize, own.z + others) {
                Verdict::Add(c) => {
                    x.add_half(i as usize, half, c, w);
                    ahead.clear();
                }
                Verdict::Keep => {}
                Verdict::End => break,
            }
            if own.part || parted {
                return Ok(at + 1);
            }
            slow |= trial.as_mut().is_some_and(|trial| trial.row(ticks));
        }
        Ok(rows.len())
    }

    /// Runs the calling thread: alone until a second thread joins, then with half of the columns.
    /// Returns the next row.
    fn first<'w, D: Decide>(
        &self,
        link: &Link<'w, D>,
        cut: usize,
        w: &'w mut [f64],
        decide: &mut D,
    ) -> usize {
        let guard = Guard(link);
        let mut trial = Trial::begin(ticks());
        let ready = |at| at >= ROWS && link.state.load(Ordering::Acquire) == READY;
        let mut next = self.alone(0, w, decide, ready);
        if next < self.rows.len() {
            let (first, second) = w.split_at_mut(cut);
            link.give(Hand { w: second, decide: decide.clone(), from: next });
            trial.together(next, ticks());
            let done = self.half(Half::First, next, first, decide, link, Some(trial));
            let returned = done.and_then(|next| link.take_back().map(|_| next));
            next = returned.expect("the second thread comes to its end");
        }
        drop(guard);
        next
    }

    /// Runs the second thread, if it starts before the first has ended.
    fn second<D: Decide>(&self, link: &Link<'_, D>) {
        let comes = link.state.compare_exchange(ALONE, READY, Ordering::AcqRel, Ordering::Acquire);
        if comes.is_err() {
            return;
        }
        let guard = Guard(link);
        let Some(mut hand) = link.take() else { return };
        let done = self.half(Half::Second, hand.from, hand.w, &mut hand.decide, link, None);
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

    /// Long rows, some of them empty on one side of the split.
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

    /// An update rule that depends on all earlier scores.
    #[derive(Clone)]
    struct Mixed<const AHEAD: usize> {
        seen: f64,
        rows: usize,
        end: usize,
        panic: bool,
    }

    impl<const AHEAD: usize> Decide for Mixed<AHEAD> {
        const AHEAD: usize = AHEAD;

        fn decide(&mut self, i: usize, z: f64) -> Verdict {
            if self.rows == self.end {
                assert!(!self.panic, "as it should");
                return Verdict::End;
            }
            self.rows += 1;
            self.seen = 0.9 * self.seen + z;
            let c = (self.seen + i as f64).sin();
            // Both long runs of each action and single rows.
            let keep = if AHEAD > 0 { i % 11 < 8 && i % 5 != 3 } else { i % 7 == 2 };
            if keep { Verdict::Keep } else { Verdict::Add(c) }
        }
    }

    fn walked<const AHEAD: usize>(
        threads: usize,
        mut mixed: Mixed<AHEAD>,
    ) -> (Vec<u64>, u64, usize) {
        let x = long_rows();
        assert!(x.cut().is_some() && x.mean_stored() >= LONG, "worth two threads");
        // Enough rows for a second thread to join.
        let rows: Vec<u32> = (0..40).flat_map(|_| 0..ROWS as u32).collect();
        let mut w = vec![0.0; x.d()];
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            walk(&x, &rows, &mut w, &mut mixed, &mut Company::default());
            mixed.end = mixed.end.max(mixed.rows) + 3;
            walk(&x, &rows[5..20], &mut w, &mut mixed, &mut Company::default());
        });
        (w.into_iter().map(f64::to_bits).collect(), mixed.seen.to_bits(), mixed.rows)
    }

    fn bits_of_one<const AHEAD: usize>() {
        let all = 40 * ROWS;
        for (end, rows) in [(usize::MAX - 3, all + 15), (7001, 7004), (0, 3)] {
            let mixed = Mixed::<AHEAD> { seen: 0.0, rows: 0, end, panic: false };
            let one = walked(1, mixed.clone());
            assert_eq!(one.2, rows);
            for threads in [2, 5] {
                assert!(walked(threads, mixed.clone()) == one, "{threads} threads");
            }
        }
    }

    #[test]
    fn two_threads_give_the_bits_of_one() {
        bits_of_one::<0>();
    }

    #[test]
    fn two_threads_give_the_bits_of_one_with_speculative_scores() {
        bits_of_one::<1>();
        bits_of_one::<4>();
        bits_of_one::<{ link::MOST_AHEAD }>();
    }

    #[test]
    fn halves_match_whole_rows() {
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
    fn a_panic_ends_both_threads() {
        walked(2, Mixed::<4> { seen: 0.0, rows: 0, end: 9000, panic: true });
    }
}
