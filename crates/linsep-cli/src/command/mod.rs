//! One file per command.

mod check;
mod compare;
mod completions;
mod evaluate;
mod explain;
mod export;
mod files;
mod fit;
mod joint_trace;
mod kesler;
mod logic;
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
use files::Files;
use linsep::model::{ClassPair, DecisionRule};
use linsep::{Label, LinearModel};
use linsep_io::model_file::Header;
use serde_json::Value;

/// What can be done.
#[derive(Subcommand)]
pub enum Command {
    /// Look for what is wrong with data, before anything is learned from it
    Check(Box<check::CheckArgs>),
    /// Train a classifier and save it
    Fit(Box<fit::FitArgs>),
    /// Predict the class of every row
    Predict(predict::PredictArgs),
    /// Project every row onto the directions of a model
    Transform(transform::TransformArgs),
    /// Measure how well a model predicts data with known classes
    Evaluate(evaluate::EvaluateArgs),
    /// Why rows are given their class, and what would change that
    Explain(explain::ExplainArgs),
    /// Compare all methods on the same folds, and say which to take
    Compare(Box<compare::CompareArgs>),
    /// Can hyperplanes separate the classes? A verdict with its proof
    Separable(Box<separable::SeparableArgs>),
    /// Check the certificate of such a verdict, in exact arithmetic
    Verify(Box<verify::VerifyArgs>),
    /// Show a learning rule step by step
    Trace(Box<trace::TraceArgs>),
    /// Show what is in a model
    Show(show::ShowArgs),
    /// Write many classes as a problem of one hyperplane (Kesler's construct)
    Kesler(kesler::KeslerArgs),
    /// Draw a picture
    Plot(plot::PlotArgs),
    /// Threshold logic: which Boolean functions one neuron computes, and networks for the rest
    Logic(logic::LogicArgs),
    /// Write a model in another form: small whole numbers on a card
    Export(Box<export::ExportArgs>),
    /// Print completions for a shell
    Completions(completions::CompletionsArgs),
    /// Write man pages
    #[command(hide = true)]
    Man(completions::ManArgs),
}

impl Command {
    /// The files of a command that writes any.
    fn files(&self) -> Files<'_> {
        match self {
            Self::Fit(args) => args.files(),
            Self::Predict(args) => args.files(),
            Self::Transform(args) => args.files(),
            Self::Separable(args) => args.files(),
            Self::Kesler(args) => args.files(),
            Self::Plot(args) => args.files(),
            Self::Logic(args) => args.files(),
            Self::Export(args) => args.files(),
            Self::Check(_)
            | Self::Evaluate(_)
            | Self::Explain(_)
            | Self::Compare(_)
            | Self::Verify(_)
            | Self::Trace(_)
            | Self::Completions(_)
            | Self::Man(_)
            | Self::Show(_) => Files::default(),
        }
    }
}

/// Does it.
pub fn run(command: Command, out: &Output) -> Result<(), Failure> {
    command.files().check(out.force)?;
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
        Command::Man(args) => completions::man(&args),
    }
}

/// A number of seconds that makes sense.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if s.is_finite() && (0.0..1e9).contains(&s) => Ok(s),
        _ => Err("give a number of seconds, at least 0".to_owned()),
    }
}

/// What each hyperplane is the hyperplane of: a class, or one class against another.
pub fn hyperplane_names(model: &LinearModel) -> Vec<String> {
    let class = |c: usize| &model.classes()[c];
    let name = |duel: &ClassPair| match duel.negative {
        Some(negative) if model.decision_rule() == DecisionRule::Vote => {
            format!("{} against {}", class(duel.positive), class(negative))
        }
        _ => class(duel.positive).to_string(),
    };
    model.decision_rule().class_pairs(model.k()).iter().map(name).collect()
}

/// Classes as JSON: numbers stay numbers.
pub fn classes_json(classes: &[Label]) -> Vec<Value> {
    classes.iter().map(Header::class).collect()
}
