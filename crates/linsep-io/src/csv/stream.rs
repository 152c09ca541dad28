//! Block-wise reading of a CSV file with known types, for files larger than memory.
//!
//! `work` turns each block into a result, on any thread; `take` receives the results in the order
//! of the file. At most a few blocks are in memory.

use super::cells::{Cells, Kind, Plan};
use super::layout::Layout;
use super::missing::Missing;
use super::table_builder::CsvTableBuilder;
use super::{CsvOptions, Force};
use crate::blocks::{Block, BlockSplitter};
use crate::error::{Error, StreamError};
use crate::order::stream_blocks;
use crate::schema::TypeChooser;
use crate::source::Source;
use crate::table::Table;
use std::io::Read;

/// Reads a file in blocks: `work` on any thread, `take` in the order of the file. `choose` gives
/// the type of each column. A column without a given type is read as categorical, because its type
/// depends on the whole file.
pub(crate) fn stream_csv<T: Send, E: StreamError>(
    mut source: Source,
    options: &CsvOptions,
    choose: impl TypeChooser,
    work: impl Fn(Table) -> Result<T, E> + Sync,
    take: impl FnMut(T) -> Result<(), E> + Send,
) -> Result<(), E> {
    options.check()?;
    let name = source.name().to_owned();
    let missing = Missing::new(&options.missing);
    source.limit(options.limits.memory);
    let mut pass = source.pass(true)?;
    let (layout, head) = Layout::analyze(&name, &mut pass, options, &missing)?;
    let chosen = choose(&layout.names, layout.header)?.into_iter();
    let kinds: Vec<Kind> =
        chosen.map(|force| super::forced(force.unwrap_or(Force::Categorical))).collect();
    let plan = Plan::new(&name, &layout.names, layout.shape, &missing, kinds, None);
    let stream = head[layout.start..].chain(pass);
    let limits = options.limits.shared_by(options.threads);
    let mut cutter = BlockSplitter::new(&name, stream, layout.shape, layout.line, limits);

    let rows = stream_blocks(
        options.threads,
        |(block, _): &mut (Block, Cells)| cutter.next(block),
        |(block, cells)| {
            plan.read(block, cells)?;
            if cells.rows == 0 {
                return Ok(None);
            }
            let mut gather = CsvTableBuilder::new(&plan, options.limits.memory);
            gather.append(&name, cells)?;
            let invalid = gather.first_invalid_cell(&plan);
            invalid.map_or_else(|| Ok(Some(gather.finish(&plan, layout.header, false))), Err)
        },
        work,
        take,
    )?;
    if rows == 0 {
        return Err(Error::no_rows(&name, layout.header).into());
    }
    Ok(())
}
