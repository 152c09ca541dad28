//! Claims about rows before anything is learned: separation, margins, and whether a criterion has an optimum.

use super::fit::{Data, learner};
use crate::case::Case;
use linsep::certify::separation::{Limits, Separation};
use linsep::certify::{self, Dependence, Verdict};
use linsep::learner::verdicts;
use linsep::math::exact::{BigInt, Rational};

/// One of three cases, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // named after the verdicts
pub enum Kind {
    Complete,
    QuasiComplete,
    Overlap,
    Undecided,
}

/// A fraction.
pub type Fraction = (BigInt, BigInt);

/// Rows against another class, with a multiplier above 0 each.
pub type Combination = Vec<((usize, usize), Fraction)>;

/// A verdict with its certificate.
#[derive(Clone, Debug)]
pub struct Separated {
    /// The verdict.
    pub kind: Kind,
    /// Coefficients and intercept of every class but the first.
    pub direction: Option<Vec<Vec<Fraction>>>,
    /// A positive combination that is zero.
    pub dependence: Option<Combination>,
    /// One whose rows span all that lie on the hyperplane.
    pub spanning: Option<Combination>,
    /// γ of rows (x, 1), from below and above.
    pub gamma: Option<(f64, f64)>,
    /// Distance of the nearest rows from the best hyperplane.
    pub distance: Option<(f64, f64)>,
    /// Whether linsep's checker accepts the certificate.
    pub accepted: bool,
}

fn kind(verdict: Verdict) -> Kind {
    match verdict {
        Verdict::Complete => Kind::Complete,
        Verdict::QuasiComplete => Kind::QuasiComplete,
        Verdict::Overlap => Kind::Overlap,
        Verdict::Undecided => Kind::Undecided,
    }
}

/// The separation of a case's rows.
pub fn separated(case: &Case) -> Result<Separated, String> {
    let data = Data::of(case)?;
    let problem = data.problem()?;
    let text = |e: linsep::Error| e.to_string();
    let found: Separation =
        certify::separate(&problem, None, &Limits::default(), &mut ()).map_err(text)?;
    let fraction = |v: &Rational| (v.parts().0.clone(), v.parts().1.clone());
    let combination = |all: &Dependence| -> Combination {
        let rows = all.rows.iter().map(|row| (row.row, row.class));
        rows.zip(all.weights.iter().map(fraction)).collect()
    };
    let evidence = found.evidence.as_ref();
    let accepted = match evidence {
        Some(evidence) => {
            let signed = certify::Signed::new(&problem, None).map_err(text)?;
            certify::check(&signed, evidence).is_ok()
        }
        None => true,
    };
    let planes = evidence.and_then(|e| e.planes.as_ref());
    Ok(Separated {
        kind: kind(found.verdict),
        direction: planes.map(|all| all.iter().map(|p| p.iter().map(fraction).collect()).collect()),
        dependence: evidence.and_then(|e| e.dependence.as_ref()).map(combination),
        spanning: evidence.and_then(|e| e.spanning.as_ref()).map(combination),
        gamma: found.margin.as_ref().map(|m| (m.gamma.least, m.gamma.most)),
        distance: found.margin.as_ref().map(|m| (m.distance.least, m.distance.most)),
        accepted,
    })
}

/// The verdicts on a fit without a penalty, one per hyperplane or one for all; `None` where separation has no say.
pub fn existence(case: &Case) -> Result<Option<Vec<Option<Kind>>>, String> {
    let data = Data::of(case)?;
    let problem = data.problem()?;
    let learner = learner(case)?;
    let Some(reduced) = learner.as_reduced() else { return Ok(None) };
    let all = verdicts(reduced, &problem, None, &mut ()).map_err(|e| e.to_string())?;
    let of = |found: &Option<Separation>| found.as_ref().map(|found| kind(found.verdict));
    Ok(all.map(|all| all.list.iter().map(of).collect()))
}
