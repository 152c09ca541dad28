//! Text form of values other than text and plain numbers: dates, times, decimals, half floats.

use arrow_buffer::i256;
use std::fmt::Write;

/// Writes a date, given in days after 1970-01-01, as YYYY-MM-DD.
///
/// The calendar is the proleptic Gregorian one. Source: H. Hinnant, "chrono-compatible low-level
/// date algorithms", `civil_from_days`.
pub(crate) fn days_to_text(days: i64, out: &mut String) {
    let z = days.saturating_add(719_468);
    let (era, day_of_era) = (z.div_euclid(146_097), z.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153; // months from March on
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    write(out, format_args!("{year:04}-{month:02}-{day:02}"));
}

/// Writes a time of day, given in ticks of 1/`per_second` s, as HH:MM:SS with a fraction if not
/// zero.
pub(crate) fn time_to_text(ticks: i64, per_second: i64, out: &mut String) {
    let (seconds, left) = (ticks.div_euclid(per_second), ticks.rem_euclid(per_second));
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    write(out, format_args!("{hours:02}:{minutes:02}:{seconds:02}"));
    if left > 0 {
        let digits = per_second.ilog10() as usize;
        write(out, format_args!(".{left:0digits$}"));
    }
}

/// Writes a timestamp, in ticks after 1970-01-01, as YYYY-MM-DDTHH:MM:SS, with a Z if it is in UTC.
pub(crate) fn stamp_to_text(ticks: i64, per_second: i64, utc: bool, out: &mut String) {
    let per_day = per_second * 86_400;
    days_to_text(ticks.div_euclid(per_day), out);
    out.push('T');
    time_to_text(ticks.rem_euclid(per_day), per_second, out);
    if utc {
        out.push('Z');
    }
}

/// Returns digits · 10^−scale, rounded once to the nearest double.
pub(crate) fn decimal_to_f64(digits: i256, scale: i32) -> f64 {
    const EXACT: u64 = 1 << 53;
    if let (Some(digits), 0..=22) = (digits.to_i128(), scale)
        && digits.unsigned_abs() <= u128::from(EXACT)
    {
        return digits as f64 / 10_f64.powi(scale); // two exact numbers, one rounding
    }
    format!("{digits}e{}", -i64::from(scale)).parse().unwrap_or(f64::NAN)
}

/// Writes digits · 10^−scale in decimal notation.
pub(crate) fn decimal_to_text(digits: i256, scale: i32, out: &mut String) {
    let text = digits.to_string();
    let (sign, digits) = text.strip_prefix('-').map_or(("", text.as_str()), |rest| ("-", rest));
    out.push_str(sign);
    // The widest decimal has 76 digits; a larger scale could make the text millions of digits long.
    let Ok(scale @ 1..=76) = usize::try_from(scale) else {
        out.push_str(digits);
        if scale != 0 {
            write(out, format_args!("e{}", -i64::from(scale)));
        }
        return;
    };
    let whole = digits.len().saturating_sub(scale);
    out.push_str(if whole == 0 { "0" } else { &digits[..whole] });
    out.push('.');
    out.extend(std::iter::repeat_n('0', scale.saturating_sub(digits.len())));
    out.push_str(&digits[whole..]);
}

fn write(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a string can always be written to");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(f: impl Fn(&mut String)) -> String {
        let mut out = String::new();
        f(&mut out);
        out
    }

    #[test]
    fn dates_follow_the_gregorian_calendar() {
        for (days, want) in [
            (0, "1970-01-01"),
            (-1, "1969-12-31"),
            (11_016, "2000-02-29"),
            (19_782, "2024-02-29"),
            (-719_528, "0000-01-01"),
            (2_932_896, "9999-12-31"),
        ] {
            assert_eq!(text(|out| days_to_text(days, out)), want);
        }
        for days in [i64::MIN, i64::MAX, i64::from(i32::MIN)] {
            assert!(!text(|out| days_to_text(days, out)).is_empty());
        }
    }

    #[test]
    fn timestamps_are_iso_8601() {
        let stamp = |ticks, per, utc| text(|out| stamp_to_text(ticks, per, utc, out));
        assert_eq!(stamp(1_700_000_000, 1, true), "2023-11-14T22:13:20Z");
        assert_eq!(stamp(1_700_000_000_025, 1_000, false), "2023-11-14T22:13:20.025");
        assert_eq!(stamp(-1, 1_000_000_000, false), "1969-12-31T23:59:59.999999999");
        assert!(stamp(i64::MIN, 1, true).ends_with('Z'));
        assert_eq!(text(|out| time_to_text(3_661_000_001, 1_000_000, out)), "01:01:01.000001");
    }

    #[test]
    fn decimals_are_rounded_like_their_digits() {
        let both = |digits: i128, scale| {
            let digits = i256::from_i128(digits);
            (decimal_to_f64(digits, scale), text(|out| decimal_to_text(digits, scale, out)))
        };
        assert_eq!(both(12_345, 2), (123.45, "123.45".into()));
        assert_eq!(both(-5, 3), (-0.005, "-0.005".into()));
        assert_eq!(both(7, 0), (7.0, "7".into()));
        assert_eq!(both(7, -3), (7000.0, "7e3".into()));
        assert_eq!(both(i128::MAX, 20).0, 1_701_411_834_604_692_317.316_873_037_158_841_057_27);
        for digits in [1_i128, 99_999_999_999, 1 << 60, -(1 << 53) - 1, 123_456_789_012_345_678] {
            for scale in 0..30 {
                let (number, text) = both(digits, scale);
                assert_eq!(number, text.parse::<f64>().unwrap(), "{text}");
            }
        }
        assert!(both(1, i32::MIN).1.len() < 20 && both(1, i32::MAX).1.len() < 20);
    }
}
