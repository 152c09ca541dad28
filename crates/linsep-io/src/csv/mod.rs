//! CSV and related formats, read into a [`Table`].
//!
//! 1. **Analyze** the head of the file: whether it is text, the delimiter, the header, initial
//!    types.
//! 2. **Read** the whole file with these types, in parallel blocks, and record every cell that does
//!    not fit.
//! 3. **Infer** the type of every column from all of its cells. If an initial type was wrong, read
//!    once more with the inferred types. The first pass counted every cell, so no third is needed.
//! 4. **Report** the first invalid cell, or return the table.
//!
//! Memory: the table, a few blocks per thread, and for a pipe the text itself (a file is reopened).
//! The result, and the error, do not depend on the number of threads or the block size.
//!
//! Several files with the same columns are read as one: the first file decides about the header,
//! all files together decide the types.

mod cells;
mod dialect;
mod layout;
mod missing;
mod scan;
mod stream;
mod table_builder;

use crate::blocks::{Block, BlockSplitter, Limits, Shape};
use crate::error::Error;
use crate::input::set_name;
use crate::location::Location;
use crate::order::in_order;
use crate::schema::same_names;
use crate::source::Source;
use crate::table::Table;
use crate::target::ClassColumn;
pub(crate) use stream::stream_csv;

use cells::{Kind, Plan};
use layout::Layout;
pub(crate) use missing::Missing;
use std::io::{self, Read};
use table_builder::CsvTableBuilder;

/// Options for reading CSV. Fields that are `None` are detected from the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvOptions {
    /// Byte between fields; a blank means runs of blanks and tabs.
    pub delimiter: Option<u8>,
    /// Whether the first record is a header.
    pub header: Option<bool>,
    /// Byte around fields that contain delimiters or line ends; `None`: no quoting.
    pub quote: Option<u8>,
    /// Markers of missing cells, ignoring case.
    pub missing: Vec<String>,
    /// First byte of comment lines, which are skipped.
    pub comment: Option<u8>,
    /// Types of columns by name, instead of inferred types. The last entry of a name counts.
    pub force: Vec<(String, Force)>,
    /// The target column: it is read as categorical if doubles do not represent its labels exactly.
    pub classes: ClassColumn,
    /// Number of threads.
    pub threads: usize,
    /// Limits on blocks, records and memory.
    pub limits: Limits,
}

/// Type set for a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Force {
    /// Numeric: a non-numeric cell is an error.
    Numeric,
    /// Categorical, even if all cells are numbers.
    Categorical,
    /// Dropped: not read at all.
    Drop,
}

impl Default for CsvOptions {
    fn default() -> Self {
        Self {
            delimiter: None,
            header: None,
            quote: Some(b'"'),
            missing: ["", "NA", "N/A", "NaN", "null", "?"].map(str::to_owned).to_vec(),
            comment: None,
            force: Vec::new(),
            classes: ClassColumn::None,
            threads: 1,
            limits: Limits::default(),
        }
    }
}

impl CsvOptions {
    fn check(&self) -> Result<(), Error> {
        self.limits.check()?;
        let odd = |name, byte: u8| {
            let got = format!("the byte {byte} ({:?})", char::from(byte));
            Err(Error::Setting {
                name,
                got,
                want: "a distinct character that does not occur in numbers",
            })
        };
        let mut taken = vec![b'\n', b'\r'];
        let given =
            [("delimiter", self.delimiter), ("quote", self.quote), ("comment", self.comment)];
        for (name, byte) in given {
            let Some(byte) = byte else { continue };
            let in_numbers = name != "comment" && b"0123456789+-.eE".contains(&byte);
            if taken.contains(&byte) || in_numbers || byte == 0 {
                return odd(name, byte);
            }
            taken.push(byte);
        }
        Ok(())
    }
}

/// Reads a table.
pub fn read_csv(source: Source, options: &CsvOptions) -> Result<Table, Error> {
    read_csv_files(vec![source], options)
}

