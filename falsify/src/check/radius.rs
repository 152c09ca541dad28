//! Radius: ‖w − w*‖ is at most the claimed value.

use super::Report;
use crate::case::Optima;
use crate::claims::fit::Claims;

/// Compares every radius.
pub fn check(claims: &Claims, optima: &Optima) -> Report {
    let mut report = Report::default();
    let mut compare = |radius: Option<f64>, known: bool, distance: Option<f64>, j: usize| {
        let Some(radius) = radius else { return };
        report.compared += 1;
        if !known {
            report.skipped += 1;
        }
        let Some(distance) = distance.filter(|distance| *distance > radius || radius.is_nan())
        else {
            return;
        };
        let size = (distance - radius) / distance;
        let text =
            format!("hyperplane {j}: radius {radius:?} is claimed, but w* is {distance:?} away");
        report.violate(size, text);
    };
    match optima {
        Optima::Hyperplanes(all) if claims.certificates.len() == all.len() => {
            for (j, (_, optimum)) in all.iter().enumerate() {
                let w = &claims.hyperplanes[j].0;
                let distance = optimum.as_ref().and_then(|o| o.distance_at_least(w));
                compare(claims.certificates[j].radius, optimum.is_some(), distance, j);
            }
        }
        Optima::Hyperplanes(_) => {}
        Optima::Softmax(_, optimum) => {
            let w: Vec<Vec<f64>> = claims.hyperplanes.iter().map(|h| h.0.clone()).collect();
            let distance = optimum.as_ref().map(|o| o.distance_at_least(&w));
            let radius = claims.certificates.first().and_then(|c| c.radius);
            compare(radius, optimum.is_some(), distance, 0);
        }
        Optima::CrammerSinger(_, optimum) => {
            let w: Vec<Vec<f64>> = claims.hyperplanes.iter().map(|h| h.0.clone()).collect();
            let distance = optimum.as_ref().map(|o| o.distance_at_least(&w));
            let radius = claims.certificates.first().and_then(|c| c.radius);
            compare(radius, optimum.is_some(), distance, 0);
        }
    }
    report
}
