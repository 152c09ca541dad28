//! Number of perceptron updates, compared with the mistake bound (Novikoff).
//!
//! On separable rows, from h = 0, with R and γ of [`Novikoff`]:
//!
//! | rule | counts | at most |
//! |---|---|---|
//! | row by row (`perceptron`, `averaged-perceptron`, `pocket`) | updates | (R/γ)² |
//! | `batch-perceptron` | misclassified rows, over all epochs | n (R/γ)² |
//! | `kesler` | updates; R and γ are of the rows of Kesler's construction | (R/γ)² |
//! | `winner-take-all` | updates, t′ of them at ties | (R/γ)² + √2 t′ R/γ + t′ |
//!
//! The last is the bound of `multiclass/winner_take_all.rs`, whose R is √2
//! times smaller, plus the ties. An update by a fraction of a row counts as one: if weights are not
//! integers, all bounds are divided by the smallest fraction. For multiclass rules there is no
//! bound with a weight above 1024, as copies are then combined in one update.
//!
//! γ is computed in doubles, on the preprocessed rows, within a limit of work. There is no bound if
//! no γ was found, nor for an η whose products overflow or underflow
//! ([`Novikoff::holds_in_doubles`]).

use super::parts::each_binary_problem;
use super::{FitResult, MulticlassLearner, Scheme};
use crate::binary::smallest_part;
use crate::certify::{Novikoff, SECOND, Work};
use crate::control::{Observer, PartObserver};
use crate::data::Problem;
use crate::error::Error;
use crate::multiclass::expand;
use serde::{Deserialize, Serialize};

/// Number of updates, and its bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MistakeBound {
    /// Number of updates.
    pub updates: u64,
    /// Bound on the updates of every run from zero.
    #[serde(with = "crate::float")]
    pub bound: f64,
    /// R and γ.
    pub novikoff: Novikoff,
    /// Whether R and γ are of the rows of Kesler's construction.
    pub kesler: bool,
}

/// Largest number of stored values for which γ is computed, and of features.
const SMALL: usize = 1_000_000;
const NARROW: usize = 400;
/// Largest number of hyperplanes for which γ is computed.
const HYPERPLANES: usize = 200;

/// Bounds per hyperplane, or one for all jointly, where known, of a fit that started from zero.
/// Stops early if the observer requests it.
pub fn convergence(
    learner: &MulticlassLearner,
    problem: &Problem<'_>,
    positive: Option<usize>,
    fit: &FitResult,
    watch: &mut dyn Observer,
) -> Result<Vec<Option<MistakeBound>>, Error> {
    let mut work = Work::new(SECOND, watch.cancel());
    let mut watch = PartObserver::before(watch, 0);
    let x = problem.x();
    match &fit.joint {
        Some(together) if learner.solver.as_perceptron().is_some() => {
            let ties = (learner.scheme == Scheme::WinnerTakeAll).then_some(together.ties);
            let found = of_all(learner, problem, ties, &mut work, &mut watch)?;
            let of = |(bound, novikoff)| MistakeBound {
                updates: together.updates,
                bound,
                novikoff,
                kesler: true,
            };
            Ok(vec![found.map(of)])
        }
        None if x.stored() <= SMALL && x.d() < NARROW && fit.runs.len() <= HYPERPLANES => {
            if learner.solver.update_bound(&problem.against_rest(0)).is_none() {
                return Ok(Vec::new());
            }
            let mut runs = fit.runs.iter();
            each_binary_problem(problem, learner.scheme.decide(), positive, |binary| {
                let corrections = runs.next()?.updates;
                let corrects =
                    learner.solver.update_bound(binary).filter(|_| !watch.is_stopped())?;
                let novikoff = Novikoff::of(binary, corrects.lift, &mut work, &mut watch)?;
                let (part, times, width) = (corrects.part, corrects.times, binary.x().d() + 1);
                if !novikoff.holds_in_doubles(corrects.eta, part, times, width) {
                    return None;
                }
                let bound = times * novikoff.bound();
                Some(MistakeBound { updates: corrections, bound, novikoff, kesler: false })
            })
        }
        _ => Ok(Vec::new()),
    }
}

