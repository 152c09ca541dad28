//! Least squares on class targets by conjugate gradients, if X is too large for a d × d or n × n
//! matrix.
//!
//! Every row has a target per hyperplane. With m the mean row and t̄ the mean targets, the best
//! intercepts for W are b = t̄ − Wᵀm, and
//!
//! ```text
//!   F(W) = (1/S) Σ sᵢ ‖rᵢ‖² + (λ/2) ‖W‖²,     rᵢ = tᵢ − t̄ − Wᵀ(xᵢ − m)
//!   −∇F(W) = (2/S) Σ sᵢ (xᵢ − m) rᵢᵀ − λW.
//! ```
//!
//! All hyperplanes take one step, of one length, along one matrix P. The targets of a row sum to 1,
//! so its rᵢ sum to 0 in every iteration, and its scores sum to 1 at any stop. The iteration
//! updates rᵢ, and recomputes the gradient from it (CGLS), so rounding does not accumulate in the
//! gradient.
//!
//! With a penalty, the preconditioner is the diagonal of the curvature. Without one there is none:
//! then W stays in the span of the centered rows, and the limit is the least-norm minimizer.
//!
//! # The lower bound
//!
//! F is λ-strongly convex, so F(V) ≥ F(W) + ∇F·(V − W) + (λ/2)‖V − W‖² for every V. The minimum of
//! the right side is F(W) − ‖∇F‖²/(2λ).
//!
//! # Certified predictions
//!
//! F is quadratic: F(W) − F* = (1/S) Σ sᵢ ‖zᵢ − zᵢ*‖² + (λ/2)‖W − W*‖². So with a gap g the scores
//! of row i are within √(gS/sᵢ) of those of the exact optimum, and differences of two scores within
//! √2 times that.
//!
//! Cost: one pass over the rows and one over the columns per iteration. A column-wise copy lets
//! each column sum its own share of the gradient. Sparse rows are also copied with renumbered
//! columns, the most frequent first, for locality.
//! Source: Hestenes & Stiefel, *Methods of conjugate gradients*, J. Res. NBS 49 (1952); Björck,
//! *Numerical methods for least squares problems*, §7.4.
//!
//! Over 400 lines: 150 of them are tests.

use super::MulticlassFit;
use super::fitted::Fitted;
use crate::certify::{OptimalityCertificate, OptimalityGap, certified_stop, certify_squares};
use crate::control::{Observer, StopReason};
use crate::data::{Columns, Hyperplane, Problem};
use crate::error::Error;
use crate::math::kernels::{axpy, norm_sq};
use crate::math::parallel::map_blocks;
use crate::math::sum::Sum;
use crate::solvers::{StoppingCriteria, report_epoch};
use rayon::prelude::*;

/// Rows, or columns, per parallel block.
const BLOCK: usize = 512;

/// Fits hyperplanes to `targets`, which has a number per class for every hyperplane.
pub(crate) fn least_squares(
    problem: &Problem<'_>,
    targets: &[Vec<f64>],
    lambda: f64,
    goal: &StoppingCriteria,
    watch: &mut dyn Observer,
) -> Result<MulticlassFit, Error> {
    goal.check()?;
    watch.hyperplane(0, 1);
    let mut descent = Descent::new(problem, targets, lambda)?;
    let mut epochs = 0;
    let stop = loop {
        let certificate = descent.certificate();
        let go_on = report_epoch(watch, epochs, goal, descent.value, certificate.relative_gap());
        let reasons = [
            (!descent.value.is_finite(), StopReason::Diverged),
            (certificate.reaches(goal.tol), StopReason::Optimal),
            (certificate.is_at_the_floor(), StopReason::Stalled),
            (!go_on, StopReason::Interrupted),
            (epochs >= goal.budget.epochs, StopReason::IterationLimit),
        ];
        if let Some(&(_, stop)) = reasons.iter().find(|(holds, _)| *holds) {
            break stop;
        }
        if !descent.step() {
            break StopReason::Stalled;
        }
        epochs += 1;
    };
    if stop == StopReason::Diverged {
        descent.clear(); // weights that are not finite are no result
    }
    let certificate = descent.certificate();
    let hyperplanes = descent.hyperplanes();
    let (certificate, winners) = if lambda > 0.0 {
        let rows = descent.r.chunks_exact(descent.k()).zip(problem.weights());
        let beta: Vec<f64> = rows.flat_map(|(r, s)| r.iter().map(move |r| 2.0 * s * r)).collect();
        certify_squares(problem, targets, lambda, &hyperplanes, &beta, &watch.cancel()).unzip()
    } else {
        (Some(OptimalityCertificate { gap: certificate, radius: None }), None)
    };
    Ok(MulticlassFit {
        hyperplanes,
        stop: certified_stop(stop, certificate.as_ref(), goal.tol),
        epochs,
        updates: 0,
        mistakes: descent.fitted().mistakes(),
        certificate,
        winners,
        solver: Some("conjugate-gradients"),
    })
}

