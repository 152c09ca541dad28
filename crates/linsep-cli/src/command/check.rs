//! `linsep check`: the data check before a fit.

use super::classes_json;
use super::predict::field;
use crate::data::{ColumnArgs, ReadArgs, name_of};
use crate::failure::Failure;
use crate::layout::entry;
use crate::output::Output;
use crate::progress::{Progress, Timer};
use clap::Args;
use linsep::certify::separation::Limits;
use linsep::control::{Cancel, Epoch, SettingValue};
use linsep::diagnostics::{DataCheck, Finding, Severity, check_data};
use linsep::model_file::number as json_number;
use linsep::{Label, Observer};
use linsep_report::escape::one_line;
use linsep_report::flags::spell;
use linsep_report::number::{count, plural};
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::time::Instant;

/// Limit of findings shown per check.
const ALIKE: usize = 8;

#[derive(Args)]
#[command(mut_arg("strict", |arg| arg.help(
    "Exit with code 1 on a serious finding; for LIBSVM, accept only what LIBLINEAR accepts"
)))]
pub struct CheckArgs {
    /// Data files, read as one data set; - is stdin
    #[arg(required = true)]
    data: Vec<PathBuf>,

    /// Skip the separation test
    #[arg(long, conflicts_with = "timeout", help_heading = "Limits")]
    no_separation: bool,

    /// Stop the separation test after this many seconds
    #[arg(long, value_name = "SECONDS", default_value = "20", value_parser = super::seconds, help_heading = "Limits")]
    timeout: f64,

    #[command(flatten)]
    columns: ColumnArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

pub fn run(args: &CheckArgs, out: &Output) -> Result<(), Failure> {
    // 1. Read.
    let clock = Instant::now();
    let input = args.columns.read(&args.data, &args.reading, out)?;
    let read = clock.elapsed().as_secs_f64();

    // 2. Check.
    let clock = Instant::now();
    let limits = Limits { margin: false, ..Limits::default() };
    let mut watch =
        TimedTest { progress: Progress::unguarded("checking"), seconds: args.timeout, timer: None };
    let found = check_data(
        input,
        &args.columns.settings(out),
        (!args.no_separation).then_some(limits),
        &mut watch,
    )?;
    drop(watch);
    let examined = clock.elapsed().as_secs_f64();

    // 3. Report.
    out.result(
        || {
            let mut json = json_of(&found);
            json["seconds"] = json!({ "read": read, "examine": examined });
            json
        },
        || text_of(&found, &name_of(&args.data)),
    )?;
    let serious = found.report.count(Severity::Serious) > 0;
    if args.reading.is_strict() && serious { Err(Failure::Found) } else { Ok(()) }
}

/// An observer that limits the time of the separation test.
struct TimedTest {
    progress: Progress,
    seconds: f64,
    timer: Option<Timer>,
}

impl Observer for TimedTest {
    fn stage(&mut self, name: &str) {
        self.progress.stage(name);
        self.timer = Some(Timer::start(self.seconds, &self.progress.cancel()));
    }

    fn epoch(&mut self, now: &Epoch) -> bool {
        self.progress.epoch(now)
    }

