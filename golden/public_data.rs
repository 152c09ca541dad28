//! Public data sets of the tests, for all crates.
//!
//! Small sets with a free license are in `golden/data`, so their tests always run. The others are
//! in `../shared/data` beside the project, if at all. A test that lacks one of them skips its
//! cases and says so: in the file that `LINSEP_SKIPPED` names, whose lines `cargo xtask test`
//! counts and lists, or else on stderr.

use std::io::Write;
use std::path::{Path, PathBuf};

/// Path of a data set such as `wdbc/wdbc.csv`; `None` if it is absent, which is then recorded.
pub(crate) fn public_data(name: &str) -> Option<PathBuf> {
    const FREE: [&str; 6] =
        ["breast_cancer_wisconsin_original", "heart_scale", "iris", "sonar", "wdbc", "wine"];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = name.split('/').next().unwrap();
    if FREE.contains(&folder) {
        let path = root.join("golden/data").join(name);
        assert!(path.exists(), "{} belongs to the project", path.display());
        return Some(path);
    }
    let path = root.join("../shared/data").join(name);
    if path.exists() {
        return Some(path);
    }
    let thread = std::thread::current();
    let skip = format!("{}: {name}\n", thread.name().unwrap_or("a test"));
    match std::env::var_os("LINSEP_SKIPPED") {
        Some(list) => {
            let mut list = std::fs::File::options().append(true).create(true).open(list).unwrap();
            // One write per line: tests of several processes share the file.
            list.write_all(skip.as_bytes()).unwrap();
        }
        None => eprint!("SKIPPED {skip}"),
    }
    None
}
