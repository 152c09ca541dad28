//! Calibration of probabilities: a [`Link`] is fitted to out-of-fold scores.
//!
//! | name | fitted | suited to |
//! |---|---|---|
//! | `platt` | σ(a z + c) per hyperplane | all methods, perceptrons and SVMs too; few rows |
//! | `temperature` | one number T: σ(z/T), eᶻʲ/ᵀ/Σ eᶻ/ᵀ | over- or underconfident probabilities |
//! | `isotonic` | a nondecreasing function per hyperplane | about a thousand rows and more |
//!
//! Scores of training rows are too extreme, and a calibration fitted to them would be
//! overconfident. Hence it takes out-of-fold scores ([`OutOfFoldScores`]). The hyperplanes of k
//! classes are calibrated one by one, each against the rest, and the results normalized. Classes
//! without own scores (votes, k − 1 hyperplanes) cannot be calibrated.

mod isotonic;
mod out_of_fold;
mod platt;
mod temperature;

use crate::error::{Error, named};
use crate::model::{DecisionRule, Link};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

pub use isotonic::isotonic_map;
pub use out_of_fold::{CalibrationMetrics, OutOfFoldScores, Probabilities};

/// Calibration method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Calibration {
    /// Platt scaling σ(a z + c) per hyperplane.
    Platt,
    /// One number that divides all scores.
    Temperature,
    /// Isotonic regression per hyperplane.
    Isotonic,
}

impl Calibration {
    /// Every method.
    pub const ALL: [Self; 3] = [Self::Platt, Self::Temperature, Self::Isotonic];

    /// Name, the same in every interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::Platt => "platt",
            Self::Temperature => "temperature",
            Self::Isotonic => "isotonic",
        }
    }

    /// One line for help texts.
    pub fn about(self) -> &'static str {
        match self {
            Self::Platt => "Platt scaling σ(a z + c) per hyperplane; suited to few rows",
            Self::Temperature => "divides all scores by one number; predictions stay the same",
            Self::Isotonic => "isotonic regression per hyperplane; suited to 1000 rows and more",
        }
    }

    /// Fits a link to out-of-fold rows; rejects decision rules without a score per class.
    pub fn fit(self, held: &OutOfFoldScores) -> Result<Link, Error> {
        if held.decide.has_ambiguous_regions() {
            return Err(Error::NoClassScores { what: "`calibrate`" });
        }
        Ok(match self {
            Self::Platt => platt::platt(held),
            Self::Temperature => temperature::temperature(held),
            Self::Isotonic => isotonic::isotonic(held),
        })
    }
}

impl FromStr for Calibration {
    type Err = Error;

    fn from_str(word: &str) -> Result<Self, Error> {
        named("`calibrate`", word, &Self::ALL, Self::name)
    }
}

