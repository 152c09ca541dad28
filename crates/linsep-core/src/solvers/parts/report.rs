//! Report of a batch step to an observer.

use crate::control::{Observer, Record};
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
    watch.step(&|| {
        let scores = hyperplane.scores(problem.x());
        let wrong = |i: &usize| problem.s()[*i] > 0.0 && !right(problem.y()[*i], scores[*i]);
        let mistakes = (0..scores.len()).filter(wrong).collect();
        Record::Batch { step, hyperplane: hyperplane.clone(), scores, mistakes, criterion }
    });
}
