//! Reads files of any format into tables or sparse rows.
//!
//! The format is detected from the first bytes after decompression, never from the file name.
//! Several files form one data set: same format, same columns by name in the same order, rows in
//! the given order.
//!
//! * CSV: column types are inferred over all files together. A column with non-numeric cells in the
//!   last file is categorical in all.
//! * Parquet, Arrow: types are those of the files. A column that is numeric in one file and
//!   categorical in another is an error, unless its type is set in the options.
//! * LIBSVM: the number of columns is the largest index of all files.

use crate::csv::{CsvOptions, read_csv_files, stream_csv};
use crate::error::{Error, StreamError};
use crate::libsvm::{LibsvmOptions, looks_like_libsvm, read_libsvm_files};
use crate::location::Location;
use crate::schema::TypeChooser;
use crate::sniff::{looks_like_arrow, looks_like_parquet};
use crate::source::Source;
use crate::table::{Sparse, Table};
use crate::target::ClassColumn;
use crate::vowpal::refuse_vowpal;
use linsep_core::Cancel;
use linsep_core::control::literal;
use std::io::Read;
#[cfg(feature = "fs")]
use std::path::Path;
use std::sync::Arc;

/// File format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Delimited fields.
    Csv,
    /// A label and index:value pairs.
    Libsvm,
    /// Parquet.
    Parquet,
    /// Arrow IPC, file or stream (Feather version 2).
    Arrow,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 4] = [Self::Csv, Self::Libsvm, Self::Parquet, Self::Arrow];

    /// Returns the name used in every interface.
    pub fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Libsvm => "libsvm",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
        }
    }
}

/// Options for reading files.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The format; `None`: detected from the content.
    pub format: Option<Format>,
    /// Options of CSV; for all tables: types by column name, markers of missing values, threads.
    pub csv: CsvOptions,
    /// For LIBSVM.
    pub libsvm: LibsvmOptions,
    /// Token that ends reading with an error.
    pub cancel: Cancel,
}

impl Default for ReadOptions {
    fn default() -> Self {
        let csv = CsvOptions { classes: ClassColumn::Usual, ..CsvOptions::default() };
        Self { format: None, csv, libsvm: LibsvmOptions::default(), cancel: Cancel::default() }
    }
}

/// Content of one or several files. Clones share the cells; the only
/// clone is encoded in place.
#[derive(Clone, Debug)]
pub enum Input {
    /// Columns with names and types.
    Table(Table),
    /// Sparse rows with labels.
    Sparse(Arc<Sparse>),
}

impl Input {
    /// Reads a file with default options; `-` is stdin.
    #[cfg(feature = "fs")]
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Error> {
        read(path.as_ref(), &ReadOptions::default())
    }

    /// Returns the name of the file, or of all files together.
    pub fn name(&self) -> &str {
        match self {
            Self::Table(table) => &table.name,
            Self::Sparse(sparse) => &sparse.name,
        }
    }

    /// Returns the number of rows.
    pub fn rows(&self) -> usize {
        match self {
            Self::Table(table) => table.rows,
            Self::Sparse(sparse) => sparse.rows,
        }
    }

    /// Returns the rows with the given indices, in the given order.
    pub fn select_rows(&self, rows: &[usize]) -> Self {
        match self {
            Self::Table(table) => Self::Table(table.select_rows(rows)),
            Self::Sparse(sparse) => Self::Sparse(Arc::new(sparse.select_rows(rows))),
        }
    }

    /// Removes a column from a table; sparse rows are unchanged.
    pub fn drop_column(&mut self, name: &str) {
        if let Self::Table(table) = self {
            table.columns.retain(|column| column.name != name);
        }
    }
}

/// Reads a file; `-` is stdin.
#[cfg(feature = "fs")]
pub fn read(path: &Path, options: &ReadOptions) -> Result<Input, Error> {
    read_source(Source::open(path)?, options)
}

/// Reads several files as one data set, in the order given.
#[cfg(feature = "fs")]
pub fn read_files<P: AsRef<Path>>(paths: &[P], options: &ReadOptions) -> Result<Input, Error> {
    read_sources(paths.iter().map(Source::open).collect::<Result<_, _>>()?, options)
}

/// Reads a source.
pub fn read_source(source: Source, options: &ReadOptions) -> Result<Input, Error> {
    read_sources(vec![source], options)
}

/// Reads several sources as one data set, in the order given.
pub fn read_sources(mut sources: Vec<Source>, options: &ReadOptions) -> Result<Input, Error> {
    let mut format = options.format;
    for at in 0..sources.len() {
        let found = format_of(&mut sources[at], options)?;
        let want = *format.get_or_insert(found);
        // A file of labels only looks like CSV; among LIBSVM files it is LIBSVM.
        let labels = (found, want) == (Format::Csv, Format::Libsvm);
        if found != want && !labels {
            let (found, first, want) = (found.name(), literal(sources[0].name()), want.name());
            let problem = format!("detected format {found}, but {first} is {want}");
            let remedy = "Use files of one format, or set it with `format`.";
            return Err(Error::fault(Location::file(sources[at].name()), problem, remedy));
        }
    }
    match format.unwrap_or(Format::Csv) {
        Format::Csv => read_csv_files(sources, &options.csv).map(Input::Table),
        Format::Libsvm => read_libsvm_files(sources, &options.libsvm)
            .map(|sparse| Input::Sparse(Arc::new(sparse))),
        #[cfg(feature = "parquet")]
        Format::Parquet => read_columnar(sources, &options.csv, crate::parquet::read_parquet_files),
        #[cfg(feature = "arrow")]
        Format::Arrow => read_columnar(sources, &options.csv, crate::arrow::read_arrow_files),
        #[cfg(not(all(feature = "arrow", feature = "parquet")))]
        other => Err(refused(sources.first().map_or("", Source::name), other)),
    }
}

