//! Calibration, threshold and limit: learned from held-out rows, judged on others.
//!
//! What a model ships with is learned from **all** held-out rows, in this order: the link, then the threshold of two
//! classes, then the limit of confidence, each with what came before it.
//!
//! How good that is cannot be asked of the same rows: a line that was bent to them fits them. So for every fold it is learned
//! once more from the held-out rows of all **other** folds, and judged on this one. Those are the numbers that are reported,
//! before and after.

use super::{Counted, Limit, Rule};
use crate::calibrate::{self, Calibrated, Held, Probabilities};
use crate::error::Error;
use crate::model::{Cut, Link};

/// What is to be learned from held-out rows.
#[derive(Clone, Copy, Default)]
pub struct Trust {
    /// Probabilities.
    pub calibrate: Option<&'static calibrate::Entry>,
    /// Where two classes are told apart.
    pub threshold: Option<Rule>,
    /// Which rows get no class.
    pub abstain: Option<Limit>,
}

/// What was learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Trusted {
    /// Probabilities.
    pub link: Link,
    /// Threshold and limit.
    pub cut: Cut,
}

/// How held-out rows fared that nothing was learned from.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// Weight of the rows.
    pub weight: f64,
    /// The model's own probabilities, where it has any.
    pub before: Option<Calibrated>,
    /// The calibrated ones.
    pub after: Option<Calibrated>,
    /// Of two classes: what deciding at 0 does.
    pub at_zero: Option<Counted>,
    /// Of two classes: what the chosen threshold does.
    pub at_threshold: Option<Counted>,
    /// Weighted share of rows that are named.
    pub coverage: f64,
    /// Weighted share of mistakes among them; none where no row is.
    pub error: Option<f64>,
    /// The same if all rows were named.
    pub error_of_all: f64,
}

impl Trust {
    /// Whether there is anything to learn.
    pub fn is_some(&self) -> bool {
        self.calibrate.is_some() || self.threshold.is_some() || self.abstain.is_some()
    }

    /// Learns from held-out rows of a model that has this link of its own.
    pub fn learn(&self, held: &Held, own: &Link) -> Result<Trusted, Error> {
        let link = match self.calibrate {
            Some(entry) => entry.fit(held)?,
            None => own.clone(),
        };
        let mut cut = Cut::default();
        if let Some(rule) = &self.threshold {
            if held.k != 2 {
                return Err(Error::TwoClasses { name: "threshold", got: held.k });
            }
            cut.threshold = match *rule {
                Rule::At(given) => link.threshold(given)?,
                rule => rule.threshold(&held.positive(), &held.scores, &held.weights)?,
            };
        }
        if let Some(limit) = &self.abstain {
            cut.abstain = Some(limit.choose(held, &link, cut)?);
        }
        Ok(Trusted { link, cut })
    }

    /// Judges every fold by what was learned from the others.
    pub fn judge(&self, held: &Held, own: &Link) -> Result<Judged, Error> {
        let two = held.k == 2;
        let mut after = Probabilities { all: Vec::new(), of_target: Vec::new() };
        let mut rows = Held::new(held.decide, held.k);
        let (mut at_zero, mut at_threshold) = (Counted::default(), Counted::default());
        let (mut total, mut named, mut wrong, mut wrong_of_all) = (0.0, 0.0, 0.0, 0.0);
        for fold in held.folds() {
            let trusted = self.learn(&held.part(fold, false), own)?;
            let part = held.part(fold, true);
            if let Some(p) = Probabilities::of(&part, &trusted.link) {
                after.all.extend(p.all);
                after.of_target.extend(p.of_target);
            }
            for ((row, &target), &s) in part.rows().zip(&part.target).zip(&part.weights) {
                let verdict = trusted.cut.verdict(part.decide, &trusted.link, row);
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
        let judge = |p: &Probabilities| p.judge(rows.k, &rows.target, &rows.weights);
        let before = Probabilities::of(&rows, own).map(|p| judge(&p));
        let calibrated = self.calibrate.is_some() && !after.all.is_empty();
        Ok(Judged {
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
    use crate::model::Decide;

    /// Pure noise: the scores know nothing of the classes.
    fn noise(n: usize) -> Held {
        let mut rng = Rng::new(1, 0);
        let mut held = Held::new(Decide::Sign, 2);
        for i in 0..n {
            held.push((i % 5) as u32, rng.below(2) as u32, 1.0, &[rng.unit() - 0.5]);
        }
        held
    }

    #[test]
    fn noise_is_not_judged_by_the_rows_it_was_bent_to() {
        let held = noise(200);
        let trust =
            Trust { calibrate: Some(calibrate::by_name("isotonic").unwrap()), ..Trust::default() };
        let bent = trust.learn(&held, &Link::None).unwrap();
        let fooled =
            Probabilities::of(&held, &bent.link).unwrap().judge(2, &held.target, &held.weights);
        let judged = trust.judge(&held, &Link::None).unwrap();
        let honest = judged.after.unwrap();
        // On its own rows a rising line is reliable by construction.
        assert!(fooled.error < 0.02 && honest.error > 0.03, "{} {}", fooled.error, honest.error);
        assert!(fooled.log_loss < 2.0_f64.ln() && honest.log_loss > fooled.log_loss);
        assert!(judged.before.is_none());
    }

    #[test]
    fn an_error_that_noise_seems_to_allow_is_not_kept() {
        let held = noise(300);
        let trust = Trust { abstain: Some(Limit::Error(0.3)), ..Trust::default() };
        let judged = trust.judge(&held, &Link::None).unwrap();
        assert!(judged.coverage < 1.0);
        assert!(judged.error.is_none_or(|e| e > 0.3), "{judged:?}");
    }

    #[test]
    fn costs_move_the_threshold() {
        let mut rng = Rng::new(2, 0);
        let mut held = Held::new(Decide::Sign, 2);
        for i in 0..400_u32 {
            let target = u32::from(rng.unit() < 0.3);
            let z = 2.0 * rng.unit() - 1.0 + if target == 1 { 0.5 } else { -0.5 };
            held.push(i % 4, target, 1.0, &[z]);
        }
        let rule: Rule = "cost:1,20".parse().unwrap();
        let trust = Trust { threshold: Some(rule), ..Trust::default() };
        assert!(trust.learn(&held, &Link::None).unwrap().cut.threshold < 0.0);
        let judged = trust.judge(&held, &Link::None).unwrap();
        let cost = |at: Option<Counted>| rule.cost(&at.unwrap()).unwrap();
        assert!(cost(judged.at_threshold) < cost(judged.at_zero));
        let three = Held::new(Decide::ArgMax, 3);
        assert!(trust.learn(&three, &Link::None).unwrap_err().to_string().contains("two classes"));
    }
}
