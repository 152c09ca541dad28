//! Likelihood-ratio tests and profile-likelihood intervals.
//!
//! For a combination θ = aᵀβ let ℓ̃(t) be the largest ℓ among all β with aᵀβ = t. Then
//!
//! ```text
//!   r(t) = √(2 (ℓ(β̂) − ℓ̃(t)))
//! ```
//!
//! is approximately |N(0, 1)| at the true t, and more closely so than (t − θ̂)/error. The
//! **likelihood-ratio test** of t = 0 compares r(0)² with χ²₁. The **profile interval** is the set
//! with r ≤ z, the quantile of the level. With Firth's penalty ℓ* replaces ℓ, with the penalty of
//! all columns.
//!
//! r is nearly linear, with slope −λ/r to the right of θ̂. λ is the multiplier of the constraint,
//! which is the slope of ℓ̃. So Newton's method on r(t) = z needs three or four values. The root is
//! bracketed, and a step that leaves the bracket is replaced by bisection. Each constrained
//! maximization starts from the previous one, moved along I⁻¹a/(aᵀI⁻¹a), the tangent of the
//! constrained maxima.
//!
//! If r levels off below z, no root exists: **the interval is unbounded on that side**, and its end
//! is ∞.
//!
//! Cost: about ten iterations of [`maximize`] for each end. Source: Venzon & Moolgavkar, *A method
//! for computing profile-likelihood-based confidence intervals*, Applied Statistics 37 (1988), for
//! the problem.

use super::Analysis;
use super::maximize::{Maximum, maximize};
use crate::control::StopReason;
use crate::math::kernels::{axpy, dot};

/// A constrained maximum.
struct ProfilePoint {
    beta: Vec<f64>,
    /// aᵀβ.
    t: f64,
    /// Derivative of β with respect to t.
    along: Vec<f64>,
    /// The likelihood-ratio statistic 2 (ℓ(β̂) − ℓ̃(t)).
    deviance_difference: f64,
    /// λ.
    slope: f64,
}

impl Analysis<'_> {
    /// Returns the statistic 2 (ℓ(β̂) − ℓ̃(0)) of the combination a.
    pub(super) fn ratio(&mut self, a: &[f64]) -> Option<f64> {
        let top = self.at_estimate(a);
        self.at(&top, a, 0.0).map(|place| place.deviance_difference)
    }

    /// Returns the statistic with all coefficients at these positions fixed at 0.
    pub(super) fn ratio_without(&mut self, places: &[usize]) -> Option<f64> {
        let p = self.top.point.beta.len();
        let mut beta = self.top.point.beta.clone();
        let unit = |&k: &usize| (0..p).map(|j| if j == k { 1.0 } else { 0.0 }).collect();
        let held: Vec<Vec<f64>> = places.iter().map(unit).collect();
        places.iter().for_each(|&k| beta[k] = 0.0);
        let mut quiet = self.likelihood.cancel();
        let found = maximize(&mut self.likelihood, beta, &held, &mut quiet)?;
        (found.stop == StopReason::Optimal).then_some(self.fall(&found))
    }

    /// Returns the ends of the interval, with r = z, below and above θ̂; NaN if not found.
    pub(super) fn interval(&mut self, a: &[f64], z: f64) -> [f64; 2] {
        [-1.0, 1.0].map(|side| {
            let mut place = self.at_estimate(a);
            let (middle, unit) = (place.t, error(&self.top, a));
            let away = root(z, unit, |distance| {
                let next = self.at(&place, a, middle + side * distance)?;
                let r = next.deviance_difference.sqrt();
                let slope = -side * next.slope / r;
                place = next;
                Some((r, slope))
            });
            middle + side * away
        })
    }

    fn fall(&self, found: &Maximum) -> f64 {
        (2.0 * (self.top.point.value - found.point.value)).max(0.0)
    }

    /// Returns the free maximum as a point of the profile of a.
    fn at_estimate(&self, a: &[f64]) -> ProfilePoint {
        let beta = self.top.point.beta.clone();
        ProfilePoint {
            t: dot(a, &beta),
            along: along(&self.top, a),
            deviance_difference: 0.0,
            slope: 0.0,
            beta,
        }
    }

    fn at(&mut self, from: &ProfilePoint, a: &[f64], t: f64) -> Option<ProfilePoint> {
        let mut beta = from.beta.clone();
        axpy(t - from.t, &from.along, &mut beta);
        let mut quiet = self.likelihood.cancel();
        let found = maximize(&mut self.likelihood, beta, &[a.to_vec()], &mut quiet)?;
        if found.stop != StopReason::Optimal {
            return None;
        }
        let (along, fall) = (along(&found, a), self.fall(&found));
        let slope = found.multipliers[0];
        Some(ProfilePoint { t, along, deviance_difference: fall, slope, beta: found.point.beta })
    }
}

