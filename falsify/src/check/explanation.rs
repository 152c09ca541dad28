//! Counterfactuals: a changed row has the claimed class, and no shorter change has another class.
//!
//! If the predicted class has the largest score, its region is convex. The least change from inside
//! is the distance to the nearest boundary with another class, lead/‖a‖; along column j it is
//! lead/|aⱼ|.

use super::Report;
use crate::case::Case;
use crate::claims::model::{Counterfactual, RawHyperplane};
use crate::double_double::{DoubleDouble, dd, dot};
use crate::settings::Scheme;

/// Compares the nearest row, and the nearest value of every column.
pub fn check(
    case: &Case,
    hyperplanes: &[RawHyperplane],
    row: &[f64],
    claims: &(Option<Counterfactual>, Vec<Option<Counterfactual>>),
) -> Report {
    let mut report = Report::default();
    let (nearest, slides) = claims;
    let from = nearest.iter().chain(slides.iter().flatten()).map(|change| change.from).next();
    one(&mut report, "nearest row", nearest.as_ref(), from, |from| {
        least(case, hyperplanes, row, from, |a| dot(a, a).sqrt())
    });
    for (j, slide) in slides.iter().enumerate() {
        one(&mut report, &format!("column {j}"), slide.as_ref(), from, |from| {
            least(case, hyperplanes, row, from, |a| a[j].abs())
        });
    }
    report
}

fn one(
    report: &mut Report,
    what: &str,
    change: Option<&Counterfactual>,
    from: Option<usize>,
    least: impl Fn(usize) -> Option<(f64, f64)>,
) {
    let Some(change) = change else { return };
    report.compared += 1;
    let Counterfactual { to, scored, .. } = change;
    if to != scored || from == Some(*to) {
        report.violate(1.0, format!("{what}: class {to} is claimed, but it is scored {scored}"));
    }
    let Some((least, room)) = from.filter(|_| change.least).and_then(least) else { return };
    // A counterfactual lies slightly beyond the boundary, by up to 1e-6.
    let length = change.length;
    let over = length > least * (1.0 + 3e-6) + room;
    if over || length < least * (1.0 - 1e-9) - room {
        let size = (length - least).abs() / least.max(f64::MIN_POSITIVE);
        report
            .violate(size, format!("{what}: length {length:?} is claimed, the least is {least:?}"));
    }
}

/// Returns the least lead/size(a) over the other classes, and a bound on the effect of rounding
/// scores and rows to doubles.
fn least(
    case: &Case,
    hyperplanes: &[RawHyperplane],
    row: &[f64],
    from: usize,
    size: impl Fn(&[DoubleDouble]) -> DoubleDouble,
) -> Option<(f64, f64)> {
    let k = case.rows.k;
    if k > 2 && case.settings.scheme == Scheme::OneVsOne {
        return None;
    }
    let d = row.len();
    let function = |c: usize| -> Vec<DoubleDouble> {
        let of = |(w, b): &RawHyperplane| w.iter().chain([b]).map(|v| dd(*v)).collect();
        match (k, c) {
            (2, 0) => vec![DoubleDouble::ZERO; d]
                .into_iter()
                .chain([dd(case.settings.threshold)])
                .collect(),
            (2, _) => of(&hyperplanes[0]),
            (_, c) => hyperplanes.get(c).map_or(vec![DoubleDouble::ZERO; d + 1], of),
        }
    };
    let x: Vec<DoubleDouble> = row.iter().copied().chain([1.0]).map(dd).collect();
    let own = function(from);
    let mut best: Option<(f64, f64)> = None;
    for rival in (0..k).filter(|c| *c != from) {
        let other = function(rival);
        let a: Vec<DoubleDouble> = own.iter().zip(&other).map(|(a, b)| *a - *b).collect();
        let lead = dot(&a, &x).value();
        let length = size(&a[..d]).value();
        let sizes = own.iter().zip(&other).zip(&x);
        let terms: f64 = sizes.map(|((a, b), x)| ((a.abs() + b.abs()) * x.abs()).value()).sum();
        let (t, room) = (lead / length, 3e-6 * terms / length);
        if length > 0.0 && best.is_none_or(|(least, _)| t < least) {
            best = Some((t, room));
        }
    }
    best
}
