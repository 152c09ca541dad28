//! Writing a file whole or not at all.
//!
//! The bytes go to a temporary file in the same folder, are flushed to the disk, and only then does
//! the file take its name. A full disk, a crash or a second writer leaves either the old file or the
//! new one, never half of one.

use crate::error::Error;
use crate::place::Place;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// A file that appears under its name when [`finish`](Self::finish) is called, and never otherwise.
pub struct AtomicFile {
    name: String,
    file: BufWriter<NamedTempFile>,
}

impl AtomicFile {
    /// Starts writing.
    pub fn create(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let failed = |source| Error::Write { place: Box::new(Place::file(&name)), source };
        if path.is_dir() {
            return Err(failed(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        if !folder.is_dir() {
            return Err(failed(io::Error::new(io::ErrorKind::NotFound, "there is no such folder")));
        }
        let file = tempfile::Builder::new().prefix(".linsep-").tempfile_in(folder);
        // The error names the temporary file, which says nothing to the user: keep its kind.
        let file = file.map_err(|e| failed(io::Error::from(e.kind())))?;
        Ok(Self { name, file: BufWriter::with_capacity(1 << 18, file) })
    }

    /// Flushes to the disk and gives the file its name.
    pub fn finish(self, path: &Path) -> Result<(), Error> {
        let failed = |source| Error::Write { place: Box::new(Place::file(&self.name)), source };
        let file = self.file.into_inner().map_err(|e| failed(e.into_error()))?;
        file.as_file().sync_all().map_err(failed)?;
        set_usual_mode(file.as_file()).map_err(failed)?;
        file.persist(path).map_err(|e| failed(e.error))?;
        Ok(())
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

/// Temporary files are private; what takes a name should be as readable as any other new file.
#[cfg(unix)]
fn set_usual_mode(file: &std::fs::File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn set_usual_mode(_file: &std::fs::File) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_appears_before_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"old");
        file.finish(&path).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"new");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    fn a_writer_that_gives_up_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = AtomicFile::create(&folder.path().join("a")).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
    }

    #[test]
    fn a_folder_that_is_not_there_is_an_error() {
        assert!(AtomicFile::create(Path::new("no/such/folder/file")).is_err());
    }
}
