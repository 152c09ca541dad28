//! Which way should be fastest: a cost model in passes over the data.
//!
//! With N stored values, n rows and d columns the work of a run, in units of one streaming visit of a stored
//! value, is about
//!
//! | way | work |
//! |---|---|
//! | `newton` | 7 (4N + products of H) + 7 d³/6 · ⅛, where H takes Σ (non-zeros of a row)²/2 · ¼ |
//! | `newton-cg` | 60 · 2N |
//! | `lbfgs` | 60 · 4N |
//! | `dual-cd` | 3N · (6 + 4 log₁₀(1/tol)) · max(1, q), q at most 1000, four times that for losses with kinks |
//! | `working-set-cd` | 80 N with L1; 300 N without it, as all columns are in the set then |
//! | `interior` | 20 (7N + products of H) + 20 d³/6 · ⅛, twice that with L2 alone; for many columns and L1 100 N + 100 k³/6 · ⅛, k = 500 columns or a quarter of the rows |
//! | `rounding` | 5 times that of the best way for the loss with its corner rounded off; 50 times with L1 or without a penalty |
//! | `gradient-descent` | 3000 N, which is all of 1000 epochs; only where nothing else can do it |
//! | `sgd` | 6000 N, likewise |
//!
//! Where curvature comes and goes (losses with flat parts) and no λ₂ alone makes up for it, ways that go by curvature take many more steps:
//! Newton's ten times as many, `working-set-cd` four times.
//!
//! q = mean ‖x‖²/(λ₂S), from a few hundred rows, says how much rows get in each other's way: about 1 for text of unit
//! length at C = 1, 54 for as many standardised columns, where an epoch gains little.
//!
//! The factors were fitted to runs on a9a, covtype, mnist and imdb (`bench/`); they are coarse, and need be: ways
//! that fit a problem differ by factors of ten, not by tenths.

use super::{ALL, Goal, Minimiser, Options, interior, rounding};
use crate::data::{Rows, on_rows};
use crate::error::Error;
use crate::loss::Rounded;
use crate::objective::Objective;

/// A way, and what it would cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its name.
    pub name: &'static str,
    /// The work in billions of visits, which is about seconds; or what the objective lacks for it.
    pub work: Result<f64, &'static str>,
}

/// Every way with its estimate, those that can do it first, the cheapest first.
pub fn candidates(objective: &Objective<'_>, goal: &Goal) -> Vec<Candidate> {
    let candidate = |entry: &super::Entry| {
        let way = (entry.build)(&Options::default());
        let work = match way.lacks(objective) {
            Some(what) => Err(what),
            None => Ok(work(entry.name, objective, goal) / 1e9),
        };
        Candidate { name: entry.name, work }
    };
    let mut all: Vec<Candidate> = ALL.iter().map(candidate).collect();
    let key = |c: &Candidate| *c.work.as_ref().unwrap_or(&f64::INFINITY);
    all.sort_by(|a, b| is_last(a.name).cmp(&is_last(b.name)).then(key(a).total_cmp(&key(b))));
    all
}

/// Whether a way comes near, but not to any tolerance in any time: those that can do better come first.
fn is_last(name: &str) -> bool {
    matches!(name, "gradient-descent" | "sgd")
}

fn work(name: &str, objective: &Objective<'_>, goal: &Goal) -> f64 {
    let x = objective.x();
    let (n, d, stored) = (x.n() as f64, x.d() as f64, x.stored() as f64);
    let digits = (1.0 / goal.tol).log10().max(1.0);
    let cube = |d: f64| 0.125 * d * d * d / 6.0;
    let square = 0.25 * 0.5 * n * (stored / n) * (stored / n);
    let penalty = objective.penalty();
    let steep = penalty.l1 == 0.0 && penalty.l2 > 0.0;
    let flat = objective.loss().flat().1.is_finite() && !steep;
    let more = |times: f64| if flat { times } else { 1.0 };
    match name {
        "newton" => more(10.0) * 7.0 * (4.0 * stored + square + cube(d)),
        "newton-cg" => more(10.0) * 60.0 * 2.0 * stored,
        "lbfgs" => 60.0 * 4.0 * stored,
        "dual-cd" => {
            let kinks = if objective.loss().curvature_bound().is_none() { 4.0 } else { 1.0 };
            3.0 * stored * (6.0 + 4.0 * digits) * kinks * in_the_way(objective).clamp(1.0, 1e3)
        }
        "working-set-cd" if penalty.l1 > 0.0 => more(4.0) * 80.0 * stored,
        "working-set-cd" => 300.0 * stored,
        "interior-point" if penalty.l1 > 0.0 && x.d() > interior::MANY => {
            100.0 * (stored + cube(d.min(n / 4.0).min(500.0)))
        }
        // With L2 others start from a part of the rows, and this one from the middle of nowhere.
        "interior-point" => {
            let steps = if steep { 40.0 } else { 20.0 };
            steps * (7.0 * stored + square + cube(d))
        }
        "smoothing" => {
            let loss = Rounded::new(objective.loss(), rounding::FIRST);
            let ways = candidates(&objective.with_loss(&loss), goal);
            let times = if steep { 5.0 } else { 50.0 };
            times * ways[0].work.as_ref().map_or(f64::INFINITY, |billions| billions * 1e9)
        }
        "gradient-descent" => 3e3 * stored,
        _ => 6e3 * stored,
    }
}

/// q, from rows spread over all of them.
fn in_the_way(objective: &Objective<'_>) -> f64 {
    const LOOKED_AT: usize = 512;
    let x = objective.x();
    let step = x.n().div_ceil(LOOKED_AT);
    let norms: Vec<f64> =
        on_rows!(x, x => (0..x.n()).step_by(step).map(|i| x.norm_sq(i)).collect());
    let mean = norms.iter().sum::<f64>() / norms.len() as f64;
    mean / (objective.penalty().l2 * objective.total())
}

/// The way of that name, refused where the objective lacks something for it; `auto` is the cheapest candidate.
pub fn choose(
    name: &str,
    objective: &Objective<'_>,
    goal: &Goal,
    options: &Options,
) -> Result<Box<dyn Minimiser>, Error> {
    goal.check()?;
    let all = candidates(objective, goal);
    let able = || all.iter().filter(|c| c.work.is_ok()).map(|c| c.name);
    let name = match (name, able().next()) {
        ("auto", Some(cheapest)) => cheapest,
        (name, _) => name,
    };
    let Some(entry) = ALL.iter().find(|entry| entry.name == name) else {
        let known = std::iter::once("auto").chain(ALL.iter().map(|e| e.name)).collect();
        return Err(Error::UnknownName { family: "solver", got: name.to_owned(), known });
    };
    let lacks = all.iter().find(|c| c.name == name).and_then(|c| c.work.err());
    if let Some(lacks) = lacks {
        return Err(Error::Combination { solver: entry.name, lacks, able: able().collect() });
    }
    let given = [("eta", options.eta.is_some()), ("schedule", options.schedule.is_some())];
    if let Some((setting, _)) =
        given.iter().find(|(name, given)| *given && !entry.takes.contains(name))
    {
        let takers = ALL.iter().filter(|e| e.takes.contains(setting)).map(|e| e.name).collect();
        return Err(Error::NoSuchSetting { method: entry.name, name: setting, takers });
    }
    Ok((entry.build)(options))
}
