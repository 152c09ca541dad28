//! Links: from scores to probabilities.
//!
//! | link | one hyperplane: p of the positive class | a hyperplane per class |
//! |---|---|---|
//! | `none` | – | – |
//! | `logistic` | σ(z) = 1/(1 + e⁻ᶻ) | σ(zⱼ), normalized |
//! | `softmax` | σ(z) | eᶻʲ/Σ eᶻ |
//! | `platt` | σ(a z + c) | σ(aⱼ zⱼ + cⱼ), normalized |
//! | `temperature` | σ(z/T) | eᶻʲ/ᵀ/Σ eᶻ/ᵀ |
//! | `isotonic` | a nondecreasing function of z | a function per hyperplane, normalized |
//!
//! The first three are links of learners. The others are fitted to out-of-fold scores
//! ([`crate::calibrate`]); none of them changes which class has the larger score.

use super::DecisionRule;
use crate::error::{Error, named};
use crate::loss::{Logistic, Loss};
use serde::{Deserialize, Serialize};

/// Link from scores to probabilities.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Link {
    /// No probabilities: the scores have no common scale.
    #[default]
    None,
    /// σ(z) = 1/(1 + e⁻ᶻ). With one hyperplane per class, each against the rest, normalized.
    Logistic,
    /// eᶻʲ/Σ eᶻ: scores are log-probabilities up to a constant common to all classes. With one
    /// hyperplane, σ(z).
    Softmax,
    /// σ(a z + c), with parameters per hyperplane.
    Platt(Vec<PlattScaling>),
    /// Softmax of z/T; T > 0.
    Temperature(f64),
    /// A nondecreasing function per hyperplane.
    Isotonic(Vec<IsotonicMap>),
}

/// Parameters of Platt scaling, a z + c.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlattScaling {
    /// Slope a.
    pub a: f64,
    /// Intercept c.
    pub c: f64,
}

/// Nondecreasing piecewise linear function, constant before the first point and after the last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IsotonicMap {
    /// Scores, strictly increasing; at least one.
    pub at: Vec<f64>,
    /// Probabilities, nondecreasing, from 0 to 1.
    pub p: Vec<f64>,
}

impl IsotonicMap {
    /// Value of the function at z.
    pub fn value(&self, z: f64) -> f64 {
        let after = self.at.partition_point(|at| *at <= z);
        match (after.checked_sub(1), self.at.get(after)) {
            (None, _) => self.p[0],
            (Some(before), None) => self.p[before],
            (Some(before), Some(next)) => {
                let share = (z - self.at[before]) / (next - self.at[before]);
                (self.p[after] - self.p[before]).mul_add(share, self.p[before])
            }
        }
    }

    /// The least score whose probability is at least p, or infinite if none is.
    fn least(&self, p: f64) -> f64 {
        match self.p.partition_point(|own| *own < p) {
            0 => f64::NEG_INFINITY,
            last if last == self.p.len() => f64::INFINITY,
            next => {
                let share = (p - self.p[next - 1]) / (self.p[next] - self.p[next - 1]);
                (self.at[next] - self.at[next - 1]).mul_add(share, self.at[next - 1])
            }
        }
    }

    fn is_sound(&self) -> bool {
        let ascends = self.at.windows(2).all(|w| w[0] < w[1] && (w[1] - w[0]).is_finite());
        let rises = self.p.windows(2).all(|w| w[0] <= w[1]);
        let shares = self.p.iter().all(|p| (0.0..=1.0).contains(p));
        let finite = self.at.iter().all(|at| at.is_finite());
        !self.at.is_empty() && self.at.len() == self.p.len() && ascends && rises && shares && finite
    }
}

impl Link {
    /// Links without parameters.
    const PLAIN: [&'static Self; 3] = [&Self::None, &Self::Logistic, &Self::Softmax];

    /// Name, the same in every interface.
    pub fn name(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Logistic => "logistic",
            Self::Softmax => "softmax",
            Self::Platt(_) => "platt",
            Self::Temperature(_) => "temperature",
            Self::Isotonic(_) => "isotonic",
        }
    }

    /// Link without parameters of that name.
    pub fn by_name(name: &str) -> Result<Self, Error> {
        named("link", name, &Self::PLAIN, Self::name).cloned()
    }

