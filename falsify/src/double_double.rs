//! Double-double arithmetic: the unevaluated sum of two doubles, about 32 decimal digits.
//!
//! ```text
//!   x = hi + lo,   |lo| ≤ ulp(hi)/2,   relative error of one operation ≤ 2⁻¹⁰² or so
//! ```
//!
//! exp: x = n ln 2 + r, then `expm1(r/512)` by its Taylor series and nine doublings e ← e(2 + e).
//! ln: Newton's step y ← y + x e⁻ʸ − 1 from the double.
//! ln(1 + t) for small t: 2 artanh(t/(2 + t)) by its series.
//!
//! Sources: Dekker, *A floating-point technique for extending the available precision*, Numer.
//! Math. 18 (1971); Hida, Li & Bailey, *Library for double-double and quad-double arithmetic*
//! (2007).

use std::cmp::Ordering;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// hi + lo.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DoubleDouble {
    hi: f64,
    lo: f64,
}

/// Converts a double to a double-double.
pub fn dd(value: f64) -> DoubleDouble {
    DoubleDouble { hi: value, lo: 0.0 }
}

fn two_sum(a: f64, b: f64) -> DoubleDouble {
    let hi = a + b;
    let part = hi - a;
    DoubleDouble { hi, lo: (a - (hi - part)) + (b - part) }
}

fn two_product(a: f64, b: f64) -> DoubleDouble {
    let hi = a * b;
    DoubleDouble { hi, lo: a.mul_add(b, -hi) }
}

impl DoubleDouble {
    /// Zero.
    pub const ZERO: Self = Self { hi: 0.0, lo: 0.0 };
    /// One.
    pub const ONE: Self = Self { hi: 1.0, lo: 0.0 };
    /// ln 2.
    const LN_2: Self = Self { hi: std::f64::consts::LN_2, lo: 2.319_046_813_846_299_6e-17 };

    /// Returns the nearest double.
    pub fn value(self) -> f64 {
        self.hi
    }

    /// Returns the exact product of two doubles.
    pub fn product(a: f64, b: f64) -> Self {
        two_product(a, b)
    }

    /// Returns the exact difference of two doubles.
    pub fn difference(a: f64, b: f64) -> Self {
        two_sum(a, -b)
    }

    /// Returns hi and lo.
    pub fn parts(self) -> (f64, f64) {
        (self.hi, self.lo)
    }

    /// Whether the number is finite.
    pub fn is_finite(self) -> bool {
        self.hi.is_finite() && self.lo.is_finite()
    }

    /// Returns |x|.
    pub fn abs(self) -> Self {
        if self < Self::ZERO { -self } else { self }
    }

    /// Returns max(x, y).
    pub fn max(self, other: Self) -> Self {
        if self < other { other } else { self }
    }

    /// Returns min(x, y).
    pub fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }

    /// Returns x².
    pub fn square(self) -> Self {
        self * self
    }

    /// Returns x times a power of two.
    fn scaled(self, factor: f64) -> Self {
        Self { hi: self.hi * factor, lo: self.lo * factor }
    }

    /// Returns √x, and 0 for x ≤ 0.
    pub fn sqrt(self) -> Self {
        if self.hi <= 0.0 {
            return Self::ZERO;
        }
        let near = self.hi.sqrt();
        let rest = self - two_product(near, near);
        two_sum(near, rest.hi / (2.0 * near))
    }

    /// Returns eˣ.
    pub fn exp(self) -> Self {
        if self.hi < -700.0 {
            return Self::ZERO;
        }
        let n = (self.hi / Self::LN_2.hi).round();
        let r = (self - Self::LN_2 * dd(n)).scaled(1.0 / 512.0);
        // |r| < 7e-4: twelve terms reach 1e-45.
        let mut e = Self::ZERO;
        for k in (1..=12).rev() {
            e = (e + Self::ONE) * r / dd(f64::from(k));
        }
        for _ in 0..9 {
            e = e * (e + dd(2.0));
        }
        let half = (n / 2.0).trunc();
        (e + Self::ONE).scaled(half.exp2()).scaled((n - half).exp2())
    }

    /// Returns ln x, for x > 0.
    pub fn ln(self) -> Self {
        let mut y = dd(self.hi.ln());
        for _ in 0..2 {
            y = y + self * (-y).exp() - Self::ONE;
        }
        y
    }

    /// Returns ln(1 + x), for x ≥ 0.
    pub fn ln_1p(self) -> Self {
        if self.hi > 0.05 {
            return (self + Self::ONE).ln();
        }
        let s = self / (self + dd(2.0));
        let square = s.square();
        let mut sum = Self::ZERO;
        for k in (0..=12).rev() {
            sum = sum * square + Self::ONE / dd(f64::from(2 * k + 1));
        }
        (sum * s).scaled(2.0)
    }

    /// Returns ln(1 + eˣ).
    pub fn softplus(self) -> Self {
        let small = (-self.abs()).exp().ln_1p();
        if self.hi > 0.0 { self + small } else { small }
    }

    /// Returns 1/(1 + e⁻ˣ).
    pub fn sigmoid(self) -> Self {
        let e = (-self.abs()).exp();
        let numerator = if self.hi >= 0.0 { Self::ONE } else { e };
        numerator / (Self::ONE + e)
    }
}

