//! Class weights: a factor per class on the sample weights of its rows.

use super::{Label, Problem};
use crate::error::Error;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The rule for the factors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClassWeights {
    /// All factors are 1.
    #[default]
    Equal,
    /// Factors that give all classes the same total sample weight.
    Balanced,
    /// The given factors; 1 for classes that are not listed.
    Given(Vec<(Label, f64)>),
}

impl ClassWeights {
    /// The same rule without classes that are not in `classes`.
    pub fn among(&self, classes: &[Label]) -> Self {
        let Self::Given(pairs) = self else { return self.clone() };
        let there = pairs.iter().filter(|(class, _)| classes.contains(class));
        Self::Given(there.cloned().collect())
    }

    /// Multiplies the sample weights of a problem; fails for classes that it does not have.
    pub fn apply(&self, problem: &mut Problem<'_>) -> Result<(), Error> {
        match self {
            Self::Equal => Ok(()),
            Self::Balanced => {
                let factors = problem.balancing_factors();
                problem.scale_class_weights(&factors)
            }
            Self::Given(pairs) => {
                let mut factors = vec![1.0; problem.labels().k()];
                for (class, weight) in pairs {
                    factors[problem.class(class)?] = *weight;
                }
                problem.scale_class_weights(&factors)
            }
        }
    }
}

impl fmt::Display for ClassWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Equal => f.write_str("equal"),
            Self::Balanced => f.write_str("balanced"),
            Self::Given(pairs) => {
                let pairs: Vec<String> = pairs.iter().map(|(c, s)| format!("{c}={s}")).collect();
                f.write_str(&pairs.join(","))
            }
        }
    }
}

impl FromStr for ClassWeights {
    type Err = Error;

    /// Does not check the range of the factors: [`apply`](Self::apply) does.
    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "equal" => return Ok(Self::Equal),
            "balanced" => return Ok(Self::Balanced),
            _ => {}
        }
        let pair = |part: &str| {
            let (class, factor) = part.rsplit_once('=')?;
            Some((Label::parse(class), factor.trim().parse().ok()?))
        };
        let pairs: Option<Vec<(Label, f64)>> = text.split(',').map(pair).collect();
        pairs.map(Self::Given).ok_or_else(|| Error::UnknownName {
            family: "class weights",
            got: text.to_owned(),
            known: vec!["equal", "balanced", "CLASS=WEIGHT,…"],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Design, Labels};

    #[test]
    fn texts_round_trip() {
        for text in ["equal", "balanced", "a=1", "a=b=2,-1=0.5"] {
            assert_eq!(text.parse::<ClassWeights>().map(|w| w.to_string()), Ok(text.to_owned()));
        }
        for wrong in ["w1", "a=x", "", "a=1,"] {
            let error = wrong.parse::<ClassWeights>().unwrap_err().to_string();
            assert!(error.contains("CLASS=WEIGHT"), "{error}");
        }
    }

    #[test]
    fn apply_multiplies_sample_weights_by_class() {
        let x = Design::dense(3, 1, vec![0.0, 1.0, 2.0]).unwrap();
        let labels = Labels::parse(["a", "b", "b"]);
        let weighed = |weights: &ClassWeights| {
            let mut problem = Problem::new(&x, &labels, None).unwrap();
            weights.apply(&mut problem).map(|()| problem.weights().to_vec())
        };
        let given = |names: &[(&str, f64)]| {
            ClassWeights::Given(names.iter().map(|(n, w)| (Label::parse(n), *w)).collect())
        };
        assert_eq!(weighed(&ClassWeights::Equal), Ok(vec![1.0; 3]));
        assert_eq!(weighed(&ClassWeights::Balanced), Ok(vec![1.5, 0.75, 0.75]));
        assert_eq!(weighed(&given(&[("b", 3.0)])), Ok(vec![1.0, 3.0, 3.0]));
        let strange = given(&[("b", 3.0), ("c", 2.0)]);
        assert!(weighed(&strange).is_err());
        assert_eq!(strange.among(labels.classes()), given(&[("b", 3.0)]));
    }
}