/// Reads several files with the same columns as one table, in the order given.
pub fn read_csv_files(mut sources: Vec<Source>, options: &CsvOptions) -> Result<Table, Error> {
    options.check()?;
    sources.iter_mut().for_each(|source| source.limit(options.limits.memory));
    let files: Vec<String> = sources.iter().map(|source| source.name().to_owned()).collect();
    let name = set_name(files.iter().map(String::as_str));
    let missing = Missing::new(&options.missing);
    let Some((source, others)) = sources.split_first_mut() else {
        return Err(Error::no_rows("no file", false));
    };

    // 1. Analyze.
    let mut pass = source.pass(false)?;
    let (mut layout, head) = Layout::analyze(&files[0], &mut pass, options, &missing)?;
    let names = std::mem::take(&mut layout.names);
    let label = layout.label;
    let with = |file, shape, kinds| Plan::new(file, &names, shape, &missing, kinds, label);
    let plan = with(&name, layout.shape, layout.kinds.clone());

    // 2. Read the first file, then the others, each after an analysis of its own head.
    let mut gather = CsvTableBuilder::new(&plan, options.limits.memory);
    let mut starts = vec![Start { shape: layout.shape, at: layout.start, line: layout.line }];
    let first = with(&files[0], layout.shape, layout.kinds.clone());
    gather.next_file(&files[0]);
    read(&first, starts[0], options, head[layout.start..].chain(pass), &mut gather)?;
    drop(head);
    let like_first = CsvOptions { header: Some(layout.header), ..options.clone() };
    for (file, source) in files[1..].iter().zip(others.iter_mut()) {
        let mut pass = source.pass(false)?;
        let (own, head) = Layout::analyze(file, &mut pass, &like_first, &missing)?;
        same_names(&files[0], &names, file, &own.names)?;
        layout.trailing &= own.trailing;
        let start = Start { shape: own.shape, at: own.start, line: own.line };
        let plan = with(file, own.shape, plan.kinds.clone());
        gather.next_file(file);
        read(&plan, start, options, head[start.at..].chain(pass), &mut gather)?;
        starts.push(start);
    }

    // 3. Infer the types, and read again if an initial type was wrong.
    let mut wanted = gather.wanted(&plan, &layout.free);
    if let Some(label) =
        label.filter(|&j| wanted[j] == Kind::Numeric && gather.label_text_differs(j))
    {
        (wanted[label], layout.free[label]) = (Kind::Categorical, false);
    }
    let plan = if wanted == plan.kinds {
        plan
    } else {
        drop(gather); // frees memory before the second table grows
        let plan = with(&name, layout.shape, wanted);
        gather = CsvTableBuilder::new(&plan, options.limits.memory);
        for ((file, start), source) in files.iter().zip(&starts).zip(&mut sources) {
            let mut pass = source.pass(true)?;
            let skipped = io::copy(&mut pass.by_ref().take(start.at as u64), &mut io::sink());
            skipped.map_err(|e| Error::from_io(file, e))?;
            gather.next_file(file);
            let plan = with(file, start.shape, plan.kinds.clone());
            read(&plan, *start, options, pass, &mut gather)?;
        }
        if gather.wanted(&plan, &layout.free) != plan.kinds {
            let remedy = "Run the command again when nothing writes to the file.";
            let problem = "the file changed during reading";
            return Err(Error::fault(Location::file(&name), problem, remedy));
        }
        plan
    };

    // 4. Report.
    if let Some(error) = gather.first_invalid_cell(&plan) {
        return Err(error);
    }
    if gather.rows == 0 {
        return Err(Error::no_rows(&name, layout.header));
    }
    Ok(gather.finish(&plan, layout.header, layout.trailing))
}

/// Start and dialect of the records of a file.
#[derive(Clone, Copy)]
struct Start {
    shape: Shape,
    at: usize,
    line: u64,
}

/// Reads the records after the header of a file in one pass.
fn read(
    plan: &Plan<'_>,
    start: Start,
    options: &CsvOptions,
    reader: impl Read + Send,
    gather: &mut CsvTableBuilder,
) -> Result<(), Error> {
    let limits = options.limits.shared_by(options.threads);
    let mut cutter = BlockSplitter::new(plan.file, reader, plan.shape, start.line, limits);
    in_order(
        options.threads,
        |block: &mut Block| cutter.next(block),
        |block, cells| plan.read(block, cells),
        |cells| gather.append(plan.file, cells),
    )
}

/// Returns the type of a column set in the options.
fn forced(force: Force) -> Kind {
    match force {
        Force::Numeric => Kind::Numeric,
        Force::Categorical => Kind::Categorical,
        Force::Drop => Kind::Drop,
    }
}

#[cfg(test)]
mod tests;
