//! The messages of an Arrow stream, with memory bounded by the bytes received, not the lengths
//! stated.
//!
//! ```text
//!   message = FF FF FF FF · length of metadata · metadata · body
//!   end     = FF FF FF FF 00 00 00 00
//!   file    = "ARROW1" 00 00 · messages · end · contents · length of contents · "ARROW1"
//! ```

use crate::error::Error;
use crate::memory::Memory;
use crate::sniff::{ARROW_FILE, ARROW_MESSAGE};
use arrow_ipc::{RecordBatch, root_as_message};
use arrow_schema::ArrowError;
use std::io::{self, Read};

/// Maximum length of metadata: a schema of a million columns takes less.
const METADATA: u32 = 256 << 20;

/// Uncompressed size allowed for any buffer.
const BUFFER: i64 = 256 << 20;

/// Maximum ratio of uncompressed to compressed size for larger buffers. It is more than lz4 can
/// reach, and the ratio of zstd on long runs of one value.
const RATIO: i64 = 1_032;

/// A message.
pub(crate) struct Message {
    pub meta: Vec<u8>,
    pub body: Vec<u8>,
}

/// Reader of a stream, message by message.
pub(crate) struct Messages<'a, R> {
    name: &'a str,
    stream: R,
    /// The first eight bytes, until they are used as the start of a message.
    first: Option<[u8; 8]>,
    file: bool,
    ended: bool,
    bytes: u64,
    pub limit: Memory,
}

impl<'a, R: Read> Messages<'a, R> {
    pub(crate) fn new(name: &'a str, stream: R, limit: Memory) -> Result<Self, Error> {
        let mut new =
            Self { name, stream, first: None, file: false, ended: false, bytes: 0, limit };
        let first = new.eight()?;
        new.file = first.starts_with(ARROW_FILE);
        if !new.file {
            new.first = Some(first);
        }
        Ok(new)
    }

    /// Returns the number of bytes read so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the next message, or `None` after the end marker.
    pub(crate) fn next(&mut self) -> Result<Option<Message>, Error> {
        if self.ended {
            return Ok(None);
        }
        let first = self.first.take().map_or_else(|| self.eight(), Ok)?;
        let [a, b, c, d, length @ ..] = first;
        if [a, b, c, d] != ARROW_MESSAGE {
            return Err(self.broken("a message does not start with FF FF FF FF"));
        }
        let length = u32::from_le_bytes(length);
        if length == 0 {
            self.ended = true;
            return self.end().map(|()| None);
        }
        if length > METADATA {
            return Err(self.broken("a message declares too much metadata"));
        }
        let meta = self.read(length.into())?;
        let message = root_as_message(&meta);
        let message = message.map_err(|_| self.broken("a message has unreadable metadata"))?;
        let body = u64::try_from(message.bodyLength());
        let body = body.map_err(|_| self.broken("a message has a negative length"))?;
        let body = self.read(body)?;
        Ok(Some(Message { meta, body }))
    }

    /// Reads `length` bytes. Memory grows with the bytes received, never with the length stated.
    fn read(&mut self, length: u64) -> Result<Vec<u8>, Error> {
        // Decompressed and decoded data is held in addition.
        let needs = length.saturating_mul(2);
        self.limit.check(self.name, "a record batch", needs.into())?;
        let mut bytes = Vec::new();
        let read = (&mut self.stream).take(length).read_to_end(&mut bytes);
        self.bytes += read.map_err(|e| Error::from_io(self.name, e))? as u64;
        if (bytes.len() as u64) < length {
            return Err(self.broken("the file is truncated"));
        }
        Ok(bytes)
    }

    fn broken(&self, problem: &str) -> Error {
        Error::broken(self.name, super::FORMAT, problem)
    }

    fn eight(&mut self) -> Result<[u8; 8], Error> {
        let bytes = self.read(8)?;
        Ok(bytes.first_chunk().copied().unwrap_or_default())
    }

    /// Checks the bytes after the last message: none, or the footer and the signature of a file.
    fn end(&mut self) -> Result<(), Error> {
        // Only the last bytes are kept, for any length.
        let (mut rest, mut piece) = (Vec::new(), vec![0; 1 << 12]);
        loop {
            let n = match self.stream.read(&mut piece) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                read => read.map_err(|e| Error::from_io(self.name, e))?,
            };
            self.bytes += n as u64;
            rest.extend_from_slice(&piece[..n]);
            if n == 0 || !self.file && !rest.is_empty() {
                break;
            }
            rest.drain(..rest.len().saturating_sub(ARROW_FILE.len()));
        }
        match self.file {
            true if !rest.ends_with(ARROW_FILE) => {
                Err(self.broken("the signature at the end is missing"))
            }
            false if !rest.is_empty() => Err(self.broken("data follow the end")),
            _ => Ok(()),
        }
    }
}

/// Checks that the buffers of a batch lie in its body, and that their uncompressed sizes are
/// possible and within the memory limit.
pub(crate) fn check(
    name: &str,
    batch: &RecordBatch<'_>,
    body: &[u8],
    limit: Memory,
) -> Result<(), ArrowError> {
    let wrong = |text: &str| Err(ArrowError::ParseError(text.to_owned()));
    let packed = batch.compression().is_some();
    let mut unpacked = 0_i64;
    for buffer in batch.buffers().into_iter().flatten() {
        let range =
            usize::try_from(buffer.offset()).ok().zip(usize::try_from(buffer.length()).ok());
        let bytes = range.and_then(|(start, length)| body.get(start..)?.get(..length));
        let Some(bytes) = bytes else { return wrong("a buffer lies outside its message") };
        if let Some(size) = bytes.first_chunk().filter(|_| packed) {
            let size = i64::from_le_bytes(*size).max(0);
            unpacked = unpacked.saturating_add(size);
            if size > BUFFER.max(RATIO.saturating_mul(buffer.length())) {
                return wrong("a compressed buffer declares too many bytes");
            }
        }
    }
    limit
        .check(name, "a decompressed record batch", unpacked.unsigned_abs().into())
        .map_err(|e| ArrowError::ExternalError(Box::new(e)))?;
    let body = i64::try_from(body.len()).unwrap_or(i64::MAX);
    if unpacked > BUFFER.max(RATIO.saturating_mul(body)) {
        return wrong("the compressed buffers declare too many bytes");
    }
    Ok(())
}
