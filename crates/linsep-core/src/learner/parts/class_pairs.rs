//! Binary problems of the hyperplanes of a model.

use crate::data::{BinaryProblem, Problem};
use crate::error::Error;
use crate::model::DecisionRule;

/// Applies `work` to the binary problem of each hyperplane, in order. Of two classes `positive` is
/// the positive one, by default the second.
pub(in crate::learner) fn each_binary_problem<T>(
    problem: &Problem<'_>,
    decide: DecisionRule,
    positive: Option<usize>,
    mut work: impl FnMut(&BinaryProblem<'_>) -> T,
) -> Result<Vec<T>, Error> {
    if let Some(positive) = problem.positive(positive)? {
        return Ok(vec![work(&problem.against_rest(positive))]);
    }
    let of_class = problem.rows_by_class();
    let class_pairs = decide.class_pairs(problem.labels().k());
    let each = class_pairs.iter().map(|class_pair| match class_pair.negative {
        None => work(&problem.against_rest(class_pair.positive)),
        Some(negative) => {
            let mut rows = [&of_class[negative][..], &of_class[class_pair.positive][..]].concat();
            rows.sort_unstable();
            work(&problem.among(&rows, class_pair.positive).binary())
        }
    });
    Ok(each.collect())
}
