//! A file that knows its columns, batch by batch: for files larger than memory.
//!
//! Batches are decoded one after another, since pages and messages follow one another; what is done with
//! them is done on several threads. Each batch is a table of its own, with words numbered anew. What it
//! says about rows counts from its own first; here those before it are added.

use crate::error::Error;
use crate::order::in_order;
use crate::place::Place;
use crate::table::Table;

/// Takes batches from `next` until there are no more: `work` on any thread, `take` in the order of the file.
pub(crate) fn stream_batches<T: Send>(
    name: &str,
    threads: usize,
    mut next: impl FnMut() -> Result<Option<Table>, Error> + Send,
    work: impl Fn(Table) -> Result<T, Error> + Sync,
    mut take: impl FnMut(T) -> Result<(), Error> + Send,
) -> Result<(), Error> {
    let mut rows = 0;
    let all = in_order(
        threads,
        |batch: &mut Option<Table>| {
            *batch = next()?;
            Ok(batch.is_some())
        },
        |batch, part: &mut Option<(usize, T)>| {
            let done = batch.take().map(|table| Ok((table.rows, work(table)?)));
            *part = done.transpose()?;
            Ok(())
        },
        |part| {
            let Some((n, result)) = part.take() else { return Ok(()) };
            rows += n;
            take(result)
        },
    );
    all.map_err(|error| error.after(rows))?;
    if rows == 0 {
        return Err(Error::Empty { place: Box::new(Place::file(name)) });
    }
    Ok(())
}
