//! Decision rules: from scores to a class.
//!
//! | rule | hyperplanes for k classes | hyperplane j separates | a class wins if |
//! |---|---|---|---|
//! | `sign` | 1, k = 2 | the second from the first | z ≥ 0: the second |
//! | `argmax` | k | class j from the rest | its score is the largest |
//! | `one-or-last` | k − 1 | class j from the rest | only its score is ≥ 0; the last if none is |
//! | `vote` | k(k−1)/2 | the later of a pair from the earlier | it has the most votes |
//!
//! The last two rules have **ambiguous** regions: several of k − 1 scores are nonnegative, or
//! several classes share the most votes. A point there is still assigned to the class of largest
//! score among them. The score of a class among pairs is the sum over its pairs.

use crate::data::Label;
use crate::error::{Error, named};
use serde::{Deserialize, Serialize};

/// Decision rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum DecisionRule {
    /// One hyperplane, two classes: the second if z ≥ 0, the first if z < 0.
    Sign,
    /// One hyperplane per class: the largest score wins, among equals the first.
    #[serde(rename = "argmax")]
    ArgMax,
    /// One hyperplane per class but the last, the class of rows with negative scores only.
    OneOrLast,
    /// One hyperplane per pair of classes, (1, 2), (1, 3), …, (2, 3), …: each is a vote, for the
    /// later class if z ≥ 0.
    Vote,
}

/// Classes that a hyperplane separates, by position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassPair {
    /// Class of positive scores.
    pub positive: usize,
    /// Class of negative scores; `None` for all other classes.
    pub negative: Option<usize>,
}

impl DecisionRule {
    /// Every rule.
    pub const ALL: [Self; 4] = [Self::Sign, Self::ArgMax, Self::OneOrLast, Self::Vote];

    /// Name, the same in every interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sign => "sign",
            Self::ArgMax => "argmax",
            Self::OneOrLast => "one-or-last",
            Self::Vote => "vote",
        }
    }

    /// The rule of that name.
    pub fn by_name(name: &str) -> Result<Self, Error> {
        named("decision rule", name, &Self::ALL, Self::name)
    }

    /// Number of hyperplanes for k classes.
    pub fn hyperplanes(self, k: usize) -> usize {
        match self {
            Self::Sign => 1,
            Self::ArgMax => k,
            Self::OneOrLast => k - 1,
            Self::Vote => k * (k - 1) / 2,
        }
    }

    /// Classes that each hyperplane separates, in order.
    pub fn class_pairs(self, k: usize) -> Vec<ClassPair> {
        let against_rest = |positive| ClassPair { positive, negative: None };
        match self {
            Self::Sign => vec![ClassPair { positive: 1, negative: Some(0) }],
            Self::ArgMax => (0..k).map(against_rest).collect(),
            Self::OneOrLast => (0..k - 1).map(against_rest).collect(),
            Self::Vote => {
                let later =
                    |a| (a + 1..k).map(move |b| ClassPair { positive: b, negative: Some(a) });
                (0..k).flat_map(later).collect()
            }
        }
    }

    /// Names of the hyperplanes: the class of positive scores, or for votes the pair, `a vs b`.
    pub fn hyperplane_names(self, classes: &[Label]) -> Vec<String> {
        let name = |pair: &ClassPair| match pair.negative {
            Some(negative) if self == Self::Vote => {
                format!("{} vs {}", classes[pair.positive], classes[negative])
            }
            _ => classes[pair.positive].to_string(),
        };
        self.class_pairs(classes.len()).iter().map(name).collect()
    }

    /// Whether the rule has ambiguous regions.
    pub fn has_ambiguous_regions(self) -> bool {
        matches!(self, Self::OneOrLast | Self::Vote)
    }

    /// Class predicted by the scores.
    #[inline]
    pub fn class(self, scores: &[f64]) -> u32 {
        match self {
            Self::Sign => u32::from(scores[0] >= 0.0),
            Self::ArgMax => largest(scores) as u32,
            Self::OneOrLast => {
                let best = largest(scores);
                (if scores[best] >= 0.0 { best } else { scores.len() }) as u32
            }
            Self::Vote => VoteCount::of(scores).winner(),
        }
    }

    /// Predicted class, and whether the scores are ambiguous.
    pub fn verdict(self, scores: &[f64]) -> (u32, bool) {
        match self {
            Self::Vote => {
                let poll = VoteCount::of(scores);
                (poll.winner(), poll.is_shared())
            }
            _ => (self.class(scores), self.ambiguous(scores)),
        }
    }

    /// Whether the scores are ambiguous. Points exactly on a boundary of the first two rules do not
    /// count: they form no region.
    pub fn ambiguous(self, scores: &[f64]) -> bool {
        match self {
            Self::Sign | Self::ArgMax => false,
            Self::OneOrLast => scores.iter().filter(|z| **z >= 0.0).count() > 1,
            Self::Vote => VoteCount::of(scores).is_shared(),
        }
    }
}

