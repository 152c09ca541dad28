//! Tuning and post-processing as text, for `fit` and `show`.

use crate::layout::Text;
use crate::number::{number, percent};
use crate::table::Table;
use linsep::core::model::Model;
use linsep::validate::{
    PostProcessingRecord, Quality, Rates, ThresholdRecord, Tuning, TuningPoint,
};

/// Summary lines: key and value.
pub fn lines(
    tuning: Option<&Tuning>,
    record: Option<&PostProcessingRecord>,
    model: &Model,
) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    if let Some(tuning) = tuning {
        out.push(("tuning", tuned(tuning)));
        if tuning.best_is_at_end() {
            let end = if tuning.best == 0 { "largest" } else { "smallest" };
            out.push(("note", format!("the best λ is the {end} of the grid; extend the grid")));
        }
    }
    let Some(record) = record else { return out };
    if let (Some(method), Some(after)) = (&record.calibrated, &record.after) {
        let text = match &record.before {
            Some(before) => format!(
                "{method}: calibration error {} → {}, log-loss {} → {} ({})",
                number(before.calibration_error),
                number(after.calibration_error),
                number(before.log_loss),
                number(after.log_loss),
                folds(record)
            ),
            None => format!(
                "{method}: calibration error {}, log-loss {} ({})",
                number(after.calibration_error),
                number(after.log_loss),
                folds(record)
            ),
        };
        out.push(("calibration", text));
        out.extend(doubtful(record.before.as_ref(), after).map(|text| ("note", text)));
    }
    if let Some(threshold) = &record.threshold {
        let text = format!(
            "{}; {} ({})",
            chosen(threshold, model),
            rates(&threshold.before, &threshold.after),
            folds(record)
        );
        out.push(("threshold", text));
    }
    if let Some(limit) = &record.abstention {
        let share = |s: Option<f64>| s.map_or_else(|| "–".to_owned(), percent);
        let interval = limit.error_interval.map_or_else(String::new, |(low, high)| {
            format!(" (95 % CI {} to {})", percent(low), percent(high))
        });
        let text = format!(
            "below {} {}: coverage {}, error rate {}{interval} instead of {} ({})",
            limit.by,
            number(limit.below),
            percent(limit.coverage),
            share(limit.error),
            percent(limit.error_of_all),
            folds(record)
        );
        out.push(("abstain", text));
    }
    out
}

/// The threshold as a probability if the model has probabilities, else as a score; and its rule.
fn chosen(threshold: &ThresholdRecord, model: &Model) -> String {
    let at = match model.probability_at(threshold.at) {
        Some(p) => format!("probability {}", number(p)),
        None => format!("score {}", number(threshold.at)),
    };
    if threshold.rule.parse::<f64>().is_ok() {
        at
    } else {
        format!("{at} (rule {})", threshold.rule)
    }
}

/// The note about a calibration without benefit on out-of-fold rows.
fn doubtful(before: Option<&Quality>, after: &Quality) -> Option<String> {
    /// Calibration errors above this are large.
    const FAR: f64 = 0.1;
    let worse = before.is_some_and(|before| after.log_loss >= before.log_loss);
    let finding = match (worse, after.calibration_error > FAR) {
        (true, _) => "calibration does not lower the out-of-fold log-loss".to_owned(),
        (false, true) => {
            format!("calibration error {} after calibration", percent(after.calibration_error))
        }
        (false, false) => return None,
    };
    Some(format!(
        "{finding}; try another method (temperature for many classes), or remove --calibrate"
    ))
}

fn folds(record: &PostProcessingRecord) -> String {
    format!("{}-fold CV", record.folds)
}

/// The metric that selects λ.
fn metric(tuning: &Tuning) -> String {
    if tuning.by == "log-loss" { tuning.by.clone() } else { tuning.by.replace('-', " ") }
}

fn tuned(tuning: &Tuning) -> String {
    let at = |i: usize| tuning.points.get(i);
    let (Some(selected), Some(best)) = (at(tuning.chosen), at(tuning.best)) else {
        return "unknown".to_owned();
    };
    let by = metric(tuning);
    let mut text = format!(
        "selected λ {} of {} by {} ({}): {by} {}",
        number(selected.lambda),
        tuning.points.len(),
        tuning.how(),
        tuning.choose,
        number(selected.cost),
    );
    if let Some(error) = selected.standard_error {
        text += &format!(" ± {}", number(error));
    }
    if tuning.chosen != tuning.best {
        text += &format!("; minimum {} at λ {}", number(best.cost), number(best.lambda));
    }
    text
}

/// The metrics that the threshold changes, before and after.
fn rates(before: &Rates, after: &Rates) -> String {
    let share = |s: Option<f64>| s.map_or_else(|| "–".to_owned(), percent);
    let mut parts: Vec<String> = [
        ("precision", before.precision, after.precision),
        ("recall", before.recall, after.recall),
        ("F1", before.f1, after.f1),
        ("accuracy", before.accuracy, after.accuracy),
    ]
    .iter()
    .map(|(name, before, after)| format!("{name} {} → {}", share(*before), share(*after)))
    .collect();
    if let (Some(before), Some(after)) = (before.cost, after.cost) {
        parts.insert(0, format!("cost per row {} → {}", number(before), number(after)));
    }
    parts.join(", ")
}

/// Appends the tuning curve over λ and the reliability table, each after an empty line.
pub fn tables(out: &mut Text, tuning: Option<&Tuning>, record: Option<&PostProcessingRecord>) {
    if let Some(tuning) = tuning {
        let by = metric(tuning);
        let complete = |point: &TuningPoint| point.standard_error.zip(point.nonzero);
        let folds = tuning.points.iter().all(|point| complete(point).is_some());
        let heads: &[&str] = if folds {
            &["λ", &by, "± std. error", "error rate", "nonzeros", ""]
        } else {
            &["λ", &by, "error rate", ""]
        };
        let mut table = Table::new(heads, 0).drop_first(if folds { &[4, 2] } else { &[] });
        for (i, point) in tuning.points.iter().enumerate() {
            let mark = match i {
                i if i == tuning.chosen => "selected",
                i if i == tuning.best => "best",
                _ => "",
            };
            let mut row = vec![number(point.lambda), number(point.cost), percent(point.error)];
            if let Some((error, nonzero)) = complete(point).filter(|_| folds) {
                row.insert(2, number(error));
                row.push(number(nonzero));
            }
            row.push(mark.to_owned());
            table.row(row);
        }
        out.gap();
        out.table(&table, 2);
    }
    if let Some(after) = record.and_then(|record| record.after.as_ref()) {
        out.gap();
        out.table(&reliability(after), 2);
    }
}

/// Mean predicted probability and observed frequency by bin.
fn reliability(quality: &Quality) -> Table {
    let mut table = Table::new(&["predicted", "observed", "rows"], 0);
    for bin in &quality.bins {
        table.row(vec![percent(bin.probability), percent(bin.happened), number(bin.weight)]);
    }
    table
}
