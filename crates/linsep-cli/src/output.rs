//! Where results and talk go.

use crate::failure::Failure;
use owo_colors::OwoColorize;
use serde_json::{Value, json};
use std::io::{self, Write};

/// How results are shown, and with how many threads they are had.
pub struct Output {
    /// One JSON object instead of text.
    pub json: bool,
    /// Threads to use.
    pub threads: usize,
    /// Whether to do what is refused by default: replace a file of another kind, save an unfinished
    /// model.
    pub force: bool,
}

impl Output {
    /// Prints a result: the JSON, or the text.
    pub fn result(
        &self,
        json: impl FnOnce() -> Value,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        let shown = if self.json { format!("{}\n", json()) } else { text() };
        print(shown.as_bytes())
    }

    /// Says why the command failed.
    pub fn failure(&self, failure: &Failure) {
        let text = failure.to_string();
        let _ = writeln!(anstream::stderr(), "{} {text}", "error:".red().bold());
        if self.json {
            let _ =
                print(format!("{}\n", json!({ "error": text, "exit": failure.code() })).as_bytes());
        }
    }
}

/// Says something beside the result.
pub fn note(text: &str) {
    // Talk that nobody hears is no reason to fail.
    let _ = writeln!(anstream::stderr(), "{} {text}", "note:".cyan().bold());
}

/// Writes to stdout. A reader that has seen enough is no failure.
pub fn print(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = anstream::stdout();
    let written = stdout.write_all(bytes).and_then(|()| stdout.flush());
    written.map_err(|error| match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::Silent,
        _ => Failure::Stdout(error),
    })
}
