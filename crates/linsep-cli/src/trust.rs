//! What was chosen and learned on held-out rows, in words: of a fit, and of a model file.

use crate::layout::Table;
use crate::text::{number, percent};
use linsep::{DecisionRule, LinearModel};
use linsep_io::validate::{
    PostProcessingRecord, Quality, Rates, ThresholdRecord, Tuning, TuningPoint,
};

/// Lines for a summary: a key and what is said.
pub fn lines(
    tuning: Option<&Tuning>,
    trust: Option<&PostProcessingRecord>,
    model: &LinearModel,
) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    if let Some(tuning) = tuning {
        out.push(("tuned", tuned(tuning)));
        if tuning.best_is_at_end() {
            let end = if tuning.best == 0 { "strongest" } else { "weakest" };
            let text =
                format!("the best λ is the {end} that was tried: a better one may lie beyond");
            out.push(("note", text));
        }
    }
    let Some(trust) = trust else { return out };
    if let (Some(way), Some(after)) = (&trust.calibrated, &trust.after) {
        let text = match &trust.before {
            Some(before) => format!(
                "{way}: calibration error {} before, {} after; log-loss {} before, {} after ({})",
                number(before.calibration_error),
                number(after.calibration_error),
                number(before.log_loss),
                number(after.log_loss),
                held_out(trust)
            ),
            None => format!(
                "{way}: calibration error {}, log-loss {} ({})",
                number(after.calibration_error),
                number(after.log_loss),
                held_out(trust)
            ),
        };
        out.push(("calibrate", text));
        out.extend(doubtful(trust.before.as_ref(), after).map(|text| ("note", text)));
    }
    if let Some(threshold) = &trust.threshold {
        let text = format!(
            "{}; {} ({})",
            chosen(threshold, model),
            rates(&threshold.before, &threshold.after),
            held_out(trust)
        );
        out.push(("threshold", text));
    }
    if let Some(limit) = &trust.abstention {
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
            held_out(trust)
        );
        out.push(("abstain", text));
    }
    out
}

/// The probability of the positive class at a score, where the model has probabilities.
pub fn probability_at(model: &LinearModel, score: f64) -> Option<f64> {
    let mut p = Vec::new();
    (model.decision_rule() == DecisionRule::Sign && model.probabilities(&[score], &mut p))
        .then(|| p[1])
}

/// A threshold as a probability if the model has probabilities, else as a score; and the rule that
/// chose it.
fn chosen(threshold: &ThresholdRecord, model: &LinearModel) -> String {
    let at = match probability_at(model, threshold.at) {
        Some(p) => format!("probability {}", number(p)),
        None => format!("score {}", number(threshold.at)),
    };
    if threshold.rule.parse::<f64>().is_ok() { at } else { format!("{at}, by {}", threshold.rule) }
}

/// What to say of a calibration that the held-out rows do not speak for.
fn doubtful(before: Option<&Quality>, after: &Quality) -> Option<String> {
    /// Probabilities that are off by more than this are of little use.
    const FAR: f64 = 0.1;
    let worse = before.is_some_and(|before| after.log_loss >= before.log_loss);
    let what = match (worse, after.calibration_error > FAR) {
        (true, _) => {
            "held-out rows do not speak for this calibration: its log-loss is no smaller".to_owned()
        }
        (false, true) => {
            format!(
                "what is said and what happens are still {} apart",
                percent(after.calibration_error)
            )
        }
        (false, false) => return None,
    };
    Some(format!(
        "{what}; try another way (temperature suits many classes) or leave --calibrate out"
    ))
}

fn held_out(trust: &PostProcessingRecord) -> String {
    format!("{}-fold CV", trust.folds)
}

fn tuned(tuning: &Tuning) -> String {
    let at = |i: usize| tuning.points.get(i);
    let (Some(taken), Some(best)) = (at(tuning.chosen), at(tuning.best)) else {
        return "nothing is known of it".to_owned();
    };
    let by = tuning.by.replace('-', " ");
    let mut text = format!(
        "λ {} of {} by {} ({}): {by} {}",
        number(taken.lambda),
        tuning.points.len(),
        tuning.how(),
        tuning.choose,
        number(taken.cost),
    );
    if let Some(error) = taken.standard_error {
        text += &format!(" ± {}", number(error));
    }
    if tuning.chosen != tuning.best {
        text += &format!("; the least is {} at λ {}", number(best.cost), number(best.lambda));
    }
    text
}

/// The measures that the threshold changes, before and after.
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

/// The curve of λ, and the table of reliability.
pub fn tables(tuning: Option<&Tuning>, trust: Option<&PostProcessingRecord>) -> Vec<String> {
    let mut out = Vec::new();
    if let Some(tuning) = tuning {
        let by = tuning.by.replace('-', " ");
        let whole = |point: &TuningPoint| point.standard_error.zip(point.nonzero);
        let folds = tuning.points.iter().all(|point| whole(point).is_some());
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
            if let Some((error, nonzero)) = whole(point).filter(|_| folds) {
                row.insert(2, number(error));
                row.push(number(nonzero));
            }
            row.push(mark.to_owned());
            table.row(row);
        }
        out.push(table.show(2));
    }
    if let Some(after) = trust.and_then(|trust| trust.after.as_ref()) {
        out.push(reliability(after));
    }
    out
}

/// Said and happened, bin by bin.
pub fn reliability(quality: &Quality) -> String {
    let mut table = Table::new(&["predicted", "observed", "rows"], 0);
    for bin in &quality.bins {
        table.row(vec![percent(bin.probability), percent(bin.happened), number(bin.weight)]);
    }
    table.show(2)
}
