//! Where results and talk go.

use crate::failure::Failure;
use crate::terminal::{one_line, safe, safe_json};
use linsep_io::{Memory, Spill};
use owo_colors::OwoColorize;
use serde_json::{Value, json};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// How results are shown, and with how many threads they are had.
pub struct Output {
    /// One JSON object instead of text.
    pub json: bool,
    /// Threads to use.
    pub threads: usize,
    /// What data and learning may take in memory.
    pub memory: Memory,
    /// The folder for temporary files, if not the system's.
    pub temp_dir: Option<PathBuf>,
    /// Whether to do what is refused by default: replace a file of another kind, save an unfinished
    /// model.
    pub force: bool,
}

impl Output {
    /// When and where rows that are too many for memory go to the disk.
    pub fn spill(&self) -> Spill {
        let own = Spill::default();
        Spill { memory: own.memory.min(self.memory.part(8)), folder: self.temp_dir.clone() }
    }

    /// Prints a result: the JSON, or the text.
    pub fn result(
        &self,
        json: impl FnOnce() -> Value,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        if self.json { print_json(&json()) } else { print(safe(&text()).as_bytes()) }
    }

    /// The same with JSON that is written piece by piece, as it may be long.
    pub fn streamed(
        &self,
        json: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        if !self.json {
            return print(safe(&text()).as_bytes());
        }
        let mut stdout = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        json(&mut stdout)?;
        stdout.flush().map_err(Failure::stdout)
    }

    /// Says why the command failed.
    pub fn failure(&self, failure: &Failure) {
        let text = failure.to_string();
        // An expression is shown with a mark below it; all other errors are one line.
        let shown = match failure {
            Failure::Core(linsep::Error::Expression { .. }) => safe(&text),
            _ => one_line(&text),
        };
        let _ = writeln!(anstream::stderr(), "{} {}", "error:".red().bold(), shown);
        if self.json {
            let _ = print_json(&json!({ "error": text, "exit": failure.code() }));
        }
    }
}

/// Says something beside the result.
pub fn note(text: &str) {
    // Talk that nobody hears is no reason to fail.
    let _ = writeln!(anstream::stderr(), "{} {}", "note:".cyan().bold(), one_line(text));
}

/// Prints one JSON object.
fn print_json(json: &Value) -> Result<(), Failure> {
    print(format!("{}\n", safe_json(&json.to_string())).as_bytes())
}

/// Writes data to stdout as they are. A reader that has seen enough is no failure.
pub fn print(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(bytes).and_then(|()| stdout.flush());
    written.map_err(Failure::stdout)
}
