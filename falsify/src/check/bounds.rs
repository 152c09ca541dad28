//! Bounds: bound ≤ F* and primal ≥ F at the model's hyperplane.
//!
//! The reference's F is at most a relative 1e-24 above F* and is itself F at some point, so a bound above it is false
//! without any doubt. What double-double can have rounded, [`ROUNDING`] of F, is granted.

use super::Report;
use crate::case::Optima;
use crate::claims::fit::{Certificate, Claims};
use crate::double_double::{DoubleDouble, dd};

const ROUNDING: f64 = 1e-27;

/// Compares every certificate.
pub fn check(claims: &Claims, optima: &Optima) -> Report {
    let mut report = Report::default();
    match optima {
        Optima::Hyperplanes(all) => {
            if claims.certificates.len() != all.len() {
                return report;
            }
            for (j, (problem, optimum)) in all.iter().enumerate() {
                let (w, b) = &claims.hyperplanes[j];
                let least = optimum.as_ref().map(|optimum| optimum.value);
                one(&mut report, &claims.certificates[j], problem.value(w, *b), least, j);
            }
        }
        Optima::Softmax(problem, optimum) => {
            let (w, b): (Vec<Vec<f64>>, Vec<f64>) = claims.hyperplanes.iter().cloned().unzip();
            let least = optimum.as_ref().map(|optimum| optimum.value);
            if let [certificate] = &claims.certificates[..] {
                one(&mut report, certificate, problem.value(&w, &b), least, 0);
            }
        }
        Optima::CrammerSinger(problem, optimum) => {
            let (w, b): (Vec<Vec<f64>>, Vec<f64>) = claims.hyperplanes.iter().cloned().unzip();
            let least = optimum.as_ref().map(|optimum| optimum.value);
            if let [certificate] = &claims.certificates[..] {
                one(&mut report, certificate, problem.machine_value(&w, &b), least, 0);
            }
        }
    }
    report
}

fn one(
    report: &mut Report,
    certificate: &Certificate,
    at_model: DoubleDouble,
    optimum: Option<DoubleDouble>,
    j: usize,
) {
    report.compared += 1;
    let short = at_model - dd(certificate.primal);
    let room = ROUNDING * at_model.value().abs();
    if short.value() > room || !certificate.primal.is_finite() {
        let size = short.value() / at_model.value().abs().max(f64::MIN_POSITIVE);
        let (said, exact) = (certificate.primal, at_model.value());
        let text = format!("hyperplane {j}: objective {said:?} is claimed, but it is {exact:?}");
        report.violate(size, text);
    }
    let Some(bound) = certificate.bound else { return };
    let Some(optimum) = optimum else {
        report.skipped += 1;
        return;
    };
    let over = (dd(bound) - optimum).value();
    if over > ROUNDING * optimum.value() + f64::MIN_POSITIVE || bound.is_nan() {
        let size = over / bound.abs().max(f64::MIN_POSITIVE);
        let exact = optimum.value();
        report.violate(
            size,
            format!("hyperplane {j}: bound {bound:?} is claimed, but a point has {exact:?}"),
        );
    }
}
