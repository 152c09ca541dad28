//! Decompression while reading: gzip, zstd, bzip2, xz.
//!
//! Decompression is streamed. Several members (frames, streams) in sequence count as one stream.
//!
//! * A separate thread decompresses a file **ahead** of the parser, by at most [`AHEAD`] chunks. A
//!   pipe or bytes in memory are decompressed in the reading thread.
//! * **Truncation is an error**, and so is damage: a table never ends early without an error. The
//!   error has the number of bytes decompressed so far, which locates the fault in the text.
//! * Memory: the window of the decoder, given by the file and limited by [`WINDOW_LOG`], and the
//!   chunks.

use super::Compression;
use crate::error::Error;
use crate::location::Location;
use crate::memory::Memory;
use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;
use std::io::{self, BufReader, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use zstd::stream::read::Decoder as ZstdDecoder;

/// Windows of up to 2^27 bytes, 128 MiB: the default limit of the `zstd` program, and twice the
/// need of `xz -9`.
const WINDOW_LOG: u32 = 27;

/// Bytes of a chunk.
const PIECE: usize = 256 << 10;

/// Maximum number of chunks decompressed ahead.
const AHEAD: usize = 4;

impl Compression {
    /// Returns the name used in messages.
    fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
        }
    }

    /// Returns the decompressed bytes of `stream`, a file called `name`.
    pub(crate) fn decompress<'a>(
        self,
        name: &str,
        stream: impl Read + Send + 'a,
        memory: Memory,
    ) -> io::Result<Box<dyn Read + Send + 'a>> {
        // Windows are powers of two; a quarter of the memory leaves enough for the table.
        let log = WINDOW_LOG.min((memory.0 / 4).max(1).ilog2());
        let limit = (1 << (log - 10)) + (8 << 10); // KiB: the window and the decoder itself
        let decoder: Box<dyn Read + Send + 'a> = match self {
            Self::Gzip => Box::new(MultiGzDecoder::new(stream)),
            Self::Zstd => {
                let mut decoder = ZstdDecoder::new(stream)?;
                decoder.window_log_max(log)?;
                Box::new(decoder)
            }
            Self::Bzip2 => Box::new(MultiBzDecoder::new(stream)),
            Self::Xz => Box::new(XzReader::new_mem_limit(BufReader::new(stream), true, limit)),
        };
        Ok(Box::new(Decompressor { name: name.to_owned(), decoder, compression: self, offset: 0 }))
    }

    /// Returns the decompressed bytes of `stream`, from a thread that runs ahead of the reader.
    pub(crate) fn decompress_ahead(
        self,
        name: &str,
        stream: impl Read + Send + 'static,
        memory: Memory,
    ) -> io::Result<Box<dyn Read + Send>> {
        let mut stream = self.decompress(name, stream, memory)?;
        let (full, pieces) = sync_channel(AHEAD);
        let (used, spare) = sync_channel(AHEAD);
        thread::Builder::new().name("unpack".to_owned()).spawn(move || {
            loop {
                let piece = next_piece(&mut stream, spare.try_recv().unwrap_or_default());
                let last = piece.as_ref().map_or(true, Vec::is_empty);
                if full.send(piece).is_err() || last {
                    return; // end of the stream, or the reader is dropped
                }
            }
        })?;
        Ok(Box::new(DecompressedAhead { pieces, used, piece: Vec::new(), at: 0, ended: false }))
    }
}

/// Reads a full chunk, a shorter one before the end, or an empty one at the end.
fn next_piece(stream: &mut impl Read, mut piece: Vec<u8>) -> io::Result<Vec<u8>> {
    piece.clear();
    stream.take(PIECE as u64).read_to_end(&mut piece)?;
    Ok(piece)
}

/// A decoder whose errors name the file, the fault and its position.
struct Decompressor<'a> {
    name: String,
    decoder: Box<dyn Read + Send + 'a>,
    compression: Compression,
    offset: u64,
}

