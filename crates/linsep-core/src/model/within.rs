//! Predictions over a box of scores: the prediction common to all scores within given bounds, if
//! there is one.
//!
//! One hyperplane: the interval lies on one side of the threshold. Largest score: the lower bound
//! of the winner exceeds the upper bound of every other class; constant signs alone do not suffice.
//! With k − 1 hyperplanes each interval has a constant sign, and the winner stays the largest of
//! the nonnegative scores. Votes: the certain votes of the winner exceed the certain and open votes
//! of any other class.
//!
//! Confidence has its minimum and maximum at corners of the box. For every increasing link it
//! increases with the score of the predicted class and decreases with all others. Limits are
//! compared with a tolerance for rounding.

use super::operating_point::{Abstain, Decision, OperatingPoint};
use super::{DecisionRule, LinearModel, Link};

/// Accuracy of probabilities, which are sums of a few exponentials.
const PROBABILITY: f64 = 1e-12;

impl LinearModel {
    /// Prediction of every row whose scores lie from `least` to `largest`; `None` if it is not
    /// unique or not certain.
    pub fn decision_within(&self, least: &[f64], largest: &[f64]) -> Option<Decision> {
        let (class, ambiguous) = match self.decision_rule() {
            DecisionRule::Sign => (sign(self.operating_point(), least[0], largest[0])?, false),
            DecisionRule::ArgMax => (winner(least, largest)?, false),
            DecisionRule::OneOrLast => claims(least, largest)?,
            DecisionRule::Vote => (votes(self.k(), least, largest)?, false),
        };
        let Some(limit) = self.operating_point().abstain else {
            return Some(Decision { class, ambiguous, abstained: false });
        };
        let [low, high] = self.confidence_within(limit, class, least, largest)?;
        let below = limit.below();
        let room = match limit {
            Abstain::Probability(_) => PROBABILITY,
            Abstain::Margin(_) => 0.0,
        };
        let abstained = match (low >= below + room, high < below - room) {
            (true, _) => false,
            (_, true) => true,
            _ => return None,
        };
        Some(Decision { class, ambiguous, abstained })
    }

    /// Lower and upper bound of the confidence in a class that wins everywhere in the box.
    fn confidence_within(
        &self,
        limit: Abstain,
        class: u32,
        least: &[f64],
        largest: &[f64],
    ) -> Option<[f64; 2]> {
        let (decide, own) = (self.decision_rule(), class as usize);
        let falls = matches!(self.link(), Link::Platt(slopes) if slopes.iter().any(|s| s.a < 0.0));
        if falls && decide != DecisionRule::Sign {
            return None;
        }
        let corners = if decide == DecisionRule::Sign {
            [least.to_vec(), largest.to_vec()]
        } else {
            let corner = |own_score: &[f64], others: &[f64]| {
                let mut scores = others.to_vec();
                scores[own] = own_score[own];
                scores
            };
            [corner(least, largest), corner(largest, least)]
        };
        let [a, b] = corners.map(|scores| {
            let value =
                self.operating_point().confidence(limit, decide, self.link(), class, &scores);
            let size = scores
                .iter()
                .fold(self.operating_point().threshold.abs(), |most, z| most.max(z.abs()));
            let room = if limit.by() == "margin" { 4.0 * f64::EPSILON * size } else { 0.0 };
            (value, room)
        });
        let known = |v: f64, otherwise: f64| if v.is_nan() { otherwise } else { v };
        let least = known(a.0 - a.1, f64::NEG_INFINITY).min(known(b.0 - b.1, f64::NEG_INFINITY));
        let largest = known(a.0 + a.1, f64::INFINITY).max(known(b.0 + b.1, f64::INFINITY));
        Some([least, largest])
    }
}

fn sign(cut: OperatingPoint, least: f64, largest: f64) -> Option<u32> {
    match (least >= cut.threshold, largest < cut.threshold) {
        (true, _) => Some(1),
        (_, true) => Some(0),
        _ => None,
    }
}

fn winner(least: &[f64], largest: &[f64]) -> Option<u32> {
    let first = (1..least.len()).fold(0, |w, j| if least[j] > least[w] { j } else { w });
    let beaten = |(j, most): (usize, &f64)| j == first || *most < least[first];
    largest.iter().enumerate().all(beaten).then_some(first as u32)
}

