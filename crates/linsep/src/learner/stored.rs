//! Learning from rows as they are stored.
//!
//! The columns of a large sparse matrix may be stored by other numbers than they are given by
//! ([`Numbering`](crate::data::Numbering)). A learner of planes does not care how columns are numbered: it works by the numbers stored, from start planes that are
//! translated, and the planes that it ends with are translated back.

use super::Fit;
use crate::control::Watch;
use crate::data::{Plane, Problem};
use crate::error::Error;

/// Learns from the rows of a problem as they are stored. A watcher who wants every step sees planes on the way, so for him columns keep their numbers.
pub(super) fn as_stored(
    problem: &Problem<'_>,
    starts: Option<&[Plane]>,
    watch: &mut dyn Watch,
    learn: impl FnOnce(&Problem<'_>, Option<&[Plane]>, &mut dyn Watch) -> Result<Fit, Error>,
) -> Result<Fit, Error> {
    let d = problem.x().d();
    let fit = starts.is_none_or(|planes| planes.iter().all(|plane| plane.d() == d));
    let stored = problem.x().as_stored().filter(|_| fit && !watch.wants_steps());
    let Some((x, numbering)) = stored else { return learn(problem, starts, watch) };
    let starts: Option<Vec<Plane>> =
        starts.map(|planes| planes.iter().map(|plane| numbering.to_stored(plane)).collect());
    let mut found = learn(&problem.with_rows(&x), starts.as_deref(), watch)?;
    found.model = found.model.map_planes(|plane| numbering.to_given(plane))?;
    for run in &mut found.runs {
        run.plane = numbering.to_given(&run.plane);
    }
    Ok(found)
}
