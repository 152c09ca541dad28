//! A comparison of methods as text and JSON.

use crate::flags::spell;
use crate::layout::{Style, Text};
use crate::number::{number, percent, plural, upper_percent};
use crate::table::Table;
use linsep::core::metric::{Metric, compared, value_of};
use linsep::jobs::CompareOutcome;
use linsep::model_file::Header;
use linsep::validate::{ContenderResult, FoldResult, FoldSettings, Spread};
use serde_json::{Value, json};

/// Number of methods tied with the best above which more repeats are advised.
const FEW: usize = 3;

/// The outcome as JSON.
pub(crate) fn json(outcome: &CompareOutcome) -> Value {
    let (comparison, folds) = (&outcome.comparison, &outcome.folds);
    let name = |i: &usize| comparison.contenders[*i].name.as_str();
    json!({
        "contenders": comparison.contenders.iter().map(contender_json).collect::<Vec<_>>(),
        "by": comparison.by,
        "best": comparison.best.as_ref().map(name),
        "as_good": comparison.as_good.iter().map(name).collect::<Vec<_>>(),
        "better_than_baseline": comparison.better_than_baseline,
        "advice": comparison.advice,
        "classes": outcome.classes.iter().map(Header::class).collect::<Vec<_>>(),
        "n": outcome.rows,
        "folds": folds.folds,
        "groups": folds.groups,
        "time": folds.time,
        "repeats": folds.repeats,
        "seed": folds.seed,
        "threads": outcome.threads,
    })
}

fn contender_json(one: &ContenderResult) -> Value {
    let spread =
        |s: Option<Spread>| json!(s.map(|s| json!({ "mean": s.mean, "deviation": s.deviation })));
    let mut json = json!({
        "name": one.name,
        "failure": one.failure.as_deref().map(spell),
        "folds": one.folds.iter().map(fold_json).collect::<Vec<_>>(),
    });
    for metric in compared() {
        json[key(metric)] = spread(one.spread(metric.name));
    }
    json["fit_seconds"] = spread(one.fit_seconds);
    json["predict_seconds"] = spread(one.predict_seconds);
    json["nonzero"] = json!(one.nonzero);
    json["relative_gap"] = json!(one.relative_gap);
    json["stop"] = json!(one.stop.map(linsep::core::StopReason::name));
    json["p"] = json!(one.p);
    json
}

fn fold_json(fold: &FoldResult) -> Value {
    let mut json = json!({});
    for metric in compared() {
        json[key(metric)] = json!(value_of(&fold.metrics, metric.name));
    }
    json["fit_seconds"] = json!(fold.fit_seconds);
    json["predict_seconds"] = json!(fold.predict_seconds);
    json["nonzero"] = json!(fold.nonzero);
    json["stop"] = json!(fold.stop.name());
    json["relative_gap"] = json!(fold.relative_gap);
    json
}

/// The name of a metric as a key of JSON.
pub(crate) fn key(metric: &Metric) -> String {
    metric.name.replace('-', "_")
}

/// The outcome as text.
pub(crate) fn text(outcome: &CompareOutcome, style: Style) -> String {
    let (comparison, folds) = (&outcome.comparison, &outcome.folds);
    let mut out = Text::new(style);
    let rows = plural(outcome.rows, "row", "rows");
    let classes = plural(outcome.classes.len(), "class", "classes");
    out.entry("data", &format!("{}: {rows}, {classes}", outcome.data));
    out.entry("cv", &cross_validation(folds));

    // The main metric, then numbers, then further shares, which are dropped first.
    let all = compared();
    let (main, further) = all.split_first().expect("methods are compared by some metric");
    let (shares, numbers): (Vec<&Metric>, Vec<&Metric>) =
        further.iter().copied().partition(|metric| metric.is_share);
    let beside: Vec<&Metric> = numbers.iter().chain(&shares).copied().collect();
    let mut heads = vec!["", main.title, "p"];
    heads.extend(beside.iter().map(|metric| metric.title));
    heads.extend(["fit time", "predict time", "nonzeros", "status, gap"]);
    let (first, times) = (3, 3 + beside.len());
    let mut drop = vec![times + 1, times + 2];
    drop.extend(first + numbers.len()..times);
    drop.extend([times + 3, times]);
    drop.extend(first..first + numbers.len());
    let mut table = Table::new(&heads, 1).drop_first(&drop);
    for (i, one) in comparison.contenders.iter().enumerate() {
        if one.failure.is_none() {
            table.row(row(one, main, &beside, comparison.best == Some(i)));
        }
    }
    out.gap();
    out.table(&table, 2);
    out.gap();
    out.paragraph(2, "p: p-value of the difference from the best (corrected resampled t-test; Holm-adjusted, except the baseline)");
    for one in &comparison.contenders {
        if let Some(why) = one.failure.as_deref().map(spell) {
            out.paragraph(2, &format!("{} failed: {why}", one.name));
        }
    }
    out.gap();
    out.paragraph(0, &comparison.advice);
    if comparison.as_good.len() > FEW && folds.repeats == 1 && folds.time.is_none() {
        let advice = "Repeated cross-validation may reveal more differences: --repeats 4.";
        out.paragraph(0, advice);
    }
    out.finish()
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

fn row(one: &ContenderResult, main: &Metric, beside: &[&Metric], best: bool) -> Vec<String> {
    let none = || "–".to_owned();
    let shown = |metric: &Metric| match one.spread(metric.name) {
        None => none(),
        Some(s) if metric.is_share => {
            format!("{} ± {:.2}", percent(s.mean), 100.0 * s.deviation)
        }
        Some(s) => format!("{:.4} ± {:.4}", s.mean, s.deviation),
    };
    let seconds = |s: &Option<Spread>| s.map_or_else(none, |s| duration(s.mean));
    let stop = one.stop.map_or("", |stop| stop.name());
    let p = match one.p {
        _ if best => "best".to_owned(),
        Some(p) if p < 0.001 => "< 0.001".to_owned(),
        Some(p) => format!("{p:.3}"),
        None => none(),
    };
    let mut cells = vec![one.name.clone(), shown(main), p];
    cells.extend(beside.iter().map(|metric| shown(metric)));
    cells.extend([
        seconds(&one.fit_seconds),
        seconds(&one.predict_seconds),
        one.nonzero.map_or_else(none, |n| number(n.round())),
        match one.relative_gap {
            Some(gap) => format!("{stop} {}", upper_percent(gap)),
            None => stop.to_owned(),
        },
    ]);
    cells
}

/// Returns a time in s, ms or µs.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s >= 1.0 => format!("{s:.2} s"),
        s if s >= 1e-3 => format!("{:.1} ms", 1e3 * s),
        s => format!("{:.0} µs", 1e6 * s),
    }
}
