//! One-vs-rest: one hyperplane per class, trained against all other classes.
//!
//! The hyperplane of class j is fitted to yᵢ = +1 for rows of class j, −1 for others. There are two
//! variants:
//!
//! * **k hyperplanes.** The class with the largest score wins. The scores of separately trained
//!   hyperplanes have no common scale; this works well in practice, but has no theoretical
//!   guarantee. The regions are convex, a property of every argmax of linear functions.
//! * **k − 1 hyperplanes** (from the lectures). All classes but the last have one. A point belongs
//!   to the only class with a nonnegative score, or to the last class if all scores are negative.
//!   With two or more nonnegative scores it is ambiguous; such regions exist whenever two of the
//!   hyperplanes are not parallel.
//!
//! Cost: k (or k − 1) binary problems on the same rows, without copies, in parallel.
//! Source: Duda, Hart & Stork, *Pattern Classification*, §5.2.2; Bishop, *Pattern Recognition and
//! Machine Learning*, §4.1.2.

use super::parallel::{check_starts, run, side_by_side, start_of};
use crate::binary::{BinaryFit, BinaryLearner};
use crate::control::Observer;
use crate::data::{Hyperplane, Problem};
use crate::error::Error;

/// Trains k hyperplanes, in the order of the classes, each from its own start or from zero.
pub fn one_vs_rest(
    problem: &Problem<'_>,
    solver: &dyn BinaryLearner,
    starts: Option<&[Hyperplane]>,
    watch: &mut dyn Observer,
) -> Result<Vec<BinaryFit>, Error> {
    first_vs_rest(problem.labels().k(), problem, solver, starts, watch)
}

/// Trains hyperplanes for all classes but the last.
pub fn one_vs_rest_but_last(
    problem: &Problem<'_>,
    solver: &dyn BinaryLearner,
    starts: Option<&[Hyperplane]>,
    watch: &mut dyn Observer,
) -> Result<Vec<BinaryFit>, Error> {
    first_vs_rest(problem.labels().k() - 1, problem, solver, starts, watch)
}

fn first_vs_rest(
    count: usize,
    problem: &Problem<'_>,
    solver: &dyn BinaryLearner,
    starts: Option<&[Hyperplane]>,
    watch: &mut dyn Observer,
) -> Result<Vec<BinaryFit>, Error> {
    check_starts(starts, count)?;
    side_by_side(count, watch, |class, watch| {
        run(solver, &problem.against_rest(class), start_of(problem, starts, class), watch)
    })
}
