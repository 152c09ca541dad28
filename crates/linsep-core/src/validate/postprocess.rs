//! Calibration, threshold and abstention: fitted to out-of-fold scores, evaluated on other folds.
//!
//! The saved model's post-processing is fitted to **all** out-of-fold rows: first the link, then
//! the threshold of two classes, then the abstention limit.
//!
//! Evaluation on the same rows would be optimistic. So for every fold the post-processing is fitted
//! again to the rows of all **other** folds and evaluated on this one. The report gives these
//! figures, with those before post-processing.

use super::{AbstainRule, ConfusionCounts, ThresholdRule};
use crate::calibrate::{Calibration, CalibrationMetrics, OutOfFoldScores, Probabilities};
use crate::error::Error;
use crate::model::{Link, OperatingPoint};

/// Post-processing to be fitted.
#[derive(Clone, Copy, Default)]
pub struct PostProcessing {
    /// Calibration of probabilities.
    pub calibrate: Option<Calibration>,
    /// Rule for the threshold of two classes.
    pub threshold: Option<ThresholdRule>,
    /// Rule for abstention.
    pub abstain: Option<AbstainRule>,
}

/// Fitted post-processing.
#[derive(Clone, Debug, PartialEq)]
pub struct FittedPostProcessing {
    /// Link from scores to probabilities.
    pub link: Link,
    /// Threshold and abstention limit.
    pub cut: OperatingPoint,
}

/// Evaluation on rows that no part of the post-processing was fitted to.
#[derive(Clone, Debug, PartialEq)]
pub struct PostProcessingMetrics {
    /// Total weight of the rows.
    pub weight: f64,
    /// Probabilities of the model before calibration, if it has any.
    pub before: Option<CalibrationMetrics>,
    /// Probabilities after calibration.
    pub after: Option<CalibrationMetrics>,
    /// For two classes: confusion counts of the threshold 0.
    pub at_zero: Option<ConfusionCounts>,
    /// For two classes: confusion counts of the selected threshold.
    pub at_threshold: Option<ConfusionCounts>,
    /// Coverage: weighted share of rows with a prediction.
    pub coverage: f64,
    /// Weighted error rate among the rows with a prediction; `None` if there are no such rows.
    pub error: Option<f64>,
    /// Weighted error rate if the model did not abstain.
    pub error_of_all: f64,
}

impl PostProcessing {
    /// Whether there is anything to fit.
    pub fn is_some(&self) -> bool {
        self.calibrate.is_some() || self.threshold.is_some() || self.abstain.is_some()
    }

    /// Fits the post-processing to out-of-fold rows of a model with the link `own`.
    pub fn learn(&self, held: &OutOfFoldScores, own: &Link) -> Result<FittedPostProcessing, Error> {
        let link = match self.calibrate {
            Some(method) => method.fit(held)?,
            None => own.clone(),
        };
        let mut cut = OperatingPoint::default();
        if let Some(rule) = &self.threshold {
            if held.k != 2 {
                return Err(Error::TwoClasses { name: "threshold", got: held.k });
            }
            cut.threshold = match *rule {
                ThresholdRule::At(given) => link.threshold(given)?,
                rule => rule.threshold(&held.positive(), &held.scores, &held.weights)?,
            };
        }
        if let Some(limit) = &self.abstain {
            cut.abstain = Some(limit.choose(held, &link, cut)?);
        }
        Ok(FittedPostProcessing { link, cut })
    }

