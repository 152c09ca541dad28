//! Errors of reading and writing files.
//!
//! Every message is one or two sentences: **location: what was found, and what was expected.
//! Remedy.** The interfaces map the variants to exit codes; the messages are defined here only.
//!
//! Over 400 lines: one enum, every variant with its message and its documented fields.

use crate::compress::{Damage, DamageKind};
use crate::location::{Location, argument, few, quoted_excerpt};
use crate::memory::{Exceeded, Memory};
use crate::table::Table;
use std::io;

/// Reason why a file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No file of this name.
    #[error("{place}: there is no such file. Check the name and the folder it is looked for in.")]
    Missing {
        /// The file.
        place: Box<Location>,
    },
    /// A folder where a file is expected.
    #[error("{place}: this is a folder where a file belongs. Name one of the files in it.")]
    Folder {
        /// The folder.
        place: Box<Location>,
    },
    /// The system denies permission to open the file.
    #[error("{place}: no permission to read this file. Ask its owner, or change its mode.")]
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
    /// A truncated compressed file.
    #[error(
        "{place}: the {compression} data ends too early, after {offset} bytes of what was packed. Copy or \
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
        "{place}: the {compression} data is damaged, after {offset} bytes of what was packed. Copy or \
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
        "{place}: the {compression} data asks for a window of more than 128 MiB, or of a quarter of the memory limit. Unpack it \
         first, or raise the limit with --memory."
    )]
    Window {
        /// The file.
        place: Box<Location>,
        /// Compression format.
        compression: &'static str,
    },
    /// A file of another format than expected, or a damaged one.
    #[error(
        "{place}: this is not {format}, or a damaged one: {problem}. Copy the file again, or write it \
         anew."
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
        "{place}: at least {needs} of memory are needed for {what}, and the limit is {limit}. Raise it with --memory, or \
         {instead}."
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
    /// Failure to write or read temporary files.
    #[error(
        "{place}: writing temporary files failed ({source}). Free some space there, or name another folder with \
         --temp-dir."
    )]
    Temporary {
        /// The folder.
        place: Box<Location>,
        /// Error of the system.
        source: io::Error,
    },
    /// A column that is neither numeric nor categorical.
    #[error("{place}: this column holds {what}, where numbers or words belong. {hint} --drop {}.",
        argument(&.place.column_name()))]
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
        "{place}: the file promises {rows} rows of {columns} columns in {bytes} bytes, which is more \
         than fits. Check how it was written, or read a part of its columns with --drop."
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
        "{place}: {found}, where {first} has {want}. Files that are read as one need the same columns \
         in the same order. {hint}"
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
    /// A time column without times.
    #[error(
        "{place}: {} is no time that rows could be put in order by. Give a column of numbers, or of dates \
         written from the year on, such as 2024-05-31.",
        quoted_excerpt(.found)
    )]
    NoTime {
        /// The column.
        place: Box<Location>,
        /// Content of a cell.
        found: String,
    },
    /// A number of folds that the data does not allow.
    #[error(
        "{place}: there cannot be {folds} folds of {what}. {}",
        if *most < 2 { "Cut by something else.".to_owned() } else { format!("Ask for 2 to {most} of them with --folds.") }
    )]
    Folds {
        /// The data.
        place: Box<Location>,
        /// Number of folds requested.
        folds: usize,
        /// Units that are divided into folds.
        what: String,
        /// Maximum number of folds.
        most: usize,
    },
    /// A class missing from the training set of some fold.
    #[error(
        "{place}: with {folds} folds, all rows of class {} are in one of them, so that nothing can be learned \
         of it there. Cut fewer folds, cut them otherwise, or leave these rows out.",
        quoted_excerpt(.class)
    )]
    ClassMissingFromFold {
        /// The data.
        place: Box<Location>,
        /// The class.
        class: String,
        /// Number of folds.
        folds: usize,
    },
    /// Files of one data set in different formats.
    #[error(
        "{place}: this file is read as {found}, but {first} as {want}. Give files of one format, or say \
         which it is with --format."
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
    #[error("{place}: the file is empty where rows of data belong. Check how it was written.")]
    Empty {
        /// The file.
        place: Box<Location>,
    },
    /// A header without rows.
    #[error(
        "{place}: found only a header line where rows of data belong. Add rows, or, if that line \
         is data, read the file with --no-header."
    )]
    NoRows {
        /// The file.
        place: Box<Location>,
    },
    /// Not text.
    #[error("{place}: at byte {offset} this looks like {what}, not like text. {hint}")]
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
    #[error("{place}: this looks like {what}, which linsep does not read. {hint}")]
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
        "{place}: the record that starts here is longer than {limit} bytes. Check for a quote that \
         is never closed or for missing line ends, or raise the limit."
    )]
    TooLong {
        /// Start of the record.
        place: Box<Location>,
        /// The limit in bytes.
        limit: usize,
    },
    /// The file ends inside a quoted field.
    #[error(
        "{place}: the quote that opens here is never closed. Close it, or read quotes as ordinary \
         characters with --quote none."
    )]
    OpenQuote {
        /// Position of the opening quote.
        place: Box<Location>,
    },
    /// Text between a closing quote and the next delimiter.
    #[error(
        "{place}: found {found} after a closing quote, where the field should end. Double the \
         quotes inside the field, or read quotes as ordinary characters with --quote none."
    )]
    AfterQuote {
        /// The field.
        place: Box<Location>,
        /// The text found there, escaped.
        found: String,
    },
    /// A record with a different number of fields than the first.
    #[error(
        "{place}: found {} where the first record has {expected}. Look for a delimiter too \
         many or too few, quote fields that contain {delimiter}, or set it with --delimiter.",
        fields(*.found)
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
        "{place}: columns {first} and {second} are both called {}. Rename one of them, or read \
         the line as data with --no-header.",
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
        "{place}: there is no column called {}. The columns are: {known}.{}",
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
        "{place}: found {} where a number belongs{}. Remove it, declare it missing with --na {}, \
         or treat the column as words with --categorical {}.",
        quoted_excerpt(.token), likewise(*.others), argument(.token), argument(&.place.column_name())
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
        "{place}: found {} where a finite number belongs. Replace it, or declare it missing with \
         --na {}.",
        quoted_excerpt(.token), argument(.token)
    )]
    NotFinite {
        /// The cell or pair.
        place: Box<Location>,
        /// The text.
        token: String,
    },
    /// A LIBSVM line that does not start with a label.
    #[error("{place}: found {} where a label belongs. Write {want}.", quoted_excerpt(.found))]
    Label {
        /// The token.
        place: Box<Location>,
        /// The text.
        found: String,
        /// Expected form of a label.
        want: &'static str,
    },
    /// A LIBSVM token that is not a pair.
    #[error("{place}: found {} where {want} belongs. Write pairs as index:value.", quoted_excerpt(.found))]
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
        "{place}: found {} where a finite value belongs. Leave out pairs whose value is unknown, \
         and replace infinities.",
        quoted_excerpt(.found)
    )]
    Value {
        /// The token.
        place: Box<Location>,
        /// The text.
        found: String,
    },
    /// A LIBSVM index outside its range.
    #[error("{place}: found index {} where one from {first} to {last} belongs. {hint}", quoted_excerpt(.found))]
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
        "{place}: found index {index} after index {before}, where indices must ascend. Sort the \
         pairs of the line, or read it without --strict."
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
    #[error("{place}: found index {index} for the second time in one line. Keep one of the two.")]
    DuplicateIndex {
        /// Second occurrence.
        place: Box<Location>,
        /// The index.
        index: u64,
    },
    /// A token outside the strict LIBSVM format.
    #[error(
        "{place}: found {what}, which the strict format does not have. Read it without --strict."
    )]
    NotStrict {
        /// The token.
        place: Box<Location>,
        /// Kind of the token.
        what: &'static str,
    },
    /// More distinct levels than codes.
    #[error("{place}: more than 4 294 967 294 different words. Drop the column that has them.")]
    TooManyLevels {
        /// The file.
        place: Box<Location>,
    },
    /// A second pass over a file that differs from the first.
    #[error("{place}: the file changed while it was being read. Read it again when it is at rest.")]
    Changed {
        /// The file.
        place: Box<Location>,
    },
    /// Writing failed.
    #[error(
        "{place}: writing failed ({source}). Nothing was written. Check the folder and the disk."
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
    #[error("{place}: --{flag} would overwrite the input {input}. Give --{flag} another name.")]
    OverwritesInput {
        /// The output.
        place: Box<Location>,
        /// The option that names the output.
        flag: &'static str,
        /// The input.
        input: String,
    },
    /// Two outputs of a command with the same file.
    #[error(
        "{place}: --{flag} would overwrite what --{other} writes. Give each of them a name of its own."
    )]
    SameOutput {
        /// The second output.
        place: Box<Location>,
        /// The option that names the second output.
        flag: &'static str,
        /// The option of the first output.
        other: &'static str,
    },
    /// An existing file of another kind at the place of an output.
    #[error(
        "{place}: found a file that is not {want}, so --{flag} does not overwrite it. Give --{flag} \
         another name, or add --force."
    )]
    OtherFile {
        /// The file.
        place: Box<Location>,
        /// The option that names the output.
        flag: &'static str,
        /// Kind of file to be written, with its article.
        want: &'static str,
    },
    /// A model whose description exceeds the header of a model file.
    #[error(
        "{place}: a model of {features} features needs {bytes} bytes of header, and a model file has room \
         for {limit}. Drop columns (--drop), hash levels (--max-levels), or write the data as LIBSVM."
    )]
    HeaderSize {
        /// The data or the model.
        place: Box<Location>,
        /// Number of features of the model.
        features: usize,
        /// Bytes that the header needs.
        bytes: usize,
        /// Maximum bytes of a header.
        limit: usize,
    },
    /// A model whose file would not be readable.
    #[error(
        "{place}: the model was not saved, because its file could not be read again: {problem}. Bring \
         the columns to moderate scales, and train again."
    )]
    NotSaved {
        /// The model.
        place: Box<Location>,
        /// Fault of the model.
        problem: String,
    },
    /// Not a model file, or a damaged one.
    #[error("{place}: this is not a linsep model, or a damaged one: {problem}.")]
    NotAModel {
        /// The file.
        place: Box<Location>,
        /// Fault of the file.
        problem: String,
    },
    /// Not a certificate of separation, or a damaged one.
    #[error("{place}: this is not a linsep certificate, or a damaged one: {problem}.")]
    NotACertificate {
        /// The file.
        place: Box<Location>,
        /// Fault of the file.
        problem: String,
    },
    /// A certificate that does not hold for the data.
    #[error("{place}: this certificate does not hold for the data: {problem}.")]
    CertificateRejected {
        /// The certificate.
        place: Box<Location>,
        /// Reason.
        problem: String,
    },
    /// A model with another format version.
    #[error(
        "{place}: this model has format version {found}, but this program reads version {known}. \
         Use a newer linsep, or train the model again."
    )]
    ModelVersion {
        /// The file.
        place: Box<Location>,
        /// Version of the model.
        found: u32,
        /// Version that this program reads.
        known: u32,
    },
    /// A missing cell where a value is required.
    #[error("{place}: this cell is missing where {want} belongs. {hint}")]
    MissingCell {
        /// The cell.
        place: Box<Location>,
        /// Expected content.
        want: &'static str,
        /// Remedy.
        hint: &'static str,
    },
    /// A negative number where only numbers ≥ 0 are valid.
    #[error(
        "{place}: found {found} where {want} belongs, which is 0 or more. Correct it, or take the row out."
    )]
    Negative {
        /// The cell.
        place: Box<Location>,
        /// The number.
        found: f64,
        /// Expected content.
        want: &'static str,
    },
    /// A sample weight so large or so small that sums overflow or underflow.
    #[error(
        "{place}: found {found:e} where {want} belongs, which is 0, or from 1e-100 to 1e100, so that sums can be \
         taken. Multiply all of them by the same number."
    )]
    Extreme {
        /// The cell.
        place: Box<Location>,
        /// The number.
        found: f64,
        /// Expected content.
        want: &'static str,
    },
    /// Sample weights or counts that are all 0.
    #[error(
        "{place}: every {what} is 0, so no row is left to learn from. Check what is given with \
         --{what}s."
    )]
    NoWeight {
        /// The file.
        place: Box<Location>,
        /// "weight" or "count".
        what: &'static str,
    },
    /// A categorical column where the recipe requires numbers.
    #[error("{place}: found {} where the model takes numbers.", quoted_excerpt(.found))]
    ExpectedNumeric {
        /// The column.
        place: Box<Location>,
        /// One of its levels.
        found: String,
    },
    /// A numeric column where the recipe requires levels.
    #[error("{place}: found numbers where the model takes words.")]
    ExpectedCategorical {
        /// The column.
        place: Box<Location>,
    },
    /// No feature column besides the target.
    #[error(
        "{place}: there is no column to learn from beside {}, which holds the classes{}. Check the \
         delimiter (--delimiter) and the target (--target).",
        quoted_excerpt(.target), because(.why)
    )]
    NoFeatures {
        /// The file.
        place: Box<Location>,
        /// The target.
        target: String,
        /// Why the other columns were dropped.
        why: String,
    },
    /// A single row.
    #[error(
        "{place}: there is only one row, and telling classes apart takes rows of two classes or more."
    )]
    OneRow {
        /// The file.
        place: Box<Location>,
    },
    /// Data with a missing value in every row.
    #[error(
        "{place}: every row misses a value, so none is left to learn from. Choose --missing impute, \
         or leave the emptiest columns out with --drop."
    )]
    NoRowLeft {
        /// The file.
        place: Box<Location>,
    },
    /// A file of sample weights with a different number of rows than the data.
    #[error("{place}: found {found} weights, but {data} has {rows} rows. Give one weight per row.")]
    OtherLength {
        /// The file.
        place: Box<Location>,
        /// Number of rows of the file.
        found: usize,
        /// The data.
        data: String,
        /// Number of rows of the data.
        rows: usize,
    },
    /// A renaming that matches no class.
    #[error(
        "--label-map {} does not say which class becomes which. Write it as OLD=NEW with classes \
         that are there.",
        argument(.pair)
    )]
    LabelMap {
        /// The pair as given.
        pair: String,
    },
    /// Integer class labels that doubles do not represent exactly, in a stream.
    #[error(
        "{place}: the classes are whole numbers beyond 2^53, which doubles cannot hold apart. Give a file \
         instead of a pipe, or read them as written with --categorical {}.",
        argument(&.place.column_name())
    )]
    InexactClasses {
        /// The column.
        place: Box<Location>,
    },
    /// A target with so many values that it looks like a measurement.
    #[error(
        "{place}: {} {distinct} distinct numeric values in {rows} rows; classification needs classes. \
         Bin the values{}; to train anyway, pass --force.",
        target.as_ref().map_or_else(|| "the labels have".to_owned(), |t| format!("target {} has", quoted_excerpt(t))),
        if target.is_some() { ", or name another column with --target" } else { "" }
    )]
    ManyValues {
        /// The file.
        place: Box<Location>,
        /// The target, if columns have names.
        target: Option<String>,
        /// Number of distinct values.
        distinct: usize,
        /// Number of rows.
        rows: usize,
    },
    /// Data of another kind than the training data of the model.
    #[error("{place}: found {found}, but the model was trained on {want}.")]
    OtherKind {
        /// The file.
        place: Box<Location>,
        /// Kind of the data.
        found: &'static str,
        /// Kind that the model requires.
        want: &'static str,
    },
    /// A model that cannot be shown as a scorecard.
    #[error(
        "{place}: the words of column {} share columns by their hash, so there are no names to put on a card. Fit with \
         --max-levels as large as the column has words, or leave it out with --drop.",
        quoted_excerpt(.column)
    )]
    NoScorecard {
        /// The model.
        place: Box<Location>,
        /// The column.
        column: String,
    },
    /// A file that is not a finite-state machine.
    #[error("{place}: {problem}. A machine has one next state for every state and symbol.")]
    Machine {
        /// The file.
        place: Box<Location>,
        /// Fault of the file.
        problem: String,
    },
    /// A file that is not a truth table.
    #[error("{place}: {problem}. {hint}")]
    TruthTable {
        /// The file, and the cell, if the fault is in one.
        place: Box<Location>,
        /// Fault of the file.
        problem: String,
        /// Remedy.
        hint: &'static str,
    },
    /// Data that the core crate rejects.
    #[error("{place}: {source}.")]
    Core {
        /// The file.
        place: Box<Location>,
        /// Error of the core crate.
        source: linsep::Error,
    },
    /// A setting outside its range.
    #[error("{name} is {got}, but must be {want}")]
    Setting {
        /// The setting.
        name: &'static str,
        /// Value found.
        got: String,
        /// Valid values.
        want: &'static str,
    },
}

