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
    let differ = |place, found, want| {
        let hint = "Use the same header in all files, or read them one by one.".to_owned();
        Err(Error::OtherColumns {
            place: Box::new(place),
            first: first.to_owned(),
            found,
            want,
            hint,
        })
    };
    for (j, (a, b)) in names.iter().zip(other).enumerate() {
        if a != b {
            let found = quoted_excerpt(b);
            return differ(
                Location::column(file, j + 1, b),
                found,
                format!("column name {}", quoted_excerpt(a)),
            );
        }
    }
    if names.len() != other.len() {
        let found = format!("{} columns", other.len());
        return differ(Location::file(file), found, format!("{} columns", names.len()));
    }
    Ok(())
}
