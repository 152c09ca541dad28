//! All optimal intercepts for given w·x: the zeros of the nondecreasing derivative.
//!
//! ```text
//!   D(b) = Σ sᵢ yᵢ ℓ′(yᵢ(uᵢ + b)),   uᵢ = w·xᵢ,   [b⁻, b⁺] = { b : 0 ∈ D(b) }
//! ```
//!
//! For a piecewise linear or quadratic loss, row i adds a ramp to D: from −s (y = +1) or 0 (y = −1)
//! it rises by s over an interval of b (of length 0 for a corner), or without end (squared losses).
//! Between neighboring ends of ramps D is linear, and constant outside all ramps. There D is a sum
//! of weights, which double-double represents exactly for weights within 2⁵³ of each other, so D =
//! 0 on a whole interval is decided exactly. D is nonincreasing in every uᵢ, hence b⁻ and b⁺ are
//! too: a bound on every uᵢ gives a bound on both.

use super::binary::Loss;
use crate::double_double::{DoubleDouble, dd};

/// Row of positive weight.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// w·x.
    pub u: DoubleDouble,
    /// −1 or +1.
    pub y: f64,
    /// s.
    pub s: f64,
}

/// Ramp of D: rises by `slope` per unit of b from `from` to `to`; constant `before` and `after`.
struct Ramp {
    from: DoubleDouble,
    to: DoubleDouble,
    before: f64,
    after: f64,
    slope: f64,
    /// Zero of an unbounded quadratic loss.
    zero: DoubleDouble,
}

/// Returns [b⁻, b⁺]; `None` if a class has no rows.
pub fn intercepts(loss: Loss, rows: &[Row]) -> Option<(DoubleDouble, DoubleDouble)> {
    if rows.iter().all(|r| r.y > 0.0) || rows.iter().all(|r| r.y < 0.0) {
        return None;
    }
    if loss == Loss::Logistic {
        let b = logistic(rows);
        return Some((b, b));
    }
    let ramps: Vec<Ramp> = rows.iter().map(|row| ramp(loss, row)).collect();
    let far = dd(f64::MAX / 8.0);
    let finite = |b: &DoubleDouble| b.abs() < far;
    let mut ends: Vec<DoubleDouble> =
        ramps.iter().flat_map(|r| [r.from, r.to, r.zero]).filter(finite).collect();
    ends.sort_by(|a, b| a.partial_cmp(b).expect("the ends are finite"));
    ends.dedup();
    let (first, last) = (*ends.first()?, *ends.last()?);
    let pieces = std::iter::once((-far, first))
        .chain(ends.windows(2).map(|pair| (pair[0], pair[1])))
        .chain(std::iter::once((last, far)));
    let (mut low, mut high): (Option<DoubleDouble>, Option<DoubleDouble>) = (None, None);
    for (p, q) in pieces {
        let middle = if p == -far {
            q - DoubleDouble::ONE - q.abs()
        } else if q == far {
            p + DoubleDouble::ONE + p.abs()
        } else {
            (p + q) * dd(0.5)
        };
        let (mut flat, mut rising, mut slope) = (DoubleDouble::ZERO, DoubleDouble::ZERO, 0.0);
        for ((ramp, row), s) in ramps.iter().zip(rows).zip(rows.iter().map(|row| dd(row.s))) {
            if middle <= ramp.from {
                flat += s * dd(ramp.before);
            } else if middle >= ramp.to {
                flat += s * dd(ramp.after);
            } else {
                rising += s * dd(ramp.slope) * (middle - ramp.zero);
                slope += row.s * ramp.slope;
            }
        }
        let at_middle = flat + rising;
        let root = middle - at_middle / dd(slope);
        let negative = if slope > 0.0 { root >= q } else { at_middle < DoubleDouble::ZERO };
        if negative {
            continue;
        }
        if slope == 0.0 && at_middle == DoubleDouble::ZERO {
            low = low.or(Some(p));
            high = Some(q);
            continue;
        }
        let from = if slope > 0.0 { root.max(p) } else { p };
        low = low.or(Some(from));
        high = high.or(Some(from));
        break;
    }
    Some((low?, high?))
}

