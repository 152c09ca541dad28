//! Line search along a direction, without a pass over the data.
//!
//! Along h + t p the margins are m + t q, so F is a function of one variable,
//!
//! ```text
//!   φ(t) = (1/S) Σ sᵢ ℓ(mᵢ + t qᵢ) + (λ₂/2) (‖w‖² + 2t w·p + t²‖p‖²),
//! ```
//!
//! convex, with slope and curvature at O(n) per evaluation. A step is accepted by the Wolfe
//! conditions: F falls by at least 10⁻⁴ of the linear prediction, and the absolute slope is at most
//! 0.9 of its initial value. t = 1 is tried first; then Newton steps in t, safeguarded by a
//! shrinking bracket.
//!
//! Near the optimum the decrease of F is lost in rounding while the slope is still exact, and the
//! gap depends on the slope. There a step is also accepted if the slope is flatter and F has not
//! risen by more than a few roundings (the approximate conditions of Hager and Zhang).
//!
//! Source: Nocedal & Wright, *Numerical Optimization* (2nd ed.), §3.1.

use crate::data::Hyperplane;
use crate::math::kernels;
use crate::objective::Objective;

/// Whether a predicted decrease is below the rounding of F, and F has not risen visibly.
pub(in crate::solvers) fn hidden(value: f64, promised: f64, at: f64) -> bool {
    const ROUNDINGS: f64 = 8.0 * f64::EPSILON;
    promised.abs() <= 1e3 * ROUNDINGS * value && at <= value * (1.0 + ROUNDINGS)
}

/// Backtracking for a nonsmooth objective: F must fall by a hundredth of the decrease predicted for
/// the full step (`promised`, negative), scaled by t. Tries t = 1, ½, ¼, … Returns t and F there;
/// `None` if no step lowers F.
pub(in crate::solvers) fn halve(
    value: f64,
    promised: f64,
    mut at: impl FnMut(f64) -> f64,
) -> Option<(f64, f64)> {
    const ENOUGH: f64 = 0.01;
    const HALVINGS: i32 = 40;
    (0..HALVINGS).map(|k| 0.5_f64.powi(k)).find_map(|t| {
        let now = at(t);
        let falls = now - value <= ENOUGH * t * promised && now < value;
        (falls || hidden(value, promised, now)).then_some((t, now))
    })
}

/// Direction p from a hyperplane with margins m.
pub(in crate::solvers) struct Line<'a> {
    pub p: &'a Hyperplane,
    /// Changes of the margins along p.
    pub q: &'a [f64],
    penalty: PenaltyAlong,
}

/// (λ₂/2)‖w + t p‖²: (λ₂/2) times ‖w‖², 2 w·p and ‖p‖².
pub(crate) struct PenaltyAlong([f64; 3]);

impl PenaltyAlong {
    pub(crate) fn new(l2: f64, w: &[f64], p: &[f64]) -> Self {
        let half = 0.5 * l2;
        Self([
            half * kernels::norm_sq(w),
            half * 2.0 * kernels::dot(w, p),
            half * kernels::norm_sq(p),
        ])
    }

    /// Adds the penalty to the mean loss at t, and to its slope and curvature in t.
    pub(crate) fn add_to(&self, [value, slope, curvature]: [f64; 3], t: f64) -> [f64; 3] {
        let Self([none, once, twice]) = self;
        [
            value + none + t * (once + t * twice),
            slope + once + 2.0 * t * twice,
            curvature + 2.0 * twice,
        ]
    }
}

impl<'a> Line<'a> {
    /// Line through h along p; q are the margins of p.
    pub(in crate::solvers) fn new(
        objective: &Objective<'_>,
        h: &Hyperplane,
        p: &'a Hyperplane,
        q: &'a [f64],
    ) -> Self {
        Self { p, q, penalty: PenaltyAlong::new(objective.penalty().l2, &h.w, &p.w) }
    }

    /// φ(t), φ′(t), φ″(t).
    fn at(&self, objective: &Objective<'_>, m: &[f64], t: f64) -> [f64; 3] {
        self.penalty.add_to(objective.along(m, self.q, t), t)
    }

    /// F at t.
    pub(in crate::solvers) fn value(&self, objective: &Objective<'_>, m: &[f64], t: f64) -> f64 {
        self.at(objective, m, t)[0]
    }

    /// Returns an accepted t and F there; `None` if no step lowers F from `value`, given its slope
    /// along p.
    pub(in crate::solvers) fn search(
        &self,
        objective: &Objective<'_>,
        m: &[f64],
        value: f64,
        slope: f64,
        first: f64,
    ) -> Option<(f64, f64)> {
        search(value, slope, first, |t| self.at(objective, m, t))
    }
}

/// Returns an accepted t and φ there, trying `first` first; `None` if no step lowers φ from
/// `value`, given its slope at 0. `at` returns φ, φ′ and φ″.
pub(crate) fn search(
    value: f64,
    slope: f64,
    first: f64,
    at: impl Fn(f64) -> [f64; 3],
) -> Option<(f64, f64)> {
    const LOOKS: usize = 40;
    const ENOUGH: f64 = 1e-4;
    const FLATTER: f64 = 0.9;
    let (mut low, mut high) = (0.0, f64::INFINITY);
    let mut t = first;
    let mut best = None;
    for _ in 0..LOOKS {
        let [now, rising, curvature] = at(t);
        let falls = now <= value + ENOUGH * t * slope && now < value;
        let flatter = rising.abs() <= FLATTER * slope.abs();
        if flatter && (falls || hidden(value, t * slope, now)) {
            return Some((t, now));
        }
        if falls && best.is_none_or(|(_, least)| now < least) {
            best = Some((t, now));
        }
        // A NaN counts as too far.
        *(if falls && rising < 0.0 { &mut low } else { &mut high }) = t;
        let newton = t - rising / curvature;
        let middle = if high.is_finite() { 0.5 * (low + high) } else { 2.0 * low };
        let inside = newton > low && newton < high && newton.is_finite();
        t = if inside && newton < 10.0 * t { newton } else { middle };
    }
    best
}
