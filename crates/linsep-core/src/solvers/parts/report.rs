//! Report of a batch step to an observer.

use crate::control::{Observer, Step};
use crate::data::{BinaryProblem, Hyperplane};

/// Reports one pass over all rows, if the observer wants steps.
pub(crate) fn report_batch_step(
    watch: &mut dyn Observer,
    problem: &BinaryProblem<'_>,
    step: u64,
    hyperplane: &Hyperplane,
    criterion: f64,
    right: impl Fn(f64, f64) -> bool,
) {
    if !watch.wants_steps() {
        return;
    }
    let scores = hyperplane.scores(problem.x());
    let wrong = |i: &usize| problem.s()[*i] > 0.0 && !right(problem.y()[*i], scores[*i]);
    let mistakes: Vec<usize> = (0..scores.len()).filter(wrong).collect();
    watch.step(&Step::Batch {
        step,
        hyperplane,
        scores: &scores,
        mistakes: &mistakes,
        objective: criterion,
    });
}
