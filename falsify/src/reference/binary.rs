//! Optimum of a binary problem, and the interval of scores of a row over all optima.
//!
//! ```text
//!   F(w, b) = (1/S) Σ sᵢ ℓ(yᵢ(w·xᵢ + b)) + λ₁‖w‖₁ + (λ₂/2)‖w‖²
//! ```
//!
//! Columns are centered with an intercept (the difference of two doubles is exact in double-double)
//! and scaled by powers of two; [`Program`] finds and certifies the optimum. With its gap g the
//! optimal w* is within ε = √(2g/λ₂), so uⱼ = w·(xⱼ − c) is within e = ε‖xⱼ − c‖, and the interval
//! of optimal intercepts lies between those of u + e and u − e ([`super::intercepts`]). Each end of
//! a row's interval of scores is itself enclosed, from outside and from inside. If λ₂ = 0 this ball
//! does not exist; the score of the one optimum found is used, with a large error bound.

use super::intercepts::{Row, intercepts};
use super::program::Program;
use super::term::{Shape, Term};
use crate::double_double::{DoubleDouble, dd, dot};

/// ℓ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // named after the losses
pub enum Loss {
    Logistic,
    Hinge,
    SquaredHinge,
    SmoothHinge,
    Squared,
    Perceptron,
}

impl Loss {
    /// All losses.
    pub const ALL: [Self; 6] = [
        Self::Logistic,
        Self::Hinge,
        Self::SquaredHinge,
        Self::SmoothHinge,
        Self::Squared,
        Self::Perceptron,
    ];

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Logistic => "logistic",
            Self::Hinge => "hinge",
            Self::SquaredHinge => "squared-hinge",
            Self::SmoothHinge => "smooth-hinge",
            Self::Squared => "squared",
            Self::Perceptron => "perceptron",
        }
    }

    /// Returns c and f of ℓ(m) = f(c − m).
    fn shape(self) -> (f64, Shape) {
        let piece = |low, high, gamma| Shape::Piece { low, high, gamma };
        match self {
            Self::Logistic => (0.0, Shape::Logistic),
            Self::Hinge => (1.0, piece(0.0, 1.0, 0.0)),
            Self::SquaredHinge => (1.0, piece(0.0, f64::INFINITY, 0.5)),
            Self::SmoothHinge => (1.0, piece(0.0, 1.0, 1.0)),
            Self::Squared => (1.0, piece(f64::NEG_INFINITY, f64::INFINITY, 0.5)),
            Self::Perceptron => (0.0, piece(0.0, 1.0, 0.0)),
        }
    }
}

/// Binary problem.
#[derive(Clone, Debug)]
pub struct Problem {
    /// Rows.
    pub x: Vec<Vec<f64>>,
    /// −1 or +1.
    pub y: Vec<f64>,
    /// Sample weights ≥ 0.
    pub s: Vec<f64>,
    /// ℓ.
    pub loss: Loss,
    /// λ₁.
    pub l1: f64,
    /// λ₂.
    pub l2: f64,
    /// Whether b is free; otherwise b = 0.
    pub intercept: bool,
}

/// Interval whose ends are enclosed.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// Enclosure of the least value.
    pub low: (f64, f64),
    /// Enclosure of the largest value.
    pub high: (f64, f64),
}

/// Certified optimum.
#[derive(Clone, Debug)]
pub struct Reference {
    /// F at the optimum found, at most a relative 1e-24 above F*.
    pub value: DoubleDouble,
    /// w.
    pub w: Vec<DoubleDouble>,
    /// ε: ‖w − w*‖ ≤ ε, if λ₂ > 0.
    pub radius: Option<f64>,
    /// c.
    center: Vec<f64>,
    /// Enclosures of the least and the largest intercept of centered rows.
    b: [(DoubleDouble, DoubleDouble); 2],
}

