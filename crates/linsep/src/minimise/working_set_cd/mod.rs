//! Coordinate descent on a working set of columns, for penalties with L1.
//!
//! Most weights of an L1 optimum are zero, and most columns show it early: the slope of the loss in them stays
//! below λ₁. So the method works on a few columns at a time, in rounds:
//!
//! 1. Columns come into the working set: of those whose slope exceeds λ₁ the ones that exceed it the most, as many as
//!    have a weight, a hundred and one for a hundred rows at least. None leaves.
//! 2. On the set F is minimised by Newton steps: the loss is replaced by its parabola Σ rᵢ dᵢ + ½ Σ cᵢ dᵢ² in the
//!    change d of the scores, and the parabola with the penalty is minimised one weight at a time, which for one
//!    weight is a soft threshold; then a line search.
//! 3. A pass over all columns shows whether others want in.
//!
//! What a weight *wants* is its distance from optimal, |slope + λ₁ sign w|, or what |slope| exceeds λ₁ by where
//! w = 0. A round ends when the set wants less than the keenest column that was left out, or a tenth of what all columns
//! wanted at its start, or so little that a gap of tol can be told: a slope too large by v costs the dual about v‖w‖₁. A parabola is minimised until
//! its weights want a third of that at first and less as the steps get better: far from the optimum it is a poor
//! likeness.
//!
//! Where a step had to be cut short or led nowhere, the next parabola is given more curvature than it has (`Damping`), up to the most there
//! can be, with which F always falls.
//!
//! A weight whose rows are nearly all on flat parts of the loss is given a thousandth of the most curvature it can have: else it would stay
//! where it is.
//!
//! A sweep takes the weights **in random order**: in the order of the columns the same run on imdb took 368 Newton
//! steps instead of 14 (`docs/speed.md`).
//! Weights at zero that are content leave the sweeps until the others are done, then all are seen again.
//!
//! Kept up to date is eᵢ = rᵢ + cᵢ dᵢ, the slope of the parabola in each score: a weight's own slope is the dot product of its
//! column with e. The bias is a column of ones without penalty.
//!
//! Where a step takes many sweeps, the parabola is written out ([`Parabola`]) in the weights that take part
//! (2048 at most): a change then costs one row of a square, however long the columns are. It is done when
//! sweeps without it have cost as much, in this step or in the one before.
//!
//! # When it ends
//!
//! When the relative gap over **all** columns is at most tol (it comes with the pass of step 3), when no step
//! lowers F, or with the budget, counted in Newton steps.
//!
//! Cost: a sweep passes twice over the columns with a weight, a Newton step makes about fifteen, a round passes twice over all
//! rows. Memory: a copy of the columns of the working set.
//! Source: Friedman, Hastie & Tibshirani, *Regularization paths for generalized linear models via coordinate
//! descent*, J. Stat. Software 33 (2010); Yuan, Ho & Lin, *An improved GLMNET for L1-regularized logistic
//! regression*, JMLR 13 (2012); Massias, Gramfort & Salmon, *Celer*, ICML (2018), for the working set.

mod weights;

use super::parts::{Damping, Parabola, State, floor, halve};
use super::{Entry, Goal, Minimiser, Minimum, Need};
use crate::control::{Stop, Watch};
use crate::data::row_sweep::row_sweep;
use crate::data::{Columns, Plane, Weighted};
use crate::math::rng::Rng;
use crate::objective::Objective;
use crate::penalty::Penalty;
use weights::Weights;

/// Coordinate descent on a working set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkingSetCd {
    /// Decides the order of the weights.
    pub seed: u64,
}

pub(super) const ENTRY: Entry = Entry {
    name: "working-set-cd",
    about: "one weight at a time on the columns that matter, for l1",
    takes: &[],
    build: |options| Box::new(WorkingSetCd { seed: options.seed.unwrap_or_default() }),
};

