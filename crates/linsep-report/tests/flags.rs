//! The crates below the interfaces spell no flag: their messages name settings in backticks.

#![expect(clippy::unwrap_used, reason = "tests may")]

use std::fs;
use std::path::{Path, PathBuf};

/// The sources in a folder, without files of tests.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let is_test = path.file_stem().is_some_and(|name| name == "tests");
        match path.extension() {
            _ if is_test => {}
            Some(kind) if kind == "rs" => all.push(path),
            Some(_) => {}
            None => all.extend(sources(&path)),
        }
    }
    all
}

/// Whether a line of code contains a flag.
fn has_flag(line: &str) -> bool {
    let mut parts = line.trim_start().split("--").skip(1);
    !line.trim_start().starts_with("//")
        && parts.any(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))
}

#[test]
fn messages_of_the_libraries_spell_no_flag() {
    for name in ["linsep-core", "linsep-io", "linsep-logic", "linsep"] {
        let all = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name).join("src"));
        assert!(all.len() > 5, "{name}");
        for path in all {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod").next().unwrap();
            let found: Vec<&str> = code.lines().filter(|line| has_flag(line)).collect();
            assert!(found.is_empty(), "{}: {found:#?}", path.display());
        }
    }
}
