//! Cuts a stream into blocks that end where a record ends.
//!
//! Cutting is the only part of reading that cannot be done in parallel, so it does little: copy,
//! find the last line end, count lines. Where quotes may hide a line end, the cut walks from quote
//! to quote; text without quotes costs one more `memchr`.
//!
//! * Every block starts at a record and ends with a line end (one is added to a last line without it).
//! * A quote opens a field only where the field starts, blanks aside; elsewhere it is a character.
//! * A record beyond `max_record` bytes is an error, so memory is bounded whatever the stream says.
//! * What is cut does not depend on the block size: the records are the same, and so is the first error.

use crate::error::Error;
use crate::memory::Memory;
use crate::place::Place;
use memchr::{memchr, memchr_iter, memrchr};
use std::io::{self, Read};

/// Bytes of memory that a byte of a record takes at the most while it is read.
const BYTES_OF_RECORD: u64 = 16;

/// Threads up to which each has blocks of the full size.
const FULL: usize = 32;

/// How much is taken at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a block, unless a record is longer. Changes speed and memory, never a result.
    pub block: usize,
    /// Longest record accepted, in bytes without its line end.
    pub max_record: usize,
    /// What a file may take in memory once it is read, and what is needed to read it.
    pub memory: Memory,
}

impl Default for Limits {
    fn default() -> Self {
        // So small that text, cells and marks of a block stay in a processor's own cache.
        Self { block: 1 << 18, max_record: 256 << 20, memory: Memory::default() }
    }
}

impl Limits {
    pub(crate) fn check(&self) -> Result<(), Error> {
        // Words of a block are numbered in 32 bits.
        if (1..=1 << 30).contains(&self.max_record) {
            return Ok(());
        }
        let got = self.max_record.to_string();
        Err(Error::Setting { name: "max_record", got, want: "from 1 to 2^30 bytes" })
    }

    /// Longest record that memory allows: a cell takes a number, a mark and a place, and may be as short as a byte.
    pub(crate) fn longest(&self) -> usize {
        self.memory.part(BYTES_OF_RECORD).clamp(1, self.max_record)
    }

    /// The same with smaller blocks, so that those of very many threads take no more memory than those of [`FULL`].
    pub(crate) fn shared_by(self, threads: usize) -> Self {
        let block = self.block * FULL / threads.max(FULL);
        let most = self.memory.part(64 * threads.max(1) as u64);
        Self { block: block.min(most).max(1 << 12).min(self.block), ..self }
    }
}

/// How records end and what may hide an end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Byte that ends a record.
    pub newline: u8,
    /// Byte between fields; a blank means runs of blanks.
    pub delimiter: u8,
    /// Byte that quotes a field.
    pub quote: Option<u8>,
    /// Byte that, first in a line, makes it a comment.
    pub comment: Option<u8>,
}

impl Shape {
    /// Plain lines.
    pub(crate) const LINES: Self =
        Self { newline: b'\n', delimiter: b' ', quote: None, comment: None };

    /// Are fields separated by runs of blanks?
    pub(crate) fn runs(self) -> bool {
        self.delimiter == b' '
    }

    /// A blank that neither separates fields on its own nor ends a record.
    #[inline]
    pub(crate) fn is_blank(self, byte: u8) -> bool {
        byte == b' '
            || (byte == b'\t' && self.delimiter != b'\t')
            || (byte == b'\r' && self.newline != b'\r')
    }
}

/// Whole records, one after another.
#[derive(Default)]
pub(crate) struct Block {
    /// Number of the first line, counted from 1.
    pub first_line: u64,
    /// Place in the sequence of blocks, counted from 0.
    pub index: u64,
    /// Longer than `len` so that a reused buffer need not be cleared.
    buffer: Vec<u8>,
    len: usize,
}

impl Block {
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[..self.len]
    }
}

/// The stream being cut.
pub(crate) struct Cutter<R> {
    name: String,
    reader: R,
    shape: Shape,
    size: usize,
    max_record: usize,
    /// The limit of memory, where that is what limits records.
    memory: Option<Memory>,
    /// Read, but not yet handed out: the start of the next record.
    carry: Vec<u8>,
    ended: bool,
    line: u64,
    index: u64,
}

impl<R: Read> Cutter<R> {
    /// Cuts `reader`, whose first byte is on line `line`, as `limits` say.
    pub(crate) fn new(name: &str, reader: R, shape: Shape, line: u64, limits: Limits) -> Self {
        let (max_record, memory) = (limits.longest(), limits.memory);
        let (name, size) = (name.to_owned(), limits.block.clamp(1, max_record));
        let limited = max_record < limits.max_record;
        let (carry, ended, index) = (Vec::new(), false, 0);
        let memory = limited.then_some(memory);
        Self { name, reader, shape, size, max_record, memory, carry, ended, line, index }
    }

