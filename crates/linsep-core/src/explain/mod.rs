//! Explanation of predictions: contributions and counterfactuals.
//!
//! A linear model has exact and short explanations:
//!
//! * **Contributions.** The score of a row is a sum, z = Σⱼ wⱼ(xⱼ − cⱼ) + (b + w·c), for any center
//!   c ([`contributions`]). It has one term for each column, and one for a row equal to c.
//! * **Counterfactuals.** Except with votes, the regions of the classes are convex and bounded by
//!   hyperplanes. So the nearest row of another class is a projection ([`ClassScores::nearest`]).
//!   Along a line, for example of one column, every score is linear. So the first change of the
//!   prediction is the minimum of a few quotients ([`ClassScores::reach`]).
//!
//! Every counterfactual is verified: the changed row has been scored, and its prediction differs.

mod class_scores;
mod nearest;
mod reach;

pub use class_scores::{ClassScores, contributions};
pub use nearest::Counterfactual;

#[cfg(test)]
mod fixture {
    use crate::data::{Hyperplane, Label};
    use crate::model::{DecisionRule, LinearModel};

    /// Model of k classes, 0, 1, …, from the coefficients of its hyperplanes, each with its
    /// intercept last.
    pub(super) fn model(decide: DecisionRule, k: usize, numbers: &[f64], d: usize) -> LinearModel {
        let classes = (0..k).map(|c| Label::Number(c as f64)).collect();
        let hyperplanes = numbers.chunks_exact(d + 1).take(decide.hyperplanes(k));
        let hyperplanes = hyperplanes.map(|n| Hyperplane { w: n[..d].to_vec(), b: n[d] }).collect();
        LinearModel::new(classes, hyperplanes, decide).unwrap()
    }
}
