//! Outcomes of jobs as text, as JSON, as charts, and as HTML pages.
//!
//! A module per job turns its typed outcome into text ([`Text`]) and JSON. Nothing is computed
//! here, and nothing is printed: an interface prints what it gets.

pub mod check;
pub mod compare;
pub mod escape;
pub mod evaluate;
pub mod explain;
pub mod fit;
pub mod flags;
pub mod html;
pub mod inference;
pub mod kesler;
pub mod layout;
mod logic;
pub mod plot;
pub mod post_processing;
pub mod predict;
pub mod scorecard;
pub mod separable;
mod trace;
pub mod transform;

pub use layout::{Style, Table, Text};
pub use linsep::number;

use escape::safe_json;
use linsep::jobs::Outcome;
use linsep_plot::Scene;
use serde_json::Value;
use std::io::{self, Write};

/// The outcome of a job as text.
pub fn text(outcome: &Outcome, style: Style) -> String {
    match outcome {
        Outcome::Check(outcome) => check::text(outcome, style),
        Outcome::Compare(outcome) => compare::text(outcome, style),
        Outcome::Evaluate(outcome) => evaluate::text(outcome, style),
        Outcome::Explain(outcome) => explain::text(outcome, style),
        Outcome::Fit(outcome) => fit::text(outcome, style),
        Outcome::Predict(outcome) => predict::text(outcome),
        Outcome::Scorecard(outcome) => scorecard::text(outcome, style),
        Outcome::Separable(outcome) => separable::text(outcome, style),
        Outcome::Transform(outcome) => transform::text(outcome),
        Outcome::Verify(outcome) => separable::verified_text(outcome, style),
        Outcome::Kesler(outcome) => kesler::text(outcome, style),
        Outcome::Threshold(outcome) => logic::threshold::text(outcome, style),
        Outcome::Network(outcome) => logic::network::text(outcome, style),
        Outcome::Count(outcome) => logic::count::text(outcome, style),
        Outcome::Automaton(outcome) => logic::automaton::text(outcome, style),
        Outcome::Plot(outcome) => plot::text(outcome, style),
        Outcome::Trace(outcome) => trace::text(outcome, style),
    }
}

/// Writes the outcome of a job as one JSON object, without characters that a terminal interprets.
pub fn write_json(outcome: &Outcome, out: &mut dyn Write) -> io::Result<()> {
    match outcome {
        Outcome::Evaluate(outcome) => evaluate::write_json(outcome, out),
        outcome => out.write_all(safe_json(&json(outcome).to_string()).as_bytes()),
    }
}

/// The outcome of a job as one JSON object.
pub fn json(outcome: &Outcome) -> Value {
    match outcome {
        Outcome::Check(outcome) => check::json(outcome),
        Outcome::Compare(outcome) => compare::json(outcome),
        Outcome::Evaluate(outcome) => evaluate::json(outcome),
        Outcome::Explain(outcome) => explain::json(outcome),
        Outcome::Fit(outcome) => fit::json(outcome),
        Outcome::Predict(outcome) => predict::json(outcome),
        Outcome::Scorecard(outcome) => scorecard::json(outcome),
        Outcome::Separable(outcome) => separable::json(outcome),
        Outcome::Transform(outcome) => transform::json(outcome),
        Outcome::Verify(outcome) => separable::verified_json(outcome),
        Outcome::Kesler(outcome) => kesler::json(outcome),
        Outcome::Threshold(outcome) => logic::threshold::json(outcome),
        Outcome::Network(outcome) => logic::network::json(outcome),
        Outcome::Count(outcome) => logic::count::json(outcome),
        Outcome::Automaton(outcome) => logic::automaton::json(outcome),
        Outcome::Plot(outcome) => plot::json(outcome),
        Outcome::Trace(outcome) => trace::json(outcome),
    }
}

/// The picture of an outcome, if it has one.
pub fn scene(outcome: &Outcome) -> Option<Scene> {
    match outcome {
        Outcome::Plot(outcome) => Some(plot::scene(&outcome.picture)),
        Outcome::Network(outcome) => Some(logic::drawing::scene(outcome)),
        _ => None,
    }
}
