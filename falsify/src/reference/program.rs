//! An interior-point method in double-double, for sums of convex terms of linear forms.
//!
//! ```text
//!   F(h) = Σₖ qₖ fₖ(vₖ) + ½ Σⱼ Λⱼ hⱼ²,   vₖ = aₖ·h + cₖ,
//!   fₖ(v) = max over θ ∈ [l, u] of θv − γθ²/2,   or ln(1 + eᵛ)
//! ```
//!
//! Hinge: v = 1 − m, θ ∈ [0, 1], γ = 0. |w|: v = w, θ ∈ [−1, 1]. With multipliers μ, ν ≥ 0 of θ ≥ l
//! and θ ≤ u an optimum solves
//!
//! ```text
//!   g := Λh + Σ qθa = 0,   v − γθ + μ − ν = 0,   (θ − l)μ = (u − θ)ν = 0.
//! ```
//!
//! Newton's step on the last two set to τ leaves (Λ + Σ qΘaaᵀ)Δh = …, with
//! Θ = 1/(γ + μ/(θ−l) + ν/(u−θ)), by Mehrotra's predictor and corrector. A term of ln(1 + eᵛ) has θ
//! = σ(v), Θ = σ′(v).
//!
//! # The gap
//!
//! F(h) − D(θ) is a sum of nonnegative terms, each computed as a product without cancellation:
//! q(f(v) + f*(θ) − θv) for each term and gⱼ²/(2Λⱼ) for each coordinate. If Λⱼ = 0, the residual gⱼ
//! of the constraint adds |gⱼ|(1 + |hⱼ|). An optimum is accepted only if the sum is at most [`GAP`]
//! times F.
//!
//! Sources: Mehrotra, SIAM J. Optim. 2 (1992); Rockafellar, *Linear-quadratic programming and
//! optimal control*, SIAM J. Control Optim. 25 (1987), for the terms.

use super::term::{Shape, State, Term, curvature_of, start};
use crate::double_double::{DoubleDouble, dd, dot};
use crate::linear_system::solve;

/// Maximum relative gap of an accepted optimum.
pub const GAP: f64 = 1e-24;

/// F.
#[derive(Clone, Debug)]
pub struct Program {
    /// The terms.
    pub terms: Vec<Term>,
    /// Λ ≥ 0, one per coordinate.
    pub lambda: Vec<DoubleDouble>,
}

/// Point with its duality gap.
#[derive(Clone, Debug)]
pub struct Optimum {
    /// h.
    pub h: Vec<DoubleDouble>,
    /// θ of every term.
    pub theta: Vec<DoubleDouble>,
    /// F(h).
    pub value: DoubleDouble,
    /// F(h) − D(θ), including the residuals of the constraints.
    pub gap: DoubleDouble,
}

/// Choice of the step.
#[derive(Clone, Copy, PartialEq)]
enum Mode {
    /// Mehrotra's predictor–corrector step.
    PredictorCorrector,
    /// τ falls to a fifth, and a step ends well before the boundary.
    ShortStep,
}

impl Program {
    /// Returns F(h).
    pub fn value(&self, h: &[DoubleDouble]) -> DoubleDouble {
        let terms: DoubleDouble = self.terms.iter().map(|t| t.q * t.value(t.form(h))).sum();
        terms + dd(0.5) * h.iter().zip(&self.lambda).map(|(h, l)| *l * h.square()).sum()
    }

    /// Returns the optimum, starting from h = 0; `None` if the gap stays above [`GAP`] times F.
    pub fn minimize(&self) -> Option<Optimum> {
        [Mode::PredictorCorrector, Mode::ShortStep].into_iter().find_map(|mode| self.run(mode))
    }

    fn run(&self, mode: Mode) -> Option<Optimum> {
        let mut h = vec![DoubleDouble::ZERO; self.lambda.len()];
        let mut states: Vec<State> = self.terms.iter().map(|t| start(t, t.form(&h))).collect();
        let mut best: Option<Optimum> = None;
        let mut stale = 0;
        for _ in 0..300 {
            let point = self.evaluate(&h, &states);
            let better = best.as_ref().is_none_or(|best| point.gap < best.gap);
            stale = if better { 0 } else { stale + 1 };
            if better {
                best = Some(point);
            }
            let done = best.as_ref().is_some_and(|b| is_enough(b, 1e-31));
            if done || stale > 30 || !self.step(&mut h, &mut states, mode) {
                break;
            }
        }
        best.filter(|best| is_enough(best, GAP))
    }

