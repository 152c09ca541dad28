//! The bytes of a Parquet file, on the disk or in memory.
//!
//! The reader of pages believes the sizes in their headers and allocates accordingly. So before it gets the
//! bytes of a page, the header is looked at here: a page has at most [`PAGE`] bytes unpacked, or
//! [`RATIO`] times its bytes packed.

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Any page may have that many bytes unpacked. Usual pages have 1 MiB.
const PAGE: i64 = 256 << 20;

/// A larger page may be that many times its packed size: the most that deflate can do.
const RATIO: i64 = 1_032;

/// A file, or one in memory.
pub(crate) enum Store {
    File { file: Mutex<File>, size: u64 },
    Memory(Bytes),
}

impl Store {
    fn read(&self, start: u64, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File { file, .. } => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(start))?;
                file.read(buffer)
            }
            Self::Memory(bytes) => {
                let start = usize::try_from(start).unwrap_or(usize::MAX).min(bytes.len());
                (&bytes[start..]).read(buffer)
            }
        }
    }
}

impl Length for Store {
    fn len(&self) -> u64 {
        match self {
            Self::File { size, .. } => *size,
            Self::Memory(bytes) => bytes.len() as u64,
        }
    }
}

/// The file as one column chunk reads it.
pub(crate) struct Chunk {
    store: Arc<Store>,
    /// Where the reader was last asked for: the header of a page.
    header: AtomicU64,
}

impl Chunk {
    pub(crate) fn new(store: &Arc<Store>) -> Self {
        Self { store: Arc::clone(store), header: AtomicU64::new(u64::MAX) }
    }
}

impl Length for Chunk {
    fn len(&self) -> u64 {
        self.store.len()
    }
}

impl ChunkReader for Chunk {
    type T = BufReader<Tail>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        self.header.store(start, Ordering::Relaxed);
        Ok(BufReader::with_capacity(256, Tail { store: Arc::clone(&self.store), at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let end = start.checked_add(length as u64).filter(|end| *end <= self.len());
        let Some(end) = end else {
            return Err(ParquetError::EOF(format!("{length} bytes at {start} lie beyond the end")));
        };
        let header = self.header.swap(u64::MAX, Ordering::Relaxed);
        if header < start {
            check_page(self.get_read(header)?, length)?;
            self.header.store(u64::MAX, Ordering::Relaxed);
        }
        if let Store::Memory(bytes) = &*self.store {
            return Ok(bytes.slice(start as usize..end as usize));
        }
        let mut bytes = vec![0; length];
        Tail { store: Arc::clone(&self.store), at: start }.read_exact(&mut bytes)?;
        Ok(bytes.into())
    }
}

/// The file from some place on.
pub(crate) struct Tail {
    store: Arc<Store>,
    at: u64,
}

impl Read for Tail {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.store.read(self.at, buffer)?;
        // The decoder takes an end for an empty field, and goes on for each of the billions that a header may promise.
        // Behind a page comes the rest of the file, so that no header ends here.
        if n == 0 && !buffer.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.at += n as u64;
        Ok(n)
    }
}

/// Checks the header of a page with `packed` bytes: its first fields are its kind, its size unpacked
/// and its size packed, in this order (Thrift, compact protocol).
fn check_page(mut header: impl Read, packed: usize) -> Result<()> {
    let mut fields = [0; 3];
    for field in &mut fields {
        let mut byte = [0];
        header.read_exact(&mut byte)?;
        if byte[0] != 0x15 {
            return Err(ParquetError::General("a page header out of order".to_owned()));
        }
        *field = zigzag(&mut header)?;
    }
    let [_, unpacked, claimed] = fields;
    let packed = i64::try_from(packed).unwrap_or(i64::MAX);
    if claimed != packed || unpacked > PAGE.max(packed.saturating_mul(RATIO)) {
        let text = format!("a page promises {unpacked} bytes in {packed}");
        return Err(ParquetError::General(text));
    }
    Ok(())
}

fn zigzag(bytes: &mut impl Read) -> Result<i64> {
    let n = varint(|| {
        let mut byte = [0];
        bytes.read_exact(&mut byte).ok().map(|()| byte[0])
    });
    let n = n.ok_or_else(|| ParquetError::General("a page header cut short".to_owned()))?;
    Ok((n >> 1).cast_signed() ^ -(n & 1).cast_signed())
}

/// An unsigned number of seven bits a byte.
pub(crate) fn varint(mut next: impl FnMut() -> Option<u8>) -> Option<u64> {
    let mut n = 0;
    for shift in (0..64).step_by(7) {
        let byte = next()?;
        n |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Some(n);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_beyond_the_end_is_an_error() {
        let chunk = Chunk::new(&Arc::new(Store::Memory(Bytes::from_static(b"abc"))));
        let mut tail = chunk.get_read(1).unwrap();
        let mut rest = [0; 2];
        tail.read_exact(&mut rest).unwrap();
        assert_eq!(&rest, b"bc");
        assert_eq!(tail.read(&mut rest).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn the_first_fields_of_a_page_are_believed_only_within_reason() {
        let header = |unpacked: i64, packed: i64| {
            let mut bytes = vec![0x15, 0];
            for n in [unpacked, packed] {
                bytes.push(0x15);
                let mut n = (n << 1 ^ n >> 63) as u64;
                while n >= 0x80 {
                    bytes.push(n as u8 | 0x80);
                    n >>= 7;
                }
                bytes.push(n as u8);
            }
            bytes
        };
        let says = |unpacked, packed, given| {
            check_page(&header(unpacked, packed)[..], given).err().map(|e| e.to_string())
        };
        assert_eq!(says(1 << 20, 100, 100), None);
        assert_eq!(says(1 << 30, 2 << 20, 2 << 20), None);
        assert!(says(i32::MAX.into(), 100, 100).unwrap().contains("2147483647 bytes in 100"));
        assert!(says(100, 100, 99).is_some());
        assert!(check_page(&[0x15][..], 1).is_err() && check_page(&[0x25, 0][..], 1).is_err());
    }
}
