//! Numbers and tables for people.

use std::fmt::Write;

/// A number with as many digits as tell something: six significant ones, no trailing zeros.
pub fn number(v: f64) -> String {
    if v == 0.0 {
        return "0".to_owned();
    }
    if !(1e-4..1e15).contains(&v.abs()) {
        return format!("{v:.5e}");
    }
    let digits = 5 - v.abs().log10().floor() as i32;
    let text = format!("{v:.*}", digits.clamp(0, 12) as usize);
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

/// A number with as many digits as it takes to tell it from one that is off by `gap`.
pub fn apart(v: f64, gap: f64) -> String {
    const EXACT: i32 = 16;
    if v == 0.0 || !(gap > 0.0 && gap < v.abs()) {
        return number(v);
    }
    let size = v.abs().log10().floor() as i32;
    let digits = (size - gap.log10().floor() as i32 + 1).clamp(5, EXACT);
    if !(1e-4..1e15).contains(&v.abs()) {
        return format!("{v:.*e}", digits as usize);
    }
    format!("{v:.*}", (digits - size).max(0) as usize)
}

/// A count or weight: whole numbers with thin groups of three, others as [`number`].
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

/// How many rows are right, by their weights where they have any.
pub fn right(accuracy: f64, wrong: f64, weighted: bool) -> String {
    let (share, wrong) = (percent(accuracy), count(wrong));
    if weighted {
        format!("{share} of the weight of the rows right (a weight of {wrong} wrong)")
    } else {
        format!("{share} of the rows right ({wrong} wrong)")
    }
}

/// A small number: two significant digits, as a power of ten where it is very small.
pub fn small(v: f64) -> String {
    if v == 0.0 || v >= 0.001 { number((v * 1e4).round() / 1e4) } else { format!("{v:.1e}") }
}

/// A small share as a percentage that does not run out of digits.
pub fn small_percent(share: f64) -> String {
    format!("{} %", small(100.0 * share))
}

/// `1 row`, `2 rows`.
pub fn plural(n: usize, one: &str, many: &str) -> String {
    format!("{} {}", count(n as f64), if n == 1 { one } else { many })
}

/// Columns lined up: words to the left, numbers to the right.
pub struct Table {
    rows: Vec<Vec<String>>,
    left: usize,
}

impl Table {
    /// A table whose first `left` columns hold words.
    pub fn new(header: &[&str], left: usize) -> Self {
        Self { rows: vec![header.iter().map(|&h| h.to_owned()).collect()], left }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The table, indented.
    pub fn show(&self, indent: usize) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let wide = |c: usize| {
            self.rows.iter().filter_map(|row| row.get(c)).map(|s| s.chars().count()).max()
        };
        let widths: Vec<usize> = (0..columns).map(|c| wide(c).unwrap_or(0)).collect();
        let mut out = String::new();
        for row in &self.rows {
            let mut line = " ".repeat(indent);
            for (c, cell) in row.iter().enumerate() {
                let pad = " ".repeat(widths[c] - cell.chars().count());
                let gap = if c == 0 { "" } else { "  " };
                let _ = if c < self.left {
                    write!(line, "{gap}{cell}{pad}")
                } else {
                    write!(line, "{gap}{pad}{cell}")
                };
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_say_what_they_know() {
        let shown =
            [0.0, 1.0, -0.5, 1.45, 3.387_78, 123_456.789, 1e-7, -2.5e20, 0.1 + 0.2].map(number);
        assert_eq!(
            shown,
            ["0", "1", "-0.5", "1.45", "3.38778", "123457", "1.00000e-7", "-2.50000e20", "0.3"]
        );
        assert_eq!(
            [(0.350_575_31, 1e-7), (0.350_575_3, 0.2), (12.5, 1e-9), (3e-7, 1e-12)]
                .map(|(v, gap)| apart(v, gap)),
            ["0.35057531", "0.350575", "12.5000000000", "3.000000e-7"]
        );
        assert_eq!(
            [0.0, 1234.0, 12_345.0, -1_234_567.0, 2.5].map(count),
            ["0", "1234", "12 345", "-1 234 567", "2.5"]
        );
    }

    #[test]
    fn small_shares_keep_their_size() {
        assert_eq!(
            [0.0, 0.25, 0.000_1, 3e-9].map(small_percent),
            ["0 %", "25 %", "0.01 %", "3.0e-7 %"]
        );
    }

    #[test]
    fn nearly_all_is_not_all() {
        assert_eq!(percent(1.0), "100.00 %");
        assert_eq!(percent(0.999_999), "just under 100 %");
        assert_eq!(percent(0.0), "0.00 %");
        assert_eq!(percent(1e-9), "just over 0 %");
        assert_eq!(percent(2.0 / 3.0), "66.67 %");
    }

    #[test]
    fn tables_line_up() {
        let mut table = Table::new(&["class", "n"], 1);
        table.row(vec!["größe".into(), "1".into()]);
        table.row(vec!["b".into(), "100".into()]);
        assert_eq!(table.show(2), "  class    n\n  größe    1\n  b      100\n");
    }
}
