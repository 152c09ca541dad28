//! Primal-dual Newton step of an interior-point method, for piecewise linear-quadratic losses.
//!
//! With pᵢ = sᵢ/S, the kink c, γ and u of the loss ([`PiecewiseQuadratic`]), and vⱼ the subgradient
//! of λ₁|wⱼ|, the optimality conditions are
//!
//! ```text
//!   mᵢ + γαᵢ + ξᵢ − νᵢ = c         0 ≤ αᵢ ≤ u,  νᵢ, ξᵢ ≥ 0,     αᵢνᵢ = 0,  (u − αᵢ)ξᵢ = 0
//!   Σ pᵢαᵢyᵢxᵢ − λ₂w − v = 0       |vⱼ| ≤ λ₁,   w = w⁺ − w⁻,   (λ₁ − vⱼ)wⱼ⁺ = 0,  (λ₁ + vⱼ)wⱼ⁻ = 0
//!   Σ pᵢαᵢyᵢ = 0                   (with an intercept)
//! ```
//!
//! On the central path every product is μ instead of 0 (those of coefficients μ/d), and all
//! inequalities are strict. A step is a Newton step on these equations. All variables but the
//! hyperplane are eliminated row by row and coefficient by coefficient. The rest has the form of
//! Newton's method for F:
//!
//! ```text
//!   (Σ (pᵢ/Dᵢ)(xᵢ,1)(xᵢ,1)ᵀ + λ₂ + 1/E) (Δw, Δb) = …,    Dᵢ = γ + νᵢ/αᵢ + ξᵢ/(u − αᵢ),
//!                                                          Eⱼ = wⱼ⁺/(λ₁ − vⱼ) + wⱼ⁻/(λ₁ + vⱼ).
//! ```
//!
//! It is solved twice with one factor. The predictor aims at μ = 0, which shows how far μ can fall.
//! The corrector aims at that μ and compensates the second-order products of the predictor
//! (Mehrotra). Rows of sample weight 0 are ignored.
//!
//! Cost of a step: six passes, the products of the d × d matrix, and d³/6 for its factor.
//! Source: Mehrotra, *On the implementation of a primal-dual interior point method*, SIAM J. Optim.
//! 2 (1992); Fine & Scheinberg, *Efficient SVM training using low-rank kernel representations*,
//! JMLR 2 (2001), for the elimination.

use crate::data::{Combination, Hyperplane};
use crate::loss::PiecewiseQuadratic;
use crate::math::linalg::Cholesky;
use crate::objective::Objective;

/// Largest step, as a share of the distance to the boundary.
const SHORT: f64 = 0.995;

/// αᵢ, u − αᵢ (stored separately, so that either may be arbitrarily small), νᵢ, ξᵢ; or their
/// changes.
#[derive(Clone, Copy, Default)]
struct Row {
    alpha: f64,
    left: f64,
    nu: f64,
    xi: f64,
}

/// λ₁ − vⱼ, λ₁ + vⱼ, wⱼ⁺, wⱼ⁻; or their changes.
#[derive(Clone, Copy, Default)]
struct Weight {
    above: f64,
    below: f64,
    up: f64,
    down: f64,
}

/// Step in all variables.
struct Move {
    h: Hyperplane,
    rows: Vec<Row>,
    weights: Vec<Weight>,
}

/// Interior point.
pub(in crate::solvers) struct Central<'a, 'b> {
    objective: &'a Objective<'b>,
    pieces: PiecewiseQuadratic,
    /// pᵢ.
    p: Vec<f64>,
    pub h: Hyperplane,
    /// mᵢ.
    pub m: Vec<f64>,
    rows: Vec<Row>,
    /// Empty without λ₁.
    weights: Vec<Weight>,
    /// Residuals of the three equations of the header.
    off: (Vec<f64>, Vec<f64>, f64),
    combination: Combination,
}

