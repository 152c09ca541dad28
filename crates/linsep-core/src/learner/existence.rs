//! Existence and uniqueness of the minimizer of an objective without a penalty.
//!
//! Along a direction of recession h (aᵢ·h ≥ 0 for every signed row) no margin falls, so no loss
//! that decreases with the margin rises:
//!
//! * **Logistic loss**: strictly decreasing. A minimizer with finite coefficients exists if and
//!   only if there is no such direction, that is with *overlap*. Otherwise some coefficients are
//!   infinite ([`separation`](crate::certify::separation)).
//! * **Hinge losses**: 0 from a margin of 1 on, so a minimizer exists. On separable rows it is not
//!   unique: moving along h leaves the objective at 0.
//! * **Squared and perceptron loss**: the first rises again, the second has its minimum at zero
//!   coefficients. Separation affects neither.
//!
//! The rows depend on the scheme: the binary problem of each hyperplane, or Kesler's rows of all
//! classes for joint training (softmax). A hyperplane without an intercept separates rows x, not
//! (x, 1). To test this, each row x gets a mirror image −x of the other class. A hyperplane (w, b)
//! is correct for both if and only if y w·x ≥ |b|. So the separation of the mirrored problem is
//! that by hyperplanes through the origin.

use super::parts::each_binary_problem;
use super::{MulticlassLearner, Scheme};
use crate::certify::Separation;
use crate::certify::separation::separate_if_small;
use crate::control::Observer;
use crate::data::{BinaryProblem, Design, Label, Labels, Problem};
use crate::error::Error;
use serde::{Deserialize, Serialize};

/// Effect of separation on the minimizer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SeparationEffect {
    /// No minimizer exists.
    None,
    /// The minimizer is not unique.
    Many,
}

/// Separation of the problems of a fit without a penalty.
#[derive(Clone, Debug, PartialEq)]
pub struct SeparationEffects {
    /// Effect on the minimizer if the rows are separable.
    pub optimum: SeparationEffect,
    /// One per hyperplane, in order, or one for all jointly; `None` if it would take long.
    pub list: Vec<Option<Separation>>,
}

/// Limits for the test: hyperplanes, and stored values summed over their problems.
const HYPERPLANES: usize = 50;
const SMALL: usize = 4_000_000;

/// How separable classes would affect the learner's minimizer; `None` if they would not.
pub fn separation_effect(learner: &MulticlassLearner) -> Option<SeparationEffect> {
    let convex = learner.solver.as_convex().filter(|convex| !convex.penalty.unit().is_some())?;
    match convex.loss {
        loss if !loss.has_minimum() => Some(SeparationEffect::None),
        loss if (1e-300..f64::INFINITY).contains(&loss.flat().1) => Some(SeparationEffect::Many),
        _ => None,
    }
}

/// Separation of the problems of a learner's hyperplanes, on the given rows. `None` if separation
/// has no effect, or the test would take long.
pub fn separation_effects(
    learner: &MulticlassLearner,
    problem: &Problem<'_>,
    positive: Option<usize>,
    watch: &mut dyn Observer,
) -> Result<Option<SeparationEffects>, Error> {
    let Some(optimum) = separation_effect(learner) else { return Ok(None) };
    let k = problem.labels().k();
    let bias = learner.solver.as_convex().is_none_or(|convex| convex.intercept);
    if k > 2 && learner.scheme_for(problem) == Scheme::Softmax {
        let list = if bias { vec![separate_if_small(problem, None, watch)?] } else { vec![None] };
        return Ok(Some(SeparationEffects { optimum, list }));
    }
    let hyperplanes = if k == 2 { 1 } else { learner.scheme.decide().hyperplanes(k) };
    if hyperplanes > HYPERPLANES || problem.x().stored().saturating_mul(hyperplanes) > SMALL {
        return Ok(None);
    }
    let decide = learner.scheme.decide();
    let of = |binary: &BinaryProblem<'_>| {
        if bias {
            plain(binary.x(), binary.y().iter().copied(), binary.s().to_vec(), watch)
        } else {
            mirrored(binary, watch)
        }
    };
    let list = each_binary_problem(problem, decide, positive, of)?;
    Ok(Some(SeparationEffects { optimum, list: list.into_iter().collect::<Result<_, Error>>()? }))
}

const SIDES: [Label; 2] = [Label::Number(-1.0), Label::Number(1.0)];

