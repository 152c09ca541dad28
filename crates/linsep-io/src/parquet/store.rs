//! The bytes of a Parquet file, on the disk or in memory.
//!
//! The reader of pages believes the sizes in their headers and allocates accordingly. So before it gets the
//! bytes of a page, its header is [checked](header::check), and what it takes unpacked is counted.

use super::header;
use crate::memory::{Exceeded, Memory};
use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A file, or one in memory.
pub(crate) struct Store {
    bytes: Stored,
    /// What the system said when reading failed. The decoders keep of it a text at most.
    failure: Mutex<Option<io::Error>>,
}

enum Stored {
    File { file: Mutex<Box<dyn Seekable>>, size: u64 },
    Memory(Bytes),
}

/// A file in which a reader may jump about.
pub(crate) trait Seekable: Read + Seek + Send {}

impl<F: Read + Seek + Send> Seekable for F {}

impl Store {
    /// A file of that many bytes.
    pub(crate) fn file(file: impl Seekable + 'static, size: u64) -> Self {
        let file = Mutex::new(Box::new(file) as Box<dyn Seekable>);
        Self { bytes: Stored::File { file, size }, failure: Mutex::default() }
    }

    /// A file in memory.
    pub(crate) fn memory(bytes: Vec<u8>) -> Self {
        Self { bytes: Stored::Memory(Bytes::from(bytes)), failure: Mutex::default() }
    }

    /// Why reading failed, if the system is the reason.
    pub(crate) fn failure(&self) -> Option<io::Error> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn read(&self, start: u64, buffer: &mut [u8]) -> io::Result<usize> {
        match &self.bytes {
            Stored::File { file, .. } => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                let read = file.seek(SeekFrom::Start(start)).and_then(|_| file.read(buffer));
                if let Err(e) = &read
                    && e.kind() != io::ErrorKind::Interrupted
                {
                    let same = e.raw_os_error().map(io::Error::from_raw_os_error);
                    let mut first = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
                    first.get_or_insert(same.unwrap_or_else(|| io::Error::from(e.kind())));
                }
                read
            }
            Stored::Memory(bytes) => {
                let start = usize::try_from(start).unwrap_or(usize::MAX).min(bytes.len());
                (&bytes[start..]).read(buffer)
            }
        }
    }
}

impl Length for Store {
    fn len(&self) -> u64 {
        match &self.bytes {
            Stored::File { size, .. } => *size,
            Stored::Memory(bytes) => bytes.len() as u64,
        }
    }
}

/// What a page may take unpacked, whatever is usual.
#[derive(Clone, Copy)]
pub(crate) struct PageLimit {
    pub most: u64,
    pub memory: Memory,
}

impl Default for PageLimit {
    fn default() -> Self {
        Self { most: u64::MAX, memory: Memory::ALL }
    }
}

/// The file as one column chunk reads it.
pub(crate) struct Chunk {
    store: Arc<Store>,
    pages: PageLimit,
    /// Where the reader was last asked for: the header of a page.
    header: AtomicU64,
}

impl Chunk {
    pub(crate) fn new(store: &Arc<Store>, pages: PageLimit) -> Self {
        Self { store: Arc::clone(store), pages, header: AtomicU64::new(u64::MAX) }
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
        let before = self.header.swap(u64::MAX, Ordering::Relaxed);
        if before < start {
            let unpacked = header::check(self.get_read(before)?, length)?;
            let PageLimit { most, memory } = self.pages;
            if unpacked.max(length as u64) > most {
                // As many pages as columns are in memory at once, and a quarter of it is theirs.
                let bytes = u128::from(memory.0) * u128::from(unpacked) / u128::from(most);
                let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
                let what = "a page of each column, as large as one of them";
                return Err(ParquetError::External(Box::new(Exceeded {
                    what,
                    bytes,
                    limit: memory,
                })));
            }
            self.header.store(u64::MAX, Ordering::Relaxed);
        }
        if let Stored::Memory(bytes) = &self.store.bytes {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_beyond_the_end_is_an_error() {
        let chunk = Chunk::new(&Arc::new(Store::memory(b"abc".to_vec())), PageLimit::default());
        let mut tail = chunk.get_read(1).unwrap();
        let mut rest = [0; 2];
        tail.read_exact(&mut rest).unwrap();
        assert_eq!(&rest, b"bc");
        assert_eq!(tail.read(&mut rest).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
