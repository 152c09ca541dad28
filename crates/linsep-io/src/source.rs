//! Where bytes come from: a file, a pipe, memory, or anything that can be opened again.
//!
//! A table's types are known only at its end, so a reader may want a second pass.
//!
//! * What can be opened again (files, memory, an opener for compressed files) is opened again.
//! * What cannot (stdin, named pipes) is **kept** while it is read the first time, and played back.
//!   That costs the size of the text in memory, once, and only for such sources.
//! * What is packed (gzip, zstd, bzip2, xz) is unpacked on the way, whatever its name; what is kept of a
//!   packed pipe is kept packed.

use crate::compress::Packing;
use crate::error::Error;
use crate::memory::{Exceeded, Memory};
use crate::place::Place;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A stream of bytes that a thread may read.
pub type Stream = Box<dyn Read + Send>;

/// A named source of bytes.
pub struct Source {
    name: String,
    origin: Origin,
    packed: Packed,
    limit: Memory,
}

/// Is a source packed?
#[derive(Clone, Copy)]
enum Packed {
    /// Nobody has looked yet.
    Unknown,
    No,
    By(Packing),
}

enum Origin {
    /// Opened by `open`; `ready` is a stream already opened and not yet used.
    Again {
        open: Box<dyn Fn() -> io::Result<Stream> + Send>,
        ready: Option<Stream>,
        path: Option<PathBuf>,
    },
    Bytes(Vec<u8>),
    /// Read once; `kept` is what was read so far, while `keep` holds.
    Once {
        stream: Stream,
        kept: Vec<u8>,
        keep: bool,
    },
}

impl Source {
    /// Opens a file; `-` is stdin. Fails at once where there is nothing to read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        if path.as_os_str() == "-" {
            return Ok(Self::from_reader("stdin", io::stdin()));
        }
        let name = path.display().to_string();
        let opened = File::open(path).and_then(|file| Ok((file.metadata()?, file)));
        let (kind, file) = opened.map_err(|e| Error::from_io(&name, e))?;
        if kind.is_dir() {
            return Err(Error::Folder { place: Box::new(Place::file(&name)) });
        }
        if !kind.is_file() {
            return Ok(Self::from_reader(&name, file)); // a pipe: its bytes come only once
        }
        let (path, own) = (path.to_owned(), path.to_owned());
        let open = Box::new(move || Ok(Box::new(File::open(&own)?) as Stream));
        let origin = Origin::Again { open, ready: Some(Box::new(file)), path: Some(path) };
        Ok(Self { name, origin, packed: Packed::Unknown, limit: Memory::default() })
    }

    /// Bytes in memory.
    pub fn from_bytes(name: &str, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            name: name.to_owned(),
            origin: Origin::Bytes(bytes.into()),
            packed: Packed::Unknown,
            limit: Memory::default(),
        }
    }

    /// A stream that can be read only once.
    pub fn from_reader(name: &str, stream: impl Read + Send + 'static) -> Self {
        let origin = Origin::Once { stream: Box::new(stream), kept: Vec::new(), keep: true };
        Self { name: name.to_owned(), origin, packed: Packed::Unknown, limit: Memory::default() }
    }

    /// Something that can be opened again and again, such as a decompressor over a file.
    pub fn from_opener(name: &str, open: impl Fn() -> io::Result<Stream> + Send + 'static) -> Self {
        let origin = Origin::Again { open: Box::new(open), ready: None, path: None };
        Self { name: name.to_owned(), origin, packed: Packed::Unknown, limit: Memory::default() }
    }

    /// The name that messages use.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What unpacking it, or keeping it, may take.
    pub(crate) fn limit(&mut self, memory: Memory) {
        self.limit = memory;
    }

    /// The path, if this is a file that can be opened again.
    pub(crate) fn path(&self) -> Option<&Path> {
        match &self.origin {
            Origin::Again { path, .. } => path.as_deref(),
            Origin::Bytes(_) | Origin::Once { .. } => None,
        }
    }

    /// The bytes from the first on, unpacked. `last` promises that nobody will ask again.
    pub(crate) fn pass(&mut self, last: bool) -> Result<Pass<'_>, Error> {
        let Packed::By(packing) = self.look()? else { return self.packed_pass(last) };
        let (name, limit) = (self.name.clone(), self.limit);
        let Pass(from) = self.packed_pass(last)?;
        let unpacked = match from {
            From::Fresh(stream) => packing.unpack_ahead(stream, limit).map(From::Fresh),
            other => packing.unpack(Pass(other), limit).map(From::Unpacked),
        };
        unpacked.map(Pass).map_err(|e| Error::from_io(&name, e))
    }

    /// The path, if this is a file as it lies on the disk: one in which a reader may jump about.
    pub(crate) fn plain_file(&mut self) -> Result<Option<&Path>, Error> {
        if let Packed::By(_) = self.look()? {
            return Ok(None);
        }
        match &self.origin {
            Origin::Again { path, .. } => Ok(path.as_deref()),
            Origin::Bytes(_) | Origin::Once { .. } => Ok(None),
        }
    }

    /// Looks, once, whether it is packed.
    fn look(&mut self) -> Result<Packed, Error> {
        if let Packed::Unknown = self.packed {
            let mut head = Vec::new();
            let first = self.packed_pass(false)?.take(Packing::HEAD as u64).read_to_end(&mut head);
            first.map_err(|e| Error::from_io(&self.name, e))?;
            self.packed = Packing::of(&head).map_or(Packed::No, Packed::By);
        }
        Ok(self.packed)
    }

    /// The bytes as they come.
    fn packed_pass(&mut self, last: bool) -> Result<Pass<'_>, Error> {
        let from = match &mut self.origin {
            Origin::Again { open, ready, .. } => {
                let stream = ready.take().map_or_else(open, Ok);
                From::Fresh(stream.map_err(|e| Error::from_io(&self.name, e))?)
            }
            Origin::Bytes(bytes) => From::Memory(bytes),
            Origin::Once { stream, kept, keep } => {
                *keep &= !last;
                From::Kept { stream, kept, keep: *keep, at: 0, limit: self.limit }
            }
        };
        Ok(Pass(from))
    }
}

