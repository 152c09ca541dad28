//! Training on rows in storage order.
//!
//! The columns of a large sparse matrix may be stored in another order than they are given in
//! ([`ColumnPermutation`](crate::data::ColumnPermutation)). A learner of hyperplanes does not
//! depend on the order: it works in storage order. Start hyperplanes are translated to it, and the
//! results back.

use super::FitResult;
use crate::control::Observer;
use crate::data::{Hyperplane, Problem};
use crate::error::Error;

/// Trains on the rows of a problem in storage order. An observer of single steps sees intermediate
/// hyperplanes, so for it the columns keep the given order.
pub(super) fn in_storage_order(
    problem: &Problem<'_>,
    starts: Option<&[Hyperplane]>,
    watch: &mut dyn Observer,
    learn: impl FnOnce(
        &Problem<'_>,
        Option<&[Hyperplane]>,
        &mut dyn Observer,
    ) -> Result<FitResult, Error>,
) -> Result<FitResult, Error> {
    let d = problem.x().d();
    let fit =
        starts.is_none_or(|hyperplanes| hyperplanes.iter().all(|hyperplane| hyperplane.d() == d));
    let stored = problem.x().in_storage_order().filter(|_| fit && !watch.wants_steps());
    let Some((x, numbering)) = stored else { return learn(problem, starts, watch) };
    let starts: Option<Vec<Hyperplane>> = starts.map(|hyperplanes| {
        hyperplanes.iter().map(|hyperplane| numbering.to_stored(hyperplane)).collect()
    });
    let mut found = learn(&problem.with_rows(&x), starts.as_deref(), watch)?;
    found.model = found.model.map_hyperplanes(|hyperplane| numbering.to_given(hyperplane))?;
    for run in &mut found.runs {
        run.hyperplane = numbering.to_given(&run.hyperplane);
    }
    Ok(found)
}
