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
use crate::order::in_order;
use crate::schema::TypeChooser;
use crate::source::Source;
use crate::table::Table;
use std::io::Read;

/// Buffers of a thread.
struct Part<T> {
    cells: Cells,
    result: Option<T>,
}

impl<T> Default for Part<T> {
    fn default() -> Self {
        Self { cells: Cells::default(), result: None }
    }
}

/// Reads a file in blocks: `work` on any thread, `take` in the order of the file. `choose` gives
/// the type of each column. A column without a given type is read as categorical, because its type
/// depends on the whole file.
pub fn stream_csv<T: Send, E: StreamError>(
    mut source: Source,
    options: &CsvOptions,
    choose: impl TypeChooser,
    work: impl Fn(Table) -> Result<T, E> + Sync,
    mut take: impl FnMut(T) -> Result<(), E> + Send,
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

    let mut rows = 0;
    let all = in_order(
        options.threads,
        |block: &mut Block| cutter.next(block).map_err(E::from),
        |block, part: &mut Part<T>| {
            plan.read(block, &mut part.cells)?;
            part.result = None;
            if part.cells.rows > 0 {
                let mut gather = CsvTableBuilder::new(&plan, options.limits.memory);
                gather.append(&name, &mut part.cells)?;
                if let Some(error) = gather.first_invalid_cell(&plan) {
                    return Err(error.into());
                }
                part.result = Some(work(gather.finish(&plan, layout.header, false))?);
            }
            Ok(())
        },
        |part| {
            rows += part.cells.rows;
            part.result.take().map_or(Ok(()), &mut take)
        },
    );
    all.map_err(|error: E| error.after(rows))?;
    if rows == 0 {
        return Err(Error::no_rows(&name, layout.header).into());
    }
    Ok(())
}
