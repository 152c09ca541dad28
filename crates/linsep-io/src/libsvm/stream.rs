//! Block-wise reading of a LIBSVM file, for files larger than memory.

use super::rows::{Reader, Rows};
use super::{LibsvmOptions, SparseBuilder, look};
use crate::blocks::{Block, BlockSplitter, Shape};
use crate::error::{Error, StreamError};
use crate::order::in_order;
use crate::source::Source;
use crate::table::Sparse;
use std::io::Read;

/// Buffers of a thread.
struct Part<T> {
    rows: Rows,
    result: Option<T>,
}

impl<T> Default for Part<T> {
    fn default() -> Self {
        Self { rows: Rows::default(), result: None }
    }
}

/// Reads a file in blocks: `work` on any thread, `take` in the order of the file. The start of the
/// indices (0 or 1) must be given.
pub fn stream_libsvm<T: Send, E: StreamError>(
    mut source: Source,
    options: &LibsvmOptions,
    work: impl Fn(Sparse) -> Result<T, E> + Sync,
    mut take: impl FnMut(T) -> Result<(), E> + Send,
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
    let mut rows = 0;
    in_order(
        options.threads,
        |block: &mut Block| cutter.next(block).map_err(E::from),
        |block, part: &mut Part<T>| {
            reader.read(block, &mut part.rows)?;
            part.result = None;
            if !part.rows.codes.is_empty() {
                let mut gather = SparseBuilder::default();
                gather.append(&name, &mut part.rows, options.limits.memory)?;
                part.result = Some(work(gather.finish(name.clone(), options))?);
            }
            Ok(())
        },
        |part| {
            rows += part.rows.codes.len();
            part.result.take().map_or(Ok(()), &mut take)
        },
    )?;
    if rows == 0 {
        return Err(Error::no_rows(&name, false).into());
    }
    Ok(())
}
