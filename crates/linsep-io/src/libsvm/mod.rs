//! LIBSVM and svmlight files, read into [`Sparse`] rows.
//!
//! ```text
//!   line = label [ qid:n ] { index:value } [ # comment ]
//! ```
//!
//! * **Strict**, like LIBLINEAR: indices from 1, strictly ascending; labels are numbers; no
//!   comments, no queries.
//! * **Lenient** (the default): labels are any text; indices of a line may come in any order (they
//!   are sorted) but not twice; indices start at 0 if an index 0 occurs in the file, else at 1.
//!
//! Blank lines are skipped, and a line with only a label is a row of zeros. Explicit zeros are
//! dropped and counted (their index still counts as a column). An index larger than `max_columns`
//! is an error. If few of very many indices occur, columns are numbered by position among those:
//! memory grows with the file and never with an index. Result and error do not depend on the number
//! of threads or the block size.
//!
//! Cost: one pass. During reading, indices are stored as if they started at 1; the rare file that
//! starts at 0 is corrected at the end.

mod line;
mod rows;
mod stream;

pub use stream::stream_libsvm;

use crate::blocks::{Block, BlockSplitter, Limits, Shape};
use crate::dictionary::{StringDictionary, to_text};
use crate::error::Error;
use crate::input::set_name;
use crate::memory::Memory;
use crate::order::in_order;
use crate::reals::Reals;
use crate::sniff::{BOM, LOOK, refuse_binary};
use crate::source::Source;
use crate::table::{NO_QUERY, Sparse};
use rows::{Reader, Rows};
use std::io::Read;

/// Options for reading LIBSVM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibsvmOptions {
    /// Whether indices start at 0; `None`: if an index 0 occurs.
    pub zero_based: Option<bool>,
    /// Whether only the format of LIBLINEAR is accepted.
    pub strict: bool,
    /// Maximum number of columns; a larger index is an error. At most 2³² − 2.
    pub max_columns: u64,
    /// Number of threads.
    pub threads: usize,
    /// Limits on blocks, records and memory.
    pub limits: Limits,
}

impl Default for LibsvmOptions {
    fn default() -> Self {
        Self {
            zero_based: None,
            strict: false,
            max_columns: (1 << 31) - 1,
            threads: 1,
            limits: Limits::default(),
        }
    }
}

impl LibsvmOptions {
    fn check(&self) -> Result<(), Error> {
        self.limits.check()?;
        if !(1..u64::from(u32::MAX)).contains(&self.max_columns) {
            let got = self.max_columns.to_string();
            return Err(Error::Setting {
                name: "max_columns",
                got,
                want: "a number from 1 to \
                4294967294",
            });
        }
        if self.strict && self.zero_based == Some(true) {
            return Err(Error::IncompatibleSettings { name: "zero-based", other: "`strict`" });
        }
        Ok(())
    }

    /// Returns the number of columns minus the largest index: 1 if zero-based, else 0.
    fn base_shift(&self) -> u64 {
        u64::from(self.zero_based == Some(true))
    }
}

/// Reads sparse rows.
pub fn read_libsvm(source: Source, options: &LibsvmOptions) -> Result<Sparse, Error> {
    read_libsvm_files(vec![source], options)
}

/// Reads several files as one, in the order given. The largest index of all files gives the number
/// of columns; indices start at 0 if an index 0 occurs in any file.
pub fn read_libsvm_files(
    mut sources: Vec<Source>,
    options: &LibsvmOptions,
) -> Result<Sparse, Error> {
    options.check()?;
    let mut gather = SparseBuilder::default();
    let limits = options.limits.shared_by(options.threads);
    for source in &mut sources {
        source.limit(options.limits.memory);
        let name = source.name().to_owned();

        // 1. Check that the file is text.
        let mut pass = source.pass(true)?;
        let (head, start) = look(&name, &mut pass)?;

        // 2. Read.
        let reader = Reader { file: &name, options };
        let stream = head[start..].chain(pass);
        let mut cutter = BlockSplitter::new(&name, stream, Shape::LINES, 1, limits);
        in_order(
            options.threads,
            |block: &mut Block| cutter.next(block),
            |block, rows| reader.read(block, rows),
            |rows| gather.append(&name, rows, options.limits.memory),
        )?;
    }
    let name = set_name(sources.iter().map(Source::name));
    if gather.all.rows == 0 {
        return Err(Error::no_rows(&name, false));
    }
    let mut rows = gather.finish(name, options);
    rows.list_columns();
    Ok(rows)
}

