//! `linsep compare`: methods compared by cross-validation on the same folds.

use crate::data::{ColumnArgs, ReadArgs, name_of};
use crate::failure::Failure;
use crate::folds::{Bar, FoldArgs};
use crate::layout::{Table, entry, paragraph};
use crate::lists::{List, all};
use crate::method::canonical_method;
use crate::output::Output;
use clap::Args;
use linsep::data::ClassWeights;
use linsep::validate::pick;
use linsep::validate::{
    Comparison, ContenderResult, FoldSettings, FoldedData, Metric, Spread, compare,
};
use linsep_report::flags::spell;
use linsep_report::number::{number, percent, plural, upper_percent};
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::PathBuf;

#[derive(Args)]
pub struct CompareArgs {
    /// Data files, read as one data set; - is stdin
    #[arg(required = true)]
    data: Vec<PathBuf>,

    /// Methods to compare with the baseline [default: all]
    #[arg(long, value_name = "METHOD,…", help_heading = "Method")]
    methods: Vec<List>,

    /// Metric that ranks the methods [default: accuracy]
    #[arg(long, value_name = "METRIC", value_parser = Metric::ALL.map(Metric::name), help_heading = "Validation and tuning")]
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
    columns: ColumnArgs,

    #[command(flatten)]
    reading: ReadArgs,
}

pub fn run(args: &CompareArgs, out: &Output) -> Result<(), Failure> {
    let input = args.columns.read(&args.data, &args.reading, out)?;
    let settings = args.folds.cutting(args.repeats, args.seed);
    let methods: Vec<String> = all(&args.methods).into_iter().map(canonical_method).collect();
    let folded = FoldedData::new(input, &args.columns.settings(out), &settings)?;
    let contenders = pick(&methods, folded.classes.len())?;
    let named = |metric: &Metric| args.by.as_deref() == Some(metric.name());
    let by = Metric::ALL.into_iter().find(named).unwrap_or_default();
    let class_weights = if args.balanced { ClassWeights::Balanced } else { ClassWeights::Equal };

    let bar = Bar::new("comparing", folded.splits.len() * contenders.len());
    let mut comparison = compare(&folded, &contenders, by, &class_weights, out.threads, &bar)?;
    drop(bar);
    for one in &mut comparison.contenders {
        one.failure = one.failure.as_deref().map(spell);
    }

    let name = name_of(&args.data);
    out.result(
        || {
            let mut json = json!(comparison);
            json["classes"] = super::classes_json(&folded.classes).into();
            json["n"] = json!(folded.n);
            json["folds"] = json!(settings.folds);
            json["groups"] = json!(settings.groups);
            json["time"] = json!(settings.time);
            json["repeats"] = json!(settings.repeats);
            json["seed"] = json!(settings.seed);
            json["threads"] = json!(out.threads);
            let names = |all: &[usize]| -> Value {
                all.iter().map(|&i| comparison.contenders[i].name.clone()).collect()
            };
            json["best"] = comparison.best.map_or(Value::Null, |i| names(&[i])[0].clone());
            json["as_good"] = names(&comparison.as_good);
            json
        },
        || as_text(&name, &folded, &comparison, &settings),
    )
}

/// Number of methods tied with the best above which more repeats are advised.
const FEW: usize = 3;

fn as_text(
    name: &str,
    folded: &FoldedData,
    comparison: &Comparison,
    settings: &FoldSettings,
) -> String {
    let mut out = String::new();
    let (rows, classes) =
        (plural(folded.n, "row", "rows"), plural(folded.classes.len(), "class", "classes"));
    entry(&mut out, "data", &format!("{name}: {rows}, {classes}"));
    entry(&mut out, "cv", &cross_validation(settings));
    let heads = [
        "",
        "accuracy",
        "p",
        "log-loss",
        "AUC",
        "balanced accuracy",
        "fit time",
        "predict time",
        "nonzeros",
        "status, gap",
    ];
    let mut table = Table::new(&heads, 1).drop_first(&[7, 8, 5, 9, 6, 3, 4]);
    for (i, one) in comparison.contenders.iter().enumerate() {
        if one.failure.is_none() {
            table.row(row(one, comparison.best == Some(i)));
        }
    }
    let _ = write!(out, "\n{}", table.show(2));
    out.push('\n');
    let p = "p: p-value of the difference from the best (corrected resampled t-test; Holm-adjusted, except the baseline)";
    paragraph(&mut out, 2, p);
    for one in &comparison.contenders {
        if let Some(why) = &one.failure {
            paragraph(&mut out, 2, &format!("{} failed: {why}", one.name));
        }
    }
    out.push('\n');
    paragraph(&mut out, 0, &comparison.advice);
    let repeatable = settings.repeats == 1 && settings.time.is_none();
    if comparison.as_good.len() > FEW && repeatable {
        paragraph(
            &mut out,
            0,
            "Repeated cross-validation may reveal more differences: --repeats 4.",
        );
    }
    out
}

/// Returns the kind of cross-validation as text.
fn cross_validation(settings: &FoldSettings) -> String {
    let (folds, seed) = (settings.folds, settings.seed);
    let text = match (&settings.time, &settings.groups) {
        (Some(time), _) => {
            format!(
                "{folds} test folds in the order of {time}, each predicted by a model of earlier rows"
            )
        }
        (None, Some(groups)) => {
            format!("{folds} stratified folds, groups of {groups} kept together (seed {seed})")
        }
        (None, None) => format!("{folds} stratified folds (seed {seed})"),
    };
    let repeats = match settings.repeats {
        1 => String::new(),
        n => format!(", {n} repeats"),
    };
    format!("{text}{repeats}, preprocessing refitted in each; mean ± standard deviation")
}

fn row(one: &ContenderResult, best: bool) -> Vec<String> {
    let none = || "–".to_owned();
    let shares = |s: &Option<Spread>| {
        s.map_or_else(none, |s| format!("{} ± {:.2}", percent(s.mean), 100.0 * s.deviation))
    };
    let numbers =
        |s: &Option<Spread>| s.map_or_else(none, |s| format!("{:.4} ± {:.4}", s.mean, s.deviation));
    let seconds = |s: &Option<Spread>| s.map_or_else(none, |s| duration(s.mean));
    vec![
        one.name.clone(),
        shares(&one.accuracy),
        match one.p {
            _ if best => "best".to_owned(),
            Some(p) if p < 0.001 => "< 0.001".to_owned(),
            Some(p) => format!("{p:.3}"),
            None => none(),
        },
        numbers(&one.log_loss),
        numbers(&one.auc),
        shares(&one.balanced_accuracy),
        seconds(&one.fit_seconds),
        seconds(&one.predict_seconds),
        one.nonzero.map_or_else(none, |n| number(n.round())),
        match one.relative_gap {
            Some(gap) => format!("{} {}", one.stop.unwrap_or_default(), upper_percent(gap)),
            None => one.stop.unwrap_or_default().to_owned(),
        },
    ]
}

/// Returns a time in s, ms or µs.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.1} ms", 1e3 * s),
        s => format!("{:.0} µs", 1e6 * s),
    }
}
