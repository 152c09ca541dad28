//! Independent tasks on several threads, such as the folds of a cross-validation.
//!
//! Each thread takes the next task when it has finished one. Each thread has its own pool for the
//! computation inside a task, so that tasks do not compete and their times are comparable. Results
//! are in the order of the tasks and do not depend on the threads: the bits are the same for any
//! thread count. All threads share the observer, which gives each task its share of the time.

use linsep_core::{Cancel, Observer};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Returns the results of `work` on 0..count, in order. Each task gets a token.
pub(super) fn run<T: Send>(
    count: usize,
    threads: usize,
    watch: &mut dyn Observer,
    work: impl Fn(usize, Cancel) -> T + Sync,
) -> Vec<T> {
    let side_by_side = threads.clamp(1, count.max(1));
    let inside = (threads / side_by_side).max(1);
    let next = AtomicUsize::new(0);
    let watch = Mutex::new((watch, 0));
    let results: Mutex<Vec<Option<T>>> = Mutex::new((0..count).map(|_| None).collect());
    let take_tasks = || {
        loop {
            let task = next.fetch_add(1, Ordering::Relaxed);
            if task >= count {
                return;
            }
            let cancel = lock(&watch).0.share(count - task, side_by_side);
            let result = work(task, cancel);
            lock(&results)[task] = Some(result);
            let (watch, finished) = &mut *lock(&watch);
            *finished += 1;
            watch.done(*finished);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..side_by_side {
            scope.spawn(|| match rayon::ThreadPoolBuilder::new().num_threads(inside).build() {
                Ok(pool) => pool.install(take_tasks),
                // Without a pool of its own, the thread uses the global pool.
                Err(_) => take_tasks(),
            });
        }
    });
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().map(|result| result.expect("every task was processed")).collect()
}

/// Ignores poisoning: a panic ends all tasks, so the state is not used again.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records the numbers of finished tasks.
    #[derive(Default)]
    struct Counter(Vec<usize>);

    impl Observer for Counter {
        fn done(&mut self, tasks: usize) {
            self.0.push(tasks);
        }
    }

    #[test]
    fn results_are_in_order_for_any_thread_count() {
        for threads in [1, 2, 7] {
            let mut counter = Counter::default();
            let squares = run(20, threads, &mut counter, |task, _| task * task);
            assert_eq!(squares, (0..20).map(|task| task * task).collect::<Vec<_>>());
            assert_eq!(counter.0, (1..=20).collect::<Vec<_>>());
        }
        assert!(run(0, 3, &mut (), |task, _| task).is_empty());
    }
}
