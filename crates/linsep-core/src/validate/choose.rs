//! Selection of a point of a regularization path: the best, or the simplest within one standard
//! error.
//!
//! A path has decreasing λ. At each point, cross-validation gives a mean cost and its standard
//! error, the standard deviation over the folds divided by √J.
//!
//! * `best`: the least mean; among equals the largest λ.
//! * `one-standard-error`: the largest λ whose mean is within one standard error of the least. This
//!   is a simpler model that these folds do not distinguish from the best.
//!
//! Source: Breiman, Friedman, Olshen & Stone, *Classification and Regression Trees*, §3.4.3.

use crate::error::{Error, named};
use crate::names::names;
use serde::{Deserialize, Serialize};

/// Rule for the selection of λ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LambdaRule {
    /// The least mean cost.
    #[default]
    Best,
    /// The largest λ whose mean cost exceeds the least by at most one standard error.
    OneStandardError,
}

names!(LambdaRule {
    Best => "best",
    OneStandardError => "one-standard-error",
});

impl LambdaRule {
    /// The rule of that name.
    pub fn by_name(name: &str) -> Result<Self, Error> {
        named("`choose`", name, &Self::ALL, Self::name)
    }
}

/// Mean over folds, with its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Standard deviation over the folds; 0 for a single fold.
    pub deviation: f64,
    /// Standard error: deviation/√J.
    pub error: f64,
}

/// Mean over folds; `None` without values.
pub fn mean(values: &[f64]) -> Option<Mean> {
    if values.is_empty() {
        return None;
    }
    let j = values.len() as f64;
    let mean = values.iter().sum::<f64>() / j;
    let square: f64 = values.iter().map(|v| (v - mean) * (v - mean)).sum();
    let deviation = if values.len() > 1 { (square / (j - 1.0)).sqrt() } else { 0.0 };
    Some(Mean { mean, deviation, error: deviation / j.sqrt() })
}

/// Position of the least cost, and of the selected point; costs are in order of decreasing λ.
/// `None` without costs.
pub fn choose(rule: LambdaRule, costs: &[Mean]) -> Option<(usize, usize)> {
    let less = |a: usize, b: usize| if costs[b].mean < costs[a].mean { b } else { a };
    let best = (0..costs.len()).reduce(less)?;
    let within = costs[best].mean + costs[best].error;
    let taken = match rule {
        LambdaRule::Best => best,
        LambdaRule::OneStandardError => costs.iter().position(|c| c.mean <= within).unwrap_or(best),
    };
    Some((best, taken))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_and_selected_points_equal_a_hand_computation() {
        let m = mean(&[1.0, 2.0, 3.0]).unwrap();
        assert_eq!((m.mean, m.deviation, m.error), (2.0, 1.0, 1.0 / 3.0_f64.sqrt()));
        let point = |mean, error| Mean { mean, deviation: 0.0, error };
        let costs =
            [point(9.0, 0.1), point(5.4, 0.1), point(5.0, 0.5), point(5.0, 0.1), point(6.0, 9.0)];
        assert_eq!(choose(LambdaRule::Best, &costs), Some((2, 2)), "of equals the first");
        assert_eq!(choose(LambdaRule::OneStandardError, &costs), Some((2, 1)));
        assert_eq!(choose(LambdaRule::Best, &[]), None);
        assert!(LambdaRule::ALL.iter().all(|c| LambdaRule::by_name(c.name()) == Ok(*c)));
    }
}