impl Minimiser for WorkingSetCd {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn needs(&self) -> &'static [Need] {
        &[Need::Curvature, Need::Penalty]
    }

    fn minimise(
        &self,
        objective: &Objective<'_>,
        start: Plane,
        goal: &Goal,
        watch: &mut dyn Watch,
    ) -> Minimum {
        let mut state = State::new(objective, start);
        let mut work = Work::new(objective);
        let mut epoch = 0;
        loop {
            // 1. Is there a reason to stop?
            if let Some((stop, certificate)) = state.reason(epoch, goal, watch) {
                return state.end(stop, epoch, certificate);
            }

            // 2. Which columns want in, and how much may be left?
            let (worst, outside) = work.widen(&state.h, &state.g);
            let target = target(&state, goal, worst).max(outside);

            // 3. Newton steps on the working set until no more is left.
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

            // 4. And how does it look from there?
            state.look();
            if epoch == before && !objective.is_ended() {
                return state.end(Stop::Stationary, epoch, None);
            }
        }
    }
}

/// Newton steps in a round at most, so that all columns are looked at now and then.
const STEPS: u64 = 20;

/// The share of what the weights want that the first parabola of a round may leave.
const SHARE: f64 = 0.3;

/// How much the weights of the set may still want at the end of a round that starts with `worst`.
fn target(state: &State<'_, '_>, goal: &Goal, worst: f64) -> f64 {
    let size: f64 = state.h.w.iter().map(|w| w.abs()).sum();
    let enough = 0.9 * goal.tol * state.value / size.max(f64::MIN_POSITIVE);
    (0.1 * worst).max(enough.min(0.5 * worst))
}

/// The working set and room to work in.
struct Work<'a, 'b> {
    objective: &'a Objective<'b>,
    /// The columns, in the order they came in, and whether a column is one of them.
    set: Vec<u32>,
    is_in: Vec<bool>,
    columns: Columns,
    /// Where the second half of each starts.
    middles: Vec<usize>,
    /// cᵢ and eᵢ.
    c: Vec<f64>,
    e: Vec<f64>,
    /// Those of the set that take part in a step, and the curvature of the parabola in each weight.
    part: Vec<u32>,
    curvature: Vec<f64>,
    /// The least curvature a weight is given, and how much of what it has was given to it.
    least: Vec<f64>,
    given: Vec<f64>,
    /// How the weights and the bias change.
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

    /// Takes in the columns with a weight, and as many again (a hundred, or one for a hundred rows, at least) of those that want one
    /// the most. Returns how much the keenest of all wants, and the keenest of those that stay outside.
    fn widen(&mut self, h: &Plane, g: &Plane) -> (f64, f64) {
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

    /// The parabola at the plane, and who takes part: not those at zero and further inside than any is
    /// outside. Returns how much the weights of the set and the bias want to change.
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

    /// Minimises the parabola until no weight wants to change by more than `tol`, and moves there, as far
    /// as F falls.
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
            // Written out, the parabola pays once sweeps, in this step or the one before, have cost twice its pairs.
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

    /// Writes the parabola out in the weights that take part, and minimises it there. Returns the sweeps made.
    fn descend_on_square(
        &mut self,
        h: &Plane,
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
        let mut parabola = Parabola { square, slopes, at, l1: penalty.l1, bias, honest };
        let sweeps = parabola.descend(tol, order, most, &self.objective.cancel());
        for (&k, at) in self.part.iter().zip(&parabola.at) {
            self.change[k as usize] = at - h.w[self.set[k as usize] as usize];
        }
        if bias {
            self.change_b = parabola.at[p];
        }
        sweeps
    }

    /// Looks at every active weight once; those that are zero and content leave. Returns how much the keenest
    /// wanted to change.
    fn sweep(&mut self, h: &Plane, active: &mut Vec<u32>, total: f64) -> f64 {
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

    /// Moves as far as F falls, and returns how far that was.
    fn search(&self, state: &mut State<'_, '_>) -> Option<f64> {
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