impl Problem {
    /// Returns F at (w, b).
    pub fn value(&self, w: &[f64], b: f64) -> DoubleDouble {
        let (corner, shape) = self.loss.shape();
        let total: DoubleDouble = self.s.iter().map(|s| dd(*s)).sum();
        let mut sum = DoubleDouble::ZERO;
        for ((x, y), s) in self.x.iter().zip(&self.y).zip(&self.s).filter(|(_, s)| **s > 0.0) {
            let z: DoubleDouble =
                x.iter().zip(w).map(|(x, w)| DoubleDouble::product(*x, *w)).sum::<DoubleDouble>()
                    + dd(b);
            let term = Term { q: dd(*s), a: Vec::new(), c: DoubleDouble::ZERO, shape };
            sum += dd(*s) * term.value(dd(corner) - dd(*y) * z);
        }
        let w1: DoubleDouble = w.iter().map(|w| dd(w.abs())).sum();
        let w2: DoubleDouble = w.iter().map(|w| DoubleDouble::product(*w, *w)).sum();
        sum / total + dd(self.l1) * w1 + dd(self.l2 / 2.0) * w2
    }

    /// Returns the optimum; `None` without a penalty, and if the gap is not small enough.
    pub fn reference(&self) -> Option<Reference> {
        if self.l1 == 0.0 && self.l2 == 0.0 {
            return None;
        }
        let d = self.x[0].len();
        let live: Vec<usize> = (0..self.s.len()).filter(|&i| self.s[i] > 0.0).collect();
        if self.loss == Loss::Perceptron {
            // F ≥ 0 = F(0), and for w = 0 only b = 0 has F = 0 with rows of both classes.
            let b = [(DoubleDouble::ZERO, DoubleDouble::ZERO); 2];
            let (zero, center) = (vec![DoubleDouble::ZERO; d], vec![0.0; d]);
            let value = DoubleDouble::ZERO;
            return Some(Reference { value, w: zero, radius: Some(0.0), center, b });
        }
        let total: f64 = live.iter().map(|&i| self.s[i]).sum();
        let center: Vec<f64> = (0..d)
            .map(|j| {
                if !self.intercept {
                    return 0.0;
                }
                live.iter().map(|&i| self.s[i] / total * self.x[i][j]).sum()
            })
            .collect();
        let centered = |row: &[f64]| -> Vec<DoubleDouble> {
            row.iter().zip(&center).map(|(x, c)| DoubleDouble::difference(*x, *c)).collect()
        };
        let rows: Vec<Vec<DoubleDouble>> = self.x.iter().map(|row| centered(row)).collect();
        let scale: Vec<f64> = (0..d)
            .map(|j| {
                let most = live.iter().fold(0.0_f64, |m, &i| m.max(rows[i][j].abs().value()));
                if (1e-100..1e100).contains(&most) { (-most.log2().round()).exp2() } else { 1.0 }
            })
            .collect();
        let program = self.program(&rows, &live, &scale);
        let optimum = program.minimize()?;
        let w: Vec<DoubleDouble> =
            optimum.h.iter().zip(&scale).map(|(h, scale)| *h * dd(*scale)).collect();
        let gap = optimum.gap.value() + 1e-31 * optimum.value.value();
        let radius = (self.l2 > 0.0).then(|| (2.0 * gap / self.l2).sqrt() * 1.000_001);
        // Intercepts, enclosed from outside and from inside.
        let u: Vec<DoubleDouble> = rows.iter().map(|row| dot(row, &w)).collect();
        let b = if !self.intercept {
            [(DoubleDouble::ZERO, DoubleDouble::ZERO); 2]
        } else if let Some(radius) = radius {
            let at = |sign: f64| {
                let shifted: Vec<Row> = live
                    .iter()
                    .map(|&i| {
                        let e = score_error(&rows[i], &w, radius);
                        Row { u: u[i] + dd(sign * e), y: self.y[i], s: self.s[i] }
                    })
                    .collect();
                intercepts(self.loss, &shifted)
            };
            let (up, down) = (at(1.0)?, at(-1.0)?);
            [(up.0, down.0), (up.1, down.1)]
        } else {
            let b = optimum.h[d];
            let room = dd(1e-9 * (1.0 + b.abs().value()));
            [(b - room, b + room); 2]
        };
        Some(Reference { value: optimum.value, w, radius, center, b })
    }

