//! The likelihood of logistic regression: its value, gradient (the score) and curvature (the
//! information).
//!
//! ```text
//!   ℓ(β) = Σ sᵢ ln σ(mᵢ),   mᵢ = yᵢ βᵀx̃ᵢ,   x̃ = (x, 1) in the columns that have coefficients
//!   U(β) = Σ sᵢ (tᵢ − πᵢ) x̃ᵢ,           tᵢ = 1 (positive class) or 0,  πᵢ = σ(βᵀx̃ᵢ)
//!   I(β) = Σ sᵢ πᵢ(1 − πᵢ) x̃ᵢ x̃ᵢᵀ        expected and observed information coincide
//! ```
//!
//! These are sums, not means: a sample weight sᵢ counts the row sᵢ times, and n = Σ sᵢ. With
//! Firth's penalty ([`super::firth`]) the value and the score have a further term; the information
//! is that of the unpenalized likelihood.
//!
//! Columns without a coefficient stay in the design matrix with coefficient 0, so no data is
//! copied.

use super::firth;
use crate::control::Cancel;
use crate::data::{BinaryProblem, Combination, Hyperplane};
use crate::error::Error;
use crate::loss::Logistic;
use crate::math::kernels::norm_sq;
use crate::math::linalg::Cholesky;
use crate::math::parallel::map_blocks;
use crate::math::sum::Sum;
use crate::objective::Objective;
use crate::penalty::Penalty;

/// ℓ as a function of the coefficients of some columns, optionally with Firth's penalty.
pub(super) struct Likelihood<'a> {
    objective: Objective<'a>,
    /// The columns with coefficients, ascending; d is the intercept.
    active: Vec<usize>,
    firth: bool,
    combination: Combination,
    m: Vec<f64>,
    r: Vec<f64>,
    c: Vec<f64>,
}

/// ℓ and its derivatives at some β.
pub(super) struct Point {
    /// One coefficient per active column.
    pub(super) beta: Vec<f64>,
    /// ℓ, without a penalty.
    pub(super) log_likelihood: f64,
    /// The maximized value: ℓ, plus Firth's penalty if enabled.
    pub(super) value: f64,
    /// Gradient of `value`.
    pub(super) score: Vec<f64>,
    /// Cholesky factor of I.
    pub(super) information: Cholesky,
}

impl<'a> Likelihood<'a> {
    pub(super) fn new(
        problem: &'a BinaryProblem<'a>,
        active: Vec<usize>,
        firth: bool,
        cancel: &'a Cancel,
    ) -> Result<Self, Error> {
        let objective = Objective::new(problem, &Logistic, Penalty::l2(0.0), true)?.until(cancel);
        let n = problem.x().n();
        let combination = Combination::new(problem.x());
        let [m, r, c] = [vec![0.0; n], vec![0.0; n], vec![0.0; n]];
        Ok(Self { objective, active, firth, combination, m, r, c })
    }

    pub(super) fn problem(&self) -> &'a BinaryProblem<'a> {
        self.objective.problem()
    }

    /// Returns the columns with coefficients.
    pub(super) fn active(&self) -> &[usize] {
        &self.active
    }

    /// Returns the cancel token of the search.
    pub(super) fn cancel(&self) -> Cancel {
        self.objective.cancel()
    }

    /// Returns whether the search is stopped.
    pub(super) fn is_ended(&self) -> bool {
        self.objective.is_ended()
    }

    pub(super) fn has_penalty(&self) -> bool {
        self.firth
    }

    /// Returns the hyperplane with these coefficients.
    pub(super) fn hyperplane(&self, beta: &[f64]) -> Hyperplane {
        let d = self.objective.x().d();
        let mut w = vec![0.0; d + 1];
        self.active.iter().zip(beta).for_each(|(&j, b)| w[j] = *b);
        let b = w.pop().unwrap_or_default();
        Hyperplane { w, b }
    }

