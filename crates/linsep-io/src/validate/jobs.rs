//! Independent jobs on several threads.
//!
//! A thread takes the next job when it is done with one. Each has a pool of its own for the mathematics inside, so that jobs
//! do not get into each other's way and the time of one is its own. Results come back in the order of the jobs, and none
//! depends on which thread did it: the same bits for any number.

use linsep::Cancel;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Looks on while jobs run on several threads.
pub trait Jobs: Sync {
    /// So many of them are finished.
    fn done(&self, _jobs: usize) {}

    /// The token of the next of `left` jobs that are not begun, of which `lanes` run side by side.
    fn share(&self, _left: usize, _lanes: usize) -> Cancel {
        Cancel::default()
    }
}

impl<F: Fn(usize) + Sync> Jobs for F {
    fn done(&self, jobs: usize) {
        self(jobs);
    }
}

/// The result of `work` on 0..count, in order. A job that is to end early is told so by its token.
pub(super) fn run<T: Send>(
    count: usize,
    threads: usize,
    watch: &dyn Jobs,
    work: impl Fn(usize, Cancel) -> T + Sync,
) -> Vec<T> {
    let side_by_side = threads.clamp(1, count.max(1));
    let inside = (threads / side_by_side).max(1);
    let (next, finished) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let results: Mutex<Vec<Option<T>>> = Mutex::new((0..count).map(|_| None).collect());
    let take_jobs = || {
        loop {
            let job = next.fetch_add(1, Ordering::Relaxed);
            if job >= count {
                return;
            }
            let result = work(job, watch.share(count - job, side_by_side));
            results.lock().unwrap_or_else(PoisonError::into_inner)[job] = Some(result);
            watch.done(finished.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..side_by_side {
            scope.spawn(|| match rayon::ThreadPoolBuilder::new().num_threads(inside).build() {
                Ok(pool) => pool.install(take_jobs),
                // Without a pool of its own the common one does.
                Err(_) => take_jobs(),
            });
        }
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().map(|result| result.expect("every job was taken")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_whatever_the_number_of_threads() {
        for threads in [1, 2, 7] {
            let seen = AtomicUsize::new(0);
            let done = |n: usize| {
                seen.fetch_max(n, Ordering::Relaxed);
            };
            let squares = run(20, threads, &done, |job, _| job * job);
            assert_eq!(squares, (0..20).map(|job| job * job).collect::<Vec<_>>());
            assert_eq!(seen.into_inner(), 20);
        }
        assert!(run(0, 3, &|_: usize| {}, |job, _| job).is_empty());
    }
}
