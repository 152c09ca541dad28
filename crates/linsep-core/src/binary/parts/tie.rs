//! Rows exactly on the hyperplane: correct or misclassified?
//!
//! Textbooks disagree, and the steps of a trace depend on it. As a limit on the margin m = yz, a
//! row is correct if m > limit(y). The limit is 0 if a tie is a mistake. If a tie is correct, the
//! limit is the negative double nearest to 0: no margin lies between that and 0.

use crate::names::names;
use serde::{Deserialize, Serialize};

/// Meaning of z = 0 during training.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tie {
    /// A mistake for either class (Duda, Hart & Stork). The default.
    #[default]
    Mistake,
    /// z = 0 is class +1: y = 1 where z ≥ 0.
    Positive,
    /// z = 0 is class −1: y = 1 only where z > 0.
    Negative,
}

names!(Tie of "`tie`" {
    Mistake => "mistake",
    Positive => "positive",
    Negative => "negative",
});

impl Tie {
    /// Class predicted by a score: −1 or +1, and 0 for a tie that is a mistake.
    pub fn side(self, z: f64) -> i8 {
        match self {
            _ if z > 0.0 => 1,
            _ if z < 0.0 => -1,
            Self::Mistake => 0,
            Self::Positive => 1,
            Self::Negative => -1,
        }
    }

    /// Whether a row of class y and score z is correct; never for a NaN.
    #[inline]
    pub(in crate::binary) fn right(self, y: f64, z: f64) -> bool {
        y * z > self.limit(y)
    }

    /// Whether z = 0 is correct for class y.
    pub(in crate::binary) fn zero_is_right(self, y: f64) -> bool {
        match self {
            Self::Mistake => false,
            Self::Positive => y > 0.0,
            Self::Negative => y < 0.0,
        }
    }

    #[inline]
    fn limit(self, y: f64) -> f64 {
        if self.zero_is_right(y) { -f64::from_bits(1) } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_correct_if_its_predicted_class_is_its_label() {
        let tiny = f64::from_bits(1);
        for tie in Tie::ALL {
            for z in [-1.0, -tiny, -0.0, 0.0, tiny, 1.0] {
                for y in [-1.0, 1.0] {
                    assert_eq!(tie.right(y, z), f64::from(tie.side(z)) == y, "{tie:?} {y} {z}");
                }
            }
            assert!(!tie.right(1.0, f64::NAN) && !tie.right(-1.0, f64::NAN));
            assert_eq!(tie.name().parse(), Ok(tie));
        }
    }
}
