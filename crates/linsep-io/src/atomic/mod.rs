//! Atomic writing of files.
//!
//! The bytes are written to a temporary file in the same folder and flushed to the disk; only then
//! is the file renamed. A file written as a whole is read again and compared before it is renamed.
//! The folder is flushed last. A full disk, a crash or a second writer leaves
//! either the old file or the new one, never a partial one.
//!
//! * A symbolic link is kept: its target is replaced, or created if it does not exist.
//! * A new file has the mode given by the umask. A replaced file keeps its mode, and its owner and
//!   group if the system permits.
//! * A path that is not a regular file (a named pipe, a device, `/dev/stdout`) cannot be replaced
//!   and is written to directly.
//!
//! A program that ends by a signal runs no destructors: [`remove_temporary_files`] removes the
//! temporary files of all unfinished writers.

mod disk;

use crate::error::Error;
use crate::location::Location;
use disk::{Disk, System};
use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A file that appears under its name only when [`finish`](Self::finish) is called.
pub struct AtomicFile {
    name: String,
    file: BufWriter<Target>,
}

/// Paths of all temporary files.
static TEMPORARIES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn temporaries() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary files of all unfinished writers, then calls `end`, which should end the
/// process. The lock is held meanwhile, so no new temporary file is created.
pub fn remove_temporary_files(end: impl FnOnce()) {
    let mut paths = temporaries();
    for path in paths.drain(..) {
        // A file just renamed no longer exists under the old name.
        let _ = fs::remove_file(path);
    }
    end();
}

/// A temporary file registered for [`remove_temporary_files`].
struct Temporary {
    disk: Arc<dyn Disk>,
    file: File,
    path: PathBuf,
    /// Final path of the file.
    to: PathBuf,
    renamed: bool,
}

/// Number of names tried for a temporary file: names of killed programs may be in use.
const NAMES: u32 = 10_000;

impl Temporary {
    /// Creates a file in the folder of `to`, with the mode and owner of the file to be replaced.
    fn create(disk: Arc<dyn Disk>, to: PathBuf, old: Option<&Metadata>) -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let folder = folder_of(&to);
        if !folder.is_dir() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "folder not found"));
        }
        // Never more rights than those of the old file.
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

    /// Renames the file to its final path. If all its bytes are given, they are compared first.
    fn persist(mut self, name: &str, content: Option<&[u8]>) -> Result<(), Error> {
        let renamed = self.disk.sync(&self.file);
        let renamed = renamed.and_then(|()| match content {
            Some(bytes) if !self.disk.contains(&mut self.file, bytes)? => {
                Err(io::Error::other("the disk returns other bytes than were written"))
            }
            _ => self.disk.rename(&self.path, &self.to),
        });
        renamed.map_err(|source| failed(name, source))?;
        self.renamed = true;
        let place = || Box::new(Location::file(name));
        let synced = self.disk.sync_folder(folder_of(&self.to));
        synced.map_err(|source| Error::Unsynced { place: place(), source })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut paths = temporaries();
        if !self.renamed {
            // A failed removal cannot be reported from a destructor.
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

    /// Flushes to the disk and renames the file to its final path.
    pub fn finish(self) -> Result<(), Error> {
        self.finish_with(None)
    }

    /// As [`finish`](Self::finish); if all bytes of the file are given, they are compared before.
    fn finish_with(self, content: Option<&[u8]>) -> Result<(), Error> {
        let Self { name, file } = self;
        match file.into_inner().map_err(|e| failed(&name, e.into_error()))? {
            Target::Device(mut device) => device.flush().map_err(|source| failed(&name, source)),
            Target::Temporary(own) => own.persist(&name, content),
        }
    }

    /// Writes all of `bytes` to a file at `path`, and reads them again before the file appears.
    pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
        Self::write_whole_on(Arc::new(System), path, bytes)
    }

    fn write_whole_on(disk: Arc<dyn Disk>, path: &Path, bytes: &[u8]) -> Result<(), Error> {
        let mut file = Self::create_on(disk, path)?;
        let written = file.write_all(bytes);
        written.map_err(|source| failed(&file.name, source))?;
        file.finish_with(Some(bytes))
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
    Error::Write { place: Box::new(Location::file(name)), source }
}

/// Returns the destination of a file at `path`.
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

/// Returns standard output or error for one of their names. They may refer to a file that the
/// parent process writes from some position on, so the file must not be replaced.
pub(crate) fn standard_stream(path: &Path) -> Option<Box<dyn Write + Send>> {
    match path.to_str()? {
        "/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1" => Some(Box::new(io::stdout())),
        "/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2" => Some(Box::new(io::stderr())),
        _ => None,
    }
}

/// Resolves symbolic links in the last component of the path, whether or not the file exists.
pub(crate) fn resolve(path: &Path) -> io::Result<PathBuf> {
    const LINKS: usize = 40; // as many as Linux follows
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            Ok(to) => path = folder_of(&path).join(to),
            Err(_) => return Ok(path), // not a link
        }
    }
    Err(io::Error::other("cyclic symbolic links"))
}

pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests;
