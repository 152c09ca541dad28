//! Errors of reading and writing files.
//!
//! Every message is one line: **location: expected …, found …. Remedy.** Settings are in backticks,
//! and backticks of other text are [doubled](literal). The interfaces map the variants to exit
//! codes.
//!
//! Faults of one format have their text where that format is read; those of several have it here.

use crate::location::{Location, excerpt, few, quoted_excerpt};
use crate::memory::Memory;
use crate::table::Table;
use linsep_core::control::literal;
use linsep_core::{Cancel, StopReason};
use std::io;

/// Reason why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Something other than expected.
    #[error("{place}: expected {expected}, found {found}.{}", sentence(.remedy))]
    Unexpected {
        /// The file, and the position in it, if known.
        place: Box<Location>,
        /// Expected content.
        expected: String,
        /// Content found there.
        found: String,
        /// Remedy, or none.
        remedy: String,
    },
    /// Another fault of a file, or of the data in it.
    #[error("{place}: {problem}.{}", sentence(.remedy))]
    Fault {
        /// The file, and the position in it, if known.
        place: Box<Location>,
        /// What is wrong.
        problem: String,
        /// Remedy, or none.
        remedy: String,
    },
    /// A request that is wrong for the files it names.
    #[error("{place}: {problem}.{}", sentence(.remedy))]
    Usage {
        /// The file.
        place: Box<Location>,
        /// What is wrong.
        problem: String,
        /// Remedy, or none.
        remedy: String,
    },
    /// A need for more memory than the limit.
    #[error(
        "{place}: {what} requires at least {needs} of memory; the limit is {limit}. Raise it with \
         `memory`, or {instead}."
    )]
    Memory {
        /// The file.
        place: Box<Location>,
        /// Object that takes the memory.
        what: String,
        /// Lower bound on the memory needed.
        needs: Memory,
        /// Memory limit.
        limit: Memory,
        /// Remedy other than a higher limit.
        instead: &'static str,
    },
    /// Reading failed.
    #[error(
        "{place}: reading failed ({source}). Check the disk or the program that feeds the pipe."
    )]
    Read {
        /// The file.
        place: Box<Location>,
        /// Error of the system.
        source: io::Error,
    },
    /// Writing failed.
    #[error(
        "{place}: writing failed ({source}); nothing was written. Check the folder and the disk."
    )]
    Write {
        /// The file.
        place: Box<Location>,
        /// Error of the system.
        source: io::Error,
    },
    /// A file that was written, but may be lost in a power failure.
    #[error(
        "{place}: the file was written, but flushing its folder to the disk failed ({source}). Check the \
         disk, and write the file again."
    )]
    Unsynced {
        /// The file.
        place: Box<Location>,
        /// Error of the system.
        source: io::Error,
    },
    /// A setting outside its range.
    #[error("{}: expected {want}, found {}", setting(.name), literal(.got))]
    Setting {
        /// The setting.
        name: &'static str,
        /// Value found.
        got: String,
        /// Valid values.
        want: &'static str,
    },
    /// Settings that exclude each other.
    #[error("`{name}` cannot be combined with {other}")]
    IncompatibleSettings {
        /// Name of the setting.
        name: &'static str,
        /// The other setting, or the kind of data.
        other: &'static str,
    },
}

