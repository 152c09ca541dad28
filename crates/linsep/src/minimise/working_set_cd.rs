//! Coordinate descent on a working set of columns, for penalties with L1.
//!
//! Most weights of an L1 optimum are zero, and most columns show it early: the slope of the loss in them stays
//! below λ₁. So the method works on a few columns at a time,
//!
//! 1. those with a weight, and those whose slope exceeds λ₁ the most (twice as many as had a weight);
//! 2. on them it minimises F by Newton steps: the loss is replaced by its parabola
//!    Σ rᵢ dᵢ + ½ Σ cᵢ dᵢ² in the change d of the scores, and the parabola with the penalty is minimised one weight at
//!    a time, which for one weight is a soft threshold; then a line search;
//! 3. a pass over all columns shows whether others want in.
//!
//! Kept up to date is eᵢ = rᵢ + cᵢ dᵢ, the slope of the parabola in each score: a weight's own slope is the dot product of its
//! column with e. The bias is a column of ones without penalty.
//!
//! # When it ends
//!
//! When the relative gap over **all** columns is at most tol (it comes with the pass of step 3), when no step
//! lowers F, or with the budget, counted in Newton steps.
//!
//! Cost: a Newton step passes a few times over the columns of the working set, a new working set twice over all
//! rows. Memory: a copy of the columns of the working set.
//! Source: Friedman, Hastie & Tibshirani, *Regularization paths for generalized linear models via coordinate
//! descent*, J. Stat. Software 33 (2010); Yuan, Ho & Lin, *An improved GLMNET for L1-regularized logistic
//! regression*, JMLR 13 (2012); Massias, Gramfort & Salmon, *Celer*, ICML (2018), for the working set.

use super::parts::{State, hidden};
use super::{Entry, Goal, Minimiser, Minimum};
use crate::control::{Stop, Watch};
use crate::data::{Columns, Plane};
use crate::objective::Objective;
use crate::penalty::Penalty;

/// Coordinate descent on a working set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkingSetCd;

pub(super) const ENTRY: Entry = Entry {
    name: "working-set-cd",
    about: "one weight at a time on the columns that matter, for l1",
    takes: &[],
    build: |_| Box::new(WorkingSetCd),
};

impl Minimiser for WorkingSetCd {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn lacks(&self, objective: &Objective<'_>) -> Option<&'static str> {
        let reasons = [
            (objective.loss().curvature_bound().is_none(), "a loss with curvature"),
            (!objective.penalty().is_some(), "a penalty"),
        ];
        reasons.iter().find(|(lacks, _)| *lacks).map(|(_, what)| *what)
    }

    fn minimise(
        &self,
        objective: &Objective<'_>,
        start: Plane,
        goal: &Goal,
        watch: &mut dyn Watch,
    ) -> Minimum {
        let mut state = State::new(objective, start);
        let mut epoch = 0;
        loop {
            // 1. Is there a reason to stop?
            if let Some((stop, certificate)) = state.reason(epoch, goal, watch) {
                return state.end(stop, epoch, certificate);
            }

            // 2. Which columns matter?
            let l1 = Penalty::l1(objective.penalty().l1);
            let want = |w: f64, g: f64| l1.distance(w, g);
            let (set, worst) = working_set(&state.h, &state.g, want);
            let mut work = Work::new(objective, set);

            // 3. Newton steps on them, until what they still want is small against what all wanted.
            let mut moved = false;
            let mut first = None;
            while epoch < goal.budget.epochs {
                let wants = work.prepare(&mut state);
                let bias = objective.residual_bias(&state.per_row).abs();
                let left = wants.max(bias);
                if left <= 0.2 * *first.get_or_insert(left.max(worst)) && moved {
                    break;
                }
                if !work.step(&mut state) {
                    break;
                }
                moved = true;
                epoch += 1;
            }
            if !moved {
                state.look();
                return state.end(Stop::Stationary, epoch, None);
            }
            state.look();
        }
    }
}

/// The columns with a weight, and as many again (a hundred at least) of those that want one the most; and how
/// much the keenest of all wants.
fn working_set(h: &Plane, g: &Plane, want: impl Fn(f64, f64) -> f64) -> (Vec<u32>, f64) {
    const LEAST: usize = 100;
    let mut set: Vec<u32> = (0..h.d() as u32).filter(|&j| h.w[j as usize] != 0.0).collect();
    let wants: Vec<f64> = h.w.iter().zip(&g.w).map(|(&w, &g)| want(w, g)).collect();
    let worst = wants.iter().fold(g.b.abs(), |most, &want| most.max(want));
    let mut others: Vec<u32> =
        (0..h.d() as u32).filter(|&j| h.w[j as usize] == 0.0 && wants[j as usize] > 0.0).collect();
    let more = set.len().max(LEAST).min(others.len());
    if more < others.len() {
        let by_want = |a: &u32, b: &u32| wants[*b as usize].total_cmp(&wants[*a as usize]);
        others.select_nth_unstable_by(more, by_want);
        others.truncate(more);
    }
    set.extend(others);
    set.sort_unstable();
    (set, worst)
}

/// The working set and room to work in.
struct Work<'a, 'b> {
    objective: &'a Objective<'b>,
    set: Vec<u32>,
    columns: Columns,
    /// cᵢ and eᵢ.
    c: Vec<f64>,
    e: Vec<f64>,
    /// Curvature of the parabola in each weight.
    curvature: Vec<f64>,
    /// How the weights and the bias change.
    change: Vec<f64>,
    change_b: f64,
}

impl<'a, 'b> Work<'a, 'b> {
    fn new(objective: &'a Objective<'b>, set: Vec<u32>) -> Self {
        let n = objective.x().n();
        Self {
            columns: Columns::new(objective.x(), &set),
            c: vec![0.0; n],
            e: vec![0.0; n],
            curvature: vec![0.0; set.len()],
            change: vec![0.0; set.len()],
            change_b: 0.0,
            set,
            objective,
        }
    }

