//! Automatic choice of the solver: a cost model in passes over the data.
//!
//! N is the number of stored values, n of rows, d of features. The work of a run, in units of one
//! streaming visit of a stored value, is about
//!
//! | solver | work |
//! |---|---|
//! | `newton` | 7 (4N + products of H) + 7 d³/6 · ⅛; H takes Σ (nonzeros of a row)²/2 · ¼ |
//! | `newton-cg` | 60 · 2N |
//! | `lbfgs` | 60 · 4N |
//! | `dual-cd` | 3N · (6 + 4 log₁₀(1/tol)) · max(1, q), q ≤ 1000; four times that with kinks |
//! | `working-set-cd` | 80 N with L1; 300 N without, as the working set is then all columns |
//! | `interior` | 20 (7N + products of H) + 20 d³/6 · ⅛; twice that with L2 alone |
//! | `rounding` | 5 × the best solver for the smoothed loss; 50 × with L1 or without a penalty |
//! | `gradient-descent` | 3000 N, which is all of 1000 epochs; ranked last |
//! | `sgd` | 6000 N, likewise |
//!
//! With many columns and L1, `interior` takes 100 N + 100 k³/6 · ⅛, where k is 500 columns or a
//! quarter of the rows.
//!
//! If the loss has flat parts and the penalty is not λ₂ alone, second-order solvers take many more
//! iterations: Newton solvers ten times as many, `working-set-cd` four times.
//!
//! q = mean ‖x‖²/(λ₂S), from a few hundred rows, measures the interaction between rows. It is about
//! 1 for text of unit length at C = 1, and 54 for 54 standardized features, where an epoch gains
//! little.
//!
//! The factors were fitted to runs on a9a, covtype, mnist and imdb (`bench/`). They are coarse:
//! solvers that suit a problem differ from the rest by factors of ten.

use super::{ALL, Options, Solver, StoppingCriteria, interior_point, smoothing};
use crate::data::{Rows, on_rows};
use crate::error::Error;
use crate::loss::SmoothedLoss;
use crate::objective::Objective;

/// Solver and its estimated cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Name of the solver.
    pub name: &'static str,
    /// Work in billions of visits, about seconds; or the unmet requirement.
    pub work: Result<f64, &'static str>,
}

/// Returns every solver with its estimate: applicable ones first, by increasing work.
pub fn candidates(objective: &Objective<'_>, goal: &StoppingCriteria) -> Vec<Candidate> {
    let candidate = |entry: &super::Entry| {
        let way = (entry.build)(&Options::default());
        let work = match way.unmet_requirement(objective) {
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

/// Whether a solver converges too slowly for small tolerances; such solvers rank last.
fn is_last(name: &str) -> bool {
    matches!(name, "gradient-descent" | "sgd")
}

fn work(name: &str, objective: &Objective<'_>, goal: &StoppingCriteria) -> f64 {
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
        "interior-point" if penalty.l1 > 0.0 && x.d() > interior_point::MANY => {
            100.0 * (stored + cube(d.min(n / 4.0).min(500.0)))
        }
        // With L2 other solvers start from a subset of the rows, `interior-point` does not.
        "interior-point" => {
            let steps = if steep { 40.0 } else { 20.0 };
            steps * (7.0 * stored + square + cube(d))
        }
        "smoothing" => {
            let loss = SmoothedLoss::new(objective.loss(), smoothing::FIRST);
            let ways = candidates(&objective.with_loss(&loss), goal);
            let times = if steep { 5.0 } else { 50.0 };
            times * ways[0].work.as_ref().map_or(f64::INFINITY, |billions| billions * 1e9)
        }
        "gradient-descent" => 3e3 * stored,
        _ => 6e3 * stored,
    }
}

/// Estimates q from evenly spaced rows.
fn in_the_way(objective: &Objective<'_>) -> f64 {
    const LOOKED_AT: usize = 512;
    let x = objective.x();
    let step = x.n().div_ceil(LOOKED_AT);
    let norms: Vec<f64> =
        on_rows!(x, x => (0..x.n()).step_by(step).map(|i| x.norm_sq(i)).collect());
    let mean = norms.iter().sum::<f64>() / norms.len() as f64;
    mean / (objective.penalty().l2 * objective.total())
}

/// Builds the named solver, or fails if the objective does not meet its requirements. `auto` is the
/// candidate of least work.
pub fn choose(
    name: &str,
    objective: &Objective<'_>,
    goal: &StoppingCriteria,
    options: &Options,
) -> Result<Box<dyn Solver>, Error> {
    goal.check()?;
    let all = candidates(objective, goal);
    let able = || all.iter().filter(|c| c.work.is_ok()).map(|c| c.name);
    let name = match (name, able().next()) {
        ("auto", Some(cheapest)) => cheapest,
        (name, _) => name,
    };
    let Some(entry) = ALL.iter().find(|entry| entry.name == name) else {
        let known = std::iter::once("auto").chain(ALL.iter().map(|e| e.name)).collect();
        return Err(Error::UnknownName { family: "`solver`", got: name.to_owned(), known });
    };
    let lacks = all.iter().find(|c| c.name == name).and_then(|c| c.work.err());
    if let Some(lacks) = lacks {
        return Err(Error::UnmetRequirement {
            setting: "solver",
            solver: entry.name,
            lacks,
            able: able().collect(),
        });
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
