use super::*;

mod faults;

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_file_appears_only_when_finished() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    fs::write(&path, "old").unwrap();
    let mut file = AtomicFile::create(&path).unwrap();
    file.write_all(b"new").unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"old");
    file.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new");
    assert_eq!(names(folder.path()), ["a"], "no temporary file is left");
}

#[test]
fn a_dropped_writer_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = AtomicFile::create(&folder.path().join("a")).unwrap();
    file.write_all(b"half").unwrap();
    drop(file);
    assert!(names(folder.path()).is_empty());
}

#[test]
fn temporary_names_in_use_are_skipped() {
    let folder = tempfile::tempdir().unwrap();
    for n in 0..200 {
        let stale = format!(".linsep-{:x}-{n:x}", process::id());
        fs::write(folder.path().join(stale), "stale").unwrap();
    }
    AtomicFile::write_whole(&folder.path().join("a"), b"new").unwrap();
    assert_eq!(fs::read(folder.path().join("a")).unwrap(), b"new");
    assert_eq!(names(folder.path()).len(), 201, "files of other programs stay");
}

#[test]
fn a_missing_folder_is_an_error() {
    assert!(AtomicFile::create(Path::new("no/such/folder/file")).is_err());
}

#[cfg(unix)]
#[test]
fn links_and_devices_are_kept() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("real"), "old").unwrap();
    symlink(path("real"), path("link")).unwrap();
    AtomicFile::write_whole(&path("link"), b"new").unwrap();
    assert!(path("link").is_symlink());
    assert_eq!(fs::read(path("real")).unwrap(), b"new");
    AtomicFile::write_whole(Path::new("/dev/null"), b"gone").unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[cfg(unix)]
#[test]
fn the_target_of_a_dangling_link_is_created() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("sub")).unwrap();
    // Relative links are relative to their own folder.
    symlink("sub/second", path("first")).unwrap();
    symlink("file", path("sub/second")).unwrap();
    AtomicFile::write_whole(&path("first"), b"new").unwrap();
    assert!(path("first").is_symlink() && path("sub/second").is_symlink());
    assert_eq!(fs::read(path("sub/file")).unwrap(), b"new");

    symlink("nowhere/file", path("lost")).unwrap();
    let error = AtomicFile::write_whole(&path("lost"), b"x").unwrap_err().to_string();
    assert!(error.contains("folder not found"), "{error}");
    symlink("b", path("a")).unwrap();
    symlink("a", path("b")).unwrap();
    let error = AtomicFile::write_whole(&path("a"), b"x").unwrap_err().to_string();
    assert!(error.contains("cyclic symbolic links"), "{error}");
    assert!(path("lost").is_symlink() && path("a").is_symlink());
}

#[cfg(unix)]
#[test]
fn a_replaced_file_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    // Modes that no usual umask gives are kept as well.
    for kept in [0o600, 0o640, 0o666, 0o777, 0o400] {
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(kept)).unwrap();
        AtomicFile::write_whole(&path, b"new").unwrap();
        assert_eq!(mode(&path), kept, "{kept:o}");
        fs::remove_file(&path).unwrap();
    }
    // A new file has the mode of any other new file.
    fs::write(folder.path().join("usual"), "").unwrap();
    AtomicFile::write_whole(&path, b"new").unwrap();
    assert_eq!(mode(&path), mode(&folder.path().join("usual")));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let error = AtomicFile::write_whole(Path::new("/dev/full"), b"x").unwrap_err().to_string();
    assert!(error.starts_with("/dev/full: writing failed (No space left"), "{error}");
}
