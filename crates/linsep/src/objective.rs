//! The criterion F(h): the only place where data, loss and penalty meet.
//!
//! ```text
//!   F(h) = (1/S) Σ sᵢ ℓ(mᵢ) + λ₁‖w‖₁ + (λ₂/2)‖w‖²,     mᵢ = yᵢ (w·xᵢ + b),   S = Σ sᵢ
//! ```
//!
//! A weighted mean of losses, so that λ does not depend on how many rows there are. The bias is not
//! penalised; without an intercept it is 0. The margins m are the caller's: they are computed once per
//! plane, and moving from h to h + t p moves them to m + t q with q = y (p·x + `p_b`), so that a search along
//! p never touches the data again.

use crate::control::Cancel;
use crate::data::{Binary, Combination, Design, Plane};
use crate::error::Error;
use crate::loss::Loss;
use crate::math::kernels;
use crate::math::parallel::{fill_blocks, map_blocks};
use crate::math::sum::Sum;
use crate::penalty::Penalty;

/// Rows whose losses are added up by one thread at a time.
pub(crate) const BLOCK: usize = 2048;

/// F, on a problem of two classes.
#[derive(Clone, Copy)]
pub struct Objective<'a> {
    problem: &'a Binary<'a>,
    loss: &'a dyn Loss,
    penalty: Penalty,
    intercept: bool,
    total: f64,
    cancel: Option<&'a Cancel>,
}

impl<'a> Objective<'a> {
    /// Puts the parts together. Without an intercept the plane goes through the origin.
    pub fn new(
        problem: &'a Binary<'a>,
        loss: &'a dyn Loss,
        penalty: Penalty,
        intercept: bool,
    ) -> Result<Self, Error> {
        penalty.check()?;
        let total = problem.total_weight();
        Ok(Self { problem, loss, penalty, intercept, total, cancel: None })
    }

    /// The same for a run that ends early when the token says so.
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

    /// Whether training is to end with the best hyperplane so far.
    pub(crate) fn is_ended(&self) -> bool {
        self.cancel.is_some_and(Cancel::is_set)
    }

    /// Whether certification is to end as well.
    pub(crate) fn is_over(&self) -> bool {
        self.cancel.is_some_and(Cancel::is_over)
    }

    /// The problem it is about.
    pub fn problem(&self) -> &'a Binary<'a> {
        self.problem
    }

    /// The features.
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

    /// Whether the plane has a bias.
    pub fn intercept(&self) -> bool {
        self.intercept
    }

    /// The same on other rows.
    pub fn on<'c>(&self, problem: &'c Binary<'c>) -> Objective<'c>
    where
        'a: 'c,
    {
        Objective { problem, total: problem.total_weight(), ..*self }
    }

