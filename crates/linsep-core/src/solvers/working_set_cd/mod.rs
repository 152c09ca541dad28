//! Coordinate descent on a working set of columns, for penalties with L1.
//!
//! Most coefficients of an L1 optimum are zero, and most columns show it early: the slope of the
//! loss in them stays below λ₁. So the method works on few columns at a time, in rounds:
//!
//! 1. The working set grows by the columns that violate optimality most: as many as there are
//!    nonzero coefficients, at least a hundred and at least n/100. Columns never leave the set.
//! 2. On the set F is minimized by Newton steps. The loss is replaced by its quadratic model Σ rᵢ
//!    dᵢ + ½ Σ cᵢ dᵢ² in the change d of the scores. The model with the penalty is minimized one
//!    coefficient at a time, by a soft threshold; then comes a line search.
//! 3. A pass over all columns finds the violations outside the set.
//!
//! The *violation* of a coefficient w ≠ 0 is |slope + λ₁ sign w|, of a zero the excess of |slope|
//! over λ₁. A round ends when the violation in the set is below the largest violation outside it.
//! It also ends at a tenth of the violation at its start, or if the violation is small enough for a
//! gap of tol. A slope with an error of v costs the dual about v‖w‖₁.
//!
//! A quadratic model is minimized to a third of its violation at first, and further as the steps
//! improve. Far from the optimum the model is poor.
//!
//! After a step that fails or is shortened, the next quadratic model has more curvature
//! (`Damping`), up to the largest possible, with which F always falls.
//!
//! A coefficient whose rows are nearly all on flat parts of the loss gets a thousandth of its
//! maximum curvature. Otherwise it would not move.
//!
//! A sweep visits the coefficients **in random order**: in column order the same run on imdb took
//! 368 Newton steps instead of 14 (`docs/speed.md`). Zero coefficients that satisfy optimality are
//! skipped until the others converge; then all are checked again.
//!
//! The vector eᵢ = rᵢ + cᵢ dᵢ, the slope of the model in each score, is updated throughout. The
//! slope in a coefficient is the dot product of its column with e. The intercept is an unpenalized
//! column of ones.
//!
//! If a step takes many sweeps, the quadratic is formed explicitly ([`L1Quadratic`]) in the active
//! coefficients (at most 2048). A change then costs one row of H, however long the columns are. H
//! is formed once sweeps without it have cost twice as much, in this step or in the previous one.
//!
//! # Termination
//!
//! Optimal when the relative gap over **all** columns is at most tol (a byproduct of the pass of
//! step 3). Else when no step lowers F, or at the iteration limit, counted in Newton steps.
//!
//! Cost: a sweep passes twice over the columns with a nonzero coefficient, a Newton step makes
//! about fifteen, a round passes twice over all rows.
//! Memory: a copy of the columns of the working set.
//! Source: Friedman, Hastie & Tibshirani, *Regularization paths for generalized linear models via
//! coordinate descent*, J. Stat. Software 33 (2010); Yuan, Ho & Lin, *An improved GLMNET for
//! L1-regularized logistic regression*, JMLR 13 (2012); Massias, Gramfort & Salmon, *Celer*, ICML
//! (2018), for the working set.
//!
//! Over 400 lines: rounds, sweeps and line search share the working set.

mod weights;

use super::parts::{Damping, L1Quadratic, State, floor, halve, work};
use super::{Options, Requirement, Solver, SolverResult, StoppingCriteria};
use crate::control::{Observer, StopReason};
use crate::data::row_sweep::row_sweep;
use crate::data::{Columns, Hyperplane, Weighted};
use crate::math::rng::Rng;
use crate::objective::Objective;
use crate::penalty::Penalty;
use weights::Weights;

/// Coordinate descent on a working set.
pub(super) struct WorkingSetCd {
    /// Seed of the order of coefficients.
    seed: u64,
}

impl WorkingSetCd {
    pub(super) fn with(options: &Options) -> Self {
        Self { seed: options.seed.unwrap_or_default() }
    }
}