/// Bound of a multiclass rule.
fn of_all(
    learner: &MulticlassLearner,
    problem: &Problem<'_>,
    ties: Option<u64>,
    work: &mut Work,
    watch: &mut dyn Observer,
) -> Result<Option<(f64, Novikoff)>, Error> {
    const TOGETHER: f64 = 1024.0;
    let (x, k, s) = (problem.x(), problem.labels().k(), problem.weights());
    let Some(rule) = learner.solver.as_perceptron() else { return Ok(None) };
    let size = x.stored().saturating_mul(2 * (k - 1));
    let wide = k.saturating_mul(x.d() + 1);
    if size > SMALL || wide > NARROW || s.iter().any(|s| *s > TOGETHER) {
        return Ok(None);
    }
    let rows = expand(problem, rule.intercept, false)?;
    let found = Novikoff::of(&rows.part.binary(), false, work, watch);
    let part = smallest_part(s);
    let holds = |one: &Novikoff| one.holds_in_doubles(rule.eta, part, 1.0 / part, wide);
    Ok(found.filter(holds).map(|novikoff| {
        let late = ties.unwrap_or(0) as f64;
        let all = novikoff.bound() + late * (std::f64::consts::SQRT_2 * novikoff.ratio() + 1.0);
        (all / part, novikoff)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::binary::Order;
    use crate::data::{Design, Labels};
    use crate::learner::by_name;
    use crate::math::rng::Rng;
    use crate::options::Options;

    /// Rows of k classes that hyperplanes separate, with sample weights.
    fn separable(seed: u64, k: usize) -> Option<(Design, Labels, Vec<f64>)> {
        let mut rng = Rng::new(seed, 21);
        let d = 1 + rng.below(3) as usize;
        let hyperplanes: Vec<Vec<f64>> =
            (0..k).map(|_| (0..=d).map(|_| rng.unit() - 0.5).collect()).collect();
        let (mut rows, mut labels, mut weights) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..40 {
            let row: Vec<f64> = (0..d).map(|_| 4.0 * rng.unit() - 2.0).collect();
            let score = |w: &Vec<f64>| w[d] + row.iter().zip(w).map(|(x, w)| x * w).sum::<f64>();
            let mut scores: Vec<(f64, usize)> =
                hyperplanes.iter().enumerate().map(|(c, w)| (score(w), c)).collect();
            scores.sort_by(|a, b| b.0.total_cmp(&a.0));
            if scores[0].0 - scores[1].0 > 0.1 {
                labels.push(scores[0].1.to_string());
                weights.push([1.0, 2.0, 0.5, 0.0][rng.below(4) as usize]);
                rows.extend(row);
            }
        }
        let labels = Labels::parse(labels.iter().map(String::as_str));
        let x = Design::dense(labels.n().max(1), d, rows).ok()?;
        Problem::new(&x, &labels, Some(weights.clone())).ok()?;
        (labels.k() == k).then_some((x, labels, weights))
    }

    #[test]
    fn no_run_makes_more_updates_than_the_mistake_bound() {
        let mut checked = [0; 3];
        for seed in 0..150 {
            let k = if seed % 2 == 0 { 2 } else { 3 };
            let Some((x, labels, weights)) = separable(seed, k) else { continue };
            let plain = Problem::new(&x, &labels, None).unwrap();
            let weighed = Problem::new(&x, &labels, Some(weights)).unwrap();
            for (problem, method) in [plain, weighed].iter().flat_map(|problem| {
                let all = ["perceptron", "averaged-perceptron", "pocket", "batch-perceptron"];
                all.map(|method| (problem, method))
            }) {
                let schemes = match (k, method) {
                    (2, _) | (_, "batch-perceptron") => vec![Scheme::OneVsRest, Scheme::OneVsOne],
                    _ => Scheme::ALL[..5].to_vec(),
                };
                for scheme in schemes {
                    let options = Options {
                        multiclass: Some(scheme),
                        eta: Some(0.3),
                        epochs: Some(3_000),
                        order: (method != "batch-perceptron").then_some(Order::Random),
                        ..Options::default()
                    };
                    let learner = by_name(method, &options).unwrap();
                    let fit = learner.learn(problem, None, None, &mut ()).unwrap();
                    let reduced = learner.as_reduced().unwrap();
                    let found = convergence(reduced, problem, None, &fit, &mut ()).unwrap();
                    assert_eq!(found.len(), fit.runs.len().max(1));
                    for one in found.into_iter().flatten() {
                        assert!(one.updates as f64 <= one.bound, "{method} {scheme:?} {one:?}");
                        checked[usize::from(one.kesler)] += 1;
                        checked[2] += u32::from(one.updates > 0);
                    }
                    if k == 3 && fit.joint.is_some() {
                        assert!(checked[1] > 0, "separable classes have a bound");
                    }
                }
            }
        }
        assert!(checked.iter().all(|n| *n > 300), "{checked:?}");
    }

    #[test]
    fn the_mistake_bound_holds_for_every_step_length_that_has_one() {
        // The logical AND without an intercept: rows (x₁, x₂, 1), R² = 3, and γ² = 1/17.
        let and = [[0.0, 0.0, 1.0], [0.0, 1.0, 1.0], [1.0, 0.0, 1.0], [1.0, 1.0, 1.0]];
        let labels = Labels::parse(["n", "n", "n", "y"]);
        let mut given = Vec::new();
        for scale in [1e-10, 1.0, 1e5] {
            let x = and.concat().into_iter().map(|v| v * scale).collect();
            let x = Design::dense(4, 3, x).unwrap();
            let problem = Problem::new(&x, &labels, None).unwrap();
            for eta in [f64::MIN_POSITIVE, 1e-300, 1e-280, 1e-90, 1.0, 1e90, 1e280, 1e300, 1e308] {
                for scheme in [Scheme::OneVsRest, Scheme::Kesler] {
                    let options = Options {
                        eta: Some(eta),
                        epochs: Some(500),
                        intercept: Some(false),
                        multiclass: Some(scheme),
                        ..Options::default()
                    };
                    let learner = by_name("perceptron", &options).unwrap();
                    let fit = learner.learn(&problem, None, None, &mut ()).unwrap();
                    let reduced = learner.as_reduced().unwrap();
                    let all = convergence(reduced, &problem, None, &fit, &mut ()).unwrap();
                    for one in all.into_iter().flatten() {
                        assert!(one.updates as f64 <= one.bound, "{scale} {eta} {one:?}");
                        given.push((scale, eta));
                    }
                }
            }
        }
        let has = |scale, eta| given.contains(&(scale, eta));
        for (scale, eta) in [(1.0, 1e-300), (1.0, 1e300), (1e-10, 1e-280), (1e5, 1e280)] {
            assert!(has(scale, eta), "{scale} {eta}: {given:?}");
        }
        // The score of a row is about ηx², which in doubles is 0 for the first and infinite for the
        // others.
        assert!(
            !has(1e-10, f64::MIN_POSITIVE) && !has(1e5, 1e300) && !has(1.0, 1e308),
            "{given:?}"
        );
    }

    #[test]
    fn the_mistake_bounds_of_the_logical_and() {
        let x = Design::dense(4, 2, vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0]).unwrap();
        let labels = Labels::parse(["n", "n", "n", "y"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let bound = |method: &str| {
            let learner = by_name(method, &Options::default()).unwrap();
            let fit = learner.learn(&problem, None, None, &mut ()).unwrap();
            let all = convergence(learner.as_reduced().unwrap(), &problem, None, &fit, &mut ());
            all.unwrap()[0].unwrap().bound
        };
        assert!((bound("perceptron") - 51.0).abs() < 1e-3);
        assert!((bound("batch-perceptron") - 204.0).abs() < 1e-2);
    }
}
