//! Decision threshold of two classes for unequal costs of the two kinds of errors.
//!
//! Of the out-of-fold rows at or above a threshold t, tp are positive and fp negative; fn positive
//! rows are below it. One threshold of each distinct outcome is tried: above all scores, between
//! any two, and at the lowest. The best by a rule is selected, among equals the one nearest to 0,
//! the default.
//!
//! | rule | maximizes |
//! |---|---|
//! | `f1` | 2tp/(2tp + fp + fn) |
//! | `youden` | tp/(tp + fn) − fp/(fp + tn) |
//! | `cost:FP,FN` | −(FP·fp + FN·fn) |
//! | `precision>=P` | recall, among thresholds with precision at least P |
//! | `recall>=R` | precision, among thresholds with recall at least R |
//! | a number | none: the threshold is a probability if the model has probabilities, else a score |
//!
//! Cost: a sort of the rows.

use crate::error::Error;
use crate::metric::{Level, levels};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Rule for the selection of a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThresholdRule {
    /// Harmonic mean of precision and recall.
    F1,
    /// Recall plus specificity.
    Youden,
    /// Costs of the two kinds of errors.
    Cost {
        /// Cost of a negative row predicted positive.
        false_positive: f64,
        /// Cost of a positive row predicted negative.
        false_negative: f64,
    },
    /// Largest recall at no less than this precision.
    Precision(f64),
    /// Largest precision at no less than this recall.
    Recall(f64),
    /// A given threshold: a probability of the positive class if the model has probabilities, else
    /// a score.
    At(f64),
}

/// Confusion counts of a threshold: total weights of the four kinds of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ConfusionCounts {
    /// Positive rows predicted positive.
    pub true_positive: f64,
    /// Negative rows predicted positive.
    pub false_positive: f64,
    /// Positive rows predicted negative.
    pub false_negative: f64,
    /// Negative rows predicted negative.
    pub true_negative: f64,
}

impl ConfusionCounts {
    /// Adds a row.
    pub fn add(&mut self, positive: bool, found: bool, weight: f64) {
        let cell = match (positive, found) {
            (true, true) => &mut self.true_positive,
            (false, true) => &mut self.false_positive,
            (true, false) => &mut self.false_negative,
            (false, false) => &mut self.true_negative,
        };
        *cell += weight;
    }

    /// tp/(tp + fp).
    pub fn precision(&self) -> Option<f64> {
        share(self.true_positive, self.true_positive + self.false_positive)
    }

    /// tp/(tp + fn).
    pub fn recall(&self) -> Option<f64> {
        share(self.true_positive, self.true_positive + self.false_negative)
    }

    /// 2tp/(2tp + fp + fn).
    pub fn f1(&self) -> Option<f64> {
        let wrong = self.false_positive + self.false_negative;
        share(2.0 * self.true_positive, 2.0 * self.true_positive + wrong)
    }

    /// tn/(tn + fp).
    pub fn specificity(&self) -> Option<f64> {
        share(self.true_negative, self.true_negative + self.false_positive)
    }

    /// (tp + tn)/all.
    pub fn accuracy(&self) -> Option<f64> {
        let right = self.true_positive + self.true_negative;
        share(right, right + self.false_positive + self.false_negative)
    }
}

