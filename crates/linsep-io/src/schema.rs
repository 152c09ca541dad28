//! Names and types of columns: the choice of types, and the consistency of several files.

use crate::csv::Force;
use crate::error::Error;
use crate::location::{Location, quoted_excerpt};

/// Function that gives the type of each column, from the column names and whether these are from
/// the file. `None` keeps the type in the file.
pub trait TypeChooser: FnOnce(&[String], bool) -> Result<Vec<Option<Force>>, Error> {}

impl<F: FnOnce(&[String], bool) -> Result<Vec<Option<Force>>, Error>> TypeChooser for F {}

/// Returns an error if two files of one data set have different columns.
pub(crate) fn same_names(
    first: &str,
    names: &[String],
    file: &str,
    other: &[String],
) -> Result<(), Error> {
    let hint = "Use the same header in all files, or read them one by one.";
    for (j, (a, b)) in names.iter().zip(other).enumerate() {
        if a != b {
            let (want, found) = (format!("column name {}", quoted_excerpt(a)), quoted_excerpt(b));
            let place = Location::column(file, j + 1, b);
            return Err(Error::other_columns(place, first, &want, &found, hint));
        }
    }
    if names.len() != other.len() {
        let [want, found] = [names, other].map(|names| format!("{} columns", names.len()));
        return Err(Error::other_columns(Location::file(file), first, &want, &found, hint));
    }
    Ok(())
}
