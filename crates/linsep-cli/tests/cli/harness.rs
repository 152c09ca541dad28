//! Runs of the program in a temporary folder.

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// A temporary folder with the files of a test.
pub(crate) struct Sandbox {
    folder: TempDir,
}

/// Exit code and output of a run.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Sandbox {
    /// A folder with the example data.
    pub(crate) fn new() -> Self {
        let desk = Self { folder: tempfile::tempdir().unwrap() };
        let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
        for entry in fs::read_dir(examples).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|e| e == "csv") {
                fs::copy(&path, desk.path(path.file_name().unwrap().to_str().unwrap())).unwrap();
            }
        }
        desk
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    /// Compresses a file with gzip under another name.
    pub(crate) fn compress(&self, name: &str, compressed: &str) {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(&fs::read(self.path(name)).unwrap()).unwrap();
        self.file(compressed, gzip.finish().unwrap());
    }

    /// The names of the files, without the examples.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        let examples = [
            "corners.csv",
            "gales.csv",
            "iris.csv",
            "outliers.csv",
            "parity-machine.csv",
            "rosenblatt.csv",
            "xor.csv",
        ];
        names.retain(|name| !examples.contains(&name.as_str()));
        names.sort();
        names
    }

    /// Runs `linsep` with these arguments, split at spaces.
    pub(crate) fn run(&self, words: &str) -> Run {
        self.run_with(&words.split_whitespace().collect::<Vec<_>>(), "")
    }

    /// Runs `linsep` with these arguments, `--wide` and `--verbose`.
    pub(crate) fn wide(&self, words: &str) -> Run {
        self.run(&format!("{words} --wide --verbose"))
    }

    /// Runs `linsep` with these arguments and this stdin.
    pub(crate) fn run_with(&self, args: &[&str], stdin: &str) -> Run {
        let mut child = Command::new(env!("CARGO_BIN_EXE_linsep"))
            .args(args)
            .current_dir(self.folder.path())
            .env("NO_COLOR", "1")
            .env("COLUMNS", "100")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The program may end without reading its stdin.
        let _ = child.stdin.take().unwrap().write_all(stdin.as_bytes());
        let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
        Run {
            code: status.code().expect("no signal"),
            stdout: String::from_utf8(stdout).unwrap(),
            stderr: String::from_utf8(stderr).unwrap(),
        }
    }

    /// Runs a shell script, in which the program is `$LINSEP`.
    #[cfg(unix)]
    pub(crate) fn shell(&self, script: &str) -> Run {
        let output = Command::new("sh")
            .args(["-c", script])
            .current_dir(self.folder.path())
            .env("LINSEP", env!("CARGO_BIN_EXE_linsep"))
            .env("NO_COLOR", "1")
            .output()
            .unwrap();
        Run {
            code: output.status.code().expect("no signal"),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs `linsep … --json` and parses the object it prints.
    pub(crate) fn json(&self, words: &str) -> Value {
        let run = self.run(&format!("{words} --json"));
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(run.stdout.lines().count(), 1, "one object, one line");
        serde_json::from_str(&run.stdout).unwrap()
    }

    /// Runs `linsep` and returns command, exit code, stdout and stderr.
    pub(crate) fn session(&self, words: &str) -> String {
        self.run(words).session(words)
    }
}

impl Run {
    /// Command, exit code, stdout and stderr.
    pub(crate) fn session(&self, words: &str) -> String {
        let mut text = format!("$ linsep {words}\nexit code {}\n", self.code);
        for (name, stream) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !stream.is_empty() {
                text.extend(["--- ", name, "\n", stream]);
            }
        }
        text
    }
}

/// Compares the session of a command with the snapshot named after the command, or as given if the
/// same command is shown in two states.
macro_rules! assert_session {
    ($desk:expr, $words:expr) => {
        insta::assert_snapshot!($crate::harness::name_of(&$words), $desk.session(&$words))
    };
    ($desk:expr, $words:expr, $name:expr) => {
        insta::assert_snapshot!($name, $desk.session(&$words))
    };
}
pub(crate) use assert_session;

/// File name of a command: `fit_iris.csv_tol=0.1` for `fit iris.csv --tol 0.1`.
pub(crate) fn name_of(words: &str) -> String {
    let mut name = String::new();
    let mut after_option = false;
    for word in words.split_whitespace() {
        let bare = word.trim_start_matches('-');
        let option = bare.len() < word.len() && bare.starts_with(char::is_alphabetic);
        if !name.is_empty() {
            name.push(if after_option && !option { '=' } else { '_' });
        }
        let mut letters = if option { bare } else { word }.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '-' if letters.peek().is_some_and(char::is_ascii_digit) => name += "minus",
                _ if letter.is_alphanumeric() || "-_=.,".contains(letter) => name.push(letter),
                _ => name.push('+'),
            }
        }
        after_option = option;
    }
    name
}
