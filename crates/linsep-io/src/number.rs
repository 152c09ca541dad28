//! Decimal text to the nearest double, exactly.
//!
//! A literal is `[+-] digits [. digits] [e [+-] digits]` with at least one digit before or after
//! the point. Its digits, read as one integer, are the mantissa m; k is the power of ten that is left:
//!
//! ```text
//!   value = m · 10ᵏ
//! ```
//!
//! * m ≤ 2⁵³ and |k| ≤ 22: m and 10^|k| are both doubles without error, so **one** multiplication or
//!   division rounds once, correctly (Clinger 1990). Nearly every literal people write is of this kind.
//! * Otherwise `fast-float2` decides (Eisel and Lemire's method, with a big-integer fallback).
//!
//! Either way the result equals `str::parse::<f64>` bit for bit. Hexadecimal, `inf` and `nan` are no
//! literals. Digits are taken eight at a time: in the word w of eight bytes (first byte lowest),
//! w ⊕ "00000000" has a digit's value in each byte, the first byte above 9 ends the run, and three
//! multiplications by 10, 100 and 10⁴ fold eight digits into one number.

/// Bytes that a literal of the exact fast path cannot exceed.
const WINDOW: usize = 48;

const TENS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

const WHOLE_TENS: [u64; 9] =
    [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// The value of a whole literal. Too large a literal gives an infinity, as `str::parse` does.
pub fn parse_number(text: &[u8]) -> Option<f64> {
    let (value, n) = long(text);
    if n == text.len() && n > 0 { Some(value) } else { None }
}

/// The **finite** literal at the start of `text` and its length; a length of 0 where there is none.
#[expect(clippy::inline_always, reason = "a call per number costs a tenth of the readers' speed")]
#[inline(always)]
pub(crate) fn scan(text: &[u8]) -> (f64, usize) {
    if let Some(window) = text.first_chunk::<24>() {
        let (value, n) = short(window);
        if n > 0 {
            return (value, n);
        }
    }
    // Blanks, quotes and words are common here, and soon told.
    if !matches!(text, [b'0'..=b'9' | b'-' | b'+' | b'.', ..]) {
        return (0.0, 0);
    }
    match long(text) {
        (value, n) if value.is_finite() => (value, n),
        _ => (0.0, 0),
    }
}

/// What all digits have in common.
const ZEROS: u64 = 0x3030_3030_3030_3030;

/// Eight bytes of a window, each digit as its value, and a word whose lowest set bit is the highest
/// of the first byte that is no digit (0 if all are).
#[inline]
fn run<const N: usize>(window: &[u8; N], at: usize) -> (u64, u64) {
    let mut word = [0; 8];
    word.copy_from_slice(&window[at..at + 8]);
    let w = u64::from_le_bytes(word) ^ ZEROS;
    // A carry can only come out of a byte that is no digit, so the first one found is right.
    (w, (w.wrapping_add(0x7676_7676_7676_7676) | w) & 0x8080_8080_8080_8080)
}

/// The number whose eight digits are the bytes of w, the lowest first.
#[inline]
fn fold(w: u64) -> u64 {
    let pairs = w.wrapping_mul(10).wrapping_add(w >> 8);
    let high = (pairs & 0x0000_00FF_0000_00FF).wrapping_mul(100 + (1_000_000 << 32));
    let low = ((pairs >> 16) & 0x0000_00FF_0000_00FF).wrapping_mul(1 + (10_000 << 32));
    high.wrapping_add(low) >> 32
}

/// One to seven digits before the point, eight in all, no exponent: the kind most files are full of.
/// A length of 0 for everything else. m < 10⁸, so Clinger's conditions hold without looking.
#[inline(always)]
fn short(window: &[u8; 24]) -> (f64, usize) {
    const OTHER: (f64, usize) = (0.0, 0);
    let minus = window[0] == b'-';
    let at = usize::from(minus);
    // Counted in bits: the digits are moved to the last places, with zeros in front.
    let first = window[at].wrapping_sub(b'0');
    let (whole, before) = if first <= 9 && window[at + 1] == b'.' {
        (u64::from(first) << 56, 8) // the commonest, and cheap
    } else {
        let (w, other) = run(window, at);
        if other == 0 || other & 0x80 != 0 {
            return OTHER;
        }
        let before = other.trailing_zeros() & 0x38;
        (w << (64 - before), before)
    };
    let mut end = at + before as usize / 8;
    let (mut digits, mut ten) = (whole, 1.0);
    if window[end] == b'.' {
        let (w, other) = run(window, end + 1);
        if other == 0 || other & 0x80 != 0 {
            return OTHER;
        }
        let behind = other.trailing_zeros() & 0x38;
        if before + behind > 64 {
            return OTHER;
        }
        digits = (whole >> behind) | (w << (64 - behind));
        ten = TENS[behind as usize / 8];
        end += 1 + behind as usize / 8;
    }
    if window[end] | 0x20 == b'e' {
        return OTHER;
    }
    #[expect(clippy::cast_possible_truncation, reason = "below 10⁸")]
    let m = f64::from(fold(digits) as u32);
    let sign = u64::from(minus) << 63;
    (f64::from_bits((m / ten).to_bits() | sign), end)
}

/// Everything that is not short.
#[inline(never)]
fn long(text: &[u8]) -> (f64, usize) {
    let mut window = [0; WINDOW];
    let n = text.len().min(WINDOW);
    window[..n].copy_from_slice(&text[..n]);
    match clinger(&window) {
        (_, 0) => exact(text),
        found => found,
    }
}

/// The digits at the start of a window, as a number, and how many there are.
#[inline]
fn digits<const N: usize>(window: &[u8; N], at: usize) -> (u64, usize) {
    let (w, other) = run(window, at);
    let bits = other.trailing_zeros() & !7;
    (fold(w.checked_shl(64 - bits).unwrap_or(0)), bits as usize / 8)
}

/// At most 15 digits on either side of the point, 19 in all; a length of 0 for everything else.
fn clinger(window: &[u8; WINDOW]) -> (f64, usize) {
    const OTHER: (f64, usize) = (0.0, 0);
    let negative = window[0] == b'-';
    let mut at = usize::from(negative || window[0] == b'+');

    // 1. The mantissa, and how many of its digits stand behind the point.
    let (mut m, mut count) = digits(window, at);
    at += count;
    if count == 8 {
        let (more, n) = digits(window, at);
        if n == 8 {
            return OTHER;
        }
        m = m * WHOLE_TENS[n] + more;
        (at, count) = (at + n, count + n);
    }
    let mut behind = 0;
    if window[at] == b'.' {
        at += 1;
        let (more, n) = digits(window, at);
        m = m.wrapping_mul(WHOLE_TENS[n]).wrapping_add(more);
        (at, behind) = (at + n, n);
        if n == 8 {
            let (more, n) = digits(window, at);
            if n == 8 {
                return OTHER;
            }
            m = m.wrapping_mul(WHOLE_TENS[n]).wrapping_add(more);
            (at, behind) = (at + n, behind + n);
        }
        count += behind;
    }
    // Up to 19 digits m has not wrapped round.
    if count == 0 || count > 19 || m > 1 << 53 {
        return OTHER;
    }
    let signed = |value: f64| if negative { -value } else { value };
    if window[at] | 0x20 != b'e' {
        return (signed(m as f64 / TENS[behind]), at);
    }

    // 2. The exponent. An `e` without digits behind it is not part of the number.
    let sign = window[at + 1];
    let first = at + 1 + usize::from(sign == b'-' || sign == b'+');
    let (power, n) = digits(window, first);
    if n == 0 {
        return (signed(m as f64 / TENS[behind]), at);
    }
    if n > 3 {
        return OTHER;
    }
    let power = usize::try_from(power).expect("three digits");
    let power = if sign == b'-' { behind + power } else { power };
    // Behind ≤ 15 < 22, so the difference below cannot leave the table either.
    let value = match (sign == b'-', power) {
        (true, k) if k <= 22 => m as f64 / TENS[k],
        (false, k) if k < behind => m as f64 / TENS[behind - k],
        (false, k) if k - behind <= 22 => m as f64 * TENS[k - behind],
        _ => return OTHER,
    };
    (signed(value), first + n)
}

/// Everything else that starts like a number.
#[cold]
#[inline(never)]
fn exact(text: &[u8]) -> (f64, usize) {
    let (sign, rest) = match text {
        [b'-', rest @ ..] => (-1.0, rest),
        [b'+', rest @ ..] => (1.0, rest),
        _ => (1.0, text),
    };
    // The library also knows words and a sign of its own; neither may pass.
    if !matches!(rest, [b'0'..=b'9', ..] | [b'.', b'0'..=b'9', ..]) {
        return (0.0, 0);
    }
    match fast_float2::parse_partial::<f64, _>(rest) {
        Ok((value, n)) => (sign * value, n + text.len() - rest.len()),
        Err(_) => (0.0, 0),
    }
}

/// Is this a spelling of infinity?
pub(crate) fn is_infinity(text: &[u8]) -> bool {
    let text = match text {
        [b'-' | b'+', rest @ ..] => rest,
        _ => text,
    };
    text.eq_ignore_ascii_case(b"inf") || text.eq_ignore_ascii_case(b"infinity")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bits(text: &str) -> Option<u64> {
        parse_number(text.as_bytes()).map(f64::to_bits)
    }

    fn expect(text: &str) {
        assert_eq!(bits(text), Some(text.parse::<f64>().unwrap().to_bits()), "{text}");
    }

    #[test]
    fn the_edges_of_every_path_agree_with_the_standard_library() {
        for text in "0 -0 +0 0.0 -0.0 5. .5 +.5 -5. 00012 12345678 123456789 1234567812345678 \
            9007199254740992 9007199254740993 9007199254740991e22 9007199254740993e22 1e22 1e23 \
            1e-22 1e-23 123456789012345.123456789012345 0.12345678 0.123456789 0.1234567812345678 \
            0.3 1e400 -1e400 1e-400 4.9e-324 2.4703282292062327e-324 2.4703282292062328e-324 \
            1.7976931348623157e308 1.7976931348623159e308 2.2250738585072011e-308 1e+05 1E-05 \
            1e0005 1e00000000000000000005 0e999 0.000000000000000000000000000000001e40 \
            99999999999999999999999999999999999999 1e9999999999999999999999 \
            0.500000000000000166533453693773481063544750213623046875"
            .split_whitespace()
        {
            expect(text);
        }
        expect(&format!("0.{}1", "0".repeat(5_000)));
        expect(&format!("{}.5", "7".repeat(300)));
    }

    #[test]
    fn what_is_no_literal_is_refused() {
        for text in ". + - +. e5 .e5 1e 1e+ 1.2.3 0x10 1_000 inf -inf Infinity nan NaN 1f 1d ++1 \
            +-1 -+1 1,5 1- 12345678a 1234567812345678x ١"
            .split_whitespace()
            .chain(["", " 1", "1 ", "1\0", "\0"])
        {
            assert_eq!(bits(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_scan_stops_where_the_number_ends() {
        for (text, n) in [("1,2", 1), ("-1.5e3;", 6), ("7e,", 1), ("12:3", 2), ("1e-x", 1)] {
            assert_eq!(scan(text.as_bytes()).1, n, "{text}");
            let long = format!("{text}{}", " ".repeat(2 * WINDOW));
            assert_eq!(scan(long.as_bytes()).1, n, "{text}");
        }
        assert!(is_infinity(b"-Inf") && is_infinity(b"INFINITY") && !is_infinity(b"info"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn literals_agree_bit_for_bit(
            text in "[+-]?([0-9]{1,24}(\\.[0-9]{0,24})?|\\.[0-9]{1,24})([eE][+-]?[0-9]{1,4})?",
            tail in "[,; \n]?[0-9,.]{0,60}",
        ) {
            let want = text.parse::<f64>().unwrap();
            prop_assert_eq!(bits(&text), Some(want.to_bits()));
            // The same with other text behind it, which takes the long window.
            let tail = tail.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            let (value, n) = scan(format!("{text}{tail}").as_bytes());
            let want = if want.is_finite() { (want.to_bits(), text.len()) } else { (0, 0) };
            prop_assert_eq!((value.to_bits(), n), want);
        }

        #[test]
        fn every_double_survives_the_round_trip(raw in any::<u64>()) {
            let x = f64::from_bits(raw);
            prop_assume!(x.is_finite());
            for text in [format!("{x}"), format!("{x:e}"), format!("{x:?}")] {
                prop_assert_eq!(bits(&text), Some(raw), "{}", text);
            }
        }

        #[test]
        fn garbage_is_accepted_exactly_when_the_standard_library_does(text in "[-+.eE0-9x]{0,12}") {
            prop_assert_eq!(bits(&text), text.parse::<f64>().ok().map(f64::to_bits));
        }
    }
}
