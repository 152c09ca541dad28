//! `linsep compare`: methods compared by cross-validation on the same folds.

use crate::data::{InputArgs, name_of};
use crate::failure::Failure;
use crate::folds::FoldArgs;
use crate::lists::{List, all};
use crate::method::values::canonical_method;
use crate::output::Output;
use crate::progress::Progress;
use clap::Args;
use clap::builder::PossibleValuesParser;
use linsep::core::metric::compared;
use linsep::jobs::{Compare, Outcome};

#[derive(Args)]
pub struct CompareArgs {
    /// Methods to compare with the baseline [default: all]
    #[arg(long, value_name = "METHOD,…", help_heading = "Method")]
    methods: Vec<List>,

    /// Metric that ranks the methods [default: accuracy]
    #[arg(long, value_name = "METRIC", value_parser = metrics(), help_heading = "Validation and tuning")]
    by: Option<String>,

    /// Train with balanced class weights
    #[arg(long, help_heading = "Method")]
    balanced: bool,

    /// Repeats of the cross-validation [default: 1]
    #[arg(long, value_name = "N", help_heading = "Validation and tuning")]
    repeats: Option<usize>,

    /// Random seed of the folds
    #[arg(
        long,
        visible_alias = "random-state",
        value_name = "N",
        default_value_t = 0,
        help_heading = "Validation and tuning"
    )]
    seed: u64,

    #[command(flatten)]
    folds: FoldArgs,

    #[command(flatten)]
    input: InputArgs,
}

pub fn run(args: &CompareArgs, out: &Output) -> Result<(), Failure> {
    let own = Compare::default();
    let job = Compare {
        data: args.input.settings(out),
        methods: all(&args.methods).into_iter().map(canonical_method).collect(),
        by: args.by.clone().unwrap_or(own.by),
        balanced: args.balanced,
        folds: args.folds.cutting(args.repeats, args.seed),
        threads: out.threads,
    };
    job.check()?;
    let input = args.input.read(out)?;
    let mut outcome = job.run(input, &mut Progress::new("comparing"))?;
    outcome.data = name_of(&args.input.data);
    out.report(&Outcome::Compare(outcome))
}

/// The metrics that methods are compared by.
fn metrics() -> PossibleValuesParser {
    PossibleValuesParser::new(compared().iter().map(|metric| metric.name))
}
