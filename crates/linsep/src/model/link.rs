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
}

impl Link {
    /// Every link.
    pub const ALL: [Self; 2] = [Self::None, Self::Logistic];

    /// The name used in every face.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Logistic => "logistic",
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
            (Self::None, _) => return false,
            (Self::Logistic, Decide::Sign) => {
                out.extend([sigmoid(-scores[0]), sigmoid(scores[0])]);
            }
            (Self::Logistic, Decide::ArgMax) => {
                out.extend(scores.iter().map(|&z| sigmoid(z)));
                let total: f64 = out.iter().sum();
                let k = out.len() as f64;
                let share = |p: &mut f64| *p = if total > 0.0 { *p / total } else { 1.0 / k };
                out.iter_mut().for_each(share);
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
            assert!(Link::Logistic.probabilities(Decide::ArgMax, &scores, &mut p));
            assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{p:?}");
        }
        assert!(!Link::None.probabilities(Decide::Sign, &[1.0], &mut p));
        assert!(Link::ALL.iter().all(|l| Link::by_name(l.name()) == Ok(*l)));
    }
}
