//! Logistic loss ℓ(m) = ln(1 + e⁻ᵐ), the negative log-likelihood of logistic regression.
//!
//! If P(y | x) = σ(yz) with σ(m) = 1/(1 + e⁻ᵐ), the maximum-likelihood hyperplane minimizes the
//! mean of ℓ. Slope −σ(−m), curvature σ(m) σ(−m) (bound 1/4). ℓ has no minimum: on separable rows
//! without a penalty no maximum-likelihood estimate exists. Dual: the entropy −α ln α − (1−α)
//! ln(1−α) for 0 ≤ α ≤ 1.
//!
//! **Dual step.** Let t = m + q (a − α) be the margin after the step. Stationarity ln((1−a)/a) = t
//! gives a = σ(−t). Thus t solves f(t) = t − q σ(−t) − (m − qα) = 0. f increases with slope in \[1,
//! 1 + q/4\] and its root lies in \[m − qα, m − qα + q\]. Newton's method starts at m. It takes a
//! bisection step if a Newton step would leave the bracket, or is longer than half the step before.
//! As |σ″| < 0.1, a step s leaves an error below q s²/20 divided by the slope. The search ends when
//! that is a small share of the distance from m. Near the optimum it ends after the first step,
//! whose only exponential is the one of the excess.
//!
//! All functions use e^(−|m|), which cannot overflow.
//!
//! Source: Yu, Huang & Lin, *Dual coordinate descent methods for logistic regression and maximum
//! entropy models*, Machine Learning 85 (2011), for the dual; the step in t is new here.

use super::{Loss, MulticlassLoss, loops, outward};
use crate::math::scalar::{entropy, exp_below_zero, ln_1p_of_share};

/// ln(1 + e⁻ᵐ).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Logistic;

/// σ(m) = 1/(1 + e⁻ᵐ).
#[inline(always)]
#[allow(clippy::inline_always)] // required to vectorize loops over rows
fn sigmoid(m: f64) -> f64 {
    let e = exp_below_zero(-m.abs());
    if m >= 0.0 { 1.0 / (1.0 + e) } else { e / (1.0 + e) }
}

/// p = σ(−t) and its variance p (1 − p) = σ(−t) σ(t), each to full relative accuracy.
struct Bernoulli {
    a: f64,
    spread: f64,
}

impl Bernoulli {
    #[inline]
    fn at(t: f64) -> Self {
        let e = exp_below_zero(-t.abs());
        let near_one = 1.0 / (1.0 + e);
        let far = e * near_one;
        Self { a: if t >= 0.0 { far } else { near_one }, spread: far * near_one }
    }

    /// σ(−(t + s)): for short s by the first terms of its Taylor series, with a relative error of
    /// about s⁴/24.
    #[inline]
    fn shifted(&self, t: f64, s: f64) -> f64 {
        const SHORT: f64 = 0.01;
        if s.abs() > SHORT {
            return Self::at(t + s).a;
        }
        let Self { a, spread } = *self;
        let bent = 0.5 * (1.0 - 2.0 * a) - s * (1.0 - 6.0 * spread) / 6.0;
        (a - spread * s * (1.0 - s * bent)).clamp(0.0, 1.0)
    }
}

#[inline]
fn half_chi_sq(coin: &Bernoulli, alpha: f64) -> f64 {
    0.5 * (alpha - coin.a) * (alpha - coin.a) / coin.spread.max(f64::MIN_POSITIVE)
}

/// The dual step from the values at m.
#[inline]
fn step_from(mut coin: Bernoulli, alpha: f64, m: f64, q: f64) -> f64 {
    const STEPS: usize = 100;
    const ENOUGH: f64 = 1e-5;
    let target = m - q * alpha;
    let (mut least, mut most) = (target, target + q);
    let (mut t, mut before) = (m, f64::INFINITY);
    for _ in 0..STEPS {
        let f = t - q * coin.a - target;
        *(if f > 0.0 { &mut most } else { &mut least }) = t;
        let slope = 1.0 + q * coin.spread;
        let newton = t - f / slope;
        // Newton steps that do not shrink may oscillate without end.
        let inside = newton > least && newton < most && (newton - t).abs() <= 0.5 * before;
        let next = if inside { newton } else { 0.5 * (least + most) };
        let s = next - t;
        if inside && q * s * s <= 20.0 * slope * ENOUGH * (next - m).abs() {
            return coin.shifted(t, s);
        }
        if s == 0.0 {
            break;
        }
        (t, before) = (next, s.abs());
        coin = Bernoulli::at(t);
    }
    coin.a
}

/// Relative bound on the rounding error of the excess.
const EXCESS: f64 = 64.0 * f64::EPSILON;

/// Solves excess = g by Newton's method from `start` inward, while the iterates stay outside the
/// interval. Returns the last such iterate, or `bound`, which is outside, if `start` is not.
fn refine_margin(alpha: f64, h: f64, g: f64, start: f64, bound: f64) -> f64 {
    const STEPS: usize = 8;
    let (mut m, mut beyond) = (start, bound);
    for _ in 0..STEPS {
        let [value, slope, _] = Logistic.all(m);
        let uncertain = EXCESS * (value + alpha * m.abs() + h + alpha);
        let above = value + alpha * m - h - uncertain - g;
        // Also false for a NaN.
        if !(m.is_finite() && above > 0.0) {
            break;
        }
        beyond = m;
        let step = above / (slope + alpha);
        if step.abs() <= 1e-6 * (1.0 + m.abs()) {
            break;
        }
        m -= step;
    }
    beyond
}

