//! Batch-wise reading of a file with typed columns, for files larger than memory.
//!
//! Batches are decoded sequentially, because pages and messages are sequential; their processing is
//! parallel. Each batch is a table with its own numbering of levels. Row numbers in its errors
//! count from the first row of the batch, so the rows before the batch are added here.

use crate::error::{Error, StreamError};
use crate::order::in_order;
use crate::table::Table;

/// Takes batches from `next` until `None`: `work` on any thread, `take` in the order of the file.
pub(crate) fn stream_batches<T: Send, E: StreamError>(
    name: &str,
    threads: usize,
    mut next: impl FnMut() -> Result<Option<Table>, Error> + Send,
    work: impl Fn(Table) -> Result<T, E> + Sync,
    mut take: impl FnMut(T) -> Result<(), E> + Send,
) -> Result<(), E> {
    let mut rows = 0;
    let all = in_order(
        threads,
        |batch: &mut Option<Table>| {
            *batch = next().map_err(E::from)?;
            Ok(batch.is_some())
        },
        |batch, part: &mut Option<(usize, T)>| {
            let done = batch.take().map(|table| Ok::<_, E>((table.rows, work(table)?)));
            *part = done.transpose()?;
            Ok(())
        },
        |part| {
            let Some((n, result)) = part.take() else { return Ok(()) };
            rows += n;
            take(result)
        },
    );
    all.map_err(|error: E| error.after(rows))?;
    if rows == 0 {
        return Err(Error::no_rows(name, false).into());
    }
    Ok(())
}
