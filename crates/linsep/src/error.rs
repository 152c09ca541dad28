//! Errors of the workbench: reading, preprocessing, training, model files.
//!
//! Every message is one line: **location: expected …, found …. Remedy.**
//!
//! Over 400 lines: one enum, so that every interface maps all errors in one place.

use crate::jobs::fit::Refusal;
use crate::labels::field;
use linsep_core::control::literal;
use linsep_core::learner::Scheme;
use linsep_io::Table;
use linsep_io::error::StreamError;
use linsep_io::location::{Location, excerpt, quoted_excerpt, shell_argument};
use std::fmt::Display;
use std::io;

/// Reason why a job failed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file that could not be read or written.
    #[error(transparent)]
    Io(#[from] linsep_io::Error),
    /// A setting or a problem that the mathematics rejects.
    #[error(transparent)]
    Math(#[from] linsep_core::Error),
    /// A Boolean function or an automaton that is rejected.
    #[error(transparent)]
    Function(#[from] linsep_logic::Error),
    /// A fit that is refused.
    #[error(transparent)]
    Fit(#[from] Refusal),
    /// A request with a setting that does not suit it.
    #[error("{0}")]
    Request(String),
    /// A request that is not possible with these data.
    #[error("{0}")]
    Refused(String),
    /// Failure to write or read temporary files.
    #[error(
        "{place}: writing temporary files failed ({source}). Free some space there, or choose \
         another folder with `temp-dir`."
    )]
    Temporary {
        /// The folder.
        place: Box<Location>,
        /// Error of the system.
        source: io::Error,
    },
    /// A time column without times.
    #[error(
        "{place}: expected a time, found {}. Choose a column of numbers, or of dates that start \
         with the year (2024-05-31).",
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
        "{place}: cannot split {what} into {folds} folds. {}",
        folds_hint(*most)
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
        "{place}: with {folds} folds, all rows of class {} are in one test fold, so its training \
         folds lack the class. Use fewer folds, split by another column, or remove these rows.",
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
    /// A model of another type where hyperplanes are required.
    #[error(
        "{place}: expected a linear model, found one of type {found}. Fit a linear method, such \
         as `method=logistic`."
    )]
    NotLinear {
        /// The model.
        place: Box<Location>,
        /// Type of the model.
        found: &'static str,
    },
    /// A model whose file would not be readable.
    #[error(
        "{place}: the model was not saved, as its file would not be readable: {problem}. Rescale \
         the columns, and train again."
    )]
    NotSaved {
        /// The model.
        place: Box<Location>,
        /// Fault of the model.
        problem: String,
    },
    /// Not a model file, or a damaged one.
    #[error("{place}: expected a linsep model, found another or a damaged file: {problem}.")]
    NotAModel {
        /// The file.
        place: Box<Location>,
        /// Fault of the file.
        problem: String,
    },
    /// Not a certificate of separation, or a damaged one.
    #[error("{place}: expected a linsep certificate, found another or a damaged file: {problem}.")]
    NotACertificate {
        /// The file.
        place: Box<Location>,
        /// Fault of the file.
        problem: String,
    },
    /// A certificate that does not hold for the data.
    #[error("{place}: the certificate does not match the data: {problem}.")]
    CertificateRejected {
        /// The certificate.
        place: Box<Location>,
        /// Reason.
        problem: String,
    },
    /// A model with another format version.
    #[error(
        "{place}: expected model format version {known}, found {found}. {}",
        if found < known { "Train the model again." } else { "Use a newer linsep." }
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
    #[error("{place}: expected {want}, found a missing value. {hint}")]
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
        "{place}: expected {want} of at least 0, found {found}. Correct it, or remove the row."
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
        "{place}: expected {want} of 0, or from 1e-100 to 1e100, found {found:e}. Multiply all \
         values by the same number."
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
    #[error("{place}: every {} is 0, so no training row remains. Check `{what}s`.",
        if *.what == "weight" { "sample weight" } else { .what })]
    NoWeight {
        /// The file.
        place: Box<Location>,
        /// "weight" or "count".
        what: &'static str,
    },
    /// A categorical column where the recipe requires numbers.
    #[error("{place}: expected a number, as in training, found {}.", quoted_excerpt(.found))]
    ExpectedNumeric {
        /// The column.
        place: Box<Location>,
        /// One of its levels.
        found: String,
    },
    /// A numeric column where the recipe requires levels.
    #[error("{place}: expected a categorical column, as in training, found numbers.")]
    ExpectedCategorical {
        /// The column.
        place: Box<Location>,
    },
    /// No feature column besides the target.
    #[error(
        "{place}: no feature column besides the target {}{}. Check the delimiter (`delimiter`) \
         and the target (`target`).",
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
    #[error("{place}: expected rows of at least two classes, found one row.")]
    OneRow {
        /// The file.
        place: Box<Location>,
    },
    /// Data with a missing value in every row.
    #[error(
        "{place}: every row has a missing value, so no training row remains. Use \
         `missing=impute`, or drop the columns with most missing values (`drop`)."
    )]
    NoRowLeft {
        /// The file.
        place: Box<Location>,
    },
    /// A file of sample weights with a different number of rows than the data.
    #[error(
        "{place}: found {found} sample weights, but {} has {rows} rows. Give one weight per row.",
        literal(.data)
    )]
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
        "`label-map`: expected OLD=NEW with an existing class OLD, found {}.",
        shell_argument(&excerpt(.pair))
    )]
    LabelMap {
        /// The pair as given.
        pair: String,
    },
    /// A target with so many values that it looks like a measurement.
    #[error(
        "{place}: {} {distinct} distinct numeric values in {rows} rows; classification needs classes. \
         Bin the values{}; to train anyway, pass `force`.",
        target.as_ref().map_or_else(|| "the labels have".to_owned(), |t| format!("target {} has", quoted_excerpt(t))),
        if target.is_some() { ", or name another column with `target`" } else { "" }
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
    /// A row number beyond the end of the data.
    #[error(
        "`row={}`: {} has only {rows} row{}, counted from 1",
        row + 1, literal(.data),
        if *rows == 1 { "" } else { "s" }
    )]
    NoRow {
        /// Name of the data.
        data: String,
        /// The row, counted from 0.
        row: usize,
        /// Number of rows.
        rows: usize,
    },
    /// Data of another kind than the training data of the model.
    #[error("{place}: expected {want}, as in training, found {found}.")]
    OtherKind {
        /// The file.
        place: Box<Location>,
        /// Kind of the data.
        found: &'static str,
        /// Kind that the model requires.
        want: &'static str,
    },
    /// A model without a scorecard, as it does not decide between two classes by one hyperplane.
    #[error(
        "{place}: a scorecard requires a model of two classes, found {k}. Fit a model of two \
         classes, for instance with `label-map`."
    )]
    ScorecardClasses {
        /// The model.
        place: Box<Location>,
        /// Number of classes.
        k: usize,
    },
    /// A model without probabilities.
    #[error("{}: `proba` requires class probabilities, which {}", literal(.model), without(method, scheme.as_deref()))]
    NoProbabilities {
        /// Name of the model.
        model: String,
        /// Its method.
        method: String,
        /// Its multiclass scheme, if the scheme is the cause.
        scheme: Option<String>,
    },
    /// A model without discriminant directions.
    #[error(
        "{}: expected a model with discriminant directions, found {method}. Fit a model with \
         `method=fisher`.",
        literal(.model)
    )]
    NoDirections {
        /// Name of the model.
        model: String,
        /// Its method.
        method: String,
    },
    /// A number of directions that the model does not have.
    #[error(
        "`dims`: expected 1 to {has}, the number of directions of {}, found {dims}",
        literal(.model)
    )]
    Dims {
        /// Name of the model.
        model: String,
        /// The number requested.
        dims: usize,
        /// The number of directions of the model.
        has: usize,
    },
    /// Data without a class of the model.
    #[error(
        "{}: expected classes of the model ({}), found other classes ({}). Rename the classes \
         with {}, or name the target column with `target`.",
        literal(.data),
        literal(&known.join(", ")),
        literal(&found.join(", ")),
        renaming(known, found)
    )]
    OtherClasses {
        /// Name of the data.
        data: String,
        /// The classes of the model.
        known: Vec<String>,
        /// The classes of the data.
        found: Vec<String>,
    },
    /// A model that cannot be shown as a scorecard.
    #[error(
        "{place}: column {} uses feature hashing, so a scorecard cannot name its levels. Fit with \
         `max-levels` of at least its number of levels, or drop the column (`drop`).",
        quoted_excerpt(.column)
    )]
    NoScorecard {
        /// The model.
        place: Box<Location>,
        /// The column.
        column: String,
    },
    /// A file that is not a finite-state machine.
    #[error("{place}: {problem}. A machine has one next state per state and symbol.")]
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
    /// A Boolean function or an automaton that is rejected.
    #[error("{place}: {source}.")]
    Logic {
        /// The file.
        place: Box<Location>,
        /// Reason.
        source: linsep_logic::Error,
    },
    /// Data that the core crate rejects.
    #[error("{place}: {source}.")]
    Core {
        /// The file.
        place: Box<Location>,
        /// Error of the core crate.
        source: linsep_core::Error,
    },
}

