//! Terms of a [`Program`](super::program::Program): q f(a·h + c), and the state of the
//! interior-point method for each.

use crate::double_double::{DoubleDouble, dd, dot};

/// Function f of a term.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// ln(1 + eᵛ).
    Logistic,
    /// max over θ ∈ [low, high] of θv − γθ²/2.
    Piece {
        /// l, which may be −∞ if γ > 0.
        low: f64,
        /// u, which may be ∞.
        high: f64,
        /// γ.
        gamma: f64,
    },
}

/// q f(a·h + c).
#[derive(Clone, Debug)]
pub struct Term {
    /// q > 0.
    pub q: DoubleDouble,
    /// a.
    pub a: Vec<DoubleDouble>,
    /// c.
    pub c: DoubleDouble,
    /// f.
    pub shape: Shape,
}

/// θ, its distances from both bounds and their multipliers; for an infinite bound the two numbers
/// stay 1 and 0.
#[derive(Clone, Copy)]
pub(super) struct State {
    pub(super) theta: DoubleDouble,
    pub(super) below: DoubleDouble,
    pub(super) above: DoubleDouble,
    pub(super) mu: DoubleDouble,
    pub(super) nu: DoubleDouble,
}

impl Term {
    /// Returns v.
    pub fn form(&self, h: &[DoubleDouble]) -> DoubleDouble {
        dot(&self.a, h) + self.c
    }

    /// Returns f(v).
    pub fn value(&self, v: DoubleDouble) -> DoubleDouble {
        match self.shape {
            Shape::Logistic => v.softplus(),
            Shape::Piece { gamma, .. } => {
                let best = self.best(v);
                if best == DoubleDouble::ZERO {
                    return best;
                }
                best * v - dd(gamma / 2.0) * best.square()
            }
        }
    }

    /// Returns the maximizer θ of v.
    fn best(&self, v: DoubleDouble) -> DoubleDouble {
        match self.shape {
            Shape::Logistic => v.sigmoid(),
            Shape::Piece { low, high, gamma } if gamma > 0.0 => {
                (v / dd(gamma)).max(dd(low)).min(dd(high))
            }
            Shape::Piece { high, .. } if v.value() > 0.0 => dd(high),
            Shape::Piece { low, .. } => dd(low),
        }
    }

    /// Returns f(v) + f*(θ) − θv ≥ 0.
    pub(super) fn excess(&self, v: DoubleDouble, state: &State) -> DoubleDouble {
        match self.shape {
            Shape::Logistic => DoubleDouble::ZERO,
            Shape::Piece { gamma, .. } if gamma > 0.0 => {
                let best = self.best(v);
                let half = dd(gamma / 2.0) * (best + state.theta);
                ((best - state.theta) * (v - half)).max(DoubleDouble::ZERO)
            }
            Shape::Piece { high, .. } if v.value() > 0.0 => {
                if high == f64::INFINITY {
                    v
                } else {
                    state.above * v
                }
            }
            Shape::Piece { .. } => -(state.below * v),
        }
    }

    pub(super) fn ends(&self) -> (bool, bool) {
        match self.shape {
            Shape::Logistic => (false, false),
            Shape::Piece { low, high, .. } => (low.is_finite(), high.is_finite()),
        }
    }
}

/// Returns the initial state of a term, with v − γθ + μ − ν = 0.
pub(super) fn start(t: &Term, v: DoubleDouble) -> State {
    let one = DoubleDouble::ONE;
    let Shape::Piece { low, high, gamma } = t.shape else {
        return State { theta: v.sigmoid(), below: one, above: one, mu: dd(0.0), nu: dd(0.0) };
    };
    let theta = match (low.is_finite(), high.is_finite()) {
        (true, true) => dd(f64::midpoint(low, high)),
        (true, false) => dd(low + 1.0),
        _ => v / dd(gamma.max(f64::MIN_POSITIVE)),
    };
    let rest = v - dd(gamma) * theta;
    let (zero, lowest) = (DoubleDouble::ZERO, low.is_finite());
    State {
        theta,
        below: if lowest { theta - dd(low) } else { one },
        above: if high.is_finite() { dd(high) - theta } else { one },
        mu: if lowest { (-rest).max(zero) + one } else { zero },
        nu: if high.is_finite() { rest.max(zero) + one } else { zero },
    }
}

/// Returns Θ.
pub(super) fn curvature_of(t: &Term, s: &State) -> DoubleDouble {
    match t.shape {
        Shape::Logistic => s.theta * (DoubleDouble::ONE - s.theta),
        Shape::Piece { gamma, .. } => {
            let (low, high) = t.ends();
            let mut sum = dd(gamma);
            if low {
                sum += s.mu / s.below;
            }
            if high {
                sum += s.nu / s.above;
            }
            DoubleDouble::ONE / sum
        }
    }
}

impl State {
    pub(super) fn moved(&self, by: &Self, length: DoubleDouble) -> Self {
        Self {
            theta: self.theta + length * by.theta,
            below: self.below + length * by.below,
            above: self.above + length * by.above,
            mu: self.mu + length * by.mu,
            nu: self.nu + length * by.nu,
        }
    }
}
