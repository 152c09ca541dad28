//! Parser of a decimal literal with a known end, without branches that depend on its digits.
//!
//! The eight bytes before the end, first byte lowest, form one word x with the value of a digit in
//! each byte. Bytes before the literal are replaced by zeros: leading zeros do not change the
//! number. The decimal point is located, and the digits after it are shifted over it, which leaves
//! a zero at the end. The result is m, or ten times m if there was a point. If all bytes are now
//! digits, the word is folded into one number. The position of the point gives the power of ten to
//! divide by. Up to sixteen bytes form two words. Lengths enter as shifts and masks, so there are
//! no mispredicted branches.
//!
//! Both numbers are exact doubles, so the quotient is rounded once, correctly (Clinger).

use super::swar::{ZEROS, fold, non_digits};

/// Divisors by position of the point among the bytes; the last one is for no point. Longer than
/// necessary, so that a mask bounds the index.
const TENS_8: [f64; 16] = tens();
const TENS_16: [f64; 32] = tens();

const fn tens<const N: usize>() -> [f64; N] {
    let mut table = [1.0; N];
    let mut i = N / 2;
    while i > 0 {
        table[i - 1] = table[i] * 10.0; // exact up to 10²²
        i -= 1;
    }
    table
}

/// Parses the literal `text[start..end]`, if it is `[-] digits [. digits]` of at most sixteen bytes
/// after the sign. Returns `None` for all other text, and for some of these literals: near the
/// start of the text, or with m > 2⁵³.
#[expect(clippy::inline_always, reason = "a call per number costs a tenth of the readers' speed")]
#[inline(always)]
pub(super) fn between(text: &[u8], start: usize, end: usize) -> Option<f64> {
    let minus = *text.get(start)? == b'-';
    let n = end.wrapping_sub(start + usize::from(minus));
    let (m, ten) = if (1..=8).contains(&n) {
        eight(text.get(end.wrapping_sub(8)..end)?.first_chunk()?, n)?
    } else if (9..=16).contains(&n) {
        sixteen(text.get(end.wrapping_sub(16)..end)?.first_chunk()?, n)?
    } else {
        return None;
    };
    Some(f64::from_bits((m / ten).to_bits() | u64::from(minus) << 63))
}

/// Returns dividend and divisor for the last n bytes, 1 ≤ n ≤ 8.
#[inline(always)]
fn eight(bytes: &[u8; 8], n: usize) -> Option<(f64, f64)> {
    const ONES: u64 = u64::MAX / 0xFF;
    const POINT: u64 = 0x1E; // the point in units of digit values: b'.' ^ b'0'
    let x = (u64::from_le_bytes(*bytes) ^ ZEROS) & (u64::MAX << ((64 - 8 * n) & 63));

    // 1. The point: bit 0 of its byte, or zero. The lowest zero byte of y is always found.
    let y = x ^ (ONES * POINT);
    let zero = y.wrapping_sub(ONES) & !y & (ONES << 7);
    let point = (zero & zero.wrapping_neg()) >> 7;
    let before = point.wrapping_sub(1);

    // 2. The digits without the point. Bytes after the point have their bits above its byte.
    let digits = (x & before) | (x & !before) >> 8 & !before;
    if non_digits(digits) != 0 || n == usize::from(point != 0) {
        return None;
    }
    let ten = TENS_8[(point.trailing_zeros() / 8) as usize & 15];
    Some((fold(digits).cast_signed() as f64, ten))
}

/// Returns dividend and divisor for 9 ≤ n ≤ 16, if the dividend is at most 2⁵³.
#[inline(always)]
fn sixteen(bytes: &[u8; 16], n: usize) -> Option<(f64, f64)> {
    const ONES: u128 = u128::MAX / 0xFF;
    const ZERO: u128 = 0x30;
    const POINT: u128 = 0x1E;
    let x = (u128::from_le_bytes(*bytes) ^ (ONES * ZERO)) & (u128::MAX << ((128 - 8 * n) & 127));
    let y = x ^ (ONES * POINT);
    let zero = y.wrapping_sub(ONES) & !y & (ONES << 7);
    let point = (zero & zero.wrapping_neg()) >> 7;
    let before = point.wrapping_sub(1);
    let digits = (x & before) | (x & !before) >> 8 & !before;
    let (low, high) = (digits as u64, (digits >> 64) as u64);
    if non_digits(low) | non_digits(high) != 0 {
        return None;
    }
    let m = fold(low) * 100_000_000 + fold(high);
    let ten = TENS_16[(point.trailing_zeros() / 8) as usize & 31];
    (m <= 1 << 53).then_some((m.cast_signed() as f64, ten))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Parses `text` between other bytes, which must not matter.
    fn found(text: &str, around: &str) -> Option<f64> {
        let all = format!("{around}{around}{text}{around}");
        between(all.as_bytes(), 2 * around.len(), 2 * around.len() + text.len())
    }

    #[test]
    fn exactly_the_plain_literals_are_parsed() {
        for text in [
            "0",
            "-0",
            "7",
            "-7",
            "5.",
            ".5",
            "-.5",
            "12345678",
            "0.123456",
            "-1234567.8",
            "123456789",
            "0.12345678901234",
            "-123456789012.345",
            "00000000000000.1",
        ] {
            assert_eq!(
                found(text, "19.e-+,9.1").map(f64::to_bits),
                text.parse().map(f64::to_bits).ok(),
                "{text}"
            );
        }
        for text in [
            "",
            "-",
            ".",
            "-.",
            "+1",
            "1e5",
            "1.2.3",
            "--1",
            "1-",
            "1 ",
            "0x1",
            "١",
            ",",
            "12345678e",
            "1234567.890.1",
            "9999999999999999",
            "12345678901234567",
        ] {
            assert_eq!(found(text, "19.e-+,9.1"), None, "{text:?}");
        }
        assert_eq!(between(b"1,2", 2, 3), None, "too near the start");
        assert_eq!(between(b"1,2", 3, 2), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn values_agree_bit_for_bit_with_the_standard_library(text in "-?[0-9.]{1,9}|-?[0-9]{0,16}\\.?[0-9]{0,16}|[-+.e0-9]{1,17}", around in "[0-9.,-]{8}") {
            let want = text.parse::<f64>().ok();
            if let Some(value) = found(&text, &around) {
                prop_assert_eq!(Some(value.to_bits()), want.map(f64::to_bits), "{}", text);
            }
        }
    }
}
