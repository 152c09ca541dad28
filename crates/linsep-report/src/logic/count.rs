//! Numbers of threshold functions as text and JSON.

use crate::layout::{Style, Text};
use crate::number::{count as grouped, percent};
use crate::table::Table;
use linsep::core::math::exact::BigInt;
use linsep::jobs::logic::{CountOutcome, Counted};
use serde_json::{Value, json};

/// Returns 2^exponent exactly.
fn power(exponent: u32) -> BigInt {
    BigInt::from(2).pow(exponent)
}

/// Returns 2^exponent in digits if short, else as a power.
fn large(exponent: u32) -> String {
    if exponent < 40 {
        grouped(2_f64.powi(exponent.cast_signed()))
    } else {
        format!("2^{exponent}")
    }
}

/// The outcome as text.
pub(crate) fn text(outcome: &CountOutcome, style: Style) -> String {
    let header =
        ["inputs", "threshold functions", "classes", "bound 2^(n²)", "all 2^(2^n)", "share"];
    let mut table = Table::new(&header, 0).drop_first(&[2, 5]);
    for Counted { n, count, .. } in &outcome.counts {
        let share = count.functions as f64 / 2_f64.powi(1 << n);
        table.row(vec![
            n.to_string(),
            grouped(count.functions as f64),
            grouped(count.classes as f64),
            large(n * n),
            large(1 << n),
            if share > 0.001 { percent(share) } else { format!("{:.1e} %", 100.0 * share) },
        ]);
    }
    let mut out = Text::new(style);
    out.table(&table, 0);
    let Some(last) = outcome.counts.last() else { return out.finish() };
    out.gap();
    let (candidates, seconds) = (grouped(last.count.candidates as f64), last.seconds);
    let text = format!(
        "Classes: equivalence under permutation and negation, with the threshold as a further input. For {} inputs \
         {candidates} candidates were decided in integer arithmetic, in {seconds:.2} s.",
        last.n
    );
    out.paragraph(0, &text);
    out.finish()
}

/// The outcome as JSON.
pub(crate) fn json(outcome: &CountOutcome) -> Value {
    let one = |Counted { n, count, seconds }: &Counted| {
        json!({
            "n": n,
            "functions": count.functions,
            "classes": count.classes,
            "candidates": count.candidates,
            "bound": power(n * n).to_string(),
            "all": power(1 << n).to_string(),
            "seconds": seconds,
        })
    };
    let mut json = outcome.counts.last().map(one).unwrap_or_default();
    json["counts"] = outcome.counts.iter().map(one).collect();
    json
}
