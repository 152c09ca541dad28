//! Where results and talk go.

use crate::failure::Failure;
use crate::terminal::{one_line, safe, safe_json};
use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use linsep_io::{Memory, Spill};
use serde_json::{Value, json};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

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
    /// Whether a summary has its details, too.
    pub verbose: bool,
}

/// Keys of severity at the start of a line, and their colors.
const SEVERITIES: [(&str, AnsiColor); 4] = [
    ("error", AnsiColor::Red),
    ("serious", AnsiColor::Red),
    ("warning", AnsiColor::Yellow),
    ("note", AnsiColor::Cyan),
];

static QUIET: AtomicBool = AtomicBool::new(false);

/// Leaves out notes and progress.
pub fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether notes and progress are left out.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// A severity in its color, for a stream that removes colors where they do not belong.
fn severity(word: &str) -> String {
    let color = SEVERITIES.iter().find(|(own, _)| *own == word).map(|(_, color)| *color);
    let style = Style::new().fg_color(color.map(Into::into)).bold();
    format!("{style}{word}{style:#}")
}

/// Escaped text with the keys of severity at the start of lines in color.
fn colored(text: &str) -> String {
    let line = |line: &str| {
        let key = line.split(' ').next().unwrap_or_default();
        if SEVERITIES.iter().any(|(own, _)| *own == key) {
            format!("{}{}", severity(key), &line[key.len()..])
        } else {
            line.to_owned()
        }
    };
    text.split_inclusive('\n').map(line).collect()
}

/// Prints text for a person. Only a terminal gets colors, unless `NO_COLOR` or `CLICOLOR_FORCE`
/// says otherwise.
fn print_text(text: &str) -> Result<(), Failure> {
    let mut stdout = AutoStream::auto(io::stdout());
    let text = colored(&safe(text));
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    written.map_err(Failure::stdout)
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
        if self.json { print_json(&json()) } else { print_text(&text()) }
    }

    /// The same with JSON that is written piece by piece, as it may be long.
    pub fn streamed(
        &self,
        json: impl FnOnce(&mut dyn Write) -> Result<(), Failure>,
        text: impl FnOnce() -> String,
    ) -> Result<(), Failure> {
        if !self.json {
            return print_text(&text());
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
        print_error(&shown);
        if self.json {
            let _ = print_json(&json!({ "error": text, "exit": failure.code() }));
        }
    }
}

/// Prints an escaped error.
pub fn print_error(text: &str) {
    let _ = writeln!(anstream::stderr(), "{}: {text}", severity("error"));
}

/// Says something beside the result.
pub fn note(text: &str) {
    if is_quiet() {
        return;
    }
    // Talk that nobody hears is no reason to fail.
    let _ = writeln!(anstream::stderr(), "{}: {}", severity("note"), one_line(text));
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