impl Error {
    /// Whether the request is at fault, and not the data.
    pub fn is_usage(&self) -> bool {
        match self {
            Self::Io(error) => error.is_usage(),
            Self::Math(error) | Self::Core { source: error, .. } => error.is_usage(),
            Self::Function(error) | Self::Logic { source: error, .. } => error.is_usage(),
            Self::Fit(refusal) => refusal.is_usage(),
            Self::LabelMap { .. } | Self::NoRow { .. } | Self::Dims { .. } | Self::Request(_) => {
                true
            }
            _ => false,
        }
    }

    /// Returns the error for a column that a table does not have.
    pub(crate) fn no_column(table: &Table, name: &str) -> Self {
        linsep_io::Error::no_column(table, name).into()
    }

    /// Returns the error of opening or reading `name`.
    pub fn from_io(name: &str, source: io::Error) -> Self {
        linsep_io::Error::from_io(name, source).into()
    }
}

impl StreamError for Error {
    fn after(mut self, rows: usize) -> Self {
        if let Self::Io(error) = self {
            return Self::Io(error.after(rows));
        }
        match &mut self {
            Self::MissingCell { place, .. }
            | Self::Negative { place, .. }
            | Self::Extreme { place, .. } => {
                if let Some(row) = &mut place.row {
                    *row += rows as u64;
                }
            }
            _ => {}
        }
        self
    }
}

