//! Primal-dual interior-point method: for the hinge and related losses, with any penalty or none.
//!
//! For a piecewise linear-quadratic loss F is a linear or quadratic program. Active-set steps are
//! short: each ends at a kink of a loss or a zero of a coefficient. An interior point stays away
//! from all bounds, by a distance set by μ, and follows the central path to μ = 0 ([`Central`]). It
//! takes about twenty steps, whatever the λ, and yields both a hyperplane and an α.
//!
//! ```text
//!   F(h) − D(α) = Σ of the products that are μ, once the equations hold
//! ```
//!
//! so μ decides when to compute the rigorous gap. The certified hyperplane has exact zeros where
//! |vⱼ| < λ₁, and the best intercept for its coefficients.
//!
//! **Columns.** With λ₁ most coefficients are zero. With many columns, the method runs on those
//! whose slope exceeds λ₁ most, first at w = 0. The resulting α shows which other columns exceed
//! λ₁, and as many again are added. Columns never leave the set. Certificates hold over all
//! columns.
//!
//! **No penalty.** Without a lower bound, the gradient is tested instead. For a loss with a kink, α
//! yields a subgradient near 0 ([`by_subgradient`](gap::by_subgradient)). F = 0 is a minimum
//! without a certificate.
//!
//! # Termination
//!
//! Optimal when the relative gap is at most tol. Else when doubles allow no further step, or at the
//! iteration limit, counted in steps.
//!
//! Cost of a step: six passes, the d²n/2 products of the d × d matrix, and d³/6 for its factor.
//! Source: Wright, *Primal-Dual Interior-Point Methods* (SIAM 1997), chapter 10; Massias, Gramfort
//! & Salmon, *Celer*, ICML (2018), for the columns.

use super::parts::{Central, shift_intercept, work};
use super::{Requirement, Solver, SolverResult, StoppingCriteria, report_epoch};
use crate::certify::{OptimalityGap, gap};
use crate::control::{Observer, StopReason};
use crate::data::{BinarySubset, Combination, Design, Hyperplane};
use crate::loss::PiecewiseQuadratic;
use crate::objective::Objective;

/// Primal-dual interior-point method.
pub(super) struct InteriorPoint;

/// Number of columns above which a working set is used, with λ₁.
const MANY: usize = 400;

/// Size of the first working set.
const FEW: usize = 200;

/// Share of tol at which the gap is computed: a step or two more than necessary separate zero from
/// nonzero coefficients.
const CLEAR: f64 = 0.1;

/// Tolerance on the first working set, and the smallest that doubles resolve.
const ROUGH: f64 = 1e-2;
const LEAST: f64 = 1e-14;

impl Solver for InteriorPoint {
    fn name(&self) -> &'static str {
        "interior-point"
    }

    fn about(&self) -> &'static str {
        "for piecewise linear and quadratic losses, with any penalty"
    }

    fn needs(&self) -> &'static [Requirement] {
        &[Requirement::Pieces, Requirement::FewThatMatter]
    }

    /// 20 steps of 7 passes, the d × d matrix and its factor; twice that with L2 alone, as others
    /// then start from a subset of the rows. A working set: 100 passes and factors of 500 columns.
    fn work(&self, objective: &Objective<'_>, _: &StoppingCriteria) -> f64 {
        let (x, penalty) = (objective.x(), objective.penalty());
        let (n, d) = (x.n() as f64, x.d() as f64);
        if penalty.l1 > 0.0 && x.d() > MANY {
            return 100.0 * (work::pass(objective) + work::factor(d.min(n / 4.0).min(500.0)));
        }
        let steps = if penalty.is_l2_alone() { 40.0 } else { 20.0 };
        steps * (7.0 * work::pass(objective) + work::hessian(objective) + work::factor(d))
    }

    fn solve(
        &self,
        objective: &Objective<'_>,
        start: Hyperplane,
        goal: &StoppingCriteria,
        watch: &mut dyn Observer,
    ) -> SolverResult {
        let pieces = objective.loss().pieces().expect("the requirement on the loss was checked");
        let mut proof = BestCertificate::new(objective, start);
        let (x, d) = (objective.x(), objective.x().d());
        if objective.penalty().l1 == 0.0 || d <= MANY {
            let all: Vec<u32> = (0..d as u32).collect();
            let mut run = Run { columns: &all, goal, watch, epoch: 0, tol: CLEAR * goal.tol };
            let stop = run.follow(objective, pieces, &mut proof);
            return proof.end(stop.unwrap_or(StopReason::Stalled), run.epoch);
        }

        let mut columns = Vec::new();
        let (mut epoch, mut tol) = (0, ROUGH);
        loop {
            // 1. Double the working set by the largest violations; if there are none, tighten the
            // tolerance.
            let came = widen(&mut columns, &proof.slopes, objective.penalty().l1);
            let known = proof.best.relative_gap().unwrap_or(1.0);
            tol = if came { tol.min(0.1 * known).max(CLEAR * goal.tol) } else { 0.1 * tol };
            let (y, s) = (objective.y().to_vec(), objective.s().to_vec());
            let part = BinarySubset::new(select(x, &columns), y, s);
            let binary = part.binary();
            let few = objective.on(&binary);

            // 2. Solve on the working set, no further than the other columns are likely to allow.
            let mut run = Run { columns: &columns, goal, watch, epoch, tol };
            let stop = run.follow(&few, pieces, &mut proof);
            epoch = run.epoch;
            if let Some(stop) = stop {
                return proof.end(stop, epoch);
            }
            if tol < LEAST {
                return proof.end(StopReason::Stalled, epoch);
            }
        }
    }
}

