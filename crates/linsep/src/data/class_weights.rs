//! Weights of classes: what every row of a class counts, on top of its own weight.

use super::{Label, Problem};
use crate::error::Error;

/// What the rows of each class count.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum ClassWeights {
    /// As they are.
    #[default]
    Equal,
    /// So that all classes weigh the same.
    Balanced,
    /// Times these numbers; classes that are not named, times 1.
    Given(Vec<(Label, f64)>),
}

impl ClassWeights {
    /// The same without classes that are not in the list.
    pub fn among(&self, classes: &[Label]) -> Self {
        let Self::Given(pairs) = self else { return self.clone() };
        let there = pairs.iter().filter(|(class, _)| classes.contains(class));
        Self::Given(there.cloned().collect())
    }

    /// Weighs the rows of a problem; refuses classes that it does not have.
    pub fn apply(&self, problem: &mut Problem<'_>) -> Result<(), Error> {
        match self {
            Self::Equal => Ok(()),
            Self::Balanced => {
                let factors = problem.balance();
                problem.weigh_classes(&factors)
            }
            Self::Given(pairs) => {
                let mut factors = vec![1.0; problem.labels().k()];
                for (class, weight) in pairs {
                    factors[problem.class(class)?] = *weight;
                }
                problem.weigh_classes(&factors)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Design, Labels};

    #[test]
    fn rows_count_as_asked() {
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
