//! Parallel training of independent hyperplanes, on the threads of the caller's pool.
//!
//! The runs are independent, so the number of threads changes no bit of any result. There are as
//! many lanes as threads, and each lane takes the next hyperplane when it has finished one. A
//! thread that waits inside a run for others can thus hold at most one more run per lane, for any
//! number of hyperplanes.
//!
//! All runs share one observer. It sees the epochs of the first unfinished hyperplane, one run at a
//! time. Its request to stop ends all runs, and the remaining ones are not started. For an observer
//! of single steps the hyperplanes are trained sequentially.
//!
//! Under a time limit each hyperplane gets an equal share of the time that remains
//! ([`Observer::share`]). Later hyperplanes share the time that earlier ones leave unused.

use crate::binary::BinaryFit;
use crate::control::{Cancel, Epoch, Observer, PartObserver};
use crate::error::Error;
use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Results of hyperplanes 0 to `count`, in this order; of several errors, that of the first
/// hyperplane. A hyperplane without an observer must not be started.
pub(super) fn side_by_side(
    count: usize,
    watch: &mut dyn Observer,
    solve: impl Fn(usize, Option<&mut dyn Observer>) -> Result<BinaryFit, Error> + Sync,
) -> Result<Vec<BinaryFit>, Error> {
    let lanes = rayon::current_num_threads().min(count);
    if lanes <= 1 || watch.wants_steps() {
        let mut stopped = false;
        let hyperplane = |j| {
            if stopped {
                return solve(j, None);
            }
            watch.hyperplane(j, count);
            let mut part = PartObserver::new(watch, count - j);
            let solution = solve(j, Some(&mut part))?;
            stopped = part.is_stopped();
            Ok(solution.with_stop_reason(&part.cancel()))
        };
        return (0..count).map(hyperplane).collect();
    }
    let tower = Mutex::new(SharedObserver {
        watch,
        stopped: false,
        running: Vec::new(),
        shown: None,
        count,
    });
    let next = AtomicUsize::new(0);
    let lane = |_| {
        let mut own = Vec::new();
        loop {
            let j = next.fetch_add(1, Ordering::Relaxed);
            if j >= count {
                return own;
            }
            if lock(&tower).stopped {
                own.push((j, solve(j, None)));
                continue;
            }
            let cancel = lock(&tower).begins(j, lanes);
            let solution =
                solve(j, Some(&mut RunObserver { tower: &tower, j, cancel: cancel.clone() }));
            own.push((j, solution.map(|solution| solution.with_stop_reason(&cancel))));
            lock(&tower).ends(j);
        }
    };
    let lanes: Vec<Vec<_>> = (0..lanes).into_par_iter().with_max_len(1).map(lane).collect();
    let mut found: Vec<_> = lanes.into_iter().flatten().collect();
    found.sort_unstable_by_key(|(j, _)| *j);
    found.into_iter().map(|(_, solution)| solution).collect()
}

/// State shared by parallel runs: the observer and its position.
struct SharedObserver<'w> {
    watch: &'w mut dyn Observer,
    stopped: bool,
    /// Hyperplanes in training.
    running: Vec<usize>,
    /// Hyperplane shown to the observer.
    shown: Option<usize>,
    count: usize,
}

impl SharedObserver<'_> {
    /// Registers the start of hyperplane j; returns its token.
    fn begins(&mut self, j: usize, lanes: usize) -> Cancel {
        self.running.push(j);
        self.look();
        self.watch.share(self.count - j, lanes)
    }

    fn ends(&mut self, j: usize) {
        self.running.retain(|&other| other != j);
        self.look();
    }

    /// Switches the observer to the first unfinished hyperplane, if that has changed.
    fn look(&mut self) {
        let first = self.running.iter().copied().min();
        if let Some(j) = first.filter(|_| first != self.shown) {
            self.watch.hyperplane(j, self.count);
        }
        self.shown = first;
    }
}

/// Observer of a single run, which forwards to the shared one.
struct RunObserver<'a, 'w> {
    tower: &'a Mutex<SharedObserver<'w>>,
    j: usize,
    cancel: Cancel,
}

impl Observer for RunObserver<'_, '_> {
    fn epoch(&mut self, now: &Epoch) -> bool {
        let mut tower = lock(self.tower);
        if !tower.stopped && tower.shown == Some(self.j) {
            tower.stopped = !tower.watch.epoch(now);
        }
        !tower.stopped && !self.cancel.is_set()
    }

