//! Cubic B-splines: φ(x) are the basis functions of a twice differentiable piecewise cubic.
//!
//! Base knots b₁ < … < bₘ, the distinct quantiles of training, are continued on each side by three
//! knots at the distance of the outer two. The basis then has m + 2 functions, of which at most 4
//! are nonzero at any x and which add up to 1. The last is omitted, as the intercept replaces it.
//! Outside the base knots every function is constant. Values follow from the recurrence of Cox and
//! de Boor (*The NURBS Book*, algorithm A2.2).
//!
//! Like scikit-learn's `SplineTransformer(knots="quantile", extrapolation="constant",
//! include_bias=False)` with sample weights, which also extends the knots in this way (Eilers and
//! Marx 1996).

use super::quantiles::quantiles;
use serde::{Deserialize, Serialize};

/// Degree of the polynomials.
const DEGREE: usize = 3;

/// A larger range of values would overflow.
const MAX_RANGE: f64 = 1e300;

/// The knots, continued on both sides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Splines(Vec<f64>);

impl Splines {
    /// Returns the splines with at most `knots` ≥ 2 quantiles as base knots; `None` if the values
    /// are constant or of too large a range.
    pub fn new(values: &[f64], weights: &[f64], knots: usize) -> Option<Self> {
        let base = quantiles(values, weights, knots - 1, false);
        let [first, second, ..] = base[..] else { return None };
        let [.., before, last] = base[..] else { return None };
        if last / 2.0 - first / 2.0 > MAX_RANGE || last.abs().max(first.abs()) > MAX_RANGE {
            return None;
        }
        let steps = || (1..=DEGREE).map(|i| i as f64);
        let below: Vec<f64> = steps().rev().map(|i| first - i * (second - first)).collect();
        let above: Vec<f64> = steps().map(|i| last + i * (last - before)).collect();
        Some(Self([below, base, above].concat()))
    }

    /// Whether there are at least two base knots, and the knots are finite and ascending.
    pub fn is_sound(&self) -> bool {
        let knots = &self.0;
        knots.len() >= 2 * DEGREE + 2
            && knots.iter().all(|knot| knot.is_finite())
            && knots.is_sorted()
            && knots[DEGREE..knots.len() - DEGREE].is_sorted_by(|a, b| a < b)
    }

    /// Returns the number of functions, without the last of the basis.
    pub fn count(&self) -> usize {
        self.0.len() - DEGREE - 2
    }

    /// Returns the index of the first function that is not 0 at x, and the values of it and the
    /// next three; index [`Splines::count`] is the omitted function.
    pub fn at(&self, x: f64) -> (usize, [f64; DEGREE + 1]) {
        let (t, end) = (&self.0, self.0.len() - DEGREE - 1);
        let x = x.clamp(t[DEGREE], t[end]);
        // t[s] ≤ x < t[s + 1], where the last interval contains its end.
        let s = (t[..end].partition_point(|knot| *knot <= x) - 1).max(DEGREE);
        let mut values = [1.0, 0.0, 0.0, 0.0];
        for k in 1..=DEGREE {
            let mut carry = 0.0;
            for r in 0..k {
                let (above, below) = (t[s + r + 1], t[s + 1 + r - k]);
                let share = values[r] / ((above - x) + (x - below));
                values[r] = (above - x).mul_add(share, carry);
                carry = (x - below) * share;
            }
            values[k] = carry;
        }
        (s - DEGREE, values)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn splines() -> (Vec<f64>, Splines) {
        let values: Vec<f64> = (0..50).map(|i| f64::from(i * i % 53) / 4.0).collect();
        let splines = Splines::new(&values, &[1.0; 50], 5).unwrap();
        (values, splines)
    }

    #[test]
    fn functions_are_nonnegative_and_add_up_to_one() {
        let (_, splines) = splines();
        assert_eq!(splines.count(), 6);
        for i in -50..200 {
            let (first, values) = splines.at(f64::from(i) / 10.0);
            assert!((values.iter().sum::<f64>() - 1.0).abs() < 1e-14);
            assert!(values.iter().all(|v| *v >= 0.0) && first + DEGREE <= splines.count());
        }
    }

    /// Cardinal cubic B-splines have the values 1/6, 4/6, 1/6 at the knots.
    #[test]
    fn uniform_knots_give_cardinal_splines() {
        let values: Vec<f64> = (0..=4).map(f64::from).collect();
        let splines = Splines((-3..=7).map(f64::from).collect());
        assert!(splines.is_sound());
        for x in values {
            let (first, at) = splines.at(x);
            let mut all = [0.0; 8];
            all[first..first + 4].copy_from_slice(&at);
            for (j, v) in all.into_iter().enumerate() {
                let want = match (j as f64 - x) as i32 {
                    0 | 2 => 1.0 / 6.0,
                    1 => 4.0 / 6.0,
                    _ => 0.0,
                };
                let want = if (j as f64) < x { 0.0 } else { want };
                assert!((v - want).abs() < 1e-15, "function {j} at {x}: {v}, not {want}");
            }
        }
    }

    #[test]
    fn functions_are_constant_outside_the_base_knots() {
        let (values, splines) = splines();
        let (least, most) =
            values.iter().fold((f64::MAX, f64::MIN), |(a, b), &v| (a.min(v), b.max(v)));
        assert_eq!(splines.at(least - 7.0), splines.at(least));
        assert_eq!(splines.at(f64::MAX), splines.at(most));
    }

    #[test]
    fn constant_and_huge_values_have_no_splines() {
        assert_eq!(Splines::new(&[2.0; 9], &[1.0; 9], 5), None);
        assert_eq!(Splines::new(&[-1.7e308, 0.0, 1.7e308], &[1.0; 3], 3), None);
        let many_zeros = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 9.0];
        assert_eq!(Splines::new(&many_zeros, &[1.0; 8], 5).unwrap().count(), 3, "knots 0 and 9");
    }
}
