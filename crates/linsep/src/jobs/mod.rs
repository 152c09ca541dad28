//! Jobs: what a user asks for, one file each.
//!
//! A job has a **request** (plain data with defaults), a method `run` that takes data and an
//! observer, and an **outcome**. An outcome is complete: an interface needs nothing else to print,
//! draw or save it, so an outcome that was saved and loaded looks the same. An interface converts
//! its arguments, calls the job, and converts the outcome back; no rule that makes a claim true is
//! in an interface.

mod check;
mod compare;
mod evaluate;
mod explain;
pub mod fit;
mod kesler;
pub mod logic;
pub mod plot;
mod predict;
mod scorecard;
mod separable;
mod show;
mod trace;
mod transform;

pub use check::{Check, CheckOutcome};
pub use compare::{Compare, CompareOutcome};
pub use evaluate::{Evaluate, EvaluateOutcome, Evaluated};
pub use explain::{Explain, ExplainOutcome};
pub use fit::{Fit, FitOutcome};
pub use kesler::{Kesler, KeslerOutcome};
pub use logic::{AutomatonOutcome, CountOutcome, NetworkOutcome, ThresholdOutcome};
pub use plot::{PlotData, PlotOutcome};
pub use predict::{
    ClassProbabilities, Predict, PredictOutcome, Prediction, PredictionColumns, PredictionCounts,
};
pub use scorecard::{CardLine, Scorecard, ScorecardOutcome};
pub use separable::{DependentRow, DependentRows, Separable, SeparableOutcome, VerifyOutcome};
pub use show::{Show, ShowOutcome};
pub use trace::{Steps, Trace, TraceOutcome};
pub use transform::{Transform, TransformOutcome};

use serde::{Deserialize, Serialize};

/// The outcome of any job.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "kebab-case")]
pub enum Outcome {
    /// Of a data check.
    Check(CheckOutcome),
    /// Of a fit.
    Fit(Box<FitOutcome>),
    /// Of a comparison of methods.
    Compare(CompareOutcome),
    /// Of an evaluation.
    Evaluate(EvaluateOutcome),
    /// Of explanations.
    Explain(ExplainOutcome),
    /// Predictions.
    Predict(PredictOutcome),
    /// Of the export of a scorecard.
    Scorecard(ScorecardOutcome),
    /// Of a separation test.
    Separable(Box<SeparableOutcome>),
    /// The contents of a model file.
    Show(Box<ShowOutcome>),
    /// Of a projection.
    Transform(TransformOutcome),
    /// Of the verification of a certificate.
    Verify(VerifyOutcome),
    /// Of Kesler's construction.
    Kesler(KeslerOutcome),
    /// Of the decision about a Boolean function.
    Threshold(ThresholdOutcome),
    /// Of a network of neurons.
    Network(NetworkOutcome),
    /// Of the number of threshold functions.
    Count(CountOutcome),
    /// Of the network of an automaton.
    Automaton(AutomatonOutcome),
    /// Of a plot.
    Plot(PlotOutcome),
    /// Of a trace.
    Trace(TraceOutcome),
}

impl Outcome {
    /// The file of the outcome's picture; `None` if the outcome has no picture.
    pub fn file(&mut self) -> Option<&mut Option<String>> {
        match self {
            Self::Plot(plot) => Some(&mut plot.file),
            Self::Network(network) => Some(&mut network.file),
            _ => None,
        }
    }
}

/// Wall-clock times of a job in seconds. The only part of an outcome that differs between runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seconds {
    /// Reading the data.
    pub read: f64,
    /// The work on them.
    pub work: f64,
}

/// A count with its digits in groups of three, from five digits on.
fn grouped(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if digits.len() > 4 && i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}