/// Adds the columns whose slope exceeds λ₁ most: as many as there are, at least [`FEW`]. Returns
/// whether any was added.
fn widen(columns: &mut Vec<u32>, slopes: &[f64], l1: f64) -> bool {
    let mut is_in = vec![false; slopes.len()];
    columns.iter().for_each(|&j| is_in[j as usize] = true);
    let outside = |j: &u32| !is_in[*j as usize] && slopes[*j as usize].abs() > l1;
    let mut new: Vec<u32> = (0..slopes.len() as u32).filter(outside).collect();
    let size = |j: &u32| slopes[*j as usize].abs();
    new.sort_by(|a, b| size(b).total_cmp(&size(a)));
    new.truncate(columns.len().max(FEW));
    let came = !new.is_empty() || columns.is_empty();
    if new.is_empty() && columns.is_empty() {
        new.push(0); // no column violates λ₁, but d ≥ 1
    }
    columns.extend(new);
    columns.sort_unstable();
    came
}

/// Selects columns of a design matrix.
fn select(x: &Design, columns: &[u32]) -> Design {
    let mut number = vec![u32::MAX; x.d()];
    columns.iter().zip(0..).for_each(|(&j, k)| number[j as usize] = k);
    let (mut starts, mut indices, mut values) = (vec![0], Vec::new(), Vec::new());
    for i in 0..x.n() {
        x.each_nonzero(i, |j, v| {
            if number[j] != u32::MAX {
                indices.push(number[j]);
                values.push(v);
            }
        });
        starts.push(indices.len());
    }
    Design::sparse(columns.len(), starts, indices, values).expect("a submatrix is a matrix")
}

/// Run on a working set.
struct Run<'a> {
    columns: &'a [u32],
    goal: &'a StoppingCriteria,
    watch: &'a mut dyn Observer,
    epoch: u64,
    /// Tolerance on this working set.
    tol: f64,
}

impl Run<'_> {
    /// Iterates to a stop reason. `None` if the working set is to be extended.
    fn follow(
        &mut self,
        few: &Objective<'_>,
        pieces: PiecewiseQuadratic,
        proof: &mut BestCertificate<'_, '_>,
    ) -> Option<StopReason> {
        let mut point = Central::new(few, pieces);
        let all = self.columns.len() == proof.hyperplane.d();
        let mut asked = f64::INFINITY;
        let mut over = false;
        loop {
            // 1. Is the estimated gap small enough for a rigorous one?
            let (value, left) = (few.value(&point.h, &point.m), point.gap());
            let likely = left / value.min(proof.best.primal).max(f64::MIN_POSITIVE);
            let last = over || few.is_ended() || self.epoch >= self.goal.budget.epochs;
            let near = likely <= self.tol.min(0.5 * asked) || value == 0.0;
            // Before the first step the point gives no useful bound.
            if near || last && (self.epoch > 0 || !few.is_over()) {
                asked = likely;
                proof.look_at(&point, self.columns, self.goal.tol);
            }

            // 2. Is there a reason to stop?
            let relative = proof.best.relative_gap();
            let least = value.min(proof.best.primal);
            let go_on = report_epoch(self.watch, self.epoch, self.goal, least, relative);
            let reasons = [
                (proof.best.reaches(self.goal.tol), StopReason::Optimal),
                (proof.best.is_at_the_floor() || (all && over), StopReason::Stalled),
                (!go_on, StopReason::Interrupted),
                (self.epoch >= self.goal.budget.epochs, StopReason::IterationLimit),
            ];
            if let Some(&(_, stop)) = reasons.iter().find(|(holds, _)| *holds) {
                return Some(stop);
            }
            if !all && (near || over) {
                return None;
            }

            // 3. Take a step.
            over = point.step().is_none() && !few.is_ended();
            self.epoch += u64::from(!over && !few.is_ended());
        }
    }
}

