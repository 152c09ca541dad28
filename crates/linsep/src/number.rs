//! Numbers as text.

use crate::decimal::{Decimal, Toward};

/// A number with six significant digits, without trailing zeros.
pub fn number(v: f64) -> String {
    if v == 0.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e15).contains(&v.abs()) {
        return format!("{v:.5e}");
    }
    let digits = 5 - v.abs().log10().floor() as i32;
    let text = format!("{v:.*}", digits.clamp(0, 12) as usize);
    trimmed(text)
}

/// The decimal exponent of v, and the digits after the first that distinguish v from v ± `gap`.
fn digits_apart(v: f64, gap: f64) -> Option<(i32, i32)> {
    const EXACT: i32 = 16;
    if v == 0.0 || !(gap > 0.0 && gap < v.abs()) {
        return None;
    }
    let size = v.abs().log10().floor() as i32;
    Some((size, (size - gap.log10().floor() as i32 + 1).clamp(5, EXACT)))
}

/// A count or sample weight: integers in groups of three digits, others as [`number`].
pub fn count(v: f64) -> String {
    if v.fract() != 0.0 || v.abs() >= 1e15 {
        return number(v);
    }
    let digits = format!("{}", v.abs());
    let mut grouped = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 && digits.len() > 4 {
            grouped.push(' ');
        }
        grouped.push(c);
    }
    if v < 0.0 { format!("-{grouped}") } else { grouped }
}

/// A share as a percentage, never rounded up to 100 % or down to 0 %.
pub fn percent(share: f64) -> String {
    let rounded = format!("{:.2} %", 100.0 * share + 0.0); // −0 is 0
    match rounded.as_str() {
        "100.00 %" if share < 1.0 => "just under 100 %".to_owned(),
        "0.00 %" if share > 0.0 => "just over 0 %".to_owned(),
        _ => rounded,
    }
}

/// A share of certified rows as a percentage, rounded down: 100 % means all rows.
pub fn share_floor(share: f64) -> String {
    if !share.is_finite() {
        return percent(share);
    }
    let mut exact = Decimal::of(share);
    exact.point += 2;
    exact.cut(2, Toward::Lower);
    match exact.fixed(2).as_str() {
        "0.00" if share > 0.0 => "just over 0 %".to_owned(),
        floor => format!("{floor} %"),
    }
}

/// An upper bound, as [`number`] but rounded up.
pub fn upper(v: f64) -> String {
    bound(v, Toward::Upper)
}

/// A lower bound, as [`number`] but rounded down.
pub fn lower(v: f64) -> String {
    bound(v, Toward::Lower)
}

fn bound(v: f64, toward: Toward) -> String {
    if v == 0.0 || !v.is_finite() {
        return number(v);
    }
    let mut exact = Decimal::of(v);
    if !exact.is_plain() {
        return exact.scientific(5, toward);
    }
    let decimals = (6 - exact.point).clamp(0, 12);
    exact.cut(decimals, toward);
    trimmed(exact.fixed(decimals))
}

/// An upper bound for a count, as [`count`] but rounded up.
pub fn upper_count(v: f64) -> String {
    if v.fract() != 0.0 || v.abs() >= 1e15 { upper(v) } else { count(v) }
}

/// An upper bound with enough digits to show a difference of `gap`.
pub fn upper_apart(v: f64, gap: f64) -> String {
    bound_apart(v, gap, Toward::Upper)
}

/// A lower bound with enough digits to show a difference of `gap`.
pub fn lower_apart(v: f64, gap: f64) -> String {
    bound_apart(v, gap, Toward::Lower)
}

fn bound_apart(v: f64, gap: f64, toward: Toward) -> String {
    if !v.is_finite() {
        return number(v);
    }
    let Some((size, digits)) = digits_apart(v, gap) else { return bound(v, toward) };
    let mut exact = Decimal::of(v);
    if !exact.is_plain() {
        return exact.scientific(digits, toward);
    }
    let decimals = (digits - size).max(0);
    exact.cut(decimals, toward);
    exact.fixed(decimals)
}

/// A small upper bound ≥ 0, as [`small`] but rounded up.
pub fn upper_small(v: f64) -> String {
    if v.is_finite() { small_bound(Decimal::of(v)) } else { small(v) }
}

/// An upper bound for a small share as a percentage, as [`small_percent`] but rounded up.
pub fn upper_percent(share: f64) -> String {
    if !share.is_finite() {
        return small_percent(share);
    }
    let mut exact = Decimal::of(share);
    exact.point += 2;
    format!("{} %", small_bound(exact))
}

