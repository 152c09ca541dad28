//! Fault injection: each system call of a save fails once, or is the point of a crash or a power
//! failure. The file under the final name is then the old file or the new one, complete.

use super::*;

/// Kind of failure.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// The system refuses with this error code.
    Refused(i32),
    /// The program crashes: this call and all later ones have no effect; a write is half done.
    Killed,
    /// A crash that also loses all data not flushed.
    PowerCut,
}

const EIO: i32 = 5;
const ENOSPC: i32 = 28;

/// A disk with one failing call.
struct Faulty(Mutex<State>);

struct State {
    fault: Fault,
    /// Index of the failing call.
    at: usize,
    calls: Vec<&'static str>,
    dead: bool,
    /// File with content not yet flushed.
    unsynced: Option<PathBuf>,
    /// A path whose renaming is not yet flushed, and its content before.
    renamed: Option<(PathBuf, Option<Vec<u8>>)>,
}

impl Faulty {
    fn new(fault: Fault, at: usize) -> Arc<Self> {
        let (calls, dead, unsynced, renamed) = (Vec::new(), false, None, None);
        Arc::new(Self(Mutex::new(State { fault, at, calls, dead, unsynced, renamed })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap()
    }

    /// Counts a call; returns an error for the failing one.
    fn call(&self, name: &'static str) -> io::Result<()> {
        let mut state = self.state();
        if state.dead {
            return Err(io::Error::other("the program is dead"));
        }
        state.calls.push(name);
        if state.calls.len() - 1 != state.at {
            return Ok(());
        }
        match state.fault {
            Fault::Refused(code) => Err(io::Error::from_raw_os_error(code)),
            Fault::Killed | Fault::PowerCut => {
                state.dead = true;
                Err(io::Error::other("the program dies"))
            }
        }
    }
}

impl State {
    /// Undoes everything not flushed to the disk.
    fn cut_power(&mut self) {
        if let Some(path) = self.unsynced.take() {
            File::options().write(true).open(path).unwrap().set_len(0).unwrap();
        }
        match self.renamed.take() {
            Some((path, Some(old))) => fs::write(path, old).unwrap(),
            Some((path, None)) => fs::remove_file(path).unwrap(),
            None => {}
        }
    }
}

impl Disk for Faulty {
    fn create(&self, path: &Path, mode: u32) -> io::Result<File> {
        self.call("create")?;
        self.state().unsynced = Some(path.to_owned());
        System.create(path, mode)
    }

    fn adopt(&self, file: &File, from: &Metadata) -> io::Result<()> {
        self.call("adopt")?;
        System.adopt(file, from)
    }

    /// Never writes all of a large buffer.
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        let some = &bytes[..bytes.len().min(100_000)];
        if let Err(e) = self.call("write") {
            if self.state().dead {
                file.write_all(&some[..some.len() / 2]).unwrap();
            }
            return Err(e);
        }
        System.write(file, some)
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        self.call("sync")?;
        self.state().unsynced = None;
        System.sync(file)
    }

    fn contains(&self, file: &mut File, bytes: &[u8]) -> io::Result<bool> {
        self.call("compare")?;
        System.contains(file, bytes)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call("rename")?;
        let mut state = self.state();
        if state.unsynced.is_some() {
            state.unsynced = Some(to.to_owned());
        }
        state.renamed = Some((to.to_owned(), fs::read(to).ok()));
        System.rename(from, to)
    }

    fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.call("sync folder")?;
        self.state().renamed = None;
        System.sync_folder(folder)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.call("remove")?;
        System.remove(path)
    }
}

/// Saves over `old` once for each call that can fail, and calls `check` on each result.
fn each_call(
    fault: Fault,
    old: Option<&[u8]>,
    mut check: impl FnMut(&str, &Path, &Path, Result<(), Error>),
) {
    let new = vec![b'n'; 700_000];
    for at in 0.. {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model");
        if let Some(old) = old {
            fs::write(&path, old).unwrap();
        }
        let disk = Faulty::new(fault, at);
        let result = AtomicFile::write_whole_on(disk.clone(), &path, &new);
        let mut state = disk.state();
        if fault == Fault::PowerCut || result.is_ok() {
            state.cut_power(); // a file reported as saved must survive
        }
        let Some(call) = state.calls.get(at) else {
            result.unwrap();
            assert_eq!(fs::read(&path).unwrap(), new);
            assert_eq!(names(folder.path()), ["model"]);
            assert!(at >= 12, "create, 8 writes, 2 flushes, compare, rename: {:?}", state.calls);
            return;
        };
        let left = fs::read(&path).ok();
        let whole = left.as_deref() == Some(&new[..]) || left.as_deref() == old;
        assert!(whole, "{fault:?} at {call}: neither the old file nor the new one");
        check(call, folder.path(), &path, result);
    }
}

#[test]
fn a_failing_call_leaves_the_old_file_and_no_temporary_one() {
    for (code, says) in [(EIO, "Input/output error"), (ENOSPC, "No space left on device")] {
        for old in [None, Some(&b"old"[..])] {
            each_call(Fault::Refused(code), old, |call, folder, path, result| {
                let error = result.unwrap_err();
                assert!(error.to_string().contains(says), "{call}: {error}");
                let kept = if call == "sync folder" {
                    // The file is already renamed, and the message must not deny that.
                    assert!(matches!(error, Error::Unsynced { .. }), "{error}");
                    true
                } else {
                    assert!(matches!(error, Error::Write { .. }), "{error}");
                    assert_eq!(fs::read(path).ok().as_deref(), old, "{call}");
                    old.is_some()
                };
                let left: &[&str] = if kept { &["model"] } else { &[] };
                assert_eq!(names(folder), left, "{call}");
            });
        }
    }
}

#[test]
fn a_crash_at_any_call_leaves_the_old_file_or_the_new_one() {
    for fault in [Fault::Killed, Fault::PowerCut] {
        for old in [None, Some(&b"old"[..])] {
            each_call(fault, old, |call, folder, _, result| {
                assert!(result.is_err(), "{call}");
                assert!(names(folder).len() <= 2, "at most one temporary file");
            });
        }
    }
}

/// A disk that changes one byte of what is written.
#[cfg(unix)]
struct Forgetful(u64);

#[cfg(unix)]
impl Disk for Forgetful {
    fn sync(&self, file: &File) -> io::Result<()> {
        use std::os::unix::fs::FileExt;
        file.write_all_at(b"?", self.0)?;
        System.sync(file)
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_reads_otherwise_than_written_does_not_appear() {
    let new = vec![b'n'; 200_000];
    for at in [0, 65_535, 65_536, 199_999, 200_000] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model");
        fs::write(&path, "old").unwrap();
        let error = AtomicFile::write_whole_on(Arc::new(Forgetful(at)), &path, &new).unwrap_err();
        assert!(error.to_string().contains("other bytes than were written"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"old", "byte {at}");
        assert_eq!(names(folder.path()), ["model"]);
    }
}