impl Error {
    /// Whether the request is at fault, and not the data.
    pub fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::Usage { .. } | Self::Setting { .. } | Self::IncompatibleSettings { .. }
        )
    }

    /// Returns the error for something other than expected.
    #[cold]
    pub(crate) fn unexpected(
        place: Location,
        expected: impl Into<String>,
        found: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        let place = Box::new(place);
        let (expected, found, remedy) = (expected.into(), found.into(), remedy.into());
        Self::Unexpected { place, expected, found, remedy }
    }

    /// Returns the error for another fault.
    #[cold]
    pub(crate) fn fault(
        place: Location,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::Fault { place: Box::new(place), problem: problem.into(), remedy: remedy.into() }
    }

    /// Returns the error for a wrong request.
    pub(crate) fn usage(
        place: Location,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::Usage { place: Box::new(place), problem: problem.into(), remedy: remedy.into() }
    }

    /// Returns the error for a file without rows: it is empty, or has only a header line.
    pub(crate) fn no_rows(file: &str, header: bool) -> Self {
        let (found, remedy) = if header {
            let remedy = "Add rows, or, if that line is data, use `header=false`.";
            ("only a header line", remedy)
        } else {
            ("an empty file", "Check how it was written.")
        };
        Self::unexpected(Location::file(file), "rows of data", found, remedy)
    }

    /// Returns the error for a damaged file, or one of another format than the expected one.
    #[cfg(any(feature = "arrow", feature = "parquet"))]
    pub(crate) fn broken(file: &str, format: &str, problem: &str) -> Self {
        let found = format!("another or a damaged file: {}", brief(problem));
        Self::unexpected(
            Location::file(file),
            format,
            found,
            "Copy the file again, or recreate it.",
        )
    }

    /// Returns the error for a format that is recognized but not read.
    pub(crate) fn unsupported(file: &str, what: &str, remedy: &str) -> Self {
        let problem = format!("found {what}, which is not a supported format");
        Self::fault(Location::file(file), problem, remedy)
    }

    /// Returns the error for two columns with the same name, counted from 0.
    pub(crate) fn same_name(place: Location, name: &str, first: usize, second: usize) -> Self {
        let (first, second, name) = (first + 1, second + 1, quoted_excerpt(name));
        let problem = format!("columns {first} and {second} have the same name {name}");
        Self::fault(place, problem, "Rename one, or read the line as data with `header=false`.")
    }

    /// Returns the error for a file that has other columns than `first`, the first of a data set.
    pub(crate) fn other_columns(
        place: Location,
        first: &str,
        want: &str,
        found: &str,
        hint: &str,
    ) -> Self {
        let expected = format!("{want} as in {}", literal(first));
        let same = "Files read together need the same columns in the same order.";
        Self::unexpected(place, expected, found, format!("{same} {hint}"))
    }

    /// Returns the error for more distinct levels than codes.
    pub(crate) fn too_many_levels(file: &str) -> Self {
        let problem = "more than 4 294 967 294 distinct levels";
        Self::fault(Location::file(file), problem, "Drop the column.")
    }

    /// Returns the error for a cell of a numeric column that is not a number.
    pub(crate) fn not_a_number(place: Location, token: &str, others: u64) -> Self {
        let (column, token) = (excerpt(&place.column_name()), excerpt(token));
        let likewise = match others {
            0 => String::new(),
            1 => " (and 1 similar cell in this column)".to_owned(),
            n => format!(" (and {n} similar cells in this column)"),
        };
        let remedy = format!(
            "Correct it, mark it as missing (`na={token}`), or read the column as categorical \
             (`categorical={column}`)."
        );
        Self::unexpected(place, "a number", format!("\"{token}\"{likewise}"), remedy)
    }

    /// Returns the error for an infinite number, written as one or by overflow.
    pub(crate) fn not_finite(place: Location, token: &str) -> Self {
        let token = excerpt(token);
        let remedy = format!("Correct it, or mark it as missing (`na={token}`).");
        Self::unexpected(place, "a finite number", format!("\"{token}\""), remedy)
    }

    /// Returns the error for a column that a table does not have.
    pub fn no_column(table: &Table, name: &str) -> Self {
        let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        Self::no_column_among(&table.name, name, &names)
    }

    /// Returns the error for a column name that is not in `names`.
    pub fn no_column_among<S: AsRef<str>>(file: &str, name: &str, names: &[S]) -> Self {
        // Matches names up to case and blanks, or the number of an unnamed column.
        let same = |own: &&str| own.trim().to_lowercase() == name.trim().to_lowercase();
        let numbered = |own: &&str| own.strip_prefix('V') == Some(name);
        let own = || names.iter().map(AsRef::as_ref);
        let near = own()
            .find(same)
            .or_else(|| own().find(numbered))
            .or_else(|| nearest(name, own()))
            .map_or_else(String::new, |near| format!("Did you mean {}?", quoted_excerpt(near)));
        let problem =
            format!("no column {}. The columns are: {}", quoted_excerpt(name), few(names));
        Self::usage(Location::file(file), problem, near)
    }

    /// Returns an error if the run has ended.
    pub(crate) fn if_ended(cancel: &Cancel, file: &str) -> Result<(), Self> {
        let Some(why) = cancel.reason() else { return Ok(()) };
        let at = if why == StopReason::TimeLimit { " at the time limit" } else { "" };
        let problem = format!("reading was interrupted{at}");
        Err(Self::fault(Location::file(file), problem, ""))
    }

    /// Converts an error of opening or reading `name` into the variant with the fitting remedy. An
    /// error of this crate that passed through a reader comes back unchanged.
    pub fn from_io(name: &str, source: io::Error) -> Self {
        let place = Location::file(name);
        match source.downcast() {
            Ok(own) => own,
            Err(source) => match source.kind() {
                io::ErrorKind::NotFound => {
                    Self::fault(place, "file not found", "Check the name and the folder.")
                }
                io::ErrorKind::IsADirectory => Self::folder(name),
                io::ErrorKind::PermissionDenied => {
                    let remedy = "Change its mode, or ask its owner.";
                    Self::fault(place, "no permission to read this file", remedy)
                }
                _ => Self::Read { place: Box::new(place), source },
            },
        }
    }

    /// Returns the error for a folder where a file is expected.
    pub(crate) fn folder(name: &str) -> Self {
        let remedy = "Name one of the files in it.";
        Self::unexpected(Location::file(name), "a file", "a folder", remedy)
    }
}

