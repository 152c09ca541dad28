//! Mapping of the columns of a file to columns of the table.

use crate::csv::{CsvOptions, Force, Missing};
use crate::error::Error;
use crate::location::{Location, excerpt};
use crate::memory::Memory;
use crate::schema::{TypeChooser, same_names};
use std::collections::HashMap;

/// Returns the types set by name in the options.
pub(crate) fn by_name(options: &CsvOptions, file: &str) -> impl TypeChooser {
    move |names: &[String], _| {
        let places: HashMap<&str, usize> = names.iter().map(String::as_str).zip(0..).collect();
        let mut force = vec![None; names.len()];
        for (name, wanted) in &options.force {
            let at = places.get(name.as_str());
            let at = at.ok_or_else(|| Error::no_column_among(file, name, names))?;
            force[*at] = Some(*wanted);
        }
        Ok(force)
    }
}

/// Content of a column of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ColumnContent {
    Numeric,
    Categorical,
    /// Bytes without a type: categorical if set in the options, else an error.
    Bytes,
    /// Another type, with its name in the plural.
    Other(String),
}

/// Destination of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    /// Numeric, with the position within a row.
    Numbers(usize),
    /// Categorical, with the position among the categorical columns.
    Words(usize),
    Dropped,
}

/// Destinations of the columns of a file.
#[derive(Debug)]
pub(crate) struct Plan {
    pub names: Vec<String>,
    pub to: Vec<Destination>,
    /// Number of numeric columns.
    pub width: usize,
    /// Number of categorical columns.
    pub words: usize,
    pub missing: Missing,
    /// Rows of a batch, if a file is read in batches.
    pub batch: usize,
    pub memory: Memory,
}

impl Plan {
    /// Returns the plan for a file with these columns.
    pub(crate) fn new(
        file: &str,
        columns: Vec<(String, ColumnContent)>,
        options: &CsvOptions,
        choose: impl TypeChooser,
    ) -> Result<Self, Error> {
        let (mut names, mut holds) = (Vec::new(), Vec::new());
        for (j, (name, what)) in columns.into_iter().enumerate() {
            names.push(if name.is_empty() { format!("V{}", j + 1) } else { name });
            holds.push(what);
        }
        let mut places = HashMap::with_capacity(names.len());
        for (j, name) in names.iter().enumerate() {
            if let Some(first) = places.insert(name.as_str(), j) {
                return Err(Error::same_name(Location::file(file), name, first, j));
            }
        }
        let force = choose(&names, true)?;

        let (mut width, mut words) = (0, 0);
        let mut to = Vec::with_capacity(names.len());
        for (j, (holds, force)) in holds.into_iter().zip(force).enumerate() {
            let number = match (holds, force) {
                (_, Some(Force::Drop)) => {
                    to.push(Destination::Dropped);
                    continue;
                }
                (ColumnContent::Other(what), _) => {
                    return Err(unreadable(file, j, &names[j], &what, "Drop it with"));
                }
                (ColumnContent::Bytes, force) if force != Some(Force::Categorical) => {
                    let hint = "If it is text, use `categorical`; otherwise drop it with";
                    return Err(unreadable(file, j, &names[j], "raw bytes", hint));
                }
                (holds, None) => holds == ColumnContent::Numeric,
                (_, Some(force)) => force == Force::Numeric,
            };
            let (count, kind) = if number {
                (&mut width, Destination::Numbers as fn(usize) -> Destination)
            } else {
                (&mut words, Destination::Words as fn(usize) -> Destination)
            };
            to.push(kind(*count));
            *count += 1;
        }
        let cells = options.limits.shared_by(options.threads).block;
        let batch = (cells / (width + words).max(1)).clamp(1, 16 << 10);
        let (missing, memory) = (Missing::new(&options.missing), options.limits.memory);
        Ok(Self { names, to, width, words, missing, batch, memory })
    }

    /// Returns an error if a table of `rows` rows exceeds the memory limit.
    pub(crate) fn check_rows(&self, file: &str, rows: u64) -> Result<(), Error> {
        let row = 8 * self.width as u128 + 4 * self.words as u128;
        let what = format!("a table of {rows} rows and {} columns", self.width + self.words);
        self.memory.check(file, &what, u128::from(rows) * row)
    }

    /// Returns the columns that are not dropped.
    pub(crate) fn kept(&self) -> Vec<usize> {
        (0..self.to.len()).filter(|&j| self.to[j] != Destination::Dropped).collect()
    }

    /// Returns the number of rows to fill per column at a time, so that they stay in the cache.
    pub(crate) fn tile(&self) -> usize {
        const NUMBERS: usize = 32 << 10; // 256 KiB
        (NUMBERS / self.width.max(1)).clamp(64, 8 << 10)
    }