/// Returns the head of a stream, which must be text, and the start of its first line.
fn look(name: &str, pass: &mut impl Read) -> Result<(Vec<u8>, usize), Error> {
    let mut head = Vec::new();
    let look = pass.take(LOOK as u64).read_to_end(&mut head);
    look.map_err(|e| Error::from_io(name, e))?;
    refuse_binary(name, &head)?;
    let start = if head.starts_with(BOM) { BOM.len() } else { 0 };
    Ok((head, start))
}

/// Everything read so far.
#[derive(Default)]
struct SparseBuilder {
    all: Sparse,
    labels: StringDictionary,
    /// Largest index as written.
    largest: u32,
    zero: bool,
    renumber: Vec<u32>,
}

impl SparseBuilder {
    fn append(&mut self, file: &str, rows: &mut Rows, limit: Memory) -> Result<(), Error> {
        let all = &mut self.all;
        // A row takes its start and class. A pair takes an index of 4 bytes, and a value of 4
        // bytes, or 8 if not exact in f32.
        let (more, words) = (rows.len + all.indices.len(), &self.labels);
        let wide = if rows.narrow.len() == rows.len && matches!(all.values, Reals::F32(_)) {
            8
        } else {
            12
        };
        let count = (all.rows + rows.codes.len()) as u128;
        let bytes = 12 * count + wide * more as u128 + words.bytes() as u128;
        limit.check(file, "the sparse matrix", bytes)?;
        let before = all.values.len();
        all.starts.extend(rows.starts.iter().map(|start| before + start));
        all.indices.extend_from_slice(&rows.indices[..rows.len]);
        all.values.append(&rows.values[..rows.len], &rows.narrow);
        all.zeros += rows.zeros;
        self.largest = self.largest.max(rows.largest);
        self.zero |= rows.zero;

        if self.labels.len() + rows.labels.len() >= u32::MAX as usize {
            return Err(Error::too_many_levels(file));
        }
        self.renumber.clear();
        self.renumber.extend(rows.labels.iter().map(|label| self.labels.code_for(label)));
        all.codes.extend(rows.codes.iter().map(|&code| self.renumber[code as usize]));

        if all.queries.is_some() || !rows.queries.is_empty() {
            let queries = all.queries.get_or_insert_default();
            queries.resize(all.rows, NO_QUERY); // rows before the first query
            queries.append(&mut rows.queries);
            queries.resize(all.rows + rows.codes.len(), NO_QUERY);
        }
        all.rows += rows.codes.len();
        Ok(())
    }

    fn finish(self, name: String, options: &LibsvmOptions) -> Sparse {
        let mut all = self.all;
        all.name = name;
        all.starts.push(all.values.len());
        let zero_based = options.zero_based.unwrap_or(self.zero);
        all.base = u8::from(!zero_based);
        all.cols =
            self.largest as usize + usize::from(zero_based && (self.largest > 0 || self.zero));
        if zero_based {
            // Stored as if they started at 1, with 0 wrapped around.
            all.indices.iter_mut().for_each(|i| *i = i.wrapping_add(1));
        }
        all.levels = self.labels.iter().map(|label| to_text(label).0).collect();
        all.indices.shrink_to_fit();
        all.values.shrink_to_fit();
        all
    }
}

/// Whether a file with this head looks like LIBSVM. In the first line with more than a label, the
/// token after the label must be a pair. Faults in later lines do not change the detection, so they
/// are reported.
pub fn looks_like_libsvm(head: &[u8]) -> bool {
    let head = head.strip_prefix(BOM).unwrap_or(head);
    for line in head.split(|&b| b == b'\n') {
        let line = line.split(|&b| b == b'#').next().unwrap_or_default().trim_ascii();
        let mut tokens = line.split(u8::is_ascii_whitespace).filter(|t| !t.is_empty());
        let label = tokens.next().unwrap_or_default();
        if label.contains(&b':') {
            return false;
        }
        if let Some(token) = tokens.next() {
            return line::is_pair(token);
        }
    }
    false
}

#[cfg(test)]
mod tests;