    /// Computes value and gap of a point.
    fn evaluate(&self, h: &[DoubleDouble], states: &[State]) -> Optimum {
        let rows = || self.terms.iter().zip(states);
        let mut gap: DoubleDouble = rows().map(|(t, s)| t.q * t.excess(t.form(h), s)).sum();
        for ((g, l), h) in self.gradient(h, states).iter().zip(&self.lambda).zip(h) {
            let free = g.abs() * (h.abs() + DoubleDouble::ONE);
            let square = g.square() / (dd(2.0) * *l);
            gap += if l.value() > 0.0 && square.is_finite() { square } else { free };
        }
        let theta = states.iter().map(|s| s.theta).collect();
        Optimum { h: h.to_vec(), theta, value: self.value(h), gap }
    }

    /// Returns Λh + Σ qθa.
    fn gradient(&self, h: &[DoubleDouble], states: &[State]) -> Vec<DoubleDouble> {
        let mut g: Vec<DoubleDouble> = h.iter().zip(&self.lambda).map(|(h, l)| *l * *h).collect();
        for (t, s) in self.terms.iter().zip(states) {
            let theta = t.q * s.theta;
            g.iter_mut().zip(&t.a).for_each(|(g, a)| *g += theta * *a);
        }
        g
    }

    /// Makes one step; `false` if there is none.
    fn step(&self, h: &mut [DoubleDouble], states: &mut [State], mode: Mode) -> bool {
        let v: Vec<DoubleDouble> = self.terms.iter().map(|t| t.form(h)).collect();
        // 1. The matrix, common to both directions.
        let curvature: Vec<DoubleDouble> =
            self.terms.iter().zip(states.iter()).map(|(t, s)| curvature_of(t, s)).collect();
        let p = h.len();
        let mut matrix = vec![vec![DoubleDouble::ZERO; p]; p];
        for (t, bend) in self.terms.iter().zip(&curvature) {
            for i in (0..p).filter(|&i| t.a[i] != DoubleDouble::ZERO) {
                let factor = t.q * *bend * t.a[i];
                (0..p).for_each(|j| matrix[i][j] += factor * t.a[j]);
            }
        }
        (0..p).for_each(|j| matrix[j][j] += self.lambda[j]);
        let g = self.gradient(h, states);
        // 2. Predictor, then corrector.
        let ends: usize =
            self.terms.iter().map(|t| usize::from(t.ends().0) + usize::from(t.ends().1)).sum();
        let count = dd(ends.max(1) as f64);
        let tau: DoubleDouble =
            states.iter().map(|s| s.below * s.mu + s.above * s.nu).sum::<DoubleDouble>() / count;
        let zero = vec![[DoubleDouble::ZERO; 2]; states.len()];
        let direct =
            |aims: &[[DoubleDouble; 2]]| self.direction(&matrix, &g, &v, &curvature, states, aims);
        let Some((mut dh, mut moves)) = direct(&zero) else { return false };
        if ends > 0 {
            let length = longest(self, states, &moves);
            let moved: Vec<State> =
                states.iter().zip(&moves).map(|(s, m)| s.moved(m, length)).collect();
            let after =
                moved.iter().map(|s| s.below * s.mu + s.above * s.nu).sum::<DoubleDouble>() / count;
            let ratio = after / tau;
            let target = tau * ratio * ratio * ratio;
            let aims: Vec<[DoubleDouble; 2]> = match mode {
                Mode::PredictorCorrector => moves
                    .iter()
                    .map(|m| [target - m.theta * m.mu, target + m.theta * m.nu])
                    .collect(),
                Mode::ShortStep => vec![[tau * dd(0.2); 2]; states.len()],
            };
            let Some(corrected) = direct(&aims) else { return false };
            (dh, moves) = corrected;
        }
        let near_end = match mode {
            Mode::PredictorCorrector => DoubleDouble::ONE - (tau.min(dd(0.1))).max(dd(1e-6)),
            Mode::ShortStep => dd(0.9),
        };
        let mut length = if ends > 0 {
            (near_end * longest(self, states, &moves)).min(DoubleDouble::ONE)
        } else {
            DoubleDouble::ONE
        };
        // 3. Logistic terms: a bounded change of v, and a line search on F if no term has bounds.
        for t in self.terms.iter().filter(|t| t.shape == Shape::Logistic) {
            let change = dot(&t.a, &dh).abs();
            let most = match mode {
                Mode::PredictorCorrector => 2.0,
                Mode::ShortStep if ends > 0 => 0.5,
                Mode::ShortStep => f64::INFINITY,
            };
            if (change * length).value() > most {
                length = dd(most) / change;
            }
        }
        if ends == 0 && mode == Mode::ShortStep {
            length = self.descent(h, &dh);
        }
        h.iter_mut().zip(&dh).for_each(|(h, dh)| *h += length * *dh);
        for ((t, s), m) in self.terms.iter().zip(states.iter_mut()).zip(&moves) {
            *s = s.moved(m, length);
            if t.shape == Shape::Logistic {
                s.theta = t.form(h).sigmoid();
            }
        }
        length.value() > 1e-14
    }

