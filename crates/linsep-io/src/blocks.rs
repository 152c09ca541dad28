//! Splits a stream into blocks that end at record boundaries.
//!
//! Splitting is the only sequential part of reading, so it does little: copy, find the last line
//! end, count lines. Where quotes may hide a line end, the scan goes from quote to quote. Text
//! without quotes costs one more `memchr`.
//!
//! * Every block starts at a record and ends with a line end (one is added if the last line has
//!   none).
//! * A quote opens a field only at the start of the field, after optional blanks; elsewhere it is a
//!   character.
//! * A record longer than `max_record` bytes is an error, so memory is bounded for any stream.
//! * The block size changes neither the records nor the first error.

use crate::error::Error;
use crate::location::Location;
use crate::memory::Memory;
use memchr::{memchr, memchr_iter, memrchr};
use std::io::{self, Read};

/// Maximum number of bytes of memory per byte of a record while the record is read.
const BYTES_OF_RECORD: u64 = 16;

/// Number of threads up to which each thread has blocks of the full size.
const FULL: usize = 32;

/// Limits on the size of blocks, records and memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a block, unless a record is longer. Affects speed and memory only.
    pub block: usize,
    /// Longest record accepted, in bytes without its line end.
    pub max_record: usize,
    /// Memory limit of a file after reading, and of the buffers needed to read the file.
    pub memory: Memory,
}

impl Default for Limits {
    fn default() -> Self {
        // Small enough that text, cells and marks of a block fit into the private cache of a core.
        Self { block: 1 << 18, max_record: 256 << 20, memory: Memory::default() }
    }
}

impl Limits {
    pub(crate) fn check(&self) -> Result<(), Error> {
        // Positions in a block are 32-bit numbers.
        if (1..=1 << 30).contains(&self.max_record) {
            return Ok(());
        }
        let got = self.max_record.to_string();
        Err(Error::Setting { name: "max_record", got, want: "1 to 2^30 bytes" })
    }

    /// Longest record that the memory limit allows: a cell takes a number, a mark and a position,
    /// and may be as short as one byte.
    pub(crate) fn longest(&self) -> usize {
        self.memory.part(BYTES_OF_RECORD).clamp(1, self.max_record)
    }

    /// Returns limits with smaller blocks, so that many threads take no more memory than [`FULL`]
    /// threads.
    pub(crate) fn shared_by(self, threads: usize) -> Self {
        let block = self.block * FULL / threads.max(FULL);
        let most = self.memory.part(64 * threads.max(1) as u64);
        Self { block: block.min(most).max(1 << 12).min(self.block), ..self }
    }
}

/// Record separators, and the bytes that may hide a separator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Byte that ends a record.
    pub newline: u8,
    /// Byte between fields; a blank means runs of blanks.
    pub delimiter: u8,
    /// Byte that quotes a field.
    pub quote: Option<u8>,
    /// Byte that starts a comment if it is the first byte of a line.
    pub comment: Option<u8>,
}

impl Shape {
    /// Plain lines.
    pub(crate) const LINES: Self =
        Self { newline: b'\n', delimiter: b' ', quote: None, comment: None };

    /// Whether fields are separated by runs of blanks.
    pub(crate) fn runs(self) -> bool {
        self.delimiter == b' '
    }

    /// Whether `byte` is a blank that neither separates fields nor ends a record.
    #[inline]
    pub(crate) fn is_blank(self, byte: u8) -> bool {
        byte == b' '
            || (byte == b'\t' && self.delimiter != b'\t')
            || (byte == b'\r' && self.newline != b'\r')
    }
}

/// Consecutive whole records.
#[derive(Default)]
pub(crate) struct Block {
    /// Number of the first line, counted from 1.
    pub first_line: u64,
    /// Position in the sequence of blocks, counted from 0.
    pub index: u64,
    /// Longer than `len`, so that a reused buffer need not be cleared.
    buffer: Vec<u8>,
    len: usize,
}

impl Block {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[..self.len]
    }
}

/// Splitter of a stream into blocks.
pub(crate) struct BlockSplitter<R> {
    name: String,
    reader: R,
    shape: Shape,
    size: usize,
    max_record: usize,
    /// The memory limit, if it is the limit on the length of records.
    memory: Option<Memory>,
    /// Bytes already read but not yet returned: the start of the next record.
    carry: Vec<u8>,
    ended: bool,
    line: u64,
    index: u64,
}

