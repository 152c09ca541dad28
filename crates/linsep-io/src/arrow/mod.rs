//! Arrow IPC files and streams, read into a [`Table`].
//!
//! A stream is a schema, then dictionaries and record batches, then an end marker. A file is the
//! same between two signatures, with a footer that a sequential reader does not need. So both are
//! read as streams, and both may be piped or compressed.
//!
//! * The end marker is required (and, in a file, the second signature after it): without it a
//!   truncated table could not be recognized.
//! * Bodies may be compressed with lz4 or zstd. Every array is validated before use.
//! * Memory is bounded by the bytes received, not the lengths stated (see `messages`). A panic of a
//!   decoder of the arrow crates is caught: no state of the decoder is used afterwards.
//!
//! Memory: the table and one record batch.

mod cells;
mod messages;
mod stream;

pub(crate) use stream::stream_arrow;

use crate::columns::{Builder, ChunkWriter, Destination, Plan, by_name, check_size, too_large};
use crate::csv::CsvOptions;
use crate::error::Error;
use crate::memory::Memory;
use crate::quiet;
use crate::schema::TypeChooser;
use crate::source::Source;
use crate::table::Table;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{read_dictionary, read_record_batch};
use arrow_ipc::{MessageHeader, root_as_message};
use arrow_schema::{ArrowError, SchemaRef};
use messages::{Message, Messages};
use std::collections::HashMap;
use std::io::Read;
use std::sync::Arc;

/// Name of the format in messages.
const FORMAT: &str = "an Arrow file or stream";

/// Reads a table.
pub fn read_arrow(source: Source, options: &CsvOptions) -> Result<Table, Error> {
    read_arrow_files(vec![source], options)
}

/// Reads several files or streams with the same columns as one table, in the order given.
pub(crate) fn read_arrow_files(sources: Vec<Source>, options: &CsvOptions) -> Result<Table, Error> {
    let mut sources = sources.into_iter();
    let Some(mut source) = sources.next() else {
        return Err(Error::no_rows("no file", false));
    };
    let first = source.name().to_owned();
    source.limit(options.limits.memory);
    let mut batches = Batches::open(&first, source.pass(true)?, options.limits.memory)?;
    let plan = batches.plan(options, by_name(options, &first))?;
    let mut builder = Builder::new(&plan);
    let mut numbers = Vec::new();
    builder.file(&first);
    batches.append(&plan, &mut builder, &mut numbers)?;
    drop(batches);

    for mut source in sources {
        let name = source.name().to_owned();
        source.limit(options.limits.memory);
        let mut batches = Batches::open(&name, source.pass(true)?, options.limits.memory)?;
        plan.check(&first, &name, &batches.plan(options, by_name(options, &name))?)?;
        builder.file(&name);
        batches.append(&plan, &mut builder, &mut numbers)?;
    }
    builder.finish(numbers)
}

/// The record batches of a stream.
struct Batches<'a, R> {
    name: &'a str,
    messages: Messages<'a, R>,
    schema: SchemaRef,
    dictionaries: HashMap<i64, ArrayRef>,
    rows: u64,
}

impl<'a, R: Read> Batches<'a, R> {
    /// Reads the schema, the first message of every stream.
    fn open(name: &'a str, stream: R, limit: Memory) -> Result<Self, Error> {
        let mut messages = Messages::new(name, stream, limit)?;
        let Message { meta, .. } = messages
            .next()?
            .ok_or_else(|| Error::broken(name, FORMAT, "the file ends before its schema"))?;
        let schema = caught(|| {
            let message =
                root_as_message(&meta).map_err(|e| ArrowError::ParseError(e.to_string()))?;
            let schema = message.header_as_schema();
            let no_schema =
                || ArrowError::ParseError("the file does not start with a schema".to_owned());
            let schema = schema.ok_or_else(no_schema)?;
            if !schema.endianness().equals_to_target_endianness() {
                return Err(ArrowError::ParseError(
                    "the byte order differs from this machine's".to_owned(),
                ));
            }
            try_fb_to_schema(schema)
        })
        .map_err(|e| undecoded(name, e))?;
        let (schema, dictionaries) = (Arc::new(schema), HashMap::new());
        Ok(Self { name, messages, schema, dictionaries, rows: 0 })
    }

    fn plan(&self, options: &CsvOptions, choose: impl TypeChooser) -> Result<Plan, Error> {
        let fields = self.schema.fields().iter();
        let columns = fields.map(|f| (f.name().clone(), cells::holds(f.data_type()))).collect();
        Plan::new(self.name, columns, options, choose)
    }

