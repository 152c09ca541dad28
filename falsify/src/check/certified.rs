//! Certified rows: the model's prediction equals that of every exact optimum, under the same
//! decision rule.
//!
//! A row is a violation only if some optimum certainly has another prediction. The scores of
//! separately fitted hyperplanes vary independently, each over an interval with attained ends.
//! Hence every choice of ends is an optimum. Each end is known up to a tiny interval, and counts
//! only if one outcome holds on all of that interval.

use super::Report;
use crate::case::{Case, Optima};
use crate::claims::fit::Claims;
use crate::decision::{Interval, Outcome, outcome};
use crate::reference::{binary, crammer_singer, multiclass};
use crate::settings::Abstain;

/// Compares every certified row.
pub fn check(case: &Case, claims: &Claims, optima: &Optima) -> Report {
    let mut report = Report::default();
    let Some(certified) = &claims.certified else { return report };
    for i in (0..case.rows.x.len()).filter(|&i| certified[i]) {
        let row = &case.rows.x[i];
        let said = claims.predicted[i];
        let other = match optima {
            Optima::Hyperplanes(all) => {
                let known: Option<Vec<&binary::Reference>> =
                    all.iter().map(|(_, optimum)| optimum.as_ref()).collect();
                known.map(|known| other_of_hyperplanes(case, &known, row, said))
            }
            Optima::Softmax(_, optimum) => {
                optimum.as_ref().map(|optimum| other_of_softmax(case, optimum, row, said))
            }
            Optima::CrammerSinger(_, optimum) => {
                optimum.as_ref().map(|optimum| other_of_machine(case, optimum, row, said))
            }
        };
        report.compared += 1;
        match other {
            None => report.skipped += 1,
            Some(None) => {}
            Some(Some(other)) => {
                let text = format!("row {i}: {said:?} is certified, but an optimum has {other}");
                report.violate(1.0, text);
            }
        }
    }
    report
}

fn other_of_hyperplanes(
    case: &Case,
    optima: &[&binary::Reference],
    row: &[f64],
    said: Outcome,
) -> Option<String> {
    let ranges: Vec<binary::Range> = optima.iter().map(|optimum| optimum.scores(row)).collect();
    let ends = |choice: usize| -> Vec<Interval> {
        let end = |(j, range): (usize, &binary::Range)| {
            if choice >> j & 1 == 0 { range.low } else { range.high }
        };
        ranges.iter().enumerate().map(end).collect()
    };
    (0..1_usize << ranges.len()).find_map(|choice| {
        let z = ends(choice);
        let there = outcome(&case.settings, case.rows.k, &z)?;
        (there != said).then(|| format!("{there:?} at scores {z:?}"))
    })
}

fn other_of_softmax(
    case: &Case,
    optimum: &multiclass::Reference,
    row: &[f64],
    said: Outcome,
) -> Option<String> {
    let (z, error) = optimum.scores(row);
    let z: Vec<Interval> = z.iter().map(|z| (z.value() - error, z.value() + error)).collect();
    let there = outcome(&case.settings, case.rows.k, &z)?;
    (there != said).then(|| format!("{there:?} at scores {z:?}"))
}

fn other_of_machine(
    case: &Case,
    optimum: &crammer_singer::Reference,
    row: &[f64],
    said: Outcome,
) -> Option<String> {
    let k = case.rows.k;
    let limit = match case.settings.abstain {
        Some(Abstain::Margin(m)) => m,
        _ => 0.0,
    };
    let lead = |c: usize, a: usize| {
        let (lead, error) = optimum.largest_lead(row, c, a);
        (lead - error, lead + error)
    };
    match said {
        Outcome::Class(a) => (0..k).filter(|&c| c != a).find_map(|c| {
            let (least, _) = lead(c, a);
            (least > -limit).then(|| format!("class {c} ahead of {a} by {least} or more"))
        }),
        // No abstention at any optimum: one class leads every other by more than the limit.
        Outcome::Abstained => (0..k).find_map(|a| {
            let ahead = (0..k).filter(|&c| c != a).all(|c| lead(c, a).1 < -limit);
            ahead.then(|| format!("class {a} ahead of all by more than {limit}"))
        }),
    }
}
