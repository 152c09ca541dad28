//! Lower bounds: no hyperplane has F below the bound. Objective: F at the model's hyperplane is at
//! most the claimed value.
//!
//! The reference F is at most a relative 1e-24 above F*, and is itself F at a point, so a bound
//! above the reference is certainly false. The rounding error of double-double, [`ROUNDING`] times
//! F, is tolerated.

use super::Report;
use crate::case::Optima;
use crate::claims::fit::{Certificate, Claims};
use crate::double_double::{DoubleDouble, dd};

const ROUNDING: f64 = 1e-27;

/// Compares every lower bound.
pub fn check(claims: &Claims, optima: &Optima) -> Report {
    let mut report = Report::default();
    let least: Vec<Option<DoubleDouble>> = match optima {
        Optima::Hyperplanes(all) => {
            all.iter().map(|(_, optimum)| optimum.as_ref().map(|o| o.value)).collect()
        }
        Optima::Softmax(_, optimum) => vec![optimum.as_ref().map(|o| o.value)],
        Optima::CrammerSinger(_, optimum) => vec![optimum.as_ref().map(|o| o.value)],
    };
    for (j, (certificate, optimum)) in pairs(claims, &least).enumerate() {
        let Some(bound) = certificate.bound else { continue };
        report.compared += 1;
        let Some(optimum) = optimum else {
            report.skipped += 1;
            continue;
        };
        let over = (dd(bound) - *optimum).value();
        if over > ROUNDING * optimum.value() + f64::MIN_POSITIVE || bound.is_nan() {
            let size = over / bound.abs().max(f64::MIN_POSITIVE);
            let exact = optimum.value();
            let text =
                format!("hyperplane {j}: bound {bound:?} is claimed, but a point has {exact:?}");
            report.violate(size, text);
        }
    }
    report
}

/// Compares every objective.
pub fn check_objective(claims: &Claims, optima: &Optima) -> Report {
    let mut report = Report::default();
    let (w, b): (Vec<Vec<f64>>, Vec<f64>) = claims.hyperplanes.iter().cloned().unzip();
    let values: Vec<DoubleDouble> = match optima {
        Optima::Hyperplanes(all) => {
            let value = |(j, (problem, _)): (usize, &(crate::reference::binary::Problem, _))| {
                problem.value(&w[j], b[j])
            };
            all.iter().enumerate().map(value).collect()
        }
        Optima::Softmax(problem, _) => vec![problem.value(&w, &b)],
        Optima::CrammerSinger(problem, _) => vec![problem.crammer_singer_value(&w, &b)],
    };
    for (j, (certificate, value)) in pairs(claims, &values).enumerate() {
        report.compared += 1;
        let (said, exact) = (certificate.primal, value.value());
        let short = (*value - dd(said)).value();
        if short > ROUNDING * exact.abs() || !said.is_finite() {
            let size = short / exact.abs().max(f64::MIN_POSITIVE);
            let text =
                format!("hyperplane {j}: objective {said:?} is claimed, but it is {exact:?}");
            report.violate(size, text);
        }
    }
    report
}

/// Pairs every certificate with its problem and optimum; empty if a hyperplane has no certificate.
fn pairs<'a, T>(
    claims: &'a Claims,
    all: &'a [T],
) -> impl Iterator<Item = (&'a Certificate, &'a T)> {
    let fit = claims.certificates.len() == all.len();
    claims.certificates.iter().zip(all).filter(move |_| fit)
}