impl<R: Read> BlockSplitter<R> {
    /// Splits `reader`, whose first byte is on line `line`, under the given limits.
    pub(crate) fn new(name: &str, reader: R, shape: Shape, line: u64, limits: Limits) -> Self {
        let (max_record, memory) = (limits.longest(), limits.memory);
        let (name, size) = (name.to_owned(), limits.block.clamp(1, max_record));
        let limited = max_record < limits.max_record;
        let (carry, ended, index) = (Vec::new(), false, 0);
        let memory = limited.then_some(memory);
        Self { name, reader, shape, size, max_record, memory, carry, ended, line, index }
    }

    /// Fills `block` with the next records; returns `false` at the end.
    pub(crate) fn next(&mut self, block: &mut Block) -> Result<bool, Error> {
        if block.buffer.len() > 4 * self.size {
            block.buffer = Vec::new(); // releases the buffer of a very long record
        }
        block.len = 0;
        let mut carry = std::mem::take(&mut self.carry);
        extend(block, &carry);
        carry.clear();

        let mut walk = RecordEndScanner::default();
        let mut target = self.size;
        let end = loop {
            self.fill(block, target)?;
            walk.on(self.shape, block.bytes());
            if walk.end > 0 {
                break walk.end;
            }
            if self.ended {
                if walk.open(block.bytes()) {
                    let lines = self.count(&block.bytes()[..walk.quote]);
                    return Err(open_quote(Location::line(&self.name, self.line + lines)));
                }
                if block.len == 0 {
                    return Ok(false);
                }
                extend(block, &[self.shape.newline]);
                break block.len;
            }
            if block.len > self.max_record {
                let place = Location::line(&self.name, self.line);
                if let Some(limit) = self.memory {
                    let (place, what) = (Box::new(place), "this record".to_owned());
                    let needs = Memory((block.len as u64).saturating_mul(BYTES_OF_RECORD));
                    let instead = "check for an unclosed quote or missing line ends";
                    return Err(Error::Memory { place, what, needs, limit, instead });
                }
                let most = self.max_record;
                let problem = format!("this record is longer than the limit of {most} bytes");
                let remedy =
                    "Check for an unclosed quote or missing line ends, or raise the limit.";
                return Err(Error::fault(place, problem, remedy));
            }
            // Doubling keeps the time to read one long record linear.
            target = (block.len * 2).min(self.max_record + 1);
        };

        carry.extend_from_slice(&block.bytes()[end..]);
        self.carry = carry;
        block.len = end;
        (block.first_line, block.index) = (self.line, self.index);
        self.line += self.count(block.bytes());
        self.index += 1;
        Ok(true)
    }

    fn count(&self, bytes: &[u8]) -> u64 {
        memchr_iter(self.shape.newline, bytes).count() as u64
    }

    fn fill(&mut self, block: &mut Block, target: usize) -> Result<(), Error> {
        if block.buffer.len() < target {
            block.buffer.resize(target, 0);
        }
        while block.len < target && !self.ended {
            match self.reader.read(&mut block.buffer[block.len..target]) {
                Ok(0) => self.ended = true,
                Ok(n) => block.len += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(Error::from_io(&self.name, e)),
            }
        }
        Ok(())
    }
}

/// Returns the error for a file that ends inside a quoted field.
#[cold]
pub(crate) fn open_quote(place: Location) -> Error {
    let remedy = "Close it, or read quotes as ordinary characters with `quote=none`.";
    Error::fault(place, "unclosed quote", remedy)
}

fn extend(block: &mut Block, bytes: &[u8]) {
    let end = block.len + bytes.len();
    if block.buffer.len() < end {
        block.buffer.resize(end, 0);
    }
    block.buffer[block.len..end].copy_from_slice(bytes);
    block.len = end;
}

/// State of the search for record ends, which resumes when more bytes arrive.
#[derive(Default)]
struct RecordEndScanner {
    at: usize,
    /// One past the last record end found.
    end: usize,
    /// Position of the opening quote, while inside a quoted field.
    quote: usize,
    inside: bool,
}

impl RecordEndScanner {
    fn on(&mut self, shape: Shape, bytes: &[u8]) {
        let Some(quote) = shape.quote else {
            self.take_lines(shape, bytes, bytes.len());
            return;
        };
        while let Some(found) = memchr(quote, &bytes[self.at..]) {
            let found = self.at + found;
            if self.inside {
                match bytes.get(found + 1) {
                    None => {
                        self.at = found; // doubled or closing: depends on the next byte
                        return;
                    }
                    Some(&next) if next == quote => self.at = found + 2,
                    Some(_) => (self.at, self.inside) = (found + 1, false),
                }
            } else {
                self.take_lines(shape, bytes, found);
                self.inside = self.opens(shape, bytes, found);
                (self.quote, self.at) = (found, found + 1);
            }
        }
        if self.inside {
            self.at = bytes.len();
        } else {
            self.take_lines(shape, bytes, bytes.len());
        }
    }

