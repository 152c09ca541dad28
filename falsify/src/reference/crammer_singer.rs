//! The optima of Crammer and Singer's machine: W* and the polytope of intercepts.
//!
//! ```text
//!   F(W, b) = (1/S) Σ sᵢ maxⱼ (zᵢⱼ − zᵢ,cᵢ + [j ≠ cᵢ]) + (λ/2)‖W‖²
//! ```
//!
//! The maximum is one over pᵢ in the simplex. The interior-point method solves for (W, b), p, slacks μ ≥ 0 and levels tᵢ
//!
//! ```text
//!   λW + (1/S) Σ sᵢ(pᵢⱼ − [j = cᵢ])xᵢ = 0,   the same for b,   vᵢⱼ − tᵢ + μᵢⱼ = 0,   Σⱼ pᵢⱼ = 1,   pᵢⱼμᵢⱼ = τ
//! ```
//!
//! with vᵢⱼ = zᵢⱼ − zᵢ,cᵢ + [j ≠ cᵢ]. The gap is (1/S) Σ s (maxⱼ v − p·v), each term Σⱼ pⱼ(max − vⱼ) ≥ 0, plus the residuals.
//!
//! # All optimal intercepts
//!
//! b is optimal just if every j with pᵢⱼ* > 0 has the largest vᵢⱼ: a system of inequalities bₗ − bⱼ ≤ r. The largest
//! difference of two intercepts over such a system is the length of a shortest path (Floyd & Warshall). A wrong guess at which p are positive
//! would show: F at the extreme b must be the optimum too.

use super::multiclass::Problem;
use crate::double_double::{DoubleDouble, dd, dot};
use crate::linear_system::solve;

/// The relative gap that the optimum must prove of itself. A bound above F at its point is false whatever the gap; radii and
/// certified rows take the gap into account.
pub const GAP: f64 = 1e-17;

/// The optima.
#[derive(Clone, Debug)]
pub struct Reference {
    /// F at the point found.
    pub value: DoubleDouble,
    /// wⱼ, class by class.
    pub w: Vec<Vec<DoubleDouble>>,
    /// ‖W − W*‖ is at most this.
    pub radius: f64,
    center: Vec<f64>,
    /// The largest `b_c − b_a` over all optima, at `[c][a]`.
    most: Vec<Vec<DoubleDouble>>,
}

struct Machine<'a> {
    problem: &'a Problem,
    rows: Vec<Vec<DoubleDouble>>,
    q: Vec<DoubleDouble>,
    lambda: Vec<DoubleDouble>,
    width: usize,
}

struct State {
    h: Vec<DoubleDouble>,
    p: Vec<Vec<DoubleDouble>>,
    mu: Vec<Vec<DoubleDouble>>,
    t: Vec<DoubleDouble>,
}

impl Problem {
    /// F of the machine at (W, b).
    pub fn machine_value(&self, w: &[Vec<f64>], b: &[f64]) -> DoubleDouble {
        let total: DoubleDouble = self.s.iter().map(|s| dd(*s)).sum();
        let mut sum = DoubleDouble::ZERO;
        for ((x, &c), s) in self.x.iter().zip(&self.class).zip(&self.s) {
            let z = |j: usize| -> DoubleDouble {
                let products = x.iter().zip(&w[j]).map(|(x, w)| DoubleDouble::product(*x, *w));
                products.sum::<DoubleDouble>() + dd(b[j])
            };
            let own = z(c);
            let rivals = (0..self.k).filter(|j| *j != c).map(|j| z(j) - own + DoubleDouble::ONE);
            sum += dd(*s) * rivals.fold(DoubleDouble::ZERO, DoubleDouble::max);
        }
        let squares: DoubleDouble = w.iter().flatten().map(|w| DoubleDouble::product(*w, *w)).sum();
        sum / total + dd(self.l2 / 2.0) * squares
    }

    /// The optima of the machine; `None` where they cannot prove themselves.
    pub fn machine(&self) -> Option<Reference> {
        let (center, mut rows, scale) = self.centered();
        let d = scale.len();
        if self.intercept {
            rows.iter_mut().for_each(|row| row.push(DoubleDouble::ONE));
        }
        let width = rows[0].len();
        let live: Vec<usize> = (0..self.s.len()).filter(|&i| self.s[i] > 0.0).collect();
        let total: DoubleDouble = self.s.iter().map(|s| dd(*s)).sum();
        let q = live.iter().map(|&i| dd(self.s[i]) / total).collect();
        let rows = live.iter().map(|&i| rows[i].clone()).collect();
        let lambda = (0..width)
            .map(|j| scale.get(j).map_or(DoubleDouble::ZERO, |t| dd(self.l2) * dd(*t) * dd(*t)))
            .collect();
        let class: Vec<usize> = live.iter().map(|&i| self.class[i]).collect();
        let view = Problem { class, ..self.clone() };
        let machine = Machine { problem: &view, rows, q, lambda, width };
        let (state, value, gap) = machine.minimize()?;
        let gap = gap.value() + 1e-31 * value.value();
        let w: Vec<Vec<DoubleDouble>> = state
            .h
            .chunks(width)
            .map(|h| h.iter().zip(&scale).map(|(h, scale)| *h * dd(*scale)).collect())
            .collect();
        let most = if self.intercept {
            machine.intercepts(&state, value)?
        } else {
            vec![vec![DoubleDouble::ZERO; self.k]; self.k]
        };
        debug_assert_eq!(w[0].len(), d);
        let radius = (2.0 * gap / self.l2).sqrt() * 1.000_001;
        Some(Reference { value, w, radius, center, most })
    }
}

