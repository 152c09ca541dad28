//! From scores to probabilities.

use super::Decide;
use crate::error::{Error, named};
use crate::loss::{Logistic, Loss};

/// What a score says about how likely a class is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Link {
    /// Nothing: scores have no scale.
    #[default]
    None,
    /// σ(z) = 1/(1 + e⁻ᶻ). With one plane per class, each against the rest, they are divided by their sum.
    Logistic,
    /// Scores are log-probabilities up to a number that all classes share: eᶻʲ/Σ eᶻ. With one plane, σ(z).
    Softmax,
}

impl Link {
    /// Every link.
    pub const ALL: [Self; 3] = [Self::None, Self::Logistic, Self::Softmax];

    /// The name used in every face.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Logistic => "logistic",
            Self::Softmax => "softmax",
        }
    }

    /// The link of that name.
    pub fn by_name(name: &str) -> Result<Self, Error> {
        named("link", name, &Self::ALL, Self::name)
    }

    /// Writes the probability of every class, from the scores of a row; `false` where there are none.
    pub fn probabilities(self, decide: Decide, scores: &[f64], out: &mut Vec<f64>) -> bool {
        out.clear();
        let sigmoid = |z: f64| Logistic.probability(z).expect("the logistic loss has one");
        match (self, decide) {
            // Votes and the claims of several planes are no probabilities.
            (Self::None, _) | (_, Decide::OneOrLast | Decide::Vote) => return false,
            (Self::Logistic | Self::Softmax, Decide::Sign) => {
                out.extend([sigmoid(-scores[0]), sigmoid(scores[0])]);
            }
            (Self::Logistic, Decide::ArgMax) => {
                out.extend(scores.iter().map(|&z| sigmoid(z)));
                let total: f64 = out.iter().sum();
                let k = out.len() as f64;
                let share = |p: &mut f64| *p = if total > 0.0 { *p / total } else { 1.0 / k };
                out.iter_mut().for_each(share);
            }
            (Self::Softmax, Decide::ArgMax) => {
                // The largest becomes e⁰: nothing overflows, and the sum is at least 1.
                let most = scores.iter().fold(f64::NEG_INFINITY, |most, z| most.max(*z));
                out.extend(scores.iter().map(|z| (z - most).exp()));
                let total: f64 = out.iter().sum();
                out.iter_mut().for_each(|p| *p /= total);
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_sum_to_one() {
        let mut p = Vec::new();
        assert!(Link::Logistic.probabilities(Decide::Sign, &[0.0], &mut p));
        assert_eq!(p, [0.5, 0.5]);
        for scores in [[1.0, -2.0, 0.5], [-800.0, -900.0, -800.0], [800.0, 0.0, -800.0]] {
            for link in [Link::Logistic, Link::Softmax] {
                assert!(link.probabilities(Decide::ArgMax, &scores, &mut p));
                assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{p:?}");
            }
        }
        // ln 1, ln 2, ln 5, and the same moved by 1000: the probabilities are 1/8, 2/8, 5/8.
        for shift in [0.0, 1000.0, -1000.0] {
            let scores = [1.0_f64, 2.0, 5.0].map(|p| p.ln() + shift);
            Link::Softmax.probabilities(Decide::ArgMax, &scores, &mut p);
            let want = [0.125, 0.25, 0.625];
            assert!(p.iter().zip(want).all(|(p, want)| (p - want).abs() < 1e-12), "{p:?}");
        }
        assert!(!Link::None.probabilities(Decide::Sign, &[1.0], &mut p));
        assert!(Link::ALL.iter().all(|l| Link::by_name(l.name()) == Ok(*l)));
    }
}