/// One reading of a source.
pub(crate) struct Pass<'a>(From<'a>);

enum From<'a> {
    Fresh(Stream),
    Memory(&'a [u8]),
    Kept { stream: &'a mut Stream, kept: &'a mut Vec<u8>, keep: bool, at: usize, limit: Memory },
    Unpacked(Box<dyn Read + Send + 'a>),
}

impl Read for Pass<'_> {
    #[expect(clippy::match_same_arms, reason = "two boxes of different lifetimes")]
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match &mut self.0 {
            From::Fresh(stream) => stream.read(buffer),
            From::Unpacked(stream) => stream.read(buffer),
            From::Memory(bytes) => bytes.read(buffer),
            From::Kept { kept, at, .. } if *at < kept.len() => {
                let n = (&kept[*at..]).read(buffer)?;
                *at += n;
                Ok(n)
            }
            From::Kept { stream, kept, keep, at, limit } => {
                let n = stream.read(buffer)?;
                if *keep {
                    let bytes = (kept.len() + n) as u64;
                    Exceeded::check("what came through the pipe", bytes, *limit)?;
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
    fn a_first_pass_cut_short_loses_nothing() {
        let mut source = Source::from_reader("x", &b"abcdef"[..]);
        source.pass(false).unwrap().read_exact(&mut [0; 4]).unwrap();
        assert_eq!(whole(&mut source, true), "abcdef");
    }

    #[test]
    fn what_cannot_be_opened_is_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let says = |path: &Path| Source::open(path).err().unwrap().to_string();
        assert!(says(folder.path()).contains("this is a folder where a file belongs"));
        assert!(says(&folder.path().join("none.csv")).contains("there is no such file"));
    }
}