impl Solver for WorkingSetCd {
    fn name(&self) -> &'static str {
        "working-set-cd"
    }

    fn about(&self) -> &'static str {
        "coordinate descent on a working set of features, for l1"
    }

    fn needs(&self) -> &'static [Requirement] {
        &[Requirement::Curvature, Requirement::Penalty]
    }

    /// 80 passes with L1; 300 without, as the working set is then all columns.
    fn work(&self, objective: &Objective<'_>, _: &StoppingCriteria) -> f64 {
        if objective.penalty().l1 > 0.0 {
            work::more_if_flat(objective, 4.0) * 80.0 * work::pass(objective)
        } else {
            300.0 * work::pass(objective)
        }
    }

    fn solve(
        &self,
        objective: &Objective<'_>,
        start: Hyperplane,
        goal: &StoppingCriteria,
        watch: &mut dyn Observer,
    ) -> SolverResult {
        let mut state = State::new(objective, start);
        let mut work = Work::new(objective);
        let mut epoch = 0;
        loop {
            // 1. Is there a reason to stop?
            if let Some((stop, certificate)) = state.reason(epoch, goal, watch) {
                return state.end(stop, epoch, certificate);
            }

            // 2. Extend the working set, and set the target violation.
            let (worst, outside) = work.widen(&state.h, &state.g);
            let target = target(&state, goal, worst).max(outside);

            // 3. Newton steps on the working set, down to the target.
            let before = epoch;
            let mut left = work.prepare(&mut state);
            let mut share = SHARE;
            while epoch < goal.budget.epochs && epoch - before < STEPS && !objective.is_ended() {
                let order = Rng::new(self.seed, epoch);
                if !work.step(&mut state, (share * left).max(0.3 * target), order) {
                    if !work.damping.stiffen() {
                        break;
                    }
                    left = work.prepare(&mut state);
                    continue;
                }
                epoch += 1;
                let last = left;
                left = work.prepare(&mut state);
                if left <= target {
                    break;
                }
                share = (0.5 * left / last).clamp(0.02, SHARE);
            }

            // 4. Recompute the gradient over all columns.
            state.update_gradient();
            if epoch == before && !objective.is_ended() {
                return state.end(StopReason::Stalled, epoch, None);
            }
        }
    }
}

/// Most Newton steps in a round, so that all columns are checked regularly.
const STEPS: u64 = 20;

/// Share of the violation that the first quadratic model of a round may leave.
const SHARE: f64 = 0.3;

/// Target violation in the working set for a round that starts with `worst`.
fn target(state: &State<'_, '_>, goal: &StoppingCriteria, worst: f64) -> f64 {
    let size: f64 = state.h.w.iter().map(|w| w.abs()).sum();
    let enough = 0.9 * goal.tol * state.value / size.max(f64::MIN_POSITIVE);
    (0.1 * worst).max(enough.min(0.5 * worst))
}

/// Working set and scratch space.
struct Work<'a, 'b> {
    objective: &'a Objective<'b>,
    /// Columns in order of entry, and whether a column is among them.
    set: Vec<u32>,
    is_in: Vec<bool>,
    columns: Columns,
    /// Start of the second half of each column.
    middles: Vec<usize>,
    /// cᵢ and eᵢ.
    c: Vec<f64>,
    e: Vec<f64>,
    /// Columns of the set active in a step, and the curvature of the quadratic in each coefficient.
    part: Vec<u32>,
    curvature: Vec<f64>,
    /// Least curvature of a coefficient, and the amount added to reach it.
    least: Vec<f64>,
    given: Vec<f64>,
    /// Changes of the coefficients and of the intercept.
    change: Vec<f64>,
    change_b: f64,
    /// Sweeps of the last step.
    sweeps: usize,
    damping: Damping,
}

impl<'a, 'b> Work<'a, 'b> {
    fn new(objective: &'a Objective<'b>) -> Self {
        let (n, d) = (objective.x().n(), objective.x().d());
        Self {
            set: Vec::new(),
            is_in: vec![false; d],
            columns: Columns::none(objective.x()),
            middles: Vec::new(),
            c: vec![0.0; n],
            e: vec![0.0; n],
            part: Vec::new(),
            curvature: Vec::new(),
            least: Vec::new(),
            given: Vec::new(),
            change: Vec::new(),
            change_b: 0.0,
            sweeps: 0,
            damping: Damping::default(),
            objective,
        }
    }

