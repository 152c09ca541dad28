//! One file per command.

mod evaluate;
mod fit;
mod plot;
mod predict;
mod show;
mod trace;
mod transform;

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
        Command::Trace(args) => trace::run(&args, out),
        Command::Show(args) => show::run(&args, out),
        Command::Plot(args) => plot::run(&args, out),
    }
}

/// Classes as JSON: numbers stay numbers.
pub fn classes_json(classes: &[Label]) -> Vec<Value> {
    classes.iter().map(Header::class).collect()
}
