//! Explanations of predictions as text and JSON.

use crate::layout::{Style, Text};
use crate::number::{count, number, percent, plural, small};
use crate::table::Table;
use linsep::explain::{Cell, Contribution, Explanation, Nearest};
use linsep::jobs::ExplainOutcome;
use serde_json::{Value, json};
use std::fmt::Write;

/// The unit of lengths, as JSON value and as text.
fn units(outcome: &ExplainOutcome) -> (&'static str, &'static str) {
    if outcome.standardized { ("deviations", "standard deviations") } else { ("units", "units") }
}

/// The outcome as JSON.
pub(crate) fn json(outcome: &ExplainOutcome) -> Value {
    let class = |c: usize| &outcome.classes[c];
    let row = |e: &Explanation| {
        let contribution = |c: &Contribution| json!({ "column": c.name, "value": cell_json(&c.cell), "contribution": c.value });
        let nearest = e.nearest.as_ref().map(|nearest| {
            let change =
                |(name, from, to): &(String, f64, f64)| json!({ "column": name, "from": from, "to": to });
            json!({
                "class": class(nearest.class),
                "length": nearest.length,
                "exact": nearest.exact,
                "changes": nearest.changes.iter().map(change).collect::<Vec<_>>(),
            })
        });
        let number_changes = e.number_changes.iter().map(|s| {
            json!({
                "column": s.name,
                "from": cell_json(&s.from),
                "to": s.to,
                "length": s.deviations,
                "class": class(s.class),
            })
        });
        let level_changes = e.level_changes.iter().map(|s| {
            json!({ "column": s.name, "from": cell_json(&s.from), "to": s.to, "class": class(s.class) })
        });
        json!({
            "row": e.row,
            "class": class(e.class),
            "actual": e.actual,
            "against": class(e.rival),
            "towards": class(e.towards),
            "ambiguous": e.ambiguous,
            "abstained": e.abstained,
            "scores": e.scores,
            "probabilities": e.probabilities,
            "score": e.score,
            "distance": e.distance,
            "base": e.base,
            "contributions": e.contributions.iter().map(contribution).collect::<Vec<_>>(),
            "sum": e.sum,
            "difference": e.sum - e.score,
            "nearest": nearest,
            "numbers": number_changes.collect::<Vec<_>>(),
            "words": level_changes.collect::<Vec<_>>(),
        })
    };
    json!({
        "data": outcome.data,
        "classes": outcome.classes,
        "units": units(outcome).0,
        "rows": outcome.explained.iter().map(row).collect::<Vec<_>>(),
    })
}

/// The outcome as text.
pub(crate) fn text(outcome: &ExplainOutcome, style: Style) -> String {
    let mut out = Text::new(style);
    for (i, explanation) in outcome.explained.iter().enumerate() {
        if i > 0 {
            out.gap();
        }
        head(&mut out, explanation, outcome);
        out.gap();
        why(&mut out, explanation, outcome);
        out.gap();
        what_if(&mut out, explanation, outcome);
    }
    out.finish()
}

fn head(out: &mut Text, e: &Explanation, outcome: &ExplainOutcome) {
    let class = |c: usize| &outcome.classes[c];
    let mut line = |key: &str, value: String| out.entry(key, &value);
    let truth = match &e.actual {
        Some(actual) if actual == class(e.class) => " (correct)".to_owned(),
        Some(actual) => format!(" (true class {actual})"),
        None => String::new(),
    };
    line(&format!("row {}", e.row + 1), format!("predicted {}{truth}", class(e.class)));
    if let Some(p) = &e.probabilities {
        let mut order: Vec<usize> = (0..p.len()).collect();
        order.sort_by(|&a, &b| p[b].total_cmp(&p[a]));
        let shown = order.iter().take(3).map(|&c| format!("{} {}", class(c), percent(p[c])));
        line("probability", shown.collect::<Vec<_>>().join(", "));
    }
    let score = if outcome.classes.len() == 2 {
        let from = match outcome.threshold {
            (0.0, _) => String::new(),
            (_, Some(p)) => format!(", relative to the threshold, probability {}", number(p)),
            (threshold, None) => format!(", relative to the threshold {}", number(threshold)),
        };
        format!("{}{from}; positive scores predict {}", number(e.score), class(1))
    } else {
        format!(
            "{}, score of {} minus score of {}",
            number(e.score),
            class(e.class),
            class(e.rival)
        )
    };
    line("score", score);
    if let Some(distance) = e.distance {
        let unit = units(outcome).1;
        line(
            "distance",
            format!("{} {unit} from the hyperplane between the two classes", number(distance)),
        );
    }
    if e.abstained {
        line("abstains", "the model makes no prediction for this row".to_owned());
    }
    if e.ambiguous {
        line("ambiguous", "the row lies in an ambiguous region; predicted by score".to_owned());
    }
}

