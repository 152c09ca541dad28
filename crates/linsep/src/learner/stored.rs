//! Training on rows in storage order.
//!
//! The columns of a large sparse matrix may be stored in another order than they are given in
//! ([`Numbering`](crate::data::Numbering)). A learner of hyperplanes does not depend on the order:
//! it works in storage order. Start hyperplanes are translated to it, and the results back.

use super::Fit;
use crate::control::Observer;
use crate::data::{Hyperplane, Problem};
use crate::error::Error;

/// Trains on the rows of a problem in storage order. An observer of single steps sees intermediate
/// hyperplanes, so for it the columns keep the given order.
pub(super) fn in_storage_order(
    problem: &Problem<'_>,
    starts: Option<&[Hyperplane]>,
    watch: &mut dyn Observer,
    learn: impl FnOnce(&Problem<'_>, Option<&[Hyperplane]>, &mut dyn Observer) -> Result<Fit, Error>,
) -> Result<Fit, Error> {
    let d = problem.x().d();
    let fit = starts.is_none_or(|planes| planes.iter().all(|plane| plane.d() == d));
    let stored = problem.x().in_storage_order().filter(|_| fit && !watch.wants_steps());
    let Some((x, numbering)) = stored else { return learn(problem, starts, watch) };
    let starts: Option<Vec<Hyperplane>> =
        starts.map(|planes| planes.iter().map(|plane| numbering.to_stored(plane)).collect());
    let mut found = learn(&problem.with_rows(&x), starts.as_deref(), watch)?;
    found.model = found.model.map_planes(|plane| numbering.to_given(plane))?;
    for run in &mut found.runs {
        run.plane = numbering.to_given(&run.plane);
    }
    Ok(found)
}