    /// Evaluates every fold with the post-processing fitted to the others.
    pub fn evaluate(
        &self,
        held: &OutOfFoldScores,
        own: &Link,
    ) -> Result<PostProcessingMetrics, Error> {
        let two = held.k == 2;
        let mut after = Probabilities { all: Vec::new(), of_target: Vec::new() };
        let mut rows = OutOfFoldScores::new(held.decide, held.k);
        let (mut at_zero, mut at_threshold) =
            (ConfusionCounts::default(), ConfusionCounts::default());
        let (mut total, mut named, mut wrong, mut wrong_of_all) = (0.0, 0.0, 0.0, 0.0);
        for fold in held.folds() {
            let trusted = self.learn(&held.part(fold, false), own)?;
            let part = held.part(fold, true);
            if let Some(p) = Probabilities::of(&part, &trusted.link) {
                after.all.extend(p.all);
                after.of_target.extend(p.of_target);
            }
            for ((row, &target), &s) in part.rows().zip(&part.target).zip(&part.weights) {
                let verdict = trusted.cut.decision(part.decide, &trusted.link, row);
                let miss = if verdict.class == target { 0.0 } else { s };
                total += s;
                wrong_of_all += miss;
                if !verdict.abstained {
                    named += s;
                    wrong += miss;
                }
                if two {
                    at_zero.add(target == 1, part.decide.class(row) == 1, s);
                    at_threshold.add(target == 1, verdict.class == 1, s);
                }
                rows.push(fold, target, s, row);
            }
        }
        let judge = |p: &Probabilities| p.evaluate(rows.k, &rows.target, &rows.weights);
        let before = Probabilities::of(&rows, own).map(|p| judge(&p));
        let calibrated = self.calibrate.is_some() && !after.all.is_empty();
        Ok(PostProcessingMetrics {
            weight: total,
            before,
            after: calibrated.then(|| judge(&after)),
            at_zero: two.then_some(at_zero),
            at_threshold: (two && self.threshold.is_some()).then_some(at_threshold),
            coverage: named / total,
            error: (named > 0.0).then(|| wrong / named),
            error_of_all: wrong_of_all / total,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rng::Rng;
    use crate::model::DecisionRule;

    /// Pure noise: scores independent of the classes.
    fn noise(n: usize) -> OutOfFoldScores {
        let mut rng = Rng::new(1, 0);
        let mut held = OutOfFoldScores::new(DecisionRule::Sign, 2);
        for i in 0..n {
            held.push((i % 5) as u32, rng.below(2) as u32, 1.0, &[rng.unit() - 0.5]);
        }
        held
    }

    #[test]
    fn the_evaluation_of_noise_is_not_optimistic() {
        let held = noise(200);
        let trust =
            PostProcessing { calibrate: Some(Calibration::Isotonic), ..PostProcessing::default() };
        let trusted = trust.learn(&held, &Link::None).unwrap();
        let fitted = Probabilities::of(&held, &trusted.link).unwrap().evaluate(
            2,
            &held.target,
            &held.weights,
        );
        let metrics = trust.evaluate(&held, &Link::None).unwrap();
        let after = metrics.after.unwrap();
        // On its own rows an isotonic regression is reliable by construction.
        assert!(fitted.error < 0.02 && after.error > 0.03, "{} {}", fitted.error, after.error);
        assert!(fitted.log_loss < 2.0_f64.ln() && after.log_loss > fitted.log_loss);
        assert!(metrics.before.is_none());
    }

    #[test]
    fn the_evaluated_error_rate_of_noise_exceeds_its_limit() {
        let held = noise(300);
        let trust =
            PostProcessing { abstain: Some(AbstainRule::Error(0.3)), ..PostProcessing::default() };
        let metrics = trust.evaluate(&held, &Link::None).unwrap();
        assert!(metrics.coverage < 1.0);
        assert!(metrics.error.is_none_or(|e| e > 0.3), "{metrics:?}");
    }

    #[test]
    fn unequal_costs_move_the_threshold() {
        let mut rng = Rng::new(2, 0);
        let mut held = OutOfFoldScores::new(DecisionRule::Sign, 2);
        for i in 0..400_u32 {
            let target = u32::from(rng.unit() < 0.3);
            let z = 2.0 * rng.unit() - 1.0 + if target == 1 { 0.5 } else { -0.5 };
            held.push(i % 4, target, 1.0, &[z]);
        }
        let rule: ThresholdRule = "cost:1,20".parse().unwrap();
        let trust = PostProcessing { threshold: Some(rule), ..PostProcessing::default() };
        assert!(trust.learn(&held, &Link::None).unwrap().cut.threshold < 0.0);
        let metrics = trust.evaluate(&held, &Link::None).unwrap();
        let cost = |at: Option<ConfusionCounts>| rule.cost(&at.unwrap()).unwrap();
        assert!(cost(metrics.at_threshold) < cost(metrics.at_zero));
        let three = OutOfFoldScores::new(DecisionRule::ArgMax, 3);
        assert!(trust.learn(&three, &Link::None).unwrap_err().to_string().contains("two classes"));
    }
}
