//! Positions and labels of ticks.
//!
//! On a linear axis steps are 1, 2 or 5 times a power of ten; on a logarithmic axis ticks are
//! powers of ten, with 2 and 5 between if space permits. Labels have as many decimals as the step,
//! a true minus sign, and powers of ten instead of long runs of zeros.

/// Tick of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Tick {
    pub(crate) at: f64,
    pub(crate) label: String,
}

/// Returns at most `most` ticks of a linear axis from `low` to `high`; a `most` below 2 counts as
/// 2.
pub(crate) fn linear(low: f64, high: f64, most: usize) -> Vec<Tick> {
    let most = most.max(2) as f64;
    // 1. The smallest step with at most `most` ticks.
    let rough = (high - low) / most;
    let mut power = rough.log10().floor() as i32;
    let sizes = [(1.0, 0), (2.0, 0), (5.0, 0), (1.0, 1), (2.0, 1)];
    let fits = |(digit, more): &&(f64, i32)| {
        let step = digit * 10f64.powi(power + more);
        (high / step + 1e-9).floor() - (low / step - 1e-9).ceil() < most
    };
    let (digit, more) = *sizes.iter().find(fits).unwrap_or(&(5.0, 1));
    power += more;

    // 2. Its multiples. Division by integer powers of ten keeps them exact.
    let multiple = |i: f64| match power {
        0.. => i * digit * 10f64.powi(power),
        _ => i * digit / 10f64.powi(-power),
    };
    let step = multiple(1.0);
    let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    let count = (last - first).clamp(0.0, most) as usize;
    let values: Vec<f64> = (0..=count).map(|i| multiple(first + i as f64)).collect();

    // 3. Labels.
    let largest = values.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
    let wide = largest >= 1e6 || power < -4;
    let label = |v: f64| if wide { scientific(v, largest, power) } else { plain(v, -power) };
    values.into_iter().map(|at| Tick { at, label: label(at) }).collect()
}

/// Returns the ticks of a logarithmic axis from `low` > 0 to `high`: 1, 2 and 5 times powers of
/// ten, or powers of ten alone, or every nth power. Linear ticks if fewer than two of these are in
/// the range.
pub(crate) fn logarithmic(low: f64, high: f64, most: usize) -> Vec<Tick> {
    let most = most.max(2);
    let (first, last) = (low.log10() - 1e-9, high.log10() + 1e-9);
    let inside = |v: &f64| (first..=last).contains(&v.log10());
    let powers = || first.floor() as i32..=last.ceil() as i32;
    let digits = |p: i32| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(p));
    let mut values: Vec<f64> = powers().flat_map(digits).filter(inside).collect();
    if values.len() < 2 {
        return linear(low, high, most);
    }
    let mut every = 1;
    while values.len() > most {
        let chosen = powers().filter(|p| p % every == 0).map(|p| 10f64.powi(p));
        values = chosen.filter(inside).collect();
        every += 1;
    }
    let wide = values.iter().any(|v| !(0.99e-3..1.01e5).contains(v));
    let label = |v: f64| {
        let power = (v.log10() + 1e-9).floor() as i32;
        if wide { scientific(v, v, power) } else { plain(v, -power) }
    };
    values.into_iter().map(|at| Tick { at, label: label(at) }).collect()
}

fn plain(v: f64, decimals: i32) -> String {
    let text = format!("{v:.*}", decimals.max(0) as usize);
    sign(if v == 0.0 { text.trim_start_matches('-') } else { &text })
}

/// Formats with the power of ten of the largest value, so that the labels of one axis are
/// comparable.
fn scientific(v: f64, largest: f64, step_power: i32) -> String {
    if v == 0.0 {
        return "0".to_owned();
    }
    let power = (largest.log10() + 1e-9).floor() as i32;
    // In two steps: a power above 10³⁰⁸ would overflow.
    let digits = v / 10f64.powi(power / 2) / 10f64.powi(power - power / 2);
    let head = plain(digits, power - step_power);
    let ten = format!("10{}", superscript(power));
    match head.as_str() {
        "1" => ten,
        "−1" => format!("−{ten}"),
        _ => format!("{head}×{ten}"),
    }
}

fn sign(text: &str) -> String {
    text.replace('-', "−")
}

/// Formats an integer as an exponent.
fn superscript(n: i32) -> String {
    let digits = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = |c: char| c.to_digit(10).map_or('⁻', |d| digits[d as usize]);
    n.to_string().chars().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: Vec<Tick>) -> String {
        ticks.into_iter().map(|tick| tick.label).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn steps_are_round_and_labels_comparable() {
        assert_eq!(labels(linear(-3.0, 3.0, 8)), "−3 −2 −1 0 1 2 3");
        assert_eq!(labels(linear(-0.2, 4.0, 6)), "0 1 2 3 4");
        assert_eq!(labels(linear(0.0, 1.0, 6)), "0.0 0.2 0.4 0.6 0.8 1.0");
        assert_eq!(labels(linear(4.3, 7.9, 8)), "4.5 5.0 5.5 6.0 6.5 7.0 7.5");
        assert_eq!(labels(linear(0.0, 3e6, 4)), "0 10⁶ 2×10⁶ 3×10⁶");
        assert_eq!(labels(linear(0.0, 2.5e-6, 4)), "0 10⁻⁶ 2×10⁻⁶");
        assert_eq!(labels(linear(12_340.0, 12_360.0, 5)), "12340 12345 12350 12355 12360");
    }

    #[test]
    fn the_number_of_ticks_is_bounded() {
        for low in [-1e9, -7.3, 0.0, 1e-9, 0.11, 999.0] {
            for span in [1e-5, 0.3, 1.0, 7.7, 4e4, 1e12] {
                for most in 2..12 {
                    let ticks = linear(low, low + span, most);
                    assert!(ticks.len() <= most, "{low} {span} {most}: {}", ticks.len());
                    assert!(ticks.len() >= most / 4, "{low} {span} {most}: {}", ticks.len());
                    let slack = span * 1e-6 + low.abs() * 1e-12;
                    let inside = |t: &Tick| t.at >= low - slack && t.at <= low + span + slack;
                    assert!(ticks.iter().all(inside), "{low} {span} {most}");
                }
            }
        }
    }

    #[test]
    fn logarithmic_ticks_are_powers_of_ten_with_two_and_five() {
        assert_eq!(labels(logarithmic(1e-3, 1e3, 7)), "0.001 0.01 0.1 1 10 100 1000");
        assert_eq!(labels(logarithmic(1.0, 20.0, 7)), "1 2 5 10 20");
        assert_eq!(labels(logarithmic(1e-8, 1e4, 5)), "10⁻⁶ 10⁻³ 10⁰ 10³");
        assert_eq!(labels(logarithmic(2.1, 4.7, 5)), "2.5 3.0 3.5 4.0 4.5");
    }
}