/// Returns the message of another crate, in which backticks are no settings.
pub(crate) fn foreign(error: impl Display) -> String {
    literal(&error.to_string()).into_owned()
}

fn folds_hint(most: usize) -> String {
    match most {
        0 | 1 => "Split by another column.".to_owned(),
        2 => "Use `folds=2`.".to_owned(),
        _ => format!("Use `folds` with a number from 2 to {most}."),
    }
}

/// Describes why a model has no probabilities, and the remedy.
fn without(method: &str, scheme: Option<&str>) -> String {
    match scheme {
        Some(scheme) => {
            let [one, other] = [Scheme::OneVsRest, Scheme::Softmax].map(Scheme::name);
            format!(
                "{method} with {scheme} does not have. Fit a model with `multiclass={one}` or {other}."
            )
        }
        None => format!(
            "{method} does not have. Fit a model with `method=logistic` or gaussian, or with \
             `calibrate`."
        ),
    }
}

/// Suggests to rename each class to the longest known class that its name contains.
fn renaming(known: &[String], found: &[String]) -> String {
    let setting =
        |from: &str, to: &str| format!("`label-map={}`", literal(&field(&format!("{from}={to}"))));
    let guess = |f: &String| {
        let within = known.iter().filter(|k| f.contains(*k)).max_by_key(|k| k.len())?;
        Some(setting(f, within))
    };
    let mut pairs: Vec<String> = found.iter().filter_map(guess).take(known.len()).collect();
    if let ([], [from, ..], [to, ..]) = (&pairs[..], found, known) {
        pairs.push(setting(from, to));
    }
    pairs.join(" ")
}

fn because(why: &str) -> String {
    if why.is_empty() { String::new() } else { format!(" ({why})") }
}
