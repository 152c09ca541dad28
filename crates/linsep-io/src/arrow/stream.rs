//! Batch-wise reading of an Arrow file or stream, for files larger than memory.
//!
//! A record batch may be as large as the file, so its rows are passed on in slices. In memory are
//! one record batch, the dictionaries, and the slices in work or waiting for their turn.

use super::{Batches, caught, fill, undecoded};
use crate::columns::{self, ChunkWriter, Plan, stream_tables};
use crate::csv::CsvOptions;
use crate::error::{Error, StreamError};
use crate::schema::TypeChooser;
use crate::source::Source;
use crate::table::Table;
use arrow_array::RecordBatch;
use std::io::Read;

/// Reads a file in batches: `work` on any thread, `take` in the order of the file. `choose` gives
/// the type of each column.
pub(crate) fn stream_arrow<T: Send, E: StreamError>(
    mut source: Source,
    options: &CsvOptions,
    choose: impl TypeChooser,
    work: impl Fn(Table) -> Result<T, E> + Sync,
    take: impl FnMut(T) -> Result<(), E> + Send,
) -> Result<(), E> {
    let name = source.name().to_owned();
    source.limit(options.limits.memory);
    let batches = Batches::open(&name, source.pass(true)?, options.limits.memory)?;
    let plan = batches.plan(options, choose)?;
    let mut pieces = BatchSlices { batches, plan: &plan, columns: plan.kept(), batch: None, at: 0 };
    stream_tables(&name, options.threads, || pieces.next(), work, take)
}

/// The record batches of a stream, in slices.
struct BatchSlices<'a, R> {
    batches: Batches<'a, R>,
    plan: &'a Plan,
    columns: Vec<usize>,
    batch: Option<RecordBatch>,
    /// Rows of the batch already returned.
    at: usize,
}

impl<R: Read> BatchSlices<'_, R> {
    fn next(&mut self) -> Result<Option<Table>, Error> {
        let (plan, name) = (self.plan, self.batches.name);
        let batch = loop {
            match self.batch.take() {
                Some(batch) if self.at < batch.num_rows() => break batch,
                _ => {}
            }
            self.batch = self.batches.next(plan, &self.columns)?;
            self.at = 0;
            if self.batch.is_none() {
                return Ok(None);
            }
        };
        let rows = plan.batch.min(batch.num_rows() - self.at);
        let piece = batch.slice(self.at, rows);
        self.at += rows;
        self.batch = Some(batch);
        let write = |part: &mut ChunkWriter<'_>| {
            caught(|| fill(plan, &self.columns, &piece, part)).map_err(|e| undecoded(name, e))
        };
        columns::batch(plan, name, rows, write).map(Some)
    }
}
