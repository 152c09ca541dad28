//! Output of results, notes and errors.

use crate::failure::Failure;
use anstream::AutoStream;
use anstyle::{AnsiColor, Style};
use linsep::Spill;
use linsep::core::control::Note;
use linsep::io::AtomicFile;
use linsep::io::Memory;
use linsep::jobs::Outcome;

use linsep_report::escape::{one_line, safe, write_safe_json};
use linsep_report::flags::sentences;
use serde_json::{Value, json};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// Output format and run settings of all commands.
pub struct Output {
    /// One JSON object instead of text.
    pub json: bool,
    /// Number of threads.
    pub threads: usize,
    /// Memory limit of data and training.
    pub memory: Memory,
    /// Folder for temporary files, if not that of the system.
    pub temp_dir: Option<PathBuf>,
    /// Whether to allow actions that are refused by default: overwriting a file of another kind,
    /// saving an unfinished model.
    pub force: bool,
    /// Whether summaries include details.
    pub verbose: bool,
    /// Whether lines may be longer than 80 columns.
    pub wide: bool,
    /// File for the outcome of the job.
    pub outcome: Option<PathBuf>,
}

/// Severities at the start of a line, and their colors.
const SEVERITIES: [(&str, AnsiColor); 4] = [
    ("error", AnsiColor::Red),
    ("serious", AnsiColor::Red),
    ("warning", AnsiColor::Yellow),
    ("note", AnsiColor::Cyan),
];

static QUIET: AtomicBool = AtomicBool::new(false);

/// Suppresses notes and progress.
pub fn set_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// Whether notes and progress are suppressed.
pub fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// A severity in color, for a stream that strips colors unless it is a terminal.
fn severity(name: &str) -> String {
    let color = SEVERITIES.iter().find(|(own, _)| *own == name).map(|(_, color)| *color);
    let style = Style::new().fg_color(color.map(Into::into)).bold();
    format!("{style}{name}{style:#}")
}

/// Colors the severities at the start of lines of an escaped text.
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

/// Prints text, with colors on a terminal only, unless `NO_COLOR` or `CLICOLOR_FORCE` is set.
fn print_text(text: &str) -> Result<(), Failure> {
    let mut stdout = AutoStream::auto(io::stdout());
    let text = colored(&safe(text));
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    written.map_err(Failure::stdout)
}

impl Output {
    /// Memory limit and folder of rows that are spilled to disk.
    pub fn spill(&self) -> Spill {
        let own = Spill::default();
        Spill { memory: own.memory.min(self.memory.part(8)), folder: self.temp_dir.clone() }
    }

    /// Saves the outcome of a job, if a file is named.
    pub fn save(&self, outcome: &Outcome) -> Result<(), Failure> {
        if let Some(path) = &self.outcome {
            let bytes = serde_json::to_vec(outcome).map_err(|e| Failure::Refused(e.to_string()))?;
            AtomicFile::write_whole(path, &bytes)?;
        }
        Ok(())
    }

    /// Writes a table for other programs, as JSON or CSV, to a file or to stdout. Nothing is
    /// escaped in CSV.
    pub fn write_table(&self, outcome: &Outcome, to: Option<&Path>) -> Result<(), Failure> {
        let mut bytes = Vec::new();
        if self.json {
            linsep_report::write_json(outcome, &mut bytes).map_err(Failure::stdout)?;
            bytes.push(b'\n');
        } else {
            bytes = linsep_report::text(outcome, self.style()).into_bytes();
        }
        match to {
            None => print(&bytes),
            Some(path) => Ok(AtomicFile::write_whole(path, &bytes)?),
        }
    }

    /// Saves the outcome of a job, if a file is named, and prints it as JSON or text.
    pub fn report(&self, outcome: &Outcome) -> Result<(), Failure> {
        self.save(outcome)?;
        if matches!(outcome, Outcome::Predict(_) | Outcome::Transform(_)) {
            return self.write_table(outcome, None);
        }
        if !self.json {
            return print_text(&linsep_report::text(outcome, self.style()));
        }
        let mut stdout = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        let written = linsep_report::write_json(outcome, &mut stdout);
        let ended = written.and_then(|()| stdout.write_all(b"\n")).and_then(|()| stdout.flush());
        ended.map_err(Failure::stdout)
    }

    /// How outcomes are written as text.
    pub fn style(&self) -> linsep_report::Style {
        linsep_report::Style { wide: self.wide, verbose: self.verbose }
    }

    /// Prints the error of a failed command.
    pub fn failure(&self, failure: &Failure) {
        let text = failure.to_string();
        // An error in an expression has a caret line below; all other errors are one line.
        let shown = match failure {
            Failure::Job(linsep::Error::Function(linsep::logic::Error::Expression { .. })) => {
                safe(&text)
            }
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

/// Prints a note to stderr, unless `--quiet` is given.
pub fn note(text: &str) {
    if is_quiet() {
        return;
    }
    // A closed stderr is not an error.
    let _ = writeln!(anstream::stderr(), "{}: {}", severity("note"), one_line(text));
}

/// Prints the notes of a job.
pub fn print_notes(notes: &[Note]) {
    sentences(notes).iter().for_each(|text| note(text));
}

/// Prints one JSON object.
fn print_json(json: &Value) -> Result<(), Failure> {
    let mut bytes = Vec::new();
    write_safe_json(json, &mut bytes).map_err(Failure::stdout)?;
    bytes.push(b'\n');
    print(&bytes)
}

/// Writes bytes to stdout. A closed pipe is not a failure.
pub fn print(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(bytes).and_then(|()| stdout.flush());
    written.map_err(Failure::stdout)
}
