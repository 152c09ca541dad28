//! One versus rest: one plane per class, trained to tell that class from all others.
//!
//! Class j's plane comes from the problem yᵢ = +1 where row i is of class j, −1 elsewhere. The class
//! with the largest score wins. Scores of separately trained planes are not on one scale: it works
//! well in practice, and nothing is proved about it. The regions are convex, as for every argmax of
//! linear functions.
//!
//! Cost: k binary problems on the same rows, which are not copied.

use crate::control::Watch;
use crate::data::{Plane, Problem};
use crate::error::Error;
use crate::solver::{Solution, Solver};

/// Trains k planes, in the order of the classes, each from `start`.
pub fn one_vs_rest(
    problem: &Problem<'_>,
    solver: &dyn Solver,
    start: &Plane,
    watch: &mut dyn Watch,
) -> Result<Vec<Solution>, Error> {
    let k = problem.labels().k();
    (0..k)
        .map(|class| {
            watch.plane(class, k);
            solver.solve(&problem.against_rest(class), start.clone(), watch)
        })
        .collect()
}
