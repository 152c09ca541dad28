//! Locations in files, and the display of text found there.
//!
//! The length of a message does not depend on the file: text from the file is escaped and truncated
//! to [`SHOWN`] characters. A hostile cell can therefore neither flood nor control a terminal.

use linsep_core::control::literal;
use std::fmt;
use std::sync::Arc;

/// Maximum number of characters of a found text in a message.
pub const SHOWN: usize = 60;

/// Location in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Name of the file, or `stdin`.
    pub file: String,
    /// Line, counted from 1.
    pub line: Option<u64>,
    /// Row of data, counted from 1, in formats without lines.
    pub row: Option<u64>,
    /// Position within the line.
    pub spot: Option<Spot>,
}

/// Position within a line: tables have columns, sparse rows only characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spot {
    /// A field of a table.
    Column {
        /// Number of the column, counted from 1.
        number: usize,
        /// Name of the column, if known.
        name: Option<String>,
    },
    /// A character of the line, counted from 1.
    Character(usize),
}

/// A record of a file: text has lines, other formats have only rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Name of the file.
    pub file: Arc<str>,
    /// Position in the file.
    pub at: At,
}

/// Position of a record in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Line, counted from 1.
    Line(u64),
    /// Row of data, counted from 0.
    Row(usize),
}

impl Location {
    /// Returns the location of a whole file.
    pub fn file(name: &str) -> Self {
        Self { file: name.to_owned(), line: None, row: None, spot: None }
    }

    /// Returns the location of a line.
    pub fn line(name: &str, line: u64) -> Self {
        Self { line: Some(line), ..Self::file(name) }
    }

    /// Returns the location of a cell of a table; `number` counts from 1.
    pub fn cell(file: &str, line: u64, number: usize, name: Option<&str>) -> Self {
        let name = name.map(str::to_owned);
        Self { spot: Some(Spot::Column { number, name }), ..Self::line(file, line) }
    }

    /// Returns the location of a whole column; `number` counts from 1.
    pub fn column(file: &str, number: usize, name: &str) -> Self {
        let name = Some(name.to_owned());
        Self { spot: Some(Spot::Column { number, name }), ..Self::file(file) }
    }

    /// Returns the location of a cell of a table without lines; `row` counts from 0, `number` from
    /// 1.
    pub fn row(file: &str, row: usize, number: usize, name: &str) -> Self {
        Self { row: Some(row as u64 + 1), ..Self::column(file, number, name) }
    }

    /// Returns the location of a cell of a record; `number` counts from 1.
    pub(crate) fn in_record(record: &Record, number: usize, name: &str) -> Self {
        match record.at {
            At::Line(line) => Self::cell(&record.file, line, number, Some(name)),
            At::Row(row) => Self::row(&record.file, row, number, name),
        }
    }

    /// Returns the location of a character of a line, counted from 1.
    pub fn character(file: &str, line: u64, character: usize) -> Self {
        Self { spot: Some(Spot::Character(character)), ..Self::line(file, line) }
    }

    /// Returns the name of the column, or V and its number if unnamed: the form accepted by
    /// options.
    pub(crate) fn column_name(&self) -> String {
        match &self.spot {
            Some(Spot::Column { name: Some(name), .. }) => name.clone(),
            Some(Spot::Column { number, .. }) => format!("V{number}"),
            _ => String::new(),
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&literal(&self.file))?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        if let Some(row) = self.row {
            write!(f, ", row {row}")?;
        }
        match &self.spot {
            Some(Spot::Column { number, name: Some(name) }) => {
                write!(f, ", column {number} ({})", excerpt(name))
            }
            Some(Spot::Column { number, name: None }) => write!(f, ", column {number}"),
            Some(Spot::Character(character)) => write!(f, ", character {character}"),
            None => Ok(()),
        }
    }
}

/// Returns a found text quoted, escaped and truncated to [`SHOWN`] characters.
pub fn quoted_excerpt(text: &str) -> String {
    format!("\"{}\"", excerpt(text))
}

/// Returns a found text escaped and truncated, without quotes. Backticks are doubled, as in every
/// [message](linsep_core::control::literal).
pub fn excerpt(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars();
    for c in rest.by_ref().take(SHOWN) {
        match c {
            // Quotes are not escaped: messages are not parsed.
            '"' | '\'' => out.push(c),
            '`' => out.push_str("``"),
            c => out.extend(c.escape_debug()),
        }
    }
    if rest.next().is_some() {
        out.push('…');
    }
    out
}

/// Returns the first of many names, escaped and truncated like any found text.
pub fn few<S: AsRef<str>>(names: &[S]) -> String {
    const MOST: usize = 20;
    let first: Vec<String> = names.iter().take(MOST).map(|name| excerpt(name.as_ref())).collect();
    match names.len().saturating_sub(MOST) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

/// Returns an excerpt quoted as a shell argument, if need be.
pub fn shell_argument(excerpt: &str) -> String {
    // An ellipsis ends a truncated text.
    let plain = |c: char| c.is_alphanumeric() || "_-+.:@%/…".contains(c);
    if !excerpt.is_empty() && excerpt.chars().all(plain) {
        return excerpt.to_owned();
    }
    format!("'{}'", excerpt.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_is_escaped_and_truncated() {
        let text = quoted_excerpt(&format!("\u{1b}[2J{}", "x".repeat(100_000)));
        assert!(text.starts_with("\"\\u{1b}[2J") && text.chars().count() < 100, "{text}");
        assert_eq!(few(&["a", "\u{1b}[2J"]), "a, \\u{1b}[2J");
        assert_eq!(shell_argument("two words"), "'two words'");
        assert_eq!(shell_argument("it's"), "'it'\\''s'");
        assert_eq!(quoted_excerpt("a`b"), "\"a``b\"");
        assert_eq!(Location::line("a`b.csv", 1).to_string(), "a``b.csv, line 1");
    }
}
