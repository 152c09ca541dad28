//! The objective F(h), which combines data, loss and penalty.
//!
//! ```text
//!   F(h) = (1/S) Σ sᵢ ℓ(mᵢ) + λ₁‖w‖₁ + (λ₂/2)‖w‖²,     mᵢ = yᵢ (w·xᵢ + b),   S = Σ sᵢ
//! ```
//!
//! The losses are averaged, so λ does not depend on the number of rows. The intercept is not
//! penalized; in a model without an intercept it is 0. The caller owns the margins m, computed once
//! per hyperplane. A move from h to h + t p moves the margins to m + t q with q = y (p·x + `p_b`).
//! A line search along p therefore never reads the data.

use crate::control::Cancel;
use crate::data::{BinaryProblem, Combination, Design, Hyperplane};
use crate::error::Error;
use crate::loss::Loss;
use crate::math::kernels;
use crate::math::parallel::{fill_blocks, map_blocks};
use crate::math::sum::Sum;
use crate::penalty::Penalty;
use std::ops::Range;

/// Rows whose losses one thread sums at a time.
pub(crate) const BLOCK: usize = 2048;

/// F of a binary problem.
#[derive(Clone, Copy)]
pub struct Objective<'a> {
    problem: &'a BinaryProblem<'a>,
    loss: &'a dyn Loss,
    penalty: Penalty,
    intercept: bool,
    total: f64,
    cancel: Option<&'a Cancel>,
}

impl<'a> Objective<'a> {
    /// Combines the parts. Without an intercept the hyperplane contains the origin.
    pub fn new(
        problem: &'a BinaryProblem<'a>,
        loss: &'a dyn Loss,
        penalty: Penalty,
        intercept: bool,
    ) -> Result<Self, Error> {
        penalty.check()?;
        let total = problem.total_weight();
        Ok(Self { problem, loss, penalty, intercept, total, cancel: None })
    }

