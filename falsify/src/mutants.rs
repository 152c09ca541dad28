//! Mutation test of the tool: are seeded defects found?
//!
//! A mutant is one replacement in the source of the library, with the claim that it makes false.
//! The workspace is copied into a temporary folder that is reused, with its target folder, so that
//! only crates affected by the change are rebuilt. The replacement is made, and the tool of the
//! copy runs on that claim until its first gross violation, for at most [`SECONDS`]. First the
//! unchanged copy runs on every claim concerned: a claim that is already false would not show the
//! effect of a mutant.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Time limit of the search for a violation, in seconds.
pub const SECONDS: u64 = 60;

/// One replacement.
#[derive(Clone, Copy, Debug)]
pub struct Mutant {
    /// Description of the defect.
    pub name: &'static str,
    /// Claim that the defect makes false.
    pub claim: &'static str,
    /// Path from the root of the workspace.
    pub file: &'static str,
    /// Text that occurs once in the file.
    pub old: &'static str,
    /// Replacement text.
    pub new: &'static str,
}

/// All mutants.
pub const ALL: &[Mutant] = &[
    Mutant {
        name: "Novikoff's bound without the square",
        claim: "novikoff",
        file: "crates/linsep-core/src/certify/separation/margin.rs",
        old: "    ratio * ratio\n",
        new: "    ratio\n",
    },
    Mutant {
        name: "the largest margin times 1.01",
        claim: "novikoff",
        file: "crates/linsep-core/src/certify/novikoff.rs",
        old: "gamma: gamma.least }",
        new: "gamma: 1.01 * gamma.least }",
    },
    Mutant {
        name: "the radius times 0.9",
        claim: "radius",
        file: "crates/linsep-core/src/certify/ball.rs",
        old: "(0.5 * apart_at_most + radius).min(",
        new: "0.9 * (0.5 * apart_at_most + radius).min(",
    },
    Mutant {
        name: "the ball times 0.9",
        claim: "certified",
        file: "crates/linsep-core/src/certify/ball.rs",
        old: "let radius = (radius + 0.5 * off",
        new: "let radius = 0.9 * (radius + 0.5 * off",
    },
    Mutant {
        name: "a shift of the intercept that is dropped",
        claim: "certified",
        file: "crates/linsep-core/src/certify/ball.rs",
        old: "y * (u - side * (e + room))",
        new: "y * (u - side * room)",
    },
    Mutant {
        name: "an intercept that is not optimal",
        claim: "certified",
        file: "crates/linsep-core/src/certify/ball.rs",
        old: "self.intercepts = intercepts(objective, u, &e, h.b + about)?;",
        new: "self.intercepts = [h.b + about; 2];",
    },
    Mutant {
        name: "a row interval for a tenth of the gap",
        claim: "certified",
        file: "crates/linsep-core/src/certify/optimality.rs",
        old: "let total = width * objective.total()",
        new: "let total = 0.1 * width * objective.total()",
    },
    Mutant {
        name: "signs instead of argmax",
        claim: "certified",
        file: "crates/linsep-core/src/model/within.rs",
        old: "DecisionRule::ArgMax => (winner(least, largest)?, false),",
        new: "DecisionRule::ArgMax => {\n                let settled = |(low, high): (&f64, &f64)| *low >= 0.0 || *high < 0.0;\n                if !least.iter().zip(largest).all(settled) {\n                    return None;\n                }\n                let first = |w, j| if least[j] > least[w] { j } else { w };\n                ((0..least.len()).fold(0, first) as u32, false)\n            }",
    },
    Mutant {
        name: "a threshold that is ignored",
        claim: "certified",
        file: "crates/linsep-core/src/model/within.rs",
        old: "match (least >= cut.threshold, largest < cut.threshold) {",
        new: "match (least >= 0.0, largest < 0.0) {",
    },
    Mutant {
        name: "a limit that is ignored",
        claim: "certified",
        file: "crates/linsep-core/src/model/within.rs",
        old: "let Some(limit) = self.operating_point().abstain else {",
        new: "let Some(limit) = self.operating_point().abstain.filter(|_| false) else {",
    },
    Mutant {
        name: "open votes that are not counted",
        claim: "certified",
        file: "crates/linsep-core/src/model/within.rs",
        old: "certain[c] + open[c] < certain[first]",
        new: "certain[c] < certain[first]",
    },
    Mutant {
        name: "a gap that softmax ignores",
        claim: "certified",
        file: "crates/linsep-core/src/certify/multiclass.rs",
        old: "(a + c) > most) {",
        new: "(a + c) > 0.0 * most) {",
    },
    Mutant {
        name: "a lead of 2 in place of 1",
        claim: "certified",
        file: "crates/linsep-core/src/certify/multiclass.rs",
        old: "let least = 1.0 - most / q[own]",
        new: "let least = 2.0 - most / q[own]",
    },
    Mutant {
        name: "a sum whose rounding is not charged",
        claim: "bounds",
        file: "crates/linsep-core/src/certify/optimality.rs",
        old: "rounding(self.depth) * path + f64::EPSILON * norm(&self.v)",
        new: "0.0 * path",
    },
    Mutant {
        name: "scores whose rounding is not charged",
        claim: "objective",
        file: "crates/linsep-core/src/certify/optimality.rs",
        old: "let e = gamma * (2.0 * size * norm + 4.0 * h.b.abs()) + TINY;",
        new: "let e = 0.0 * gamma * (2.0 * size * norm + 4.0 * h.b.abs()) + TINY;",
    },
];

