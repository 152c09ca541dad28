//! Batch-wise reading of a Parquet file, for files larger than memory.
//!
//! A row group may be as large as the file, so it is not the unit. Its columns advance together by
//! the rows of one batch. In memory are one batch per thread, the batches waiting for their turn,
//! and one page and the dictionary of each column.

use super::leaf::Leaf;
use super::{Opened, advance, leaves};
use crate::columns::{batch, stream_tables};
use crate::csv::CsvOptions;
use crate::error::{Error, StreamError};
use crate::schema::TypeChooser;
use crate::source::Source;
use crate::table::Table;

/// Reads a file in batches: `work` on any thread, `take` in the order of the file. `choose` gives
/// the type of each column.
pub(crate) fn stream_parquet<T: Send, E: StreamError>(
    source: Source,
    options: &CsvOptions,
    choose: impl TypeChooser,
    work: impl Fn(Table) -> Result<T, E> + Sync,
    take: impl FnMut(T) -> Result<(), E> + Send,
) -> Result<(), E> {
    let file = Opened::new(source, options, choose)?;
    let mut batches = Batches { file: &file, next: 0, leaves: Vec::new(), left: 0 };
    stream_tables(&file.name, options.threads, || batches.next(), work, take)
}

/// The batches of a file.
struct Batches<'a> {
    file: &'a Opened,
    /// Index of the next row group.
    next: usize,
    leaves: Vec<(usize, Leaf)>,
    /// Rows of the current row group not yet read.
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
        let (group, leaves) = (self.next - 1, &mut self.leaves);
        batch(plan, &file.name, rows, |part| advance(file, group, leaves, rows, part)).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::super::store::Store;
    use super::*;
    use crate::columns::by_name;
    use linsep_core::Cancel;
    use std::io::{self, Cursor, Read, Seek, SeekFrom};

    /// A file with short and interrupted reads that fail from the k-th on.
    struct Flaky {
        file: Cursor<Vec<u8>>,
        reads: usize,
        fails: usize,
    }

    impl Read for Flaky {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.reads += 1;
            match self.reads {
                n if n > self.fails => Err(io::Error::from_raw_os_error(5)),
                n if n % 5 == 0 => Err(io::Error::from(io::ErrorKind::Interrupted)),
                _ => {
                    let some = buffer.len().min(3);
                    self.file.read(&mut buffer[..some])
                }
            }
        }
    }

    impl Seek for Flaky {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.file.seek(to)
        }
    }

    fn read(bytes: &[u8], fails: usize) -> Result<Vec<String>, Error> {
        let flaky = Flaky { file: Cursor::new(bytes.to_vec()), reads: 0, fails };
        let store = Store::file("x.parquet", flaky, bytes.len() as u64, Cancel::default());
        let options = &CsvOptions::default();
        let name = "x.parquet".to_owned();
        let file = Opened::on(name, store, options, by_name(options, "x.parquet"))?;
        let mut batches = Batches { file: &file, next: 0, leaves: Vec::new(), left: 0 };
        let mut tables = Vec::new();
        while let Some(table) = batches.next()? {
            tables.push(format!("{table:?}"));
        }
        Ok(tables)
    }

    #[test]
    fn failing_reads_are_read_errors_and_short_reads_are_not() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        for name in ["plain.parquet", "gzip.parquet"] {
            let bytes = std::fs::read(folder.join(name)).unwrap();
            let whole = read(&bytes, usize::MAX).unwrap();
            assert!(!whole.is_empty());
            let mut fails = 0;
            loop {
                match read(&bytes, fails) {
                    Ok(tables) => break assert!(tables == whole && fails > 100),
                    Err(error) => {
                        let text = error.to_string();
                        let says = "x.parquet: reading failed (Input/output error";
                        assert!(text.starts_with(says), "{name}, read {fails}: {text}");
                    }
                }
                fails += 1 + fails / 8;
            }
        }
    }
}