/// Position of the largest score; among equals the first.
#[inline]
fn largest(scores: &[f64]) -> usize {
    let mut winner = 0;
    for (j, z) in scores.iter().enumerate() {
        if *z > scores[winner] {
            winner = j;
        }
    }
    winner
}

/// Votes and sums of scores per class.
struct VoteCount {
    votes: Vec<u32>,
    sums: Vec<f64>,
    most: u32,
}

impl VoteCount {
    fn of(scores: &[f64]) -> Self {
        // m = k(k−1)/2, so (2k − 1)² = 1 + 8m, which is exact for every m that fits in memory.
        let k = ((1.0 + 8.0 * scores.len() as f64).sqrt() as usize).midpoint(1);
        let (mut votes, mut sums) = (vec![0; k], vec![0.0; k]);
        let mut at = 0;
        for a in 0..k {
            for b in a + 1..k {
                let z = scores[at];
                votes[if z >= 0.0 { b } else { a }] += 1;
                sums[a] -= z;
                sums[b] += z;
                at += 1;
            }
        }
        let most = votes.iter().copied().max().unwrap_or(0);
        Self { votes, sums, most }
    }

    fn leaders(&self) -> impl Iterator<Item = usize> {
        (0..self.votes.len()).filter(|&c| self.votes[c] == self.most)
    }

    fn is_shared(&self) -> bool {
        self.leaders().nth(1).is_some()
    }

    fn winner(&self) -> u32 {
        let better = |best, c| if self.sums[c] > self.sums[best] { c } else { best };
        self.leaders().reduce(better).unwrap_or(0) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_the_positive_class_and_to_the_first_winner() {
        assert_eq!([-1.0, -0.0, 0.0, 2.0].map(|z| DecisionRule::Sign.class(&[z])), [0, 1, 1, 1]);
        assert_eq!(DecisionRule::ArgMax.class(&[1.0, 3.0, 3.0]), 1);
        assert_eq!(DecisionRule::ArgMax.class(&[-2.0, -1.0, -3.0]), 1);
    }

    #[test]
    fn one_or_last_is_ambiguous_with_two_nonnegative_scores() {
        let rule = DecisionRule::OneOrLast;
        let both = |z: &[f64]| (rule.class(z), rule.ambiguous(z));
        assert_eq!(both(&[-1.0, 2.0]), (1, false));
        assert_eq!(both(&[0.0, -2.0]), (0, false), "a row on the hyperplane gets a class");
        assert_eq!(both(&[-1.0, -2.0]), (2, false), "nobody's is the last class's");
        assert_eq!(both(&[1.0, 2.0]), (1, true), "the larger claim breaks the tie");
    }

    #[test]
    fn a_cycle_of_votes_is_ambiguous() {
        // Pairs (0,1), (0,2), (1,2); z ≥ 0 votes for the later class.
        let rule = DecisionRule::Vote;
        let both = |z: &[f64]| {
            assert_eq!(rule.verdict(z), (rule.class(z), rule.ambiguous(z)));
            rule.verdict(z)
        };
        assert_eq!(both(&[-1.0, -1.0, 5.0]), (0, false), "two votes, however small");
        assert_eq!(both(&[1.0, 3.0, -1.0]), (1, false));
        assert_eq!(both(&[1.0, 3.0, 1.0]), (2, false));
        // 1 beats 0, 2 beats 1, 0 beats 2: one vote each; sums −1 + 2, 1 − 3, 3 − 2.
        assert_eq!(both(&[1.0, -2.0, 3.0]), (0, true));
        assert_eq!(rule.class(&[0.0; 1]), 1, "two classes: as the sign");
    }

    #[test]
    fn every_hyperplane_has_its_pair_of_classes() {
        for k in 2..40 {
            for rule in [DecisionRule::ArgMax, DecisionRule::OneOrLast, DecisionRule::Vote] {
                let class_pairs = rule.class_pairs(k);
                assert_eq!(class_pairs.len(), rule.hyperplanes(k));
                // A hyperplane with the only positive score predicts its class.
                for (j, class_pair) in class_pairs.iter().enumerate() {
                    let mut z = vec![-1.0; class_pairs.len()];
                    z[j] = 1.0;
                    if rule != DecisionRule::Vote {
                        assert_eq!(rule.class(&z) as usize, class_pair.positive);
                    }
                    assert!(class_pair.negative.is_none_or(|n| n < class_pair.positive));
                }
            }
            let most = vec![-1.0; DecisionRule::Vote.hyperplanes(k)];
            assert_eq!(
                DecisionRule::Vote.class(&most),
                0,
                "{k}: the first class wins all its votes"
            );
            let most = vec![1.0; DecisionRule::Vote.hyperplanes(k)];
            assert_eq!(DecisionRule::Vote.class(&most) as usize, k - 1, "{k}: the last does");
        }
    }
}
