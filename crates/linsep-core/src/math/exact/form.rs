//! Exact sign of a linear form h·x at a row x of doubles.
//!
//! h is rational, and only its direction matters (any positive factor). Each hⱼ and each xⱼ is an
//! integer times a power of two. The sum of their products is therefore an integer times a power of
//! two, whose sign is exact. That needs big integers. Nearly always doubles suffice: with ĥ the
//! doubles nearest to h,
//!
//! ```text
//!   | Σ x̂ⱼĥⱼ − Σ xⱼhⱼ |  ≤  (q + 4) 2⁻⁵² Σ|xⱼĥⱼ| + q 2⁻¹⁰⁰⁰,      q terms, added in any order,
//! ```
//!
//! (Half of that bound holds: one rounding in ĥ, one in the product, at most q in the sum; the last
//! term covers products below the normal doubles.) A sum of doubles with a larger absolute value
//! has the right sign. Sums that overflow are never accepted. If mantissas are short and exponents
//! close together, the exact sum fits 128 bits, and no big integers are needed.

use super::{Dyadic, Rational};
use num_bigint::{BigInt, Sign};
use num_traits::{ToPrimitive, Zero};
use std::cmp::Ordering;

/// A linear form h, prepared for evaluation.
#[derive(Clone, Debug)]
pub struct LinearForm {
    /// ĥ, scaled so that its largest absolute value is about 1.
    near: Vec<f64>,
    /// Whether ĥ is within one rounding of h in every coefficient.
    normal: bool,
    /// hⱼ = m 2ᵉ up to one common positive factor.
    parts: Vec<Part>,
    /// The exponent k with h ≈ `near` · 2ᵏ.
    scale: i64,
}

#[derive(Clone, Debug)]
struct Part {
    /// The integer m, if it fits below 2⁶²; `big` always holds it.
    m: Option<i64>,
    big: BigInt,
    e: i64,
}

impl LinearForm {
    /// Creates the form from its coefficients.
    pub fn new(h: &[Rational]) -> Self {
        let parts = Rational::common(h).into_iter().map(|big| {
            let zeros = big.trailing_zeros().unwrap_or(0);
            let big = big >> zeros;
            Part {
                m: big.to_i64().filter(|m| m.unsigned_abs() < 1 << 62),
                big,
                e: zeros.cast_signed(),
            }
        });
        let scientific: Vec<(f64, i64)> = h.iter().map(Rational::scientific).collect();
        let exponent =
            |&(m, e): &(f64, i64)| if m == 0.0 { i64::MIN } else { e + m.abs().log2() as i64 };
        let scale = scientific.iter().map(exponent).max().filter(|&e| e > i64::MIN).unwrap_or(0);
        let near: Vec<f64> = scientific
            .iter()
            .map(|&(m, e)| {
                let e = (e - scale).clamp(-2000, 100) as i32;
                m * 2_f64.powi(e / 2) * 2_f64.powi(e - e / 2)
            })
            .collect();
        let normal = near.iter().zip(h).all(|(v, h)| h.sign() == 0 || v.is_normal());
        Self { near, normal, parts: parts.collect(), scale }
    }

    /// Creates the form from doubles, taken as exact.
    pub fn of(h: &[f64]) -> Self {
        Self::new(&h.iter().map(|&v| Rational::of(v)).collect::<Vec<_>>())
    }

    /// Whether every coefficient is 0.
    pub fn is_zero(&self) -> bool {
        self.parts.iter().all(|part| part.big.is_zero())
    }

    /// ĥ and k with h ≈ ĥ 2ᵏ, for callers that need approximate values.
    pub fn near(&self) -> (&[f64], i64) {
        (&self.near, self.scale)
    }

    /// The sign of Σ vⱼ hⱼ over (j, v). Every call of `row` must yield the same terms.
    #[inline]
    pub fn sign<I: Iterator<Item = (usize, f64)>>(&self, row: impl Fn() -> I) -> Ordering {
        let (mut sum, mut size, mut terms) = (0.0, 0.0, 4.0);
        for (j, v) in row() {
            let product = v * self.near[j];
            sum += product;
            size += product.abs();
            terms += 1.0;
        }
        let bound = size * terms * f64::EPSILON + terms * 2_f64.powi(-1000);
        if self.normal && size.is_finite() && sum.abs() > bound {
            return sum.total_cmp(&0.0);
        }
        self.exact(row)
    }

