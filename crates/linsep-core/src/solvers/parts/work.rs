//! Work of the operations that solvers share, in units of one streaming visit of a stored value.
//!
//! The factors of the estimates were fitted to runs on a9a, covtype, mnist and imdb (`bench/`).
//! They are coarse: solvers that suit a problem differ from the rest by factors of ten.

use crate::data::{Rows, on_rows};
use crate::objective::Objective;

/// A pass over the data: N, the number of stored values.
pub(crate) fn pass(objective: &Objective<'_>) -> f64 {
    objective.x().stored() as f64
}

/// The products of H: Σ (nonzeros of a row)²/2, at a quarter of a visit each.
pub(crate) fn hessian(objective: &Objective<'_>) -> f64 {
    let (n, stored) = (objective.x().n() as f64, pass(objective));
    0.25 * 0.5 * n * (stored / n) * (stored / n)
}

/// The factor of a d × d matrix: d³/6 products, at an eighth of a visit each.
pub(crate) fn factor(d: f64) -> f64 {
    0.125 * d * d * d / 6.0
}

/// The factor `times` if the loss has flat parts and the penalty is not λ₂ alone, else 1:
/// second-order solvers then take many more iterations.
pub(crate) fn more_if_flat(objective: &Objective<'_>, times: f64) -> f64 {
    let flat = objective.loss().flat().1.is_finite() && !objective.penalty().is_l2_alone();
    if flat { times } else { 1.0 }
}

/// The interaction between rows, q = mean ‖x‖²/(λ₂S), from a few hundred evenly spaced rows. It is
/// about 1 for text of unit length at C = 1, and 54 for 54 standardized features, where an epoch
/// row by row gains little.
pub(crate) fn interaction(objective: &Objective<'_>) -> f64 {
    const LOOKED_AT: usize = 512;
    let x = objective.x();
    let step = x.n().div_ceil(LOOKED_AT);
    let norms: Vec<f64> =
        on_rows!(x, x => (0..x.n()).step_by(step).map(|i| x.norm_sq(i)).collect());
    let mean = norms.iter().sum::<f64>() / norms.len() as f64;
    mean / (objective.penalty().l2 * objective.total())
}