impl Machine<'_> {
    fn k(&self) -> usize {
        self.problem.k
    }

    /// v of row i.
    fn v(&self, h: &[DoubleDouble], i: usize) -> Vec<DoubleDouble> {
        let z: Vec<DoubleDouble> = h.chunks(self.width).map(|h| dot(h, &self.rows[i])).collect();
        let c = self.problem.class[i];
        let step = |j: usize| if j == c { DoubleDouble::ZERO } else { DoubleDouble::ONE };
        (0..z.len()).map(|j| z[j] - z[c] + step(j)).collect()
    }

    fn value(&self, h: &[DoubleDouble]) -> DoubleDouble {
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

    fn minimize(&self) -> Option<(State, DoubleDouble, DoubleDouble)> {
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
                let State { h, p, mu, t } = &state;
                let copy = State { h: h.clone(), p: p.clone(), mu: mu.clone(), t: t.clone() };
                best = Some((copy, gap));
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

    /// One step towards a tenth of τ.
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

    /// The largest difference of each pair of intercepts over all optima, checked at the points that reach it.
    fn intercepts(&self, state: &State, value: DoubleDouble) -> Option<Vec<Vec<DoubleDouble>>> {
        let (k, width) = (self.k(), self.width);
        let at = |class: usize| class * width + width - 1;
        let mut most = vec![vec![dd(f64::MAX / 4.0); k]; k];
        (0..k).for_each(|c| most[c][c] = DoubleDouble::ZERO);
        for i in 0..self.rows.len() {
            let v = self.v(&state.h, i);
            for j in (0..k).filter(|&j| state.p[i][j].value() > 1e-9) {
                for l in (0..k).filter(|&l| l != j) {
                    // v_j + Δb_j ≥ v_l + Δb_l.
                    let now = state.h[at(l)] - state.h[at(j)];
                    most[l][j] = most[l][j].min(v[j] - v[l] + now);
                }
            }
        }
        for via in 0..k {
            for c in 0..k {
                for a in 0..k {
                    most[c][a] = most[c][a].min(most[c][via] + most[via][a]);
                }
            }
        }
        for a in 0..k {
            // Intercepts most[·][a] reach every largest difference to b_a at once.
            let mut h = state.h.clone();
            most.iter().enumerate().for_each(|(c, row)| h[at(c)] = row[a]);
            let over = (self.value(&h) - value).value();
            if over.is_nan() || over > GAP * (1.0 + value.value()) {
                return None;
            }
        }
        Some(most)
    }
}

/// Component a of E r, as Σ over b of D(a) D(b) (r(a) − r(b))/ΣD: nothing cancels where one D is much larger than the rest.
fn shared(ratio: &[DoubleDouble], all: DoubleDouble, r: &[DoubleDouble], a: usize) -> DoubleDouble {
    let others = ratio.iter().zip(r).map(|(b, other)| *b * (r[a] - *other));
    ratio[a] / all * others.sum()
}

impl Reference {
    /// The largest `z_c − z_a` of a row over all optima, and how far it may be off.
    pub fn largest_lead(&self, row: &[f64], c: usize, a: usize) -> (f64, f64) {
        let centered: Vec<DoubleDouble> =
            row.iter().zip(&self.center).map(|(x, c)| DoubleDouble::difference(*x, *c)).collect();
        let (zc, za) = (dot(&self.w[c], &centered), dot(&self.w[a], &centered));
        let norm = centered.iter().map(|x| x.value() * x.value()).sum::<f64>().sqrt();
        let lead = zc - za + self.most[c][a];
        let size = zc.abs().value() + za.abs().value();
        (lead.value(), 100.0 * self.radius * (norm + 1.0) + 1e-9 * (1.0 + size))
    }

    /// ‖W − W*‖ is at least this.
    pub fn distance_at_least(&self, w: &[Vec<f64>]) -> f64 {
        let pairs = self.w.iter().flatten().zip(w.iter().flatten());
        let square: DoubleDouble = pairs.map(|(a, b)| (*a - dd(*b)).square()).sum();
        square.sqrt().value() * (1.0 - 1e-15) - self.radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows ±1 of two classes with λ = 10: w = ±0.1 by hand, and intercepts that differ by at most 0.8.
    #[test]
    fn an_interval_of_intercepts() {
        let x = vec![vec![-1.0], vec![1.0]];
        let problem =
            Problem { x, class: vec![0, 1], s: vec![1.0; 2], k: 2, l2: 10.0, intercept: true };
        let found = problem.machine().unwrap();
        assert!((found.w[1][0] - dd(0.1)).abs().value() < 1e-12, "{:?}", found.w);
        let (lead, _) = found.largest_lead(&[0.0], 1, 0);
        let (back, _) = found.largest_lead(&[0.0], 0, 1);
        assert!((lead - 0.8).abs() < 1e-9 && (back - 0.8).abs() < 1e-9, "{lead} {back}");
    }
}
