//! The bytes of a Parquet file, on disk or in memory.
//!
//! The page reader trusts the sizes in page headers and allocates accordingly. So before the bytes
//! of a page are returned, the header is [checked](header::check), and the uncompressed size is
//! counted.

use super::header;
use crate::error::Error;
use crate::memory::{FEWER, Memory};
use bytes::Bytes;
use linsep_core::Cancel;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// A file on disk or in memory.
pub(crate) struct Store {
    name: String,
    bytes: Stored,
    /// First error of the system while reading. The decoders keep at most its text.
    failure: Mutex<Option<io::Error>>,
    /// Token that ends reading, checked before every page.
    cancel: Cancel,
}

enum Stored {
    File { file: Mutex<Box<dyn Seekable>>, size: u64 },
    Memory(Bytes),
}

/// A seekable file.
pub(crate) trait Seekable: Read + Seek + Send {}

impl<F: Read + Seek + Send> Seekable for F {}

impl Store {
    /// Returns a store over a file of `size` bytes.
    pub(crate) fn file(
        name: &str,
        file: impl Seekable + 'static,
        size: u64,
        cancel: Cancel,
    ) -> Self {
        let file = Mutex::new(Box::new(file) as Box<dyn Seekable>);
        let (name, bytes) = (name.to_owned(), Stored::File { file, size });
        Self { name, bytes, failure: Mutex::default(), cancel }
    }

    /// Returns a store over a file in memory.
    pub(crate) fn memory(name: &str, bytes: Vec<u8>, cancel: Cancel) -> Self {
        let (name, bytes) = (name.to_owned(), Stored::Memory(Bytes::from(bytes)));
        Self { name, bytes, failure: Mutex::default(), cancel }
    }

    /// Returns the end of the run or the error of the system, if it made reading fail.
    pub(crate) fn failure(&self) -> Option<Error> {
        let first = || self.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        let ended = Error::if_ended(&self.cancel, &self.name).err();
        ended.or_else(|| Some(Error::from_io(&self.name, first()?)))
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

/// Limit on the uncompressed size of a page.
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

/// View of the file for one column chunk.
pub(crate) struct Chunk {
    store: Arc<Store>,
    pages: PageLimit,
    /// Position of the last `get_read`: the header of a page.
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
        let own = |e: Error| ParquetError::External(Box::new(e));
        let Store { name, cancel, .. } = &*self.store;
        Error::if_ended(cancel, name).map_err(own)?;
        let end = start.checked_add(length as u64).filter(|end| *end <= self.len());
        let Some(end) = end else {
            return Err(ParquetError::EOF(format!(
                "{length} bytes at {start} lie beyond the end of \
                the file"
            )));
        };
        let before = self.header.swap(u64::MAX, Ordering::Relaxed);
        if before < start {
            let unpacked = header::check(self.get_read(before)?, length)?;
            let PageLimit { most, memory } = self.pages;
            if unpacked.max(length as u64) > most {
                // One page of each column is in memory at a time; together they may use a quarter
                // of it.
                let bytes = u128::from(memory.0) * u128::from(unpacked) / u128::from(most);
                return Err(own(memory.exceeded(name, "one page per column", bytes, FEWER)));
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

/// The file from a position on.
pub(crate) struct Tail {
    store: Arc<Store>,
    at: u64,
}

impl Read for Tail {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.store.read(self.at, buffer)?;
        // The decoder takes an end of file for an empty field. It would repeat this for each of the
        // billions of fields that a header may state. In a valid file more bytes follow each page,
        // so no header ends at the end of the file.
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
        let chunk = Chunk::new(
            &Arc::new(Store::memory("x", b"abc".to_vec(), Cancel::default())),
            PageLimit::default(),
        );
        let mut tail = chunk.get_read(1).unwrap();
        let mut rest = [0; 2];
        tail.read_exact(&mut rest).unwrap();
        assert_eq!(&rest, b"bc");
        assert_eq!(tail.read(&mut rest).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
