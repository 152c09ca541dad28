//! Sample weights: from a column, or from a separate file.

use super::TrainingSettings;
use crate::error::Error;
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
    let place = || Box::new(Location::column(&table.name, column.number, name));
    if column.missing > 0 {
        let place = Box::new(column.missing_place(&table.name));
        let hint = "Fill it in, or remove the row.";
        return Err(Error::MissingCell { place, want, hint });
    }
    match &column.values {
        Values::Numeric { slot } => {
            let amounts: Vec<f64> = (0..table.rows).map(|i| table.row(i)[*slot]).collect();
            if let Some(row) = amounts.iter().position(|amount| *amount < 0.0) {
                let place = Box::new(Location::row(&table.name, row, column.number, name));
                return Err(Error::Negative { place, found: amounts[row], want });
            }
            if let Some(row) = amounts.iter().position(|s| !is_weight(*s)) {
                let place = Box::new(Location::row(&table.name, row, column.number, name));
                return Err(Error::Extreme { place, found: amounts[row], want });
            }
            Ok(amounts)
        }
        Values::Categorical { levels, .. } => {
            let found = levels.first().cloned().unwrap_or_default();
            Err(Error::ExpectedNumeric { place: place(), found })
        }
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
        let (place, found) = (Box::new(Location::file(file)), weights.len());
        return Err(Error::OtherLength { place, found, data: data.to_owned(), rows });
    }
    if let Some(row) = weights.iter().position(|s| !is_weight(*s)) {
        let place = Box::new(Location::row(file, row, 1, "weight"));
        return Err(Error::Extreme { place, found: weights[row], want: "a sample weight" });
    }
    Ok(Some(weights))
}

/// Reads a file with one weight per line.
pub fn read_weights(file: &str) -> Result<Vec<f64>, Error> {
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
        let (found, want) = ("several columns", "one weight per line");
        return Err(Error::OtherKind { place: Box::new(Location::file(&table.name)), found, want });
    };
    weight_column(&table, &column.name)
}