    /// Rejects parameters that do not match the number of hyperplanes or give no probabilities.
    pub(super) fn check(&self, hyperplanes: usize) -> Result<(), Error> {
        let bad = |problem| Err(Error::Model { problem });
        let own = match self {
            Self::Platt(slopes) => slopes.len(),
            Self::Isotonic(rises) => rises.len(),
            _ => hyperplanes,
        };
        if own != hyperplanes {
            return bad("expected one calibration per hyperplane");
        }
        match self {
            Self::Platt(slopes) if !slopes.iter().all(|s| s.a.is_finite() && s.c.is_finite()) => {
                bad("a parameter of its calibration is not finite")
            }
            Self::Temperature(t) if !(t.is_finite() && *t > 0.0) => {
                bad("its temperature is not a finite number above 0")
            }
            Self::Isotonic(rises) if !rises.iter().all(IsotonicMap::is_sound) => {
                bad("its isotonic calibration does not increase from 0 to 1")
            }
            _ => Ok(()),
        }
    }

    /// Returns the least score of a hyperplane that gives the positive class this probability;
    /// without probabilities, the number itself.
    pub fn threshold(&self, given: f64) -> Result<f64, Error> {
        if *self == Self::None {
            return Ok(given);
        }
        if !(0.0..=1.0).contains(&given) {
            let want = "a probability from 0 to 1, because the model has probabilities (a score \
                otherwise)";
            return Err(Error::Setting { name: "threshold", got: given, want });
        }
        let logit = (given / (1.0 - given)).ln();
        let score = match self {
            Self::Temperature(t) => logit * t,
            // A constant probability is on one side of the threshold everywhere.
            Self::Platt(slopes) if slopes[0].a == 0.0 && slopes[0].c >= logit => f64::MIN,
            Self::Platt(slopes) if slopes[0].a == 0.0 => f64::MAX,
            Self::Platt(slopes) => (logit - slopes[0].c) / slopes[0].a,
            Self::Isotonic(rises) => rises[0].least(given),
            Self::None | Self::Logistic | Self::Softmax => logit,
        };
        // Probabilities 0 and 1 lie at no finite score.
        Ok(score.clamp(f64::MIN, f64::MAX))
    }

    /// Writes the probability of every class, from the scores of a row; `false` without
    /// probabilities.
    pub fn probabilities(&self, decide: DecisionRule, scores: &[f64], out: &mut Vec<f64>) -> bool {
        out.clear();
        // Votes and one-vs-rest without the last class give no probabilities.
        if *self == Self::None || decide.has_ambiguous_regions() {
            return false;
        }
        let sigmoid = |z: f64| Logistic.probability(z).expect("the logistic loss has one");
        let one = decide == DecisionRule::Sign;
        match self {
            Self::None => return false,
            Self::Logistic | Self::Softmax if one => {
                pair(sigmoid(-scores[0]), sigmoid(scores[0]), out);
            }
            Self::Temperature(t) if one => {
                pair(sigmoid(-scores[0] / t), sigmoid(scores[0] / t), out);
            }
            Self::Platt(slopes) if one => {
                let z = slopes[0].a.mul_add(scores[0], slopes[0].c);
                pair(sigmoid(-z), sigmoid(z), out);
            }
            Self::Isotonic(rises) if one => {
                let p = rises[0].value(scores[0]);
                pair(1.0 - p, p, out);
            }
            Self::Softmax => softmax(scores, 1.0, out),
            Self::Temperature(t) => softmax(scores, *t, out),
            Self::Logistic => shares(scores.iter().map(|&z| sigmoid(z)), out),
            Self::Platt(slopes) => {
                let hyperplanes = scores.iter().zip(slopes);
                shares(hyperplanes.map(|(z, s)| sigmoid(s.a.mul_add(*z, s.c))), out);
            }
            Self::Isotonic(rises) => {
                shares(scores.iter().zip(rises).map(|(z, rise)| rise.value(*z)), out);
            }
        }
        true
    }
}

fn pair(first: f64, second: f64, out: &mut Vec<f64>) {
    out.extend([first, second]);
}

/// Values divided by their sum; all equal if the sum is 0.
fn shares(numbers: impl Iterator<Item = f64>, out: &mut Vec<f64>) {
    out.extend(numbers);
    let total: f64 = out.iter().sum();
    let k = out.len() as f64;
    let share = |p: &mut f64| *p = if total > 0.0 { *p / total } else { 1.0 / k };
    out.iter_mut().for_each(share);
}

