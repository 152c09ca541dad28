//! Sample weights: from a column, or from a separate file.

use super::TrainingSettings;
use crate::error::Error;
use linsep_core::control::literal;
use linsep_core::data::is_weight;
use linsep_io::csv::{CsvOptions, read_csv};
use linsep_io::location::Location;
use linsep_io::source::Source;
use linsep_io::table::{Sparse, Table, Values};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Source of the sample weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SampleWeights {
    /// The column of this name, or a file with one weight per row.
    Named(String),
    /// One per row.
    Rows(Vec<f64>),
}

/// Returns the sample weights in a column of the table.
pub(crate) fn weight_column(table: &Table, name: &str) -> Result<Vec<f64>, Error> {
    amounts(table, name, "a sample weight")
}

/// Returns the numbers in a column, none of which may be missing or negative.
pub(super) fn amounts(table: &Table, name: &str, want: &'static str) -> Result<Vec<f64>, Error> {
    let column = table.column(name).ok_or_else(|| Error::no_column(table, name))?;
    if column.missing > 0 {
        return Err(Error::missing_cell(table, column, want, "Fill it in, or remove the row."));
    }
    match &column.values {
        Values::Numeric { slot } => {
            let amounts: Vec<f64> = (0..table.rows).map(|i| table.row(i)[*slot]).collect();
            let place = |row| Location::row(&table.name, row, column.number, name);
            if let Some(row) = amounts.iter().position(|amount| *amount < 0.0) {
                let problem = format!(
                    "expected {want} of at least 0, found {}. Correct it, or remove the row.",
                    amounts[row]
                );
                return Err(Error::data(place(row), problem));
            }
            if let Some(row) = amounts.iter().position(|s| !is_weight(*s)) {
                return Err(extreme(place(row), amounts[row], want));
            }
            Ok(amounts)
        }
        Values::Categorical { levels, .. } => Err(Error::expected_number(table, column, levels)),
    }
}

/// Returns the sample weights of a table, if any. A name that is neither a column nor a file is
/// reported as an unknown column.
pub(super) fn table_weights(
    table: &Table,
    settings: &TrainingSettings,
) -> Result<Option<Vec<f64>>, Error> {
    if let Some(name) = settings.weight_column(table) {
        return weight_column(table, name).map(Some);
    }
    match &settings.weights {
        Some(SampleWeights::Named(file)) if !Path::new(file).exists() => {
            Err(Error::no_column(table, file))
        }
        weights => weights_of(weights.as_ref(), table.rows, &table.name),
    }
}

/// Returns the sample weights of sparse rows, if any.
pub(crate) fn sparse_weights(
    sparse: &Sparse,
    settings: &TrainingSettings,
) -> Result<Option<Vec<f64>>, Error> {
    weights_of(settings.weights.as_ref(), sparse.rows, &sparse.name)
}

/// Returns the weights, after a check that their number is that of the rows of the data.
fn weights_of(
    weights: Option<&SampleWeights>,
    rows: usize,
    data: &str,
) -> Result<Option<Vec<f64>>, Error> {
    let (file, weights) = match weights {
        None => return Ok(None),
        Some(SampleWeights::Named(file)) => (file.as_str(), read_weights(file)?),
        Some(SampleWeights::Rows(weights)) => ("weights", weights.clone()),
    };
    if weights.len() != rows {
        let problem = format!(
            "found {} sample weights, but {} has {rows} rows. Give one weight per row.",
            weights.len(),
            literal(data)
        );
        return Err(Error::data(Location::file(file), problem));
    }
    if let Some(row) = weights.iter().position(|s| !is_weight(*s)) {
        let place = Location::row(file, row, 1, "weight");
        return Err(extreme(place, weights[row], "a sample weight"));
    }
    Ok(Some(weights))
}

/// Returns the error for a weight so large or so small that sums overflow or underflow.
fn extreme(place: Location, found: f64, want: &str) -> Error {
    let problem = format!(
        "expected {want} of 0, or from 1e-100 to 1e100, found {found:e}. Multiply all values by \
         the same number."
    );
    Error::data(place, problem)
}

/// Reads a file with one weight per line.
pub(crate) fn read_weights(file: &str) -> Result<Vec<f64>, Error> {
    #[cfg(feature = "fs")]
    let source = Source::open(file)?;
    #[cfg(not(feature = "fs"))]
    let source = Err(Error::from_io(file, std::io::ErrorKind::NotFound.into()))?;
    weights_in(source)
}

/// Reads one weight per line from any source.
pub fn weights_in(source: Source) -> Result<Vec<f64>, Error> {
    let table = read_csv(source, &CsvOptions::default())?;
    let [column] = &table.columns[..] else {
        let problem = "expected one weight per line, as in training, found several columns.";
        return Err(Error::data(Location::file(&table.name), problem));
    };
    weight_column(&table, &column.name)
}