impl Error {
    /// Returns the error for a column that a table does not have.
    pub(crate) fn no_column(table: &Table, name: &str) -> Self {
        let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
        Self::no_column_among(&table.name, name, &names)
    }

    /// Returns the error for a column name that is not in `names`.
    pub(crate) fn no_column_among<S: AsRef<str>>(file: &str, name: &str, names: &[S]) -> Self {
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

    /// Adds `rows` to the row number of the error, for a block that starts after `rows` rows.
    pub(crate) fn after(mut self, rows: usize) -> Self {
        if let Self::NonNumericCell { place, .. }
        | Self::NotFinite { place, .. }
        | Self::MissingCell { place, .. }
        | Self::Negative { place, .. }
        | Self::Extreme { place, .. } = &mut self
            && let Some(row) = &mut place.row
        {
            *row += rows as u64;
        }
        self
    }

    /// Converts an error of opening or reading `name` into the variant with the fitting remedy.
    pub fn from_io(name: &str, source: io::Error) -> Self {
        let place = Box::new(Location::file(name));
        if let Some(Damage { compression, offset, kind }) =
            source.get_ref().and_then(|e| e.downcast_ref())
        {
            let (compression, offset) = (compression.name(), *offset);
            return match kind {
                DamageKind::Truncated => Self::Truncated { place, compression, offset },
                DamageKind::Broken => Self::Damaged { place, compression, offset },
                DamageKind::Window => Self::Window { place, compression },
            };
        }
        if let Some(Exceeded { what, bytes, limit }) =
            source.get_ref().and_then(|e| e.downcast_ref())
        {
            return limit.exceeded(name, what, u128::from(*bytes));
        }
        match source.kind() {
            io::ErrorKind::NotFound => Self::Missing { place },
            io::ErrorKind::IsADirectory => Self::Folder { place },
            io::ErrorKind::PermissionDenied => Self::Denied { place },
            _ => Self::Read { place, source },
        }
    }
}

fn because(why: &str) -> String {
    if why.is_empty() { String::new() } else { format!(" ({why})") }
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
pub(crate) fn brief(text: &str) -> String {
    const MOST: usize = 160;
    let line = text.trim().lines().next().unwrap_or_default().trim_end_matches('.');
    let mut out: String = line.chars().take(MOST).flat_map(char::escape_debug).collect();
    if line.chars().nth(MOST).is_some() {
        out.push('…');
    }
    out
}

fn fields(n: usize) -> String {
    if n == 1 { "1 field".to_owned() } else { format!("{n} fields") }
}

fn likewise(n: u64) -> String {
    match n {
        0 => String::new(),
        1 => " (and one more like it in this column)".to_owned(),
        n => format!(" (and {n} more like it in this column)"),
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
            "iris.csv, line 7, column 3 (petal_length): found \"abc\" where a number belongs. \
             Remove it, declare it missing with --na abc, or treat the column as words with \
             --categorical petal_length."
        );
    }
}
