//! Parquet files, read into a [`Table`].
//!
//! The footer gives the number of rows, so the block of numbers is allocated once, at its final
//! size. Each row group fills its own part of the block. Row groups are read on several threads,
//! and their levels are appended in order. Within a row group all columns advance together, a few
//! hundred rows at a time. The block is thus written row by row while it is in the cache.
//!
//! Supported are flat columns with every encoding, compressed with snappy, gzip, zstd, lz4 or not
//! at all. Reading a footer requires a seekable file: input from a pipe, or compressed as a whole,
//! is first read into memory.
//!
//! Damaged and hostile files are errors. The decoders are those of the `parquet` crate. The sizes
//! that make them allocate are checked before (see `store` and `pages`). A panic of a decoder is
//! caught: no state of the decoder is used afterwards.

mod categories;
mod header;
mod leaf;
mod pages;
mod store;
mod stream;

pub(crate) use stream::stream_parquet;

use crate::columns::{
    Builder, ChunkWriter, ColumnContent, Destination, FilledChunk, Plan, by_name, check_size,
    too_large,
};
use crate::csv::CsvOptions;
use crate::error::Error;
use crate::memory::Memory;
use crate::order::in_order;
use crate::quiet;
use crate::schema::TypeChooser;
use crate::source::Source;
use crate::table::Table;
use categories::categories;
use leaf::{Leaf, ValueType};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use parquet::file::reader::Length;
use std::fs::File;
use std::io::Read;
use std::sync::Arc;
use store::{Chunk, PageLimit, Store};

/// Name of the format in messages.
const FORMAT: &str = "a Parquet file";

/// Reads a table.
pub fn read_parquet(source: Source, options: &CsvOptions) -> Result<Table, Error> {
    read_parquet_files(vec![source], options)
}

/// Reads several files with the same columns as one table, in the order given.
pub(crate) fn read_parquet_files(
    sources: Vec<Source>,
    options: &CsvOptions,
) -> Result<Table, Error> {
    // 1. Read all footers.
    let mut files: Vec<Opened> = Vec::new();
    for source in sources {
        let name = source.name().to_owned();
        let opened = Opened::new(source, options, by_name(options, &name))?;
        if let Some(first) = files.first() {
            first.plan.check(&first.name, &opened.name, &opened.plan)?;
        }
        files.push(opened);
    }
    let Some(first) = files.first() else {
        return Err(Error::no_rows("no file", false));
    };
    let plan = &first.plan;

    // 2. Allocate the block, and divide it among the row groups.
    let total: u64 = files.iter().map(|file| file.rows).sum();
    if total == 0 {
        return Err(Error::no_rows(&first.name, false));
    }
    plan.check_rows(&first.name, total)?;
    let size = (total as usize).checked_mul(plan.width).filter(|&size| {
        // A trial reservation: a failed allocation of the vector itself would end the program.
        Vec::<f64>::new().try_reserve_exact(size).is_ok()
    });
    let Some(size) = size else {
        let bytes = files.iter().map(|file| file.store.len()).sum();
        return Err(too_large(&first.name, total, plan.names.len(), bytes));
    };
    let mut numbers = vec![0.0; size];
    let mut jobs = Vec::new();
    let mut rest = &mut numbers[..];
    for (f, file) in files.iter().enumerate() {
        for (g, group) in file.meta.row_groups().iter().enumerate() {
            let rows = group.num_rows() as usize;
            let (block, behind) = rest.split_at_mut(rows * plan.width);
            jobs.push(Job { file: f, group: g, rows, block });
            rest = behind;
        }
    }

    // 3. Read the row groups.
    let mut builder = Builder::new(plan);
    fill(&files, plan, jobs, options.threads, &mut builder)?;
    builder.finish(numbers)
}

/// A file with its footer.
struct Opened {
    name: String,
    store: Arc<Store>,
    meta: ParquetMetaData,
    plan: Plan,
    /// For each column its leaf and the logical type of the leaf.
    leaves: Vec<(usize, ValueType)>,
    rows: u64,
}

