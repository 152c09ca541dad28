//! Decimal text to the nearest double, exactly.
//!
//! A literal is `[+-] digits [. digits] [e [+-] digits]` with at least one digit before or after
//! the point. Its digits, read as one integer, are the mantissa m; k is the remaining power of ten:
//!
//! ```text
//!   value = m · 10ᵏ
//! ```
//!
//! * m ≤ 2⁵³ and −22 ≤ k ≤ 0: m and 10⁻ᵏ are both exact doubles, so **one** division rounds once,
//!   correctly (Clinger 1990). Nearly all literals in data are of this kind (`between`).
//! * m < 10¹⁹ and −27 ≤ k ≤ 55: the product of Eisel and Lemire (`eisel_lemire`). This covers every
//!   double that programs write in full, unless it is very large or very small.
//! * Otherwise `fast-float2`, with big integers if necessary.
//!
//! In all cases the result equals `str::parse::<f64>` bit for bit. Hexadecimal, `inf` and `nan` are
//! not literals.

mod between;
mod eisel_lemire;
mod swar;

use swar::{Run, WHOLE_TENS};

/// Bytes examined; a literal that may be longer is parsed by `fast-float2`.
const WINDOW: usize = 64;

/// Returns the value of a whole literal. Overflow gives an infinity, like `str::parse`.
pub fn parse_number(text: &[u8]) -> Option<f64> {
    let (value, n) = long(&padded(text), text);
    if n == text.len() && n > 0 { Some(value) } else { None }
}

/// Returns the **finite** literal at the start of `text` and its length; a length of 0 if there is
/// none.
pub(crate) fn scan(text: &[u8]) -> (f64, usize) {
    // Blanks, quotes and letters are common here, and excluded early.
    if !matches!(text, [b'0'..=b'9' | b'-' | b'+' | b'.', ..]) {
        return (0.0, 0);
    }
    let found = match text.first_chunk() {
        Some(window) => long(window, text),
        None => long(&padded(text), text),
    };
    if found.0.is_finite() { found } else { (0.0, 0) }
}

/// Parses the **finite** literal `text[start..end]`, for hot loops that know its expected end.
#[expect(clippy::inline_always, reason = "a call per number costs a tenth of the readers' speed")]
#[inline(always)]
pub(crate) fn scan_between(text: &[u8], start: usize, end: usize) -> Option<f64> {
    match between::between(text, start, end) {
        None => scan_up_to(text, start, end),
        found => found,
    }
}

/// Parses any literal `text[start..end]`. Not inlined, to take no registers from the hot loops.
#[inline(never)]
fn scan_up_to(text: &[u8], start: usize, end: usize) -> Option<f64> {
    let (value, n) = scan(text.get(start..)?);
    (n > 0 && start + n == end).then_some(value)
}

/// Returns the number formed by the last `count` bytes of `text`, 1 to 8 digits.
#[inline]
pub(crate) fn whole(text: [u8; 8], count: usize) -> Option<u32> {
    Run::before(text, count).map(|m| m as u32)
}

/// Returns the start of `text`, padded with zero bytes, which belong to no literal.
fn padded(text: &[u8]) -> [u8; WINDOW] {
    let mut window = [0; WINDOW];
    let n = text.len().min(WINDOW);
    window[..n].copy_from_slice(&text[..n]);
    window
}

/// Parses any literal.
#[inline]
fn long(window: &[u8; WINDOW], text: &[u8]) -> (f64, usize) {
    let minus = window[0] == b'-';
    let first = usize::from(minus || window[0] == b'+');

    // 1. The mantissa, and the number of its digits after the point.
    let (mut m, whole) = span(window, first);
    let (mut end, mut behind) = (first + whole, 0);
    if window[end] == b'.' {
        let (more, n) = span(window, end + 1);
        m = m.wrapping_mul(power(n)).wrapping_add(more);
        (end, behind) = (end + 1 + n, n);
    }
    if whole + behind == 0 {
        return (0.0, 0);
    }
    if whole >= LONGEST || behind >= LONGEST {
        return exact(text); // there may be more digits
    }
    // With up to 19 digits m has not wrapped around, for any number of leading zeros.
    if whole + behind > 19 && whole + behind - zeros(&window[first..end]) > 19 {
        return exact(text);
    }

    // 2. The exponent. An `e` without digits after it is not part of the number.
    let mut k = -(behind as u32).cast_signed();
    if window[end] | 0x20 == b'e' {
        let sign = window[end + 1];
        let digits = end + 1 + usize::from(sign == b'-' || sign == b'+');
        let run = Run::at(window, digits);
        if run.len() > 4 {
            return exact(text);
        }
        if run.len() > 0 {
            let power = run.value() as i32;
            k += if sign == b'-' { -power } else { power };
            end = digits + run.len();
        }
    }

    // 3. The value.
    if !eisel_lemire::POWERS.contains(&k) {
        return exact(text);
    }
    let value = eisel_lemire::round(m, k);
    (if minus { -value } else { value }, end)
}

