//! Regularization path: decreasing λ, each fit warm-started from its predecessor.
//!
//! Minimizers of neighboring λ are close, so each fit costs little more than its certificate. The
//! whole path costs a few times a single fit, and every point is certified like a single fit. λ
//! follows a geometric grid from `λ_max`, but at least ten times the requested λ, to the requested
//! λ. A grid to select from ([`lambdas`]) ends at `λ_max/10⁴` with L1, else at `λ_max/10⁶`. `λ_max`
//! is
//!
//! * with L1: the smallest λ at which all coefficients are zero, ‖∇(mean loss at the best
//!   intercept)‖_∞/ρ;
//! * else: the largest curvature of a column of mean square norm. Above it the coefficients stay
//!   near 0.

use super::{ALL, FitResult, Learner, MulticlassLearner};
use crate::binary::{RegularizationStrength, RegularizedErm};
use crate::control::{Observer, PartObserver};
use crate::data::{Combination, Hyperplane, Problem};
use crate::error::Error;
use crate::objective::Objective;
use crate::penalty::Penalty;
use serde::{Deserialize, Serialize};

/// One point of a path.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PathPoint {
    /// λ.
    #[serde(with = "crate::float")]
    pub lambda: f64,
    /// The fit.
    pub fit: FitResult,
    /// Nonzero coefficients, over all hyperplanes.
    pub nonzero: usize,
}

/// Fits `points` values of λ, ending with the one of `convex`.
pub fn path(
    problem: &Problem<'_>,
    convex: &RegularizedErm,
    points: usize,
    watch: &mut dyn Observer,
) -> Result<Vec<PathPoint>, Error> {
    const SPAN: f64 = 1e4;
    let total: f64 = problem.weights().iter().sum();
    let last = convex.lambda(total);
    let first = lambda_max(problem, convex)?.max(last * SPAN.min(10.0));
    let reduced = MulticlassLearner::new(Box::new(convex.clone()));
    along(problem, &reduced, &geometric(first, last, points), None, watch)
}

/// Grid to select λ from, in decreasing order.
pub fn lambdas(
    problem: &Problem<'_>,
    convex: &RegularizedErm,
    points: usize,
) -> Result<Vec<f64>, Error> {
    let first = lambda_max(problem, convex)?;
    let last = first * if convex.penalty.unit().l1 > 0.0 { 1e-4 } else { 1e-6 };
    Ok(geometric(first, last, points))
}

/// Fits every λ of a list, with any scheme, each warm-started from its predecessor.
///
/// # Errors
///
/// If the learner has no objective with a penalty.
pub fn along(
    problem: &Problem<'_>,
    reduced: &MulticlassLearner,
    lambdas: &[f64],
    positive: Option<usize>,
    watch: &mut dyn Observer,
) -> Result<Vec<PathPoint>, Error> {
    let Some(convex) = reduced.solver.as_convex() else {
        let convex = ALL.iter().filter(|entry| entry.takes.contains(&"penalty"));
        let takers = convex.map(|entry| entry.name).collect();
        return Err(Error::NoSuchSetting { method: reduced.name(), name: "lambda", takers });
    };
    let mut path: Vec<PathPoint> = Vec::with_capacity(lambdas.len());
    for (i, &lambda) in lambdas.iter().enumerate() {
        // Once the time limit is reached, only the last λ is fitted: its model was requested.
        let left = lambdas.len() - i;
        if left > 1 && i > 0 && watch.cancel().is_set() {
            continue;
        }
        let watch = &mut PartObserver::new(watch, left);
        let here =
            RegularizedErm { strength: RegularizationStrength::Lambda(lambda), ..convex.clone() };
        let here = reduced.by(Box::new(here));
        let starts: Option<Vec<Hyperplane>> =
            path.last().map(|p| p.fit.model.hyperplanes().to_vec());
        let fit = here.learn(problem, starts.as_deref(), positive, watch)?;
        let weights = fit.model.hyperplanes().iter().flat_map(|hyperplane| &hyperplane.w);
        let nonzero = weights.filter(|w| **w != 0.0).count();
        path.push(PathPoint { lambda, fit, nonzero });
    }
    Ok(path)
}

/// Geometric sequence from the first to the last value; the last is reproduced exactly.
fn geometric(first: f64, last: f64, points: usize) -> Vec<f64> {
    let steps = points.max(2) - 1;
    let at = |step: usize| {
        let share = step as f64 / steps as f64;
        if step == steps { last } else { first * (last / first).powf(share) }
    };
    (0..=steps).map(at).collect()
}

