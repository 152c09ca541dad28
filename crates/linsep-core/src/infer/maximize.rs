//! The maximum of the likelihood, free or with some linear combinations of the coefficients fixed.
//!
//! Newton's method on ℓ under A β = const, A having one row per fixed combination. On ℓ* it is
//! Fisher scoring with BFGS updates ([`super::secant`]):
//!
//! ```text
//!   λ = (A I⁻¹ Aᵀ)⁻¹ A I⁻¹ U,     p = I⁻¹ (U − Aᵀλ)
//!   β ← β + t p,     t = 1, ½, ¼, … until ℓ rises enough
//!   ν² = (U − Aᵀλ)ᵀ I⁻¹ (U − Aᵀλ)
//! ```
//!
//! p preserves the fixed combinations, and λ is the derivative of the maximum of ℓ with respect to
//! them. The **Newton decrement** ν estimates the distance to the maximum in standard errors,
//! independently of the units of the columns. Iterations continue to the rounding level, ν ≈ 10⁻¹⁴
//! on small data. If ν² is below the rounding error of ℓ, a step is accepted if it lowers ν.
//!
//! # Existence of the maximum
//!
//! There is none if the classes can be separated. Then the iterations never converge, ν falls by √e
//! per step, and I becomes singular. **Existence is proved at the end.** Let f = −ℓ, H = I its
//! curvature at β, R = maxᵢ √(x̃ᵢᵀ H⁻¹ x̃ᵢ) over the rows. Along a step u with uᵀHu = τ², scores
//! change by at most ρ = Rτ. Since |σ″| ≤ σ′, the curvature along u falls at most by the factor
//! e^(−ρt) up to a fraction t of the step, so that
//!
//! ```text
//!   f(β + u) − f(β) ≥ −ντ + τ² (e^(−ρ) + ρ − 1)/ρ²,
//! ```
//!
//! which at ρ = 4Rν, that is τ = 4ν, is positive if Rν ≤ 3/8, for (e^(−ρ) + ρ − 1)/ρ ≥ ρ/2 − ρ²/6 =
//! 2Rν − (8/3)(Rν)² ≥ Rν. So f is larger on the whole boundary than at β, and being convex has a
//! minimum inside: **with Rν ≤ 3/8 the maximum exists and is unique, and every linear combination
//! of its coefficients is within 4ν of its own standard error.** (The proof is exact; ν and R are
//! computed in doubles.)
//!
//! Cost of a step: two passes, the p²n/2 products of I and p³/6; with Firth's penalty p²n more.
//! Source: Bach, *Self-concordant analysis for logistic regression*, Electronic Journal of
//! Statistics 4 (2010), for the bound on the curvature.

use super::likelihood::{Likelihood, Point};
use super::secant::Secant;
use crate::control::{Epoch, EpochMetric, Observer, StopReason};
use crate::math::kernels::{axpy, dot, norm_sq};
use crate::math::linalg::Cholesky;

/// Final iterate of the maximization.
pub(super) struct Maximum {
    pub(super) point: Point,
    /// The Newton decrement ν.
    pub(super) decrement: f64,
    /// λ, one for each fixed combination.
    pub(super) multipliers: Vec<f64>,
    /// `Optimal`, or the reason for an early stop.
    pub(super) stop: StopReason,
    pub(super) steps: u64,
}

/// Limit of iterations. Newton's method takes about six, Fisher scoring some dozens.
const STEPS: u64 = 300;
/// Decrement at the rounding level.
const FLOOR: f64 = 1e-14;
/// Decrement at which either a maximum is near or none exists.
const NEAR: f64 = 1e-6;
/// Decrement below which BFGS updates start.
const CLOSE: f64 = 0.3;

/// Maximizes from β with the combinations `held` fixed; `None` if the information is singular at β,
/// or if the search is stopped before it is computed.
pub(super) fn maximize(
    likelihood: &mut Likelihood<'_>,
    beta: Vec<f64>,
    held: &[Vec<f64>],
    watch: &mut dyn Observer,
) -> Option<Maximum> {
    let mut point = likelihood.at(beta)?;
    let mut way = SearchDirection::new(&point, held, None)?;
    let (mut steps, mut looked) = (0, false);
    let bare = held.is_empty() && !likelihood.has_penalty();
    // BFGS approximation, as long as it helps.
    let (mut secant, mut helps) = (None, likelihood.has_penalty());
    let stop = loop {
        // 1. Check the stopping criteria.
        let separated = bare && way.decrement <= NEAR && !looked && {
            looked = true;
            is_proved(likelihood, &point, &way) == Some(false)
        };
        let go_on = notify_observer(likelihood, &point, steps, watch);
        let reasons = [
            (separated, StopReason::NoMinimum),
            (way.decrement <= FLOOR, StopReason::Optimal),
            (!go_on, StopReason::Interrupted),
            (steps == STEPS, StopReason::IterationLimit),
        ];
        if let Some(&(_, stop)) = reasons.iter().find(|(holds, _)| *holds) {
            break stop;
        }

        // 2. Take an ascent step.
        if let Some((next, onward)) = line_search(likelihood, &point, &way, held, secant.as_mut()) {
            (point, way) = (next, onward);
            steps += 1;
            if helps && secant.is_none() && way.decrement <= CLOSE {
                secant = Some(Secant::new(&point.information, point.beta.len()));
            }
        } else if likelihood.is_ended() {
            break StopReason::Interrupted;
        } else if secant.take().is_some() {
            helps = false;
            way = SearchDirection::new(&point, held, None)?;
        } else {
            let stuck = if bare { StopReason::NoMinimum } else { StopReason::IterationLimit };
            break if way.decrement <= NEAR { StopReason::Optimal } else { stuck };
        }
    };
    let SearchDirection { decrement, multipliers, .. } = way;
    Some(Maximum { point, decrement, multipliers, stop, steps })
}

