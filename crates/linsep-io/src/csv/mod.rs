//! CSV and its relatives to a [`Table`].
//!
//! 1. **Look** at the head of the file: is it text, which delimiter, is there a header, what do the
//!    columns look like?
//! 2. **Read** the whole file on that guess, in parallel blocks, noting whatever does not fit.
//! 3. **Judge** every column by all of its cells. If a guess was wrong, read once more with the right
//!    types: the first reading counted every cell, so the second is the last.
//! 4. **Report** the first cell that does not belong where it is, or give the table.
//!
//! Memory: the table, a few blocks per thread, and for a pipe the text itself (a file is opened again).
//! The result, and the error, do not depend on the number of threads or the size of blocks.
//!
//! Several files with the same columns are read as if they were one: the first decides whether there is a
//! header, all together decide the types.

mod cells;
mod dialect;
mod gather;
mod layout;
mod missing;
mod scan;
mod stream;

use crate::blocks::{Block, Cutter, Limits, Shape};
use crate::columns::same_names;
use crate::error::Error;
use crate::input::set_name;
use crate::order::in_order;
use crate::place::Place;
use crate::source::Source;
use crate::table::Table;
use crate::target::ClassColumn;
pub(crate) use stream::stream_csv;

use cells::{Kind, Plan};
use gather::Gather;
use layout::Layout;
pub(crate) use missing::Missing;
use std::io::{self, Read};

/// How to read a CSV file. What is `None` is told from the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvOptions {
    /// Byte between fields; a blank means runs of blanks and tabs.
    pub delimiter: Option<u8>,
    /// Is the first record a header?
    pub header: Option<bool>,
    /// Byte around fields that contain delimiters or line ends; `None`: there is no such byte.
    pub quote: Option<u8>,
    /// Texts that mean *missing*, in any case.
    pub missing: Vec<String>,
    /// Lines that begin with this byte are skipped.
    pub comment: Option<u8>,
    /// Columns, by name, whose type is not left to the file. The last word on a name counts.
    pub force: Vec<(String, Force)>,
    /// The column with the classes: where its cells say more than doubles do, it is read as words.
    pub classes: ClassColumn,
    /// Threads to read with.
    pub threads: usize,
    /// Sizes.
    pub limits: Limits,
}

/// A type given to a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Force {
    /// Numbers: any word in it is an error.
    Numeric,
    /// Words, even where they look like numbers.
    Words,
    /// Not read at all.
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
                want: "a character of its own that numbers do not use",
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
        return Err(Error::Empty { place: Box::new(Place::file("no file")) });
    };

    // 1. Look.
    let mut pass = source.pass(false)?;
    let (mut layout, head) = Layout::look(&files[0], &mut pass, options, &missing)?;
    let names = std::mem::take(&mut layout.names);
    let label = layout.label;
    let with = |file, shape, kinds| Plan::new(file, &names, shape, &missing, kinds, label);
    let plan = with(&name, layout.shape, layout.kinds.clone());

    // 2. Read: the first file, then the others, each after a look of its own.
    let mut gather = Gather::new(&plan, options.limits.memory);
    let mut starts = vec![Start { shape: layout.shape, at: layout.start, line: layout.line }];
    let first = with(&files[0], layout.shape, layout.kinds.clone());
    gather.next_file(&files[0]);
    read(&first, starts[0], options, head[layout.start..].chain(pass), &mut gather)?;
    drop(head);
    let like_first = CsvOptions { header: Some(layout.header), ..options.clone() };
    for (file, source) in files[1..].iter().zip(others.iter_mut()) {
        let mut pass = source.pass(false)?;
        let (own, head) = Layout::look(file, &mut pass, &like_first, &missing)?;
        same_names(&files[0], &names, file, &own.names)?;
        layout.trailing &= own.trailing;
        let start = Start { shape: own.shape, at: own.start, line: own.line };
        let plan = with(file, own.shape, plan.kinds.clone());
        gather.next_file(file);
        read(&plan, start, options, head[start.at..].chain(pass), &mut gather)?;
        starts.push(start);
    }

    // 3. Judge, and read again where the guess was wrong.
    let mut wanted = gather.wanted(&plan, &layout.free);
    if let Some(label) = label.filter(|&j| wanted[j] == Kind::Number && gather.says_more(j)) {
        (wanted[label], layout.free[label]) = (Kind::Words, false);
    }
    let plan = if wanted == plan.kinds {
        plan
    } else {
        drop(gather); // before the second table grows
        let plan = with(&name, layout.shape, wanted);
        gather = Gather::new(&plan, options.limits.memory);
        for ((file, start), source) in files.iter().zip(&starts).zip(&mut sources) {
            let mut pass = source.pass(true)?;
            let skipped = io::copy(&mut pass.by_ref().take(start.at as u64), &mut io::sink());
            skipped.map_err(|e| Error::from_io(file, e))?;
            gather.next_file(file);
            let plan = with(file, start.shape, plan.kinds.clone());
            read(&plan, *start, options, pass, &mut gather)?;
        }
        if gather.wanted(&plan, &layout.free) != plan.kinds {
            return Err(Error::Changed { place: Box::new(Place::file(&name)) });
        }
        plan
    };

    // 4. Report.
    if let Some(error) = gather.offence(&plan) {
        return Err(error);
    }
    if gather.rows == 0 {
        let place = Box::new(Place::file(&name));
        return Err(if layout.header { Error::NoRows { place } } else { Error::Empty { place } });
    }
    Ok(gather.finish(&plan, layout.header, layout.trailing))
}

/// Where the records of a file start, and how they look.
#[derive(Clone, Copy)]
struct Start {
    shape: Shape,
    at: usize,
    line: u64,
}

/// One reading of the records behind the header of a file.
fn read(
    plan: &Plan<'_>,
    start: Start,
    options: &CsvOptions,
    reader: impl Read + Send,
    gather: &mut Gather,
) -> Result<(), Error> {
    let limits = options.limits.shared_by(options.threads);
    let mut cutter = Cutter::new(plan.file, reader, plan.shape, start.line, limits);
    in_order(
        options.threads,
        |block: &mut Block| cutter.next(block),
        |block, cells| plan.read(block, cells),
        |cells| gather.append(plan.file, cells),
    )
}

/// The kind a column is forced to be.
fn forced(force: Force) -> Kind {
    match force {
        Force::Numeric => Kind::Number,
        Force::Words => Kind::Words,
        Force::Drop => Kind::Drop,
    }
}

#[cfg(test)]
mod tests;