/// Folders and files of the workspace.
const PARTS: [&str; 8] =
    ["Cargo.toml", "Cargo.lock", "README.md", "clippy.toml", "crates", "falsify", "xtask", "bench"];

/// Builds and runs every mutant, or those with a matching name; returns whether all were found.
pub fn run(root: &Path, only: &str) -> Result<bool, String> {
    let base = std::env::temp_dir().join("linsep-mutants");
    let copy = base.join("workspace");
    let wanted: Vec<&Mutant> = ALL.iter().filter(|m| m.name.contains(only)).collect();
    for mutant in &wanted {
        replaced(root, mutant)?;
    }
    mirror(root, &copy)?;
    let claims: BTreeSet<&str> = wanted.iter().map(|mutant| mutant.claim).collect();
    build(&base)?;
    let mut all = true;
    let mut false_already = BTreeSet::new();
    for claim in claims {
        if let Some(seconds) = found(&base, claim, SECONDS / 3)? {
            println!("{claim:<12} is violated without a mutant, after {seconds:.1} s");
            false_already.insert(claim);
            all = false;
        }
    }
    for mutant in wanted {
        if false_already.contains(mutant.claim) {
            println!("skipped      {}: {} is violated without it", mutant.name, mutant.claim);
            continue;
        }
        let (path, text) = (copy.join(mutant.file), replaced(root, mutant)?);
        fs::write(&path, text).map_err(|e| place(&path, &e))?;
        build(&base).map_err(|e| format!("{}: {e}", mutant.name))?;
        let text = format!("{} ({})", mutant.name, mutant.claim);
        if let Some(seconds) = found(&base, mutant.claim, SECONDS)? {
            println!("found        {text}, {seconds:.1} s");
        } else {
            println!("NOT FOUND    {text}");
            all = false;
        }
        fs::copy(root.join(mutant.file), &path).map_err(|e| place(&path, &e))?;
    }
    Ok(all)
}

fn place(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

/// Returns the file of a mutant with the replacement; an error unless the old text occurs exactly
/// once.
fn replaced(root: &Path, mutant: &Mutant) -> Result<String, String> {
    let path = root.join(mutant.file);
    let text = fs::read_to_string(&path).map_err(|e| place(&path, &e))?;
    match text.matches(mutant.old).count() {
        1 => Ok(text.replacen(mutant.old, mutant.new, 1)),
        count => Err(format!(
            "{}: found {count} times, expected once: {:?} (mutant \"{}\")",
            mutant.file, mutant.old, mutant.name
        )),
    }
}

/// Makes the copy equal to the workspace. Unchanged files keep their modification time, so that
/// cargo does not rebuild them.
fn mirror(root: &Path, copy: &Path) -> Result<(), String> {
    fs::create_dir_all(copy).map_err(|e| place(copy, &e))?;
    for part in PARTS.map(PathBuf::from) {
        let (from, to) = (root.join(&part), copy.join(&part));
        if from.is_dir() {
            mirror_folder(&from, &to)?;
        } else if from.exists() {
            mirror_file(&from, &to)?;
        }
    }
    Ok(())
}

fn mirror_folder(from: &Path, to: &Path) -> Result<(), String> {
    fs::create_dir_all(to).map_err(|e| place(to, &e))?;
    let names = |folder: &Path| -> Result<BTreeSet<std::ffi::OsString>, String> {
        let entries = fs::read_dir(folder).map_err(|e| place(folder, &e))?;
        Ok(entries.filter_map(Result::ok).map(|entry| entry.file_name()).collect())
    };
    let here = names(from)?;
    for extra in names(to)?.difference(&here) {
        let path = to.join(extra);
        let removed =
            if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
        removed.map_err(|e| place(&path, &e))?;
    }
    for name in here.iter().filter(|name| *name != "target" && *name != "node_modules") {
        let (from, to) = (from.join(name), to.join(name));
        if from.is_dir() { mirror_folder(&from, &to)? } else { mirror_file(&from, &to)? }
    }
    Ok(())
}

fn mirror_file(from: &Path, to: &Path) -> Result<(), String> {
    let new = fs::read(from).map_err(|e| place(from, &e))?;
    if fs::read(to).is_ok_and(|old| old == new) {
        return Ok(());
    }
    fs::write(to, new).map_err(|e| place(to, &e))
}

fn build(base: &Path) -> Result<(), String> {
    let status = Command::new("cargo")
        .args(["build", "--quiet", "-p", "linsep-falsify"])
        .current_dir(base.join("workspace"))
        .env("CARGO_TARGET_DIR", base.join("target"))
        .env_remove("CARGO_MANIFEST_DIR")
        .status()
        .map_err(|e| format!("cargo: {e}"))?;
    if status.success() { Ok(()) } else { Err("the copy does not build".to_owned()) }
}

/// Returns the seconds until the first gross violation; `None` if there was none within the time
/// limit.
fn found(base: &Path, claim: &str, seconds: u64) -> Result<Option<f64>, String> {
    let program = base.join("target/debug/linsep-falsify");
    let start = Instant::now();
    let minutes = (seconds as f64 / 60.0).to_string();
    let status = Command::new(&program)
        .args([minutes.as_str(), "--claim", claim, "--stop"])
        .stdout(Stdio::null())
        .status()
        .map_err(|e| place(&program, &e))?;
    Ok((status.code() == Some(1)).then(|| start.elapsed().as_secs_f64()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A mutant that no longer applies would test nothing.
    #[test]
    fn every_mutant_can_be_applied() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        for mutant in ALL {
            let text = replaced(root, mutant).unwrap();
            assert!(text.contains(mutant.new), "{}", mutant.name);
        }
    }
}
