//! Development tasks.
//!
//! * `cargo xtask test [STEP…]` runs all tests and checks, or the named steps, and installs the
//!   tools they need. CI runs this command.
//! * `cargo xtask golden --write` recomputes the golden numbers.
//! * `cargo xtask falsify MINUTES` compares the claims of linsep with references, on random and
//!   adversarial problems.
//! * `cargo xtask fuzz MINUTES` searches for inputs that break a parser.
//! * `cargo xtask kills [N]` kills fits during a save, and checks that no model file is partial.

mod arrows;
mod fuzz;
mod kills;
mod tests;
mod tidy;

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

/// A step of `cargo xtask test`.
struct Step {
    name: &'static str,
    about: &'static str,
    run: fn() -> Result<(), String>,
}

const STEPS: &[Step] = &[
    Step { name: "fmt", about: "formatting", run: fmt },
    Step { name: "clippy", about: "lints, with warnings as errors", run: clippy },
    Step { name: "features", about: "linsep without each of its features", run: features },
    Step { name: "tests", about: "unit, property, doc and command line tests", run: tests::tests },
    Step { name: "docs", about: "documentation without broken links", run: docs },
    Step { name: "fuzz", about: "build of the fuzz targets", run: fuzz::builds },
    Step { name: "deny", about: "licenses, sources and bans of the dependencies", run: deny },
    Step {
        name: "advisories",
        about: "known vulnerabilities of the dependencies",
        run: advisories,
    },
    Step { name: "tidy", about: "size, width, spelling, words, links, crates", run: tidy::tidy },
];