fn ramp(loss: Loss, row: &Row) -> Ramp {
    let far = dd(f64::MAX / 4.0);
    let one = DoubleDouble::ONE;
    // The b of margin 1, and of margin 0.
    let at_one = dd(row.y) - row.u;
    let at_zero = -row.u;
    let plus = row.y > 0.0;
    let (before, after) = if plus { (-1.0, 0.0) } else { (0.0, 1.0) };
    let bounded = |from, to, slope, zero| Ramp { from, to, before, after, slope, zero };
    match loss {
        Loss::Hinge => bounded(at_one, at_one, 0.0, at_one),
        Loss::Perceptron => bounded(at_zero, at_zero, 0.0, at_zero),
        Loss::SmoothHinge if plus => bounded(at_zero, at_zero + one, 1.0, at_one),
        Loss::SmoothHinge => bounded(at_zero - one, at_zero, 1.0, at_one),
        Loss::SquaredHinge if plus => bounded(-far, at_one, 2.0, at_one),
        Loss::SquaredHinge => bounded(at_one, far, 2.0, at_one),
        Loss::Squared | Loss::Logistic => bounded(-far, far, 2.0, at_one),
    }
}

/// Returns the zero of D for logistic loss, by bisection, then Newton's method.
fn logistic(rows: &[Row]) -> DoubleDouble {
    let slope = |b: DoubleDouble| -> (DoubleDouble, DoubleDouble) {
        let mut sums = (DoubleDouble::ZERO, DoubleDouble::ZERO);
        for row in rows {
            let p = (-(dd(row.y) * (row.u + b))).sigmoid();
            sums.0 -= dd(row.s * row.y) * p;
            sums.1 += dd(row.s) * p * (DoubleDouble::ONE - p);
        }
        sums
    };
    let most = rows.iter().fold(0.0_f64, |most, row| most.max(row.u.abs().value())) + 800.0;
    let (mut low, mut high) = (-most, most);
    while high - low > 1e-6 * (1.0 + low.abs()) {
        let middle = f64::midpoint(low, high);
        if slope(dd(middle)).0.value() < 0.0 { low = middle } else { high = middle }
    }
    let mut b = dd(f64::midpoint(low, high));
    for _ in 0..4 {
        let (value, rise) = slope(b);
        let step = value / rise;
        if !step.is_finite() || step.abs().value() > 1.0 {
            break;
        }
        b -= step;
    }
    b
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(loss: Loss, rows: &[(f64, f64, f64)]) -> (f64, f64) {
        let rows: Vec<Row> = rows.iter().map(|&(u, y, s)| Row { u: dd(u), y, s }).collect();
        let (low, high) = intercepts(loss, &rows).unwrap();
        (low.value(), high.value())
    }

    #[test]
    fn hinge_has_an_interval_of_intercepts() {
        // One row of each class, u = ±0.5: D = −1 below −0.5, 0 on [−0.5, 0.5], 1 above.
        assert_eq!(of(Loss::Hinge, &[(0.5, 1.0, 1.0), (-0.5, -1.0, 1.0)]), (-0.5, 0.5));
        // Unequal weights: a corner.
        assert_eq!(of(Loss::Hinge, &[(0.5, 1.0, 2.0), (-0.5, -1.0, 1.0)]), (0.5, 0.5));
        // Rows ±0.05 (w = 0.1): both slopes are −1 for |b| ≤ 0.05; then a ramp.
        let (low, high) = of(Loss::SmoothHinge, &[(-0.05, 1.0, 1.0), (0.05, -1.0, 1.0)]);
        assert_eq!((low, high), (-0.05, 0.05));
    }

    #[test]
    fn squared_loss_has_one_intercept() {
        let rows = [(0.25, 1.0, 1.0), (-0.5, -1.0, 3.0)];
        // Σ s (u + b − y) = 0: (0.25 − 1) + 3(−0.5 + 1) + 4b = 0.
        assert_eq!(of(Loss::Squared, &rows), (-0.1875, -0.1875));
        assert_eq!(of(Loss::SquaredHinge, &rows), (-0.1875, -0.1875));
        let (low, high) = of(Loss::Logistic, &[(0.0, 1.0, 3.0), (0.0, -1.0, 1.0)]);
        assert!(low == high && (low - 3.0_f64.ln()).abs() < 1e-15);
    }

    #[test]
    fn squared_hinge_may_have_an_interval() {
        assert_eq!(of(Loss::SquaredHinge, &[(2.0, 1.0, 1.0), (-3.0, -1.0, 1.0)]), (-1.0, 2.0));
    }
}
