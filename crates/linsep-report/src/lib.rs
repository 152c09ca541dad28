//! Outcomes of jobs as text, as JSON, and as HTML pages.
//!
//! A module per job turns its typed outcome into text ([`Text`]) and JSON. Nothing is computed
//! here, and nothing is printed: an interface prints what it gets.

pub mod check;
mod decimal;
pub mod escape;
pub mod flags;
pub mod html;
pub mod layout;
pub mod number;

pub use layout::{Style, Table, Text};

use linsep::jobs::Outcome;
use serde_json::Value;

/// The outcome of a job as text.
pub fn text(outcome: &Outcome, style: Style) -> String {
    match outcome {
        Outcome::Check(outcome) => check::text(outcome, style),
    }
}

/// The outcome of a job as one JSON object.
pub fn json(outcome: &Outcome) -> Value {
    match outcome {
        Outcome::Check(outcome) => check::json(outcome),
    }
}
