//! `linsep trace`: the steps of a learning rule.

use crate::data::{CountArgs, ReadArgs};
use crate::failure::Failure;
use crate::lists::{List, all};
use crate::method::MethodArgs;
use crate::output::Output;
use clap::Args;
use linsep::core::Label;
use linsep::io::{ClassColumn, Input};
use linsep::jobs::{Outcome, Steps, Trace};
use linsep::{RecipeSettings, TrainingSettings};
use std::path::PathBuf;

#[derive(Args)]
pub struct TraceArgs {
    /// Data file; - is stdin
    pub data: PathBuf,

    /// Class coded +1; all others are −1 [default: the second of two]
    #[arg(long, value_name = "CLASS", help_heading = "Data")]
    positive: Option<String>,

    /// Show at most this many steps
    #[arg(long, value_name = "N", default_value_t = 10_000, help_heading = "Output")]
    steps: usize,

    #[command(flatten)]
    method: MethodArgs,

    /// Target column [default: target, label, class, y, or the last]
    #[arg(long, value_name = "COLUMN", help_heading = "Data")]
    target: Option<String>,

    /// Use only these columns as features
    #[arg(long = "columns", value_name = "COLUMN,…", help_heading = "Data")]
    only: Vec<List>,

    #[command(flatten)]
    counts: CountArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

pub fn run(args: &TraceArgs, out: &Output) -> Result<(), Failure> {
    let request = Trace { data: args.settings(out), run: args.steps()? };
    request.check()?;
    out.report(&Outcome::Trace(request.run(args.read(out)?)?))
}

impl TraceArgs {
    /// Returns the run to record.
    pub fn steps(&self) -> Result<Steps, Failure> {
        Ok(Steps {
            method: self.method.method()?,
            positive: self.positive.as_deref().map(Label::parse),
            start: self.method.start().to_vec(),
            limit: self.steps,
        })
    }

    /// Returns the settings of training data.
    pub fn settings(&self, out: &Output) -> TrainingSettings {
        TrainingSettings {
            target: self.target.clone(),
            counts: self.counts.names(),
            recipe: RecipeSettings { only: all(&self.only), ..RecipeSettings::default() },
            any_target: out.force,
            ..TrainingSettings::default()
        }
    }

    /// Reads the data.
    pub fn read(&self, out: &Output) -> Result<Input, Failure> {
        let mut read = self.reading.options(out);
        read.csv.classes = ClassColumn::of(self.target.as_deref());
        Ok(linsep::io::read(&self.data, &read)?)
    }
}
