//! Telling a watcher what a batch step looked like.

use crate::control::{Step, Watch};
use crate::data::{Binary, Plane};

/// Tells of one look at all rows, if the watcher wants steps.
pub(crate) fn tell_batch(
    watch: &mut dyn Watch,
    problem: &Binary<'_>,
    step: u64,
    plane: &Plane,
    criterion: f64,
    right: impl Fn(f64, f64) -> bool,
) {
    if !watch.wants_steps() {
        return;
    }
    let scores = plane.scores(problem.x());
    let wrong = |i: &usize| problem.s()[*i] > 0.0 && !right(problem.y()[*i], scores[*i]);
    let mistakes: Vec<usize> = (0..scores.len()).filter(wrong).collect();
    watch.step(&Step::Batch { step, plane, scores: &scores, mistakes: &mistakes, criterion });
}
