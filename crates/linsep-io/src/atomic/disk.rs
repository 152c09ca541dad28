//! System calls of a save, behind a trait, so that tests can make any of them fail.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

/// System calls of a save, in the order of use.
pub(super) trait Disk: Send + Sync {
    /// Creates a file that does not exist. On Unix the umask applies to the mode, but not to this
    /// handle, which also reads.
    fn create(&self, path: &Path, mode: u32) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
        #[cfg(not(unix))]
        let _ = mode;
        options.open(path)
    }

    /// Gives a file the mode of another file, and its owner and group if the system permits.
    fn adopt(&self, file: &File, from: &Metadata) -> io::Result<()> {
        adopt(file, from)
    }

    /// Writes some of the bytes.
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        file.write(bytes)
    }

    /// Flushes a file to the disk.
    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    /// Whether a file contains exactly these bytes.
    fn contains(&self, file: &mut File, bytes: &[u8]) -> io::Result<bool> {
        contains(file, bytes)
    }

    /// Renames a file and replaces the file of that name.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    /// Flushes the entries of a folder to the disk.
    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        sync_folder(folder)
    }

    /// Removes a file.
    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }
}

/// The file system of the machine.
pub(super) struct System;

impl Disk for System {}

/// Mode of a new file before the umask.
pub(super) const NEW: u32 = 0o666;

/// Returns the permission bits of a file.
#[cfg(unix)]
pub(super) fn mode(of: &Metadata) -> u32 {
    std::os::unix::fs::MetadataExt::mode(of) & 0o777
}

#[cfg(not(unix))]
pub(super) fn mode(_of: &Metadata) -> u32 {
    NEW
}

#[cfg(unix)]
fn adopt(file: &File, from: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let own = file.metadata()?;
    let mut mode = mode(from);
    if (own.uid(), own.gid()) != (from.uid(), from.gid())
        && fchown(file, Some(from.uid()), Some(from.gid())).is_err()
        && fchown(file, None, Some(from.gid())).is_err()
    {
        // Only root can change the owner. Rights of the old group must not pass to another group.
        mode = mode & !0o070 | (mode & 0o007) << 3;
    }
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn adopt(_file: &File, _from: &Metadata) -> io::Result<()> {
    Ok(())
}

/// Reads a file from its start and compares it with these bytes.
fn contains(file: &mut File, mut bytes: &[u8]) -> io::Result<bool> {
    let mut block = vec![0; 1 << 16];
    file.rewind()?;
    loop {
        match file.read(&mut block) {
            Ok(0) => return Ok(bytes.is_empty()),
            Ok(n) => match bytes.strip_prefix(&block[..n]) {
                Some(rest) => bytes = rest,
                None => return Ok(false),
            },
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

/// Flushes the entries of a folder; ignores file systems without this operation, and folders that
/// cannot be opened.
#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    use io::ErrorKind::{InvalidInput, PermissionDenied, Unsupported};
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(e) if !matches!(e.kind(), InvalidInput | PermissionDenied | Unsupported) => Err(e),
        _ => Ok(()),
    }
}

#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}
