//! From the scores of the planes to a class.

use crate::error::{Error, named};

/// How planes decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Decide {
    /// One plane, two classes: the second where z ≥ 0, the first where z < 0.
    Sign,
    /// One plane per class: the largest score wins, of equals the first.
    ArgMax,
}

impl Decide {
    /// Every rule.
    pub const ALL: [Self; 2] = [Self::Sign, Self::ArgMax];

    /// The name used in every face.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sign => "sign",
            Self::ArgMax => "argmax",
        }
    }

    /// The rule of that name.
    pub fn by_name(name: &str) -> Result<Self, Error> {
        named("decision rule", name, &Self::ALL, Self::name)
    }

    /// How many planes k classes take.
    pub fn planes(self, k: usize) -> usize {
        match self {
            Self::Sign => 1,
            Self::ArgMax => k,
        }
    }

    /// The class that the scores stand for.
    #[inline]
    pub fn class(self, scores: &[f64]) -> u32 {
        match self {
            Self::Sign => u32::from(scores[0] >= 0.0),
            Self::ArgMax => {
                let mut winner = 0;
                for (j, z) in scores.iter().enumerate() {
                    if *z > scores[winner] {
                        winner = j;
                    }
                }
                winner as u32
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_the_positive_class_and_to_the_first_winner() {
        assert_eq!([-1.0, -0.0, 0.0, 2.0].map(|z| Decide::Sign.class(&[z])), [0, 1, 1, 1]);
        assert_eq!(Decide::ArgMax.class(&[1.0, 3.0, 3.0]), 1);
        assert_eq!(Decide::ArgMax.class(&[-2.0, -1.0, -3.0]), 1);
    }
}