/// State of the iteration. Matrices are row-major, with k numbers per column or row of X.
struct Descent<'a> {
    problem: &'a Problem<'a>,
    /// Columns of X in the order used here: the longest first.
    order: Vec<u32>,
    columns: Columns,
    /// Sparse rows with renumbered columns; `None` for dense ones, whose order is kept.
    rows: Option<Columns>,
    /// For every hyperplane, a number per class.
    targets: &'a [Vec<f64>],
    /// t̄.
    mean_target: Vec<f64>,
    lambda: f64,
    total: f64,
    /// m.
    mean: Vec<f64>,
    /// Diagonal preconditioner, a factor per column; 0 for constant columns.
    measure: Vec<f64>,
    /// W.
    weights: Vec<f64>,
    /// P, followed by −Pᵀm.
    way: Vec<f64>,
    /// ‖P‖².
    way_sq: f64,
    /// −∇F.
    rest: Vec<f64>,
    /// ‖∇F‖², and its preconditioned value.
    rest_sq: f64,
    energy: f64,
    /// ‖∇F(0)‖.
    first: f64,
    /// F.
    value: f64,
    /// rᵢ.
    r: Vec<f64>,
    /// (2sᵢ/S) rᵢ.
    pull: Vec<f64>,
    /// Pᵀ(xᵢ − m).
    gained: Vec<f64>,
}

impl<'a> Descent<'a> {
    /// Starts at W = 0.
    fn new(problem: &'a Problem<'a>, targets: &'a [Vec<f64>], lambda: f64) -> Result<Self, Error> {
        let (x, s, k) = (problem.x(), problem.weights(), targets.len());
        let (n, d) = (x.n(), x.d());
        let (mean, deviation) = x.spread(s);
        if let Some(column) = deviation.iter().position(|v| !v.is_finite()) {
            return Err(Error::Range { column, got: mean[column] });
        }
        let measure = |u: &f64| match *u {
            0.0 => 0.0,
            u if lambda > 0.0 => 1.0 / (2.0 * u * u + lambda),
            _ => 1.0,
        };
        let of_class = problem.class_weights();
        let total: f64 = of_class.iter().sum();
        let mean_target: Vec<f64> = targets
            .iter()
            .map(|t| t.iter().zip(&of_class).map(|(t, n)| t * n).sum::<f64>() / total)
            .collect();
        let codes = problem.labels().codes();
        let target = |&code: &u32| targets.iter().map(move |t| t[code as usize]);
        let r = codes.iter().flat_map(|code| target(code).zip(&mean_target).map(|(t, m)| t - m));
        let order = if x.is_sparse() { Columns::longest_first(x) } else { (0..d as u32).collect() };
        let mut number = vec![0; d];
        (0..).zip(&order).for_each(|(at, &j)| number[j as usize] = at);
        let ordered = |of: Vec<f64>| order.iter().map(|&j| of[j as usize]).collect();
        let mut descent = Self {
            problem,
            columns: Columns::new(x, &order),
            rows: x.is_sparse().then(|| Columns::rows(x, &number, d as u32)),
            targets,
            lambda,
            total,
            measure: ordered(deviation.iter().map(measure).collect()),
            mean: ordered(mean),
            order,
            weights: vec![0.0; d * k],
            way: vec![0.0; (d + 1) * k],
            way_sq: 0.0,
            rest: vec![0.0; d * k],
            rest_sq: 0.0,
            energy: 0.0,
            first: 1.0,
            value: 0.0,
            r: r.collect(),
            pull: vec![0.0; n * k],
            gained: vec![0.0; n * k],
            mean_target,
        };
        descent.go(0.0);
        descent.aim(0.0);
        descent.first = descent.rest_sq.sqrt();
        Ok(descent)
    }

    fn k(&self) -> usize {
        self.targets.len()
    }

