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

/// Trains k planes, in the order of the classes, each from its own start or from zero.
pub fn one_vs_rest(
    problem: &Problem<'_>,
    solver: &dyn Solver,
    starts: Option<&[Plane]>,
    watch: &mut dyn Watch,
) -> Result<Vec<Solution>, Error> {
    let k = problem.labels().k();
    let starts = starts_or_zero(problem, starts, k)?;
    let plane = |(class, start): (usize, Plane)| {
        watch.plane(class, k);
        solver.solve(&problem.against_rest(class), start, watch)
    };
    starts.into_iter().enumerate().map(plane).collect()
}

/// The planes to start from: those given, of which there must be `planes`, or zeros.
pub(crate) fn starts_or_zero(
    problem: &Problem<'_>,
    starts: Option<&[Plane]>,
    planes: usize,
) -> Result<Vec<Plane>, Error> {
    match starts {
        None => Ok(vec![Plane::zero(problem.x().d()); planes]),
        Some(starts) if starts.len() == planes => Ok(starts.to_vec()),
        Some(starts) => Err(Error::Shape { what: "start planes", got: starts.len(), want: planes }),
    }
}
