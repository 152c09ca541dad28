//! Independent jobs on several threads.
//!
//! Each thread takes the next job when it has finished one. Each thread has its own pool for the
//! computation inside a job, so that jobs do not compete and their times are comparable. Results
//! are in the order of the jobs and do not depend on the threads: the bits are the same for any
//! thread count.

use linsep_core::Cancel;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Observer of jobs on several threads.
pub trait Jobs: Sync {
    /// Called with the number of finished jobs.
    fn done(&self, _jobs: usize) {}

    /// Returns the cancel token of the next job; `left` jobs are not started, `lanes` run
    /// concurrently.
    fn share(&self, _left: usize, _lanes: usize) -> Cancel {
        Cancel::default()
    }
}

impl<F: Fn(usize) + Sync> Jobs for F {
    fn done(&self, jobs: usize) {
        self(jobs);
    }
}

/// Returns the results of `work` on 0..count, in order. Each job gets a cancel token.
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
                // Without a pool of its own, the thread uses the global pool.
                Err(_) => take_jobs(),
            });
        }
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().map(|result| result.expect("every job was processed")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_for_any_thread_count() {
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
