//! Layout of text in 80 columns: summary entries, paragraphs and tables.
//!
//! The width does not depend on the terminal, so that captured output is reproducible; `--wide`
//! removes the limit.

use linsep_report::escape::one_line;
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// Columns of a line.
const WIDTH: usize = 80;

/// Width of the keys of a summary, including the gap.
const KEYS: usize = 13;

/// Least width of a text, even if the line becomes too long.
const LEAST: usize = 16;

static WIDE: AtomicBool = AtomicBool::new(false);

/// Removes the limit of the width.
pub fn set_wide() {
    WIDE.store(true, Ordering::Relaxed);
}

fn width() -> usize {
    if WIDE.load(Ordering::Relaxed) { usize::MAX } else { WIDTH }
}

/// Appends a key and its value, wrapped with a hanging indent. An empty key continues the entry
/// above.
pub fn entry(out: &mut String, key: &str, value: &str) {
    let key = one_line(key);
    let pad = " ".repeat(KEYS.saturating_sub(columns(&key)).max(1));
    flow(out, &format!("{key}{pad}"), KEYS, value);
}

/// Appends a key and a value that is never wrapped, such as a path.
pub fn whole_entry(out: &mut String, key: &str, value: &str) {
    let _ = writeln!(out, "{key:<KEYS$}{}", one_line(value));
}

/// Appends a text, wrapped and indented.
pub fn paragraph(out: &mut String, indent: usize, text: &str) {
    flow(out, &" ".repeat(indent), indent, text);
}

/// Appends a text after a head; the following lines are indented by `hang`.
fn flow(out: &mut String, head: &str, hang: usize, text: &str) {
    let text = one_line(text);
    let room = width().saturating_sub(hang.max(columns(head))).max(LEAST);
    let lines = wrapped(&text, room);
    for (i, line) in lines.iter().enumerate() {
        let before = if i == 0 { head.to_owned() } else { " ".repeat(hang) };
        out.push_str(format!("{before}{line}").trim_end());
        out.push('\n');
    }
}

/// Lines of at most `room` columns, broken between words. A longer word gets its own line.
fn wrapped(text: &str, room: usize) -> Vec<String> {
    if columns(text) <= room {
        return vec![text.to_owned()];
    }
    let mut lines = vec![String::new()];
    for word in pieces(text) {
        let last = lines.last_mut().expect("lines starts with one element");
        if last.is_empty() {
            last.push_str(&word);
        } else if columns(last) + 1 + columns(&word) <= room {
            last.extend([" ", &word]);
        } else {
            lines.push(word);
        }
    }
    lines
}

/// Signs that are never at a line break.
const SIGNS: [&str; 4] = ["±", "≤", "≥", "="];

/// Words as units of wrapping; a number keeps its percent sign, its groups of digits and its sign
/// of a range or relation.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let digits = word.chars().take_while(char::is_ascii_digit).count();
        let number = |last: &str| last.ends_with(|c: char| c.is_ascii_digit());
        let thousands = digits == 3 && !word.chars().nth(3).is_some_and(char::is_alphanumeric);
        match pieces.last_mut() {
            Some(last) if number(last) && (thousands || word.starts_with('%')) => {
                last.extend([" ", word]);
            }
            Some(last)
                if SIGNS.contains(&word) || SIGNS.iter().any(|sign| last.ends_with(sign)) =>
            {
                last.extend([" ", word]);
            }
            _ => pieces.push(word.to_owned()),
        }
    }
    pieces
}

/// Width of a text in columns: two per wide letter, none per combining mark.
fn columns(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { console_width(text) }
}

fn console_width(text: &str) -> usize {
    unicode_width::UnicodeWidthStr::width(text)
}

/// A table with text aligned left and numbers aligned right.
pub struct Table {
    rows: Vec<Vec<String>>,
    left: usize,
    dropped_first: Vec<usize>,
    prose: Option<usize>,
}

impl Table {
    /// An empty table whose first `left` columns contain text.
    pub fn new(header: &[&str], left: usize) -> Self {
        let header = header.iter().map(|&h| one_line(h).into_owned()).collect();
        Self { rows: vec![header], left, dropped_first: Vec::new(), prose: None }
    }

    /// Sets the columns that are hidden first if the table is too wide [default: from the right].
    pub fn drop_first(mut self, order: &[usize]) -> Self {
        self.dropped_first = order.to_vec();
        self
    }