    /// The sign in integer arithmetic.
    fn exact<I: Iterator<Item = (usize, f64)>>(&self, row: impl Fn() -> I) -> Ordering {
        // 1. Exponents and bit lengths decide whether the sum fits 128 bits.
        let (mut least, mut most, mut terms) = (i64::MAX, i64::MIN, 0_u64);
        let mut short = true;
        for (j, v) in row() {
            let part = &self.parts[j];
            if v == 0.0 || part.big.is_zero() {
                continue;
            }
            let x = Dyadic::of(v);
            let e = i64::from(x.e) + part.e;
            let bits = 64 - i64::from(x.m.unsigned_abs().leading_zeros());
            short &= part.m.is_some();
            let own = part.m.map_or(0, |m| 64 - i64::from(m.unsigned_abs().leading_zeros()));
            least = least.min(e);
            most = most.max(e + bits + own);
            terms += 1;
        }
        if terms == 0 {
            return Ordering::Equal;
        }
        let room = 126 - i64::from(64 - terms.leading_zeros());
        if short && most - least <= room {
            let mut sum = 0_i128;
            for (j, v) in row() {
                let part = &self.parts[j];
                if v == 0.0 || part.big.is_zero() {
                    continue;
                }
                let x = Dyadic::of(v);
                let m = i128::from(x.m) * i128::from(part.m.unwrap_or(0));
                sum += m << (i64::from(x.e) + part.e - least);
            }
            return sum.cmp(&0);
        }

        // 2. Big integers otherwise.
        let mut sum = BigInt::zero();
        for (j, v) in row() {
            let part = &self.parts[j];
            if v != 0.0 && !part.big.is_zero() {
                let x = Dyadic::of(v);
                sum += (&part.big * x.m) << (i64::from(x.e) + part.e - least) as u64;
            }
        }
        match sum.sign() {
            Sign::Minus => Ordering::Less,
            Sign::NoSign => Ordering::Equal,
            Sign::Plus => Ordering::Greater,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rng::Rng;

    fn sign(h: &[f64], x: &[f64]) -> Ordering {
        let form = LinearForm::of(h);
        let row = || x.iter().copied().enumerate();
        let sign = form.sign(row);
        assert_eq!(sign, form.exact(row), "the filter agrees with exact arithmetic");
        sign
    }

    #[test]
    fn signs_are_exact_at_zero_and_in_the_last_bit() {
        assert_eq!(
            sign(&[0.1, 0.2, -1.0], &[1.0, 1.0, 0.3]),
            Ordering::Greater,
            "0.1 + 0.2 is above 0.3"
        );
        assert_eq!(sign(&[3.0, -1.0], &[0.1, 0.1 * 3.0]), Ordering::Less);
        assert_eq!(sign(&[1.0, 1.0], &[1e300, -1e300]), Ordering::Equal);
        assert_eq!(sign(&[1.0, 1.0, 1.0], &[1e300, -1e300, 5e-324]), Ordering::Greater);
        assert_eq!(sign(&[1e300, -1e300], &[1e300, 1e300]), Ordering::Equal, "beyond doubles");
        assert_eq!(sign(&[1e-300, -1e-300], &[1e-300, 1.1e-300]), Ordering::Less, "below doubles");
        assert_eq!(sign(&[0.0, 0.0], &[1.0, 2.0]), Ordering::Equal);
    }

    #[test]
    fn signs_agree_with_rational_arithmetic() {
        let mut rng = Rng::new(3, 1);
        for round in 0..2_000 {
            let d = 1 + rng.below(6) as usize;
            let mut draw = |_| {
                let whole = rng.below(7) as f64 - 3.0;
                let power = if round % 3 == 0 { rng.below(600) as i32 - 300 } else { 0 };
                whole * 10_f64.powi(power)
            };
            let h: Vec<f64> = (0..d).map(&mut draw).collect();
            let x: Vec<f64> = (0..d).map(&mut draw).collect();
            let terms = h.iter().zip(&x).map(|(&h, &x)| Rational::of(h).times(&Rational::of(x)));
            let sum = terms.fold(Rational::whole(0), |a, b| a.plus(&b));
            assert_eq!(sign(&h, &x) as i8, sum.sign());
        }
    }
}
