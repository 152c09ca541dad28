//! Sources of bytes: a file, a pipe, memory, or any stream that can be reopened.
//!
//! Column types are known only at the end of a table, so a reader may need a second pass.
//!
//! * Sources that can be reopened (files, memory, an opener for compressed files) are reopened.
//! * Other sources (stdin, named pipes) are **buffered** during the first pass and replayed. This
//!   costs the size of the text in memory, once.
//! * Every read first checks the [token](Source::cancel) of the run.
//! * Compressed streams (gzip, zstd, bzip2, xz) are decompressed while reading, for any file name;
//!   the buffer of a compressed pipe stays compressed.

use crate::compress::Compression;
use crate::error::Error;
use crate::memory::Memory;
use linsep_core::Cancel;
#[cfg(feature = "fs")]
use std::fs::File;
use std::io::{self, Read};
#[cfg(any(feature = "fs", feature = "parquet"))]
use std::path::Path;
use std::sync::Arc;

/// A stream of bytes that may be sent to another thread.
pub type Stream = Box<dyn Read + Send>;

/// A named source of bytes.
pub struct Source {
    name: String,
    origin: Origin,
    packed: CompressionState,
    limit: Memory,
    cancel: Cancel,
    /// The file, in which a reader may seek.
    #[cfg(feature = "parquet")]
    path: Option<std::path::PathBuf>,
}

/// Whether a source is compressed.
#[derive(Clone, Copy)]
enum CompressionState {
    /// Not yet examined.
    Unknown,
    No,
    By(Compression),
}

enum Origin {
    /// `ready` is a stream already opened and not yet used.
    Reopenable {
        open: Open,
        ready: Option<Stream>,
    },
    Bytes(Vec<u8>),
    /// Read once; `kept` buffers the bytes read so far, while `keep` holds.
    Once {
        stream: Stream,
        kept: Vec<u8>,
        keep: bool,
    },
}

/// Function that opens a stream.
type Open = Arc<dyn Fn() -> io::Result<Stream> + Send + Sync>;

impl Source {
    /// Opens a file; `-` is stdin. Returns an error at once if the file cannot be opened.
    #[cfg(feature = "fs")]
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        if path.as_os_str() == "-" {
            return Ok(Self::from_reader("stdin", io::stdin()));
        }
        let name = path.display().to_string();
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
        let (kind, file) = opened.map_err(|e| Error::from_io(&name, e))?;
        if kind.is_dir() {
            return Err(Error::folder(&name));
        }
        if !kind.is_file() {
            return Ok(Self::from_reader(&name, file)); // a pipe: readable only once
        }
        let path = path.to_owned();
        #[cfg(feature = "parquet")]
        let own = Some(path.clone());
        let open: Open = Arc::new(move || Ok(Box::new(File::open(&path)?)));
        let source = Self::new(&name, Origin::Reopenable { open, ready: Some(Box::new(file)) });
        #[cfg(feature = "parquet")]
        let source = Self { path: own, ..source };
        Ok(source)
    }

    fn new(name: &str, origin: Origin) -> Self {
        let (packed, limit) = (CompressionState::Unknown, Memory::default());
        Self {
            name: name.to_owned(),
            origin,
            packed,
            limit,
            cancel: Cancel::default(),
            #[cfg(feature = "parquet")]
            path: None,
        }
    }

    /// Returns a source of bytes in memory.
    pub fn from_bytes(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Self::new(name, Origin::Bytes(bytes.into()))
    }

    /// Returns a source that can be read only once.
    pub fn from_reader(name: &str, stream: impl Read + Send + 'static) -> Self {
        let origin = Origin::Once { stream: Box::new(stream), kept: Vec::new(), keep: true };
        Self::new(name, origin)
    }

    /// Returns a source that can be reopened any number of times, such as a decompressor over a
    /// file.
    pub fn from_opener(
        name: &str,
        open: impl Fn() -> io::Result<Stream> + Send + Sync + 'static,
    ) -> Self {
        Self::new(name, Origin::Reopenable { open: Arc::new(open), ready: None })
    }

    /// Returns the name used in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Sets the memory limit of decompression and buffering.
    pub(crate) fn limit(&mut self, memory: Memory) {
        self.limit = memory;
    }

    /// Ends reading with an error, once the token is set.
    pub fn cancel(&mut self, token: &Cancel) {
        self.cancel = token.clone();
    }

    /// Returns the token that ends reading.
    #[cfg(feature = "parquet")]
    pub(crate) fn token(&self) -> Cancel {
        self.cancel.clone()
    }

    /// Returns the source once more, if it can be reopened.
    #[cfg(any(feature = "arrow", feature = "parquet"))]
    pub(crate) fn again(&self) -> Option<Self> {
        let Origin::Reopenable { open, .. } = &self.origin else { return None };
        let origin = Origin::Reopenable { open: Arc::clone(open), ready: None };
        Some(Self { cancel: self.cancel.clone(), ..Self::new(&self.name, origin) })
    }

    /// Starts a pass over the decompressed bytes. With `last`, no further pass follows and nothing
    /// is buffered.
    pub fn pass(&mut self, last: bool) -> Result<Pass<'_>, Error> {
        let CompressionState::By(compression) = self.detect_compression()? else {
            return self.packed_pass(last);
        };
        self.unpacked_pass(compression, last)
    }

    #[cfg(not(feature = "compress"))]
    fn unpacked_pass(&self, compression: Compression, _last: bool) -> Result<Pass<'_>, Error> {
        Err(compression.refused(&self.name))
    }

    #[cfg(feature = "compress")]
    fn unpacked_pass(&mut self, compression: Compression, last: bool) -> Result<Pass<'_>, Error> {
        let limit = self.limit;
        let Pass { name, from, cancel } = self.packed_pass(last)?;
        let unpacked = match from {
            PassSource::Fresh(stream) => {
                compression.decompress_ahead(name, stream, limit).map(PassSource::Fresh)
            }
            from => {
                let packed = Pass { name, from, cancel: cancel.clone() };
                compression.decompress(name, packed, limit).map(PassSource::Unpacked)
            }
        };
        let from = unpacked.map_err(|e| Error::from_io(name, e))?;
        Ok(Pass { name, from, cancel })
    }

    /// Returns the path of an uncompressed file, in which a reader may seek.
    #[cfg(feature = "parquet")]
    pub(crate) fn plain_file(&mut self) -> Result<Option<&Path>, Error> {
        let CompressionState::By(_) = self.detect_compression()? else {
            return Ok(self.path.as_deref());
        };
        Ok(None)
    }

    /// Detects the compression at the first call.
    fn detect_compression(&mut self) -> Result<CompressionState, Error> {
        if let CompressionState::Unknown = self.packed {
            let mut head = Vec::new();
            let first =
                self.packed_pass(false)?.take(Compression::HEAD as u64).read_to_end(&mut head);
            first.map_err(|e| Error::from_io(&self.name, e))?;
            self.packed = Compression::of(&head).map_or(CompressionState::No, CompressionState::By);
        }
        Ok(self.packed)
    }

    /// Starts a pass over the bytes without decompression.
    fn packed_pass(&mut self, last: bool) -> Result<Pass<'_>, Error> {
        let from = match &mut self.origin {
            Origin::Reopenable { open, ready } => {
                let stream = ready.take().map_or_else(|| open(), Ok);
                PassSource::Fresh(stream.map_err(|e| Error::from_io(&self.name, e))?)
            }
            Origin::Bytes(bytes) => PassSource::Memory(bytes),
            Origin::Once { stream, kept, keep } => {
                *keep &= !last;
                PassSource::Kept { stream, kept, keep: *keep, at: 0, limit: self.limit }
            }
        };
        Ok(Pass { name: &self.name, from, cancel: self.cancel.clone() })
    }
}