impl Opened {
    fn new(
        mut source: Source,
        options: &CsvOptions,
        choose: impl TypeChooser,
    ) -> Result<Self, Error> {
        let name = source.name().to_owned();
        source.limit(options.limits.memory);
        let store = store(&mut source, options.limits.memory)?;
        Self::on(name, store, options, choose)
    }

    /// Reads the footer of an open file.
    fn on(
        name: String,
        store: Store,
        options: &CsvOptions,
        choose: impl TypeChooser,
    ) -> Result<Self, Error> {
        let store = Arc::new(store);
        let broken = |problem: &dyn ToString| Error::broken(&name, FORMAT, &problem.to_string());
        let footer = Chunk::new(&store, PageLimit::default());
        let meta = caught(|| ParquetMetaDataReader::new().parse_and_finish(&footer))
            .map_err(|e| store.failure().unwrap_or_else(|| broken(&e)))?;

        // 1. The columns.
        let schema = meta.file_metadata().schema_descr();
        let categories = caught(|| Ok(categories(meta.file_metadata()))).unwrap_or_default();
        let roots = schema.root_schema().get_fields();
        let mut leaf_of = vec![None; roots.len()];
        for at in 0..schema.num_columns() {
            leaf_of[schema.get_column_root_idx(at)] = Some(at);
        }
        let (mut columns, mut leaves) = (Vec::new(), Vec::new());
        for (root, leaf) in roots.iter().zip(leaf_of) {
            let flat =
                leaf.filter(|&at| root.is_primitive() && schema.column(at).max_rep_level() == 0);
            let (holds, leaf) = match flat.map(|at| (at, ValueType::of(&schema.column(at)))) {
                Some((at, Ok(meaning))) => {
                    let category = categories.contains(root.name());
                    let holds = meaning.holds(schema.column(at).physical_type());
                    (if category { ColumnContent::Categorical } else { holds }, (at, meaning))
                }
                Some((at, Err(what))) => (ColumnContent::Other(what), (at, ValueType::Bytes)),
                None => {
                    (ColumnContent::Other("lists or structs".to_owned()), (0, ValueType::Bytes))
                }
            };
            columns.push((root.name().to_owned(), holds));
            leaves.push(leaf);
        }
        let plan = Plan::new(&name, columns, options, choose)?;

        // 2. The number of rows, which must be equal in all columns.
        let mut rows = 0_u64;
        for group in meta.row_groups() {
            let n = u64::try_from(group.num_rows()).map_err(|e| broken(&e))?;
            rows = rows.checked_add(n).ok_or_else(|| broken(&"too many rows"))?;
            for (at, _) in used(&plan, &leaves).map(|(_, leaf)| leaf) {
                let column = group.columns().get(at);
                let Some(column) = column.filter(|c| c.num_values() == group.num_rows()) else {
                    return Err(broken(&"columns differ in length"));
                };
                let start = column.dictionary_page_offset().unwrap_or(column.data_page_offset());
                if start < 0 || column.compressed_size() < 0 {
                    return Err(broken(&"a column has a negative offset"));
                }
            }
        }
        check_size(&name, rows, plan.names.len(), store.len())?;
        Ok(Self { name, store, meta, plan, leaves, rows })
    }
}

impl Opened {
    /// Returns the memory limit of a page. One page of each column is in memory, besides the table.
    fn pages(&self) -> PageLimit {
        let columns = (self.plan.width + self.plan.words).max(1) as u64;
        let most = (self.plan.memory.0 / (4 * columns)).max(2 << 20);
        PageLimit { most, memory: self.plan.memory }
    }
}

/// Returns the columns that are read, each with its leaf.
fn used<'a>(
    plan: &'a Plan,
    leaves: &'a [(usize, ValueType)],
) -> impl Iterator<Item = (usize, (usize, ValueType))> + 'a {
    let kept = |(j, _): &(usize, _)| plan.to[*j] != Destination::Dropped;
    leaves.iter().copied().enumerate().filter(kept)
}

