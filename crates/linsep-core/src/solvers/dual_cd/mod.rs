//! Dual coordinate descent: one αᵢ at a time, for an L2 penalty.
//!
//! ```text
//!   D(α) = (1/S) Σ sᵢ (−ℓ*(−αᵢ)) − (λ/2)‖w‖²,     w = (1/λS) Σ sᵢ αᵢ yᵢ xᵢ
//! ```
//!
//! Changing αᵢ to a changes D by sᵢ/S times −ℓ*(−a) + ℓ*(−αᵢ) − (a − αᵢ) mᵢ − qᵢ (a − αᵢ)²/2, where
//! mᵢ is the margin of the row and qᵢ = sᵢ‖xᵢ‖²/(λS). Every loss solves this problem in one
//! variable by [`dual_step`](crate::loss::Loss::dual_step). w is updated with each αᵢ, so a step is
//! one dot product and one addition of a row.
//!
//! Rows come in runs of sixteen neighbors, the runs in a new random order each epoch. Memory is
//! read in long stretches, and classes stay mixed even if the rows are sorted by class.
//!
//! **The intercept.** A free intercept requires Σ sᵢ αᵢ yᵢ = 0, a constraint that no single α can
//! change and keep. The method of multipliers adds the proximal term (μ/2)(b − c)² to F. Then the
//! constraint is gone and b = c + (1/μS) Σ sᵢ αᵢ yᵢ is a further coefficient. After each epoch c ←
//! b. With μ = λ divided by the mean of ‖xᵢ‖² it is scaled like the other coefficients.
//!
//! **Shrinking.** The gap is a sum over rows, (1/S) Σ sᵢ (ℓ(mᵢ) + αᵢ mᵢ + ℓ*(−αᵢ)), of nonnegative
//! terms. Let αᵢ be at a bound of its range, and its margin beyond the flat part of the loss by
//! more than the worst violation of the previous epoch. Then the term of row i is 0 and is expected
//! to stay 0, so the row is skipped until the others converge. The terms are summed during an
//! epoch. Their sum decides when to compute a rigorous gap, which takes a pass or two and restores
//! all rows (see [`GapSchedule`]).
//!
//! **Rounding.** The updated w differs from the exact w of α by accumulated rounding. Adding c xᵢ
//! has an error of at most ε(‖w‖ + 4|c|‖xᵢ‖) in norm. So a bound δ on the difference is known after
//! any number of additions, and
//!
//! ```text
//!   D(α) ≥ (1/S) Σ sᵢ (−ℓ*(−αᵢ)) − (λ/2)(‖w‖ + δ)²
//! ```
//!
//! needs no pass. w is recomputed from α if δ is too large for the tolerance, or if α must be
//! balanced for an intercept.
//!
//! **Means.** With a kinked loss (hinge) the hyperplanes of single epochs oscillate around the
//! optimum long after D has converged. The set of feasible α is convex, F is convex and D concave.
//! So the mean α of the last epochs is feasible, and its hyperplane is at least as good as theirs
//! on average. In slow runs the mean is certified as well, each time over the epochs since the last
//! mean ([`GapSchedule`]).
//!
//! # Termination
//!
//! Optimal when the rigorous relative gap, with the best intercept for w, is at most tol. Else at
//! the iteration limit. The result is the best certified hyperplane, with the best lower bound.
//!
//! Cost of an epoch: one pass over the rows not shrunk.
//! Memory: n numbers for α, q and the order.
//! Source: Hsieh, Chang, Lin, Keerthi & Sundararajan, *A dual coordinate descent method for
//! large-scale linear SVM*, ICML (2008); Yu, Huang & Lin (2011) for logistic; Bertsekas,
//! *Constrained Optimization and Lagrange Multiplier Methods*, §2.2, for the intercept.

mod coordinates;

use super::parts::{GapCheck, GapSchedule, shift_intercept, work};
use super::{Options, Requirement, Solver, SolverResult, StoppingCriteria, report_epoch};
use crate::certify::{OptimalityGap, gap};
use crate::control::{Observer, StopReason};
use crate::data::row_sweep::{in_runs, row_sweep};
use crate::data::{Combination, Hyperplane, on_rows};
use crate::math::kernels;
use crate::math::rng::Rng;
use crate::objective::Objective;
use coordinates::{Coordinates, Row, Seen};
use std::sync::Arc;

/// Settings of dual coordinate descent.
pub(super) struct DualCd {
    /// Seed of the row order.
    seed: u64,
}

