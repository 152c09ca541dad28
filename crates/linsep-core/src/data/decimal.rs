//! Decimal numbers of any length, compared exactly, to sort and merge class labels.
//!
//! A number is ±0.d₁d₂d₃… · 10^point with d₁ ≠ 0 and no trailing zeros, or 0 without digits. Two
//! spellings of one number therefore have the same digits and the same point. Cost: O(length of the
//! text).

use std::cmp::Ordering;
use std::fmt;

/// A decimal number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    negative: bool,
    /// ASCII digits; empty for 0.
    digits: String,
    point: i64,
}

impl Decimal {
    /// Parses digits with at most one sign, one point and one exponent; `None` for any other text.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => {
                let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
                let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
                (mantissa, plain.then(|| exponent.parse::<i32>().ok())??)
            }
            None => (unsigned, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = || whole.bytes().chain(fraction.bytes());
        if all().next().is_none() || !all().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let zeros = all().take_while(|b| *b == b'0').count();
        let digits: String = all().skip(zeros).map(char::from).collect();
        let digits = digits.trim_end_matches('0').to_owned();
        if digits.is_empty() {
            return Some(Self { negative: false, digits, point: 0 });
        }
        let size = |n: usize| i64::try_from(n).ok();
        let point = size(whole.len())? - size(zeros)? + i64::from(exponent);
        Some(Self { negative: text.starts_with('-'), digits, point })
    }

    /// The shortest decimal that parses as v; `None` if v is not finite.
    pub(super) fn of(v: f64) -> Option<Self> {
        Self::parse(&format!("{v:e}"))
    }

    fn sign(&self) -> i8 {
        match (self.digits.is_empty(), self.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        }
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        // Without trailing zeros, a proper prefix is the smaller number.
        let size = || self.point.cmp(&other.point).then_with(|| self.digits.cmp(&other.digits));
        let signs = self.sign().cmp(&other.sign());
        signs.then_with(|| if self.negative { size().reverse() } else { size() })
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Writes numbers of up to 40 digits in full, others with an exponent.
impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONG: i64 = 40;
        let (digits, point) = (self.digits.as_str(), self.point);
        let n = i64::try_from(digits.len()).unwrap_or(i64::MAX);
        let zeros = |count: i64| "0".repeat(count.unsigned_abs() as usize);
        if self.negative {
            f.write_str("-")?;
        }
        match () {
            () if n == 0 => f.write_str("0"),
            () if (n..=LONG).contains(&point) => write!(f, "{digits}{}", zeros(point - n)),
            () if (1..n).contains(&point) => {
                let (whole, fraction) = digits.split_at(point.unsigned_abs() as usize);
                write!(f, "{whole}.{fraction}")
            }
            () if (-5..=0).contains(&point) => write!(f, "0.{}{digits}", zeros(point)),
            () if n == 1 => write!(f, "{digits}e{}", point - 1),
            () => write!(f, "{}.{}e{}", &digits[..1], &digits[1..], point - 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn spellings_of_one_number_are_equal() {
        for (a, b) in [
            ("1", "+1.0"),
            ("1e0", "1."),
            (".5", "0.50"),
            ("-0", "0e9"),
            ("01", "1"),
            ("1200", "1.2e3"),
            ("0.0012", "12E-4"),
        ] {
            assert_eq!(read(a), read(b), "{a} {b}");
        }
        for text in ["", "+", ".", "e5", "1e", "1e+", "1.2.3", "--1", "1_0", "0x1", "nan", "inf"] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
        assert_eq!(Decimal::parse("1e99999999999"), None);
    }

    #[test]
    fn the_order_is_numeric() {
        let rising = [
            "-1e400",
            "-9007199254740993",
            "-9007199254740992",
            "-1.5",
            "-1",
            "-1e-400",
            "0",
            "1e-400",
            "0.1",
            "0.1000000000000000001",
            "9",
            "10",
            "9007199254740992",
            "9007199254740993",
            "1e400",
        ];
        for (i, a) in rising.iter().enumerate() {
            for (j, b) in rising.iter().enumerate() {
                assert_eq!(read(a).cmp(&read(b)), i.cmp(&j), "{a} {b}");
            }
        }
    }

    #[test]
    fn printed_text_parses_as_the_same_number() {
        for text in ["0", "-12", "1200", "0.00001", "1.25", "9007199254740993", "-1.5e-300", "7e99"]
        {
            assert_eq!(read(text).to_string(), text);
        }
        for v in [0.1, 1e22, 5e-324, f64::MAX, -2.5, 9_007_199_254_740_992.0] {
            let own = Decimal::of(v).unwrap();
            assert_eq!((read(&own.to_string()), own.to_string().parse()), (own.clone(), Ok(v)));
        }
    }
}