/// Returns the file, or its bytes in memory.
fn store(source: &mut Source, memory: Memory) -> Result<Store, Error> {
    let (name, cancel) = (source.name().to_owned(), source.token());
    let io = |e| Error::from_io(&name, e);
    if let Some(path) = source.plain_file()? {
        let file = File::open(path).map_err(io)?;
        let size = file.metadata().map_err(io)?.len();
        return Ok(Store::file(&name, file, size, cancel));
    }
    let mut bytes = Vec::new();
    source.pass(true)?.take(memory.0.saturating_add(1)).read_to_end(&mut bytes).map_err(io)?;
    // The table is allocated in addition, and counted separately.
    memory.check(&name, "the decompressed file", bytes.len() as u128)?;
    Ok(Store::memory(&name, bytes, cancel))
}

/// A row group to be read, and the part of the block for its numbers.
struct Job<'a> {
    file: usize,
    group: usize,
    rows: usize,
    block: &'a mut [f64],
}

/// Reads all row groups on several threads and appends them in order. The error returned is that of
/// the first faulty row group.
fn fill(
    files: &[Opened],
    plan: &Plan,
    jobs: Vec<Job<'_>>,
    threads: usize,
    builder: &mut Builder<'_>,
) -> Result<(), Error> {
    let (mut jobs, mut last) = (jobs.into_iter(), None);
    in_order(
        threads,
        |job: &mut Option<Job<'_>>| {
            *job = jobs.next();
            Ok(job.is_some())
        },
        |job, part: &mut Option<(usize, FilledChunk)>| {
            let Some(job) = job else { return Ok(()) };
            *part = Some((job.file, group(&files[job.file], plan, job)?));
            Ok(())
        },
        |part| {
            let Some((file, part)) = part.take() else { return Ok(()) };
            if last.replace(file) != Some(file) {
                builder.file(&files[file].name); // files without row groups are skipped
            }
            builder.append(part)
        },
    )
}

/// Reads a row group.
fn group(file: &Opened, plan: &Plan, job: &mut Job<'_>) -> Result<FilledChunk, Error> {
    let mut leaves = leaves(file, job.group)?;
    let mut part = ChunkWriter::new(plan, job.rows, job.block);
    advance(file, job.group, &mut leaves, job.rows, &mut part)?;
    Ok(part.filled())
}

/// Returns the readers of the columns of a row group, at its first row.
fn leaves(file: &Opened, at: usize) -> Result<Vec<(usize, Leaf)>, Error> {
    let group = file.meta.row_group(at);
    let pages = file.pages();
    let leaf = |(j, (at, meaning))| Ok((j, Leaf::new(&file.store, group, at, meaning, pages)?));
    caught(|| used(&file.plan, &file.leaves).map(leaf).collect()).map_err(|e| in_group(file, at, e))
}

/// Reads the next rows of a row group into `part`.
fn advance(
    file: &Opened,
    group: usize,
    leaves: &mut [(usize, Leaf)],
    rows: usize,
    part: &mut ChunkWriter<'_>,
) -> Result<(), Error> {
    let tile = file.plan.tile();
    caught(|| {
        for row in (0..rows).step_by(tile) {
            for (j, leaf) in &mut *leaves {
                leaf.read(tile.min(rows - row), &mut part.cells(*j, row))?;
            }
        }
        Ok(())
    })
    .map_err(|e| in_group(file, group, e))
}

#[cold]
fn in_group(file: &Opened, group: usize, error: ParquetError) -> Error {
    let error = match error {
        ParquetError::External(inner) => match inner.downcast() {
            Ok(own) => return *own,
            Err(inner) => ParquetError::External(inner),
        },
        other => other,
    };
    let problem = || format!("row group {}: {error}", group + 1);
    file.store.failure().unwrap_or_else(|| Error::broken(&file.name, FORMAT, &problem()))
}

/// Calls a decoder, and returns a panic as an error.
fn caught<T>(call: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    // Partial results are dropped with the error, so no inconsistent state is used.
    quiet::caught(call).unwrap_or_else(|| Err(ParquetError::General("decoding failed".to_owned())))
}