    /// Appends all rows.
    fn append(
        &mut self,
        plan: &Plan,
        builder: &mut Builder<'_>,
        numbers: &mut Vec<f64>,
    ) -> Result<(), Error> {
        let columns = plan.kept();
        while let Some(batch) = self.next(plan, &columns)? {
            let rows = batch.num_rows();
            let start = numbers.len();
            let more = rows.saturating_mul(plan.width);
            plan.check_rows(self.name, self.rows)?;
            if numbers.try_reserve(more).is_err() {
                let (columns, bytes) = (plan.names.len(), self.messages.bytes());
                return Err(too_large(self.name, self.rows, columns, bytes));
            }
            numbers.resize(start + more, 0.0);
            let mut part = ChunkWriter::new(plan, rows, &mut numbers[start..]);
            caught(|| fill(plan, &columns, &batch, &mut part))
                .map_err(|e| undecoded(self.name, e))?;
            builder.append(part.filled())?;
        }
        Ok(())
    }

    /// Returns the next record batch, and stores the dictionaries before it.
    fn next(&mut self, plan: &Plan, columns: &[usize]) -> Result<Option<RecordBatch>, Error> {
        loop {
            let Some(Message { meta, body }) = self.messages.next()? else { return Ok(None) };
            let body = Buffer::from_vec(body);
            let batch = caught(|| self.decode(&meta, &body, columns));
            if let Some(batch) = batch.map_err(|e| undecoded(self.name, e))? {
                self.rows += batch.num_rows() as u64;
                check_size(self.name, self.rows, plan.names.len(), self.messages.bytes())?;
                return Ok(Some(batch));
            }
        }
    }

    fn decode(
        &mut self,
        meta: &[u8],
        body: &Buffer,
        columns: &[usize],
    ) -> Result<Option<RecordBatch>, ArrowError> {
        let message = root_as_message(meta).map_err(|e| ArrowError::ParseError(e.to_string()))?;
        let none = || ArrowError::ParseError("a message without its header".to_owned());
        let (version, limit) = (message.version(), self.messages.limit);
        match message.header_type() {
            MessageHeader::RecordBatch => {
                let batch = message.header_as_record_batch().ok_or_else(none)?;
                messages::check(self.name, &batch, body, limit)?;
                let (schema, words) = (Arc::clone(&self.schema), &self.dictionaries);
                read_record_batch(body, batch, schema, words, Some(columns), &version).map(Some)
            }
            MessageHeader::DictionaryBatch => {
                let batch = message.header_as_dictionary_batch().ok_or_else(none)?;
                messages::check(self.name, &batch.data().ok_or_else(none)?, body, limit)?;
                read_dictionary(body, batch, &self.schema, &mut self.dictionaries, &version)?;
                let bytes = self.dictionaries.values().map(|d| d.get_array_memory_size() as u64);
                limit
                    .check(self.name, "the dictionaries", u128::from(bytes.sum::<u64>()))
                    .map_err(|e| ArrowError::ExternalError(Box::new(e)))?;
                Ok(None)
            }
            other => Err(ArrowError::ParseError(format!("an unexpected message, {other:?}"))),
        }
    }
}

/// Writes a record batch to its part of the table: categorical columns one by one, numeric columns
/// a few hundred rows at a time. The block is thus written row by row while it is in the cache.
fn fill(
    plan: &Plan,
    columns: &[usize],
    batch: &RecordBatch,
    part: &mut ChunkWriter<'_>,
) -> Result<(), ArrowError> {
    let rows = batch.num_rows();
    let arrays = || columns.iter().copied().zip(batch.columns());
    let is_words = |j: usize| matches!(plan.to[j], Destination::Words(_));
    for (j, array) in arrays().filter(|(j, _)| is_words(*j)) {
        cells::fill(array, &mut part.cells(j, 0))?;
    }
    for row in (0..rows).step_by(plan.tile()) {
        for (j, array) in arrays().filter(|(j, _)| !is_words(*j)) {
            let tile = array.slice(row, plan.tile().min(rows - row));
            cells::fill(&tile, &mut part.cells(j, row))?;
        }
    }
    Ok(())
}

/// Calls a decoder, and returns a panic as an error.
fn caught<T>(call: impl FnOnce() -> Result<T, ArrowError>) -> Result<T, ArrowError> {
    // Partial results are dropped with the error, so no inconsistent state is used.
    quiet::caught(call).unwrap_or_else(|| Err(ArrowError::ParseError("decoding failed".to_owned())))
}

/// Returns the error for a file that a decoder refused, or that exceeds the memory limit.
#[cold]
fn undecoded(name: &str, error: ArrowError) -> Error {
    let error = match error {
        ArrowError::ExternalError(inner) => match inner.downcast() {
            Ok(own) => return *own,
            Err(inner) => ArrowError::ExternalError(inner),
        },
        other => other,
    };
    Error::broken(name, FORMAT, &error.to_string())
}
