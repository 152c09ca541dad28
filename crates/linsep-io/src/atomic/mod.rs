//! Writing a file whole or not at all.
//!
//! The bytes go to a temporary file in the same folder, are flushed to the disk, and only then does
//! the file take its name; the folder is flushed last. A full disk, a crash or a second writer leaves
//! either the old file or the new one, never half of one.
//!
//! * A name that is a link stays one: what it points to is replaced, or created if it does not exist.
//! * A new file has the mode that the umask leaves. A file that is replaced keeps its mode, and its
//!   owner and group if the system permits.
//! * What is no file (a named pipe, a device, `/dev/stdout`) cannot be replaced and is written to.
//!
//! A program that ends by a signal runs no destructors: [`abandon_all`] removes the temporary files
//! of all writers that have not finished.

mod disk;

use crate::error::Error;
use crate::place::Place;
use disk::{Disk, System};
use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A file that appears under its name when [`finish`](Self::finish) is called, and never otherwise.
pub struct AtomicFile {
    name: String,
    file: BufWriter<Target>,
}

/// The temporary files there are.
static TEMPORARIES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn temporaries() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all writers that have not finished; then calls `end`, which is to
/// end the process, before a new one can be begun.
pub fn abandon_all(end: impl FnOnce()) {
    let mut paths = temporaries();
    for path in paths.drain(..) {
        // What has just got its name is no longer there under the old one.
        let _ = fs::remove_file(path);
    }
    end();
}

/// A temporary file that [`abandon_all`] knows.
struct Temporary {
    disk: Arc<dyn Disk>,
    file: File,
    path: PathBuf,
    /// The name that the file is to have.
    to: PathBuf,
    renamed: bool,
}

/// Names tried for a temporary file: those of programs that were killed may be taken.
const NAMES: u32 = 10_000;

impl Temporary {
    /// Creates a file in the folder of `to`, with the mode and owner of the file that it replaces.
    fn create(disk: Arc<dyn Disk>, to: PathBuf, old: Option<&Metadata>) -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let folder = folder_of(&to);
        if !folder.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "there is no such folder"));
        }
        // No other right than the old file's, from the first moment on.
        let mode = old.map_or(disk::NEW, disk::mode);
        let mut paths = temporaries();
        let mut taken = 0;
        let (file, path) = loop {
            let n = NEXT.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!(".linsep-{:x}-{n:x}", process::id()));
            match disk.create(&path, mode) {
                Ok(file) => break (file, path),
                Err(e) if e.kind() == io::ErrorKind::AlreadyExists && taken < NAMES => taken += 1,
                Err(e) => return Err(e),
            }
        };
        paths.push(path.clone());
        drop(paths);
        let own = Self { disk, file, path, to, renamed: false };
        if let Some(old) = old {
            own.disk.adopt(&own.file, old)?;
        }
        Ok(own)
    }

    /// Gives the file its name.
    fn persist(mut self, name: &str) -> Result<(), Error> {
        let renamed = self.disk.sync(&self.file);
        let renamed = renamed.and_then(|()| self.disk.rename(&self.path, &self.to));
        renamed.map_err(|source| failed(name, source))?;
        self.renamed = true;
        let place = || Box::new(Place::file(name));
        let synced = self.disk.sync_folder(folder_of(&self.to));
        synced.map_err(|source| Error::Unsynced { place: place(), source })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut paths = temporaries();
        if !self.renamed {
            // Nothing more can be done about it here.
            let _ = self.disk.remove(&self.path);
        }
        paths.retain(|path| *path != self.path);
    }
}

enum Target {
    Temporary(Temporary),
    Device(Box<dyn Write + Send>),
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Temporary(own) => own.disk.write(&mut own.file, bytes),
            Self::Device(device) => device.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Temporary(_) => Ok(()), // a file has no buffer of its own
            Self::Device(device) => device.flush(),
        }
    }
}

impl AtomicFile {
    /// Starts writing.
    pub fn create(path: &Path) -> Result<Self, Error> {
        Self::create_on(Arc::new(System), path)
    }

    fn create_on(disk: Arc<dyn Disk>, path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let target = target(disk, path).map_err(|source| failed(&name, source))?;
        Ok(Self { name, file: BufWriter::with_capacity(1 << 18, target) })
    }

    /// Flushes to the disk and gives the file its name.
    pub fn finish(self) -> Result<(), Error> {
        let Self { name, file } = self;
        match file.into_inner().map_err(|e| failed(&name, e.into_error()))? {
            Target::Device(mut device) => device.flush().map_err(|source| failed(&name, source)),
            Target::Temporary(own) => own.persist(&name),
        }
    }

    /// Writes all of `bytes` to a file at `path`.
    pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
        Self::write_whole_on(Arc::new(System), path, bytes)
    }

    fn write_whole_on(disk: Arc<dyn Disk>, path: &Path, bytes: &[u8]) -> Result<(), Error> {
        let mut file = Self::create_on(disk, path)?;
        let written = file.write_all(bytes);
        written.map_err(|source| failed(&file.name, source))?;
        file.finish()
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn failed(name: &str, source: io::Error) -> Error {
    Error::Write { place: Box::new(Place::file(name)), source }
}

/// Where the bytes of a file at `path` go.
fn target(disk: Arc<dyn Disk>, path: &Path) -> io::Result<Target> {
    if let Some(stream) = standard_stream(path) {
        return Ok(Target::Device(stream));
    }
    let there = fs::metadata(path);
    match there {
        Ok(there) if there.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        Ok(there) if !there.is_file() => {
            Ok(Target::Device(Box::new(File::options().write(true).open(path)?)))
        }
        there => {
            Temporary::create(disk, resolve(path)?, there.ok().as_ref()).map(Target::Temporary)
        }
    }
}

/// Standard output or error, by one of their names. They may lead to a file, at whose end, or in
/// whose middle, the program that started this one wants the bytes: it must not be replaced.
pub(crate) fn standard_stream(path: &Path) -> Option<Box<dyn Write + Send>> {
    match path.to_str()? {
        "/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1" => Some(Box::new(io::stdout())),
        "/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2" => Some(Box::new(io::stderr())),
        _ => None,
    }
}

/// The path without links at its end, whether or not there is a file.
pub(crate) fn resolve(path: &Path) -> io::Result<PathBuf> {
    const LINKS: usize = 40; // as many as Linux follows
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            Ok(to) => path = folder_of(&path).join(to),
            Err(_) => return Ok(path), // no link
        }
    }
    Err(io::Error::other("its links lead in a circle"))
}

pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests;