    fn program(&self, rows: &[Vec<DoubleDouble>], live: &[usize], scale: &[f64]) -> Program {
        let d = scale.len();
        let p = d + usize::from(self.intercept);
        let (corner, shape) = self.loss.shape();
        let total: DoubleDouble = live.iter().map(|&i| dd(self.s[i])).sum();
        let mut terms: Vec<Term> = live
            .iter()
            .map(|&i| {
                let scaled = rows[i].iter().zip(scale).map(|(x, t)| *x * dd(-self.y[i] * t));
                let bias = self.intercept.then_some(dd(-self.y[i]));
                let a = scaled.chain(bias).collect();
                Term { q: dd(self.s[i]) / total, a, c: dd(corner), shape }
            })
            .collect();
        if self.l1 > 0.0 {
            let shape = Shape::Piece { low: -1.0, high: 1.0, gamma: 0.0 };
            terms.extend((0..d).map(|j| {
                let mut a = vec![DoubleDouble::ZERO; p];
                a[j] = DoubleDouble::ONE;
                Term { q: dd(self.l1) * dd(scale[j]), a, c: DoubleDouble::ZERO, shape }
            }));
        }
        let lambda = (0..p)
            .map(|j| scale.get(j).map_or(DoubleDouble::ZERO, |t| dd(self.l2) * dd(*t) * dd(*t)))
            .collect();
        Program { terms, lambda }
    }
}

/// Bounds the difference of w·x and w*·x, by the ball and by rounding.
fn score_error(row: &[DoubleDouble], w: &[DoubleDouble], radius: f64) -> f64 {
    let norm = row.iter().map(|x| x.value() * x.value()).sum::<f64>().sqrt();
    let size: f64 = row.iter().zip(w).map(|(x, w)| (x.value() * w.value()).abs()).sum();
    1.000_001 * (radius * norm + 1e-30 * size) + f64::MIN_POSITIVE
}

impl Reference {
    /// Returns the interval of the scores of a row over all optima.
    pub fn scores(&self, row: &[f64]) -> Range {
        let centered: Vec<DoubleDouble> =
            row.iter().zip(&self.center).map(|(x, c)| DoubleDouble::difference(*x, *c)).collect();
        let u = dot(&centered, &self.w);
        let e = dd(self.radius.map_or_else(
            || {
                let sizes =
                    centered.iter().zip(&self.w).map(|(x, w)| (x.value() * w.value()).abs());
                1e-9 * (1.0 + sizes.sum::<f64>())
            },
            |radius| score_error(&centered, &self.w, radius),
        ));
        let down = |z: DoubleDouble| z.value().next_down();
        let up = |z: DoubleDouble| z.value().next_up();
        let exact = self.radius == Some(0.0);
        if exact {
            return Range { low: (0.0, 0.0), high: (0.0, 0.0) };
        }
        let [low, high] = self.b;
        Range {
            low: (down(u - e + low.0), up(u + e + low.1)),
            high: (down(u - e + high.0), up(u + e + high.1)),
        }
    }

    /// Returns a lower bound on ‖w − w*‖: the distance from the optimum found, minus the radius.
    pub fn distance_at_least(&self, w: &[f64]) -> Option<f64> {
        let square: DoubleDouble = self.w.iter().zip(w).map(|(a, b)| (*a - dd(*b)).square()).sum();
        Some(square.sqrt().value() * (1.0 - 1e-15) - self.radius?)
    }
}
