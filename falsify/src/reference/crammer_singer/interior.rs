//! Interior-point method for the Crammer–Singer SVM; see the mathematics of the module.
//!
//! Newton's step eliminates Δp = E(Δv + r), E = D − D1(D1)ᵀ/ΣD with D = p/μ, row by row, and leaves
//! a system in (W, b) with the last intercept fixed.

use super::GAP;
use crate::double_double::{DoubleDouble, dd, dot};
use crate::linear_system::solve;
use crate::reference::multiclass::Problem;

/// Problem in centered and scaled rows of positive weight.
pub(super) struct CrammerSingerProblem<'a> {
    pub(super) problem: &'a Problem,
    pub(super) rows: Vec<Vec<DoubleDouble>>,
    pub(super) q: Vec<DoubleDouble>,
    pub(super) lambda: Vec<DoubleDouble>,
    pub(super) width: usize,
}

/// Iterate.
#[derive(Clone)]
pub(super) struct State {
    pub(super) h: Vec<DoubleDouble>,
    pub(super) p: Vec<Vec<DoubleDouble>>,
    pub(super) mu: Vec<Vec<DoubleDouble>>,
    pub(super) t: Vec<DoubleDouble>,
}

impl CrammerSingerProblem<'_> {
    pub(super) fn k(&self) -> usize {
        self.problem.k
    }

    /// Returns v of row i.
    pub(super) fn v(&self, h: &[DoubleDouble], i: usize) -> Vec<DoubleDouble> {
        let z: Vec<DoubleDouble> = h.chunks(self.width).map(|h| dot(h, &self.rows[i])).collect();
        let c = self.problem.class[i];
        let step = |j: usize| if j == c { DoubleDouble::ZERO } else { DoubleDouble::ONE };
        (0..z.len()).map(|j| z[j] - z[c] + step(j)).collect()
    }

    pub(super) fn value(&self, h: &[DoubleDouble]) -> DoubleDouble {
        let rows = 0..self.rows.len();
        let loss = |i: usize| self.v(h, i).into_iter().fold(DoubleDouble::ZERO, DoubleDouble::max);
        rows.map(|i| self.q[i] * loss(i)).sum::<DoubleDouble>() + self.penalty(h)
    }

    fn penalty(&self, h: &[DoubleDouble]) -> DoubleDouble {
        let square = |(at, h): (usize, &DoubleDouble)| self.lambda[at % self.width] * h.square();
        dd(0.5) * h.iter().enumerate().map(square).sum()
    }

    fn gradient(&self, state: &State) -> Vec<DoubleDouble> {
        let (k, width) = (self.k(), self.width);
        let mut g: Vec<DoubleDouble> =
            (0..k * width).map(|at| self.lambda[at % width] * state.h[at]).collect();
        for (i, row) in self.rows.iter().enumerate() {
            for a in 0..k {
                let own = if a == self.problem.class[i] { 1.0 } else { 0.0 };
                let push = self.q[i] * (state.p[i][a] - dd(own));
                (0..width).for_each(|j| g[a * width + j] += push * row[j]);
            }
        }
        g
    }

    fn gap(&self, state: &State) -> DoubleDouble {
        let mut gap = DoubleDouble::ZERO;
        for i in 0..self.rows.len() {
            let v = self.v(&state.h, i);
            let most = v.iter().fold(dd(f64::MIN), |most, v| most.max(*v));
            let lost: DoubleDouble = v.iter().zip(&state.p[i]).map(|(v, p)| *p * (most - *v)).sum();
            gap += self.q[i] * lost;
        }
        for (at, g) in self.gradient(state).iter().enumerate() {
            let square = g.square() / (dd(2.0) * self.lambda[at % self.width]);
            let free = g.abs() * (state.h[at].abs() + DoubleDouble::ONE);
            gap += if square.is_finite() { square } else { free };
        }
        gap
    }

    pub(super) fn minimize(&self) -> Option<(State, DoubleDouble, DoubleDouble)> {
        let (n, k) = (self.rows.len(), self.k());
        let share = DoubleDouble::ONE / dd(k as f64);
        let mut state = State {
            h: vec![DoubleDouble::ZERO; k * self.width],
            p: vec![vec![share; k]; n],
            mu: Vec::new(),
            t: vec![dd(2.0); n],
        };
        state.mu = (0..n)
            .map(|i| self.v(&state.h, i).into_iter().map(|v| state.t[i] - v).collect())
            .collect();
        let mut best: Option<(State, DoubleDouble)> = None;
        let mut stale = 0;
        for _ in 0..200 {
            let gap = self.gap(&state);
            let better = best.as_ref().is_none_or(|best| gap < best.1);
            stale = if better { 0 } else { stale + 1 };
            if better {
                best = Some((state.clone(), gap));
            }
            let value = self.value(&state.h);
            let enough = gap.is_finite() && gap.value() <= 1e-30 * value.value();
            if enough || stale > 20 || !self.step(&mut state) {
                break;
            }
        }
        let (state, gap) = best?;
        let value = self.value(&state.h);
        (gap.is_finite() && gap.value() <= GAP * value.value()).then_some((state, value, gap))
    }

    /// Makes one step towards a tenth of τ.
    fn step(&self, state: &mut State) -> bool {
        let (n, k, width) = (self.rows.len(), self.k(), self.width);
        let count = if self.problem.intercept { k * width - 1 } else { k * width };
        let products = || state.p.iter().flatten().zip(state.mu.iter().flatten());
        let tau = products().map(|(p, mu)| *p * *mu).sum::<DoubleDouble>() / dd((n * k) as f64);
        let aim = tau * dd(0.1);
        let g = self.gradient(state);
        let mut right: Vec<DoubleDouble> = g[..count].iter().map(|g| -*g).collect();
        let mut matrix = vec![vec![DoubleDouble::ZERO; count]; count];
        // Δp = E(Δz + r) with E = D − D1(D1)ᵀ/ΣD and D = p/μ.
        let mut parts = Vec::with_capacity(n);
        for (i, row) in self.rows.iter().enumerate() {
            let v = self.v(&state.h, i);
            let (p, mu) = (&state.p[i], &state.mu[i]);
            let ratio: Vec<DoubleDouble> = p.iter().zip(mu).map(|(p, mu)| *p / *mu).collect();
            let all: DoubleDouble = ratio.iter().copied().sum();
            let r: Vec<DoubleDouble> =
                (0..k).map(|j| v[j] - state.t[i] + mu[j] + (aim - p[j] * mu[j]) / p[j]).collect();
            let lack = DoubleDouble::ONE - p.iter().copied().sum();
            for a in 0..k {
                let fixed = shared(&ratio, all, &r, a) + ratio[a] * lack / all;
                for j in (0..width).filter(|j| a * width + j < count) {
                    right[a * width + j] -= self.q[i] * fixed * row[j];
                }
                for b in 0..k {
                    let rest = |a: usize| -> DoubleDouble {
                        (0..k).filter(|b| *b != a).map(|b| ratio[b]).sum()
                    };
                    let other = if a == b { rest(a) } else { -ratio[b] };
                    let bend = self.q[i] * (ratio[a] / all * other);
                    for j in (0..width).filter(|j| a * width + j < count) {
                        for l in (0..width).filter(|l| b * width + l < count) {
                            matrix[a * width + j][b * width + l] += bend * row[j] * row[l];
                        }
                    }
                }
            }
            parts.push((ratio, all, r, lack));
        }
        (0..count).for_each(|at| matrix[at][at] += self.lambda[at % width]);
        let Some(mut dh) = solve(&matrix, &right) else { return false };
        dh.resize(k * width, DoubleDouble::ZERO);
        let mut moves = Vec::with_capacity(n);
        let mut length = DoubleDouble::ONE;
        for (i, row) in self.rows.iter().enumerate() {
            let (ratio, all, r, lack) = &parts[i];
            let c = self.problem.class[i];
            let dz: Vec<DoubleDouble> = dh.chunks(width).map(|h| dot(h, row)).collect();
            let push: Vec<DoubleDouble> = (0..k).map(|j| dz[j] - dz[c] + r[j]).collect();
            let dt = (dot(ratio, &push) - *lack) / *all;
            let dp: Vec<DoubleDouble> =
                (0..k).map(|j| shared(ratio, *all, &push, j) + ratio[j] * *lack / *all).collect();
            let dmu: Vec<DoubleDouble> = (0..k)
                .map(|j| {
                    let (p, mu) = (state.p[i][j], state.mu[i][j]);
                    (aim - p * mu - mu * dp[j]) / p
                })
                .collect();
            for (at, by) in state.p[i].iter().zip(&dp).chain(state.mu[i].iter().zip(&dmu)) {
                if (*at + length * *by).value() < 0.0 {
                    length = (-*at / *by).max(DoubleDouble::ZERO);
                }
            }
            moves.push((dp, dmu, dt));
        }
        let length = (length * dd(0.95)).min(DoubleDouble::ONE);
        state.h.iter_mut().zip(&dh).for_each(|(h, dh)| *h += length * *dh);
        for (i, (dp, dmu, dt)) in moves.iter().enumerate() {
            for j in 0..k {
                state.p[i][j] += length * dp[j];
                state.mu[i][j] += length * dmu[j];
            }
            state.t[i] += length * *dt;
        }
        length.value() > 1e-14
    }
}

/// Returns component a of E r, as Σ over b of D(a) D(b) (r(a) − r(b))/ΣD: no cancellation if one D
/// dominates.
fn shared(ratio: &[DoubleDouble], all: DoubleDouble, r: &[DoubleDouble], a: usize) -> DoubleDouble {
    let others = ratio.iter().zip(r).map(|(b, other)| *b * (r[a] - *other));
    ratio[a] / all * others.sum()
}