/// Search direction from a point.
struct SearchDirection {
    step: Vec<f64>,
    /// Directional derivative along the step.
    slope: f64,
    decrement: f64,
    multipliers: Vec<f64>,
}

impl SearchDirection {
    /// Computes the direction from the information, or from the BFGS approximation.
    fn new(point: &Point, held: &[Vec<f64>], secant: Option<&Secant>) -> Option<Self> {
        const LEAST: f64 = 1e-14;
        let by_information = |v: &[f64]| {
            let mut v = v.to_vec();
            point.information.solve(&mut v);
            v
        };
        let inverse =
            |v: &[f64]| secant.map_or_else(|| by_information(v), |secant| secant.times(v));
        let mut rest = point.score.clone();
        let mut multipliers = Vec::new();
        if !held.is_empty() {
            let (rows, m) = (held.iter().map(|a| inverse(a)).collect::<Vec<_>>(), held.len());
            let mut products = vec![0.0; m * m];
            for j in 0..m {
                (j..m).for_each(|i| products[j * m + i] = dot(&held[i], &rows[j]));
            }
            multipliers = rows.iter().map(|row| dot(row, &rest)).collect();
            Cholesky::exact(&products, m, LEAST)?.solve(&mut multipliers);
            held.iter().zip(&multipliers).for_each(|(a, lambda)| axpy(-lambda, a, &mut rest));
        }
        let step = inverse(&rest);
        let slope = dot(&rest, &step);
        point.information.whiten(&mut rest);
        let decrement = norm_sq(&rest).sqrt();
        decrement.is_finite().then_some(Self { step, slope, decrement, multipliers })
    }
}

/// Returns the next point and its search direction; `None` if no step length increases the value.
fn line_search(
    likelihood: &mut Likelihood<'_>,
    point: &Point,
    way: &SearchDirection,
    held: &[Vec<f64>],
    mut secant: Option<&mut Secant>,
) -> Option<(Point, SearchDirection)> {
    const ENOUGH: f64 = 1e-4;
    // Relative rounding error of ℓ.
    const ROUNDING: f64 = 1e-11;
    // Decrement below which only the full step is tried.
    const LAST: f64 = 1e-9;
    let lost = way.decrement * way.decrement <= ROUNDING * (1.0 + point.value.abs());
    let least = if lost { 0.1 } else { 1e-9 };
    let mut t = 1.0;
    while t > least {
        let mut beta = point.beta.clone();
        axpy(t, &way.step, &mut beta);
        let next = likelihood.at(beta);
        if let Some((next, plain)) =
            next.and_then(|n| SearchDirection::new(&n, held, None).map(|w| (n, w)))
        {
            let up = next.value - point.value >= ENOUGH * t * way.slope && way.slope > 0.0;
            if up && !lost || lost && plain.decrement < way.decrement {
                let Some(secant) = secant.as_deref_mut() else { return Some((next, plain)) };
                let step: Vec<f64> = way.step.iter().map(|p| t * p).collect();
                let scores = point.score.iter().zip(&next.score);
                secant.learn(&step, &scores.map(|(from, to)| from - to).collect::<Vec<f64>>());
                let onward = SearchDirection::new(&next, held, Some(secant))?;
                // The decrement is measured by the information, in standard errors, for either
                // direction.
                let decrement = plain.decrement;
                return Some((next, SearchDirection { decrement, ..onward }));
            }
        }
        if way.decrement <= LAST {
            break;
        }
        t *= 0.5;
    }
    None
}

/// Returns whether the existence of a maximum near this point is proved; `None` if the search is
/// stopped.
fn is_proved(likelihood: &Likelihood<'_>, point: &Point, way: &SearchDirection) -> Option<bool> {
    let cancel = likelihood.cancel();
    Some(reach(likelihood, point, || cancel.is_set())? * way.decrement <= 0.375)
}

/// Returns R = maxᵢ √(x̃ᵢᵀ I⁻¹ x̃ᵢ) over rows of positive sample weight; `None` if
/// stopped meanwhile.
fn reach(
    likelihood: &Likelihood<'_>,
    point: &Point,
    stop: impl Fn() -> bool + Sync,
) -> Option<f64> {
    let spread = likelihood.score_variances(&point.information, stop)?;
    let rows = spread.iter().zip(likelihood.problem().s());
    Some(rows.filter(|(_, s)| **s > 0.0).map(|(v, _)| *v).fold(0.0, f64::max).sqrt())
}

/// Returns an upper bound on the distance to the exact maximum, in standard errors; `None` if
/// unproved.
pub(super) fn distance_bound(likelihood: &Likelihood<'_>, maximum: &Maximum) -> Option<f64> {
    let cancel = likelihood.cancel();
    let reach = reach(likelihood, &maximum.point, || cancel.is_certification_canceled())?;
    let near = reach * maximum.decrement <= 0.375;
    (near && !likelihood.has_penalty()).then_some(4.0 * maximum.decrement)
}

pub(super) fn notify_observer(
    likelihood: &Likelihood<'_>,
    point: &Point,
    epoch: u64,
    watch: &mut dyn Observer,
) -> bool {
    let value = -point.value / likelihood.problem().total_weight();
    let standing = EpochMetric::Objective { value, relative_gap: None };
    watch.epoch(&Epoch { epoch, of: STEPS, standing }) && !likelihood.is_ended()
}