    /// The same objective, for a run that the token can end early.
    pub(crate) fn until<'c>(self, cancel: &'c Cancel) -> Objective<'c>
    where
        'a: 'c,
    {
        Objective { cancel: Some(cancel), ..self }
    }

    /// The token of the run.
    pub(crate) fn cancel(&self) -> Cancel {
        self.cancel.cloned().unwrap_or_default()
    }

    /// Whether training must end with the best hyperplane so far.
    pub(crate) fn is_ended(&self) -> bool {
        self.cancel.is_some_and(Cancel::is_set)
    }

    /// Whether certification must end as well.
    pub(crate) fn is_over(&self) -> bool {
        self.cancel.is_some_and(Cancel::is_certification_canceled)
    }

    /// The binary problem.
    pub fn problem(&self) -> &'a BinaryProblem<'a> {
        self.problem
    }

    /// The design matrix.
    pub fn x(&self) -> &'a Design {
        self.problem.x()
    }

    /// yᵢ: −1 or +1.
    pub fn y(&self) -> &'a [f64] {
        self.problem.y()
    }

    /// sᵢ.
    pub fn s(&self) -> &'a [f64] {
        self.problem.s()
    }

    /// S = Σ sᵢ.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// ℓ.
    pub fn loss(&self) -> &'a dyn Loss {
        self.loss
    }

    /// λ₁ and λ₂.
    pub fn penalty(&self) -> Penalty {
        self.penalty
    }

    /// Whether the hyperplane has an intercept.
    pub fn intercept(&self) -> bool {
        self.intercept
    }

    /// The same objective on other rows.
    pub fn on<'c>(&self, problem: &'c BinaryProblem<'c>) -> Objective<'c>
    where
        'a: 'c,
    {
        Objective { problem, total: problem.total_weight(), ..*self }
    }

    /// The same objective with another loss.
    pub(crate) fn with_loss<'c>(&self, loss: &'c dyn Loss) -> Objective<'c>
    where
        'a: 'c,
    {
        Objective { loss, ..*self }
    }

    /// Writes mᵢ = yᵢ (w·xᵢ + b).
    pub fn margins(&self, h: &Hyperplane, m: &mut [f64]) {
        self.x().scores_into(&h.w, h.b, m);
        m.iter_mut().zip(self.y()).for_each(|(m, y)| *m *= y);
    }

    /// Sums over blocks of rows, divided by S.
    fn means<const K: usize>(
        &self,
        sums: impl Fn(&dyn Loss, Range<usize>, &[f64]) -> [f64; K] + Sync,
    ) -> [f64; K] {
        let blocks = map_blocks(self.s().len(), BLOCK, |rows| {
            sums(self.loss, rows.clone(), &self.s()[rows])
        });
        std::array::from_fn(|k| {
            blocks.iter().map(|block| block[k]).collect::<Sum>().value() / self.total
        })
    }

    /// (1/S) Σ sᵢ ℓ(mᵢ).
    pub fn mean_loss(&self, m: &[f64]) -> f64 {
        let [mean] = self.means(|loss, rows, s| [loss.sum(&m[rows], s)]);
        mean
    }

    /// (1/S) Σ sᵢ (−ℓ*(−αᵢ)).
    pub(crate) fn mean_dual(&self, alpha: &[f64]) -> f64 {
        let [mean] = self.means(|loss, rows, s| [loss.sum_of_duals(&alpha[rows], s)]);
        mean
    }

    /// F(h), where m are the margins of h.
    pub fn value(&self, h: &Hyperplane, m: &[f64]) -> f64 {
        self.mean_loss(m) + self.penalty.value(&h.w)
    }

    /// The mean loss at margins m + t q, with its first and second derivative in t.
    pub fn along(&self, m: &[f64], q: &[f64], t: f64) -> [f64; 3] {
        self.means(|loss, rows, s| loss.along(&m[rows.clone()], &q[rows], t, s))
    }

    /// The first and second derivative in t of the mean loss at margins m + t q.
    pub(crate) fn derivatives_along(&self, m: &[f64], q: &[f64], t: f64) -> [f64; 2] {
        self.means(|loss, rows, s| loss.derivatives_along(&m[rows.clone()], &q[rows], t, s))
    }

    /// Writes ℓ′(mᵢ).
    pub fn slopes(&self, m: &[f64], out: &mut [f64]) {
        fill_blocks(out, BLOCK, |start, out| self.loss.slopes(&m[start..start + out.len()], out));
    }

    /// Writes the residuals rᵢ = sᵢ yᵢ ℓ′(mᵢ)/S: Σ rᵢ (xᵢ, 1) is the gradient of the mean loss.
    pub fn residuals(&self, m: &[f64], r: &mut [f64]) {
        fill_blocks(r, BLOCK, |start, r| {
            let rows = start..start + r.len();
            self.loss.slopes(&m[rows.clone()], r);
            let scales = self.s()[rows.clone()].iter().zip(&self.y()[rows]);
            r.iter_mut().zip(scales).for_each(|(r, (s, y))| *r *= s * (y / self.total));
        });
    }

    /// Writes cᵢ = sᵢ ℓ″(mᵢ)/S: Σ cᵢ (xᵢ, 1)(xᵢ, 1)ᵀ is the Hessian of the mean loss. If nearly all
    /// rows lie on flat parts of the loss, the Hessian is close to zero and a Newton step
    /// unbounded. Then sᵢ/S times 1/100 of the maximum curvature of the loss, or of 1 if that is
    /// less, is added to every cᵢ.
    pub(crate) fn curvatures(&self, m: &[f64], c: &mut [f64]) {
        const LITTLE: f64 = 0.01;
        fill_blocks(c, BLOCK, |start, c| {
            let rows = start..start + c.len();
            self.loss.curvatures(&m[rows.clone()], &self.s()[rows], c);
            c.iter_mut().for_each(|c| *c /= self.total);
        });
        let least = LITTLE * self.loss.curvature_bound().unwrap_or(0.0).min(1.0);
        if self.loss.has_minimum() && c.iter().sum::<f64>() < least {
            c.iter_mut().zip(self.s()).for_each(|(c, s)| *c += least * s / self.total);
        }
    }

    /// Writes the gradient of the smooth part of F, the mean loss and (λ₂/2)‖w‖², from the
    /// residuals.
    pub fn gradient(
        &self,
        h: &Hyperplane,
        r: &[f64],
        combination: &mut Combination,
        g: &mut Hyperplane,
    ) {
        combination.of(self.x(), r, &mut g.w);
        kernels::axpy(self.penalty.l2, &h.w, &mut g.w);
        g.b = self.residual_bias(r);
    }

    /// The derivative of F in the intercept, from the residuals; 0 without an intercept.
    pub(crate) fn residual_bias(&self, r: &[f64]) -> f64 {
        if self.intercept { r.iter().copied().collect::<Sum>().value() } else { 0.0 }
    }

    /// The distance of h from stationarity: the norm of the smallest subgradient of F, from the
    /// gradient g of the smooth part.
    pub(crate) fn stationarity(&self, h: &Hyperplane, g: &Hyperplane) -> f64 {
        let l1 = Penalty::l1(self.penalty.l1);
        let sum: f64 = h.w.iter().zip(&g.w).map(|(&w, &g)| l1.distance(w, g).powi(2)).sum();
        (sum + g.b * g.b).sqrt()
    }

    /// Total sample weight of the misclassified rows, from their margins. A row on the hyperplane
    /// counts as positive, as in prediction.
    pub fn mistakes(&self, m: &[f64]) -> f64 {
        let rows = m.iter().zip(self.y()).zip(self.s());
        rows.filter(|((m, y), _)| !(**m > 0.0 || **m == 0.0 && **y > 0.0)).map(|(_, s)| s).sum()
    }
}
