//! Errors of reading and writing files.
//!
//! Every message is one line: **location: expected …, found …. Remedy.** Settings are in backticks,
//! and backticks of other text are [doubled](literal). The interfaces map the variants to exit
//! codes; the messages are defined here only.
//!
//! Over 400 lines: one enum, every variant with its message and its documented fields.

use crate::location::{Location, excerpt, few, quoted_excerpt};
use crate::memory::{Exceeded, Memory};
use crate::table::Table;
use linsep_core::control::literal;
use std::io;

/// Reason why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No file of this name.
    #[error("{place}: file not found. Check the name and the folder.")]
    Missing {
        /// The file.
        place: Box<Location>,
    },
    /// A folder where a file is expected.
    #[error("{place}: expected a file, found a folder. Name one of the files in it.")]
    Folder {
        /// The folder.
        place: Box<Location>,
    },
    /// The system denies permission to open the file.
    #[error("{place}: no permission to read this file. Change its mode, or ask its owner.")]
    Denied {
        /// The file.
        place: Box<Location>,
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
    /// A run that was ended while its data were read.
    #[error("{place}: reading was interrupted{}.", if *.time { " at the time limit" } else { "" })]
    Interrupted {
        /// The file.
        place: Box<Location>,
        /// Whether the time limit ended the run; otherwise the user did.
        time: bool,
    },
    /// A truncated compressed file.
    #[error(
        "{place}: the {compression} data is truncated after {offset} decompressed bytes. Copy or \
         download the file again."
    )]
    Truncated {
        /// The file.
        place: Box<Location>,
        /// Compression format.
        compression: &'static str,
        /// Bytes decompressed before the fault.
        offset: u64,
    },
    /// A damaged compressed file.
    #[error(
        "{place}: the {compression} data is damaged after {offset} decompressed bytes. Copy or \
         download the file again."
    )]
    Damaged {
        /// The file.
        place: Box<Location>,
        /// Compression format.
        compression: &'static str,
        /// Bytes decompressed before the fault.
        offset: u64,
    },
    /// A compressed file whose decompression takes too much memory.
    #[error(
        "{place}: the {compression} data requires a window of more than 128 MiB or a quarter of \
         the memory limit. Decompress it first, or raise the limit with `memory`."
    )]
    Window {
        /// The file.
        place: Box<Location>,
        /// Compression format.
        compression: &'static str,
    },
    /// A file of another format than expected, or a damaged one.
    #[error(
        "{place}: expected {format}, found another or a damaged file: {problem}. Copy the file again, \
         or recreate it."
    )]
    Broken {
        /// The file, and the position in it, if known.
        place: Box<Location>,
        /// Expected format, with its article.
        format: &'static str,
        /// Fault of the file.
        problem: String,
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
    /// A column that is neither numeric nor categorical.
    #[error("{place}: expected numbers or text, found {what}. {hint} `drop={}`.",
        excerpt(&.place.column_name()))]
    Unreadable {
        /// The column.
        place: Box<Location>,
        /// Content of the column.
        what: String,
        /// Remedy, up to the option.
        hint: &'static str,
    },
    /// A table out of proportion to the size of its file.
    #[error(
        "{place}: the file declares {rows} rows of {columns} columns in {bytes} bytes, which is \
         too few bytes. Check how it was written, or drop columns with `drop`."
    )]
    TooLarge {
        /// The file.
        place: Box<Location>,
        /// Number of rows stated in the file.
        rows: u64,
        /// Number of columns.
        columns: usize,
        /// Bytes of the file.
        bytes: u64,
    },
    /// Files of one data set with inconsistent columns.
    #[error(
        "{place}: expected {want} as in {}, found {found}. Files read together need the same \
         columns in the same order. {hint}",
        literal(.first)
    )]
    OtherColumns {
        /// The file, and the column if there is one.
        place: Box<Location>,
        /// The first file.
        first: String,
        /// Finding in this file.
        found: String,
        /// Finding in the first file at the same place.
        want: String,
        /// Remedy.
        hint: String,
    },
    /// Files of one data set in different formats.
    #[error(
        "{place}: detected format {found}, but {} is {want}. Use files of one format, or set \
         it with `format`.",
        literal(.first)
    )]
    OtherFormat {
        /// The file.
        place: Box<Location>,
        /// The first file.
        first: String,
        /// Format of this file.
        found: &'static str,
        /// Format of the first file.
        want: &'static str,
    },
    /// No record at all.
    #[error("{place}: expected rows of data, found an empty file. Check how it was written.")]
    Empty {
        /// The file.
        place: Box<Location>,
    },
    /// A header without rows.
    #[error(
        "{place}: expected rows of data, found only a header line. Add rows, or, if that line is \
         data, use `header=false`."
    )]
    NoRows {
        /// The file.
        place: Box<Location>,
    },
    /// Not text.
    #[error("{place}: expected text, found {what} (byte {offset}). {hint}")]
    Binary {
        /// The file.
        place: Box<Location>,
        /// Position of the byte that excludes text, counted from 0.
        offset: usize,
        /// Probable format, with its article.
        what: &'static str,
        /// Remedy.
        hint: &'static str,
    },
    /// Text in a format that is not read.
    #[error("{place}: found {what}, which is not a supported format. {hint}")]
    UnsupportedFormat {
        /// The file.
        place: Box<Location>,
        /// Probable format, with its article.
        what: &'static str,
        /// Remedy.
        hint: &'static str,
    },
    /// A record longer than the limit.
    #[error(
        "{place}: this record is longer than the limit of {limit} bytes. Check for an unclosed \
         quote or missing line ends, or raise the limit."
    )]
    TooLong {
        /// Start of the record.
        place: Box<Location>,
        /// The limit in bytes.
        limit: usize,
    },
    /// The file ends inside a quoted field.
    #[error(
        "{place}: unclosed quote. Close it, or read quotes as ordinary characters with \
         `quote=none`."
    )]
    OpenQuote {
        /// Position of the opening quote.
        place: Box<Location>,
    },
    /// Text between a closing quote and the next delimiter.
    #[error(
        "{place}: expected the end of the field after a closing quote, found {found}. Double the \
         quotes inside the field, or read quotes as ordinary characters with `quote=none`."
    )]
    AfterQuote {
        /// The field.
        place: Box<Location>,
        /// The text found there, escaped.
        found: String,
    },
    /// A record with a different number of fields than the first.
    #[error(
        "{place}: expected {} as in the first record, found {found}. Check for missing \
         or extra delimiters, quote fields that contain {delimiter}, or set it with `delimiter`.",
        fields(*.expected)
    )]
    Ragged {
        /// The record.
        place: Box<Location>,
        /// Number of fields of the record.
        found: usize,
        /// Number of fields of the first record.
        expected: usize,
        /// Name of the delimiter.
        delimiter: &'static str,
    },
    /// Two columns with the same name.
    #[error(
        "{place}: columns {first} and {second} have the same name {}. Rename one, or read the \
         line as data with `header=false`.",
        quoted_excerpt(.name)
    )]
    DuplicateColumn {
        /// The header.
        place: Box<Location>,
        /// The name.
        name: String,
        /// The first column with this name, counted from 1.
        first: usize,
        /// The second column, counted from 1.
        second: usize,
    },
    /// A setting that names a column not in the file.
    #[error(
        "{place}: no column {}. The columns are: {known}.{}",
        quoted_excerpt(.name), meant(.near.as_deref())
    )]
    NoColumn {
        /// The file.
        place: Box<Location>,
        /// Name in the setting.
        name: String,
        /// Names of the columns (the first few).
        known: String,
        /// Column probably meant.
        near: Option<String>,
    },
    /// A non-numeric cell in a numeric column.
    #[error(
        "{place}: expected a number, found {}{}. Correct it, mark it as missing (`na={}`), or \
         read the column as categorical (`categorical={}`).",
        quoted_excerpt(.token), likewise(*.others), excerpt(.token), excerpt(&.place.column_name())
    )]
    NonNumericCell {
        /// The cell.
        place: Box<Location>,
        /// Text of the cell.
        token: String,
        /// Number of further non-numeric cells in the column.
        others: u64,
    },
    /// An infinite number, written as one or by overflow.
    #[error(
        "{place}: expected a finite number, found {}. Correct it, or mark it as missing (`na={}`).",
        quoted_excerpt(.token), excerpt(.token)
    )]
    NotFinite {
        /// The cell or pair.
        place: Box<Location>,
        /// The text.
        token: String,
    },
    /// A LIBSVM line that does not start with a label.
    #[error("{place}: expected {want}, found {}.", quoted_excerpt(.found))]
    Label {
        /// The token.
        place: Box<Location>,
        /// The text.
        found: String,
        /// Expected form of a label.
        want: &'static str,
    },
    /// A LIBSVM token that is not a pair.
    #[error("{place}: expected {want}, found {}. Write pairs as index:value.", quoted_excerpt(.found))]
    Pair {
        /// The token.
        place: Box<Location>,
        /// The text.
        found: String,
        /// The faulty part and its expected form.
        want: &'static str,
    },
    /// A LIBSVM value that is not a finite number.
    #[error(
        "{place}: expected a finite value, found {}. Remove pairs with unknown values, and \
         replace infinities.",
        quoted_excerpt(.found)
    )]
    Value {
        /// The token.
        place: Box<Location>,
        /// The text.
        found: String,
    },
    /// A LIBSVM index outside its range.
    #[error("{place}: expected an index from {first} to {last}, found {}. {hint}", quoted_excerpt(.found))]
    Index {
        /// The token.
        place: Box<Location>,
        /// The index as written.
        found: String,
        /// Smallest index allowed.
        first: u64,
        /// Largest index allowed.
        last: u64,
        /// Remedy.
        hint: &'static str,
    },
    /// LIBSVM indices that are not ascending.
    #[error(
        "{place}: expected ascending indices, found {index} after {before}. Sort the pairs of the \
         line, or remove `strict`."
    )]
    Order {
        /// The token.
        place: Box<Location>,
        /// The index found.
        index: u64,
        /// The index before it.
        before: u64,
    },
    /// The same LIBSVM index twice in one line.
    #[error("{place}: duplicate index {index} in one line. Keep one of the two.")]
    DuplicateIndex {
        /// Second occurrence.
        place: Box<Location>,
        /// The index.
        index: u64,
    },
    /// A token outside the strict LIBSVM format.
    #[error(
        "{place}: found {what}, which the strict format does not allow. Remove it, or remove \
         `strict`."
    )]
    NotStrict {
        /// The token.
        place: Box<Location>,
        /// Kind of the token.
        what: &'static str,
    },
    /// More distinct levels than codes.
    #[error("{place}: more than 4 294 967 294 distinct levels. Drop the column.")]
    TooManyLevels {
        /// The file.
        place: Box<Location>,
    },
    /// A second pass over a file that differs from the first.
    #[error(
        "{place}: the file changed during reading. Run the command again when nothing writes \
        to the file."
    )]
    Changed {
        /// The file.
        place: Box<Location>,
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
    /// An output that is also an input of the same command.
    #[error("{place}: `{setting}` would overwrite the input {}. Choose another name.", literal(.input))]
    OverwritesInput {
        /// The output.
        place: Box<Location>,
        /// The setting that names the output.
        setting: &'static str,
        /// The input.
        input: String,
    },
    /// Two outputs of a command with the same file.
    #[error("{place}: `{setting}` and `{other}` name the same file. Use different names.")]
    SameOutput {
        /// The second output.
        place: Box<Location>,
        /// The setting that names the second output.
        setting: &'static str,
        /// The setting of the first output.
        other: &'static str,
    },
    /// An existing file of another kind at the place of an output.
    #[error(
        "{place}: `{setting}` overwrites only {want}, found another file. Choose another name, or \
         add `force`."
    )]
    OtherFile {
        /// The file.
        place: Box<Location>,
        /// The setting that names the output.
        setting: &'static str,
        /// Kind of file to be written, with its article.
        want: &'static str,
    },
    /// Integer class labels that doubles do not represent exactly, in a stream.
    #[error(
        "{place}: the classes are integers above 2^53, which are not exact as floating-point \
         numbers. Use a file instead of a pipe, or read them as categorical (`categorical={}`).",
        excerpt(&.place.column_name())
    )]
    InexactClasses {
        /// The column.
        place: Box<Location>,
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
            Self::Setting { .. }
                | Self::IncompatibleSettings { .. }
                | Self::NoColumn { .. }
                | Self::OverwritesInput { .. }
                | Self::SameOutput { .. }
        )
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
        Self::NoColumn {
            place: Box::new(Location::file(file)),
            name: name.to_owned(),
            known: few(names),
            near: own()
                .find(same)
                .or_else(|| own().find(numbered))
                .or_else(|| nearest(name, own()))
                .map(str::to_owned),
        }
    }

    /// Converts an error of opening or reading `name` into the variant with the fitting remedy.
    pub fn from_io(name: &str, source: io::Error) -> Self {
        let place = Box::new(Location::file(name));
        #[cfg(feature = "compress")]
        if let Some(fault) = crate::compress::fault(name, &source) {
            return fault;
        }
        if let Some(Exceeded { what, bytes, limit }) =
            source.get_ref().and_then(|e| e.downcast_ref())
        {
            return limit.exceeded(name, what, u128::from(*bytes));
        }
        if let Some(ended) = source.get_ref().and_then(|e| e.downcast_ref()) {
            let time = matches!(ended, linsep_core::Error::Ended { time: true, .. });
            return Self::Interrupted { place, time };
        }
        match source.kind() {
            io::ErrorKind::NotFound => Self::Missing { place },
            io::ErrorKind::IsADirectory => Self::Folder { place },
            io::ErrorKind::PermissionDenied => Self::Denied { place },
            _ => Self::Read { place, source },
        }
    }
}

