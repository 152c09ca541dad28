//! Within-class covariance, shrunk, and its inverse.
//!
//! ```text
//!   Σ = S_W/n,  or (1 − γ) S_W/n + γ μ U²
//! ```
//!
//! with n the total weight (the maximum-likelihood Σ, not the unbiased one). A singular Σ is
//! inverted on its range. Among equivalent hyperplanes the one of smallest norm is chosen, in units
//! of the columns' standard deviations. Class means may still differ along directions of zero
//! variance within classes. These separate best, but a pseudo-inverse cannot use them; a note
//! reports this.

use super::{ClosedFormResult, Frame, Shrinkage, on_side, scatter_rows};
use crate::control::Cancel;
use crate::data::{Moments, Problem};
use crate::error::Error;
use crate::learner::{Fact, Facts, too_wide};
use crate::math::inverse::Inverse;
use crate::math::kernels::dot;

/// Means and Σ.
pub(crate) struct Covariance {
    /// Total weight of all rows.
    pub(crate) n: f64,
    /// m, as the sum of two vectors for precision.
    pub(crate) mean: (Vec<f64>, Vec<f64>),
    /// `m_c` − m.
    pub(crate) away: Vec<Vec<f64>>,
    /// Inverse of Σ.
    pub(crate) inverse: Inverse,
    /// Results to report.
    pub(crate) facts: Facts,
}

/// Computes hyperplanes from Σ, in columns or in the span of the rows; the priors are among their
/// facts.
pub(crate) fn of_covariance(
    method: &'static str,
    problem: &Problem<'_>,
    priors: &[f64],
    shrinkage: Shrinkage,
    cancel: &Cancel,
    compute: impl FnOnce(&Problem<'_>, Covariance, &Moments) -> ClosedFormResult,
) -> Result<ClosedFormResult, Error> {
    let answer = on_side(problem, true, |problem, frame| {
        let moments = Moments::of_until(problem, cancel)?;
        let fourth = |units: &[f64]| moments.fourth(problem, units);
        let mut covariance = Covariance::new(&moments, &frame, shrinkage, fourth, cancel)?;
        covariance.facts.add("priors", Fact::Numbers(priors.to_vec()));
        Ok(compute(problem, covariance, &moments))
    });
    answer.ok_or_else(|| too_wide(method, problem))?
}

impl Covariance {
    /// Returns the step from the mean of the other of two classes to that of the positive one, and
    /// their middle, relative to m.
    pub(crate) fn step_and_middle(&self, positive: usize) -> (Vec<f64>, Vec<f64>) {
        let ends = || self.away[positive].iter().zip(&self.away[1 - positive]);
        let middle = ends().map(|(to, from)| (to + from) / 2.0);
        (ends().map(|(to, from)| to - from).collect(), middle.collect())
    }

    /// Computes Σ and its inverse from moments; `fourth` is Σ sᵢ ‖(xᵢ − `m_c`)/u‖⁴ for units u.
    pub(crate) fn new(
        moments: &Moments,
        frame: &Frame,
        shrinkage: Shrinkage,
        fourth: impl FnOnce(&[f64]) -> f64,
        cancel: &Cancel,
    ) -> Result<Self, Error> {
        if moments.weights().contains(&0.0) {
            return Err(Error::EmptyDesign { what: "rows of each class" });
        }
        let (d, n) = (moments.d(), moments.total_weight());
        let units = frame.units(moments);
        let columns = frame.columns(&units);
        let weigh = |j: usize| if units[j] > 0.0 { 1.0 / units[j] } else { 0.0 };

        // 1. The shrinkage γ, in units of the columns.
        let mut sigma: Vec<f64> = moments.within().iter().map(|v| v / n).collect();
        let mut square = 0.0;
        let mut trace = 0.0;
        for j in 0..d {
            let own = sigma[j * d + j] * weigh(j) * weigh(j);
            trace += own;
            let below = (j + 1..d).map(|i| (sigma[j * d + i] * weigh(i) * weigh(j)).powi(2));
            square += own * own + 2.0 * below.sum::<f64>();
        }
        let mu = trace / columns.max(1.0);
        let gamma = shrinkage.gamma(columns, n, mu, square, || fourth(&units));
        if gamma > 0.0 {
            for j in 0..d {
                (j..d).for_each(|i| sigma[j * d + i] *= 1.0 - gamma);
                sigma[j * d + j] += gamma * mu * units[j] * units[j];
            }
        }

        // 2. The inverse, and the rank that is missing.
        let positive: Vec<f64> = units.iter().map(|u| if *u > 0.0 { *u } else { 1.0 }).collect();
        let own = (sigma.clone(), positive.clone());
        let inverse = cancel.wait(move || Inverse::new(&own.0, d, &own.1));
        cancel.check("the factors of the covariance matrix")?;
        let inverse = inverse
            .flatten()
            .ok_or(Error::Range { column: 0, got: sigma.first().copied().unwrap_or(0.0) })?;
        let (away, mean) = (moments.away(), moments.grand_mean());
        let mut facts = Facts::default();
        if d <= 32 && !frame.is_rotated() {
            let means = (0..moments.k()).map(|c| moments.mean(c)).collect();
            facts.add("means", Fact::Points(means));
            facts.extend(scatter_rows(moments).map(|fact| ("within-scatter".into(), fact)));
        }
        facts.add("rank", Fact::Number(inverse.rank() as f64));
        if shrinkage != Shrinkage::None {
            facts.add("shrinkage", Fact::Number(gamma));
        }
        let own = Self { n, mean, away, inverse, facts };
        Ok(own.with_notes(&sigma, &positive, columns))
    }

    fn with_notes(mut self, sigma: &[f64], units: &[f64], columns: f64) -> Self {
        let rank = self.inverse.rank();
        if (rank as f64) < columns {
            self.facts.say(format!(
                "the within-class scatter is singular (rank {rank} of {columns}): its \
                 pseudo-inverse is used; `shrinkage` makes it regular"
            ));
        }
        let d = units.len();
        let length =
            |v: &[f64]| v.iter().zip(units).map(|(v, u)| (v / u).powi(2)).sum::<f64>().sqrt();
        let missed = self.away.iter().any(|away| {
            let w = self.inverse.solve(away);
            let row = |i: usize| {
                let lower: f64 = (0..i).map(|j| sigma[j * d + i] * w[j]).sum();
                lower + dot(&sigma[i * d + i..(i + 1) * d], &w[i..])
            };
            let rest: Vec<f64> = (0..d).map(|i| away[i] - row(i)).collect();
            length(&rest) > 1e-6 * length(away)
        });
        if rank < d && missed {
            self.facts.say(
                "class means differ along directions without within-class scatter, which the \
                 pseudo-inverse ignores; `shrinkage=auto` uses them"
                    .to_owned(),
            );
        }
        self
    }
}
