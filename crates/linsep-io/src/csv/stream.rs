//! A CSV file whose types are known beforehand, block by block: for files larger than memory.
//!
//! `work` turns each block into a result, on any thread; `take` gets the results in the order of the
//! file. Never more than a few blocks are in memory.

use super::cells::{Cells, Kind, Plan};
use super::gather::Gather;
use super::layout::Layout;
use super::missing::Missing;
use super::{CsvOptions, Force};
use crate::blocks::Cutter;
use crate::error::Error;
use crate::order::in_order;
use crate::place::Place;
use crate::source::Source;
use crate::table::Table;
use std::io::Read;

/// What a thread works with.
struct Part<T> {
    cells: Cells,
    result: Option<T>,
}

impl<T> Default for Part<T> {
    fn default() -> Self {
        Self { cells: Cells::default(), result: None }
    }
}

/// Reads a file in blocks. `choose` is shown the names of the columns and whether they came from the
/// file; it says how each is read.
pub(crate) fn stream_csv<T: Send>(
    mut source: Source,
    options: &CsvOptions,
    choose: impl FnOnce(&[String], bool) -> Result<Vec<Force>, Error>,
    work: impl Fn(Table) -> Result<T, Error> + Sync,
    mut take: impl FnMut(T) -> Result<(), Error> + Send,
) -> Result<(), Error> {
    options.check()?;
    let name = source.name().to_owned();
    let missing = Missing::new(&options.missing);
    let mut pass = source.pass(true)?;
    let (layout, head) = Layout::look(&name, &mut pass, options, &missing)?;
    let kinds: Vec<Kind> =
        choose(&layout.names, layout.header)?.into_iter().map(super::forced).collect();
    let plan = Plan::new(&name, &layout.names, layout.shape, &missing, kinds);
    let stream = head[layout.start..].chain(pass);
    let cutter = Cutter::new(&name, stream, layout.shape, layout.line, options.limits);

    let mut rows = 0;
    in_order(
        options.threads,
        cutter,
        |block, part: &mut Part<T>| {
            plan.read(block, &mut part.cells)?;
            part.result = None;
            if part.cells.rows > 0 {
                let mut gather = Gather::new(&plan);
                gather.append(&name, &mut part.cells)?;
                if let Some(error) = gather.offence(&plan) {
                    return Err(error);
                }
                part.result = Some(work(gather.finish(&plan, layout.header, false))?);
            }
            Ok(())
        },
        |part| {
            rows += part.cells.rows;
            part.result.take().map_or(Ok(()), &mut take)
        },
    )?;
    if rows == 0 {
        let place = Box::new(Place::file(&name));
        return Err(if layout.header { Error::NoRows { place } } else { Error::Empty { place } });
    }
    Ok(())
}
