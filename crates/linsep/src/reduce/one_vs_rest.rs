//! One versus rest: one plane per class, trained to tell that class from all others.
//!
//! Class j's plane comes from the problem yᵢ = +1 where row i is of class j, −1 elsewhere. There are two ways to go on:
//!
//! * **k planes.** The class with the largest score wins. Scores of separately trained planes are not on one scale: it
//!   works well in practice, and nothing is proved about it. The regions are convex, as for every argmax of linear functions.
//! * **k − 1 planes** (the lectures'). All but the last class have one; a point belongs to the class whose plane alone claims
//!   it, and to the last where none does. Where two claim it, it belongs to nobody: such regions exist whenever two
//!   of the planes are not parallel.
//!
//! Cost: k (or k − 1) binary problems on the same rows, which are not copied, side by side.
//! Source: Duda, Hart & Stork, *Pattern Classification*, §5.2.2; Bishop, *Pattern Recognition and Machine Learning*, §4.1.2.

use super::planes::{check_starts, run, side_by_side, start_of};
use crate::control::Watch;
use crate::data::{Plane, Problem};
use crate::error::Error;
use crate::solver::{Solution, Solver};

/// Trains k planes, in the order of the classes, each from its own start or from zero.
pub fn one_vs_rest(
    problem: &Problem<'_>,
    solver: &dyn Solver,
    starts: Option<&[Plane]>,
    watch: &mut dyn Watch,
) -> Result<Vec<Solution>, Error> {
    first_vs_rest(problem.labels().k(), problem, solver, starts, watch)
}

/// The same for all classes but the last.
pub fn one_vs_rest_but_last(
    problem: &Problem<'_>,
    solver: &dyn Solver,
    starts: Option<&[Plane]>,
    watch: &mut dyn Watch,
) -> Result<Vec<Solution>, Error> {
    first_vs_rest(problem.labels().k() - 1, problem, solver, starts, watch)
}

fn first_vs_rest(
    count: usize,
    problem: &Problem<'_>,
    solver: &dyn Solver,
    starts: Option<&[Plane]>,
    watch: &mut dyn Watch,
) -> Result<Vec<Solution>, Error> {
    check_starts(starts, count)?;
    side_by_side(count, watch, |class, watch| {
        run(solver, &problem.against_rest(class), start_of(problem, starts, class), watch)
    })
}
