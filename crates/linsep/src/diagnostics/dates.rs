//! Check for columns of dates and times. Text is dropped; a number is encoded as a quantity,
//! although it is none.
//!
//! * Text: nine in ten levels have the form of a date.
//! * Integers that all read as year, month and day: 20240531.
//! * Integers that all are seconds between 1995 and 2040, in a column called time, date, stamp or
//!   similar.

use super::{Check, Finding, Raw, Report, Severity};
use crate::recipe::ContentType;
use linsep_io::table::{Column, Values};

pub(super) const CHECK: Check = Check { name: "dates", run };

fn run(raw: &Raw<'_>, report: &mut Report) {
    for column in raw.features() {
        let Some((what, words)) = looks_so(raw, column) else { continue };
        let name = &column.name;
        let severity = if words { Severity::Note } else { Severity::Warning };
        let left_out = if words { "dropped in training; " } else { "" };
        let advice = format!(
            "{left_out}derive numeric columns from it (year, month, days since a date), and drop \
             the date"
        );
        report.add(
            Finding::new(CHECK.name, severity, format!("column {name} {what}"))
                .columns([name])
                .advice(advice)
                .setting("drop", name),
        );
    }
}

/// Returns the description of a date column, and whether it is categorical.
fn looks_so(raw: &Raw<'_>, column: &Column) -> Option<(&'static str, bool)> {
    const SECONDS: std::ops::Range<f64> = 788_918_400.0..2_208_988_800.0;
    if matches!(column.values, Values::Categorical { .. }) {
        let date = raw.content(column) == Some(ContentType::Date);
        return date.then_some(("looks like dates", true));
    }
    if raw.distinct_up_to(column, 1).is_some() {
        return None;
    }
    if raw.numbers(column)?.all(is_day) {
        return Some(("looks like dates of the form 20240531", false));
    }
    let lower = column.name.to_lowercase();
    let called = ["time", "date", "stamp"].iter().any(|part| lower.contains(part));
    let seconds = |v: f64| v.fract() == 0.0 && SECONDS.contains(&v);
    (called && raw.numbers(column)?.all(seconds))
        .then_some(("looks like seconds since 1970", false))
}

/// Whether a number reads as year, month and day.
fn is_day(v: f64) -> bool {
    if v.fract() != 0.0 || !(19_000_101.0..21_010_101.0).contains(&v) {
        return false;
    }
    let whole = v as u32;
    (1..=12).contains(&(whole / 100 % 100)) && (1..=31).contains(&(whole % 100))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_read_as_dates_are_recognized() {
        assert!([20_240_531.0, 19_991_231.0].into_iter().all(is_day));
        assert!(
            ![20_241_331.0, 20_240_500.0, 20_240_532.0, 5.0, 20_240_531.5].into_iter().any(is_day)
        );
    }
}
