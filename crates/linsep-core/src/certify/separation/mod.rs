//! Decides whether hyperplanes can separate the classes, with a verified witness.
//!
//! A search in doubles finds a candidate ([`find()`]), exact arithmetic makes it exact
//! ([`repair()`]), and the independent [`check`](super::check()) verifies it. Doubles cannot decide
//! if the margin is smaller than their rounding, or if the magnitudes differ widely. Small problems
//! of this kind are decided by exact arithmetic alone ([`exact`]). Problems not decided within the
//! [`Limits`] are [`Undecided`](SeparationKind::Undecided), never guessed.
//!
//! # Consequences for logistic regression
//!
//! Without a penalty, the likelihood of logistic regression (two classes or more) has a maximum if
//! and only if there is **overlap**. Otherwise the likelihood increases without a maximum as the
//! coefficients diverge along h, a direction of recession. In the **quasi-complete** case the
//! returned h is maximal: it is positive on every row on which some direction of recession is.
//! Collinear columns admit many h with the same products, of which one with few nonzero columns is
//! returned. [`InfiniteCoefficient`] lists the coefficients that are infinite, with their signs,
//! for every sequence that approaches the supremum.

mod corral;
mod exact;
mod find;
mod frame;
mod infinite;
mod margin;
mod repair;
mod simplex;

pub use infinite::{Divergence, InfiniteCoefficient};
pub use margin::{Bounds, Margin};
pub(crate) use margin::{SignedData, ratio_sq};

use super::check::{PositiveDependence, SeparationKind, Witness};
use super::signed::SignedRows;
use super::work::{SECOND, Work};
use crate::control::{Cancel, Observer, StopReason};
use crate::data::Problem;
use crate::error::Error;
use crate::math::exact::Rational;
use find::{SearchEnd, SearchResult, find};
use frame::Frame;
use infinite::infinite;
use repair::{first, repair};
use serde::{Deserialize, Serialize};

/// Limits of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Sweeps over the data, for the decision and for each margin.
    pub sweeps: u64,
    /// Products of doubles between the sweeps of the decision.
    pub search: u64,
    /// Largest number of entries of a signed row, (k − 1)(d + 1); wider problems are not tried.
    pub width: usize,
    /// Largest number of entries of a signed row for exact linear systems.
    pub exact_width: usize,
    /// Machine words multiplied by the exact simplex method.
    pub work: u64,
    /// Whether the largest margin is computed, if the separation is complete.
    pub margin: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            sweeps: 20_000,
            search: u64::MAX,
            width: 20_000,
            exact_width: 1_200,
            work: 3_000_000_000,
            margin: true,
        }
    }
}

impl Limits {
    fn check(&self) -> Result<(), Error> {
        if self.sweeps > 0 {
            return Ok(());
        }
        Err(Error::Setting { name: "sweeps", got: 0.0, want: "at least 1" })
    }
}

/// Reason for an undecided result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The limit of sweeps, or of products between them, is reached.
    SweepLimit,
    /// The time limit is reached.
    Time,
    /// The observer stopped the search.
    Interrupted,
    /// Too many columns.
    Width,
    /// Doubles cannot decide, and exact arithmetic would take too long.
    Precision,
}

impl Reason {
    /// Returns the meaning as a sentence fragment for messages.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::SweepLimit => "the limit on passes over the data was reached",
            Self::Time => "the time limit was reached",
            Self::Interrupted => "interrupted by the user",
            Self::Width => "too many columns and classes",
            Self::Precision => {
                "floating-point arithmetic cannot decide, and exact arithmetic \
                would take too long"
            }
        }
    }
}

/// Partial results of an undecided search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PartialResult {
    /// Verified rows that rule out complete separation: only quasi-complete and overlap remain.
    pub dependence: Option<PositiveDependence>,
    /// Smallest number of signed rows with a product ≤ 0, over all directions tried in doubles, and
    /// the number of signed rows. With two classes these are rows; with more, pairs of a row and
    /// another class.
    pub fewest_misclassified: Option<(usize, usize)>,
}

/// Result of the search, with its witness and consequences.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Separation {
    /// The proved separation kind.
    pub verdict: SeparationKind,
    /// The verified witness; `None` if undecided.
    pub evidence: Option<Witness>,
    /// Reason for an undecided result.
    pub reason: Option<Reason>,
    /// Partial results of an undecided search.
    pub known: PartialResult,
    /// Bounds on the largest margin, for two completely separable classes.
    pub margin: Option<Margin>,
    /// Coefficients that are, or may be, infinite in the quasi-complete case.
    pub infinite: Vec<InfiniteCoefficient>,
    /// Sweeps over the data used by the search.
    pub sweeps: u64,
}

