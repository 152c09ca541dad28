//! Memory of training, estimated before it is allocated.

use crate::error::Error;
use linsep_core::Problem;
use linsep_core::learner::Learner;
use linsep_io::Memory;

/// Returns an error if training, including the features, takes more.
pub(crate) fn check_learner(
    limit: Memory,
    file: &str,
    learner: &dyn Learner,
    problem: &Problem<'_>,
) -> Result<(), Error> {
    let bytes = u128::from(learner.memory(problem)) + problem.x().bytes() as u128;
    let (n, d, k) = (problem.x().n(), problem.x().d(), problem.labels().k());
    if bytes <= u128::from(limit.0) {
        return Ok(());
    }
    let what = format!("{} on {n} rows, {d} features and {k} classes", learner.name());
    let instead = "use another `method`, `solver` or `multiclass`, or fewer features";
    Err(limit.exceeded(file, &what, bytes, instead).into())
}
