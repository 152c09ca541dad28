//! Outcomes of jobs as text, as JSON, as charts, and as HTML pages.
//!
//! A module per job turns its typed outcome into text ([`Text`]) and JSON. Nothing is computed
//! here, and nothing is printed: an interface prints what it gets.

mod check;
mod compare;
pub mod escape;
mod evaluate;
mod explain;
pub mod fit;
pub mod flags;
mod html;
pub mod inference;
pub mod kesler;
mod layout;
mod logic;
mod mistake_bound;
mod plot;
pub mod post_processing;
pub mod predict;
pub mod scorecard;
mod separable;
mod separation;
mod show;
mod table;
mod trace;
mod transform;
mod verify;

pub use layout::{Style, Text};
pub use linsep::number;
pub use table::Table;

use escape::write_safe_json;
use linsep::jobs::Outcome;
use linsep_plot::Scene;
use serde_json::Value;
use std::io::{self, Write};

/// Calls the function of this name in the module of the outcome's job.
macro_rules! of_job {
    ($outcome:expr, $form:ident $(, $style:expr)?) => {
        match $outcome {
            Outcome::Check(own) => check::$form(own $(, $style)?),
            Outcome::Compare(own) => compare::$form(own $(, $style)?),
            Outcome::Evaluate(own) => evaluate::$form(own $(, $style)?),
            Outcome::Explain(own) => explain::$form(own $(, $style)?),
            Outcome::Fit(own) => fit::$form(own $(, $style)?),
            Outcome::Predict(own) => predict::$form(own $(, $style)?),
            Outcome::Scorecard(own) => scorecard::$form(own $(, $style)?),
            Outcome::Separable(own) => separable::$form(own $(, $style)?),
            Outcome::Show(own) => show::$form(own $(, $style)?),
            Outcome::Transform(own) => transform::$form(own $(, $style)?),
            Outcome::Verify(own) => verify::$form(own $(, $style)?),
            Outcome::Kesler(own) => kesler::$form(own $(, $style)?),
            Outcome::Threshold(own) => logic::threshold::$form(own $(, $style)?),
            Outcome::Network(own) => logic::network::$form(own $(, $style)?),
            Outcome::Count(own) => logic::count::$form(own $(, $style)?),
            Outcome::Automaton(own) => logic::automaton::$form(own $(, $style)?),
            Outcome::Plot(own) => plot::$form(own $(, $style)?),
            Outcome::Trace(own) => trace::$form(own $(, $style)?),
        }
    };
}

/// The outcome of a job as text.
pub fn text(outcome: &Outcome, style: Style) -> String {
    of_job!(outcome, text, style)
}

/// The outcome of a job as one JSON object.
fn json(outcome: &Outcome) -> Value {
    of_job!(outcome, json)
}

/// Writes the outcome of a job as one JSON object, without characters that a terminal interprets.
pub fn write_json(outcome: &Outcome, out: impl Write) -> io::Result<()> {
    match outcome {
        Outcome::Evaluate(outcome) => write_safe_json(&evaluate::form(outcome), out),
        outcome => write_safe_json(&json(outcome), out),
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