fn share(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

impl ThresholdRule {
    /// Syntax of the rules.
    pub const WRITTEN: [&'static str; 6] =
        ["f1", "youden", "cost:FP,FN", "precision>=P", "recall>=R", "a number"];

    /// Value that the rule maximizes; `None` for a zero denominator or a violated constraint.
    pub fn value(&self, at: &ConfusionCounts) -> Option<f64> {
        match *self {
            Self::F1 => at.f1(),
            Self::Youden => Some(at.recall()? + at.specificity()? - 1.0),
            Self::Cost { false_positive, false_negative } => Some(
                0.0 - (false_positive * at.false_positive + false_negative * at.false_negative),
            ),
            Self::Precision(least) => {
                at.precision().filter(|p| *p >= least).and_then(|_| at.recall())
            }
            Self::Recall(least) => at.recall().filter(|r| *r >= least).and_then(|_| at.precision()),
            Self::At(_) => at.accuracy(),
        }
    }

    /// Mean cost per row, if the rule is a cost.
    pub fn cost(&self, at: &ConfusionCounts) -> Option<f64> {
        let Self::Cost { .. } = self else { return None };
        let rows = at.true_positive + at.false_positive + at.false_negative + at.true_negative;
        (rows > 0.0).then(|| -self.value(at).unwrap_or(0.0) / rows)
    }

    /// Best threshold for these rows.
    pub fn threshold(
        &self,
        positive: &[bool],
        scores: &[f64],
        weights: &[f64],
    ) -> Result<f64, Error> {
        let levels = levels(positive, scores, weights);
        let sum = |of: fn(&Level) -> f64| levels.iter().map(of).sum::<f64>();
        let mut at = ConfusionCounts {
            false_negative: sum(|level| level.up),
            true_negative: sum(|level| level.down),
            ..ConfusionCounts::default()
        };
        // 1. No row is positive above all scores; the levels become positive in decreasing order.
        let mut tried = vec![(levels.first().map_or(0.0, |top| top.score.next_up()), at)];
        for (i, level) in levels.iter().enumerate() {
            at.true_positive += level.up;
            at.false_negative -= level.up;
            at.false_positive += level.down;
            at.true_negative -= level.down;
            let below =
                levels.get(i + 1).map_or(level.score, |next| between(next.score, level.score));
            tried.push((below, at));
        }
        // 2. The best threshold; among equals the nearest to 0.
        let best =
            tried.iter().filter_map(|(t, at)| Some((self.value(at)?, *t))).reduce(|best, new| {
                let nearer = new.0 == best.0 && new.1.abs() < best.1.abs();
                if new.0 > best.0 || nearer { new } else { best }
            });
        best.map(|(_, t)| t).ok_or_else(|| self.unreachable(&tried))
    }

    /// Error with the largest value that any threshold reaches.
    fn unreachable(&self, tried: &[(f64, ConfusionCounts)]) -> Error {
        let near = |(_, at): &(f64, ConfusionCounts)| match self {
            Self::Precision(_) => at.precision(),
            _ => at.recall(),
        };
        let best = tried.iter().filter_map(near).fold(0.0, f64::max);
        Error::Unreachable { rule: self.to_string(), best }
    }
}

/// A number above `low` and at most `high`, in the middle if possible.
pub(super) fn between(low: f64, high: f64) -> f64 {
    let middle = f64::midpoint(low, high);
    if middle > low && middle <= high { middle } else { high }
}

impl fmt::Display for ThresholdRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::F1 => f.write_str("f1"),
            Self::Youden => f.write_str("youden"),
            Self::Cost { false_positive, false_negative } => {
                write!(f, "cost:{false_positive},{false_negative}")
            }
            Self::Precision(least) => write!(f, "precision>={least}"),
            Self::Recall(least) => write!(f, "recall>={least}"),
            Self::At(given) => write!(f, "{given}"),
        }
    }
}

