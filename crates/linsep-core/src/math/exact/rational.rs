//! Rational numbers of unlimited size.
//!
//! The text of a fraction is `n` or `n/d`: decimal digits, in lowest terms, d ≥ 2, no sign but a
//! leading minus. Every fraction has exactly one text, and no other text is accepted.

use super::Dyadic;
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Pow, Signed, ToPrimitive, Zero};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// n/d in lowest terms, d > 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rational {
    num: BigInt,
    den: BigInt,
}

impl Rational {
    /// Digits accepted per number, a limit on the parsing time of a certificate.
    pub const MOST_DIGITS: usize = 100_000;

    /// n/d.
    ///
    /// # Panics
    ///
    /// If d is 0.
    pub fn new(num: BigInt, den: BigInt) -> Self {
        assert!(!den.is_zero(), "a fraction has a denominator");
        let common = num.gcd(&den);
        let (num, den) = if common.is_one() { (num, den) } else { (num / &common, den / common) };
        if den.is_negative() { Self { num: -num, den: -den } } else { Self { num, den } }
    }

    /// An integer.
    pub fn whole(num: impl Into<BigInt>) -> Self {
        Self { num: num.into(), den: BigInt::one() }
    }

    /// A finite double, exactly.
    pub fn of(v: f64) -> Self {
        let Dyadic { m, e } = Dyadic::of(v);
        let power = BigInt::one() << e.unsigned_abs();
        // m is odd if e < 0, so the fraction is in lowest terms.
        if e < 0 { Self { num: m.into(), den: power } } else { Self::whole(power * m) }
    }

    /// Numerator and denominator.
    pub fn parts(&self) -> (&BigInt, &BigInt) {
        (&self.num, &self.den)
    }

    /// −1, 0 or 1.
    pub fn sign(&self) -> i8 {
        match self.num.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        }
    }

    /// The sum.
    pub fn plus(&self, other: &Self) -> Self {
        Self::new(&self.num * &other.den + &other.num * &self.den, &self.den * &other.den)
    }

    /// The product.
    pub fn times(&self, other: &Self) -> Self {
        Self::new(&self.num * &other.num, &self.den * &other.den)
    }

    /// An approximation as a mantissa and a power of two, accurate to 64 bits before the mantissa
    /// is rounded to a double.
    pub(super) fn scientific(&self) -> (f64, i64) {
        if self.num.is_zero() {
            return (0.0, 0);
        }
        let shift = 66 + self.den.bits().cast_signed() - self.num.bits().cast_signed();
        let size = self.num.magnitude();
        let quotient = if shift >= 0 {
            (size << shift.cast_unsigned()) / self.den.magnitude()
        } else {
            size / (self.den.magnitude() << shift.unsigned_abs())
        };
        let mantissa = quotient.to_f64().unwrap_or(f64::MAX);
        (if self.num.is_negative() { -mantissa } else { mantissa }, -shift)
    }

    /// The nearest double up to one further rounding; 0 or an infinity outside the range of
    /// doubles.
    pub fn to_f64(&self) -> f64 {
        let (mantissa, power) = self.scientific();
        let half = (power / 2).clamp(-2000, 2000) as i32;
        let rest = (power - i64::from(half)).clamp(-2000, 2000) as i32;
        mantissa * 2_f64.powi(half) * 2_f64.powi(rest)
    }

    /// Parses the unique text of a fraction.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = |text: &str| -> Option<BigInt> {
            let plain = !text.is_empty()
                && text.len() <= Self::MOST_DIGITS
                && text.bytes().all(|b| b.is_ascii_digit());
            let canonical = plain && (text.len() == 1 || !text.starts_with('0'));
            if canonical { text.parse().ok() } else { None }
        };
        let (num, den) = match text.split_once('/') {
            None => (text, None),
            Some((num, den)) => (num, Some(digits(den)?)),
        };
        let (negative, size) = match num.strip_prefix('-') {
            None => (false, digits(num)?),
            Some(size) => (true, digits(size)?),
        };
        if negative && size.is_zero() {
            return None;
        }
        let lowest = match &den {
            None => true,
            Some(den) => *den > BigInt::one() && size.gcd(den).is_one(),
        };
        let num = if negative { -size } else { size };
        lowest.then(|| Self { num, den: den.unwrap_or_else(BigInt::one) })
    }

    /// All numbers times the least common multiple of their denominators.
    pub fn common(numbers: &[Self]) -> Vec<BigInt> {
        let all = numbers.iter().fold(BigInt::one(), |all, r| all.lcm(&r.den));
        numbers.iter().map(|r| &r.num * (&all / &r.den)).collect()
    }

    /// The numbers times one positive factor that makes them integers without a common divisor.
    pub fn primitive(numbers: &[Self]) -> Vec<Self> {
        let whole = Self::common(numbers);
        let divisor = whole.iter().fold(BigInt::zero(), |all, v| all.gcd(v));
        let divisor = if divisor.is_zero() { BigInt::one() } else { divisor };
        whole.into_iter().map(|v| Self::whole(v / &divisor)).collect()
    }

    /// 2ᵉ.
    pub(crate) fn power_of_two(e: i64) -> Self {
        let power: BigInt = BigInt::from(2).pow(e.unsigned_abs());
        if e < 0 { Self { num: BigInt::one(), den: power } } else { Self::whole(power) }
    }
}

/// A fraction in lowest terms, as a string.
impl Serialize for Rational {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Rational {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        Self::parse(&text).ok_or_else(|| D::Error::custom("expected a fraction in lowest terms"))
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.den.is_one() { self.num.fmt(f) } else { write!(f, "{}/{}", self.num, self.den) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fraction_has_a_unique_text() {
        for text in ["0", "7", "-7", "1/3", "-22/7", "123456789012345678901234567891/1000"] {
            assert_eq!(Rational::parse(text).unwrap().to_string(), text);
        }
        for text in [
            "", "-", "+1", "01", "-0", "1/1", "2/4", "1/0", "1/-3", "1/", "/2", "1/2/3", "0/5",
            " 1", "1e3", "½",
        ] {
            assert_eq!(Rational::parse(text), None, "{text:?}");
        }
        assert_eq!(Rational::parse(&"9".repeat(Rational::MOST_DIGITS + 1)), None);
    }

    #[test]
    fn doubles_convert_exactly_and_round_trip() {
        assert_eq!(Rational::of(0.375).to_string(), "3/8");
        assert_eq!(Rational::of(-6.0).to_string(), "-6");
        for v in [0.0, 0.1, -1e300, 1e-300, f64::MAX, f64::MIN_POSITIVE, -2.5] {
            assert_eq!(Rational::of(v).to_f64(), v);
        }
        let huge = Rational::whole(1).times(&Rational::power_of_two(5000));
        assert_eq!(huge.to_f64(), f64::INFINITY);
        assert_eq!(Rational::power_of_two(-5000).to_f64(), 0.0);
    }

    #[test]
    fn sums_products_and_primitive_multiples_match_hand_computation() {
        let r = |text| Rational::parse(text).unwrap();
        assert_eq!(r("1/6").plus(&r("1/3")), r("1/2"));
        assert_eq!(r("-2/3").times(&r("3/4")), r("-1/2"));
        assert_eq!([r("-1/2").sign(), r("0").sign(), r("1").sign()], [-1, 0, 1]);
        assert_eq!(Rational::primitive(&[r("2/3"), r("-4/9"), r("0")]), [r("3"), r("-2"), r("0")]);
    }
}