impl DualCd {
    pub(super) fn with(options: &Options) -> Self {
        Self { seed: options.seed.unwrap_or_default() }
    }
}

impl Solver for DualCd {
    fn name(&self) -> &'static str {
        "dual-cd"
    }

    fn about(&self) -> &'static str {
        "dual coordinate descent with shrinking, as in LIBLINEAR"
    }

    fn needs(&self) -> &'static [Requirement] {
        &[Requirement::L2Alone]
    }

    /// 3 visits per value in each of 6 + 4 log₁₀(1/tol) epochs, times q between 1 and 1000, the
    /// interaction between rows; four times that with kinks.
    fn work(&self, objective: &Objective<'_>, goal: &StoppingCriteria) -> f64 {
        let digits = (1.0 / goal.tol).log10().max(1.0);
        let kinks = if objective.loss().curvature_bound().is_none() { 4.0 } else { 1.0 };
        let q = work::interaction(objective).clamp(1.0, 1e3);
        3.0 * work::pass(objective) * (6.0 + 4.0 * digits) * kinks * q
    }

    fn counts_epochs(&self) -> bool {
        true
    }

    fn solve(
        &self,
        objective: &Objective<'_>,
        start: Hyperplane,
        goal: &StoppingCriteria,
        watch: &mut dyn Observer,
    ) -> SolverResult {
        let mut run = Run::new(objective, start, goal.tol);
        let mut best = run.first();
        let kinked = objective.loss().curvature_bound().is_none();
        run.proved = Some(run.h.copy());
        let mut pace = GapSchedule::new(goal.tol, kinked);
        let mut epoch = 0;
        loop {
            // 1. Is there a reason to stop?
            let relative = best.relative_gap();
            let go_on = report_epoch(watch, epoch, goal, best.primal, relative);
            let reasons = [
                (!run.h.is_finite() || !best.primal.is_finite(), StopReason::Diverged),
                (best.reaches(goal.tol), StopReason::Optimal),
                (best.is_at_the_floor(), StopReason::Stalled),
                (!go_on, StopReason::Interrupted),
                (epoch >= goal.budget.epochs, StopReason::IterationLimit),
            ];
            if let Some(&(_, stop)) = reasons.iter().find(|(holds, _)| *holds) {
                return run.end(stop, epoch, best);
            }

            // 2. Run epochs until the estimated gap is small enough, or a mean is due.
            let ask = loop {
                let seen = run.epoch(Rng::new(self.seed, epoch));
                epoch += 1;
                let value = seen.value.min(best.primal);
                let go_on = report_epoch(watch, epoch, goal, value, None);
                let ask = pace.after(epoch, seen.gap, value);
                if ask == GapCheck::Later {
                    run.begin_mean();
                } else if ask != GapCheck::Nothing {
                    break ask;
                }
                if !go_on || epoch >= goal.budget.epochs {
                    break GapCheck::Now;
                }
            };

            // 3. Certify.
            let shrunk = run.active.len() < run.alpha.len();
            best = if kinked {
                run.certify_aside(ask == GapCheck::Mean, best)
            } else {
                let found = run.certify();
                let last = found.reaches(goal.tol); // avoid copying a large final w
                let hyperplane = if last { run.give_up_hyperplane() } else { run.h.clone() };
                run.keep(best, found, hyperplane)
            };
            if shrunk {
                pace.rows_came_back();
            }
        }
    }
}

/// State of a run.
struct Run<'a, 'b> {
    objective: &'a Objective<'b>,
    h: Hyperplane,
    alpha: Vec<f64>,
    /// qᵢ, and sᵢyᵢ/(λS), the factor from a change of αᵢ to a change of w.
    rows: Arc<[Row]>,
    /// Rows not shrunk, ascending.
    active: Vec<u32>,
    /// Worst violation of the previous epoch: the margin for shrinking.
    beyond: f64,
    /// δ: bound on the distance of w from the exact w of α.
    drift: f64,
    /// Share of the lower bound that δ may cost.
    bearable: f64,
    /// Largest ‖xᵢ‖.
    longest: f64,
    /// 1/μ in units of 1/λ: square of the constant feature that carries the intercept. 0 without
    /// intercept.
    spring: f64,
    center: f64,
    combination: Combination,
    /// Σ of α over the last epochs, and their number, for losses with kinks.
    sums: Vec<f64>,
    summed: f64,
    /// Best certified hyperplane, its margins, and the α of the best lower bound.
    proved: Option<Hyperplane>,
    margins: Vec<f64>,
    best_alpha: Option<Vec<f64>>,
    /// Margins and scratch space, for certificates.
    m: Vec<f64>,
    room: Vec<f64>,
}

