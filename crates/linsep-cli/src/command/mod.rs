//! One file per command.

mod evaluate;
mod fit;
mod plot;
mod predict;
mod separable;
mod show;
mod trace;
mod transform;
mod verify;

use crate::failure::Failure;
use crate::output::Output;
use clap::Subcommand;
use linsep::Label;
use linsep_io::bundle::Header;
use serde_json::Value;

/// What can be done.
#[derive(Subcommand)]
pub enum Command {
    /// Train a classifier and save it
    Fit(Box<fit::FitArgs>),
    /// Predict the class of every row
    Predict(predict::PredictArgs),
    /// Project every row onto the directions of a model
    Transform(transform::TransformArgs),
    /// Measure how well a model predicts data with known classes
    Evaluate(evaluate::EvaluateArgs),
    /// Can planes separate the classes? A verdict with its proof
    Separable(Box<separable::SeparableArgs>),
    /// Check the certificate of such a verdict, in exact arithmetic
    Verify(Box<verify::VerifyArgs>),
    /// Show a learning rule step by step
    Trace(Box<trace::TraceArgs>),
    /// Show what is in a model
    Show(show::ShowArgs),
    /// Draw a picture
    Plot(plot::PlotArgs),
}

/// Does it.
pub fn run(command: Command, out: &Output) -> Result<(), Failure> {
    match command {
        Command::Fit(args) => fit::run(&args, out),
        Command::Predict(args) => predict::run(&args, out),
        Command::Transform(args) => transform::run(&args, out),
        Command::Evaluate(args) => evaluate::run(&args, out),
        Command::Separable(args) => separable::run(&args, out),
        Command::Verify(args) => verify::run(&args, out),
        Command::Trace(args) => trace::run(&args, out),
        Command::Show(args) => show::run(&args, out),
        Command::Plot(args) => plot::run(&args, out),
    }
}

/// A number of seconds that makes sense.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if s.is_finite() && (0.0..1e9).contains(&s) => Ok(s),
        _ => Err("give a number of seconds, at least 0".to_owned()),
    }
}

/// Classes as JSON: numbers stay numbers.
pub fn classes_json(classes: &[Label]) -> Vec<Value> {
    classes.iter().map(Header::class).collect()
}
