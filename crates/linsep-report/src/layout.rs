//! Layout of text in 80 columns: summary entries and paragraphs.
//!
//! The width does not depend on the terminal, so that captured output is reproducible;
//! [`Style::wide`] removes the limit.

use crate::escape::one_line;
use crate::table::Table;
use std::fmt;
use unicode_width::UnicodeWidthStr;

/// Columns of a line.
const WIDTH: usize = 80;

/// Width of the keys of a summary, including the gap.
const KEYS: usize = 13;

/// Least width of a text, even if the line becomes too long.
pub(crate) const LEAST: usize = 16;

/// How outcomes are written as text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Whether lines may be longer than 80 columns.
    pub wide: bool,
    /// Whether details are shown.
    pub verbose: bool,
}

/// A text under construction.
#[derive(Clone, Debug)]
pub struct Text {
    text: String,
    style: Style,
}

impl Text {
    /// An empty text.
    pub fn new(style: Style) -> Self {
        Self { text: String::new(), style }
    }

    /// The style of the text.
    pub fn style(&self) -> Style {
        self.style
    }

    /// The finished text.
    pub fn finish(self) -> String {
        self.text
    }

    /// Appends an empty line.
    pub fn gap(&mut self) {
        self.text.push('\n');
    }

    /// Appends text as it is.
    pub fn push_str(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Appends a key and its value, wrapped with a hanging indent. An empty key continues the entry
    /// above.
    pub fn entry(&mut self, key: &str, value: &str) {
        let key = one_line(key);
        let pad = " ".repeat(KEYS.saturating_sub(columns(&key)).max(1));
        self.flow(&format!("{key}{pad}"), KEYS, value);
    }

    /// Appends a key and a value of several lines, which are joined if the width is unlimited.
    pub fn entry_lines(&mut self, key: &str, lines: &[String]) {
        if self.style.wide {
            return self.entry(key, &lines.join(" "));
        }
        for (i, text) in lines.iter().enumerate() {
            self.entry(if i == 0 { key } else { "" }, text);
        }
    }

    /// Appends a key and a value that is never wrapped, such as a path.
    pub fn whole_entry(&mut self, key: &str, value: &str) {
        self.text.push_str(&format!("{key:<KEYS$}{}\n", one_line(value)));
    }

    /// Appends a text, wrapped and indented.
    pub fn paragraph(&mut self, indent: usize, text: &str) {
        self.flow(&" ".repeat(indent), indent, text);
    }

    /// Appends a table, indented.
    pub fn table(&mut self, table: &Table, indent: usize) {
        let hidden = table.show(self.width(), indent, &mut self.text);
        if !hidden.is_empty() {
            let n = hidden.len();
            let many = if n == 1 { "column" } else { "columns" };
            let named = hidden.iter().all(|name| !name.is_empty()) && n <= 8;
            let names = if named { format!(": {}", hidden.join(", ")) } else { String::new() };
            self.paragraph(indent, &format!("({n} {many} not shown{names}; see --wide)"));
        }
    }

    fn width(&self) -> usize {
        if self.style.wide { usize::MAX } else { WIDTH }
    }

    /// Appends a text after a head; the following lines are indented by `hang`.
    fn flow(&mut self, head: &str, hang: usize, text: &str) {
        let text = one_line(text);
        let room = self.width().saturating_sub(hang.max(columns(head))).max(LEAST);
        let lines = wrapped(&text, room);
        for (i, line) in lines.iter().enumerate() {
            let before = if i == 0 { head.to_owned() } else { " ".repeat(hang) };
            self.text.push_str(format!("{before}{line}").trim_end());
            self.text.push('\n');
        }
    }
}

impl fmt::Write for Text {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.text.push_str(text);
        Ok(())
    }
}

/// Lines of at most `room` columns, broken between words. A longer word gets its own line.
pub(crate) fn wrapped(text: &str, room: usize) -> Vec<String> {
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
pub(crate) fn columns(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.width() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(table: &Table) -> String {
        let mut out = Text::new(Style::default());
        out.table(table, 2);
        out.finish()
    }

    #[test]
    fn table_columns_are_aligned() {
        let mut table = Table::new(&["class", "n"], 1);
        table.row(vec!["größe".into(), "1".into()]);
        table.row(vec!["b".into(), "100".into()]);
        table.row(vec!["日本".into(), "2".into()]);
        assert_eq!(show(&table), "  class    n\n  größe    1\n  b      100\n  日本     2\n");
    }

    #[test]
    fn values_are_wrapped_with_a_hanging_indent() {
        let mut out = Text::new(Style::default());
        out.entry("training", &"word ".repeat(20));
        let out = out.finish();
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
        let text = show(&table);
        assert!(text.contains("(1 column not shown: b; see --wide)"), "{text}");
        assert!(text.lines().all(|line| columns(line) <= WIDTH));
        let mut long = Table::new(&["name", "a"], 1);
        long.row(vec!["y".repeat(200), "1".into()]);
        let long = show(&long);
        assert!(long.contains('…') && long.lines().all(|l| columns(l) <= WIDTH));
    }

    #[test]
    fn prose_is_wrapped_in_its_column() {
        let mut table = Table::new(&["name", "why", "n"], 2).prose(1);
        table.row(vec!["a".into(), "word ".repeat(30).trim().into(), "7".into()]);
        let text = show(&table);
        assert!(text.lines().count() > 2 && text.lines().all(|line| columns(line) <= WIDTH));
        assert!(text.lines().nth(1).is_some_and(|line| line.ends_with('7')), "{text}");
    }
}
