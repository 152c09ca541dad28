//! A Parquet file batch by batch: for files larger than memory.
//!
//! A row group may be as large as the file, so it is not the unit: its columns advance together and stop
//! after as many rows as a batch has. In memory are one batch per thread, those that wait for their turn,
//! and one page and the dictionary of each column.

use super::leaf::Leaf;
use super::{Opened, advance, leaves};
use crate::columns::{Builder, Choose, ColumnarOptions, Part, stream_batches};
use crate::error::Error;
use crate::source::Source;
use crate::table::Table;

/// Reads a file in batches: `work` on any thread, `take` in the order of the file. `choose` says how each
/// column is read.
pub(crate) fn stream_parquet<T: Send>(
    source: Source,
    options: &ColumnarOptions,
    choose: impl Choose,
    work: impl Fn(Table) -> Result<T, Error> + Sync,
    take: impl FnMut(T) -> Result<(), Error> + Send,
) -> Result<(), Error> {
    let file = Opened::new(source, options, choose)?;
    let mut batches = Batches { file: &file, next: 0, leaves: Vec::new(), left: 0 };
    stream_batches(&file.name, options.threads, || batches.next(), work, take)
}

/// The batches of a file.
struct Batches<'a> {
    file: &'a Opened,
    /// The row group behind the one that is being read.
    next: usize,
    leaves: Vec<(usize, Leaf)>,
    /// Rows of the row group that are not yet read.
    left: usize,
}

impl Batches<'_> {
    fn next(&mut self) -> Result<Option<Table>, Error> {
        let (file, plan) = (self.file, &self.file.plan);
        while self.left == 0 {
            if self.next == file.meta.num_row_groups() {
                return Ok(None);
            }
            self.leaves.clear();
            self.leaves = leaves(file, self.next)?;
            self.left = file.meta.row_group(self.next).num_rows() as usize;
            self.next += 1;
        }
        let rows = plan.batch.min(self.left);
        self.left -= rows;
        let mut numbers = vec![0.0; rows * plan.width];
        let mut part = Part::new(plan, rows, &mut numbers);
        advance(file, self.next - 1, &mut self.leaves, rows, &mut part)?;
        let filled = part.filled();
        let mut builder = Builder::new(plan);
        builder.file(&file.name);
        builder.append(filled)?;
        builder.finish(numbers).map(Some)
    }
}