    /// Returns an error if `other`, the plan of a further file, is inconsistent with this one.
    pub(crate) fn check(&self, first: &str, file: &str, other: &Self) -> Result<(), Error> {
        same_names(first, &self.names, file, &other.names)?;
        let kind = |to: &Destination| {
            if matches!(to, Destination::Numbers(_)) { "numbers" } else { "text" }
        };
        for (j, (a, b)) in self.to.iter().zip(&other.to).enumerate() {
            if a != b && kind(a) != kind(b) {
                let name = &self.names[j];
                let place = Location::column(file, j + 1, name);
                let all = "Read it as categorical in all files";
                let hint = format!("{all} (`categorical={}`).", excerpt(name));
                return Err(Error::other_columns(place, first, kind(a), kind(b), &hint));
            }
        }
        Ok(())
    }
}

#[cold]
fn unreadable(file: &str, j: usize, name: &str, what: &str, hint: &str) -> Error {
    let remedy = format!("{hint} `drop={}`.", excerpt(name));
    Error::unexpected(Location::column(file, j + 1, name), "numbers or text", what, remedy)
}

/// Refuses a table out of proportion to its file: more than 2²⁷ cells (1 GiB) at more than 2¹⁷
/// cells per byte. Real files of one repeated value stay below; only files made to exhaust memory
/// exceed it.
pub(crate) fn check_size(file: &str, rows: u64, columns: usize, bytes: u64) -> Result<(), Error> {
    // Rows without columns take no memory, but time.
    let cells = u128::from(rows) * columns.max(1) as u128;
    if cells > 1 << 27 && cells >> 17 > u128::from(bytes) || cells > 1 << 56 {
        return Err(too_large(file, rows, columns, bytes));
    }
    Ok(())
}

/// Returns the error for a table that is too large for its file of `bytes` bytes.
#[cold]
pub(crate) fn too_large(file: &str, rows: u64, columns: usize, bytes: u64) -> Error {
    let problem = format!(
        "the file declares {rows} rows of {columns} columns in {bytes} bytes, which is too few \
         bytes"
    );
    let remedy = "Check how it was written, or drop columns with `drop`.";
    Error::fault(Location::file(file), problem, remedy)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(columns: &[(&str, ColumnContent)], force: &[(&str, Force)]) -> Result<Plan, String> {
        let columns = columns.iter().map(|(name, holds)| ((*name).to_owned(), holds.clone()));
        let force = force.iter().map(|(name, force)| ((*name).to_owned(), *force)).collect();
        let options = CsvOptions { force, ..CsvOptions::default() };
        let choose = by_name(&options, "f");
        Plan::new("f", columns.collect(), &options, choose).map_err(|e| e.to_string())
    }

    #[test]
    fn columns_are_assigned_to_slots() {
        let columns = [
            ("a", ColumnContent::Numeric),
            ("b", ColumnContent::Categorical),
            ("", ColumnContent::Numeric),
        ];
        let free = plan(&columns, &[]).unwrap();
        assert_eq!(
            free.to,
            [Destination::Numbers(0), Destination::Words(0), Destination::Numbers(1)]
        );
        assert_eq!((free.names[2].as_str(), free.width, free.words), ("V3", 2, 1));
        let forced = plan(
            &columns,
            &[("a", Force::Drop), ("b", Force::Numeric), ("V3", Force::Categorical)],
        );
        assert_eq!(
            forced.unwrap().to,
            [Destination::Dropped, Destination::Numbers(0), Destination::Words(0)]
        );
    }

    #[test]
    fn rows_without_columns_are_counted() {
        assert!(check_size("f", 1 << 20, 0, 740).is_ok());
        assert!(check_size("f", 1 << 40, 0, 740).is_err());
    }

    #[test]
    fn unreadable_and_duplicate_columns_are_errors() {
        let lists = [("a b", ColumnContent::Other("lists".to_owned()))];
        assert_eq!(
            plan(&lists, &[]).unwrap_err(),
            "f, column 1 (a b): expected numbers or text, found lists. Drop it with `drop=a b`."
        );
        assert!(plan(&lists, &[("a b", Force::Categorical)]).is_err());
        let same = [("a", ColumnContent::Categorical), ("a", ColumnContent::Numeric)];
        assert!(plan(&same, &[]).unwrap_err().contains("columns 1 and 2 have the same name \"a\""));
    }

    #[test]
    fn a_table_may_be_large_but_in_proportion_to_its_file() {
        assert!(check_size("f", 1 << 20, 100, 1_000).is_ok());
        assert!(check_size("f", 1 << 40, 100, 1 << 40).is_ok());
        assert!(check_size("f", 1 << 40, 100, 1_000).is_err());
        assert!(check_size("f", u64::MAX, usize::MAX, u64::MAX).is_err());
    }
}
