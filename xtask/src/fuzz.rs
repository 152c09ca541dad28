//! Fuzzing: `cargo xtask fuzz MINUTES [TARGET…]`.
//!
//! Runs libFuzzer on every target of `fuzz/`, or on the named targets, one after another. The
//! minutes are shared evenly. The work of cargo-fuzz is done here directly, so that the stable
//! compiler suffices: the flags of coverage are stable, and only sanitizers need a nightly
//! compiler.
//!
//! * **Limits** of every input: 20 seconds, 1 GiB resident, 4 GiB of address space. Integer
//!   overflow panics.
//! * **Corpus**: `fuzz/corpus/TARGET` is committed and small. New inputs of a run are stored in the
//!   cache.
//! * **Findings** are inputs that panic, time out or exceed the memory limit. A run continues after
//!   a finding.
//! * **Record**: executions and findings of all runs are summed in the cache.
//!
//! Fails if there was a finding. `LINSEP_FUZZ_PROGRAMS` names a folder of prebuilt targets.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const MANIFEST: &str = "fuzz/Cargo.toml";
const TARGETS: &str = "fuzz/fuzz_targets";

/// Instrumentation for libFuzzer: a counter per edge, and calls at comparisons of values.
const FLAGS: [&str; 6] = [
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
];

/// Limits of one input.
const SECONDS: u64 = 20;
const RESIDENT_MIB: u64 = 1 << 10;
const ADDRESSES_KIB: u64 = 4 << 20;

/// Maximum length of an input, unless a seed is longer.
const LENGTH: u64 = 1 << 10;

/// Maximum number of findings of one target in a run.
const ENOUGH: usize = 20;

/// Result of a run of one target.
#[derive(Default)]
struct Outcome {
    seconds: f64,
    executions: u64,
    coverage: u64,
    corpus: usize,
    /// File and message of each finding.
    findings: Vec<(PathBuf, String)>,
}

/// Checks that the targets build. The tests of linsep run their bodies on seeds and mutations.
pub(crate) fn builds() -> Result<(), String> {
    super::cargo(&["check", "--manifest-path", MANIFEST, "--locked"])
}

/// Runs the targets.
pub(crate) fn fuzz(args: &[String]) -> Result<(), String> {
    let usage = "usage: cargo xtask fuzz MINUTES [TARGET…]";
    let (minutes, names) = args.split_first().ok_or(usage)?;
    let minutes: f64 = minutes.parse().map_err(|_| usage)?;
    if !(minutes.is_finite() && minutes > 0.0) {
        return Err(format!("MINUTES: expected a number above 0, found {minutes}. {usage}"));
    }
    let mut targets = targets()?;
    if let Some(name) = names.iter().find(|name| !targets.contains(name)) {
        return Err(format!("TARGET: expected one of {}, found {name}", targets.join(", ")));
    }
    targets.retain(|target| names.is_empty() || names.contains(target));
    let programs = match env::var_os("LINSEP_FUZZ_PROGRAMS") {
        Some(folder) => PathBuf::from(folder),
        None => build(&targets)?,
    };

    let kept = super::cache().join("fuzz");
    let share = Duration::from_secs_f64(60.0 * minutes / targets.len() as f64);
    let mut outcomes = Vec::new();
    for target in &targets {
        eprintln!("{target}: {:.0} s", share.as_secs_f64());
        let outcome = run(target, &programs.join(target), &kept, share)?;
        note(&kept, target, &outcome)?;
        outcomes.push((target.as_str(), outcome));
    }
    println!("{}", table(&outcomes, &totals(&kept)));
    let findings = outcomes.iter().flat_map(|(_, outcome)| &outcome.findings);
    let findings: Vec<String> =
        findings.map(|(file, said)| format!("{}: {said}", file.display())).collect();
    if findings.is_empty() { Ok(()) } else { Err(findings.join("\n")) }
}

/// Names of all targets, sorted.
fn targets() -> Result<Vec<String>, String> {
    let files = fs::read_dir(TARGETS).map_err(|e| format!("{TARGETS}: {e}"))?;
    let stem = |path: PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let mut names: Vec<String> = files.flatten().filter_map(|file| stem(file.path())).collect();
    names.sort();
    Ok(names)
}

/// Builds the targets; returns the folder of the programs.
fn build(targets: &[String]) -> Result<PathBuf, String> {
    let version = Command::new("rustc").arg("-vV").output().map_err(|e| format!("rustc: {e}"))?;
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    // With an explicit target platform, build scripts and macros are not instrumented.
    let host = host.ok_or("rustc -vV names no host")?;
    let mut command = Command::new("cargo");
    command.args(["build", "--release", "--locked", "--manifest-path", MANIFEST, "--target", host]);
    command.args(targets.iter().flat_map(|target| ["--bin", target]));
    super::run(command.env("RUSTFLAGS", FLAGS.join(" ")))?;
    let built = env::var_os("CARGO_TARGET_DIR").map_or_else(|| "fuzz/target".into(), PathBuf::from);
    Ok(built.join(host).join("release"))
}