/// Decides whether hyperplanes can separate the classes of a problem. Of two classes, `positive` is
/// the positive one, by default the second.
pub fn separate(
    problem: &Problem<'_>,
    positive: Option<usize>,
    limits: &Limits,
    watch: &mut dyn Observer,
) -> Result<Separation, Error> {
    limits.check()?;
    let signed = SignedRows::new(problem, positive)?.until(watch.cancel());
    if signed.width() > limits.width {
        return Ok(undecided(Reason::Width, 0, PartialResult::default()));
    }

    // 1. Search in doubles.
    let frame = Frame::new(&signed);
    let found = find(&signed, &frame, limits, watch);
    let undecided = |reason| undecided(reason, found.sweeps, known(&signed, &found));
    let directions = match &found.end {
        SearchEnd::Direction(h) => {
            let hyperplanes =
                frame.hyperplanes(h).into_iter().flat_map(|p| [p.w, vec![p.b]].concat());
            vec![hyperplanes.map(Rational::of).collect(), frame.exact(h)]
        }
        SearchEnd::AllSettled | SearchEnd::Stalled => Vec::new(),
        SearchEnd::Budget => return Ok(undecided(Reason::SweepLimit)),
        SearchEnd::Asked => return Ok(undecided(asked(watch))),
    };

    // 2. Make the result exact.
    let solvable = found.steps.is_empty() || signed.width() <= limits.exact_width;
    let mut evidence = match found.end {
        SearchEnd::Stalled => None,
        _ if solvable => repair(&signed, &found.steps, &directions),
        _ => return Ok(undecided(Reason::Width)),
    };
    if evidence.is_none() {
        let mut work = Work::new(limits.work, signed.cancel().clone());
        evidence = exact::settle(&signed, &found.pool, &mut work).and_then(|settled| {
            let direction: Vec<Vec<Rational>> = settled.direction.into_iter().collect();
            repair(&signed, &settled.steps, &direction)
        });
    }
    let Some(evidence) = evidence else {
        let ended = signed.cancel().is_set();
        return Ok(undecided(if ended { asked(watch) } else { Reason::Precision }));
    };

    // 3. Margin and infinite coefficients.
    let margin = match evidence.verdict {
        SeparationKind::Complete if limits.margin => margin::margin(&signed, limits.sweeps, watch),
        _ => None,
    };
    let infinite = infinite(&signed, &evidence);
    let (verdict, sweeps, known) = (evidence.verdict, found.sweeps, PartialResult::default());
    let evidence = Some(evidence);
    Ok(Separation { verdict, evidence, reason: None, known, margin, infinite, sweeps })
}

/// Returns the reason for an early end of the search.
fn asked(watch: &dyn Observer) -> Reason {
    if watch.stop_reason() == StopReason::TimeLimit { Reason::Time } else { Reason::Interrupted }
}

/// Returns the partial results of the search.
fn known(signed: &SignedRows<'_>, found: &SearchResult) -> PartialResult {
    const NUMBERS: usize = 20_000_000;
    // A few rows cost almost no time, even after the time limit.
    let most = if signed.cancel().is_set() { 150 } else { 1_200 };
    let small =
        |step: &&Vec<(usize, f64)>| step.len() <= most && step.len() * signed.width() <= NUMBERS;
    let step = found.steps.first().filter(small);
    let live = (0..signed.n()).filter(|&i| signed.is_live(i)).count() * signed.hyperplanes();
    PartialResult {
        dependence: step.and_then(|step| first(&signed.clone().until(Cancel::default()), step)),
        fewest_misclassified: found.fewest_misclassified.map(|wrong| (wrong, live)),
    }
}

/// Largest number of stored values for which separation is decided beside a fit.
pub const SMALL: usize = 1_000_000;

/// Decides a problem if it is small enough to cost little beside a fit; `None` for larger problems.
pub fn separate_if_small(
    problem: &Problem<'_>,
    positive: Option<usize>,
    watch: &mut dyn Observer,
) -> Result<Option<Separation>, Error> {
    const NARROW: usize = 200;
    let (x, k) = (problem.x(), problem.labels().k());
    if x.stored() * (k - 1) > SMALL || (x.d() + 1) * (k - 1) > NARROW {
        return Ok(None);
    }
    // Sweeps, the search between them and exact arithmetic take about a second each at most.
    let limits = Limits {
        sweeps: SECOND / 2 / SMALL as u64,
        search: SECOND,
        work: SECOND / 10,
        margin: false,
        ..Limits::default()
    };
    separate(problem, positive, &limits, watch).map(Some)
}

fn undecided(reason: Reason, sweeps: u64, known: PartialResult) -> Separation {
    Separation {
        verdict: SeparationKind::Undecided,
        evidence: None,
        reason: Some(reason),
        known,
        margin: None,
        infinite: Vec::new(),
        sweeps,
    }
}

#[cfg(test)]
mod tests;