impl FromStr for ThresholdRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let unknown = || Error::UnknownName {
            family: "threshold rule",
            got: text.to_owned(),
            known: Self::WRITTEN.to_vec(),
        };
        let number = |text: &str| text.trim().parse::<f64>().map_err(|_| unknown());
        let share = |text: &str, name: &'static str| match number(text)? {
            share if (0.0..=1.0).contains(&share) => Ok(share),
            got => Err(Error::Setting { name, got, want: "a number from 0 to 1" }),
        };
        if let Some(least) = text.strip_prefix("precision>=") {
            return Ok(Self::Precision(share(least, "threshold")?));
        }
        if let Some(least) = text.strip_prefix("recall>=") {
            return Ok(Self::Recall(share(least, "threshold")?));
        }
        if let Some((one, other)) =
            text.strip_prefix("cost:").and_then(|costs| costs.split_once(','))
        {
            let (false_positive, false_negative) = (number(one)?, number(other)?);
            for got in [false_positive, false_negative] {
                if !(got.is_finite() && got >= 0.0) {
                    return Err(Error::Setting {
                        name: "threshold",
                        got,
                        want: "finite costs of at least 0",
                    });
                }
            }
            if false_positive == 0.0 && false_negative == 0.0 {
                let want = "at least one cost above 0";
                return Err(Error::Setting { name: "threshold", got: 0.0, want });
            }
            return Ok(Self::Cost { false_positive, false_negative });
        }
        match text {
            "f1" => Ok(Self::F1),
            "youden" => Ok(Self::Youden),
            text => match number(text)? {
                given if given.is_finite() => Ok(Self::At(given)),
                got => Err(Error::Setting { name: "threshold", got, want: "a finite number" }),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rng::Rng;

    const RULES: [ThresholdRule; 5] = [
        ThresholdRule::F1,
        ThresholdRule::Youden,
        ThresholdRule::Cost { false_positive: 1.0, false_negative: 3.0 },
        ThresholdRule::Precision(0.6),
        ThresholdRule::Recall(0.8),
    ];

    fn counted(positive: &[bool], scores: &[f64], weights: &[f64], t: f64) -> ConfusionCounts {
        let mut at = ConfusionCounts::default();
        for ((up, z), s) in positive.iter().zip(scores).zip(weights) {
            at.add(*up, *z >= t, *s);
        }
        at
    }

    #[test]
    fn the_selected_threshold_is_optimal() {
        for seed in 0..60 {
            let mut rng = Rng::new(seed, 4);
            let positive: Vec<bool> = (0..30).map(|i| i < 2 || i > 3 && rng.unit() < 0.4).collect();
            let scores: Vec<f64> = positive
                .iter()
                .map(|up| rng.below(12) as f64 / 2.0 + if *up { 1.0 } else { -1.5 })
                .collect();
            let weights: Vec<f64> =
                (0..30).map(|i| if i < 4 { 1.0 } else { rng.below(3) as f64 }).collect();
            for rule in RULES {
                let value = |t| rule.value(&counted(&positive, &scores, &weights, t));
                let others = (-40..80).map(|t| f64::from(t) / 8.0);
                let best = others.filter_map(value).fold(f64::NEG_INFINITY, f64::max);
                match rule.threshold(&positive, &scores, &weights) {
                    Ok(t) => assert!((value(t).unwrap() - best).abs() < 1e-12, "{rule} {seed}"),
                    Err(_) => assert_eq!(best, f64::NEG_INFINITY, "{rule} {seed}"),
                }
            }
        }
    }

    #[test]
    fn rules_are_parsed_from_their_text() {
        for rule in RULES {
            assert_eq!(rule.to_string().parse(), Ok(rule));
        }
        assert_eq!("0.3".parse(), Ok(ThresholdRule::At(0.3)));
        for (text, part) in [
            ("inf", "expected a finite number"),
            ("f2", "expected one of f1, youden, cost:FP,FN"),
            ("precision>=2", "a number from 0 to 1"),
            ("cost:-1,2", "at least 0"),
            ("cost:0,0", "at least one cost above 0"),
            ("cost:1", "expected one of"),
        ] {
            let message = text.parse::<ThresholdRule>().unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }

    #[test]
    fn an_unreachable_rule_is_an_error_with_the_best_value() {
        let error = ThresholdRule::Precision(0.9)
            .threshold(&[false, true], &[2.0, 1.0], &[1.0; 2])
            .unwrap_err();
        assert!(error.to_string().contains("precision>=0.9") && error.to_string().contains("0.5"));
        // Without positive rows F1 is undefined, but a cost is not.
        assert!(ThresholdRule::F1.threshold(&[], &[], &[]).is_err());
        let cost = ThresholdRule::Cost { false_positive: 1.0, false_negative: 1.0 };
        let t = cost.threshold(&[false, false], &[-1.0, 3.0], &[1.0; 2]).unwrap();
        assert!(t > 3.0);
    }

    #[test]
    fn adjacent_doubles_have_no_number_between_them() {
        let (low, high) = (1.0_f64, 1.0_f64.next_up());
        assert_eq!(between(low, high), high);
        assert_eq!(between(1.0, 3.0), 2.0);
    }
}