    /// Evaluates ℓ and its derivatives at β; `None` if the information is numerically singular or
    /// the search is stopped.
    pub(super) fn at(&mut self, beta: Vec<f64>) -> Option<Point> {
        let (total, h) = (self.objective.total(), self.hyperplane(&beta));
        if !h.is_finite() {
            return None;
        }
        // 1. Value and information.
        self.objective.margins(&h, &mut self.m);
        let log_likelihood = -total * self.objective.mean_loss(&self.m);
        self.objective.curvatures(&self.m, &mut self.c);
        self.c.iter_mut().for_each(|c| *c *= total);
        let information = self.factor(&self.c)?;
        let mut value = log_likelihood;

        // 2. The score: sᵢ (tᵢ − πᵢ), and the term of the penalty.
        self.objective.residuals(&self.m, &mut self.r);
        self.r.iter_mut().for_each(|r| *r *= -total);
        if self.firth {
            value += 0.5 * information.ln_det();
            let spread = self.score_variances(&information, || self.objective.is_ended())?;
            firth::add_to_residuals(&self.m, self.objective.y(), &self.c, &spread, &mut self.r);
        }
        let mut all = vec![0.0; h.d()];
        self.combination.of(self.objective.x(), &self.r, &mut all);
        all.push(self.r.iter().copied().collect::<Sum>().value());
        let score = self.active.iter().map(|&j| all[j]).collect();
        Some(Point { beta, log_likelihood, value, score, information })
    }

    /// Returns the lower triangle of Σ cᵢ x̃ᵢ x̃ᵢᵀ in the active columns; `None` if the token was
    /// set meanwhile.
    pub(super) fn gram(&self, c: &[f64], cancel: &Cancel) -> Option<Vec<f64>> {
        let (wide, p) = (self.objective.x().d() + 1, self.active.len());
        let gram = self.objective.x().gram_until(c, cancel)?;
        let mut own = vec![0.0; p * p];
        for (k, &j) in self.active.iter().enumerate() {
            for (l, &i) in self.active.iter().enumerate().skip(k) {
                own[k * p + l] = gram[j * wide + i];
            }
        }
        Some(own)
    }

    fn factor(&self, c: &[f64]) -> Option<Cholesky> {
        const LEAST: f64 = 1e-13;
        let (cancel, p) = (self.cancel(), self.active.len());
        let gram = self.gram(c, &cancel)?;
        cancel.wait(move || Cholesky::exact(&gram, p, LEAST)).flatten()
    }

    /// Returns x̃ᵢᵀ I⁻¹ x̃ᵢ, the variance of the score, for every row; `None` if stopped meanwhile.
    pub(super) fn score_variances(
        &self,
        information: &Cholesky,
        stop: impl Fn() -> bool + Sync,
    ) -> Option<Vec<f64>> {
        const BLOCK: usize = 256;
        let (x, p) = (self.objective.x(), self.active.len());
        // One row per column of the design matrix: L⁻¹ of the unit vector.
        let mut half = vec![0.0; (x.d() + 1) * p];
        for (k, &j) in self.active.iter().enumerate() {
            let row = &mut half[j * p..][..p];
            row[k] = 1.0;
            information.whiten(row);
        }
        let blocks = map_blocks(x.n(), BLOCK, |rows| {
            if stop() {
                return Vec::new();
            }
            let mut white = vec![0.0; rows.len() * p];
            x.times(rows, &half, p, &mut white);
            white.chunks_exact(p).map(norm_sq).collect::<Vec<f64>>()
        });
        let all = blocks.concat();
        (all.len() == x.n()).then_some(all)
    }

    /// Returns the margins of the hyperplane.
    pub(super) fn margins(&self, beta: &[f64]) -> Vec<f64> {
        let mut m = vec![0.0; self.m.len()];
        self.objective.margins(&self.hyperplane(beta), &mut m);
        m
    }
}

/// Returns ℓ of the intercept-only model, whose probability is the share of the positive class.
pub(super) fn null_log_likelihood(problem: &BinaryProblem<'_>) -> f64 {
    let total = problem.total_weight();
    let side = |y: f64| {
        let rows = problem.y().iter().zip(problem.s());
        rows.filter(|(own, _)| **own == y).map(|(_, s)| *s).collect::<Sum>().value()
    };
    [side(1.0), side(-1.0)].iter().map(|s| s * libm::log(s / total)).sum()
}
