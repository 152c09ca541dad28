//! `linsep-bench compare`: compares methods by cross-validation, from a file to accuracies.

use crate::process::{Meter, Usage};
use clap::Args;
use linsep::TrainingSettings;
use linsep::core::data::ClassWeights;
use linsep::core::metric::compared;
use linsep::io::ReadOptions;
use linsep::validate::pick;
use linsep::validate::{FoldSettings, FoldedData, compare};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Comparison to measure
#[derive(Args)]
pub(crate) struct CompareArgs {
    /// Data file
    #[arg(long)]
    data: PathBuf,
    /// Methods, separated by commas
    #[arg(long, value_delimiter = ',')]
    methods: Vec<String>,
    /// Number of folds
    #[arg(long, default_value_t = 5)]
    folds: usize,
    /// Number of threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

#[derive(Serialize)]
struct Line {
    #[serde(flatten)]
    usage: Usage,
    /// `accuracy NAME` for every method.
    #[serde(flatten)]
    accuracies: BTreeMap<String, f64>,
}

pub(crate) fn run(args: &CompareArgs) -> Result<String, String> {
    let meter = Meter::start();
    let mut options = ReadOptions::default();
    options.csv.threads = args.threads;
    let text = |e: linsep::Error| e.to_string();
    let input = linsep::io::read(&args.data, &options).map_err(|e| e.to_string())?;
    let cutting = FoldSettings { folds: args.folds, ..FoldSettings::default() };
    let folded = FoldedData::new(input, &TrainingSettings::default(), &cutting).map_err(text)?;
    let contenders = pick(&args.methods, folded.classes.len()).map_err(|e| e.to_string())?;
    let weigh = ClassWeights::Equal;
    let by = compared()[0];
    let found = compare(&folded, &contenders, by, &weigh, args.threads, &mut ()).map_err(text)?;
    let usage = meter.stop(args.threads);
    let share = |one: &linsep::validate::ContenderResult| {
        Some((format!("accuracy {}", one.name), one.spread("accuracy")?.mean))
    };
    let line = Line { usage, accuracies: found.contenders.iter().filter_map(share).collect() };
    serde_json::to_string(&line).map_err(|e| e.to_string())
}
