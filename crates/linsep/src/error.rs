//! Errors of the workbench: reading, preprocessing, training, model files.
//!
//! Every message is one line: **location: expected …, found …. Remedy.**

use linsep_core::control::literal;
use linsep_io::error::StreamError;
use linsep_io::location::{Location, quoted_excerpt};
use linsep_io::{Column, Table};
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
    /// A request with a setting that does not suit it.
    #[error("{0}")]
    Request(String),
    /// A request that is not possible with these data or this model.
    #[error("{0}")]
    Refused(String),
    /// A file or data with a fault.
    #[error("{place}: {problem}")]
    Data {
        /// The file, with the cell if the fault is in one.
        place: Box<Location>,
        /// What was expected and found, and the remedy.
        problem: String,
    },
    /// Data that leave no row or no feature to train on.
    #[error("{place}: {problem}")]
    Untrainable {
        /// The data.
        place: Box<Location>,
        /// What was expected and found, and the remedy.
        problem: String,
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
            Self::Request(_) => true,
            _ => false,
        }
    }

    /// Returns the error for a column that a table does not have.
    pub(crate) fn no_column(table: &Table, name: &str) -> Self {
        linsep_io::Error::no_column(table, name).into()
    }

    /// Returns the error for a fault at a place.
    pub(crate) fn data(place: Location, problem: impl Into<String>) -> Self {
        Self::Data { place: Box::new(place), problem: problem.into() }
    }

    /// Returns the error for the first missing cell of a column.
    pub(crate) fn missing_cell(table: &Table, column: &Column, want: &str, hint: &str) -> Self {
        let problem = format!("expected {want}, found a missing value. {hint}");
        Self::data(column.missing_place(&table.name), problem)
    }

    /// Returns the error for a categorical column where numbers are expected.
    pub(crate) fn expected_number(table: &Table, column: &Column, levels: &[String]) -> Self {
        let place = Location::column(&table.name, column.number, &column.name);
        let found = quoted_excerpt(levels.first().map_or("", String::as_str));
        Self::data(place, format!("expected a number, as in training, found {found}."))
    }

    /// Returns the error for data that leave nothing to train on.
    pub(crate) fn untrainable(name: &str, problem: impl Into<String>) -> Self {
        Self::Untrainable { place: Box::new(Location::file(name)), problem: problem.into() }
    }

    /// Returns the error for data with a missing value in every row.
    pub(crate) fn no_row_left(name: &str) -> Self {
        let problem = "every row has a missing value, so no training row remains. Use \
             `missing=impute`, or drop the columns with most missing values (`drop`).";
        Self::untrainable(name, problem)
    }

    /// Returns a function that names the data of an error of the core crate.
    pub(crate) fn core(name: &str) -> impl Fn(linsep_core::Error) -> Self + Copy {
        move |source| Self::Core { place: Box::new(Location::file(name)), source }
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
        if let Self::Data { place, .. } = &mut self
            && let Some(row) = &mut place.row
        {
            *row += rows as u64;
        }
        self
    }
}

/// Returns the message of another crate, in which backticks are no settings.
pub(crate) fn foreign(error: impl Display) -> String {
    literal(&error.to_string()).into_owned()
}