impl<'a, 'b> Central<'a, 'b> {
    /// Starts with w = 0 and α in the middle of its range; every product is about μ.
    pub(in crate::solvers) fn new(
        objective: &'a Objective<'b>,
        pieces: PiecewiseQuadratic,
    ) -> Self {
        let (n, d) = (objective.x().n(), objective.x().d());
        let (y, s) = (objective.y(), objective.s());
        let share = |sign: f64| {
            let of = y.iter().zip(s).filter(|(y, _)| **y == sign);
            of.map(|(_, s)| s).sum::<f64>() / objective.total()
        };
        let sides = [share(-1.0), share(1.0)];
        let middle = 0.5 * pieces.most.min(1.0);
        let row = |y: &f64| {
            let side = sides[usize::from(*y > 0.0)];
            let balance = if objective.intercept() { sides[0].min(sides[1]) / side } else { 1.0 };
            let alpha = middle * balance;
            let short = pieces.corner - pieces.gamma * alpha;
            let xi = if pieces.most.is_finite() { short.max(0.0) + 1.0 } else { 0.0 };
            Row { alpha, left: pieces.most - alpha, nu: (-short).max(0.0) + 1.0, xi }
        };
        let l1 = objective.penalty().l1;
        let first = middle / (d as f64 * l1);
        let weight = Weight { above: l1, below: l1, up: first, down: first };
        let weights = if l1 > 0.0 { vec![weight; d] } else { Vec::new() };
        let mut point = Self {
            objective,
            pieces,
            p: s.iter().map(|s| s / objective.total()).collect(),
            h: Hyperplane::zero(d),
            m: vec![0.0; n],
            rows: y.iter().map(row).collect(),
            weights,
            off: (vec![0.0; n], vec![0.0; d], 0.0),
            combination: Combination::new(objective.x()),
        };
        point.look();
        point
    }

    /// α of every row, within the range of the loss.
    pub(in crate::solvers) fn alpha(&self) -> Vec<f64> {
        self.rows.iter().map(|row| row.alpha).collect()
    }

    /// Σ of all products: the duality gap, if the residuals are 0.
    pub(in crate::solvers) fn gap(&self) -> f64 {
        self.products(&Move::none(self), (0.0, 0.0))
    }

    /// Returns the hyperplane with exact zeros. A coefficient becomes 0 if its size, relative to
    /// the largest, is below `share` times the relative slack of λ₁.
    pub(in crate::solvers) fn cleaned(&self, share: f64) -> Hyperplane {
        let mut hyperplane = self.h.clone();
        let l1 = self.objective.penalty().l1;
        let largest = hyperplane.w.iter().fold(0.0_f64, |most, w| most.max(w.abs()));
        let large = largest.max(1e-3 / (l1 * hyperplane.d() as f64));
        for (w, weight) in hyperplane.w.iter_mut().zip(&self.weights) {
            let left = weight.above.min(weight.below) / l1;
            if w.abs() < share * large * left {
                *w = 0.0;
            }
        }
        hyperplane
    }

    /// Takes one step. `None` if rounding prevents one, or the run is to end.
    pub(in crate::solvers) fn step(&mut self) -> Option<()> {
        const SMALL: f64 = 1e-9;
        let factor = self.factor()?;
        let (now, none) = (self.gap(), Move::none(self));

        // 1. Predictor: how far could μ fall?
        let ahead = self.solve(&factor, 0.0, &none);
        let lengths = self.lengths(&ahead, 1.0);
        let fall = (self.products(&ahead, lengths) / now).clamp(0.0, 1.0).powi(3);

        // 2. Corrector, towards that μ.
        let move_ = self.solve(&factor, fall * now / self.count(), &ahead);
        let lengths = self.lengths(&move_, SHORT);
        let sound = move_.h.is_finite() && self.products(&move_, lengths).is_finite();
        if !(sound && lengths.0.max(lengths.1) > SMALL) {
            return None;
        }
        self.go(&move_, lengths);
        self.look();
        Some(())
    }

    /// Total weight of the products: their sum divided by it is μ.
    fn count(&self) -> f64 {
        let ends = if self.pieces.most.is_finite() { 2.0 } else { 1.0 };
        ends + if self.weights.is_empty() { 0.0 } else { 2.0 }
    }