/// Separation of rows x with sides y and sample weights s.
fn plain(
    x: &Design,
    y: impl Iterator<Item = f64>,
    s: Vec<f64>,
    watch: &mut dyn Observer,
) -> Result<Option<Separation>, Error> {
    let codes: Vec<u32> = y.map(|y| u32::from(y > 0.0)).collect();
    let labels = Labels::from_codes(&SIDES, &codes);
    separate_if_small(&Problem::new(x, &labels, Some(s))?, None, watch)
}

/// Separation of a binary problem by hyperplanes through the origin.
fn mirrored(
    binary: &BinaryProblem<'_>,
    watch: &mut dyn Observer,
) -> Result<Option<Separation>, Error> {
    const MOST: usize = 500_000;
    let x = binary.x();
    if x.stored() > MOST {
        return Ok(None);
    }
    let (mut starts, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for sign in [1.0, -1.0] {
        for i in 0..x.n() {
            x.each_nonzero(i, |j, v| {
                indices.push(j as u32);
                values.push(sign * v);
            });
            starts.push(indices.len());
        }
    }
    let both = Design::sparse(x.d(), starts, indices, values)?;
    let sides = binary.y().iter().copied().chain(binary.y().iter().map(|y| -y));
    plain(&both, sides, [binary.s(), binary.s()].concat(), watch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certify::SeparationKind;
    use crate::learner::by_name;
    use crate::options::{Loss, Options, Penalty};

    fn of(
        rows: &[f64],
        y: &[&str],
        method: &str,
        options: Options,
    ) -> Option<(SeparationEffect, Vec<SeparationKind>)> {
        let x = Design::dense(rows.len(), 1, rows.to_vec()).unwrap();
        let labels = Labels::parse(y.iter().copied());
        let problem = Problem::new(&x, &labels, None).unwrap();
        let options = Options { penalty: Some(Penalty::None), ..options };
        let learner = by_name(method, &options).unwrap();
        let found =
            separation_effects(learner.as_reduced().unwrap(), &problem, None, &mut ()).unwrap()?;
        let list = found.list.into_iter().map(|one| one.unwrap().verdict).collect();
        Some((found.optimum, list))
    }

    #[test]
    fn the_effect_of_separation_depends_on_the_loss() {
        let with = |loss| Options { loss: Some(loss), ..Options::default() };
        let (x, y) = ([0.0, 1.0, 2.0, 3.0], ["a", "a", "b", "b"]);
        for loss in Loss::ALL {
            let want = match loss.name() {
                "logistic" => Some(SeparationEffect::None),
                "hinge" | "squared-hinge" | "smooth-hinge" => Some(SeparationEffect::Many),
                _ => None,
            };
            let found = of(&x, &y, "convex", with(loss));
            assert_eq!(found.map(|f| f.0), want, "{}", loss.name());
        }
        let penalized = by_name("logistic", &Options::default()).unwrap();
        assert_eq!(separation_effect(penalized.as_reduced().unwrap()), None);
    }

    #[test]
    fn separation_is_that_of_the_problems_of_the_scheme() {
        let (x, y) = ([0.0, 1.0, 2.0, 3.0, 4.0, 5.0], ["a", "a", "b", "b", "c", "c"]);
        let with = |scheme| {
            let options = Options { multiclass: Some(scheme), ..Options::default() };
            of(&x, &y, "logistic", options).unwrap().1
        };
        use SeparationKind::{Complete, Overlap};
        assert_eq!(with(Scheme::OneVsRest), [Complete, Overlap, Complete]);
        assert_eq!(with(Scheme::OneVsRestButLast), [Complete, Overlap]);
        assert_eq!(with(Scheme::OneVsOne), [Complete, Complete, Complete]);
        assert_eq!(with(Scheme::Softmax), [Complete]);
    }

    #[test]
    fn without_an_intercept_fewer_rows_are_separable() {
        let through = |x: &[f64], y: &[&str], bias: bool| {
            let options = Options { intercept: Some(bias), ..Options::default() };
            of(x, y, "logistic", options).unwrap().1[0]
        };
        let y = ["a", "a", "b", "b"];
        assert_eq!(through(&[1.0, 2.0, 3.0, 4.0], &y, true), SeparationKind::Complete);
        assert_eq!(through(&[1.0, 2.0, 3.0, 4.0], &y, false), SeparationKind::Overlap);
        assert_eq!(through(&[-1.0, -2.0, 3.0, 4.0], &y, false), SeparationKind::Complete);
        assert_eq!(through(&[-1.0, 0.0, 3.0, 4.0], &y, false), SeparationKind::QuasiComplete);
    }
}
