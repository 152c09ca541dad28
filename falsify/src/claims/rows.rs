//! Claims about rows before any fit: separation, margins, and whether an objective has a minimum.

use super::fit::{Data, learner};
use crate::case::Case;
use linsep_core::certify::separation::{Limits, Separation};
use linsep_core::certify::{self, PositiveDependence, SeparationKind};
use linsep_core::learner::separation_effects;
use linsep_core::math::exact::{BigInt, Rational};

/// Kind of separation, or undecided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // named after the kinds
pub enum Kind {
    Complete,
    QuasiComplete,
    Overlap,
    Undecided,
}

/// Numerator and denominator.
pub type Fraction = (BigInt, BigInt);

/// Row and other class of each signed row, with a positive multiplier.
pub type Combination = Vec<((usize, usize), Fraction)>;

/// Kind of separation, with its witness.
#[derive(Clone, Debug)]
pub struct Separated {
    /// Kind of separation.
    pub kind: Kind,
    /// Coefficients and intercept of every class except the first.
    pub direction: Option<Vec<Vec<Fraction>>>,
    /// Positive combination equal to zero.
    pub dependence: Option<Combination>,
    /// Positive combination equal to zero, whose rows span all rows on the hyperplane.
    pub spanning: Option<Combination>,
    /// Lower and upper bound on γ of the rows (x, 1).
    pub gamma: Option<(f64, f64)>,
    /// Lower and upper bound on the distance of the nearest rows from the maximum-margin
    /// hyperplane.
    pub distance: Option<(f64, f64)>,
    /// Whether linsep's checker accepts the certificate.
    pub accepted: bool,
}

fn kind(verdict: SeparationKind) -> Kind {
    match verdict {
        SeparationKind::Complete => Kind::Complete,
        SeparationKind::QuasiComplete => Kind::QuasiComplete,
        SeparationKind::Overlap => Kind::Overlap,
        SeparationKind::Undecided => Kind::Undecided,
    }
}

/// Returns the separation of the rows of a case.
pub fn separated(case: &Case) -> Result<Separated, String> {
    let data = Data::of(case)?;
    let problem = data.problem()?;
    let text = |e: linsep_core::Error| e.to_string();
    let found: Separation =
        certify::separate(&problem, None, &Limits::default(), &mut ()).map_err(text)?;
    let fraction = |v: &Rational| (v.parts().0.clone(), v.parts().1.clone());
    let combination = |all: &PositiveDependence| -> Combination {
        let rows = all.rows.iter().map(|row| (row.row, row.class));
        rows.zip(all.weights.iter().map(fraction)).collect()
    };
    let evidence = found.evidence.as_ref();
    let accepted = match evidence {
        Some(evidence) => {
            let signed = certify::SignedRows::new(&problem, None).map_err(text)?;
            certify::check(&signed, evidence).is_ok()
        }
        None => true,
    };
    let hyperplanes = evidence.and_then(|e| e.hyperplanes.as_ref());
    Ok(Separated {
        kind: kind(found.verdict),
        direction: hyperplanes
            .map(|all| all.iter().map(|p| p.iter().map(fraction).collect()).collect()),
        dependence: evidence.and_then(|e| e.dependence.as_ref()).map(combination),
        spanning: evidence.and_then(|e| e.spanning.as_ref()).map(combination),
        gamma: found.margin.as_ref().map(|m| (m.gamma.least, m.gamma.most)),
        distance: found.margin.as_ref().map(|m| (m.distance.least, m.distance.most)),
        accepted,
    })
}

/// Returns the kinds of separation in an unpenalized fit, one per hyperplane or one for a joint
/// fit; `None` if separation has no effect on the minimum.
pub fn existence(case: &Case) -> Result<Option<Vec<Option<Kind>>>, String> {
    let data = Data::of(case)?;
    let problem = data.problem()?;
    let learner = learner(case)?;
    let Some(reduced) = learner.as_reduced() else { return Ok(None) };
    let all = separation_effects(reduced, &problem, None, &mut ()).map_err(|e| e.to_string())?;
    let of = |found: &Option<Separation>| found.as_ref().map(|found| kind(found.verdict));
    Ok(all.map(|all| all.list.iter().map(of).collect()))
}