    /// Recomputes margins and residuals: two passes.
    fn look(&mut self) {
        let (objective, PiecewiseQuadratic { corner, gamma, .. }) = (self.objective, self.pieces);
        objective.margins(&self.h, &mut self.m);
        let mut r = vec![0.0; self.m.len()];
        for (i, row) in self.rows.iter().enumerate() {
            self.off.0[i] = corner - self.m[i] - gamma * row.alpha - row.xi + row.nu;
            r[i] = self.p[i] * objective.y()[i] * row.alpha;
        }
        self.combination.of(objective.x(), &r, &mut self.off.1);
        let l2 = objective.penalty().l2;
        self.off.1.iter_mut().zip(&self.h.w).for_each(|(off, w)| *off -= l2 * w);
        self.off.1.iter_mut().zip(&self.weights).for_each(|(off, weight)| *off -= weight.v());
        self.off.2 = objective.residual_bias(&r);
    }

    /// Dᵢ.
    fn bend(&self, row: &Row) -> f64 {
        self.pieces.gamma + row.nu / row.alpha + row.xi / row.left
    }

    /// Factors the d × d matrix.
    fn factor(&self) -> Option<Cholesky> {
        let (objective, wide) = (self.objective, self.h.d() + 1);
        let c: Vec<f64> =
            self.rows.iter().zip(&self.p).map(|(row, p)| p / self.bend(row)).collect();
        let mut square = objective.x().gram_until(&c, &objective.cancel())?;
        for j in 0..wide - 1 {
            square[j * wide + j] += objective.penalty().l2;
        }
        for (j, weight) in self.weights.iter().enumerate() {
            square[j * wide + j] += 1.0 / weight.give();
        }
        if !objective.intercept() {
            (0..wide - 1).for_each(|j| square[j * wide + wide - 1] = 0.0);
            square[wide * wide - 1] = 1.0;
        }
        objective.cancel().wait(move || Cholesky::new(&square, wide)).flatten()
    }

    /// Newton step towards products of μ, compensating the second-order products of the step
    /// `last`.
    fn solve(&mut self, factor: &Cholesky, mu: f64, last: &Move) -> Move {
        let (objective, most, d) = (self.objective, self.pieces.most, self.h.d());
        let (y, share) = (objective.y(), 1.0 / self.h.d() as f64);

        // 1. Right-hand sides of rows and coefficients for a fixed hyperplane.
        let towards = |row: &Row, last: &Row| {
            let nu = (mu - last.alpha * last.nu) / row.alpha - row.nu;
            let xi = (mu + last.alpha * last.xi) / row.left - row.xi;
            (nu, if most.is_finite() { xi } else { 0.0 })
        };
        let mut rest = vec![0.0; self.rows.len()];
        let mut r = rest.clone();
        for (i, (row, last)) in self.rows.iter().zip(&last.rows).enumerate() {
            let (nu, xi) = towards(row, last);
            rest[i] = self.off.0[i] + nu - xi;
            r[i] = self.p[i] * y[i] * rest[i] / self.bend(row);
        }
        let towards_w = |weight: &Weight, last: &Weight| {
            let up = (share * mu - last.up * last.above) / weight.above - weight.up;
            let down = (share * mu - last.down * last.below) / weight.below - weight.down;
            (up, down)
        };

        // 2. Solve for the hyperplane.
        let mut p = vec![0.0; d];
        self.combination.of(objective.x(), &r, &mut p);
        p.iter_mut().zip(&self.off.1).for_each(|(p, off)| *p += off);
        for ((p, weight), last) in p.iter_mut().zip(&self.weights).zip(&last.weights) {
            let (up, down) = towards_w(weight, last);
            *p += (up - down) / weight.give();
        }
        p.push(if objective.intercept() { self.off.2 + objective.residual_bias(&r) } else { 0.0 });
        factor.solve(&mut p);
        let b = p.pop().unwrap_or_default();
        let h = Hyperplane { w: p, b };

        // 3. Back-substitute the other variables.
        let mut dm = r;
        objective.margins(&h, &mut dm);
        let row_of = |i: usize| {
            let (row, last) = (&self.rows[i], &last.rows[i]);
            if self.p[i] == 0.0 {
                return Row::default();
            }
            let (nu, xi) = towards(row, last);
            let alpha = (rest[i] - dm[i]) / self.bend(row);
            let (nu, xi) = (nu - row.nu * alpha / row.alpha, xi + row.xi * alpha / row.left);
            Row { alpha, left: -alpha, nu, xi }
        };
        let weight_of = |(j, weight): (usize, &Weight)| {
            let (up, down) = towards_w(weight, &last.weights[j]);
            let v = (h.w[j] - (up - down)) / weight.give();
            let (up, down) =
                (up + weight.up * v / weight.above, down - weight.down * v / weight.below);
            Weight { above: -v, below: v, up, down }
        };
        let rows = (0..dm.len()).map(row_of).collect();
        let weights = self.weights.iter().enumerate().map(weight_of).collect();
        Move { h, rows, weights }
    }