fn main() -> ExitCode {
    // Read at run time: several clones may share one folder of built programs.
    let own = env::var("CARGO_MANIFEST_DIR").unwrap_or(env!("CARGO_MANIFEST_DIR").to_owned());
    let root = Path::new(&own).parent().unwrap_or(Path::new("."));
    if let Err(e) = env::set_current_dir(root) {
        eprintln!("{}: {e}", root.display());
        return ExitCode::FAILURE;
    }
    let args: Vec<String> = env::args().skip(1).collect();
    let result = match args.split_first() {
        Some((task, names)) if task == "test" => test(names),
        Some((task, flags)) if task == "falsify" => falsify(flags),
        Some((task, args)) if task == "kills" => kills::run(args),
        Some((task, args)) if task == "fuzz" => fuzz::fuzz(args),
        Some((task, flags)) if task == "golden" && flags == ["--write"] => golden(),
        _ => Err(usage()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn usage() -> String {
    let steps: Vec<String> =
        STEPS.iter().map(|step| format!("  {:<10} {}", step.name, step.about)).collect();
    let steps = steps.join("\n");
    format!(
        "usage: cargo xtask test [STEP…]\n       cargo xtask golden --write\n       cargo xtask \
         falsify MINUTES [FLAG…]\n       cargo xtask fuzz MINUTES [TARGET…]\n       cargo xtask \
         kills [N] [--release]\n\nsteps [default: all]:\n{steps}"
    )
}

fn test(names: &[String]) -> Result<(), String> {
    if let Some(name) = names.iter().find(|name| STEPS.iter().all(|step| step.name != **name)) {
        return Err(format!("step: expected one of those below, found {name:?}\n\n{}", usage()));
    }
    let start = Instant::now();
    let mut skipped = None;
    for step in STEPS {
        if names.is_empty() || names.iter().any(|name| name == step.name) {
            eprintln!("\n=== {}: {}", step.name, step.about);
            (step.run)().map_err(|e| format!("\n{} failed: {e}", step.name))?;
            if step.name == "tests" {
                skipped = Some(tests::skipped()?);
            }
        }
    }
    eprintln!("\nall checks passed in {} s", start.elapsed().as_secs());
    if let Some(skipped) = skipped {
        eprintln!("{} tests skipped for want of data", skipped.len());
        skipped.iter().for_each(|skip| eprintln!("  {skip}"));
    }
    Ok(())
}

/// Runs the falsification tool with its own flags.
fn falsify(flags: &[String]) -> Result<(), String> {
    let all = ["run", "--release", "--quiet", "-p", "linsep-falsify", "--"];
    cargo(&all.into_iter().chain(flags.iter().map(String::as_str)).collect::<Vec<_>>())
}

fn fmt() -> Result<(), String> {
    cargo(&["fmt", "--all", "--check"])
}

fn clippy() -> Result<(), String> {
    cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--all-features",
        "--locked",
        "--",
        "-D",
        "warnings",
    ])
}

/// Checks that linsep-io compiles with each feature alone, and linsep without any.
fn features() -> Result<(), String> {
    let alone = ["", "arrow", "compress", "fs", "parquet"].map(|feature| ("linsep-io", feature));
    for (krate, feature) in alone.into_iter().chain([("linsep", "")]) {
        let of = ["-p", krate, "--no-default-features", "--features", feature, "--locked"];
        cargo(&[&["clippy"], &of[..], &["--", "-D", "warnings"]].concat())?;
    }
    let refused = ["test", "-p", "linsep-io", "--no-default-features", "--test", "refused"];
    cargo(&[&refused[..], &["--locked"]].concat())
}

fn docs() -> Result<(), String> {
    let mut command = Command::new("cargo");
    command.args(["doc", "--workspace", "--no-deps", "--document-private-items", "--locked"]);
    run(command.env("RUSTDOCFLAGS", "-D warnings -A rustdoc::private_intra_doc_links"))
}

/// Path of the program cargo-deny, which is installed if missing.
fn cargo_deny() -> Result<PathBuf, String> {
    let tools = cache().join("tools");
    let program = tools.join("bin/cargo-deny");
    if !program.exists() {
        let root = tools.display().to_string();
        cargo(&["install", "cargo-deny", "--locked", "--version", "0.20.2", "--root", &root])?;
    }
    Ok(program)
}

fn deny() -> Result<(), String> {
    let check = ["--all-features", "check", "bans", "licenses", "sources"];
    run(Command::new(cargo_deny()?).args(check))
}

/// Checks the dependencies for known vulnerabilities. The database needs the network; without it
/// the step is skipped with a message, as the code has not changed.
fn advisories() -> Result<(), String> {
    let program = cargo_deny()?;
    let fetched = Command::new(&program).args(["fetch", "db"]).output();
    let fetched = fetched.map_err(|e| format!("{}: {e}", program.display()))?;
    if !fetched.status.success() {
        let said = String::from_utf8_lossy(&fetched.stderr).trim().replace('\n', " ");
        eprintln!("SKIPPED: the database of advisories cannot be fetched: {said}");
        return Ok(());
    }
    run(Command::new(&program).args(["--all-features", "check", "--disable-fetch", "advisories"]))
}

/// Runs every script of `golden/` in a separate Python environment.
fn golden() -> Result<(), String> {
    let venv = cache().join("golden-venv");
    let python = venv.join("bin/python");
    if !python.exists() {
        run(Command::new("python3").arg("-m").arg("venv").arg(&venv))?;
    }
    let pip = ["-m", "pip", "install", "--quiet", "--requirement", "golden/requirements.txt"];
    run(Command::new(&python).args(pip))?;
    let scripts = std::fs::read_dir("golden").map_err(|e| e.to_string())?;
    for script in scripts.flatten().map(|entry| entry.path()) {
        let is_script = script.extension().is_some_and(|e| e == "py");
        if is_script && script.file_name().is_some_and(|name| name != "certificate.py") {
            eprintln!("{}", script.display());
            run(Command::new(&python).arg(&script))?;
        }
    }
    Ok(())
}

/// Folder of the tools, kept between runs.
fn cache() -> PathBuf {
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache/linsep"));
    env::var_os("LINSEP_CACHE").map(PathBuf::from).or_else(home).unwrap_or_else(|| "target".into())
}

fn cargo(args: &[&str]) -> Result<(), String> {
    run(Command::new("cargo").args(args))
}

fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|e| format!("{command:?}: {e}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} ended with {status}")) }
}