/// Class, and whether several classes have nonnegative scores.
fn claims(least: &[f64], largest: &[f64]) -> Option<(u32, bool)> {
    let settled = least.iter().zip(largest).all(|(low, high)| *low >= 0.0 || *high < 0.0);
    let claimed = least.iter().filter(|low| **low >= 0.0).count();
    match claimed {
        _ if !settled => None,
        0 => Some((least.len() as u32, false)),
        _ => Some((winner(least, largest)?, claimed > 1)),
    }
}

fn votes(k: usize, least: &[f64], largest: &[f64]) -> Option<u32> {
    let (mut certain, mut open) = (vec![0_u32; k], vec![0_u32; k]);
    for (class_pair, (low, high)) in
        DecisionRule::Vote.class_pairs(k).iter().zip(least.iter().zip(largest))
    {
        let negative = class_pair.negative?;
        if *low >= 0.0 {
            certain[class_pair.positive] += 1;
        } else if *high < 0.0 {
            certain[negative] += 1;
        } else {
            open[class_pair.positive] += 1;
            open[negative] += 1;
        }
    }
    let first = (1..k).fold(0, |w, c| if certain[c] > certain[w] { c } else { w });
    let beaten = |c: usize| c == first || certain[c] + open[c] < certain[first];
    (0..k).all(beaten).then_some(first as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Hyperplane, Label};
    use crate::math::rng::Rng;
    use crate::model::{IsotonicMap, PlattScaling};

    fn model(decide: DecisionRule, k: usize, link: Link, cut: OperatingPoint) -> LinearModel {
        let classes = (0..k).map(|c| Label::Number(c as f64)).collect();
        let hyperplanes = vec![Hyperplane { w: vec![1.0], b: 0.0 }; decide.hyperplanes(k)];
        LinearModel::new(classes, hyperplanes, decide).unwrap().with_trust(link, cut).unwrap()
    }

    /// Random boxes, compared with predictions at many points within them.
    #[test]
    fn a_certain_prediction_holds_everywhere_in_the_box() {
        let rise = IsotonicMap { at: vec![-1.0, 0.0, 1.5], p: vec![0.0, 0.3, 0.9] };
        let (p, m) = (Abstain::Probability, Abstain::Margin);
        let none = OperatingPoint::default();
        let limits = [None, Some(m(0.4)), Some(p(0.7))];
        let cuts = limits.map(|abstain| OperatingPoint { threshold: 0.3, abstain });
        let mut models: Vec<LinearModel> = vec![
            model(DecisionRule::Vote, 4, Link::None, none),
            model(DecisionRule::OneOrLast, 4, Link::None, none),
            model(DecisionRule::ArgMax, 4, Link::None, none),
        ];
        for cut in cuts {
            let slope = PlattScaling { a: -2.0, c: 0.3 };
            for link in
                [Link::Logistic, Link::Platt(vec![slope]), Link::Isotonic(vec![rise.clone()])]
            {
                models.push(model(DecisionRule::Sign, 2, link, cut));
            }
            let cut = OperatingPoint { threshold: 0.0, ..cut };
            for link in [Link::Softmax, Link::Logistic, Link::Isotonic(vec![rise.clone(); 3])] {
                models.push(model(DecisionRule::ArgMax, 3, link, cut));
            }
        }
        let mut rng = Rng::new(4, 4);
        for model in &models {
            let hyperplanes = model.hyperplanes().len();
            let mut settled = 0;
            for _ in 0..4_000 {
                let width = if rng.unit() < 0.5 { 0.1 } else { 1.0 };
                let least: Vec<f64> = (0..hyperplanes).map(|_| 4.0 * rng.unit() - 2.0).collect();
                let largest: Vec<f64> = least.iter().map(|z| z + width * rng.unit()).collect();
                let Some(verdict) = model.decision_within(&least, &largest) else { continue };
                settled += 1;
                for _ in 0..20 {
                    let ends = least.iter().zip(&largest);
                    let scores: Vec<f64> = ends
                        .map(|(low, high)| match rng.below(3) {
                            0 => *low,
                            1 => *high,
                            _ => low + (high - low) * rng.unit(),
                        })
                        .collect();
                    assert_eq!(model.decision(&scores), verdict, "{model:?} {least:?} {largest:?}");
                }
            }
            assert!(settled > 100, "{model:?}: {settled}");
        }
    }
}
