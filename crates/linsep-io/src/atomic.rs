//! Writing a file whole or not at all.
//!
//! The bytes go to a temporary file in the same folder, are flushed to the disk, and only then does
//! the file take its name. A full disk, a crash or a second writer leaves either the old file or the
//! new one, never half of one. A name that is a link stays one: what it points to is replaced. What is no
//! file (`/dev/stdout`, a named pipe) cannot be replaced and is written to as it is.
//!
//! A program that ends by a signal runs no destructors: [`abandon_all`] removes the temporary files
//! of all writers that have not finished.

use crate::error::Error;
use crate::place::Place;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tempfile::NamedTempFile;

/// A file that appears under its name when [`finish`](Self::finish) is called, and never otherwise.
pub struct AtomicFile {
    name: String,
    /// Where the file goes.
    path: PathBuf,
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
    /// `None` once the file has its name.
    file: Option<NamedTempFile>,
    path: PathBuf,
}

impl Temporary {
    fn file(&mut self) -> &mut NamedTempFile {
        self.file.as_mut().expect("only `persist` takes it, and consumes the rest")
    }

    /// Gives the file its name.
    fn persist(mut self, path: &Path) -> io::Result<()> {
        let file = self.file.take().expect("only this takes it, and consumes the rest");
        file.persist(path).map(drop).map_err(|e| e.error)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut paths = temporaries();
        drop(self.file.take());
        paths.retain(|path| *path != self.path);
    }
}

enum Target {
    Temporary(Temporary),
    Device(File),
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Temporary(own) => own.file().write(bytes),
            Self::Device(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Temporary(own) => own.file().flush(),
            Self::Device(file) => file.flush(),
        }
    }
}

impl AtomicFile {
    /// Starts writing.
    pub fn create(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let failed = |source| Error::Write { place: Box::new(Place::file(&name)), source };
        let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let target = match fs::metadata(&path) {
            Ok(there) if there.is_dir() => {
                return Err(failed(io::Error::from(io::ErrorKind::IsADirectory)));
            }
            Ok(there) if !there.is_file() => {
                Target::Device(File::options().write(true).open(&path).map_err(failed)?)
            }
            _ => Target::Temporary(temporary_beside(&path).map_err(failed)?),
        };
        Ok(Self { name, path, file: BufWriter::with_capacity(1 << 18, target) })
    }

    /// Flushes to the disk and gives the file its name.
    pub fn finish(self) -> Result<(), Error> {
        let failed = |source| Error::Write { place: Box::new(Place::file(&self.name)), source };
        match self.file.into_inner().map_err(|e| failed(e.into_error()))? {
            Target::Device(_) => Ok(()),
            Target::Temporary(mut own) => {
                let file = own.file().as_file();
                file.sync_all().map_err(failed)?;
                set_usual_mode(file).map_err(failed)?;
                own.persist(&self.path).map_err(failed)
            }
        }
    }

    /// Writes all of `bytes` to a file at `path`.
    pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
        let mut file = Self::create(path)?;
        file.write_all(bytes).map_err(|source| Error::Write {
            place: Box::new(Place::file(&path.display().to_string())),
            source,
        })?;
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

fn temporary_beside(path: &Path) -> io::Result<Temporary> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "there is no such folder"));
    }
    let mut paths = temporaries();
    let file = tempfile::Builder::new().prefix(".linsep-").tempfile_in(folder);
    // The error names the temporary file, which says nothing to the user: keep its kind.
    let file = file.map_err(|e| io::Error::from(e.kind()))?;
    let path = file.path().to_owned();
    paths.push(path.clone());
    Ok(Temporary { file: Some(file), path })
}

/// Temporary files are private; what takes a name should be as readable as any other new file.
#[cfg(unix)]
fn set_usual_mode(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn set_usual_mode(_file: &File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_appears_before_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    fn a_writer_that_gives_up_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = AtomicFile::create(&folder.path().join("a")).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error() {
        assert!(AtomicFile::create(Path::new("no/such/folder/file")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links_and_devices_stay_devices() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        fs::write(&real, "old").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        AtomicFile::write_whole(&link, b"new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&real).unwrap(), b"new");
        AtomicFile::write_whole(Path::new("/dev/null"), b"gone").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_full_disk_is_an_error() {
        let error = AtomicFile::write_whole(Path::new("/dev/full"), b"x").unwrap_err().to_string();
        assert!(error.starts_with("/dev/full: writing failed (No space left"), "{error}");
    }
}