/// One pass over a source.
pub struct Pass<'a> {
    name: &'a str,
    from: PassSource<'a>,
    cancel: Cancel,
}

enum PassSource<'a> {
    Fresh(Stream),
    Memory(&'a [u8]),
    Kept {
        stream: &'a mut Stream,
        kept: &'a mut Vec<u8>,
        keep: bool,
        at: usize,
        limit: Memory,
    },
    #[cfg(feature = "compress")]
    Unpacked(Box<dyn Read + Send + 'a>),
}

impl Read for Pass<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Error::if_ended(&self.cancel, self.name)?;
        match &mut self.from {
            PassSource::Fresh(stream) => stream.read(buffer),
            #[cfg(feature = "compress")]
            PassSource::Unpacked(stream) => stream.read(buffer),
            PassSource::Memory(bytes) => bytes.read(buffer),
            PassSource::Kept { kept, at, .. } if *at < kept.len() => {
                let n = (&kept[*at..]).read(buffer)?;
                *at += n;
                Ok(n)
            }
            PassSource::Kept { stream, kept, keep, at, limit } => {
                let n = stream.read(buffer)?;
                if *keep {
                    let bytes = (kept.len() + n) as u128;
                    limit.check(self.name, "the data from the pipe", bytes)?;
                    kept.extend_from_slice(&buffer[..n]);
                    *at += n;
                }
                Ok(n)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(source: &mut Source, last: bool) -> String {
        let mut text = String::new();
        source.pass(last).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn every_origin_can_be_read_twice() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "abc").unwrap();
        let again = || Ok(Box::new(&b"abc"[..]) as Stream);
        for mut source in [
            Source::open(file.path()).unwrap(),
            Source::from_bytes("x", "abc"),
            Source::from_reader("x", &b"abc"[..]),
            Source::from_opener("x", again),
        ] {
            assert_eq!(whole(&mut source, false), "abc");
            assert_eq!(whole(&mut source, true), "abc");
        }
    }

    #[test]
    fn a_partial_first_pass_loses_no_bytes() {
        let mut source = Source::from_reader("x", &b"abcdef"[..]);
        source.pass(false).unwrap().read_exact(&mut [0; 4]).unwrap();
        assert_eq!(whole(&mut source, true), "abcdef");
    }

    #[test]
    fn folders_and_missing_files_have_distinct_errors() {
        let folder = tempfile::tempdir().unwrap();
        let says = |path: &Path| Source::open(path).err().unwrap().to_string();
        assert!(says(folder.path()).contains("expected a file, found a folder"));
        assert!(says(&folder.path().join("none.csv")).contains("file not found"));
    }
}