/// Runs one target until the time is over, and restarts it after each finding.
fn run(target: &str, program: &Path, kept: &Path, time: Duration) -> Result<Outcome, String> {
    let (corpus, found) = (kept.join("corpus").join(target), kept.join("findings").join(target));
    for folder in [&corpus, &found] {
        fs::create_dir_all(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    }
    let seeds = Path::new("fuzz/corpus").join(target);
    let longest = files(&seeds).filter_map(|file| Some(file.metadata().ok()?.len())).max();
    let length = LENGTH.max(2 * longest.unwrap_or(0));
    let log = kept.join(format!("{target}.log"));
    let mut log = fs::File::create(&log).map_err(|e| format!("{}: {e}", log.display()))?;

    let start = Instant::now();
    let mut outcome = Outcome::default();
    while outcome.findings.len() < ENOUGH && start.elapsed() + Duration::from_secs(1) < time {
        let before: Vec<PathBuf> = files(&found).collect();
        let left = time.saturating_sub(start.elapsed()).as_secs().max(1);
        // A limit of the address space catches allocations that are never written to.
        let limited = format!("ulimit -v {ADDRESSES_KIB}; exec \"$0\" \"$@\"");
        let mut child = Command::new("sh")
            .args(["-c", &limited])
            .arg(program)
            .args([&corpus, &seeds])
            .arg(format!("-max_total_time={left}"))
            .arg(format!("-max_len={length}"))
            .arg(format!("-timeout={SECONDS}"))
            .arg(format!("-rss_limit_mb={RESIDENT_MIB}"))
            .arg(format!("-artifact_prefix={}/", found.display()))
            .arg("-print_final_stats=1")
            .env("RAYON_NUM_THREADS", "1")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|e| format!("{}: {e}", program.display()))?;
        let mut said = Vec::new();
        for line in BufReader::new(child.stderr.take().expect("it is piped")).split(b'\n') {
            let line = line.map_err(|e| format!("{target}: {e}"))?;
            let line = String::from_utf8_lossy(&line).into_owned();
            writeln!(log, "{line}").map_err(|e| format!("{target}: {e}"))?;
            outcome.coverage = outcome.coverage.max(number_after(&line, "cov: "));
            outcome.executions += number_after(&line, "stat::number_of_executed_units:");
            if line.contains("panicked at") || line.contains("ERROR: libFuzzer") {
                said.push(line);
            }
        }
        let status = child.wait().map_err(|e| format!("{target}: {e}"))?;
        let new: Vec<PathBuf> = files(&found).filter(|file| !before.contains(file)).collect();
        if status.success() {
            break;
        }
        if new.is_empty() && said.is_empty() {
            return Err(format!("{target} ended with {status}; its log is in {}", kept.display()));
        }
        // No new file: a known input failed again, and further runs would only repeat it.
        let again = new.is_empty();
        let words = said.first().cloned().unwrap_or_default();
        let file = new.into_iter().next().unwrap_or_else(|| found.clone());
        outcome.findings.push((file, words));
        if again {
            break;
        }
    }
    outcome.seconds = start.elapsed().as_secs_f64();
    outcome.corpus = files(&corpus).count();
    Ok(outcome)
}

/// Files of a folder; none if the folder does not exist.
fn files(folder: &Path) -> impl Iterator<Item = PathBuf> + use<> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path())
}

/// Returns the integer after a word, or 0.
fn number_after(line: &str, word: &str) -> u64 {
    let behind = line.split_once(word).map(|(_, behind)| behind.trim_start());
    let digits = behind.and_then(|text| text.split(|c: char| !c.is_ascii_digit()).next());
    digits.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

/// Adds the result of a run to the record.
fn note(kept: &Path, target: &str, outcome: &Outcome) -> Result<(), String> {
    let file = kept.join("record.tsv");
    let opened = fs::OpenOptions::new().create(true).append(true).open(&file);
    let line = format!("{target}\t{}\t{}\n", outcome.executions, outcome.findings.len());
    opened
        .and_then(|mut record| record.write_all(line.as_bytes()))
        .map_err(|e| format!("{}: {e}", file.display()))
}

/// Executions and findings of all runs, by target.
fn totals(kept: &Path) -> BTreeMap<String, (u64, u64)> {
    let text = fs::read_to_string(kept.join("record.tsv")).unwrap_or_default();
    let mut totals = BTreeMap::<String, (u64, u64)>::new();
    for line in text.lines() {
        let mut fields = line.split('\t');
        let target = fields.next().unwrap_or_default();
        let mut number = || fields.next().and_then(|field| field.parse::<u64>().ok()).unwrap_or(0);
        let (executions, findings) = (number(), number());
        let total = totals.entry(target.to_owned()).or_default();
        *total = (total.0 + executions, total.1 + findings);
    }
    totals
}

/// Formats the results as a table, with the record of all runs in the last two columns.
fn table(outcomes: &[(&str, Outcome)], totals: &BTreeMap<String, (u64, u64)>) -> String {
    let mut text = "| target | executions | per second | coverage | corpus | findings | executions, all runs | findings, all runs |\n\
                    |---|--:|--:|--:|--:|--:|--:|--:|\n"
        .to_owned();
    let mut sum = [0; 4];
    for (target, outcome) in outcomes {
        let Outcome { seconds, executions, coverage, corpus, findings } = outcome;
        let total = totals.get(*target).copied().unwrap_or_default();
        let per_second = *executions as f64 / seconds.max(1e-9);
        let findings = findings.len() as u64;
        text += &format!(
            "| {target} | {executions} | {per_second:.0} | {coverage} | {corpus} | {findings} | {} | {} |\n",
            total.0, total.1
        );
        let own = [*executions, findings, total.0, total.1];
        sum.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
    }
    let [executions, findings, all, found] = sum;
    text + &format!("| all | {executions} | | | | {findings} | {all} | {found} |")
}