/// eᶻ/ᵀ, normalized. The largest becomes e⁰: nothing overflows, and the sum is at least 1.
fn softmax(scores: &[f64], t: f64, out: &mut Vec<f64>) {
    let most = scores.iter().fold(f64::NEG_INFINITY, |most, z| most.max(*z));
    out.extend(scores.iter().map(|z| ((z - most) / t).exp()));
    let total: f64 = out.iter().sum();
    out.iter_mut().for_each(|p| *p /= total);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_sum_to_one() {
        let mut p = Vec::new();
        assert!(Link::Logistic.probabilities(DecisionRule::Sign, &[0.0], &mut p));
        assert_eq!(p, [0.5, 0.5]);
        let slopes = vec![PlattScaling { a: 2.0, c: -0.5 }; 3];
        let rise = IsotonicMap { at: vec![-1.0, 0.0, 2.0], p: vec![0.0, 0.25, 0.75] };
        let links = [
            Link::Logistic,
            Link::Softmax,
            Link::Platt(slopes),
            Link::Temperature(3.0),
            Link::Isotonic(vec![rise; 3]),
        ];
        for link in &links {
            assert!(link.check(3).is_ok());
            for scores in [[1.0, -2.0, 0.5], [-800.0, -900.0, -800.0], [800.0, 0.0, -800.0]] {
                assert!(link.probabilities(DecisionRule::ArgMax, &scores, &mut p));
                assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{link:?} {p:?}");
                assert!(link.probabilities(DecisionRule::Sign, &scores[..1], &mut p));
                assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{link:?} {p:?}");
            }
            assert!(!link.probabilities(DecisionRule::Vote, &[1.0, 1.0, 1.0], &mut p));
        }
        // ln 1, ln 2, ln 5, and the same shifted by 1000: the probabilities are 1/8, 2/8, 5/8.
        for shift in [0.0, 1000.0, -1000.0] {
            let scores = [1.0_f64, 2.0, 5.0].map(|p| p.ln() + shift);
            Link::Softmax.probabilities(DecisionRule::ArgMax, &scores, &mut p);
            let want = [0.125, 0.25, 0.625];
            assert!(p.iter().zip(want).all(|(p, want)| (p - want).abs() < 1e-12), "{p:?}");
        }
        assert!(!Link::None.probabilities(DecisionRule::Sign, &[1.0], &mut p));
        assert!(Link::PLAIN.iter().all(|l| Link::by_name(l.name()).as_ref() == Ok(*l)));
        assert!(Link::by_name("platt").is_err(), "it has numbers");
    }

    #[test]
    fn an_isotonic_map_interpolates_its_points_and_is_constant_outside() {
        let rise = IsotonicMap { at: vec![-1.0, 0.0, 2.0], p: vec![0.0, 0.25, 0.75] };
        let got = [-9.0, -1.0, -0.5, 0.0, 1.0, 2.0, 9.0].map(|z| rise.value(z));
        assert_eq!(got, [0.0, 0.0, 0.125, 0.25, 0.5, 0.75, 0.75]);
        let step = IsotonicMap { at: vec![1.0], p: vec![0.3] };
        assert_eq!([0.0, 1.0, 2.0].map(|z| step.value(z)), [0.3; 3]);
    }

    #[test]
    fn a_threshold_is_the_score_of_its_probability() {
        let rise = IsotonicMap { at: vec![-1.0, 0.0, 2.0], p: vec![0.1, 0.25, 0.75] };
        let mut p = Vec::new();
        for link in [
            Link::Logistic,
            Link::Softmax,
            Link::Platt(vec![PlattScaling { a: 2.0, c: -0.5 }]),
            Link::Temperature(3.0),
            Link::Isotonic(vec![rise.clone()]),
        ] {
            for given in [0.2, 0.3, 0.5, 0.7] {
                let z = link.threshold(given).unwrap();
                link.probabilities(DecisionRule::Sign, &[z], &mut p);
                assert!((p[1] - given).abs() < 1e-12, "{link:?}: {given} {z}");
            }
            assert!(link.threshold(1.5).unwrap_err().to_string().contains("score"));
            assert_eq!(link.threshold(0.0), Ok(f64::MIN));
            assert_eq!(link.threshold(1.0), Ok(f64::MAX));
        }
        assert_eq!(Link::None.threshold(1.5), Ok(1.5));
    }

    #[test]
    fn invalid_parameters_are_rejected() {
        let refused = |link: Link| link.check(1).unwrap_err().to_string();
        assert!(refused(Link::Platt(vec![])).contains("per hyperplane"));
        assert!(
            refused(Link::Platt(vec![PlattScaling { a: f64::NAN, c: 0.0 }])).contains("finite")
        );
        assert!(refused(Link::Temperature(0.0)).contains("temperature"));
        for (at, p) in [
            (vec![], vec![]),
            (vec![0.0, 0.0], vec![0.1, 0.2]),
            (vec![0.0, 1.0], vec![0.2, 0.1]),
            (vec![0.0], vec![1.5]),
            (vec![0.0, 1.0], vec![0.5]),
            (vec![-1.7e308, 1.7e308], vec![0.0, 1.0]),
        ] {
            assert!(refused(Link::Isotonic(vec![IsotonicMap { at, p }])).contains(
                "does not \
                increase"
            ));
        }
    }
}