    fn cancel(&self) -> Cancel {
        self.cancel.clone()
    }
}

/// Ignores poisoning: a panic of the observer ends the run, so its state is not used again.
fn lock<'a, 'w>(tower: &'a Mutex<SharedObserver<'w>>) -> MutexGuard<'a, SharedObserver<'w>> {
    tower.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary::{Order, Perceptron};
    use crate::control::{Budget, EpochMetric, StopReason};
    use crate::data::{Design, Hyperplane, Labels, Problem};
    use crate::math::rng::Rng;
    use crate::model::DecisionRule::{ArgMax, Vote};
    use crate::reduce::reduce;

    /// Requests a stop after `left` observed epochs, and records the hyperplane of each.
    struct Impatient {
        left: usize,
        seen: Vec<usize>,
        hyperplane: usize,
    }

    impl Observer for Impatient {
        fn hyperplane(&mut self, j: usize, of: usize) {
            assert!(j < of);
            self.hyperplane = j;
        }

        fn epoch(&mut self, now: &Epoch) -> bool {
            assert!(matches!(now.standing, EpochMetric::Mistakes(_)));
            self.seen.push(self.hyperplane);
            self.left = self.left.saturating_sub(1);
            self.left > 0
        }
    }

    fn in_pool<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
    }

    /// Five inseparable classes, so that every run ends at its limit.
    fn noise(n: usize) -> (Design, Labels) {
        let mut rng = Rng::new(3, 0);
        let x: Vec<f64> = (0..2 * n).map(|_| rng.unit()).collect();
        let labels: Vec<String> = (0..n).map(|i| (i % 5).to_string()).collect();
        (Design::dense(n, 2, x).unwrap(), Labels::parse(labels.iter().map(String::as_str)))
    }

    fn solver(epochs: u64) -> Perceptron {
        let (order, budget) = (Order::Random, Budget::epochs(epochs));
        Perceptron { order, budget, ..Perceptron::default() }
    }

    #[test]
    fn the_number_of_threads_changes_no_bit() {
        let (x, labels) = noise(60);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let all = || {
            let rest = reduce(&problem, ArgMax, &solver(20), None, &mut ()).unwrap();
            (rest, reduce(&problem, Vote, &solver(20), None, &mut ()).unwrap())
        };
        let one = in_pool(1, all);
        assert_eq!((one.0.len(), one.1.len()), (5, 10));
        for threads in [2, 3, 16] {
            assert_eq!(one, in_pool(threads, all));
        }
    }

    #[test]
    fn an_observer_sees_one_run_at_a_time_and_stops_all() {
        let (x, labels) = noise(60);
        let problem = Problem::new(&x, &labels, None).unwrap();
        for threads in [1, 4] {
            let mut watch = Impatient { left: usize::MAX, seen: vec![], hyperplane: 0 };
            in_pool(threads, || reduce(&problem, Vote, &solver(30), None, &mut watch)).unwrap();
            assert!(watch.seen.is_sorted(), "one hyperplane after the other: {:?}", watch.seen);
            let mut watch = Impatient { left: 3, seen: vec![], hyperplane: 0 };
            let huge = solver(u64::MAX);
            let runs =
                in_pool(threads, || reduce(&problem, Vote, &huge, None, &mut watch)).unwrap();
            assert!(runs.iter().all(|run| run.stop == StopReason::Interrupted));
            assert!(
                runs[threads + 1..].iter().all(BinaryFit::is_not_started),
                "the rest is not started"
            );
        }
    }

    #[test]
    fn the_error_of_the_first_hyperplane_is_reported() {
        let (x, labels) = noise(10);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let mut starts = vec![Hyperplane::zero(2); 5];
        starts[4].b = f64::INFINITY;
        starts[2].b = f64::NAN;
        for threads in [1, 4] {
            let run = || reduce(&problem, ArgMax, &solver(1), Some(&starts), &mut ());
            let error = in_pool(threads, run).unwrap_err();
            assert!(
                error.to_string().starts_with("`start`: expected a finite number, found NaN"),
                "{error}"
            );
        }
        let few = reduce(&problem, ArgMax, &solver(1), Some(&starts[1..]), &mut ()).unwrap_err();
        assert_eq!(few, Error::Shape { what: "starting hyperplanes", got: 4, want: 5 });
    }
}
