//! Existence: the kinds of separation that decide whether an unpenalized objective has a minimum.

use super::Report;
use super::separation::{of_all, of_two, same};
use crate::case::Case;
use crate::claims::rows::Kind;
use crate::settings::Scheme;

/// Compares the kind of every hyperplane, or of the joint problem.
pub fn check(case: &Case, claims: &[Option<Kind>]) -> Report {
    let mut report = Report::default();
    let joint = case.rows.k > 2 && case.settings.scheme == Scheme::Softmax;
    let truth: Vec<_> = if joint {
        vec![of_all(case)]
    } else {
        let of = |p: crate::reference::binary::Problem| of_two(&p.x, &p.y, &p.s, p.intercept);
        case.problems().into_iter().map(of).collect()
    };
    if claims.len() != truth.len() {
        report.violate(1.0, format!("{} separations, expected {}", claims.len(), truth.len()));
        return report;
    }
    for (j, (claimed, truth)) in claims.iter().zip(&truth).enumerate() {
        let Some(claimed) = claimed else { continue };
        report.compared += 1;
        let Some(truth) = truth else {
            report.skipped += 1;
            continue;
        };
        if !same(*claimed, *truth) {
            let text =
                format!("hyperplane {j}: {claimed:?} is claimed, but the rows are {truth:?}");
            report.violate(1.0, text);
        }
    }
    report
}
