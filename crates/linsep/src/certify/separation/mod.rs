//! Can planes separate the classes? The verdict, with evidence that has been checked.
//!
//! Doubles look for an answer ([`find()`]), exact arithmetic makes it hold ([`repair()`]), and the independent
//! [`check`](super::check()) has the last word. Where doubles cannot tell, because the margin is narrower than their rounding or
//! the numbers are of very different size, a small problem is settled by exact arithmetic alone ([`exact`]).
//! What cannot be settled within the [`Limits`] is [`Undecided`](Verdict::Undecided): never guessed.
//!
//! # What it says about logistic regression
//!
//! Without a penalty, the likelihood of logistic regression (two classes or many) has a maximum just if there is
//! **overlap**. Otherwise weights that go to infinity along h, a direction of recession, fit better and better. In the
//! **quasi-complete** case the h given is a maximal one: it is positive on every row on which any such
//! direction is. Where columns depend on each other there are many such h with the same products, and one with few columns
//! is given. Which coefficients are infinite, and with which sign, whatever the way to the supremum, is told in [`Infinite`].

mod corral;
mod exact;
mod find;
mod frame;
mod infinite;
mod margin;
mod repair;
mod simplex;

pub use infinite::{Infinite, Toward};
pub use margin::{Bounds, Margin};
pub(crate) use margin::{Sides, ratio_sq};

use super::check::{Dependence, Evidence, Verdict};
use super::signed::Signed;
use crate::control::{Cancel, Stop, Watch};
use crate::data::Problem;
use crate::error::Error;
use crate::math::exact::Rational;
use find::{End, Found, find};
use frame::Frame;
use infinite::infinite;
use repair::{first, repair};
use simplex::Work;

/// How much may be done about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Passes over the data, for the verdict and for each margin.
    pub sweeps: u64,
    /// Numbers in a signed row, (k − 1)(d + 1), up to which it is tried at all.
    pub width: usize,
    /// Numbers in a signed row up to which systems of equations are solved exactly.
    pub exact_width: usize,
    /// Words multiplied by the exact simplex method.
    pub work: u64,
    /// Whether the largest margin is looked for, where there is one.
    pub margin: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            sweeps: 20_000,
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

/// Why there is no verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The sweeps are used up.
    Budget,
    /// The time limit is reached.
    Time,
    /// The watcher asked to stop.
    Asked,
    /// Too many columns.
    Width,
    /// Doubles cannot tell, and exact arithmetic would take too long.
    Precision,
}

impl Reason {
    /// What it means, in words for a person.
    pub fn meaning(self) -> &'static str {
        match self {
            Self::Budget => "the allowed passes over the data were used up",
            Self::Time => "the time limit was reached",
            Self::Asked => "stopped on request",
            Self::Width => "there are too many columns and classes",
            Self::Precision => "doubles cannot tell, and exact arithmetic would take too long",
        }
    }
}

/// What is known where there is no verdict.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Known {
    /// Rows, checked, that forbid complete separation: then only quasi-complete and overlap are left.
    pub dependence: Option<Dependence>,
    /// How many signed rows (rows of two classes, rows against each other class of more) the best direction met does not have
    /// strictly on their own side, in doubles, and of how many.
    pub fewest_wrong: Option<(usize, usize)>,
}

/// The verdict and what goes with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Separation {
    /// What is proved.
    pub verdict: Verdict,
    /// What proves it, checked; none if undecided.
    pub evidence: Option<Evidence>,
    /// Why there is none.
    pub reason: Option<Reason>,
    /// What is known without a verdict.
    pub known: Known,
    /// Bounds on the largest margin, for two classes that can be separated completely.
    pub margin: Option<Margin>,
    /// Coefficients that are infinite, or may be, in the quasi-complete case.
    pub infinite: Vec<Infinite>,
    /// Passes over the data it took to find it.
    pub sweeps: u64,
}