    /// Extends the set by the columns with a nonzero coefficient and the largest violations outside
    /// it. Their number is that of the nonzero coefficients, at least a hundred and at least n/100.
    /// Returns the largest violation of all, and of the columns left outside.
    fn widen(&mut self, h: &Hyperplane, g: &Hyperplane) -> (f64, f64) {
        const LEAST: usize = 100;
        let l1 = Penalty::l1(self.objective.penalty().l1);
        let want = |j: u32| l1.distance(h.w[j as usize], g.w[j as usize]);
        let columns = 0..h.d() as u32;
        let worst = columns.clone().fold(g.b.abs(), |most, j| most.max(want(j)));
        let weights = h.w.iter().filter(|w| **w != 0.0).count();
        let (mut new, mut others): (Vec<u32>, Vec<u32>) = columns
            .filter(|&j| !self.is_in[j as usize] && (h.w[j as usize] != 0.0 || want(j) > 0.0))
            .partition(|&j| h.w[j as usize] != 0.0);
        let more = weights.max(LEAST).max(self.c.len() / LEAST);
        let mut outside = 0.0;
        if more < others.len() {
            others.select_nth_unstable_by(more, |a, b| want(*b).total_cmp(&want(*a)));
            outside = want(others[more]);
            others.truncate(more);
        }
        new.extend(others);
        new.sort_unstable();
        if !new.is_empty() {
            self.columns.append(self.objective.x(), &new);
            self.columns.middles(self.c.len() / 2, &mut self.middles);
            new.iter().for_each(|&j| self.is_in[j as usize] = true);
            self.set.extend(new);
            self.curvature.resize(self.set.len(), 0.0);
            self.given.resize(self.set.len(), 0.0);
            let (known, c) = (self.least.len(), floor(self.objective));
            let least = |k| c.as_ref().map_or(0.0, |c| self.columns.curvature(k, c));
            self.least.extend((known..self.set.len()).map(least));
            self.change.resize(self.set.len(), 0.0);
        }
        (worst, outside)
    }

    /// Forms the quadratic model at the hyperplane and selects the active coefficients. Zeros whose
    /// slope is further inside λ₁ than the largest violation are skipped. Returns the largest
    /// violation in the set, intercept included.
    fn prepare(&mut self, state: &mut State<'_, '_>) -> f64 {
        let objective = self.objective;
        objective.curvatures(&state.m, &mut self.c);
        self.damping.add_to(objective, &mut self.c);
        objective.residuals(&state.m, &mut state.per_row);
        self.e.copy_from_slice(&state.per_row);
        let penalty = objective.penalty();
        let mut worst = objective.residual_bias(&state.per_row).abs();
        let mut slopes = vec![0.0; self.set.len()];
        for (k, &j) in self.set.iter().enumerate() {
            slopes[k] = self.columns.dot(k, &self.e);
            worst = worst.max(penalty.distance(state.h.w[j as usize], slopes[k]));
        }
        let near = penalty.l1 - worst.min(0.5 * penalty.l1);
        self.part.clear();
        for (k, &j) in self.set.iter().enumerate() {
            if state.h.w[j as usize] != 0.0 || slopes[k].abs() > near {
                let own = self.columns.curvature(k, &self.c) + penalty.l2;
                self.given[k] = (self.least[k] - own).max(0.0);
                self.curvature[k] = own + self.given[k];
                if self.curvature[k] > 0.0 {
                    self.part.push(k as u32);
                }
            }
        }
        worst
    }

    /// Minimizes the quadratic model to a violation of `tol`, and moves there, as far as F falls.
    /// Returns whether it moved.
    fn step(&mut self, state: &mut State<'_, '_>, tol: f64, mut order: Rng) -> bool {
        const SWEEPS: usize = 1000;
        const WIDEST: usize = 2048;
        self.change.fill(0.0);
        self.change_b = 0.0;
        let total: f64 = self.c.iter().sum();
        let [pass, pairs] = self.columns.costs(&self.part, self.c.len());
        let mut active = self.part.clone();
        let mut sweeps = 0;
        while sweeps < SWEEPS && !self.objective.is_ended() {
            // An explicit quadratic pays once sweeps, in this step or the previous one, have cost
            // twice its pairs.
            let pays = self.sweeps.max(sweeps).saturating_mul(pass) >= 2 * pairs;
            if pays && self.part.len() <= WIDEST {
                sweeps += self.descend_on_square(&state.h, total, tol, &mut order, SWEEPS - sweeps);
                break;
            }
            let all = active.len() == self.part.len();
            order.shuffle(&mut active);
            sweeps += 1;
            if self.sweep(&state.h, &mut active, total) <= tol {
                if all {
                    break;
                }
                active.clone_from(&self.part);
            }
        }
        self.sweeps = sweeps;
        let moved = self.change_b != 0.0 || self.change.iter().any(|change| *change != 0.0);
        let went = if moved { self.search(state) } else { None };
        went.inspect(|t| self.damping.learn(*t)).is_some()
    }