impl Read for Decompressor<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.decoder.read(buffer) {
            Ok(n) => {
                self.offset += n as u64;
                Ok(n)
            }
            // Errors of the operating system (a bad disk, an interruption) and of this crate (the
            // end of the run) are passed on unchanged.
            Err(e)
                if e.raw_os_error().is_some()
                    || e.kind() == io::ErrorKind::Interrupted
                    || e.get_ref()
                        .is_some_and(<dyn std::error::Error + Send + Sync>::is::<Error>) =>
            {
                Err(e)
            }
            Err(e) => Err(self.fault(&e).into()),
        }
    }
}

impl Decompressor<'_> {
    /// Returns the error for a decoder that failed with `error`.
    #[cold]
    fn fault(&self, error: &io::Error) -> Error {
        let (place, data) = (Location::file(&self.name), self.compression.name());
        let again = "Copy or download the file again.";
        let offset = self.offset;
        match error.kind() {
            io::ErrorKind::UnexpectedEof => {
                let problem =
                    format!("the {data} data is truncated after {offset} decompressed bytes");
                Error::fault(place, problem, again)
            }
            // The zstd binding reports its errors as text only.
            kind if kind == io::ErrorKind::OutOfMemory
                || error.to_string().contains("too much memory") =>
            {
                let problem = format!(
                    "the {data} data requires a window of more than 128 MiB or a quarter of the \
                     memory limit"
                );
                let remedy = "Decompress it first, or raise the limit with `memory`.";
                Error::fault(place, problem, remedy)
            }
            _ => {
                let problem =
                    format!("the {data} data is damaged after {offset} decompressed bytes");
                Error::fault(place, problem, again)
            }
        }
    }
}

/// Receiver of the chunks of the decompressing thread.
struct DecompressedAhead {
    pieces: Receiver<io::Result<Vec<u8>>>,
    /// Chunks already read, returned for reuse.
    used: SyncSender<Vec<u8>>,
    piece: Vec<u8>,
    at: usize,
    ended: bool,
}

impl Read for DecompressedAhead {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.piece.len() && !self.ended {
            let lost = |_| Err(io::Error::other("the decompression thread has ended"));
            let next = self.pieces.recv().unwrap_or_else(lost);
            self.ended = next.as_ref().map_or(true, Vec::is_empty);
            let read = std::mem::replace(&mut self.piece, next?);
            let _ = self.used.try_send(read); // if the channel is full, the chunk is freed
            self.at = 0;
        }
        let n = (&self.piece[self.at..]).read(buffer)?;
        self.at += n;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(bytes).unwrap();
        gzip.finish().unwrap()
    }

    #[test]
    fn decompressing_ahead_gives_every_byte_and_then_the_error() {
        let text: Vec<u8> =
            (0..PIECE as u32).flat_map(|i| (i.wrapping_mul(i) >> 7).to_le_bytes()).collect();
        let whole = gzip(&text);
        let read = |packed: &[u8]| {
            let mut ahead = Compression::Gzip
                .decompress_ahead("x", io::Cursor::new(packed.to_vec()), Memory::ALL)
                .unwrap();
            let mut out = Vec::new();
            let result = ahead.read_to_end(&mut out).map(drop);
            (out, result)
        };
        assert!(matches!(read(&whole), (out, Ok(())) if out == text));
        let (out, result) = read(&whole[..whole.len() / 2]);
        let error = Error::from_io("x", result.unwrap_err()).to_string();
        let found = error.strip_prefix("x: the gzip data is truncated after ").unwrap();
        let offset: usize = found.split(' ').next().unwrap().parse().unwrap();
        assert!(offset >= out.len() && text.starts_with(&out));
    }

    #[test]
    fn dropping_the_reader_ends_the_thread() {
        struct Alive(io::Repeat, SyncSender<()>);
        impl Read for Alive {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                self.0.read(buffer)
            }
        }
        impl Drop for Alive {
            fn drop(&mut self) {
                let _ = self.1.send(());
            }
        }
        let (dropped, waits) = sync_channel(1);
        let head = io::Cursor::new(gzip(&vec![7; 20 * PIECE]));
        let stream = head.chain(Alive(io::repeat(0), dropped));
        let mut ahead = Compression::Gzip.decompress_ahead("x", stream, Memory::ALL).unwrap();
        ahead.read_exact(&mut [0; 10]).unwrap();
        drop(ahead);
        waits.recv_timeout(std::time::Duration::from_secs(10)).unwrap();
    }
}
