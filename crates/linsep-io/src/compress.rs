//! Packed files, unpacked on the way: gzip, zstd, bzip2, xz.
//!
//! A packed file is known by its first bytes, never by its name, and what follows is unpacked as it is
//! read; several members (frames, streams) one after another count as one.
//!
//! * A file is unpacked **ahead** of the parser by a thread of its own, at most [`AHEAD`] pieces early.
//!   A pipe or a piece of memory is unpacked where it is read.
//! * **Truncated is an error**, as is damage: a table never ends early without a word. The error says
//!   how many bytes had been unpacked, which is where to look in the text.
//! * Memory: the decoder's window, which the file asks for and [`WINDOW_LOG`] limits, and the pieces.

use crate::memory::Memory;
use bzip2::read::MultiBzDecoder;
use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;
use std::fmt;
use std::io::{self, BufReader, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use zstd::stream::read::Decoder as ZstdDecoder;

/// Windows of up to 2^27 bytes, 128 MiB: what the `zstd` program accepts unasked, and twice what
/// `xz -9` needs.
const WINDOW_LOG: u32 = 27;

/// Bytes of a piece.
const PIECE: usize = 256 << 10;

/// Pieces unpacked ahead.
const AHEAD: usize = 4;

/// A way to pack bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Gzip,
    Zstd,
    Bzip2,
    Xz,
}

impl Packing {
    /// Bytes that tell a packing.
    pub(crate) const HEAD: usize = 10;

    /// The packing of what starts like this, if it is packed.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        // bzip2 says its name in letters, so the block that must follow is looked at too.
        let block =
            |at: &[u8]| at == b"\x31\x41\x59\x26\x53\x59" || at == b"\x17\x72\x45\x38\x50\x90";
        match head {
            [0x1F, 0x8B, 8, ..] => Some(Self::Gzip),
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Self::Zstd),
            [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..] if rest.get(..6).is_some_and(block) => {
                Some(Self::Bzip2)
            }
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            _ => None,
        }
    }

    /// The name used in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
        }
    }

    /// The bytes that were packed into `stream`.
    pub(crate) fn unpack<'a>(
        self,
        stream: impl Read + Send + 'a,
        memory: Memory,
    ) -> io::Result<Box<dyn Read + Send + 'a>> {
        // Windows are powers of two; a quarter of the memory leaves enough for what is read.
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
        Ok(Box::new(Unpacked { decoder, packing: self, offset: 0 }))
    }

    /// The same, by a thread that runs ahead of the reader.
    pub(crate) fn unpack_ahead(
        self,
        stream: impl Read + Send + 'static,
        memory: Memory,
    ) -> io::Result<Box<dyn Read + Send>> {
        let mut stream = self.unpack(stream, memory)?;
        let (full, pieces) = sync_channel(AHEAD);
        let (used, spare) = sync_channel(AHEAD);
        thread::Builder::new().name("unpack".to_owned()).spawn(move || {
            loop {
                let piece = next_piece(&mut stream, spare.try_recv().unwrap_or_default());
                let last = piece.as_ref().map_or(true, Vec::is_empty);
                if full.send(piece).is_err() || last {
                    return; // read to its end, or nobody is reading any more
                }
            }
        })?;
        Ok(Box::new(Ahead { pieces, used, piece: Vec::new(), at: 0, ended: false }))
    }
}

/// A full piece, or a shorter one before the end, or an empty one at the end.
fn next_piece(stream: &mut impl Read, mut piece: Vec<u8>) -> io::Result<Vec<u8>> {
    piece.clear();
    stream.take(PIECE as u64).read_to_end(&mut piece)?;
    Ok(piece)
}

/// What is wrong with a packed stream; travels inside an [`io::Error`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Damage {
    pub packing: Packing,
    /// Bytes unpacked before it.
    pub offset: u64,
    pub kind: DamageKind,
}

/// How a packed stream can be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DamageKind {
    /// It ends before its end.
    Cut,
    /// Its bytes make no sense or do not fit their checksum.
    Broken,
    /// It asks for more memory than it gets.
    Window,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} data damaged after {} bytes", self.packing.name(), self.offset)
    }
}