impl Loss for Logistic {
    fn name(&self) -> &'static str {
        "logistic"
    }

    fn about(&self) -> &'static str {
        "ln(1 + e⁻ᵐ): logistic regression; provides probabilities"
    }

    fn method(&self) -> Option<&'static str> {
        Some("logistic")
    }

    fn multiclass(&self) -> Option<MulticlassLoss> {
        Some(MulticlassLoss::Softmax)
    }

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn value(&self, m: f64) -> f64 {
        ln_1p_of_share(exp_below_zero(-m.abs())) + (-m).max(0.0)
    }

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn slope(&self, m: f64) -> f64 {
        -sigmoid(-m)
    }

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn curvature(&self, m: f64) -> f64 {
        let e = exp_below_zero(-m.abs());
        e / ((1.0 + e) * (1.0 + e))
    }

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn all(&self, m: f64) -> [f64; 3] {
        let e = exp_below_zero(-m.abs());
        let slope = -(if m >= 0.0 { e } else { 1.0 }) / (1.0 + e);
        [ln_1p_of_share(e) + (-m).max(0.0), slope, e / ((1.0 + e) * (1.0 + e))]
    }

    fn derivatives_along(&self, m: &[f64], q: &[f64], t: f64, s: &[f64]) -> [f64; 2] {
        loops::along(m, q, t, s, |m, q, s| {
            let e = exp_below_zero(-m.abs());
            let near_one = 1.0 / (1.0 + e);
            let far = e * near_one;
            let slope = if m >= 0.0 { -far } else { -near_one };
            [s * slope * q, s * far * near_one * q * q]
        })
    }

    fn curvature_bound(&self) -> Option<f64> {
        Some(0.25)
    }

    fn has_minimum(&self) -> bool {
        false
    }

    #[inline(always)]
    #[allow(clippy::inline_always)]
    fn dual(&self, a: f64) -> f64 {
        // Unconditional, because a branch would prevent vectorization.
        let value = entropy(a);
        if (0.0..=1.0).contains(&a) { value } else { f64::NEG_INFINITY }
    }

    fn dual_range(&self) -> (f64, f64) {
        (0.0, 1.0)
    }

    fn dual_step(&self, alpha: f64, m: f64, q: f64) -> f64 {
        step_from(Bernoulli::at(m), alpha, m, q)
    }

    /// The excess is KL(α ‖ σ(−m)). Half of the χ² divergence equals it to leading order near the
    /// optimum and costs one exponential instead of four functions.
    #[inline]
    fn excess(&self, alpha: f64, m: f64) -> f64 {
        half_chi_sq(&Bernoulli::at(m), alpha)
    }

    fn visit(&self, alpha: f64, m: f64, q: f64) -> (f64, f64) {
        let coin = Bernoulli::at(m);
        (half_chi_sq(&coin, alpha), step_from(coin, alpha, m, q))
    }

    /// The excess is KL(α ‖ p) with p = σ(−m), and convex in m. Newton's method from a point
    /// outside an end of the interval therefore stays outside. The returned point was evaluated and
    /// lies outside. The start is the nearest of three bounds on the ends:
    ///
    /// 1. KL is at least αm − H(α) and −(1−α)m − H(α).
    /// 2. With m̂ = ln((1−α)/α), KL is at least α(1−α)(e^(−|t|) + |t| − 1) at m = m̂ + t, as |σ″| ≤
    ///    σ′. That exceeds g if |t| ≥ q + √(2q) with q = g/(α(1−α)).
    /// 3. KL is at least (p − α)²/2p where p ≥ α. That exceeds g for p ≥ α + g + √(g² + 2αg).
    fn margins_within(&self, alpha: f64, g: f64) -> (f64, f64) {
        let (rest, h) = (1.0 - alpha, entropy(alpha));
        let q = g / (alpha * rest);
        let (middle, reach) = ((rest / alpha).ln(), q + (2.0 * q).sqrt());
        let logit = |a: f64| {
            let p = a + g + (g * g + 2.0 * a * g).sqrt();
            ((1.0 - p) / p).ln()
        };
        // α is exact to one rounding; `EXCESS` covers its error and that of H(α).
        let most = (g + h) * (1.0 + EXCESS) + EXCESS;
        let low = -most / (rest - 4.0 * f64::EPSILON).max(0.0);
        let high = most / alpha;
        // `max` and `min` ignore a NaN.
        let least = refine_margin(alpha, h, g, low.max(middle - reach).max(logit(alpha)), low);
        let largest = refine_margin(alpha, h, g, high.min(middle + reach).min(-logit(rest)), high);
        outward(least, largest, 1.0)
    }

    fn probability(&self, z: f64) -> Option<f64> {
        Some(sigmoid(z))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hand_computed_values_without_overflow() {
        assert_eq!(Logistic.all(0.0), [2.0_f64.ln(), -0.5, 0.25]);
        assert_eq!(Logistic.value(800.0), 0.0);
        assert_eq!((Logistic.value(-800.0), Logistic.slope(-800.0)), (800.0, -1.0));
        // ln(1 + e⁻⁴⁰) = e⁻⁴⁰ to the last digit, which 1 + e⁻⁴⁰ would lose.
        assert_eq!(Logistic.value(40.0), (-40.0_f64).exp());
        assert_eq!(Logistic.probability(0.0), Some(0.5));
    }

    /// Newton's method without a bracket oscillates at this point.
    #[test]
    fn the_dual_step_does_not_oscillate() {
        let (alpha, m, q) = (0.993_733_106_376_026_9, 4.708_570_942_005_607, 12.078_284_737_329_78);
        let a = Logistic.dual_step(alpha, m, q);
        let t = m + q * (a - alpha);
        assert!((((1.0 - a) / a).ln() - t).abs() < 1e-4 && (a - 0.58).abs() < 0.01, "{a}");
    }
}
