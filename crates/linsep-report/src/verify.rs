//! The verification of a certificate as text and JSON.

use crate::layout::{Style, Text};
use linsep::jobs::VerifyOutcome;
use serde_json::{Value, json};

/// The verification as JSON.
pub(crate) fn json(outcome: &VerifyOutcome) -> Value {
    json!({ "valid": true, "verdict": outcome.separation.name(), "sha256": outcome.sha256 })
}

/// The verification as text.
pub(crate) fn text(outcome: &VerifyOutcome, style: Style) -> String {
    let (mut out, kind) = (Text::new(style), outcome.separation);
    out.entry("certificate", &format!("valid for {}, in exact arithmetic", outcome.data));
    out.entry("separation", &format!("{}: {}", kind.name(), kind.meaning()));
    out.finish()
}