    /// Largest primal (w, b, ν, ξ) and dual (α, v) step lengths inside the bounds, times `short`.
    /// The two differ only if γ = λ₂ = 0, as the equations otherwise couple them.
    fn lengths(&self, by: &Move, short: f64) -> (f64, f64) {
        let (mut hyperplane, mut dual) = (1.0_f64 / short, 1.0 / short);
        let fit = |most: &mut f64, room: f64, change: f64| {
            if change < 0.0 {
                *most = most.min(room / -change);
            }
        };
        for (row, by) in self.rows.iter().zip(&by.rows) {
            fit(&mut hyperplane, row.nu, by.nu);
            fit(&mut hyperplane, row.xi, by.xi);
            fit(&mut dual, row.alpha, by.alpha);
            fit(&mut dual, row.left, by.left);
        }
        for (weight, by) in self.weights.iter().zip(&by.weights) {
            fit(&mut hyperplane, weight.up, by.up);
            fit(&mut hyperplane, weight.down, by.down);
            fit(&mut dual, weight.above, by.above);
            fit(&mut dual, weight.below, by.below);
        }
        if self.pieces.gamma > 0.0 || self.objective.penalty().l2 > 0.0 {
            (hyperplane, dual) = (hyperplane.min(dual), hyperplane.min(dual));
        }
        ((short * hyperplane).min(1.0), (short * dual).min(1.0))
    }

    /// Σ of the products after a step of these lengths.
    fn products(&self, by: &Move, (hyperplane, dual): (f64, f64)) -> f64 {
        let mut sum = 0.0;
        for ((row, by), p) in self.rows.iter().zip(&by.rows).zip(&self.p) {
            sum += p * (row.alpha + dual * by.alpha) * (row.nu + hyperplane * by.nu);
            if self.pieces.most.is_finite() {
                sum += p * (row.left + dual * by.left) * (row.xi + hyperplane * by.xi);
            }
        }
        for (weight, by) in self.weights.iter().zip(&by.weights) {
            sum += (weight.above + dual * by.above) * (weight.up + hyperplane * by.up);
            sum += (weight.below + dual * by.below) * (weight.down + hyperplane * by.down);
        }
        sum
    }

    fn go(&mut self, by: &Move, (hyperplane, dual): (f64, f64)) {
        self.h.step(hyperplane, &by.h);
        for (row, by) in self.rows.iter_mut().zip(&by.rows) {
            row.alpha += dual * by.alpha;
            row.left += dual * by.left;
            row.nu += hyperplane * by.nu;
            row.xi += hyperplane * by.xi;
        }
        for (weight, by) in self.weights.iter_mut().zip(&by.weights) {
            weight.above += dual * by.above;
            weight.below += dual * by.below;
            weight.up += hyperplane * by.up;
            weight.down += hyperplane * by.down;
        }
    }
}

impl Weight {
    /// vⱼ.
    fn v(&self) -> f64 {
        0.5 * (self.below - self.above)
    }

    /// Eⱼ.
    fn give(&self) -> f64 {
        self.up / self.above + self.down / self.below
    }
}

impl Move {
    fn none(point: &Central<'_, '_>) -> Self {
        Self {
            h: Hyperplane::zero(point.h.d()),
            rows: vec![Row::default(); point.rows.len()],
            weights: vec![Weight::default(); point.weights.len()],
        }
    }
}
