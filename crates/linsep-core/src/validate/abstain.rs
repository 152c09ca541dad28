//! Reject option: no prediction for rows of low confidence.
//!
//! The limit is given as a probability, or as an error rate allowed among the predicted rows. For
//! an error rate, the lowest sufficient limit of confidence is selected on out-of-fold rows. Rows
//! are sorted by decreasing confidence; the limit is the last place where the cumulative error rate
//! is allowed.
//!
//! Confidence is the probability of the predicted class, or without probabilities the margin (see
//! [`OperatingPoint`]).

use super::threshold::between;
use crate::calibrate::OutOfFoldScores;
use crate::error::Error;
use crate::metric::levels;
use crate::model::{Abstain, Link, OperatingPoint};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Rule for abstention.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AbstainRule {
    /// Probability below which the model abstains.
    Probability(f64),
    /// Error rate allowed among the predicted rows.
    Error(f64),
}

impl AbstainRule {
    /// Limit of confidence, selected on out-of-fold rows.
    pub fn choose(
        &self,
        held: &OutOfFoldScores,
        link: &Link,
        cut: OperatingPoint,
    ) -> Result<Abstain, Error> {
        if held.decide.has_ambiguous_regions() {
            return Err(Error::NoClassScores { what: "`abstain`" });
        }
        let most = match *self {
            Self::Probability(_) if *link == Link::None => {
                return Err(Error::NoProbabilities {
                    what: "`abstain` below a probability",
                    method: "the method",
                    instead: "use `abstain=error<=SHARE`",
                });
            }
            Self::Probability(p) => return Ok(Abstain::Probability(p)),
            Self::Error(most) => most,
        };
        // 1. Confidence of every row, and whether its prediction is correct.
        let by_margin = *link == Link::None;
        let measure = if by_margin { Abstain::Margin(0.0) } else { Abstain::Probability(0.0) };
        let (mut wrong, mut sure) = (Vec::new(), Vec::new());
        for (row, &target) in held.rows().zip(&held.target) {
            let class = cut.class(held.decide, row);
            wrong.push(class != target);
            sure.push(cut.confidence(measure, held.decide, link, class, row));
        }
        // 2. Levels of decreasing confidence.
        let levels = levels(&wrong, &sure, &held.weights);
        let (mut mistakes, mut rows, mut least) = (0.0, 0.0, f64::INFINITY);
        let mut limit = None;
        for (i, level) in levels.iter().enumerate() {
            mistakes += level.up;
            rows += level.up + level.down;
            let share = mistakes / rows;
            least = least.min(share);
            if share <= most {
                limit =
                    Some(levels.get(i + 1).map_or(0.0, |next| between(next.score, level.score)));
            }
        }
        let limit =
            limit.ok_or_else(|| Error::Unreachable { rule: self.to_string(), best: least })?;
        Ok(if by_margin { Abstain::Margin(limit) } else { Abstain::Probability(limit) })
    }
}

impl fmt::Display for AbstainRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Probability(p) => write!(f, "{p}"),
            Self::Error(most) => write!(f, "error<={most}"),
        }
    }
}

impl FromStr for AbstainRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (number, error) = match text.strip_prefix("error<=") {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        let unknown = || Error::UnknownName {
            family: "abstention rule",
            got: text.to_owned(),
            known: vec!["a probability (e.g. 0.9)", "error<=SHARE"],
        };
        let got: f64 = number.trim().parse().map_err(|_| unknown())?;
        if !(0.0..=1.0).contains(&got) {
            return Err(Error::Setting { name: "abstain", got, want: "a number from 0 to 1" });
        }
        Ok(if error { Self::Error(got) } else { Self::Probability(got) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::DecisionRule;

    fn held() -> OutOfFoldScores {
        let mut held = OutOfFoldScores::new(DecisionRule::Sign, 2);
        // Margins 4 correct, 3 correct, 2 misclassified, 1 correct, 0.5 misclassified.
        for (z, target) in [(4.0, 1), (-3.0, 0), (2.0, 0), (1.0, 1), (-0.5, 1)] {
            held.push(0, target, 1.0, &[z]);
        }
        held
    }

    #[test]
    fn the_limit_covers_as_many_rows_as_the_error_rate_allows() {
        let choose =
            |most| AbstainRule::Error(most).choose(&held(), &Link::None, OperatingPoint::default());
        assert_eq!(choose(0.0), Ok(Abstain::Margin(2.5)), "the first two");
        assert_eq!(choose(0.25), Ok(Abstain::Margin(0.75)), "one of four is misclassified");
        assert_eq!(choose(0.4), Ok(Abstain::Margin(0.0)), "all");
        let p = AbstainRule::Error(0.25)
            .choose(&held(), &Link::Logistic, OperatingPoint::default())
            .unwrap();
        let at = |z: f64| 1.0 / (1.0 + (-z).exp());
        assert_eq!(p, Abstain::Probability(f64::midpoint(at(0.5), at(1.0))));
    }

    #[test]
    fn unreachable_limits_are_rejected() {
        let mut held = OutOfFoldScores::new(DecisionRule::Sign, 2);
        held.push(0, 0, 1.0, &[5.0]);
        let error = AbstainRule::Error(0.1)
            .choose(&held, &Link::None, OperatingPoint::default())
            .unwrap_err();
        assert!(error.to_string().contains("error<=0.1"), "{error}");
        let error = AbstainRule::Probability(0.9)
            .choose(&held, &Link::None, OperatingPoint::default())
            .unwrap_err();
        assert!(error.to_string().contains("calibrate"), "{error}");
        for limit in [AbstainRule::Probability(0.9), AbstainRule::Error(0.05)] {
            assert_eq!(limit.to_string().parse(), Ok(limit));
        }
        assert!("2".parse::<AbstainRule>().is_err() && "error<0.1".parse::<AbstainRule>().is_err());
    }
}