/// Reads a table in blocks: `work` on any thread, `take` in the order of the file. `choose` gives
/// the type of each column.
pub fn stream_table<T: Send, E: StreamError>(
    source: Source,
    format: Format,
    options: &CsvOptions,
    choose: impl TypeChooser,
    work: impl Fn(Table) -> Result<T, E> + Sync,
    take: impl FnMut(T) -> Result<(), E> + Send,
) -> Result<(), E> {
    match format {
        Format::Csv | Format::Libsvm => stream_csv(source, options, choose, work, take),
        #[cfg(feature = "parquet")]
        Format::Parquet => crate::parquet::stream_parquet(source, options, choose, work, take),
        #[cfg(feature = "arrow")]
        Format::Arrow => crate::arrow::stream_arrow(source, options, choose, work, take),
        #[cfg(not(all(feature = "arrow", feature = "parquet")))]
        other => Err(refused(source.name(), other).into()),
    }
}

/// Returns the error for a file of a format that this build does not read.
#[cfg(not(all(feature = "arrow", feature = "parquet")))]
fn refused(name: &str, format: Format) -> Error {
    let (what, feature) = match format {
        Format::Arrow => ("an Arrow file", "arrow"),
        _ => ("a Parquet file", "parquet"),
    };
    let remedy = format!("Build linsep with the feature {feature}, or convert the file to CSV.");
    Error::unsupported(name, what, &remedy)
}

/// Reads files with typed columns. A class column with numbers that doubles cannot represent
/// exactly is read again as categorical.
#[cfg(any(feature = "arrow", feature = "parquet"))]
fn read_columnar(
    sources: Vec<Source>,
    csv: &CsvOptions,
    read: fn(Vec<Source>, &CsvOptions) -> Result<Table, Error>,
) -> Result<Input, Error> {
    use crate::csv::Force;
    use crate::location::excerpt;
    use crate::table::Values;
    /// From 2⁵³ on, a double may stand for several integers.
    const INEXACT: f64 = 9_007_199_254_740_992.0;
    let again: Option<Vec<Source>> = sources.iter().map(Source::again).collect();
    let table = read(sources, csv)?;
    let names: Vec<&str> = table.columns.iter().map(|column| column.name.as_str()).collect();
    let label = csv.classes.among(&names).map(|at| &table.columns[at]);
    let free = |name: &str| csv.force.iter().all(|(own, _)| own != name);
    let Some((label, slot)) = label.and_then(|column| match column.values {
        Values::Numeric { slot } if free(&column.name) => Some((column, slot)),
        _ => None,
    }) else {
        return Ok(Input::Table(table));
    };
    if (0..table.rows).all(|i| table.row(i)[slot].is_nan() || table.row(i)[slot].abs() < INEXACT) {
        return Ok(Input::Table(table));
    }
    let Some(again) = again else {
        let problem = "the classes are integers above 2^53, which are not exact as \
                       floating-point numbers";
        let remedy = format!(
            "Use a file instead of a pipe, or read them as categorical (`categorical={}`).",
            excerpt(&label.name)
        );
        let place = Location::column(&table.name, label.number, &label.name);
        return Err(Error::fault(place, problem, remedy));
    };
    let mut options = csv.clone();
    options.force.push((label.name.clone(), Force::Categorical));
    read(again, &options).map(Input::Table)
}

/// Starts reading a source: passes the token of the run to it, and returns the format given in the
/// options, or else the one detected from the first bytes.
pub fn format_of(source: &mut Source, options: &ReadOptions) -> Result<Format, Error> {
    source.cancel(&options.cancel);
    if let Some(format) = options.format {
        return Ok(format);
    }
    const LOOK: u64 = 64 << 10;
    let name = source.name().to_owned();
    let mut head = Vec::new();
    let look = source.pass(false)?.take(LOOK).read_to_end(&mut head);
    look.map_err(|e| Error::from_io(&name, e))?;
    Ok(match &head[..] {
        head if looks_like_parquet(head) => Format::Parquet,
        head if looks_like_arrow(head) => Format::Arrow,
        head if looks_like_libsvm(head) => Format::Libsvm,
        head => {
            if options.csv.delimiter.is_none() {
                refuse_vowpal(&name, head)?;
            }
            Format::Csv
        }
    })
}

/// Returns the name of a data set of these files.
pub fn set_name<'a>(mut files: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = files.len().saturating_sub(1);
    let first = files.next().unwrap_or_default();
    match more {
        0 => first.to_owned(),
        1 => format!("{first} and 1 more file"),
        more => format!("{first} and {more} more files"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_is_detected_from_the_content() {
        let read = |text: &str| {
            let once = Source::from_reader("x", std::io::Cursor::new(text.to_owned()));
            read_source(once, &ReadOptions::default()).unwrap()
        };
        assert!(matches!(read("+1 1:2 3:0.5\n-1 2:1\n"), Input::Sparse(s) if s.rows == 2));
        assert!(matches!(read("a,b\n1,x\n2,y\n"), Input::Table(t) if t.rows == 2));
        assert!(matches!(read("PAR1,b\n1,x\n2,y\n"), Input::Table(t) if t.columns.len() == 2));
    }

    #[test]
    fn files_of_different_formats_are_an_error() {
        let sources = ["a,b\n1,2\n", "1 1:2\n"].map(|text| Source::from_bytes("x", text)).into();
        let error = read_sources(sources, &ReadOptions::default()).unwrap_err();
        assert!(error.to_string().contains("detected format libsvm, but x is csv"), "{error}");
    }
}