/// Returns √(aᵀ I⁻¹ a), the standard error of aᵀβ.
pub(super) fn error(at: &Maximum, a: &[f64]) -> f64 {
    let mut white = a.to_vec();
    at.point.information.whiten(&mut white);
    dot(&white, &white).sqrt()
}

/// Returns I⁻¹a/(aᵀI⁻¹a).
fn along(at: &Maximum, a: &[f64]) -> Vec<f64> {
    let mut v = a.to_vec();
    at.point.information.solve(&mut v);
    let length = dot(a, &v);
    v.iter_mut().for_each(|v| *v /= length);
    v
}

/// Returns the distance at which r = z, given r and its slope as functions of the distance. ∞ if
/// there is none, NaN if r cannot be computed. `unit` is a standard error.
fn root(z: f64, unit: f64, mut r: impl FnMut(f64) -> Option<(f64, f64)>) -> f64 {
    const STEPS: usize = 80;
    const TOLERANCE: f64 = 1e-10;
    // Distance in standard errors beyond which any root is a rounding artifact.
    const FAR: f64 = 1e7;
    // Growth factor of the search interval.
    const GROW: f64 = 4.0;
    let (mut inside, mut outside) = (0.0, f64::INFINITY);
    let mut at = z * unit;
    for _ in 0..STEPS {
        let Some((value, slope)) = r(at) else {
            // The step was too long: halve it.
            let nearer = 0.5 * (inside + at);
            if at - inside <= 1e-3 * unit {
                return f64::NAN;
            }
            at = nearer;
            continue;
        };
        let newton = at + (z - value) / slope;
        if (value - z).abs() <= TOLERANCE * z {
            return if slope > 0.0 { newton } else { at };
        }
        *(if value < z { &mut inside } else { &mut outside }) = at;
        at = if outside.is_infinite() {
            if at >= FAR * unit {
                return f64::INFINITY;
            }
            let next = if slope > 0.0 { newton } else { f64::INFINITY };
            next.min(GROW * at)
        } else if newton > inside && newton < outside {
            newton
        } else {
            0.5 * (inside + outside)
        };
        if outside.is_finite() && outside - inside <= 1e-14 * outside {
            return at;
        }
    }
    f64::NAN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn root_is_found_for_convex_and_concave_profiles() {
        for z in [0.1, 1.96, 5.0] {
            let straight = root(z, 0.5, |t| Some((3.0 * t, 3.0)));
            assert!((straight - z / 3.0).abs() < 1e-12);
            let up = root(z, 0.01, |t| Some((t * t, 2.0 * t)));
            assert!((up - z.sqrt()).abs() < 1e-9, "{up}");
            let down = root(z, 1.0, |t| Some((t.sqrt(), 0.5 / t.sqrt())));
            assert!((down - z * z).abs() < 1e-8 * z * z, "{down}");
        }
    }

    #[test]
    fn profile_that_levels_off_has_an_infinite_end() {
        // r → 1.5 < 1.96 with slope 1.5 e⁻ᵗ.
        let flat = root(1.96, 1.0, |t| Some((1.5 * (1.0 - (-t).exp()), 1.5 * (-t).exp())));
        assert_eq!(flat, f64::INFINITY);
        // Nor if the slope is 0 up to rounding, or negative.
        assert_eq!(root(1.96, 1.0, |_| Some((1.0, -1e-18))), f64::INFINITY);
    }

    #[test]
    fn failed_profile_gives_nan() {
        assert!(root(1.96, 1.0, |_| None).is_nan());
        // A step that is too long is shortened.
        let near = root(1.96, 1.0, |t| (t < 1.0).then_some((4.0 * t, 4.0)));
        assert!((near - 0.49).abs() < 1e-10);
    }
}
