//! Scorecards: the number of rows with different predictions of card and model, recomputed in
//! integers.

use super::Report;
use super::separation::scaled_integer;
use crate::case::Case;
use crate::claims::model::Scorecard;
use num_bigint::BigInt;

/// Recomputes the predictions of the card: Σ qⱼ xⱼ/10^eⱼ ≥ T, with both sides times 10ᴾ 2¹⁰⁷⁴.
pub fn check(case: &Case, card: &Scorecard, bits: u32) -> Report {
    let mut report = Report { compared: 1, ..Report::default() };
    let ten = |power: i32| BigInt::from(10).pow(power.unsigned_abs());
    let places = card.places.cast_signed();
    let most = card.units.iter().copied().chain([places]).max().unwrap_or(0).max(0);
    let threshold = scaled_integer(1.0) * card.digits * ten(most - places);
    let enough = |row: &[f64]| {
        let part = |((q, e), x): ((&i64, &i32), &f64)| scaled_integer(*x) * *q * ten(most - e);
        let points: BigInt = card.points.iter().zip(&card.units).zip(row).map(part).sum();
        points >= threshold
    };
    let wrong = case.rows.x.iter().zip(&card.positive).filter(|(row, is)| enough(row) != **is);
    let count = wrong.count();
    if count != card.changed {
        let claimed = card.changed;
        report.violate(1.0, format!("{claimed} changed decisions are claimed, but it is {count}"));
    }
    let limit = (1_i64 << (bits - 1)) - 1;
    if let Some(q) = card.points.iter().find(|q| q.abs() > limit) {
        report.violate(1.0, format!("{q} points do not fit {bits} bits"));
    }
    report
}
