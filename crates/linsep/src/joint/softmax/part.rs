//! A start from a part of the rows.
//!
//! With many more rows than weights, an eighth of them has nearly the same optimum and costs an eighth: that is solved first, from an eighth of it in turn,
//! until rows get scarce. The optimum of n rows is off by about (weights)/2n, so a part is solved to a gap of that and no better. As in
//! [`minimise::Newton`](crate::minimise::Newton) the part has *all* rows that are alone in a column, with their own weight,
//! and one in eight of the others, with eight times theirs. It has all rows of rare classes as well: a class that is not there
//! would have no optimum.

use super::criterion::{Criterion, Look};
use super::newton::{self, Start};
use crate::control::{Budget, Stop};
use crate::math::rng::Rng;
use crate::minimise::{Goal, rows_alone};

/// One row in so many.
const SHARE: usize = 8;
/// Rows that a part must have for each weight.
const ROWS_PER_WEIGHT: usize = 5;

/// Drawn rows below which a class is there as a whole.
const ROWS_PER_CLASS: usize = 10;
/// A part that takes more steps is of no use.
const MOST_STEPS: u64 = 100;

/// The best weights for a part of the rows, where there are plenty of them.
pub(super) fn start(criterion: &Criterion<'_>, goal: &Goal) -> Option<Start> {
    let (rows, s) = choose(criterion)?;
    let x = criterion.x.select_rows(&rows);
    let codes: Vec<u32> = rows.iter().map(|&i| criterion.codes[i]).collect();
    let total: f64 = s.iter().sum();
    let mut shares = vec![0.0; criterion.k];
    codes.iter().zip(&s).for_each(|(&code, s)| shares[code as usize] += s / total);
    let cancel = criterion.cancel.clone();
    let part = Criterion { x: &x, codes: &codes, s: &s, total, shares, cancel, ..*criterion };

    let rough = 0.5 * criterion.penalised() as f64 / rows.len() as f64;
    let budget = Budget::epochs(goal.budget.epochs.min(MOST_STEPS));
    let goal = Goal { tol: goal.tol.max(rough), budget };
    let from = start(&part, &goal).unwrap_or_else(|| Start::zero(&part));
    let Some(look) = Look::at(&part, &from.weights) else { return Some(from) };
    let mut quiet = criterion.cancel.clone();
    let found = newton::minimise(&part, from, look, 0, &goal, &mut quiet);
    let newton::Minimum { weights, stop, coupled, .. } = found;
    // Where the time ended first, the weights are still better than none.
    matches!(stop, Stop::Optimal | Stop::Asked).then_some(Start { weights, coupled })
}

/// The rows of the part and what they weigh. `None` where that is too few rows or too many.
fn choose(criterion: &Criterion<'_>) -> Option<(Vec<usize>, Vec<f64>)> {
    let (x, s, codes) = (criterion.x, criterion.s, criterion.codes);
    if x.n() / SHARE < ROWS_PER_WEIGHT * criterion.penalised() {
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