    /// Returns the first of 1, ½, ¼, … that decreases F.
    fn descent(&self, h: &[DoubleDouble], dh: &[DoubleDouble]) -> DoubleDouble {
        let before = self.value(h);
        let mut length = DoubleDouble::ONE;
        for _ in 0..60 {
            let moved: Vec<DoubleDouble> =
                h.iter().zip(dh).map(|(h, dh)| *h + length * *dh).collect();
            if self.value(&moved) < before {
                return length;
            }
            length = length * dd(0.5);
        }
        DoubleDouble::ONE
    }

    /// Returns Δh and the change of every state such that (θ − l)μ and (u − θ)ν equal their
    /// targets, to first order.
    #[allow(clippy::type_complexity)]
    fn direction(
        &self,
        matrix: &[Vec<DoubleDouble>],
        g: &[DoubleDouble],
        v: &[DoubleDouble],
        curvature: &[DoubleDouble],
        states: &[State],
        aims: &[[DoubleDouble; 2]],
    ) -> Option<(Vec<DoubleDouble>, Vec<State>)> {
        let mut right: Vec<DoubleDouble> = g.iter().map(|g| -*g).collect();
        let mut offsets = Vec::with_capacity(states.len());
        for (k, (t, s)) in self.terms.iter().zip(states).enumerate() {
            let mut offset = DoubleDouble::ZERO;
            if let Shape::Piece { gamma, .. } = t.shape {
                offset = v[k] - dd(gamma) * s.theta + s.mu - s.nu;
                let (low, high) = t.ends();
                if low {
                    offset += (aims[k][0] - s.below * s.mu) / s.below;
                }
                if high {
                    offset -= (aims[k][1] - s.above * s.nu) / s.above;
                }
            }
            offsets.push(offset);
            let factor = t.q * curvature[k] * offset;
            right.iter_mut().zip(&t.a).for_each(|(r, a)| *r -= factor * *a);
        }
        let dh = solve(matrix, &right)?;
        let moves = self.terms.iter().zip(states).enumerate().map(|(k, (t, s))| {
            let theta = curvature[k] * (dot(&t.a, &dh) + offsets[k]);
            let (low, high) = t.ends();
            let zero = DoubleDouble::ZERO;
            let mu =
                if low { (aims[k][0] - s.below * s.mu - s.mu * theta) / s.below } else { zero };
            let nu =
                if high { (aims[k][1] - s.above * s.nu + s.nu * theta) / s.above } else { zero };
            State { theta, below: theta, above: -theta, mu, nu }
        });
        let moves: Vec<State> = moves.collect();
        Some((dh, moves))
    }
}

fn is_enough(point: &Optimum, share: f64) -> bool {
    point.gap.is_finite() && point.gap.value() <= share * point.value.value().max(1e-30)
}

/// Returns the longest step ≤ 1 that keeps distances and multipliers ≥ 0.
fn longest(program: &Program, states: &[State], moves: &[State]) -> DoubleDouble {
    let mut length = DoubleDouble::ONE;
    let mut hold = |at: DoubleDouble, by: DoubleDouble| {
        if (at + length * by).value() < 0.0 {
            length = (-at / by).max(DoubleDouble::ZERO);
        }
    };
    for ((t, s), m) in program.terms.iter().zip(states).zip(moves) {
        let (low, high) = t.ends();
        if low {
            hold(s.below, m.below);
            hold(s.mu, m.mu);
        }
        if high {
            hold(s.above, m.above);
            hold(s.nu, m.nu);
        }
    }
    length
}