/// Best hyperplane and lower bound so far, over all columns.
struct BestCertificate<'a, 'b> {
    objective: &'a Objective<'b>,
    hyperplane: Hyperplane,
    best: OptimalityGap,
    /// α of the best lower bound, if it came from a step.
    alpha: Option<Vec<f64>>,
    /// Σ pᵢαᵢyᵢxᵢ for the last α.
    slopes: Vec<f64>,
    combination: Combination,
}

impl<'a, 'b> BestCertificate<'a, 'b> {
    /// Certifies the start, and computes the slopes at the best hyperplane with w = 0.
    fn new(objective: &'a Objective<'b>, start: Hyperplane) -> Self {
        let n = objective.x().n();
        let mut combination = Combination::new(objective.x());
        let mut m = vec![0.0; n];
        objective.margins(&start, &mut m);
        let best = gap::certify(objective, &start, &m, &mut combination);
        let slopes = vec![0.0; start.d()];
        let mut proof =
            Self { objective, hyperplane: start, best, alpha: None, slopes, combination };
        if objective.penalty().l1 > 0.0 {
            let flat = Hyperplane::zero(proof.hyperplane.d());
            let mut alpha = vec![0.0; n];
            m.fill(0.0);
            gap::alpha_of_margins(objective, &m, &mut alpha);
            proof.take(flat, &mut alpha);
        }
        proof
    }

    /// Certifies a point found on a working set.
    fn look_at(&mut self, point: &Central<'_, '_>, columns: &[u32], tol: f64) {
        let objective = self.objective;
        let d = self.hyperplane.d();
        let whole = |few: &Hyperplane| {
            let mut hyperplane = Hyperplane { w: vec![0.0; d], b: few.b };
            columns.iter().zip(&few.w).for_each(|(&j, w)| hyperplane.w[j as usize] = *w);
            hyperplane
        };
        let mut alpha = point.alpha();
        if !objective.penalty().is_some() {
            return self.take_free(point.h.clone(), &alpha);
        }
        self.take(whole(&point.h), &mut alpha);
        if objective.penalty().l1 > 0.0 {
            const SHARES: [f64; 4] = [1.0, 1e-2, 1e-4, 1e-6];
            SHARES.iter().any(|&share| self.prefer(whole(&point.cleaned(share)), tol));
        }
    }

    /// Returns the hyperplane with the best intercept, its margins and F.
    fn with_best_intercept(&self, mut hyperplane: Hyperplane) -> (Hyperplane, Vec<f64>, f64) {
        let objective = self.objective;
        let mut m = vec![0.0; objective.x().n()];
        objective.margins(&hyperplane, &mut m);
        shift_intercept(objective, &mut hyperplane, &mut m);
        let value = objective.value(&hyperplane, &m);
        (hyperplane, m, value)
    }

    /// Keeps the hyperplane and the bound of α if they are better.
    fn take(&mut self, hyperplane: Hyperplane, alpha: &mut [f64]) {
        let objective = self.objective;
        // Slopes before any scaling: columns above λ₁ are candidates for the working set.
        gap::balance(objective, alpha);
        let shares = alpha.iter().zip(objective.y()).zip(objective.s());
        let r: Vec<f64> = shares.map(|((a, y), s)| s * a * y / objective.total()).collect();
        self.combination.of(objective.x(), &r, &mut self.slopes);
        let (mut u, mut room) = (vec![0.0; hyperplane.d()], r);
        let bound = gap::dual_value(objective, alpha, &mut self.combination, &mut u, &mut room);
        let known = self.best.dual.map_or(0.0, |dual| dual.value);
        if bound > known || self.alpha.is_none() {
            self.alpha = Some(alpha.to_vec());
        }
        let (hyperplane, _, value) = self.with_best_intercept(hyperplane);
        if value < self.best.primal {
            self.hyperplane = hyperplane;
        }
        self.best = OptimalityGap::with_bound(value.min(self.best.primal), bound.max(known));
    }