/// Maximum number of consecutive digits examined.
const LONGEST: usize = 24;

/// Returns the digits at `at`, at most [`LONGEST`], as a wrapping number, and their count.
#[inline]
fn span(window: &[u8; WINDOW], at: usize) -> (u64, usize) {
    let a = Run::at(window, at);
    if a.len() < 8 {
        return (a.value(), a.len());
    }
    // Fifteen to seventeen digits are equally likely: no branch between them.
    let (b, c) = (Run::at(window, at + 8), Run::at(window, at + 16));
    let c = if b.len() == 8 { c } else { Run::NONE };
    let ab = a.value() * WHOLE_TENS[b.len()] + b.value();
    let abc = ab.wrapping_mul(WHOLE_TENS[c.len()]).wrapping_add(c.value());
    (abc, 8 + b.len() + c.len())
}

/// Returns 10ⁿ, wrapping.
#[inline]
fn power(n: usize) -> u64 {
    const POWERS: [u64; LONGEST + 1] = {
        let mut table = [1_u64; LONGEST + 1];
        let mut n = 1;
        while n <= LONGEST {
            table[n] = table[n - 1].wrapping_mul(10);
            n += 1;
        }
        table
    };
    POWERS[n]
}

/// Returns the number of zeros before the first other digit, without the point.
#[inline(never)]
fn zeros(digits: &[u8]) -> usize {
    digits.iter().take_while(|b| matches!(b, b'0' | b'.')).filter(|b| **b == b'0').count()
}

/// Parses all other text that starts like a number.
#[cold]
#[inline(never)]
fn exact(text: &[u8]) -> (f64, usize) {
    let (sign, rest) = match text {
        [b'-', rest @ ..] => (-1.0, rest),
        [b'+', rest @ ..] => (1.0, rest),
        _ => (1.0, text),
    };
    // The library also accepts words and its own sign; both are excluded here.
    if !matches!(rest, [b'0'..=b'9', ..] | [b'.', b'0'..=b'9', ..]) {
        return (0.0, 0);
    }
    match fast_float2::parse_partial::<f64, _>(rest) {
        Ok((value, n)) => (sign * value, n + text.len() - rest.len()),
        Err(_) => (0.0, 0),
    }
}

/// Whether `text` is a spelling of infinity.
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
    fn text_other_than_literals_is_refused() {
        for text in ". + - +. e5 .e5 1e 1e+ 1.2.3 0x10 1_000 inf -inf Infinity nan NaN 1f 1d ++1 \
            +-1 -+1 1,5 1- 12345678a 1234567812345678x ١"
            .split_whitespace()
            .chain(["", " 1", "1 ", "1\0", "\0"])
        {
            assert_eq!(bits(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_scan_stops_at_the_end_of_the_number() {
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
            // The same with text after it, which uses the long window.
            let tail = tail.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            let (value, n) = scan(format!("{text}{tail}").as_bytes());
            let want = if want.is_finite() { (want.to_bits(), text.len()) } else { (0, 0) };
            prop_assert_eq!((value.to_bits(), n), want);
            // The same between given ends, with text before it.
            let all = format!("{tail}, {text}{tail}");
            let start = tail.len() + 2;
            let between = scan_between(all.as_bytes(), start, start + text.len());
            let want = text.parse::<f64>().ok().filter(|x| x.is_finite()).map(f64::to_bits);
            prop_assert_eq!(between.map(f64::to_bits), want);
            prop_assert_eq!(scan_between(all.as_bytes(), start, start + text.len() + 1).is_some(), false);
        }

        #[test]
        fn every_double_is_parsed_back_to_the_same_bits(raw in any::<u64>()) {
            let x = f64::from_bits(raw);
            prop_assume!(x.is_finite());
            for text in [format!("{x}"), format!("{x:e}"), format!("{x:?}")] {
                prop_assert_eq!(bits(&text), Some(raw), "{}", text);
            }
        }

        #[test]
        fn text_is_accepted_exactly_when_the_standard_library_accepts_it(text in "[-+.eE0-9x]{0,12}") {
            prop_assert_eq!(bits(&text), text.parse::<f64>().ok().map(f64::to_bits));
        }
    }
}