    /// The same with another loss.
    pub(crate) fn with_loss<'c>(&self, loss: &'c dyn Loss) -> Objective<'c>
    where
        'a: 'c,
    {
        Objective { loss, ..*self }
    }

    /// Writes mᵢ = yᵢ (w·xᵢ + b).
    pub fn margins(&self, h: &Plane, m: &mut [f64]) {
        self.x().scores_into(&h.w, h.b, m);
        m.iter_mut().zip(self.y()).for_each(|(m, y)| *m *= y);
    }

    /// (1/S) Σ sᵢ ℓ(mᵢ).
    pub fn mean_loss(&self, m: &[f64]) -> f64 {
        let sums =
            map_blocks(m.len(), BLOCK, |rows| self.loss.sum(&m[rows.clone()], &self.s()[rows]));
        sums.into_iter().collect::<Sum>().value() / self.total
    }

    /// (1/S) Σ sᵢ (−ℓ*(−αᵢ)).
    pub fn mean_dual(&self, alpha: &[f64]) -> f64 {
        let sums = map_blocks(alpha.len(), BLOCK, |rows| {
            self.loss.sum_of_duals(&alpha[rows.clone()], &self.s()[rows])
        });
        sums.into_iter().collect::<Sum>().value() / self.total
    }

    /// F(h), where m are the margins of h.
    pub fn value(&self, h: &Plane, m: &[f64]) -> f64 {
        self.mean_loss(m) + self.penalty.value(&h.w)
    }

    /// The mean loss at margins m + t q, its slope and its curvature in t.
    pub fn along(&self, m: &[f64], q: &[f64], t: f64) -> [f64; 3] {
        let parts = map_blocks(m.len(), BLOCK, |rows| {
            self.loss.along(&m[rows.clone()], &q[rows.clone()], t, &self.s()[rows])
        });
        let sum = |k: usize| parts.iter().map(|part| part[k]).collect::<Sum>().value();
        [0, 1, 2].map(|k| sum(k) / self.total)
    }

    /// The slope and the curvature of the mean loss at margins m + t q, in t.
    pub fn bends(&self, m: &[f64], q: &[f64], t: f64) -> [f64; 2] {
        let parts = map_blocks(m.len(), BLOCK, |rows| {
            self.loss.bends(&m[rows.clone()], &q[rows.clone()], t, &self.s()[rows])
        });
        let sum = |k: usize| parts.iter().map(|part| part[k]).collect::<Sum>().value();
        [0, 1].map(|k| sum(k) / self.total)
    }

    /// Writes ℓ′(mᵢ).
    pub fn slopes(&self, m: &[f64], out: &mut [f64]) {
        fill_blocks(out, BLOCK, |start, out| self.loss.slopes(&m[start..start + out.len()], out));
    }

    /// Writes rᵢ = sᵢ yᵢ ℓ′(mᵢ)/S, of which Σ rᵢ (xᵢ, 1) is the gradient of the mean loss.
    pub fn residuals(&self, m: &[f64], r: &mut [f64]) {
        fill_blocks(r, BLOCK, |start, r| {
            let rows = start..start + r.len();
            self.loss.slopes(&m[rows.clone()], r);
            let scales = self.s()[rows.clone()].iter().zip(&self.y()[rows]);
            r.iter_mut().zip(scales).for_each(|(r, (s, y))| *r *= s * (y / self.total));
        });
    }

    /// Writes cᵢ = sᵢ ℓ″(mᵢ)/S, of which Σ cᵢ (xᵢ, 1)(xᵢ, 1)ᵀ is the curvature of the mean loss. Where nearly all rows
    /// are on flat parts of the loss there is next to none, and a step by it would go anywhere: there all
    /// rows are given a hundredth of the most they can have, or of 1.
    pub fn curvatures(&self, m: &[f64], c: &mut [f64]) {
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

    /// Writes the gradient of the smooth part of F, the mean loss and (λ₂/2)‖w‖², from the residuals.
    pub fn gradient(&self, h: &Plane, r: &[f64], combination: &mut Combination, g: &mut Plane) {
        combination.of(self.x(), r, &mut g.w);
        kernels::axpy(self.penalty.l2, &h.w, &mut g.w);
        g.b = self.residual_bias(r);
    }

    /// The slope of F in the bias, from the residuals; 0 without an intercept.
    pub fn residual_bias(&self, r: &[f64]) -> f64 {
        if self.intercept { r.iter().copied().collect::<Sum>().value() } else { 0.0 }
    }

    /// How far h is from stationary: the norm of the smallest subgradient of F, from the gradient g of
    /// the smooth part.
    pub fn stationarity(&self, h: &Plane, g: &Plane) -> f64 {
        let l1 = Penalty::l1(self.penalty.l1);
        let sum: f64 = h.w.iter().zip(&g.w).map(|(&w, &g)| l1.distance(w, g).powi(2)).sum();
        (sum + g.b * g.b).sqrt()
    }

    /// Weight of the rows on the wrong side, given their margins. A row on the plane is right if it is
    /// of the positive class, as in prediction.
    pub fn mistakes(&self, m: &[f64]) -> f64 {
        let rows = m.iter().zip(self.y()).zip(self.s());
        rows.filter(|((m, y), _)| !(**m > 0.0 || **m == 0.0 && **y > 0.0)).map(|(_, s)| s).sum()
    }
}