    /// Fills `block` with the next records; `false` at the end.
    pub(crate) fn next(&mut self, block: &mut Block) -> Result<bool, Error> {
        if block.buffer.len() > 4 * self.size {
            block.buffer = Vec::new(); // a giant record is over: give its memory back
        }
        block.len = 0;
        let mut carry = std::mem::take(&mut self.carry);
        extend(block, &carry);
        carry.clear();

        let mut walk = Walk::default();
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
                    let place = Box::new(Place::line(&self.name, self.line + lines));
                    return Err(Error::OpenQuote { place });
                }
                if block.len == 0 {
                    return Ok(false);
                }
                extend(block, &[self.shape.newline]);
                break block.len;
            }
            if block.len > self.max_record {
                let place = Box::new(Place::line(&self.name, self.line));
                if let Some(limit) = self.memory {
                    let what = "the record that starts here".to_owned();
                    let needs = Memory((block.len as u64).saturating_mul(BYTES_OF_RECORD));
                    let instead = "check for a quote that is never closed or for missing line ends";
                    return Err(Error::Memory { place, what, needs, limit, instead });
                }
                return Err(Error::TooLong { place, limit: self.max_record });
            }
            // Doubling keeps the reading of one long record linear.
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

fn extend(block: &mut Block, bytes: &[u8]) {
    let end = block.len + bytes.len();
    if block.buffer.len() < end {
        block.buffer.resize(end, 0);
    }
    block.buffer[block.len..end].copy_from_slice(bytes);
    block.len = end;
}

/// How far the search for record ends has come; it goes on where it stopped when more bytes arrive.
#[derive(Default)]
struct Walk {
    at: usize,
    /// Just behind the last record end found.
    end: usize,
    /// Where the quote opened, while inside a quoted field.
    quote: usize,
    inside: bool,
}

impl Walk {
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
                        self.at = found; // doubled or closing? The next byte will tell.
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

    /// Takes the line ends up to `to`, which no quote hides.
    fn take_lines(&mut self, shape: Shape, bytes: &[u8], to: usize) {
        if let Some(found) = memrchr(shape.newline, &bytes[self.at..to]) {
            self.end = self.at + found + 1;
        }
        self.at = to;
    }

    /// Does the quote at `at` start a field? Only blanks may stand between it and the delimiter.
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

    /// At the end of the stream: is a quote still open? A quote as the very last byte closes.
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
        let mut cutter = Cutter::new("x", text.as_bytes(), shape, 1, limits);
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
    fn a_block_is_at_least_one_record_and_knows_its_line() {
        let (blocks, error) = cut("a,\"x\ny\"\n5\" z\nend", CSV, 1, 100);
        let want = [(1, "a,\"x\ny\"\n"), (3, "5\" z\n"), (4, "end\n")];
        assert_eq!(blocks, want.map(|(n, s)| (n, s.to_owned())));
        assert_eq!(error, "");
    }

    #[test]
    fn a_comment_hides_its_quotes_and_a_doubled_quote_stays_inside() {
        let text = "#,\"\n\"a\"\"\n\"\n";
        let (blocks, _) = cut(text, CSV, 1, 100);
        assert_eq!(blocks[0].1, "#,\"\n");
        assert_eq!(blocks[1].1, "\"a\"\"\n\"\n");
    }

    #[test]
    fn an_open_quote_is_named_by_the_line_it_opens_on() {
        for size in [1, 7, 1000] {
            let (blocks, error) = cut("a,b\nc,\"d\ne\nf", CSV, size, 1000);
            assert_eq!(blocks.len(), 1);
            assert!(error.starts_with("x, line 2: the quote that opens here is never"), "{error}");
        }
        assert_eq!(cut("a,\"b\"", CSV, 3, 100).1, "");
    }

    #[test]
    fn a_record_may_be_as_long_as_the_limit_and_no_longer() {
        for size in [1, 5, 1000] {
            assert_eq!(cut("123456789\n1\n", Shape::LINES, size, 9).1, "");
            let (blocks, error) = cut("1\n1234567890\n1\n", Shape::LINES, size, 9);
            assert_eq!(blocks.iter().map(|b| b.1.as_str()).collect::<String>(), "1\n");
            assert!(error.starts_with("x, line 2: the record that starts here is longer than 9"));
        }
    }

    proptest! {
        #[test]
        fn the_size_of_blocks_changes_nothing(
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