    fn cancel(&self) -> Cancel {
        self.progress.cancel()
    }
}

fn json_of(found: &DataCheck) -> Value {
    let (classes, weights): (Vec<_>, Vec<f64>) = found.classes.iter().cloned().unzip();
    let weights: Vec<Value> = weights.into_iter().map(json_number).collect();
    let report = &found.report;
    let skipped = report.skipped.iter().map(|s| json!({ "check": s.check, "why": spell(&s.why) }));
    json!({
        "n": found.rows,
        "columns": found.columns,
        "d": found.features,
        "k": classes.len(),
        "classes": classes_json(&classes),
        "class_weights": weights,
        "target": found.target,
        "serious": report.count(Severity::Serious),
        "warnings": report.count(Severity::Warning),
        "notes": report.count(Severity::Note),
        "findings": report.findings.iter().map(finding_json).collect::<Vec<_>>(),
        "skipped": skipped.collect::<Vec<_>>(),
    })
}

fn finding_json(finding: &Finding) -> Value {
    let numbers: Map<String, Value> =
        finding.numbers.iter().map(|(name, v)| ((*name).to_owned(), json_number(*v))).collect();
    let words: Map<String, Value> =
        finding.words.iter().map(|(name, v)| ((*name).to_owned(), json!(v))).collect();
    let settings =
        finding.settings.iter().map(|own| json!({ "name": own.name, "value": own.value }));
    json!({
        "check": finding.check,
        "severity": finding.severity.name(),
        "what": spell(&finding.what),
        "columns": finding.columns,
        "rows": finding.rows,
        "row_count": finding.row_count,
        "numbers": numbers,
        "words": words,
        "advice": spell(&finding.advice),
        "settings": settings.collect::<Vec<_>>(),
    })
}

fn text_of(found: &DataCheck, name: &str) -> String {
    let mut out = String::new();
    let (rows_, columns) =
        (plural(found.rows, "row", "rows"), plural(found.columns, "column", "columns"));
    entry(&mut out, "data", &format!("{name}: {rows_}, {columns}"));
    if !found.classes.is_empty() {
        entry(&mut out, "classes", &classes(found));
    }
    let report = &found.report;
    let parts = [
        (Severity::Serious, "serious finding", "serious findings"),
        (Severity::Warning, "warning", "warnings"),
        (Severity::Note, "note", "notes"),
    ];
    let counts =
        parts.iter().map(|&(severity, one, many)| plural(report.count(severity), one, many));
    entry(&mut out, "findings", &counts.collect::<Vec<_>>().join(", "));
    for alike in report.findings.chunk_by(|a, b| (a.severity, a.check) == (b.severity, b.check)) {
        for finding in alike.iter().take(ALIKE) {
            let (severity, check) = (finding.severity.name(), finding.check);
            out.push('\n');
            entry(&mut out, severity, &format!("{check}: {}", spell(&finding.what)));
            if finding.row_count > 0 {
                entry(&mut out, "", &rows(finding));
            }
            entry(&mut out, "", &format!("→ {}{}", spell(&finding.advice), flags(finding)));
        }
        if alike.len() > ALIKE {
            let more = alike.len() - ALIKE;
            out.push('\n');
            entry(
                &mut out,
                "",
                &format!("… and {more} more findings of this check (--json lists all)"),
            );
        }
    }
    if !report.skipped.is_empty() {
        out.push('\n');
    }
    for skipped in &report.skipped {
        entry(&mut out, "skipped", &format!("{}: {}", skipped.check, spell(&skipped.why)));
    }
    out
}

fn classes(found: &DataCheck) -> String {
    const SHOWN: usize = 8;
    const LONG: usize = 40;
    let shown = found.classes.iter().take(SHOWN);
    let name = |class: &Label| {
        let name = one_line(&class.to_string()).into_owned();
        match name.char_indices().nth(LONG) {
            Some((end, _)) => format!("{}…", &name[..end]),
            None => name,
        }
    };
    let shown: Vec<String> =
        shown.map(|(class, s)| format!("{} ({})", name(class), count(*s))).collect();
    let more = match found.classes.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let target = found.target.as_ref().map_or(String::new(), |name| format!(" in column {name}"));
    format!("{}{target}: {}{more}", found.classes.len(), shown.join(", "))
}

/// Returns the first rows of a finding, counted from 1.
fn rows(finding: &Finding) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> = finding.rows.iter().take(SHOWN).map(|i| (i + 1).to_string()).collect();
    let noun = if finding.row_count == 1 { "row" } else { "rows" };
    let more = if finding.row_count > shown.len() { ", …" } else { "" };
    format!("{noun} {}{more}", shown.join(", "))
}

/// Options that take several names, separated by commas.
const LISTS: [&str; 6] = ["categorical", "columns", "drop", "label-map", "numeric", "text"];

/// Returns the settings of a finding as command-line flags.
pub(super) fn flags(finding: &Finding) -> String {
    const SHOWN: usize = 6;
    let flag = |SettingValue { name, value }: &SettingValue| {
        let value = &if LISTS.contains(&&**name) { field(value) } else { value.clone() };
        let plain = |c: char| c.is_alphanumeric() || "_-.,=".contains(c);
        match value {
            value if value.is_empty() => format!("--{name}"),
            value if value.chars().all(plain) => format!("--{name} {value}"),
            value => format!("--{name} '{}'", value.replace('\'', "'\\''")),
        }
    };
    let shown: Vec<String> = finding.settings.iter().take(SHOWN).map(flag).collect();
    let more = if finding.settings.len() > SHOWN { " …" } else { "" };
    if shown.is_empty() { String::new() } else { format!(": {}{more}", shown.join(" ")) }
}
