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

mod cells;
mod dialect;
mod gather;
mod layout;
mod missing;
mod scan;
mod stream;

use crate::blocks::{Cutter, Limits};
use crate::error::Error;
use crate::order::in_order;
use crate::place::Place;
use crate::source::Source;
use crate::table::Table;
pub(crate) use stream::stream_csv;

use cells::{Kind, Plan};
use gather::Gather;
use layout::Layout;
use missing::Missing;
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
pub fn read_csv(mut source: Source, options: &CsvOptions) -> Result<Table, Error> {
    options.check()?;
    let name = source.name().to_owned();
    let missing = Missing::new(&options.missing);

    // 1. Look.
    let mut pass = source.pass(false)?;
    let (layout, head) = Layout::look(&name, &mut pass, options, &missing)?;
    let (names, shape) = (&layout.names, layout.shape);
    let with = |kinds| Plan::new(&name, names, shape, &missing, kinds);
    let mut plan = with(layout.kinds.clone());

    // 2. Read.
    let start = layout.start;
    let mut gather = read(&plan, &layout, options, head[start..].chain(pass))?;
    drop(head);

    // 3. Judge, and read again where the guess was wrong.
    let wanted = gather.wanted(&plan, &layout.free);
    if wanted != plan.kinds {
        drop(gather); // before the second table grows
        plan = with(wanted);
        let mut pass = source.pass(true)?;
        let skipped = io::copy(&mut pass.by_ref().take(start as u64), &mut io::sink());
        skipped.map_err(|e| Error::from_io(&name, e))?;
        gather = read(&plan, &layout, options, pass)?;
        if gather.wanted(&plan, &layout.free) != plan.kinds {
            return Err(Error::Changed { place: Box::new(Place::file(&name)) });
        }
    }

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

/// One reading of the records behind the header.
fn read(
    plan: &Plan<'_>,
    layout: &Layout,
    options: &CsvOptions,
    reader: impl Read + Send,
) -> Result<Gather, Error> {
    let cutter = Cutter::new(plan.file, reader, plan.shape, layout.line, options.limits);
    let mut gather = Gather::new(plan);
    in_order(
        options.threads,
        cutter,
        |block, cells| plan.read(block, cells),
        |cells| gather.append(plan.file, cells),
    )?;
    Ok(gather)
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