    /// Records the last line end before `to`, in a range without quotes.
    fn take_lines(&mut self, shape: Shape, bytes: &[u8], to: usize) {
        if let Some(found) = memrchr(shape.newline, &bytes[self.at..to]) {
            self.end = self.at + found + 1;
        }
        self.at = to;
    }

    /// Whether the quote at `at` starts a field: only blanks may precede it after the delimiter.
    fn opens(&self, shape: Shape, bytes: &[u8], at: usize) -> bool {
        let record = &bytes[self.end..at];
        if shape.comment.is_some() && record.first() == shape.comment.as_ref() {
            return false;
        }
        match record.iter().rposition(|&b| !shape.is_blank(b)) {
            None => true,
            Some(i) if shape.runs() => i + 1 < record.len(),
            Some(i) => record[i] == shape.delimiter,
        }
    }

    /// Whether a quote is still open at the end of the stream. A quote as the very last byte
    /// closes.
    fn open(&self, bytes: &[u8]) -> bool {
        self.inside && self.at >= bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const CSV: Shape =
        Shape { newline: b'\n', delimiter: b',', quote: Some(b'"'), comment: Some(b'#') };

    fn cut(text: &str, shape: Shape, size: usize, max: usize) -> (Vec<(u64, String)>, String) {
        let limits = Limits { block: size, max_record: max, memory: Memory::ALL };
        let mut cutter = BlockSplitter::new("x", text.as_bytes(), shape, 1, limits);
        let (mut block, mut out) = (Block::default(), Vec::new());
        loop {
            match cutter.next(&mut block) {
                Ok(true) => {
                    let text = String::from_utf8_lossy(block.bytes()).into_owned();
                    out.push((block.first_line, text));
                }
                Ok(false) => return (out, String::new()),
                Err(e) => return (out, e.to_string()),
            }
        }
    }

    #[test]
    fn a_block_has_at_least_one_record_and_its_line_number() {
        let (blocks, error) = cut("a,\"x\ny\"\n5\" z\nend", CSV, 1, 100);
        let want = [(1, "a,\"x\ny\"\n"), (3, "5\" z\n"), (4, "end\n")];
        assert_eq!(blocks, want.map(|(n, s)| (n, s.to_owned())));
        assert_eq!(error, "");
    }

    #[test]
    fn quotes_in_comments_are_ignored_and_doubled_quotes_stay_inside() {
        let text = "#,\"\n\"a\"\"\n\"\n";
        let (blocks, _) = cut(text, CSV, 1, 100);
        assert_eq!(blocks[0].1, "#,\"\n");
        assert_eq!(blocks[1].1, "\"a\"\"\n\"\n");
    }

    #[test]
    fn an_open_quote_error_has_the_line_of_the_quote() {
        for size in [1, 7, 1000] {
            let (blocks, error) = cut("a,b\nc,\"d\ne\nf", CSV, size, 1000);
            assert_eq!(blocks.len(), 1);
            assert!(error.starts_with("x, line 2: unclosed quote"), "{error}");
        }
        assert_eq!(cut("a,\"b\"", CSV, 3, 100).1, "");
    }

    #[test]
    fn records_up_to_the_limit_are_accepted() {
        for size in [1, 5, 1000] {
            assert_eq!(cut("123456789\n1\n", Shape::LINES, size, 9).1, "");
            let (blocks, error) = cut("1\n1234567890\n1\n", Shape::LINES, size, 9);
            assert_eq!(blocks.iter().map(|b| b.1.as_str()).collect::<String>(), "1\n");
            assert!(error.starts_with("x, line 2: this record is longer than the limit of 9"));
        }
    }

    proptest! {
        #[test]
        fn same_records_for_any_block_size(
            text in "([ab,\" \n#]|\"\"|,\"){0,60}", size in 1..40usize, max in 20..60usize
        ) {
            let join = |(blocks, error): (Vec<(u64, String)>, String)| {
                (blocks.into_iter().map(|b| b.1).collect::<String>(), error)
            };
            prop_assert_eq!(
                join(cut(&text, CSV, size, max)),
                join(cut(&text, CSV, 1, max))
            );
        }
    }
}
