//! The data check as text and JSON.

use crate::escape::one_line;
use crate::flags::{flags, spell};
use crate::layout::{Style, Text};
use crate::number::{count, listed, plural};
use linsep::core::Label;
use linsep::diagnostics::{DataCheck, Finding, Severity};
use linsep::jobs::CheckOutcome;
use linsep::model_file::number as json_number;
use serde_json::{Value, json};

/// Limit of findings shown per check.
const ALIKE: usize = 8;

/// The outcome as JSON.
pub(crate) fn json(outcome: &CheckOutcome) -> Value {
    let found = &outcome.found;
    let (classes, weights): (Vec<_>, Vec<f64>) = found.classes.iter().cloned().unzip();
    let weights: Vec<Value> = weights.into_iter().map(json_number).collect();
    let report = &found.report;
    let skipped = report.skipped.iter().map(|s| json!({ "check": s.check, "why": spell(&s.why) }));
    json!({
        "n": found.rows,
        "columns": found.columns,
        "d": found.features,
        "k": classes.len(),
        "classes": classes,
        "class_weights": weights,
        "target": found.target,
        "serious": report.count(Severity::Serious),
        "warnings": report.count(Severity::Warning),
        "notes": report.count(Severity::Note),
        "findings": report.findings.iter().map(finding_json).collect::<Vec<_>>(),
        "skipped": skipped.collect::<Vec<_>>(),
        "seconds": { "read": outcome.seconds.read, "examine": outcome.seconds.work },
    })
}

fn finding_json(finding: &Finding) -> Value {
    let mut json = json!(finding);
    json["what"] = json!(spell(&finding.what));
    json["numbers"] =
        finding.numbers.iter().map(|(name, v)| (name.clone(), json_number(*v))).collect();
    json["words"] = finding.words.iter().cloned().collect();
    json["advice"] = json!(spell(&finding.advice));
    json
}

/// The outcome as text.
pub(crate) fn text(outcome: &CheckOutcome, style: Style) -> String {
    let (found, name) = (&outcome.found, &outcome.data);
    let mut out = Text::new(style);
    let (rows_, columns) =
        (plural(found.rows, "row", "rows"), plural(found.columns, "column", "columns"));
    out.entry("data", &format!("{name}: {rows_}, {columns}"));
    if !found.classes.is_empty() {
        out.entry("classes", &classes(found));
    }
    let report = &found.report;
    let parts = [
        (Severity::Serious, "serious finding", "serious findings"),
        (Severity::Warning, "warning", "warnings"),
        (Severity::Note, "note", "notes"),
    ];
    let counts =
        parts.iter().map(|&(severity, one, many)| plural(report.count(severity), one, many));
    out.entry("findings", &counts.collect::<Vec<_>>().join(", "));
    for alike in report.findings.chunk_by(|a, b| (a.severity, &a.check) == (b.severity, &b.check)) {
        for finding in alike.iter().take(ALIKE) {
            let (severity, check) = (finding.severity.name(), &finding.check);
            out.gap();
            out.entry(severity, &format!("{check}: {}", spell(&finding.what)));
            if finding.row_count > 0 {
                out.entry("", &rows(finding));
            }
            out.entry("", &format!("→ {}{}", spell(&finding.advice), flags(finding)));
        }
        if alike.len() > ALIKE {
            let more = alike.len() - ALIKE;
            out.gap();
            out.entry("", &format!("… and {more} more findings of this check (--json lists all)"));
        }
    }
    if !report.skipped.is_empty() {
        out.gap();
    }
    for skipped in &report.skipped {
        out.entry("skipped", &format!("{}: {}", skipped.check, spell(&skipped.why)));
    }
    out.finish()
}

fn classes(found: &DataCheck) -> String {
    const SHOWN: usize = 8;
    const LONG: usize = 40;
    let name = |class: &Label| {
        let name = one_line(&class.to_string()).into_owned();
        match name.char_indices().nth(LONG) {
            Some((end, _)) => format!("{}…", &name[..end]),
            None => name,
        }
    };
    let classes = found.classes.iter().map(|(class, s)| format!("{} ({})", name(class), count(*s)));
    let target = found.target.as_ref().map_or(String::new(), |name| format!(" in column {name}"));
    format!("{}{target}: {}", found.classes.len(), listed(classes, SHOWN))
}

/// Returns the first rows of a finding, counted from 1.
fn rows(finding: &Finding) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<String> = finding.rows.iter().take(SHOWN).map(|i| (i + 1).to_string()).collect();
    let noun = if finding.row_count == 1 { "row" } else { "rows" };
    let more = if finding.row_count > shown.len() { ", …" } else { "" };
    format!("{noun} {}{more}", shown.join(", "))
}