    /// Takes one step; `false` if there is no curvature.
    fn step(&mut self) -> bool {
        let (x, k, s) = (self.problem.x(), self.k(), self.problem.weights());
        match &self.rows {
            None => x.times_until(&self.way, k, &mut self.gained, || false),
            Some(rows) => {
                let (way, shift) = self.way.split_at(x.d() * k);
                self.gained.par_chunks_mut(BLOCK * k).enumerate().for_each(|(block, gained)| {
                    for (i, z) in (block * BLOCK..).zip(gained.chunks_exact_mut(k)) {
                        rows.combine(i, way, z);
                        axpy(1.0, shift, z);
                    }
                });
            }
        }
        let gained = &self.gained;
        let squares = map_blocks(x.n(), BLOCK, |rows| {
            rows.map(|i| s[i] * norm_sq(&gained[i * k..][..k])).sum::<f64>()
        });
        let squares = squares.into_iter().collect::<Sum>().value();
        let curvature = 2.0 / self.total * squares + self.lambda * self.way_sq;
        if !(curvature > 0.0 && curvature.is_finite()) {
            return false;
        }
        let before = self.energy;
        self.go(before / curvature);
        self.aim(self.energy / before);
        true
    }

    /// W ← W + tP, with residuals, gradient and F.
    fn go(&mut self, t: f64) {
        // 1. Rows: residuals, and their share of the gradient.
        let (k, s, lambda) = (self.k(), self.problem.weights(), self.lambda);
        let twice = 2.0 / self.total;
        let rows = self.r.par_chunks_mut(BLOCK * k).zip(self.pull.par_chunks_mut(BLOCK * k));
        let rows = rows.zip(self.gained.par_chunks(BLOCK * k)).zip(s.par_chunks(BLOCK));
        let sums: Vec<(f64, Vec<f64>)> = rows
            .map(|(((r, pull), gained), s)| {
                let (mut squares, mut pulls) = (0.0, vec![0.0; k]);
                axpy(-t, gained, r);
                for ((r, pull), s) in r.chunks_exact(k).zip(pull.chunks_exact_mut(k)).zip(s) {
                    pull.iter_mut().zip(r).for_each(|(pull, r)| *pull = twice * s * r);
                    squares += s * norm_sq(r);
                    axpy(1.0, pull, &mut pulls);
                }
                (squares, pulls)
            })
            .collect();
        let loss = sums.iter().map(|(squares, _)| *squares).collect::<Sum>().value() / self.total;
        // 0 except for rounding.
        let mut pulls = vec![0.0; k];
        sums.iter().for_each(|(_, part)| axpy(1.0, part, &mut pulls));

        // 2. Columns: coefficients and gradient.
        let (columns, pull) = (&self.columns, &self.pull);
        let (mean, measure, way) = (&self.mean, &self.measure, &self.way);
        let blocks =
            self.weights.par_chunks_mut(BLOCK * k).zip(self.rest.par_chunks_mut(BLOCK * k));
        let sums: Vec<[f64; 3]> = blocks
            .enumerate()
            .map(|(block, (weights, rest))| {
                let mut sums = [0.0; 3];
                let both = weights.chunks_exact_mut(k).zip(rest.chunks_exact_mut(k));
                for (j, (w, rest)) in (block * BLOCK..).zip(both) {
                    columns.combine(j, pull, rest);
                    axpy(-mean[j], &pulls, rest);
                    axpy(t, &way[j * k..][..k], w);
                    axpy(-lambda, w, rest);
                    let square = norm_sq(rest);
                    sums[0] += square;
                    sums[1] += measure[j] * square;
                    sums[2] += norm_sq(w);
                }
                sums
            })
            .collect();
        let sum = |c: usize| sums.iter().map(|sum| sum[c]).collect::<Sum>().value();
        self.rest_sq = sum(0);
        self.energy = sum(1);
        self.value = loss + 0.5 * lambda * sum(2);
    }

    /// P ← preconditioned −∇F + `share` · P.
    fn aim(&mut self, share: f64) {
        let (k, d) = (self.k(), self.mean.len());
        let (mean, measure) = (&self.mean, &self.measure);
        let (way, bias) = self.way.split_at_mut(d * k);
        let blocks = way.par_chunks_mut(BLOCK * k).zip(self.rest.par_chunks(BLOCK * k));
        let sums: Vec<(f64, Vec<f64>)> = blocks
            .enumerate()
            .map(|(block, (way, rest))| {
                let (mut square, mut shift) = (0.0, vec![0.0; k]);
                let both = way.chunks_exact_mut(k).zip(rest.chunks_exact(k));
                for (j, (way, rest)) in (block * BLOCK..).zip(both) {
                    let by = measure[j];
                    way.iter_mut().zip(rest).for_each(|(way, r)| *way = share * *way + by * r);
                    square += norm_sq(way);
                    axpy(-mean[j], way, &mut shift);
                }
                (square, shift)
            })
            .collect();
        self.way_sq = sums.iter().map(|(square, _)| *square).collect::<Sum>().value();
        bias.fill(0.0);
        sums.iter().for_each(|(_, shift)| axpy(1.0, shift, bias));
    }

