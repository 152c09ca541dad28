//! Novikoff's bound: updates ≤ bound, and the bound is at least (R/γ*)² for the exact largest
//! margin γ*.

use super::Report;
use crate::case::Case;
use crate::claims::perceptron::Updates;
use crate::double_double::{DoubleDouble, dd};
use crate::reference::margin::margin;
use crate::reference::separation::signed_rows;
use crate::settings::Scheme;

/// Compares every bound; γ* only for single hyperplanes with intercepts.
pub fn check(case: &Case, claims: &[Option<Updates>]) -> Report {
    let mut report = Report::default();
    let problems = case.problems();
    for (j, claimed) in claims.iter().enumerate() {
        let Some(claimed) = claimed else { continue };
        report.compared += 1;
        if claimed.updates as f64 > claimed.bound {
            let (made, bound) = (claimed.updates, claimed.bound);
            report.violate(1.0, format!("hyperplane {j}: {made} updates, bound {bound:?}"));
        }
        if claimed.kesler || claims.len() != problems.len() {
            continue;
        }
        let problem = &problems[j];
        let live = || (0..problem.s.len()).filter(|&i| problem.s[i] > 0.0);
        let x: Vec<Vec<f64>> = live().map(|i| problem.x[i].clone()).collect();
        let y: Vec<f64> = live().map(|i| problem.y[i]).collect();
        let rows = signed_rows(&x, &y, true);
        let Some((_, gamma)) = margin(&rows) else {
            report.skipped += 1;
            continue;
        };
        let square = |row: &Vec<f64>| -> DoubleDouble { row.iter().map(|v| dd(*v).square()).sum() };
        let radius = rows.iter().map(square).fold(DoubleDouble::ZERO, DoubleDouble::max).sqrt();
        let exact = (radius / dd(gamma)).square().value() * (1.0 - 1e-14);
        if claimed.bound < exact {
            let size = (exact - claimed.bound) / exact;
            let text = format!("hyperplane {j}: bound {:?}, but (R/γ)² = {exact:?}", claimed.bound);
            report.violate(size, text);
        }
    }
    report
}

/// Returns the perceptron scheme that corresponds to a scheme of fits.
pub fn scheme_name(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::OneVsRest | Scheme::OneVsRestButLast => scheme.name(),
        Scheme::OneVsOne => "one-vs-one",
        Scheme::Softmax => "kesler",
        Scheme::CrammerSinger => "winner-take-all",
    }
}
