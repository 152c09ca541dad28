//! Baseline: every row gets the class of largest weight, with the class shares as probabilities.
//!
//! This is also a linear model: hyperplanes with zero coefficients, whose intercepts are the
//! logarithms of the shares. It is not in the registry, as its only use is comparison with other
//! methods.

use super::memory::Size;
use super::parts::ClosedFormResult;
use super::{FitResult, Learner, no_start};
use crate::control::Observer;
use crate::data::{Hyperplane, Problem};
use crate::error::Error;
use crate::model::Link;
use crate::options::Setting;

/// Class of largest total weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Majority;

impl Learner for Majority {
    fn name(&self) -> &'static str {
        "majority"
    }

    fn settings(&self) -> Vec<(&'static str, Setting)> {
        Vec::new()
    }

    fn check(&self) -> Result<(), Error> {
        Ok(())
    }

    fn memory(&self, problem: &Problem<'_>) -> u64 {
        Size::of(problem).hyperplanes(problem.labels().k() as u64)
    }

    fn learn(
        &self,
        problem: &Problem<'_>,
        starts: Option<&[Hyperplane]>,
        positive: Option<usize>,
        _: &mut dyn Observer,
    ) -> Result<FitResult, Error> {
        no_start(self.name(), starts)?;
        let positive = problem.positive(positive)?;
        let weights = problem.class_weights();
        let total: f64 = weights.iter().sum();
        let hyperplane = |b: f64| Hyperplane { b, ..Hyperplane::zero(problem.x().d()) };
        let hyperplanes = match positive {
            Some(c) => vec![hyperplane((weights[c] / weights[1 - c]).ln())],
            None => weights.iter().map(|weight| hyperplane((weight / total).ln())).collect(),
        };
        ClosedFormResult { hyperplanes, ..ClosedFormResult::default() }.fit(
            problem,
            positive,
            Link::Softmax,
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Design, Labels};

    #[test]
    fn the_probabilities_are_the_class_shares() {
        for names in [["a", "b", "b", "b"], ["a", "b", "b", "c"]] {
            let x = Design::dense(4, 1, vec![1.0, 2.0, 3.0, 4.0]).unwrap();
            let labels = Labels::parse(names);
            let problem = Problem::new(&x, &labels, None).unwrap();
            let fit = Majority.learn(&problem, None, None, &mut ()).unwrap();
            assert_eq!(fit.model.predict(&x).unwrap(), [1; 4]);
            let (mut p, scores) = (Vec::new(), fit.model.scores(&x).unwrap());
            fit.model.probabilities(&scores[..fit.model.hyperplanes().len()], &mut p);
            let share = |c: usize| problem.class_weights()[c] / 4.0;
            assert!(p.iter().enumerate().all(|(c, p)| (p - share(c)).abs() < 1e-12), "{p:?}");
        }
    }
}