fn small_bound(mut exact: Decimal) -> String {
    if exact.is_zero() {
        return "0".to_owned();
    }
    // Below 0.001, or too large for plain notation.
    if exact.point < -2 {
        return exact.scientific(1, Toward::Upper);
    }
    if !exact.is_plain() {
        return exact.scientific(5, Toward::Upper);
    }
    let decimals = (6 - exact.point).clamp(0, 4);
    exact.cut(decimals, Toward::Upper);
    trimmed(exact.fixed(decimals))
}

/// The sum of upper bounds, not below the exact sum.
pub fn upper_sum(bounds: &[f64]) -> f64 {
    bounds.iter().fold(0.0, |sum, &v| {
        let (sum, error) = two_sum(sum, v);
        if error > 0.0 { sum.next_up() } else { sum }
    })
}

/// The sum of lower bounds, not above the exact sum.
pub fn lower_sum(bounds: &[f64]) -> f64 {
    -upper_sum(&bounds.iter().map(|v| -v).collect::<Vec<f64>>())
}

/// a + b rounded to nearest, and the rounding error (Knuth's `TwoSum`).
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let second = sum - a;
    (sum, (a - (sum - second)) + (b - second))
}

fn trimmed(text: String) -> String {
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// Accuracy and misclassified rows, weighted if the rows have sample weights.
pub fn accuracy(accuracy: f64, misclassified: f64, rows: Option<f64>, weighted: bool) -> String {
    let (share, errors) = (percent(accuracy), count(misclassified));
    if weighted {
        format!("weighted accuracy {share} (rows of total weight {errors} misclassified)")
    } else {
        let of = rows.map_or_else(String::new, |rows| format!(" of {}", count(rows)));
        format!("accuracy {share} ({errors}{of} rows misclassified)")
    }
}

/// The warning about an accuracy below that of predicting the majority class for every row.
pub fn below_majority(accuracy: f64, class: &str, share: f64) -> Option<String> {
    const ROUNDING: f64 = 1e-12;
    (accuracy < share - ROUNDING).then(|| {
        format!(
            "accuracy {} is below the majority-class baseline of {} (class {class})",
            percent(accuracy),
            percent(share)
        )
    })
}

/// A small number: four decimals, or two significant digits and an exponent below 0.001.
pub fn small(v: f64) -> String {
    if v == 0.0 || v >= 0.001 { number((v * 1e4).round() / 1e4) } else { format!("{v:.1e}") }
}

/// A small share as a percentage, formatted as [`small`].
pub fn small_percent(share: f64) -> String {
    format!("{} %", small(100.0 * share))
}

/// `1 row`, `2 rows`.
pub fn plural(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(n as f64), if n == 1 { one } else { many })
}

