//! Start from a subset of the rows.
//!
//! With many more rows than weights, an eighth of the rows has nearly the same optimum at an eighth
//! of the cost. It is solved first, itself starting from an eighth of it, while there are enough
//! rows. The optimum of n rows differs by about (weights)/2n in F, so a subset is solved only to
//! that gap.
//!
//! As in the solver `newton` the subset has *all* rows that dominate a feature, with their own
//! weight. Of the others it has one in eight, with eight times their weight. It has all rows of
//! rare classes as well, as a missing class would have no optimum.

use super::criterion::{SoftmaxObjective, SoftmaxState};
use super::newton::{self, Start};
use crate::control::{Budget, StopReason};
use crate::math::rng::Rng;
use crate::solvers::{StoppingCriteria, rows_alone};

/// Inverse sampling rate: one row in eight.
const SHARE: usize = 8;
/// Least rows of a subset per weight.
const ROWS_PER_WEIGHT: usize = 5;

/// Drawn rows below which all rows of a class are taken.
const ROWS_PER_CLASS: usize = 10;
/// Iteration limit on a subset; beyond it the start has no benefit.
const MOST_STEPS: u64 = 100;

/// Best weights for a subset of the rows, if there are enough rows.
pub(super) fn start(criterion: &SoftmaxObjective<'_>, goal: &StoppingCriteria) -> Option<Start> {
    let (rows, s) = choose(criterion)?;
    let x = criterion.x.select_rows(&rows);
    let codes: Vec<u32> = rows.iter().map(|&i| criterion.codes[i]).collect();
    let total: f64 = s.iter().sum();
    let mut shares = vec![0.0; criterion.k];
    codes.iter().zip(&s).for_each(|(&code, s)| shares[code as usize] += s / total);
    let cancel = criterion.cancel.clone();
    let part =
        SoftmaxObjective { x: &x, codes: &codes, s: &s, total, shares, cancel, ..*criterion };

    let rough = 0.5 * criterion.penalized() as f64 / rows.len() as f64;
    let budget = Budget::epochs(goal.budget.epochs.min(MOST_STEPS));
    let goal = StoppingCriteria { tol: goal.tol.max(rough), budget };
    let from = start(&part, &goal).unwrap_or_else(|| Start::zero(&part));
    let Some(look) = SoftmaxState::at(&part, &from.weights) else { return Some(from) };
    let mut quiet = criterion.cancel.clone();
    let found = newton::minimize(&part, from, look, 0, &goal, &mut quiet);
    let newton::Minimum { weights, stop, coupled, .. } = found;
    // After the time limit the weights are still better than zeros.
    matches!(stop, StopReason::Optimal | StopReason::Interrupted)
        .then_some(Start { weights, coupled })
}

/// Rows of the subset and their sample weights. `None` if that is too few rows or too many.
fn choose(criterion: &SoftmaxObjective<'_>) -> Option<(Vec<usize>, Vec<f64>)> {
    let (x, s, codes) = (criterion.x, criterion.s, criterion.codes);
    if x.n() / SHARE < ROWS_PER_WEIGHT * criterion.penalized() {
        return None;
    }
    let mut rng = Rng::new(SHARE as u64, x.n() as u64);
    let one_of = |block: usize| block * SHARE + rng.below(SHARE as u64) as usize;
    let drawn: Vec<usize> = (0..x.n() / SHARE).map(one_of).collect();
    let mut of_class = vec![0; criterion.k];
    drawn.iter().filter(|i| s[**i] > 0.0).for_each(|&i| of_class[codes[i] as usize] += 1);
    let mut whole: Vec<bool> =
        codes.iter().map(|code| of_class[*code as usize] < ROWS_PER_CLASS).collect();
    rows_alone(x, &drawn).into_iter().for_each(|i| whole[i] = true);
    let common = drawn.into_iter().filter(|&i| !whole[i]);
    let mut rows: Vec<(usize, f64)> = common.map(|i| (i, s[i] * SHARE as f64)).collect();
    rows.extend((0..x.n()).filter(|&i| whole[i]).map(|i| (i, s[i])));
    rows.retain(|(_, s)| *s > 0.0);
    let fits = !rows.is_empty() && rows.len() <= x.n() / 4;
    fits.then(|| rows.into_iter().unzip())
}
