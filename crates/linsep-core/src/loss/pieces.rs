//! Piecewise quadratic losses by their dual form, and intervals of margins.

/// The dual form of a nonincreasing piecewise quadratic loss with minimum 0. The dual is cα − γα²/2
/// for 0 ≤ α ≤ u, so ℓ(m) = max over these α of α(c − m) − γα²/2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PiecewiseQuadratic {
    /// c: the loss is 0 for margins m ≥ c.
    pub corner: f64,
    /// γ: 1/γ is the curvature below the corner if γ > 0.
    pub gamma: f64,
    /// u, possibly infinite.
    pub most: f64,
}

impl PiecewiseQuadratic {
    /// Computes [`dual`](super::Loss::dual).
    #[inline]
    pub(super) fn dual(self, a: f64) -> f64 {
        if (0.0..=self.most).contains(&a) {
            self.corner * a - 0.5 * self.gamma * a * a
        } else {
            f64::NEG_INFINITY
        }
    }

    /// Computes [`flat`](super::Loss::flat).
    pub(super) fn flat(self) -> (f64, f64) {
        let low = if self.gamma > 0.0 { self.corner - self.gamma * self.most } else { self.corner };
        (low, self.corner)
    }

    /// Computes [`margins_within`](super::Loss::margins_within). With t = c − m the excess is −αt +
    /// γα²/2 for t ≤ 0, (t − γα)²/2γ up to γu, and (u − α)t − γ(u² − α²)/2 above γu.
    pub(super) fn within(&self, alpha: f64, g: f64) -> (f64, f64) {
        let Self { corner, gamma, most } = *self;
        // An upper bound on u − α, as α is exact to one rounding.
        let left = (most - alpha) + 4.0 * f64::EPSILON * alpha;
        let room = (left - 8.0 * f64::EPSILON * alpha).max(0.0);
        let root = (2.0 * gamma * g).sqrt();
        let low = 0.5 * gamma * alpha * alpha;
        let least = if low >= g && alpha > 0.0 { gamma * alpha - root } else { -(g - low) / alpha };
        let largest = if most.is_infinite() || 0.5 * gamma * left * left >= g && gamma > 0.0 {
            gamma * alpha + root
        } else {
            (g + 0.5 * gamma * left * (most + alpha)) / room
        };
        outward(corner - largest, corner - least, 1.0 + alpha + root)
    }
}

/// Widens an interval by the rounding errors of its ends, computed from numbers up to `size` with a
/// few roundings.
pub(super) fn outward(least: f64, largest: f64, size: f64) -> (f64, f64) {
    const ROUNDING: f64 = 64.0 * f64::EPSILON;
    let least = least - ROUNDING * (size + least.abs());
    let largest = largest + ROUNDING * (size + largest.abs());
    // The indeterminate ∞ − ∞ and 0/0 give no bound.
    (
        if least.is_nan() { f64::NEG_INFINITY } else { least },
        if largest.is_nan() { f64::INFINITY } else { largest },
    )
}