impl std::error::Error for Damage {}

/// A decoder whose errors say what happened and where.
struct Unpacked<'a> {
    decoder: Box<dyn Read + Send + 'a>,
    packing: Packing,
    offset: u64,
}

impl Read for Unpacked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.decoder.read(buffer) {
            Ok(n) => {
                self.offset += n as u64;
                Ok(n)
            }
            // The system's own errors (a bad disk, an interruption) are not the packing's.
            Err(e) if e.raw_os_error().is_some() || e.kind() == io::ErrorKind::Interrupted => {
                Err(e)
            }
            Err(e) => {
                let (packing, offset) = (self.packing, self.offset);
                let kind = match e.kind() {
                    io::ErrorKind::UnexpectedEof => DamageKind::Cut,
                    io::ErrorKind::OutOfMemory => DamageKind::Window,
                    // All that the binding to zstd gives is a text.
                    _ if e.to_string().contains("too much memory") => DamageKind::Window,
                    _ => DamageKind::Broken,
                };
                Err(io::Error::new(e.kind(), Damage { packing, offset, kind }))
            }
        }
    }
}

/// The reading end of the thread that unpacks.
struct Ahead {
    pieces: Receiver<io::Result<Vec<u8>>>,
    /// Pieces that were read, for their memory.
    used: SyncSender<Vec<u8>>,
    piece: Vec<u8>,
    at: usize,
    ended: bool,
}

impl Read for Ahead {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.piece.len() && !self.ended {
            let lost = |_| Err(io::Error::other("the thread that unpacks has died"));
            let next = self.pieces.recv().unwrap_or_else(lost);
            self.ended = next.as_ref().map_or(true, Vec::is_empty);
            let read = std::mem::replace(&mut self.piece, next?);
            let _ = self.used.try_send(read); // if not, it is simply freed
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
    fn packings_are_known_by_their_first_bytes() {
        assert_eq!(Packing::of(&gzip(b"abc")), Some(Packing::Gzip));
        assert_eq!(Packing::of(b"BZh91AY&SY"), Some(Packing::Bzip2));
        assert_eq!(Packing::of(b"\xFD7zXZ\0\0\x04"), Some(Packing::Xz));
        assert_eq!(Packing::of(b"\x28\xB5\x2F\xFD\0"), Some(Packing::Zstd));
        for text in [&b""[..], b"BZh9,a,b\n1", b"\x1F\x8B", b"(\xB5", b"7zXZ", b"\xFD7zX"] {
            assert_eq!(Packing::of(text), None, "{text:?}");
        }
    }

    #[test]
    fn unpacking_ahead_gives_every_byte_and_then_the_error() {
        let text: Vec<u8> =
            (0..PIECE as u32).flat_map(|i| (i.wrapping_mul(i) >> 7).to_le_bytes()).collect();
        let whole = gzip(&text);
        let read = |packed: &[u8]| {
            let mut ahead =
                Packing::Gzip.unpack_ahead(io::Cursor::new(packed.to_vec()), Memory::ALL).unwrap();
            let mut out = Vec::new();
            let result = ahead.read_to_end(&mut out).map(drop);
            (out, result)
        };
        assert!(matches!(read(&whole), (out, Ok(())) if out == text));
        let (out, result) = read(&whole[..whole.len() / 2]);
        let error = result.unwrap_err();
        let damage = error.get_ref().unwrap().downcast_ref::<Damage>().unwrap();
        assert_eq!(damage.kind, DamageKind::Cut);
        assert!(damage.offset >= out.len() as u64 && text.starts_with(&out));
    }

    #[test]
    fn a_reader_that_leaves_does_not_leave_the_thread_behind() {
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
        let mut ahead = Packing::Gzip.unpack_ahead(stream, Memory::ALL).unwrap();
        ahead.read_exact(&mut [0; 10]).unwrap();
        drop(ahead);
        waits.recv_timeout(std::time::Duration::from_secs(10)).unwrap();
    }
}
