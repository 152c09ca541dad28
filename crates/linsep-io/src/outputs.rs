//! Output files of a command, checked before its work begins.
//!
//! * An output that is also an input or another output of the same command is refused. Files are
//!   compared by identity, through links and aliases.
//! * An existing file is overwritten if it is empty, if its first bytes match the kind to be
//!   written, or with force.
//! * An output that is not a regular file (a device, a pipe, standard output) is always accepted.

use crate::atomic::{folder_of, resolve, standard_stream};
use crate::error::Error;
use crate::location::Location;
use linsep_core::control::literal;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Kind of file that a command writes.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Name in messages, with its article.
    pub name: &'static str,
    /// Whether a file that starts with these bytes is of this kind.
    pub is: fn(&[u8]) -> bool,
}

/// Number of leading bytes of an existing file given to [`Kind::is`].
const START: u64 = 1 << 16;

/// A file that a command will write.
#[derive(Clone, Debug)]
pub struct OutputFile {
    /// The setting that names the file.
    pub setting: &'static str,
    /// The file; `-` is standard output.
    pub path: PathBuf,
    /// Kind of the file to be written.
    pub kind: Kind,
}

/// Checks the outputs of a command against its inputs, which need not exist, and against each
/// other.
pub fn check(inputs: &[&Path], outputs: &[OutputFile], force: bool) -> Result<(), Error> {
    let inputs: Vec<(&Path, Identity)> =
        inputs.iter().filter_map(|path| Some((*path, Identity::of_input(path)?))).collect();
    let mut others: Vec<(&'static str, Identity)> = Vec::new();
    for OutputFile { setting, path, kind } in outputs {
        let name = path.display().to_string();
        let place = || Location::file(&name);
        let failed = |source| Error::Write { place: Box::new(place()), source };
        if path.as_os_str() == "-" || standard_stream(path).is_some() {
            continue;
        }
        let there = fs::metadata(path).ok();
        if there.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(failed(io::Error::from(io::ErrorKind::IsADirectory)));
        }
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            continue;
        }
        let own = Identity::of_output(path).map_err(failed)?;
        if let Some((input, _)) = inputs.iter().find(|(_, input)| *input == own) {
            let input = input.display().to_string();
            let problem = format!("`{setting}` would overwrite the input {}", literal(&input));
            return Err(Error::usage(place(), problem, "Choose another name."));
        }
        if let Some((other, _)) = others.iter().find(|(_, other)| *other == own) {
            let problem = format!("`{setting}` and `{other}` name the same file");
            return Err(Error::usage(place(), problem, "Use different names."));
        }
        if there.is_some() && !force {
            let mut start = Vec::new();
            let read = File::open(path).and_then(|f| f.take(START).read_to_end(&mut start));
            read.map_err(|e| Error::from_io(&name, e))?;
            if !start.is_empty() && !(kind.is)(&start) {
                let want = kind.name;
                let problem = format!("`{setting}` overwrites only {want}, found another file");
                let remedy = "Choose another name, or add `force`.";
                return Err(Error::fault(place(), problem, remedy));
            }
        }
        others.push((setting, own));
    }
    Ok(())
}

/// Identity of a file, independent of its name.
#[derive(PartialEq)]
enum Identity {
    #[cfg(unix)]
    Inode {
        device: u64,
        inode: u64,
    },
    Path(PathBuf),
}

impl Identity {
    /// Returns `None` if the path is not an existing regular file.
    fn of_input(path: &Path) -> Option<Self> {
        let path = if path.as_os_str() == "-" { Path::new("/dev/stdin") } else { path };
        fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        Self::of_output(path).ok()
    }

    /// Returns the identity of a file that exists or can be created in an existing folder.
    fn of_output(path: &Path) -> io::Result<Self> {
        if let Some(own) = Self::of_file(path) {
            return Ok(own);
        }
        let path = resolve(path)?;
        let folder = fs::canonicalize(folder_of(&path)).map_err(|e| match e.kind() {
            io::ErrorKind::NotFound => io::Error::new(e.kind(), "folder not found"),
            _ => e,
        })?;
        Ok(Self::Path(folder.join(path.file_name().unwrap_or_default())))
    }

    /// Returns `None` if the file does not exist.
    #[cfg(unix)]
    fn of_file(path: &Path) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let file = fs::metadata(path).ok()?;
        Some(Self::Inode { device: file.dev(), inode: file.ino() })
    }

    #[cfg(not(unix))]
    fn of_file(path: &Path) -> Option<Self> {
        fs::canonicalize(path).ok().map(Self::Path)
    }
}