fn why(out: &mut Text, e: &Explanation, outcome: &ExplainOutcome) {
    let toward = format!("toward {}", outcome.classes[e.towards]);
    let mut table = Table::new(&["column", "value", &toward], 2);
    let shown = e.contributions.len().min(outcome.top);
    for c in &e.contributions[..shown] {
        table.row(vec![c.name.clone(), cell_text(&c.cell), signed(c.value)]);
    }
    let rest = &e.contributions[shown..];
    if !rest.is_empty() {
        let value = rest.iter().map(|c| c.value).sum();
        let name = plural(rest.len(), "other column", "other columns");
        table.row(vec![format!("({name})"), String::new(), signed(value)]);
    }
    let base =
        if outcome.standardized { "(numeric columns at their means)" } else { "(intercept)" };
    table.row(vec![base.to_owned(), String::new(), signed(e.base)]);
    let difference = (e.sum - e.score).abs();
    let check = if difference == 0.0 {
        "score".to_owned()
    } else {
        format!("score (± {})", small(difference))
    };
    table.row(vec!["sum".to_owned(), check, signed(e.sum)]);
    out.table(&table, 2);
}

fn what_if(out: &mut Text, e: &Explanation, outcome: &ExplainOutcome) {
    let class = |c: usize| &outcome.classes[c];
    match &e.nearest {
        Some(one) => nearest(out, one, outcome),
        None => {
            out.entry("nearest", "no change of the allowed numeric columns changes the class");
        }
    }
    if !e.number_changes.is_empty() {
        out.push_str("\nchange of one numeric column, all others fixed:\n");
        let unit = units(outcome).1;
        let mut table = Table::new(&["column", "from", "to", unit, "class"], 1);
        for s in &e.number_changes {
            table.row(vec![
                s.name.clone(),
                cell_text(&s.from),
                number(s.to),
                number(s.deviations),
                class(s.class).to_string(),
            ]);
        }
        out.table(&table, 2);
    }
    if !e.level_changes.is_empty() {
        out.push_str("\nchange of one categorical column, all others fixed:\n");
        let mut names: Vec<&str> = e.level_changes.iter().map(|s| s.name.as_str()).collect();
        names.dedup();
        for name in names {
            let own: Vec<_> = e.level_changes.iter().filter(|s| s.name == name).collect();
            let levels = own.iter().take(outcome.top).map(|s| {
                let then = if outcome.classes.len() == 2 {
                    String::new()
                } else {
                    format!(" ({})", class(s.class))
                };
                format!("{}{then}", s.to)
            });
            let more = match own.len().saturating_sub(outcome.top) {
                0 => String::new(),
                more => format!(" and {} more", count(more as f64)),
            };
            let levels = levels.collect::<Vec<_>>().join(", ");
            let line = format!("{name} {} → {levels}{more}", cell_text(&own[0].from));
            out.paragraph(2, &line);
        }
    }
}

fn nearest(out: &mut Text, nearest: &Nearest, outcome: &ExplainOutcome) {
    let unit = units(outcome).1;
    let fixed = if outcome.categorical { ", categorical columns fixed" } else { "" };
    let change = if nearest.exact {
        "smallest change of numeric columns"
    } else {
        "a change of numeric columns"
    };
    let (length, class) = (number(nearest.length), &outcome.classes[nearest.class]);
    out.entry("nearest", &format!("{class} at distance {length} {unit}: {change}{fixed}"));
    let mut table = Table::new(&["column", "from", "to"], 1);
    for (name, from, to) in nearest.changes.iter().take(outcome.top) {
        table.row(vec![name.clone(), number(*from), number(*to)]);
    }
    out.table(&table, 2);
    if nearest.changes.len() > outcome.top {
        let more = plural(nearest.changes.len() - outcome.top, "column", "columns");
        let _ = writeln!(out, "  … and {more} that change less");
    }
}

fn cell_text(cell: &Cell) -> String {
    match cell {
        Cell::Number(v) => number(*v),
        Cell::Word(level) => level.clone(),
        Cell::Unknown(level) => format!("{level} (not seen in training)"),
        Cell::Missing => "(missing)".to_owned(),
    }
}

fn cell_json(cell: &Cell) -> Value {
    match cell {
        Cell::Number(v) => linsep::model_file::number(*v),
        Cell::Word(level) | Cell::Unknown(level) => Value::from(level.as_str()),
        Cell::Missing => Value::Null,
    }
}

fn signed(v: f64) -> String {
    if v > 0.0 { format!("+{}", number(v)) } else { number(v) }
}