/// `λ_max`, over all hyperplanes.
fn lambda_max(problem: &Problem<'_>, convex: &RegularizedErm) -> Result<f64, Error> {
    if !convex.penalty.unit().is_some() {
        let (name, instead) = ("a path of λ values", "; use l2, l1 or elastic-net");
        return Err(Error::InapplicableSetting { name, penalty: convex.penalty.name(), instead });
    }
    let k = problem.labels().k();
    let hyperplanes = if k == 2 { 1..2 } else { 0..k };
    let mut most: f64 = 0.0;
    for class in hyperplanes {
        let binary = problem.against_rest(class);
        let objective = Objective::new(&binary, convex.loss, Penalty::default(), convex.intercept)?;
        let zero = Hyperplane::zero(problem.x().d());
        let mut m = vec![0.0; problem.x().n()];
        if convex.intercept {
            let b = crate::solvers::best_intercept(&objective, &m);
            m.iter_mut().zip(binary.y()).for_each(|(m, y)| *m = b * y);
        }
        let mut r = vec![0.0; m.len()];
        objective.residuals(&m, &mut r);
        let mut g = zero.clone();
        objective.gradient(&zero, &r, &mut Combination::new(problem.x()), &mut g);
        let steepest = g.w.iter().fold(0.0_f64, |most, g| most.max(g.abs()));
        // ρ of the elastic net, 1 for l1.
        let share = convex.penalty.with(1.0, convex.l1_ratio)?.l1;
        let here = if share > 0.0 {
            steepest / share
        } else {
            let bound = convex.loss.curvature_bound().unwrap_or(1.0);
            let norms = problem.x().norms_sq();
            bound * norms.iter().sum::<f64>() / norms.len() as f64
        };
        most = most.max(here);
    }
    Ok(most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::StopReason;
    use crate::data::{Design, Labels};
    use crate::learner::{Scheme, fit};
    use crate::options::Penalty;
    use crate::solvers::StoppingCriteria;

    #[test]
    fn coefficients_enter_along_the_path_and_every_point_is_certified() {
        let rows = [[0.0, 1.0], [1.0, 0.5], [2.0, 0.0], [3.0, 1.5], [2.5, 0.2], [0.5, 0.9]];
        let x = Design::dense(6, 2, rows.concat()).unwrap();
        let labels = Labels::parse(["a", "a", "b", "b", "a", "b"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let goal = StoppingCriteria { tol: 1e-6, ..StoppingCriteria::default() };
        let convex = RegularizedErm {
            penalty: Penalty::L1,
            strength: RegularizationStrength::Lambda(1e-3),
            goal,
            ..RegularizedErm::default()
        };
        let path = path(&problem, &convex, 12, &mut ()).unwrap();
        assert_eq!((path.len(), path[0].nonzero), (12, 0), "at λ_max all coefficients are zero");
        assert!(path[11].lambda == 1e-3 && path[11].nonzero == 2);
        for pair in path.windows(2) {
            assert!(pair[0].lambda > pair[1].lambda);
            assert!(
                pair[0].fit.objective.unwrap() >= pair[1].fit.objective.unwrap() - 1e-9,
                "a weaker penalty costs less"
            );
        }
        assert!(path.iter().all(|point| point.fit.stop == StopReason::Optimal));
        // A cold start ends at the same value.
        let cold = fit(&problem, &convex, None, &mut ()).unwrap();
        let (cold, warm) = (cold.objective.unwrap(), path[11].fit.objective.unwrap());
        assert!((cold - warm).abs() <= 2e-6 * cold);
    }

    #[test]
    fn every_scheme_has_a_path_and_a_grid_of_lambdas() {
        let rows: Vec<f64> = (0..24).map(|i| f64::from(i * i % 7) + f64::from(i % 3)).collect();
        let x = Design::dense(12, 2, rows).unwrap();
        let labels = Labels::parse((0..12).map(|i| ["a", "b", "c"][i % 3]));
        let problem = Problem::new(&x, &labels, None).unwrap();
        let convex = RegularizedErm::default();
        let grid = lambdas(&problem, &convex, 5).unwrap();
        assert!(grid.len() == 5 && grid.windows(2).all(|w| w[1] < w[0]));
        assert!((grid[4] / grid[0] / 1e-6 - 1.0).abs() < 1e-9);
        for scheme in [Scheme::OneVsRest, Scheme::OneVsOne, Scheme::Softmax] {
            let reduced = MulticlassLearner::with(Box::new(convex.clone()), Some(scheme));
            let path = along(&problem, &reduced, &grid, None, &mut ()).unwrap();
            assert!(path.iter().all(|p| p.fit.multiclass == Some(scheme)));
            let size =
                |p: &PathPoint| p.fit.model.hyperplanes()[0].w.iter().map(|w| w * w).sum::<f64>();
            assert!(size(&path[4]) > size(&path[0]), "weaker penalties allow larger coefficients");
        }
        let none = RegularizedErm { penalty: Penalty::None, ..convex };
        assert!(lambdas(&problem, &none, 5).is_err());
    }
}
