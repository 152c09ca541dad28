//! `cargo xtask test tests`: every test in its own process, on all cores.
//!
//! On a stable compiler a test executable does not report the time of a test, but a process can be
//! timed. All executables share one queue, so that no core waits for the last test of an
//! executable, and a test cannot depend on the memory of another. The order of the queue is that
//! of the times of the previous run, longest first.
//!
//! Tests that lack a public data set record it (`golden/public_data.rs`). The end of the run lists
//! these skips; in CI it fails if they could have been avoided.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

const SLOWEST: usize = 10;

/// A test and where it is.
struct Test {
    executable: PathBuf,
    /// Folder of the package: the working folder, as under `cargo test`.
    folder: PathBuf,
    /// Package, target and path of the test, such as `linsep-cli/cli help::every_help_text`.
    name: String,
}

/// Result of a test.
struct Run {
    name: String,
    seconds: f64,
    /// Output of a failed test.
    failure: Option<String>,
}

/// Runs the tests of the workspace, then its doc tests. Property tests draw new cases in each run,
/// except in CI, where one commit must have one result.
pub(crate) fn tests() -> Result<(), String> {
    let state = target().join("xtask");
    fs::create_dir_all(&state).map_err(|e| format!("{}: {e}", state.display()))?;
    let (times, skips) = (state.join("times.json"), skips());
    // Skips of an earlier run.
    fs::write(&skips, "").map_err(|e| format!("{}: {e}", skips.display()))?;

    let mut tests = list()?;
    let known: BTreeMap<String, f64> = fs::read(&times)
        .ok()
        .and_then(|text| serde_json::from_slice(&text).ok())
        .unwrap_or_default();
    // A test without a time is new; it may be slow.
    let expected = |test: &Test| known.get(&test.name).copied().unwrap_or(f64::INFINITY);
    tests.sort_by(|a, b| expected(b).total_cmp(&expected(a)));

    let start = Instant::now();
    let mut runs = run_all(&tests, &skips);
    let seconds = start.elapsed().as_secs_f64();
    runs.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
    let new: BTreeMap<&str, f64> = runs.iter().map(|run| (&*run.name, run.seconds)).collect();
    let new = serde_json::to_vec(&new).map_err(|e| e.to_string())?;
    fs::write(&times, new).map_err(|e| format!("{}: {e}", times.display()))?;

    let failed: Vec<&Run> = runs.iter().filter(|run| run.failure.is_some()).collect();
    for run in &failed {
        eprintln!("--- {}\n{}", run.name, run.failure.as_deref().unwrap_or_default());
    }
    eprintln!("{} tests in {seconds:.0} s, of which the slowest took", runs.len());
    for run in runs.iter().take(SLOWEST) {
        eprintln!("{:>8.1} s  {}", run.seconds, run.name);
    }
    if !failed.is_empty() {
        let names: Vec<&str> = failed.iter().map(|run| &*run.name).collect();
        return Err(format!("{} tests\n  {}", names.len(), names.join("\n  ")));
    }
    super::cargo(&["test", "--workspace", "--all-features", "--locked", "--doc", "--quiet"])?;
    let skipped: Vec<String> = skipped()?.into_iter().collect();
    if env::var_os("CI").is_some() && !skipped.is_empty() && Path::new("../shared/data").exists() {
        let list = skipped.join("\n  ");
        return Err(format!("{} skipped although ../shared/data exists\n  {list}", skipped.len()));
    }
    Ok(())
}

/// Builds the test executables and lists their tests.
fn list() -> Result<Vec<Test>, String> {
    let mut build = Command::new("cargo");
    build.args(["test", "--workspace", "--all-features", "--locked", "--no-run"]);
    build.arg("--message-format=json-render-diagnostics").stderr(Stdio::inherit());
    let built = build.output().map_err(|e| format!("{build:?}: {e}"))?;
    if !built.status.success() {
        return Err(format!("{build:?} ended with {}", built.status));
    }
    let mut tests = Vec::new();
    for message in String::from_utf8_lossy(&built.stdout).lines() {
        let message: Value =
            serde_json::from_str(message).map_err(|e| format!("{message}: {e}"))?;
        let (Some(executable), true) =
            (message["executable"].as_str(), message["profile"]["test"] == true)
        else {
            continue;
        };
        let folder = message["manifest_path"].as_str().and_then(|path| Path::new(path).parent());
        let target = message["target"]["name"].as_str();
        let (Some(folder), Some(target)) = (folder, target) else {
            return Err(format!("cargo: expected a path and a target, found {message}"));
        };
        let package = folder.file_name().unwrap_or_default().display();
        let mut listing = Command::new(executable);
        let listed = listing.current_dir(folder).args(["--list", "--format", "terse"]).output();
        let listed = listed.map_err(|e| format!("{executable}: {e}"))?;
        let names = String::from_utf8_lossy(&listed.stdout).into_owned();
        tests.extend(names.lines().filter_map(|line| line.strip_suffix(": test")).map(|name| {
            Test {
                executable: executable.into(),
                folder: folder.into(),
                name: format!("{package}/{target} {name}"),
            }
        }));
    }
    if tests.is_empty() { Err("no tests were found".to_owned()) } else { Ok(tests) }
}

/// Runs the tests in this order, as many at a time as there are cores.
fn run_all(tests: &[Test], skips: &Path) -> Vec<Run> {
    let (next, runs) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(test) = tests.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let run = run(test, skips);
                    runs.lock().expect("no holder panics").push(run);
                }
            });
        }
    });
    runs.into_inner().expect("no holder panics")
}

fn run(test: &Test, skips: &Path) -> Run {
    let (_, path) = test.name.rsplit_once(' ').expect("a target and a path");
    let mut command = Command::new(&test.executable);
    command.current_dir(&test.folder).args(["--exact", path]).stdin(Stdio::null());
    command.env("LINSEP_SKIPPED", skips);
    // As cargo sets it; and insta starts `cargo metadata` unless it knows the folder.
    command.env("CARGO_MANIFEST_DIR", &test.folder);
    if let Ok(root) = env::current_dir() {
        command.env("INSTA_WORKSPACE_ROOT", root);
    }
    if env::var_os("CI").is_some() {
        command.env("PROPTEST_RNG_SEED", "1");
    }
    let start = Instant::now();
    let output = command.output();
    let seconds = start.elapsed().as_secs_f64();
    let failure = match output {
        Ok(output) if output.status.success() => None,
        Ok(output) => Some(format!(
            "{}{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr),
            output.status
        )),
        Err(e) => Some(e.to_string()),
    };
    Run { name: test.name.clone(), seconds, failure }
}

/// The recorded skips, each as test and data set.
pub(crate) fn skipped() -> Result<BTreeSet<String>, String> {
    let path = skips();
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(text.lines().map(str::to_owned).collect())
}

fn skips() -> PathBuf {
    target().join("xtask/skipped.txt")
}

/// Folder of what cargo builds, absolute because tests run in the folders of their packages.
fn target() -> PathBuf {
    let target = env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    env::current_dir().unwrap_or_default().join(target)
}