/// Error of work on blocks of a stream of rows, in which row numbers count from the block.
pub trait StreamError: From<Error> + Send {
    /// Adds `rows` to the row number of the error, for a block that starts after `rows` rows.
    fn after(self, rows: usize) -> Self;
}

impl StreamError for Error {
    fn after(mut self, rows: usize) -> Self {
        if let Self::NonNumericCell { place, .. } | Self::NotFinite { place, .. } = &mut self
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

/// Returns a question if a similar name exists.
fn meant(near: Option<&str>) -> String {
    near.map_or_else(String::new, |name| format!(" Did you mean {}?", quoted_excerpt(name)))
}

/// Returns the message of another crate in one line of bounded length, without its final period.
pub fn brief(text: &str) -> String {
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

fn fields(n: usize) -> String {
    if n == 1 { "1 field".to_owned() } else { format!("{n} fields") }
}

fn likewise(n: u64) -> String {
    match n {
        0 => String::new(),
        1 => " (and 1 similar cell in this column)".to_owned(),
        n => format!(" (and {n} similar cells in this column)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_of_a_non_numeric_cell() {
        let place = Box::new(Location::cell("iris.csv", 7, 3, Some("petal_length")));
        let error = Error::NonNumericCell { place, token: "abc".into(), others: 0 };
        assert_eq!(
            error.to_string(),
            "iris.csv, line 7, column 3 (petal_length): expected a number, found \"abc\". Correct \
             it, mark it as missing (`na=abc`), or read the column as categorical \
             (`categorical=petal_length`)."
        );
    }
}