/// Lets an error of this crate pass through the readers of others; see [`Error::from_io`].
impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        Self::other(error)
    }
}

/// Error of work on blocks of a stream of rows, in which row numbers count from the block.
pub trait StreamError: From<Error> + Send {
    /// Adds `rows` to the row number of the error, for a block that starts after `rows` rows.
    fn after(self, rows: usize) -> Self;
}

impl StreamError for Error {
    fn after(mut self, rows: usize) -> Self {
        if let Self::Unexpected { place, .. } = &mut self
            && let Some(row) = &mut place.row
        {
            *row += rows as u64;
        }
        self
    }
}

/// Returns the most similar name, if it differs in few enough letters to be a typing error
/// (Damerau–Levenshtein).
fn nearest<'a>(name: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    const SIMILAR: f64 = 0.6;
    let name = name.to_lowercase();
    let likeness =
        |own: &'a str| (strsim::normalized_damerau_levenshtein(&name, &own.to_lowercase()), own);
    let best = names.map(likeness).reduce(|a, b| if b.0 > a.0 { b } else { a })?;
    (best.0 >= SIMILAR).then_some(best.1)
}

/// Returns the message of another crate in one line of bounded length, without its final period.
#[cfg(any(feature = "arrow", feature = "parquet"))]
fn brief(text: &str) -> String {
    const MOST: usize = 160;
    let line = text.trim().lines().next().unwrap_or_default().trim_end_matches('.');
    let mut out: String = line.chars().take(MOST).flat_map(char::escape_debug).collect();
    if line.chars().nth(MOST).is_some() {
        out.push('…');
    }
    literal(&out).into_owned()
}

/// Formats a name as a setting, if interfaces have a setting of this name.
fn setting(name: &str) -> String {
    match name {
        "max_columns" | "max_record" => name.to_owned(),
        _ => format!("`{}`", name.replace('_', "-")),
    }
}

/// Returns a remedy as a further sentence.
fn sentence(remedy: &str) -> String {
    if remedy.is_empty() { String::new() } else { format!(" {remedy}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_of_a_non_numeric_cell() {
        let place = Location::cell("iris.csv", 7, 3, Some("petal_length"));
        let error = Error::not_a_number(place, "abc", 0);
        assert_eq!(
            error.to_string(),
            "iris.csv, line 7, column 3 (petal_length): expected a number, found \"abc\". Correct \
             it, mark it as missing (`na=abc`), or read the column as categorical \
             (`categorical=petal_length`)."
        );
    }
}