/// Scores of every hyperplane, with the indicator of its class.
fn hyperplanes(held: &OutOfFoldScores) -> impl Iterator<Item = (Vec<bool>, Vec<f64>)> {
    let of_class = |class: u32| held.target.iter().map(|&t| t == class).collect::<Vec<bool>>();
    let count = held.hyperplanes();
    (0..count).map(move |j| {
        let class = if held.decide == DecisionRule::Sign { 1 } else { j as u32 };
        (of_class(class), held.scores.iter().skip(j).step_by(count).copied().collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rng::Rng;
    use crate::metric::log_loss;

    /// Random scores with known true probabilities: σ(2z − 1), or the softmax of 2z.
    fn drawn(k: usize, n: usize) -> OutOfFoldScores {
        let mut rng = Rng::new(5, k as u64);
        let hyperplanes = if k == 2 { 1 } else { k };
        let decide = if k == 2 { DecisionRule::Sign } else { DecisionRule::ArgMax };
        let mut held = OutOfFoldScores::new(decide, k);
        for i in 0..n {
            let z: Vec<f64> = (0..hyperplanes).map(|_| 4.0 * rng.unit() - 2.0).collect();
            let sigmoid = |z: f64| 1.0 / (1.0 + (1.0 - 2.0 * z).exp());
            let target = if k == 2 {
                u32::from(rng.unit() < sigmoid(z[0]))
            } else {
                let total: f64 = z.iter().map(|z| (2.0 * z).exp()).sum();
                let mut left = rng.unit() * total;
                let mut class = 0;
                while class + 1 < k && left > (2.0 * z[class]).exp() {
                    left -= (2.0 * z[class]).exp();
                    class += 1;
                }
                class as u32
            };
            held.push((i % 5) as u32, target, 1.0, &z);
        }
        held
    }

    #[test]
    fn every_method_approximates_the_true_probabilities_by_a_valid_link() {
        for k in [2, 4] {
            let (learn, judge) = (drawn(k, 4000), drawn(k, 4000));
            let plain = Link::Logistic;
            let before = Probabilities::of(&judge, &plain).unwrap();
            for entry in Calibration::ALL {
                let link = entry.fit(&learn).unwrap();
                assert_eq!(link.name(), entry.name());
                let after = Probabilities::of(&judge, &link).unwrap();
                let loss = |p: &Probabilities| log_loss(&p.of_target, &judge.weights);
                // A temperature cannot correct the offset −1 of two classes, the other methods can.
                let gain = loss(&before) - loss(&after);
                assert!(gain > 0.02, "{} of {k}: {gain}", entry.name());
            }
        }
    }

    #[test]
    fn a_sample_weight_of_two_equals_repetition_of_the_row() {
        let (mut once, mut twice) = (
            OutOfFoldScores::new(DecisionRule::Sign, 2),
            OutOfFoldScores::new(DecisionRule::Sign, 2),
        );
        let drawn = drawn(2, 60);
        for i in 0..60 {
            let (target, z) = (drawn.target[i], &drawn.scores[i..=i]);
            once.push(0, target, 1.0 + (i % 2) as f64, z);
            (0..=i % 2).for_each(|_| twice.push(0, target, 1.0, z));
        }
        for entry in Calibration::ALL {
            let mut p = [Vec::new(), Vec::new()];
            for z in [-2.5, -1.0, 0.1, 1.9] {
                for (p, held) in p.iter_mut().zip([&once, &twice]) {
                    entry.fit(held).unwrap().probabilities(DecisionRule::Sign, &[z], p);
                }
                assert!((p[0][1] - p[1][1]).abs() < 1e-9, "{} {p:?}", entry.name());
            }
        }
    }

    #[test]
    fn rules_without_a_score_per_class_are_rejected() {
        let held = OutOfFoldScores::new(DecisionRule::Vote, 3);
        for entry in Calibration::ALL {
            assert_eq!(entry.name().parse(), Ok(entry));
            let message = entry.fit(&held).unwrap_err().to_string();
            assert!(message.contains("one-vs-rest"), "{message}");
        }
        assert!("beta".parse::<Calibration>().is_err());
    }

    #[test]
    fn uninformative_and_separable_scores_give_valid_probabilities() {
        for (n, same) in [(1, true), (6, true), (6, false)] {
            let mut held = OutOfFoldScores::new(DecisionRule::Sign, 2);
            for i in 0..n {
                let up = i % 2 == 1;
                let z = if same {
                    0.25
                } else if up {
                    1e6
                } else {
                    -1e6
                };
                held.push(0, u32::from(up), 1.0, &[z]);
            }
            for entry in Calibration::ALL {
                let link = entry.fit(&held).unwrap();
                let mut p = Vec::new();
                for z in [-1e300, -1.0, 0.25, 1e300] {
                    assert!(link.probabilities(DecisionRule::Sign, &[z], &mut p));
                    assert!(p.iter().all(|p| (0.0..=1.0).contains(p)), "{} {p:?}", entry.name());
                }
            }
        }
    }
}