impl<'a, 'b> Run<'a, 'b> {
    fn new(objective: &'a Objective<'b>, start: Hyperplane, tol: f64) -> Self {
        let x = objective.x();
        let n = x.n();
        let norms = x.norms_sq();
        let mean = norms.iter().sum::<f64>() / n as f64;
        let spring = if objective.intercept() { if mean > 0.0 { mean } else { 1.0 } } else { 0.0 };
        let scale = 1.0 / (objective.penalty().l2 * objective.total());
        let row = |(i, norm): (usize, &f64)| Row {
            q: scale * objective.s()[i] * (norm + spring),
            step: scale * objective.s()[i] * objective.y()[i],
        };
        let rows = norms.iter().enumerate().map(row).collect();
        let mut run = Self {
            objective,
            alpha: vec![0.0; n],
            rows,
            active: Vec::new(),
            beyond: f64::INFINITY,
            drift: if start.is_zero() { 0.0 } else { f64::INFINITY },
            bearable: 0.01 * tol,
            longest: norms.iter().fold(0.0_f64, |most, norm| most.max(*norm)).sqrt(),
            spring,
            center: start.b,
            combination: Combination::new(x),
            sums: Vec::new(),
            summed: 0.0,
            proved: None,
            margins: Vec::new(),
            best_alpha: None,
            m: vec![0.0; n],
            room: vec![0.0; n],
            h: start,
        };
        if !run.h.is_zero() {
            // Initializes α by the optimality condition at the start.
            objective.margins(&run.h, &mut run.m);
            gap::alpha_of_margins(objective, &run.m, &mut run.alpha);
        }
        run
    }

    /// Computes the first certificate. At a zero start all α are 0, and F and D are known without a
    /// pass.
    fn first(&mut self) -> OptimalityGap {
        if !self.h.is_zero() {
            let found = self.certify();
            self.best_alpha = Some(self.alpha.clone());
            return found;
        }
        self.active.extend(0..self.alpha.len() as u32);
        let loss = self.objective.loss();
        OptimalityGap::with_bound(loss.value(0.0), loss.dual(0.0))
    }

    /// Visits every row not shrunk once, in runs in random order.
    fn epoch(&mut self, order: Rng) -> Seen {
        let order = in_runs(&self.active, order);
        let before = kernels::norm_sq(&self.h.w).sqrt();
        let mut at = Coordinates::new(self);
        on_rows!(self.objective.x(), x => row_sweep(x, &order, &mut self.h.w, &mut at));
        let Coordinates { alpha, b, left, mut seen, .. } = at;
        (self.alpha, self.h.b) = (alpha, b);
        self.active.retain(|&i| !left[i as usize]);
        self.drift += rounded(before, seen.steps, self.longest * seen.path);
        if self.objective.loss().curvature_bound().is_none() {
            self.sums.resize(self.alpha.len(), 0.0);
            self.sums.iter_mut().zip(&self.alpha).for_each(|(sum, alpha)| *sum += alpha);
            self.summed += 1.0;
        }
        self.beyond = if seen.worst > 0.0 { seen.worst } else { f64::INFINITY };
        // c moves to b, and b is extrapolated by the same step, as Σ sᵢ αᵢ yᵢ is unchanged.
        let stretched = self.h.b - self.center;
        self.center = self.h.b;
        self.h.b += stretched;
        let l2 = self.objective.penalty().l2;
        let total = self.objective.total();
        seen.gap /= total;
        seen.value = seen.value / seen.sampled.max(f64::MIN_POSITIVE)
            + 0.5 * l2 * kernels::norm_sq(&self.h.w);
        seen
    }

    /// Computes the rigorous gap. Restores all rows.
    fn certify(&mut self) -> OptimalityGap {
        self.active.clear();
        self.active.extend(0..self.alpha.len() as u32);
        self.beyond = f64::INFINITY;
        let bound = self.bound_of_current_w().unwrap_or_else(|| self.recompute_w());
        self.objective.margins(&self.h, &mut self.m);
        if self.objective.intercept() {
            let shift = shift_intercept(self.objective, &mut self.h, &mut self.m);
            if shift.abs() > self.h.b.abs() {
                // The margins carry rounding errors of the larger old intercept.
                self.objective.margins(&self.h, &mut self.m);
            }
            self.center = self.h.b; // Σ sᵢ αᵢ yᵢ = 0: the proximal term is 0
        }
        OptimalityGap::with_bound(self.objective.value(&self.h, &self.m), bound)
    }

