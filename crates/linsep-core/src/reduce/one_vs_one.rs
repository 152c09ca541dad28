//! One-vs-one: a hyperplane per pair of classes, trained on the rows of the two.
//!
//! For a < b the rows of class a have y = −1, those of class b y = +1, and all others are left out.
//! A new row gets a vote from each of the k(k−1)/2 hyperplanes, and the class with the most votes
//! wins. A shared maximum (1 beats 0, 2 beats 1, 0 beats 2) has no winner: the hyperplanes leave
//! ambiguous regions between the classes.
//!
//! Cost: every row takes part in k − 1 problems, which are smaller and closer to balanced than
//! those of one-vs-rest. The rows of a pair are a view without a copy, in the order of the data.
//! Source: Knerr, Personnaz & Dreyfus, *Single-layer learning revisited* (1990); Bishop, *Pattern
//! Recognition and Machine Learning*, §4.1.2.

use super::parallel::{check_starts, run, side_by_side, start_of};
use crate::binary::{BinaryFit, BinaryLearner};
use crate::control::Observer;
use crate::data::{Hyperplane, Problem};
use crate::error::Error;
use crate::model::DecisionRule;

/// Trains a hyperplane for each pair (0, 1), (0, 2), …, (1, 2), …, each from its own start or from
/// zero. The later class of a pair is the positive one.
pub fn one_vs_one(
    problem: &Problem<'_>,
    solver: &dyn BinaryLearner,
    starts: Option<&[Hyperplane]>,
    watch: &mut dyn Observer,
) -> Result<Vec<BinaryFit>, Error> {
    let class_pairs = DecisionRule::Vote.class_pairs(problem.labels().k());
    check_starts(starts, class_pairs.len())?;
    let of_class = problem.rows_by_class();
    side_by_side(class_pairs.len(), watch, |j, watch| {
        let positive = class_pairs[j].positive;
        let negative = class_pairs[j].negative.expect("a pair has two sides");
        let mut rows = [&of_class[negative][..], &of_class[positive][..]].concat();
        rows.sort_unstable();
        let part = problem.among(&rows, positive);
        run(solver, &part.binary(), start_of(problem, starts, j), watch)
    })
}