/// Whether planes can separate the classes of a problem. Of two classes the positive one, the second unless another is
/// asked for, has the positive side.
pub fn separate(
    problem: &Problem<'_>,
    positive: Option<usize>,
    limits: &Limits,
    watch: &mut dyn Watch,
) -> Result<Separation, Error> {
    limits.check()?;
    let signed = Signed::new(problem, positive)?.until(watch.cancel());
    if signed.width() > limits.width {
        return Ok(undecided(Reason::Width, 0, Known::default()));
    }

    // 1. In doubles.
    let frame = Frame::new(&signed);
    let found = find(&signed, &frame, limits.sweeps, watch);
    let undecided = |reason| undecided(reason, found.sweeps, known(&signed, &found));
    let directions = match &found.end {
        End::Direction(h) => {
            let planes = frame.planes(h).into_iter().flat_map(|p| [p.w, vec![p.b]].concat());
            vec![planes.map(Rational::of).collect(), frame.exact(h)]
        }
        End::Nothing | End::Stalled => Vec::new(),
        End::Budget => return Ok(undecided(Reason::Budget)),
        End::Asked => return Ok(undecided(asked(watch))),
    };

    // 2. Exactly.
    let solvable = found.steps.is_empty() || signed.width() <= limits.exact_width;
    let mut evidence = match found.end {
        End::Stalled => None,
        _ if solvable => repair(&signed, &found.steps, &directions),
        _ => return Ok(undecided(Reason::Width)),
    };
    if evidence.is_none() {
        let mut work = Work { left: limits.work, cancel: signed.cancel().clone() };
        evidence = exact::settle(&signed, &found.pool, &mut work).and_then(|settled| {
            let direction: Vec<Vec<Rational>> = settled.direction.into_iter().collect();
            repair(&signed, &settled.steps, &direction)
        });
    }
    let Some(evidence) = evidence else {
        let ended = signed.cancel().is_set();
        return Ok(undecided(if ended { asked(watch) } else { Reason::Precision }));
    };

    // 3. What follows from it.
    let margin = match evidence.verdict {
        Verdict::Complete if limits.margin => margin::margin(&signed, limits.sweeps, watch),
        _ => None,
    };
    let infinite = infinite(&signed, &evidence);
    let (verdict, sweeps, known) = (evidence.verdict, found.sweeps, Known::default());
    let evidence = Some(evidence);
    Ok(Separation { verdict, evidence, reason: None, known, margin, infinite, sweeps })
}

/// Why a search was to end early.
fn asked(watch: &dyn Watch) -> Reason {
    if watch.why() == Stop::Time { Reason::Time } else { Reason::Asked }
}

/// What the search has found without coming to an end.
fn known(signed: &Signed<'_>, found: &Found) -> Known {
    const NUMBERS: usize = 20_000_000;
    // A few rows take next to no time, also where it is up.
    let most = if signed.cancel().is_set() { 150 } else { 1_200 };
    let small =
        |step: &&Vec<(usize, f64)>| step.len() <= most && step.len() * signed.width() <= NUMBERS;
    let step = found.steps.first().filter(small);
    let live = (0..signed.n()).filter(|&i| signed.is_live(i)).count() * signed.planes();
    Known {
        dependence: step.and_then(|step| first(&signed.clone().until(Cancel::default()), step)),
        fewest_wrong: found.fewest_wrong.map(|wrong| (wrong, live)),
    }
}

/// The verdict on a problem that is small enough for it to take next to no time; `None` for others.
pub fn quickly(
    problem: &Problem<'_>,
    positive: Option<usize>,
    watch: &mut dyn Watch,
) -> Result<Option<Separation>, Error> {
    const SMALL: usize = 1_000_000;
    const NARROW: usize = 200;
    let (x, k) = (problem.x(), problem.labels().k());
    if x.stored() * (k - 1) > SMALL || (x.d() + 1) * (k - 1) > NARROW {
        return Ok(None);
    }
    let limits = Limits { sweeps: 500, work: 100_000_000, margin: false, ..Limits::default() };
    separate(problem, positive, &limits, watch).map(Some)
}

fn undecided(reason: Reason, sweeps: u64, known: Known) -> Separation {
    Separation {
        verdict: Verdict::Undecided,
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