    /// Forms the quadratic explicitly in the active coefficients and minimizes it. Returns the
    /// sweeps made.
    fn descend_on_square(
        &mut self,
        h: &Hyperplane,
        total: f64,
        tol: f64,
        order: &mut Rng,
        most: usize,
    ) -> usize {
        let penalty = self.objective.penalty();
        let bias = self.objective.intercept() && total > 0.0;
        let (p, wide) = (self.part.len(), self.part.len() + usize::from(bias));
        let gram = self.columns.gram(&self.part, &self.c);
        let mut square = vec![0.0; wide * wide];
        for (a, row) in gram.chunks_exact(p.max(1)).enumerate() {
            square[a * wide..][..p].copy_from_slice(row);
            square[a * wide + a] += penalty.l2 + self.given[self.part[a] as usize];
        }
        let weight = |k: &u32| h.w[self.set[*k as usize] as usize] + self.change[*k as usize];
        let mut at: Vec<f64> = self.part.iter().map(weight).collect();
        let slope = |(&k, w): (&u32, &f64)| {
            let k = k as usize;
            self.columns.dot(k, &self.e) + penalty.l2 * w + self.given[k] * self.change[k]
        };
        let mut slopes: Vec<f64> = self.part.iter().zip(&at).map(slope).collect();
        if bias {
            for (a, &k) in self.part.iter().enumerate() {
                let with_bias = self.columns.dot(k as usize, &self.c);
                square[a * wide + p] = with_bias;
                square[p * wide + a] = with_bias;
            }
            square[p * wide + p] = total;
            at.push(self.change_b);
            slopes.push(self.e.iter().sum());
        }
        let honest = self.c.iter().all(|c| *c > 0.0);
        let mut parabola =
            L1Quadratic { square, slopes, at, l1: penalty.l1, bias, has_full_curvature: honest };
        let sweeps = parabola.descend(tol, order, most, &self.objective.cancel());
        for (&k, at) in self.part.iter().zip(&parabola.at) {
            self.change[k as usize] = at - h.w[self.set[k as usize] as usize];
        }
        if bias {
            self.change_b = parabola.at[p];
        }
        sweeps
    }

    /// Visits every active coefficient once; zeros that satisfy optimality leave. Returns the
    /// largest violation.
    fn sweep(&mut self, h: &Hyperplane, active: &mut Vec<u32>, total: f64) -> f64 {
        let penalty = self.objective.penalty();
        let mut at = Weights {
            w: &h.w,
            set: &self.set,
            curvature: &self.curvature,
            given: &self.given,
            l1: Penalty::l1(penalty.l1),
            l2: penalty.l2,
            change: std::mem::take(&mut self.change),
            stays: vec![false; self.set.len()],
            worst: 0.0,
        };
        let columns = Weighted::new(&self.columns, &self.c, &self.middles);
        row_sweep(&columns, active, &mut self.e, &mut at);
        let Weights { change, stays, mut worst, .. } = at;
        self.change = change;
        active.retain(|&k| stays[k as usize]);
        if self.objective.intercept() && total > 0.0 {
            let slope = self.e.iter().sum::<f64>();
            let change = -slope / total;
            self.change_b += change;
            self.e.iter_mut().zip(&self.c).for_each(|(e, c)| *e += change * c);
            worst = worst.max(slope.abs());
        }
        worst
    }

    /// Moves as far as F falls, and returns the step length.
    fn search(&self, state: &mut State<'_, '_>) -> Option<f64> {
        let objective = self.objective;
        let penalty = objective.penalty();

        // 1. Changes of the margins, predicted decrease, and the coefficients of the set.
        let mut q = vec![self.change_b; state.m.len()];
        for (k, &change) in self.change.iter().enumerate().filter(|(_, change)| **change != 0.0) {
            self.columns.each(k, |i, x| q[i] += change * x);
        }
        let slope: f64 = q.iter().zip(&state.per_row).map(|(q, r)| q * r).sum();
        q.iter_mut().zip(objective.y()).for_each(|(q, y)| *q *= y);
        let w: Vec<f64> = self.set.iter().map(|&j| state.h.w[j as usize]).collect();
        let before = penalty.value(&w);
        let mut trial = w.clone();
        let mut penalty_at = |t: f64| {
            trial.iter_mut().zip(&w).zip(&self.change).for_each(|((v, w), d)| *v = w + t * d);
            penalty.value(&trial)
        };
        let promised = slope + penalty_at(1.0) - before;

        // 2. Backtrack until F falls.
        let value_at = |t: f64| objective.along(&state.m, &q, t)[0] + penalty_at(t);
        let (t, value) = halve(state.value, promised, value_at)?;
        for (&j, d) in self.set.iter().zip(&self.change) {
            state.h.w[j as usize] += t * d;
        }
        state.h.b += t * self.change_b;
        state.m.iter_mut().zip(&q).for_each(|(m, q)| *m += t * q);
        state.value = value;
        Some(t)
    }
}