    /// Resets to W = 0, where all values are finite.
    fn clear(&mut self) {
        self.weights.fill(0.0);
        self.gained.fill(0.0);
        let codes = self.problem.labels().codes();
        for (r, &code) in self.r.chunks_exact_mut(self.targets.len()).zip(codes) {
            let targets = self.targets.iter().zip(&self.mean_target);
            r.iter_mut().zip(targets).for_each(|(r, (t, mean))| *r = t[code as usize] - mean);
        }
        self.go(0.0);
    }

    fn fitted(&self) -> Fitted<'_> {
        Fitted { problem: self.problem, targets: self.targets, r: &self.r }
    }

    fn certificate(&self) -> OptimalityGap {
        if self.lambda > 0.0 {
            let gap = self.rest_sq / (2.0 * self.lambda);
            return OptimalityGap::with_bound(self.value, self.value - gap);
        }
        let share = if self.first > 0.0 { self.rest_sq.sqrt() / self.first } else { 0.0 };
        OptimalityGap::with_gradient(self.value, share)
    }

    fn hyperplanes(&self) -> Vec<Hyperplane> {
        let k = self.k();
        let hyperplane = |(c, target): (usize, &f64)| {
            let mut w = vec![0.0; self.order.len()];
            let mut b: Sum = std::iter::once(*target).collect();
            for (at, &j) in self.order.iter().enumerate() {
                w[j as usize] = self.weights[at * k + c];
                b.add(-self.weights[at * k + c] * self.mean[at]);
            }
            let b = b.value();
            Hyperplane { w, b }
        };
        self.mean_target.iter().enumerate().map(hyperplane).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Design, Labels};
    use crate::math::kernels::dot;
    use crate::math::rng::Rng;

    const ONES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

    /// n × d numbers around an offset, and three classes that depend on them.
    struct Cloud {
        rows: Vec<Vec<f64>>,
        x: Design,
        labels: Labels,
    }

    impl Cloud {
        fn new(n: usize, d: usize, offset: f64) -> Self {
            let mut rng = Rng::new(17, 0);
            let mut row = |i: usize| -> Vec<f64> {
                let more = |j: usize| if j == i % 3 { 1.0 } else { 0.0 };
                (0..d).map(|j| rng.unit() - 0.5 + offset + more(j)).collect()
            };
            let rows: Vec<Vec<f64>> = (0..n).map(&mut row).collect();
            let x = Design::dense(n, d, rows.concat()).unwrap();
            Self { rows, x, labels: Labels::parse((0..n).map(|i| ["a", "b", "c"][i % 3])) }
        }

        fn target(&self, c: usize, i: usize) -> f64 {
            ONES[c][self.labels.codes()[i] as usize]
        }
    }

    fn score(hyperplane: &Hyperplane, row: &[f64]) -> f64 {
        dot(&hyperplane.w, row) + hyperplane.b
    }

    fn solve(problem: &Problem<'_>, lambda: f64, tol: f64) -> MulticlassFit {
        let targets: Vec<Vec<f64>> = ONES.iter().map(|t| t.to_vec()).collect();
        let goal = StoppingCriteria { tol, ..StoppingCriteria::default() };
        least_squares(problem, &targets, lambda, &goal, &mut ()).unwrap()
    }

    /// The optimality conditions hold at the end, computed here row by row.
    #[test]
    fn the_gradient_vanishes_and_scores_sum_to_one() {
        let cloud = Cloud::new(60, 7, 3.0);
        let weights: Vec<f64> = (0..60).map(|i| f64::from(i % 4)).collect();
        let problem = Problem::new(&cloud.x, &cloud.labels, Some(weights)).unwrap();
        let (s, total) = (problem.weights(), problem.weights().iter().sum::<f64>());
        for lambda in [0.3, 1e-3] {
            let found = solve(&problem, lambda, 1e-14);
            for (c, hyperplane) in found.hyperplanes.iter().enumerate() {
                let mut g: Vec<f64> =
                    hyperplane.w.iter().map(|w| lambda * w).chain([0.0]).collect();
                for (i, row) in cloud.rows.iter().enumerate() {
                    let pull = -2.0 * s[i] / total * (cloud.target(c, i) - score(hyperplane, row));
                    row.iter().chain([&1.0]).zip(&mut g).for_each(|(v, g)| *g += pull * v);
                }
                assert!(g.iter().all(|g| g.abs() < 1e-7), "{g:?}");
            }
            for row in &cloud.rows {
                let sum: f64 =
                    found.hyperplanes.iter().map(|hyperplane| score(hyperplane, row)).sum();
                assert!((sum - 1.0).abs() < 1e-12, "{sum}");
            }
        }
    }

    /// Lower bounds hold at any stop, and certified predictions are those of the optimum.
    #[test]
    fn lower_bounds_and_certified_predictions_hold() {
        let cloud = Cloud::new(90, 12, 0.0);
        let problem = Problem::new(&cloud.x, &cloud.labels, None).unwrap();
        let exact = solve(&problem, 1e-3, 1e-14);
        let least = exact.certificate.unwrap().gap.primal;
        let decided = |found: &MulticlassFit, i: usize| {
            let z: Vec<f64> = found.hyperplanes.iter().map(|h| score(h, &cloud.rows[i])).collect();
            (0..3).max_by(|a, b| z[*a].total_cmp(&z[*b])).unwrap()
        };
        let mut shares = Vec::new();
        for tol in [1.0, 0.1, 1e-2, 1e-4, 1e-8] {
            let found = solve(&problem, 1e-3, tol);
            let certificate = found.certificate.unwrap();
            let dual = certificate.gap.dual.unwrap();
            assert!(dual.value <= least && least <= certificate.gap.primal, "{dual:?}");
            let winners = found.winners.as_ref().unwrap();
            for (i, winner) in winners.iter().enumerate() {
                let Some(winner) = winner else { continue };
                let class = winner.class as usize;
                assert_eq!((decided(&found, i), decided(&exact, i)), (class, class), "row {i}");
            }
            shares.push(winners.iter().flatten().count());
            let apart: f64 = found
                .hyperplanes
                .iter()
                .zip(&exact.hyperplanes)
                .flat_map(|(a, b)| a.w.iter().zip(&b.w))
                .map(|(a, b)| (a - b) * (a - b))
                .sum();
            assert!(apart.sqrt() <= certificate.radius.unwrap() + 1e-9);
        }
        assert_eq!(shares.last(), Some(&90));
    }

    /// Without a penalty and with more columns than rows every target is met, and W is in the span
    /// of the centered rows. Vectors orthogonal to that span are then orthogonal to W.
    #[test]
    fn without_a_penalty_the_least_norm_solution_is_found() {
        let (n, d) = (9, 20);
        let cloud = Cloud::new(n, d, 0.0);
        let problem = Problem::new(&cloud.x, &cloud.labels, None).unwrap();
        let found = solve(&problem, 0.0, 1e-13);
        assert_eq!(found.stop, StopReason::Optimal);
        let rows = &cloud.rows;
        for (c, hyperplane) in found.hyperplanes.iter().enumerate() {
            for (i, row) in rows.iter().enumerate() {
                assert!((score(hyperplane, row) - cloud.target(c, i)).abs() < 1e-9);
            }
            // Gram–Schmidt on the centered rows, then on W: the remainder is 0.
            let mean: Vec<f64> =
                (0..d).map(|j| rows.iter().map(|row| row[j]).sum::<f64>() / n as f64).collect();
            let mut basis: Vec<Vec<f64>> = Vec::new();
            let without = |basis: &[Vec<f64>], mut v: Vec<f64>| {
                for b in basis.iter().chain(basis) {
                    let along = dot(&v, b);
                    axpy(-along, b, &mut v);
                }
                v
            };
            for row in &rows[1..] {
                let centered = row.iter().zip(&mean).map(|(v, m)| v - m).collect();
                let mut rest = without(&basis, centered);
                let norm = norm_sq(&rest).sqrt();
                rest.iter_mut().for_each(|v| *v /= norm);
                basis.push(rest);
            }
            assert!(norm_sq(&without(&basis, hyperplane.w.clone())).sqrt() < 1e-9);
        }
    }

    #[test]
    fn constant_columns_have_zero_coefficients() {
        let x = Design::dense(4, 2, vec![1.0, 7.0, 2.0, 7.0, 3.0, 7.0, 4.0, 7.0]).unwrap();
        let labels = Labels::parse(["a", "b", "c", "a"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        for lambda in [0.0, 0.1] {
            let found = solve(&problem, lambda, 1e-10);
            assert!(found.hyperplanes.iter().all(|hyperplane| hyperplane.w[1] == 0.0));
        }
    }
}