    /// Lower bound from the current w; `None` if α needs balancing or δ costs too much.
    fn bound_of_current_w(&self) -> Option<f64> {
        if self.objective.intercept() {
            return None;
        }
        let (l2, norm) = (self.objective.penalty().l2, kernels::norm_sq(&self.h.w).sqrt());
        let lost = l2 * self.drift * (norm + 0.5 * self.drift);
        let bound = self.objective.mean_dual(&self.alpha) - 0.5 * l2 * norm * norm - lost;
        (lost <= self.bearable * bound).then_some(bound)
    }

    /// Balances α, recomputes w from α, and returns the lower bound.
    fn recompute_w(&mut self) -> f64 {
        let (objective, l2) = (self.objective, self.objective.penalty().l2);
        let (alpha, combination) = (&mut self.alpha, &mut self.combination);
        let bound = gap::dual_value(objective, alpha, combination, &mut self.h.w, &mut self.room);
        self.h.w.iter_mut().for_each(|u| *u /= l2);
        self.drift = 0.0;
        bound
    }

    fn begin_mean(&mut self) {
        self.sums.fill(0.0);
        self.summed = 0.0;
    }

    /// Certifies the mean α of the last epochs, or the current α, and keeps the hyperplane if it is
    /// better. The iterates are restored, so the run itself is unchanged. All rows are restored.
    fn certify_aside(&mut self, mean: bool, best: OptimalityGap) -> OptimalityGap {
        let (alpha, h, center) = (self.alpha.clone(), self.h.clone(), self.center);
        let drift = self.drift;
        if mean {
            self.drift = f64::INFINITY; // w belongs to another α
            let count = self.summed;
            self.alpha.iter_mut().zip(&self.sums).for_each(|(alpha, sum)| *alpha = sum / count);
            self.begin_mean();
        }
        let found = self.certify();
        let hyperplane = std::mem::replace(&mut self.h, h);
        let best = self.keep(best, found, hyperplane);
        (self.alpha, self.center, self.drift) = (alpha, center, drift);
        best
    }

    /// Moves the hyperplane out at the end of a run.
    fn give_up_hyperplane(&mut self) -> Hyperplane {
        std::mem::replace(&mut self.h, Hyperplane::zero(0))
    }

    /// Keeps the lower objective and the higher lower bound; they may come from different α.
    fn keep(
        &mut self,
        best: OptimalityGap,
        found: OptimalityGap,
        hyperplane: Hyperplane,
    ) -> OptimalityGap {
        let bound = |c: &OptimalityGap| c.dual.map_or(f64::NEG_INFINITY, |dual| dual.value);
        let least = bound(&found).max(bound(&best));
        if bound(&found) > bound(&best) {
            self.best_alpha.get_or_insert_default().clone_from(&self.alpha);
        }
        if found.primal < best.primal {
            self.proved = Some(hyperplane);
            self.margins.clone_from(&self.m);
            return OptimalityGap::with_bound(found.primal, least);
        }
        OptimalityGap::with_bound(best.primal, least)
    }

    fn end(mut self, stop: StopReason, epochs: u64, certificate: OptimalityGap) -> SolverResult {
        if let Some(hyperplane) = self.proved.take().filter(Hyperplane::is_finite) {
            // Before the first certificate every α is 0.
            let alpha = Some(self.best_alpha.unwrap_or_else(|| vec![0.0; self.m.len()]));
            let margins = (!self.margins.is_empty()).then_some(self.margins);
            return SolverResult { hyperplane, stop, epochs, certificate, margins, alpha };
        }
        let zero = Hyperplane::zero(self.h.d());
        let m = vec![0.0; self.m.len()];
        let mut combination = self.combination;
        let certificate = gap::certify(self.objective, &zero, &m, &mut combination);
        SolverResult { hyperplane: zero, stop, epochs, certificate, margins: Some(m), alpha: None }
    }
}

/// Bounds the distance of w, by rounding, from the exact result of `steps` additions of c x. Each
/// has an error of at most ε(‖w‖ + 4|c|‖x‖) in norm. `before` is the initial ‖w‖, and `path` is
/// Σ|c| times the largest ‖x‖.
fn rounded(before: f64, steps: f64, path: f64) -> f64 {
    f64::EPSILON * (steps * (before + path) + 8.0 * path)
}