    /// Keeps a hyperplane with more zeros if it is within the tolerance, or raises F by at most a
    /// tenth of the gap. Returns whether it was kept.
    fn prefer(&mut self, hyperplane: Hyperplane, tol: f64) -> bool {
        let Some(known) = self.best.dual else { return false };
        let (hyperplane, _, value) = self.with_best_intercept(hyperplane);
        let found = OptimalityGap::with_bound(value, known.value);
        let good = found.reaches(tol) || value <= self.best.primal + 0.1 * known.gap;
        if good {
            (self.hyperplane, self.best) = (hyperplane, found);
        }
        good
    }

    /// Keeps the hyperplane if it is better, without a penalty.
    fn take_free(&mut self, hyperplane: Hyperplane, alpha: &[f64]) {
        let objective = self.objective;
        let (hyperplane, m, value) = self.with_best_intercept(hyperplane);
        if value > self.best.primal {
            return;
        }
        self.best = if objective.loss().curvature_bound().is_some() {
            gap::certify(objective, &hyperplane, &m, &mut self.combination)
        } else {
            gap::by_subgradient(objective, value, &m, alpha, &mut self.combination)
        };
        self.hyperplane = hyperplane;
    }

    fn end(self, stop: StopReason, epochs: u64) -> SolverResult {
        SolverResult {
            hyperplane: self.hyperplane,
            stop,
            epochs,
            certificate: self.best,
            alpha: self.alpha,
            margins: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Labels, Problem};
    use crate::loss::{Hinge, SmoothHinge};
    use crate::math::rng::Rng;
    use crate::penalty::Penalty;

    /// Rows −1 and 1 of two classes: F = max(0, 1 − w) + λ|w| has its minimum λ at w = 1.
    #[test]
    fn minimum_matches_the_hand_computation() {
        let x = Design::dense(2, 1, vec![-1.0, 1.0]).unwrap();
        let labels = Labels::parse(["a", "b"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let binary = problem.against_rest(1);
        for intercept in [true, false] {
            let objective = Objective::new(&binary, &Hinge, Penalty::l1(0.25), intercept).unwrap();
            let goal = StoppingCriteria { tol: 1e-9, ..StoppingCriteria::default() };
            let found = InteriorPoint.solve(&objective, Hyperplane::zero(1), &goal, &mut ());
            assert_eq!(found.stop, StopReason::Optimal, "{found:?}");
            assert!((found.certificate.primal - 0.25).abs() < 1e-9, "{found:?}");
            assert!((found.hyperplane.w[0] - 1.0).abs() < 1e-6, "{found:?}");
        }
    }

    /// More columns than the first working set: the certificate holds over all, and most
    /// coefficients are exactly zero.
    #[test]
    fn many_columns_are_solved_on_a_working_set() {
        let (n, d) = (150, 3 * MANY);
        let mut rng = Rng::new(5, 5);
        let values: Vec<f64> =
            (0..n * d).map(|_| if rng.unit() < 0.9 { 0.0 } else { rng.unit() - 0.3 }).collect();
        let x = Design::dense(n, d, values).unwrap();
        let side = |i: usize| x.row(i)[..6].iter().sum::<f64>() + 0.2 * rng.unit() > 0.15;
        let labels = Labels::parse((0..n).map(side).map(|yes| if yes { "b" } else { "a" }));
        let problem = Problem::new(&x, &labels, None).unwrap();
        let binary = problem.against_rest(1);
        for loss in [&Hinge as &dyn crate::loss::Loss, &SmoothHinge] {
            for penalty in [Penalty::l1(2e-3), Penalty { l1: 2e-3, l2: 1e-3 }] {
                let objective = Objective::new(&binary, loss, penalty, true).unwrap();
                let goal = StoppingCriteria { tol: 1e-7, ..StoppingCriteria::default() };
                let found = InteriorPoint.solve(&objective, Hyperplane::zero(d), &goal, &mut ());
                assert_eq!(found.stop, StopReason::Optimal, "{:?}", found.certificate);
                let weights = found.hyperplane.w.iter().filter(|w| **w != 0.0).count();
                assert!((1..d / 2).contains(&weights), "{weights}");
            }
        }
    }
}