    /// Sets the column whose text is wrapped if the table is too wide.
    pub fn prose(mut self, column: usize) -> Self {
        self.prose = Some(column);
        self
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells.into_iter().map(|cell| one_line(&cell).into_owned()).collect());
    }

    /// Formats the table, indented.
    pub fn show(&self, indent: usize) -> String {
        let room = width().saturating_sub(indent);
        let (shown, widths) = self.fit(room);
        let mut out = String::new();
        for row in &self.rows {
            self.show_row(row, &shown, &widths, indent, &mut out);
        }
        let hidden: Vec<&str> = (0..self.rows[0].len())
            .filter(|c| !shown.contains(c))
            .map(|c| self.rows[0][c].as_str())
            .collect();
        if !hidden.is_empty() {
            let n = hidden.len();
            let many = if n == 1 { "column" } else { "columns" };
            let named = hidden.iter().all(|name| !name.is_empty()) && n <= 8;
            let names = if named { format!(": {}", hidden.join(", ")) } else { String::new() };
            paragraph(&mut out, indent, &format!("({n} {many} not shown{names}; see --wide)"));
        }
        out
    }

    /// The columns that are shown, and the width of every column.
    fn fit(&self, room: usize) -> (Vec<usize>, Vec<usize>) {
        let all = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let cell = |row: &Vec<String>, c: usize| row.get(c).map_or(0, |cell| columns(cell));
        let widest = |c: usize| self.rows.iter().map(|row| cell(row, c)).max().unwrap_or(0);
        let full: Vec<usize> = (0..all).map(widest).collect();
        let least = |c: usize| if self.prose == Some(c) { full[c].min(2 * LEAST) } else { full[c] };
        let mut shown: Vec<usize> = (0..all).collect();
        let taken = |shown: &[usize]| {
            shown.iter().map(|&c| least(c)).sum::<usize>() + 2 * shown.len().saturating_sub(1)
        };
        // Columns of text are hidden last: they identify the row.
        let right = (self.left.max(1)..all).rev().filter(|c| !self.dropped_first.contains(c));
        for c in self.dropped_first.iter().copied().chain(right) {
            if taken(&shown) <= room || shown.len() <= 2 {
                break;
            }
            shown.retain(|own| *own != c);
        }
        let mut widths: Vec<usize> = full.iter().enumerate().map(|(c, _)| least(c)).collect();
        if taken(&shown) <= room {
            if let Some(c) = self.prose.filter(|c| shown.contains(c)) {
                widths[c] = full[c].min(room - taken(&shown) + least(c));
            }
        } else {
            // Long names: the widest columns are shortened until the row fits.
            let mut over = taken(&shown) - room;
            while over > 0 {
                let Some(&c) = shown.iter().max_by_key(|&&c| widths[c]) else { break };
                if widths[c] <= LEAST {
                    break;
                }
                widths[c] -= 1;
                over -= 1;
            }
        }
        (shown, widths)
    }

    fn show_row(
        &self,
        row: &[String],
        shown: &[usize],
        widths: &[usize],
        indent: usize,
        out: &mut String,
    ) {
        let lines: Vec<Vec<String>> = shown
            .iter()
            .map(|&c| {
                let cell = row.get(c).map_or("", String::as_str);
                if self.prose == Some(c) {
                    wrapped(cell, widths[c])
                } else {
                    vec![shortened(cell, widths[c])]
                }
            })
            .collect();
        for i in 0..lines.iter().map(Vec::len).max().unwrap_or(0) {
            let mut line = " ".repeat(indent);
            for (at, (&c, cell)) in shown.iter().zip(&lines).enumerate() {
                let cell = cell.get(i).map_or("", String::as_str);
                let pad = " ".repeat(widths[c].saturating_sub(columns(cell)));
                let gap = if at == 0 { "" } else { "  " };
                if c < self.left || self.prose == Some(c) {
                    line.extend([gap, cell, &pad]);
                } else {
                    line.extend([gap, &pad, cell]);
                }
            }
            out.push_str(line.trim_end());
            out.push('\n');
        }
    }
}

/// A text of at most `room` columns, shortened by an ellipsis in the middle.
fn shortened(text: &str, room: usize) -> String {
    if columns(text) <= room {
        return text.to_owned();
    }
    let prefix = |letters: &mut dyn Iterator<Item = char>, room: usize| {
        let mut part: Vec<char> = Vec::new();
        let mut taken = 0;
        for c in letters {
            taken += columns(c.encode_utf8(&mut [0; 4]));
            if taken > room {
                break;
            }
            part.push(c);
        }
        part
    };
    let start = prefix(&mut text.chars(), room / 2);
    let end = prefix(&mut text.chars().rev(), room - 1 - room / 2);
    start.into_iter().chain(['…']).chain(end.into_iter().rev()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_columns_are_aligned() {
        let mut table = Table::new(&["class", "n"], 1);
        table.row(vec!["größe".into(), "1".into()]);
        table.row(vec!["b".into(), "100".into()]);
        table.row(vec!["日本".into(), "2".into()]);
        assert_eq!(table.show(2), "  class    n\n  größe    1\n  b      100\n  日本     2\n");
    }

    #[test]
    fn values_are_wrapped_with_a_hanging_indent() {
        let mut out = String::new();
        entry(&mut out, "training", &"word ".repeat(20));
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines.len(), 2, "{out}");
        assert!(lines[0].starts_with("training     word") && lines[0].len() <= WIDTH);
        assert!(lines[1].starts_with("             word"));
        assert_eq!(
            pieces("12 345 rows, 97.33 % of n = 2"),
            ["12 345", "rows,", "97.33 %", "of", "n = 2"]
        );
    }

    #[test]
    fn the_least_important_columns_are_hidden_first() {
        let cell = "x".repeat(30);
        let mut table = Table::new(&["name", "a", "b", "c"], 1).drop_first(&[2]);
        table.row(vec![cell.clone(), cell.clone(), cell.clone(), "1".into()]);
        let text = table.show(2);
        assert!(text.contains("(1 column not shown: b; see --wide)"), "{text}");
        assert!(text.lines().all(|line| columns(line) <= WIDTH));
        let mut long = Table::new(&["name", "a"], 1);
        long.row(vec!["y".repeat(200), "1".into()]);
        assert!(long.show(2).contains('…') && long.show(2).lines().all(|l| columns(l) <= WIDTH));
    }

    #[test]
    fn prose_is_wrapped_in_its_column() {
        let mut table = Table::new(&["name", "why", "n"], 2).prose(1);
        table.row(vec!["a".into(), "word ".repeat(30).trim().into(), "7".into()]);
        let text = table.show(2);
        assert!(text.lines().count() > 2 && text.lines().all(|line| columns(line) <= WIDTH));
        assert!(text.lines().nth(1).is_some_and(|line| line.ends_with('7')), "{text}");
    }
}
