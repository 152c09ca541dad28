//! Where something was found, and how found text is shown.
//!
//! A message never grows with the file: what was found is escaped and cut to [`SHOWN`] characters,
//! so that a hostile cell can neither flood a terminal nor steer it.

use std::fmt;
use std::sync::Arc;

/// Characters of a found text that a message shows.
pub const SHOWN: usize = 60;

/// Where something was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Name of the file, or `stdin`.
    pub file: String,
    /// Line, counted from 1.
    pub line: Option<u64>,
    /// Row of data, counted from 1, where there are no lines.
    pub row: Option<u64>,
    /// Spot within the line.
    pub spot: Option<Spot>,
}

/// A spot within a line: tables have columns, pairs only have characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spot {
    /// A field of a table.
    Column {
        /// Number of the column, counted from 1.
        number: usize,
        /// Its name, where one is known.
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
    /// Where in it.
    pub at: At,
}

/// Where in a file a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// At this line, counted from 1.
    Line(u64),
    /// At this row of data, counted from 0.
    Row(usize),
}

impl Place {
    /// The file as a whole.
    pub fn file(name: &str) -> Self {
        Self { file: name.to_owned(), line: None, row: None, spot: None }
    }

    /// A line of it.
    pub fn line(name: &str, line: u64) -> Self {
        Self { line: Some(line), ..Self::file(name) }
    }

    /// A cell of a table; `number` counts from 1.
    pub fn cell(file: &str, line: u64, number: usize, name: Option<&str>) -> Self {
        let name = name.map(str::to_owned);
        Self { spot: Some(Spot::Column { number, name }), ..Self::line(file, line) }
    }

    /// A whole column; `number` counts from 1.
    pub fn column(file: &str, number: usize, name: &str) -> Self {
        let name = Some(name.to_owned());
        Self { spot: Some(Spot::Column { number, name }), ..Self::file(file) }
    }

    /// A cell of a table without lines; `row` counts from 0, `number` from 1.
    pub fn row(file: &str, row: usize, number: usize, name: &str) -> Self {
        Self { row: Some(row as u64 + 1), ..Self::column(file, number, name) }
    }

    /// A cell of a record; `number` counts from 1.
    pub fn in_record(record: &Record, number: usize, name: &str) -> Self {
        match record.at {
            At::Line(line) => Self::cell(&record.file, line, number, Some(name)),
            At::Row(row) => Self::row(&record.file, row, number, name),
        }
    }

    /// A character of a line, counted from 1.
    pub fn character(file: &str, line: u64, character: usize) -> Self {
        Self { spot: Some(Spot::Character(character)), ..Self::line(file, line) }
    }

    /// The column's name, or its number where it has none: what an option would be given.
    pub(crate) fn column_name(&self) -> String {
        match &self.spot {
            Some(Spot::Column { name: Some(name), .. }) => name.clone(),
            Some(Spot::Column { number, .. }) => format!("V{number}"),
            _ => String::new(),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        if let Some(row) = self.row {
            write!(f, ", row {row}")?;
        }
        match &self.spot {
            Some(Spot::Column { number, name: Some(name) }) => {
                write!(f, ", column {number} ({})", escaped(name))
            }
            Some(Spot::Column { number, name: None }) => write!(f, ", column {number}"),
            Some(Spot::Character(character)) => write!(f, ", character {character}"),
            None => Ok(()),
        }
    }
}

/// A found text, quoted, escaped and cut to [`SHOWN`] characters.
pub(crate) fn shown(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

/// The same without the quotes around it.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars();
    for c in rest.by_ref().take(SHOWN) {
        // Quotes stand as they are: this is for people, not for a parser.
        if c == '"' || c == '\'' { out.push(c) } else { out.extend(c.escape_debug()) }
    }
    if rest.next().is_some() {
        out.push('…');
    }
    out
}

/// The first few of many names, escaped and cut like any found text.
pub(crate) fn few<S: AsRef<str>>(names: &[S]) -> String {
    const MOST: usize = 20;
    let first: Vec<String> = names.iter().take(MOST).map(|name| escaped(name.as_ref())).collect();
    match names.len().saturating_sub(MOST) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

/// A text as it would be given to an option in a shell.
pub(crate) fn argument(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-+.:@%/".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return escaped(text);
    }
    format!("'{}'", escaped(text).replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hostile_cell_neither_floods_nor_steers_the_terminal() {
        let text = shown(&format!("\u{1b}[2J{}", "x".repeat(100_000)));
        assert!(text.starts_with("\"\\u{1b}[2J") && text.chars().count() < 100, "{text}");
        assert_eq!(few(&["a", "\u{1b}[2J"]), "a, \\u{1b}[2J");
        assert_eq!(argument("two words"), "'two words'");
        assert_eq!(argument("it's"), "'it'\\''s'");
    }
}
