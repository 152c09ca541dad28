//! Block-wise reading of a LIBSVM file, for files larger than memory.

use super::rows::{Reader, Rows};
use super::{LibsvmOptions, SparseBuilder, look};
use crate::blocks::{Block, BlockSplitter, Shape};
use crate::error::{Error, StreamError};
use crate::order::stream_blocks;
use crate::source::Source;
use crate::table::Sparse;
use std::io::Read;

/// Reads a file in blocks: `work` on any thread, `take` in the order of the file. The start of the
/// indices (0 or 1) must be given.
pub fn stream_libsvm<T: Send, E: StreamError>(
    mut source: Source,
    options: &LibsvmOptions,
    work: impl Fn(Sparse) -> Result<T, E> + Sync,
    take: impl FnMut(T) -> Result<(), E> + Send,
) -> Result<(), E> {
    options.check()?;
    let name = source.name().to_owned();
    source.limit(options.limits.memory);
    let mut pass = source.pass(true)?;
    let (head, start) = look(&name, &mut pass)?;
    let reader = Reader { file: &name, options };
    let stream = head[start..].chain(pass);
    let limits = options.limits.shared_by(options.threads);
    let mut cutter = BlockSplitter::new(&name, stream, Shape::LINES, 1, limits);
    let rows = stream_blocks(
        options.threads,
        |(block, _): &mut (Block, Rows)| cutter.next(block),
        |(block, rows)| {
            reader.read(block, rows)?;
            if rows.codes.is_empty() {
                return Ok(None);
            }
            let mut gather = SparseBuilder::default();
            gather.append(&name, rows, options.limits.memory)?;
            Ok(Some(gather.finish(name.clone(), options)))
        },
        work,
        take,
    )?;
    if rows == 0 {
        return Err(Error::no_rows(&name, false).into());
    }
    Ok(())
}
