//! Decision threshold of two classes, and the reject option.
//!
//! By default the threshold is z = 0. For unequal costs of the two kinds of errors a model may have
//! another **threshold** t: the positive class where z ≥ t. A model may also **abstain**: rows
//! whose confidence is below a limit get no prediction. Confidence is
//!
//! * the probability of the predicted class, if the model has probabilities and the limit is one;
//! * else the margin: |z − t| of a single hyperplane, or the largest minus the second largest
//!   score.

use super::Link;
use super::decision_rule::DecisionRule;
use crate::error::Error;
use serde::{Deserialize, Serialize};

/// Threshold, and limit of confidence for abstention.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OperatingPoint {
    /// Threshold t; 0 by default.
    pub threshold: f64,
    /// Limit of confidence, if the model abstains.
    pub abstain: Option<Abstain>,
}

/// Confidence below which the model abstains.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Abstain {
    /// Probability of the predicted class, from 0 to 1.
    Probability(f64),
    /// Distance of the scores from a tie, at least 0.
    Margin(f64),
}

/// Prediction of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Class, as a position.
    pub class: u32,
    /// Whether no class wins, so that the scores broke the tie.
    pub ambiguous: bool,
    /// Whether the model abstains, as its confidence is too low.
    pub abstained: bool,
}

impl Abstain {
    /// Value of the limit.
    pub fn below(self) -> f64 {
        match self {
            Self::Probability(p) => p,
            Self::Margin(m) => m,
        }
    }

    /// Measure of confidence: `probability` or `margin`.
    pub fn by(self) -> &'static str {
        match self {
            Self::Probability(_) => "probability",
            Self::Margin(_) => "margin",
        }
    }
}

impl OperatingPoint {
    /// Whether the threshold or the limit differs from the default.
    pub fn is_some(&self) -> bool {
        *self != Self::default()
    }

    /// Rejects values out of range, a threshold with several hyperplanes, and a measure of
    /// confidence that the model lacks.
    pub(super) fn check(&self, decide: DecisionRule, link: &Link) -> Result<(), Error> {
        let bad = |problem| Err(Error::Model { problem });
        if !self.threshold.is_finite() {
            return bad("its threshold is not finite");
        }
        if self.threshold != 0.0 && decide != DecisionRule::Sign {
            return bad("a threshold requires a single hyperplane");
        }
        match self.abstain {
            None => Ok(()),
            Some(_) if decide.has_ambiguous_regions() => {
                bad("abstention requires one score per class")
            }
            Some(Abstain::Probability(_)) if *link == Link::None => {
                bad("it abstains by probability, but has no probabilities")
            }
            Some(Abstain::Probability(p)) if (0.0..=1.0).contains(&p) => Ok(()),
            Some(Abstain::Margin(m)) if m.is_finite() && m >= 0.0 => Ok(()),
            Some(_) => bad("its abstention limit is out of range"),
        }
    }

    /// Class predicted by the scores.
    #[inline]
    pub fn class(&self, decide: DecisionRule, scores: &[f64]) -> u32 {
        match decide {
            DecisionRule::Sign => u32::from(scores[0] >= self.threshold),
            _ => decide.class(scores),
        }
    }

    /// Distance of the scores from a tie.
    pub fn margin(&self, decide: DecisionRule, scores: &[f64]) -> f64 {
        if decide == DecisionRule::Sign {
            return (scores[0] - self.threshold).abs();
        }
        let (mut first, mut second) = (f64::NEG_INFINITY, f64::NEG_INFINITY);
        for &z in scores {
            if z > first {
                second = std::mem::replace(&mut first, z);
            } else {
                second = second.max(z);
            }
        }
        first - second
    }

    /// Prediction of a row with these scores.
    pub fn decision(&self, decide: DecisionRule, link: &Link, scores: &[f64]) -> Decision {
        let (open, ambiguous) = decide.verdict(scores);
        let class = if decide == DecisionRule::Sign { self.class(decide, scores) } else { open };
        let abstained = match self.abstain {
            None => false,
            Some(limit) => self.confidence(limit, decide, link, class, scores) < limit.below(),
        };
        Decision { class, ambiguous, abstained }
    }

    /// Confidence in a class, in the measure of a limit.
    pub(crate) fn confidence(
        &self,
        measure: Abstain,
        decide: DecisionRule,
        link: &Link,
        class: u32,
        scores: &[f64],
    ) -> f64 {
        match measure {
            Abstain::Margin(_) => self.margin(decide, scores),
            Abstain::Probability(_) => {
                let mut p = Vec::new();
                link.probabilities(decide, scores, &mut p);
                p.get(class as usize).copied().unwrap_or(0.0)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_threshold_moves_the_decision_and_a_limit_abstains() {
        let cut = OperatingPoint { threshold: 1.0, abstain: Some(Abstain::Margin(0.5)) };
        let say = |z: f64| {
            let verdict = cut.decision(DecisionRule::Sign, &Link::None, &[z]);
            (verdict.class, verdict.abstained)
        };
        assert_eq!([0.0, 0.75, 1.0, 1.5].map(say), [(0, false), (0, true), (1, true), (1, false)]);
    }

    #[test]
    fn confidence_of_several_hyperplanes() {
        let sure = OperatingPoint { threshold: 0.0, abstain: Some(Abstain::Probability(0.6)) };
        let (decide, link) = (DecisionRule::ArgMax, Link::Softmax);
        let scores = [0.0, 2.0_f64.ln(), 0.0]; // 1/4, 1/2, 1/4
        assert!(sure.decision(decide, &link, &scores).abstained);
        let scores = [0.0, 8.0_f64.ln(), 0.0]; // 1/10, 8/10, 1/10
        assert!(!sure.decision(decide, &link, &scores).abstained);
        assert_eq!(sure.margin(decide, &[1.0, 4.0, 2.5]), 1.5);
        assert_eq!(sure.margin(decide, &[4.0, 4.0, 2.5]), 0.0);
    }

    #[test]
    fn invalid_thresholds_and_limits_are_rejected() {
        let refused = |threshold, abstain, decide, link: &Link| {
            OperatingPoint { threshold, abstain }.check(decide, link).unwrap_err().to_string()
        };
        let (sign, none) = (DecisionRule::Sign, &Link::None);
        assert!(refused(f64::NAN, None, sign, none).contains("finite"));
        assert!(refused(1.0, None, DecisionRule::ArgMax, none).contains("single hyperplane"));
        let (p, m) = (Abstain::Probability, Abstain::Margin);
        assert!(refused(0.0, Some(p(0.5)), sign, none).contains("has no probabilities"));
        assert!(refused(0.0, Some(p(1.5)), sign, &Link::Logistic).contains("range"));
        assert!(refused(0.0, Some(m(-1.0)), sign, none).contains("range"));
        assert!(
            refused(0.0, Some(m(1.0)), DecisionRule::Vote, none).contains("one score per class")
        );
    }
}