/// The first of these texts, at most `most`, and the number of others: `a, b and 3 more`.
pub fn listed(mut all: impl ExactSizeIterator<Item = String>, most: usize) -> String {
    let shown: Vec<String> = all.by_ref().take(most).collect();
    let more = if all.len() > 0 { format!(" and {} more", all.len()) } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_six_significant_digits() {
        let shown =
            [0.0, 1.0, -0.5, 1.45, 3.387_78, 123_456.789, 1e-7, -2.5e20, 0.1 + 0.2].map(number);
        assert_eq!(
            shown,
            ["0", "1", "-0.5", "1.45", "3.38778", "123457", "1.00000e-7", "-2.50000e20", "0.3"]
        );
        assert_eq!(
            [(0.350_575_31, 1e-7), (0.350_575_3, 0.2), (12.5, 1e-9), (3e-7, 1e-12)]
                .map(|(v, gap)| lower_apart(v, gap)),
            ["0.35057530", "0.350575", "12.5000000000", "2.999999e-7"]
        );
        assert_eq!(
            [0.0, 1234.0, 12_345.0, -1_234_567.0, 2.5].map(count),
            ["0", "1234", "12 345", "-1 234 567", "2.5"]
        );
    }

    #[test]
    fn small_shares_keep_their_exponent() {
        assert_eq!(
            [0.0, 0.25, 0.000_1, 3e-9].map(small_percent),
            ["0 %", "25 %", "0.01 %", "3.0e-7 %"]
        );
    }

    #[test]
    fn percent_never_rounds_to_0_or_100() {
        assert_eq!(percent(1.0), "100.00 %");
        assert_eq!(percent(0.999_999), "just under 100 %");
        assert_eq!(percent(0.0), "0.00 %");
        assert_eq!(percent(1e-9), "just over 0 %");
        assert_eq!(percent(2.0 / 3.0), "66.67 %");
    }

    #[test]
    fn bounds_are_rounded_outward() {
        assert_eq!(
            [9.94e-8, 0.25, 1e-4, 0.0].map(upper_percent),
            ["1.0e-5 %", "25 %", "0.0101 %", "0 %"]
        );
        assert_eq!(
            [0.0, 0.999_94e-3, 0.001, 1.000_01, 99.999_91].map(upper_small),
            ["0", "1.0e-3", "0.0011", "1.0001", "100"]
        );
        let shares = [1.0, 1.0_f64.next_down(), 0.999_98, 0.5, 5e-324, 0.0];
        assert_eq!(
            shares.map(share_floor),
            ["100.00 %", "99.99 %", "99.99 %", "50.00 %", "just over 0 %", "0.00 %"]
        );
        assert_eq!(
            [2.5, 1.0_f64.next_up(), -2.0, 0.1, 1e15].map(upper),
            ["2.5", "1.00001", "-2", "0.100001", "1.00000e15"]
        );
        assert_eq!(
            [2.5, 1.0_f64.next_down(), 0.3, 5e-324].map(lower),
            ["2.5", "0.999999", "0.299999", "4.94065e-324"]
        );
        assert_eq!(
            [51.0, 12_345.0, 2.0_f64.powi(53)].map(upper_count),
            ["51", "12 345", "9.00720e15"]
        );
        assert_eq!(upper_apart(0.350_575_31, 1e-7), "0.35057531");
        assert_eq!(lower_apart(0.350_575_31, 1e-7), "0.35057530");
        assert_eq!([upper_sum(&[1.0, 1e-30]), lower_sum(&[1.0, 1e-30])], [1.0_f64.next_up(), 1.0]);
        assert_eq!(upper_sum(&[0.5, 0.25]), 0.75);
    }

    /// Digits of a decimal multiplied by 10^1200, for exact comparison; `shift` moves the point
    /// right.
    fn exact(text: &str, shift: i32) -> (bool, String) {
        let (number, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let negative = number.starts_with('-');
        let number = number.trim_start_matches('-').replace(' ', "");
        let (whole, rest) = number.split_once('.').unwrap_or((&number, ""));
        let places =
            1200 + exponent.parse::<i32>().unwrap() + shift - i32::try_from(rest.len()).unwrap();
        let digits = format!("{whole}{rest}");
        let digits = digits + &"0".repeat(places.try_into().expect("at most 1200 decimals"));
        (negative, format!("{digits:0>2000}"))
    }

    /// Whether the first number is at most the second.
    fn at_most(a: &(bool, String), b: &(bool, String)) -> bool {
        match (a.0, b.0) {
            (false, false) => a.1 <= b.1,
            (true, true) => a.1 >= b.1,
            (true, false) => true,
            (false, true) => a.1 == b.1 && a.1.bytes().all(|c| c == b'0'),
        }
    }

    #[test]
    fn printed_bounds_are_bounds_of_the_exact_value() {
        let mut state = 1_u64;
        let mut random = || {
            // Xorshift64.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        for round in 0..4_000 {
            let v = match round % 4 {
                // Any double, numbers of moderate size, and neighbors of short decimals.
                0 => f64::from_bits(random()),
                1 => (random() as f64 / u64::MAX as f64) * 10_f64.powi((random() % 20) as i32 - 10),
                2 => ((random() % 2000) as f64 / 1e4).next_up(),
                _ => ((random() % 2000) as f64 / 1e4).next_down(),
            };
            if !v.is_finite() {
                continue;
            }
            let value = exact(&format!("{v:.1080}"), 0);
            let gap = v.abs() * 10_f64.powi(-((random() % 18) as i32));
            for text in [upper(v), upper_count(v), upper_apart(v, gap)] {
                assert!(at_most(&value, &exact(&text, 0)), "{v:e}: {text}");
            }
            for text in [lower(v), lower_apart(v, gap)] {
                assert!(at_most(&exact(&text, 0), &value), "{v:e}: {text}");
            }
            // At most one unit in the last digit from the exact value.
            let (low, high): (f64, f64) = (lower(v).parse().unwrap(), upper(v).parse().unwrap());
            assert!(high - low <= 1.1e-5 * v.abs() || v.abs() < 1e-300, "{v:e}: {low} {high}");
            let size = v.abs();
            let value = (false, value.1);
            let small = upper_small(size);
            assert!(at_most(&value, &exact(&small, 0)), "{size:e}: {small}");
            let percent = upper_percent(size);
            assert!(
                at_most(&value, &exact(percent.trim_end_matches(" %"), -2)),
                "{size:e}: {percent}"
            );
            let share = if size > 1.0 { 1.0 / size } else { size };
            let value = exact(&format!("{share:.1080}"), 0);
            let floor = share_floor(share);
            let printed = floor.trim_start_matches("just over ").trim_end_matches(" %");
            assert!(at_most(&exact(printed, -2), &value), "{share:e}: {floor}");
            assert!(share == 1.0 || !floor.starts_with("100"), "{share:e}: {floor}");
        }
    }
}
