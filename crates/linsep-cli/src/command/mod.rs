//! One file per command.

mod check;
mod compare;
mod completions;
mod evaluate;
mod explain;
mod export;
mod files;
mod fit;
mod kesler;
mod logic;
mod plot;
mod predict;
mod render;
mod separable;
mod show;
mod trace;
mod transform;
mod verify;

use crate::failure::Failure;
use crate::output::Output;
use clap::Subcommand;

/// Commands of the program.
#[derive(Subcommand)]
pub enum Command {
    /// Check data for faults before a model is trained
    Check(Box<check::CheckArgs>),
    /// Train a classifier and save it
    Fit(Box<fit::FitArgs>),
    /// Predict the class of every row
    Predict(predict::PredictArgs),
    /// Project every row onto the discriminant directions of a model
    Transform(transform::TransformArgs),
    /// Evaluate a model on data with known classes
    Evaluate(evaluate::EvaluateArgs),
    /// Explain predictions: contributions of the columns and counterfactuals
    Explain(explain::ExplainArgs),
    /// Compare methods by cross-validation on the same folds
    Compare(Box<compare::CompareArgs>),
    /// Decide whether hyperplanes separate the classes, with a certificate
    Separable(Box<separable::SeparableArgs>),
    /// Verify a separation certificate in exact arithmetic
    Verify(Box<verify::VerifyArgs>),
    /// Print the steps of a learning rule
    Trace(Box<trace::TraceArgs>),
    /// Show the contents of a model
    Show(show::ShowArgs),
    /// Write Kesler's construction: a multiclass problem as a problem of one hyperplane
    Kesler(kesler::KeslerArgs),
    /// Draw a plot
    Plot(plot::PlotArgs),
    /// Threshold logic: Boolean functions and automata as neurons with thresholds
    Logic(logic::LogicArgs),
    /// Export a model as a scorecard of small integers
    Export(Box<export::ExportArgs>),
    /// Print shell completions
    Completions(completions::CompletionsArgs),
    /// Print a saved outcome
    #[command(hide = true)]
    Render(render::RenderArgs),
    /// Write man pages
    #[command(hide = true)]
    Man(completions::ManArgs),
}

/// Runs a command.
pub fn run(command: Command, out: &Output) -> Result<(), Failure> {
    match command {
        Command::Check(args) => check::run(&args, out),
        Command::Fit(args) => fit::run(&args, out),
        Command::Predict(args) => predict::run(&args, out),
        Command::Transform(args) => transform::run(&args, out),
        Command::Evaluate(args) => evaluate::run(&args, out),
        Command::Explain(args) => explain::run(&args, out),
        Command::Compare(args) => compare::run(&args, out),
        Command::Separable(args) => separable::run(&args, out),
        Command::Verify(args) => verify::run(&args, out),
        Command::Trace(args) => trace::run(&args, out),
        Command::Show(args) => show::run(&args, out),
        Command::Kesler(args) => kesler::run(&args, out),
        Command::Plot(args) => plot::run(&args, out),
        Command::Logic(args) => logic::run(&args, out),
        Command::Export(args) => export::run(&args, out),
        Command::Completions(args) => completions::run(&args),
        Command::Render(args) => render::run(&args, out),
        Command::Man(args) => completions::man(&args),
    }
}

/// Parses a number of seconds, at least 0 and below 1e9.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if s.is_finite() && (0.0..1e9).contains(&s) => Ok(s),
        _ => Err("expected a number of seconds, at least 0 and below 1e9".to_owned()),
    }
}
