//! Reduction of multiclass problems to binary ones, one per hyperplane of a [`DecisionRule`].
//!
//! * **One-vs-rest, k hyperplanes** (`ArgMax`). The hyperplane of class j is fitted to yᵢ = +1 for
//!   rows of class j, −1 for others. The class with the largest score wins. The scores of
//!   separately trained hyperplanes have no common scale; this works well in practice, but has no
//!   theoretical guarantee. The regions are convex, a property of every argmax of linear functions.
//! * **One-vs-rest, k − 1 hyperplanes** (`OneOrLast`, from the lectures). All classes but the last
//!   have one. A point belongs to the only class with a nonnegative score, or to the last class if
//!   all scores are negative. With two or more nonnegative scores it is ambiguous; such regions
//!   exist whenever two of the hyperplanes are not parallel.
//! * **One-vs-one** (`Vote`). For a < b the rows of class a have y = −1, those of class b y = +1,
//!   and all others are left out. A new row gets a vote from each of the k(k−1)/2 hyperplanes, and
//!   the class with the most votes wins. A shared maximum (1 beats 0, 2 beats 1, 0 beats 2) has no
//!   winner: the hyperplanes leave ambiguous regions between the classes.
//!
//! Cost: one-vs-rest takes k (or k − 1) binary problems on the same rows, without copies. In
//! one-vs-one every row takes part in k − 1 problems, which are smaller and closer to balanced. The
//! rows of a pair are a view without a copy, in the order of the data.
//! Source: Duda, Hart & Stork, *Pattern Classification*, §5.2.2; Bishop, *Pattern Recognition and
//! Machine Learning*, §4.1.2; Knerr, Personnaz & Dreyfus, *Single-layer learning revisited* (1990).

mod parallel;

use crate::binary::{BinaryFit, BinaryLearner};
use crate::control::Observer;
use crate::data::{BinaryProblem, Hyperplane, Problem};
use crate::error::Error;
use crate::model::{ClassPair, DecisionRule};
use parallel::side_by_side;

/// Trains the hyperplanes of a decision rule, in its order of class pairs, each from its own start
/// or from zero.
pub fn reduce(
    problem: &Problem<'_>,
    rule: DecisionRule,
    solver: &dyn BinaryLearner,
    starts: Option<&[Hyperplane]>,
    watch: &mut dyn Observer,
) -> Result<Vec<BinaryFit>, Error> {
    let class_pairs = rule.class_pairs(problem.labels().k());
    let want = class_pairs.len();
    if let Some(got) = starts.map(<[_]>::len).filter(|got| *got != want) {
        return Err(Error::Shape { what: "starting hyperplanes", got, want });
    }
    let of_class = if rule == DecisionRule::Vote { problem.rows_by_class() } else { Vec::new() };
    side_by_side(want, watch, |j, watch| {
        let start =
            starts.map_or_else(|| Hyperplane::zero(problem.x().d()), |starts| starts[j].clone());
        // Without an observer, the run counts as not started.
        let run = |binary: &BinaryProblem<'_>| match watch {
            Some(watch) => solver.fit(binary, start, watch),
            None => Ok(BinaryFit::not_started(binary, start)),
        };
        let ClassPair { positive, negative } = class_pairs[j];
        let Some(negative) = negative else { return run(&problem.against_rest(positive)) };
        let mut rows = [&of_class[negative][..], &of_class[positive][..]].concat();
        rows.sort_unstable();
        run(&problem.among(&rows, positive).binary())
    })
}