    /// The parabola at the plane. Returns how much the weights of the set want to change.
    fn prepare(&mut self, state: &mut State<'_, '_>) -> f64 {
        let objective = self.objective;
        objective.curvatures(&state.m, &mut self.c);
        objective.residuals(&state.m, &mut state.per_row);
        self.e.copy_from_slice(&state.per_row);
        let penalty = objective.penalty();
        let mut worst: f64 = 0.0;
        for (k, &j) in self.set.iter().enumerate() {
            self.curvature[k] = self.columns.curvature(k, &self.c) + penalty.l2;
            let slope = self.columns.dot(k, &self.e);
            worst = worst.max(penalty.distance(state.h.w[j as usize], slope));
        }
        worst
    }

    /// Minimises the parabola roughly and moves there, as far as F falls.
    fn step(&mut self, state: &mut State<'_, '_>) -> bool {
        const SWEEPS: usize = 12;
        self.change.fill(0.0);
        self.change_b = 0.0;
        let total: f64 = self.c.iter().sum();
        let mut active: Vec<u32> = (0..self.set.len() as u32).collect();
        let mut first = 0.0;
        for sweep in 0..SWEEPS {
            let moved = self.sweep(&state.h, &mut active, total);
            if sweep == 0 {
                first = moved;
            }
            if moved <= 0.05 * first {
                break;
            }
        }
        let moved = self.change_b != 0.0 || self.change.iter().any(|change| *change != 0.0);
        moved && self.search(state)
    }

    /// Looks at every active weight once; those that are zero and content leave. Returns the largest change, in
    /// the units of F.
    fn sweep(&mut self, h: &Plane, active: &mut Vec<u32>, total: f64) -> f64 {
        let penalty = self.objective.penalty();
        let mut moved: f64 = 0.0;
        active.retain(|&k| {
            let k = k as usize;
            let curvature = self.curvature[k];
            if curvature <= 0.0 {
                return false;
            }
            let w = h.w[self.set[k] as usize] + self.change[k];
            let slope = self.columns.dot(k, &self.e) + penalty.l2 * w;
            // The parabola in this weight alone: curvature/2 (v − w)² + slope (v − w) + λ₁|v|.
            let v = Penalty::l1(penalty.l1).prox(w - slope / curvature, 1.0 / curvature);
            let change = v - w;
            if change != 0.0 {
                self.change[k] += change;
                let (c, e) = (&self.c, &mut self.e);
                self.columns.each(k, |i, x| e[i] += change * c[i] * x);
                moved = moved.max(curvature * change * change);
            }
            v != 0.0 || change != 0.0
        });
        if self.objective.intercept() && total > 0.0 {
            let change = -self.e.iter().sum::<f64>() / total;
            self.change_b += change;
            self.e.iter_mut().zip(&self.c).for_each(|(e, c)| *e += change * c);
            moved = moved.max(total * change * change);
        }
        moved
    }

    /// Armijo's rule for a sum with a kink: F must fall by a hundredth of what the parabola promised.
    fn search(&self, state: &mut State<'_, '_>) -> bool {
        const ENOUGH: f64 = 0.01;
        const HALVINGS: usize = 40;
        let objective = self.objective;
        let penalty = objective.penalty();

        // 1. What the margins gain, what the slope promises, and the weights that take part.
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

        // 2. As far as F falls.
        let loss = state.value - before;
        let mut t = 1.0;
        for _ in 0..HALVINGS {
            let value = objective.along(&state.m, &q, t)[0] + penalty_at(t);
            let fall = value - (loss + before);
            let falls = fall <= ENOUGH * t * promised && fall < 0.0;
            if falls || hidden(state.value, promised, value) {
                for (&j, d) in self.set.iter().zip(&self.change) {
                    state.h.w[j as usize] += t * d;
                }
                state.h.b += t * self.change_b;
                state.m.iter_mut().zip(&q).for_each(|(m, q)| *m += t * q);
                state.value = value;
                return true;
            }
            t *= 0.5;
        }
        false
    }
}