impl PartialOrd for DoubleDouble {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match self.hi.partial_cmp(&other.hi) {
            Some(Ordering::Equal) => self.lo.partial_cmp(&other.lo),
            order => order,
        }
    }
}

impl Neg for DoubleDouble {
    type Output = Self;

    fn neg(self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }
}

impl Add for DoubleDouble {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let high = two_sum(self.hi, other.hi);
        let low = two_sum(self.lo, other.lo);
        let once = two_sum(high.hi, high.lo + low.hi);
        two_sum(once.hi, once.lo + low.lo)
    }
}

impl Sub for DoubleDouble {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for DoubleDouble {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let high = two_product(self.hi, other.hi);
        two_sum(high.hi, high.lo + (self.hi * other.lo + self.lo * other.hi))
    }
}

impl Div for DoubleDouble {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let first = self.hi / other.hi;
        let rest = self - other * dd(first);
        let second = rest.hi / other.hi;
        let rest = rest - other * dd(second);
        two_sum(first, second) + dd(rest.hi / other.hi)
    }
}

impl AddAssign for DoubleDouble {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for DoubleDouble {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sum for DoubleDouble {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::ZERO, |sum, x| sum + x)
    }
}

/// Returns Σ aⱼ bⱼ.
pub fn dot(a: &[DoubleDouble], b: &[DoubleDouble]) -> DoubleDouble {
    a.iter().zip(b).map(|(a, b)| *a * *b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: DoubleDouble, b: DoubleDouble) -> bool {
        (a - b).abs().value() <= 4e-31 * b.abs().value().max(1e-300)
    }

    #[test]
    fn exp_and_ln_are_inverse() {
        for x in [-600.0, -40.3, -1.0, -1e-3, 1e-9, 0.3, 1.0, 2.5, 77.7, 650.0] {
            let y = dd(x).exp();
            assert!((y.ln() - dd(x)).abs().value() <= 1e-30 * x.abs().max(1.0), "{x}");
            assert!(near(dd(x).exp() * dd(-x).exp(), DoubleDouble::ONE), "{x}");
        }
    }

    #[test]
    fn exp_and_ln_1p_match_known_digits() {
        // e = 2.71828182845904523536028747135266249775724709
        let e = DoubleDouble { hi: std::f64::consts::E, lo: 1.445_646_891_729_250_2e-16 };
        assert!(near(DoubleDouble::ONE.exp(), e));
        assert!(near(dd(2.0).ln(), DoubleDouble::LN_2));
        assert!(near(dd(2.0).sqrt().square(), dd(2.0)));
        assert!(near(DoubleDouble::ZERO.softplus(), DoubleDouble::LN_2));
        assert!(near(dd(3.0).sigmoid() + dd(-3.0).sigmoid(), DoubleDouble::ONE));
        // ln(1 + t) = t − t²/2 + t³/3 − …
        let t = dd(1e-12);
        let series = t - t.square() / dd(2.0) + t.square() * t / dd(3.0);
        assert!(near(t.ln_1p(), series));
    }

    #[test]
    fn both_branches_of_ln_1p_agree() {
        for x in [1e-3, 0.01, 0.05] {
            assert!((dd(x).ln_1p() - (dd(x) + DoubleDouble::ONE).ln()).abs().value() < 1e-31);
        }
    }
}
