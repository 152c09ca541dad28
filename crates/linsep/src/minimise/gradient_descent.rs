//! Gradient descent: h ← h − ηₜ ∇F(h), with a choice of step lengths.
//!
//! | schedule | ηₜ | what is known |
//! |---|---|---|
//! | `automatic` | 1/L, L doubled whenever F falls by less than η‖∇F‖²/2 | F falls at every step, to the optimum |
//! | `backtracking` | η, halved until F falls enough (Armijo) | F falls at every step |
//! | `constant` | η | converges for η < 2/L; beyond that it **diverges**, and the run says so |
//! | `1/t`, `1/sqrt(t)` | η/t, η/√t | also for losses with kinks, slowly |
//!
//! L is the largest curvature of F, at most the loss's curvature bound times the mean of ‖(xᵢ, 1)‖², plus λ₂: from
//! there `automatic` begins, at an eighth of it. Losses without a curvature bound (hinge, perceptron) have only
//! subgradients, along which F may rise: the plane with the least F is the answer, whatever the schedule.
//!
//! # When it ends
//!
//! By the gap (or the gradient, without a penalty); **diverged** when F is a thousand times what it was at the
//! start and still rising, or is no number any more; stationary when no step lowers F; else the budget.
//!
//! Cost of a step: two passes. Source: Nesterov, *Introductory Lectures on Convex Optimization*, §2.1.5; the lectures,
//! for the choice of η.

use super::parts::{Line, State};
use super::{Entry, Goal, Minimiser, Minimum, Need, Options, Schedule};
use crate::control::{Stop, Watch};
use crate::data::Plane;
use crate::objective::Objective;

/// Settings of gradient descent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GradientDescent {
    /// First step length η > 0; the automatic schedule has its own.
    pub eta: f64,
    /// How the step length changes.
    pub schedule: Schedule,
}

impl Default for GradientDescent {
    fn default() -> Self {
        Self { eta: 1.0, schedule: Schedule::Automatic }
    }
}

pub(super) const ENTRY: Entry = Entry {
    name: "gradient-descent",
    about: "along the gradient, by a step schedule",
    takes: &["eta", "schedule"],
    build: |options| Box::new(GradientDescent::with(options)),
};

impl GradientDescent {
    fn with(options: &Options) -> Self {
        // Whoever gives a step length means it: only the constant schedule takes it as it is.
        let given = if options.eta.is_some() { Schedule::Constant } else { Schedule::Automatic };
        Self { eta: options.eta.unwrap_or(1.0), schedule: options.schedule.unwrap_or(given) }
    }
}

impl Minimiser for GradientDescent {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn needs(&self) -> &'static [Need] {
        &[Need::NoL1]
    }

    fn minimise(
        &self,
        objective: &Objective<'_>,
        start: Plane,
        goal: &Goal,
        watch: &mut dyn Watch,
    ) -> Minimum {
        const TOO_HIGH: f64 = 1e3;
        let mut state = State::new(objective, start);
        let beginning = state.value;
        let mut best = (state.value, state.h.clone());
        let mut q = vec![0.0; objective.x().n()];
        let mut bound = curvature(objective) / 8.0;
        let mut epoch = 0;
        loop {
            // 1. Is there a reason to stop?
            if state.value < best.0 {
                best = (state.value, state.h.clone());
            }
            if state.value > TOO_HIGH * (beginning + 1.0) && state.value > best.0 {
                return back_to(best, objective).end(Stop::Diverged, epoch, None);
            }
            if let Some((stop, certificate)) = state.reason(epoch, goal, watch) {
                if stop == Stop::Optimal || state.value <= best.0 {
                    return state.end(stop, epoch, certificate);
                }
                return back_to(best, objective).end(stop, epoch, None);
            }
            if state.g.is_zero() {
                return state.end(Stop::Stationary, epoch, None);
            }

            // 2. How far?
            let mut p = state.g.clone();
            p.scale(-1.0);
            objective.margins(&p, &mut q);
            let line = Line::new(objective, &state.h, &p, &q);
            let slope = -state.g.norm_sq();
            let at = |t: f64| line.value(objective, &state.m, t);
            let found = match self.schedule {
                Schedule::Automatic if objective.loss().curvature_bound().is_some() => {
                    let found = halve(1.0 / bound, |t| (at(t), 0.5 * t * slope), state.value);
                    if let Some((t, _)) = found {
                        bound = 1.0 / t;
                    }
                    found
                }
                Schedule::Automatic | Schedule::InverseSqrtT => {
                    let t = Schedule::InverseSqrtT.length(self.eta, epoch);
                    Some((t, at(t)))
                }
                Schedule::Backtracking => {
                    halve(self.eta, |t| (at(t), 1e-4 * t * slope), state.value)
                }
                Schedule::Constant | Schedule::InverseT => {
                    let t = self.schedule.length(self.eta, epoch);
                    Some((t, at(t)))
                }
            };

            // 3. Step.
            let Some((t, value)) = found else {
                return state.end(Stop::Stationary, epoch, None);
            };
            state.step(&line, t, value);
            epoch += 1;
        }
    }
}

/// The first t, by halves, at which F falls from `value` by what is asked for.
fn halve(first: f64, at: impl Fn(f64) -> (f64, f64), value: f64) -> Option<(f64, f64)> {
    const HALVINGS: i32 = 80;
    (0..HALVINGS).map(|k| first * 0.5_f64.powi(k)).find_map(|t| {
        let (there, fall) = at(t);
        (there <= value + fall && there < value).then_some((t, there))
    })
}

/// At least the largest curvature of F; 1 for losses without one.
fn curvature(objective: &Objective<'_>) -> f64 {
    let rows = objective.x().norms_sq().into_iter().zip(objective.s());
    let own = if objective.intercept() { 1.0 } else { 0.0 };
    let mean = rows.map(|(norm, s)| s * (norm + own)).sum::<f64>() / objective.total();
    let bound = objective.loss().curvature_bound().unwrap_or(1.0);
    (bound * mean + objective.penalty().l2).clamp(f64::MIN_POSITIVE, f64::MAX)
}

fn back_to<'a, 'b>(best: (f64, Plane), objective: &'a Objective<'b>) -> State<'a, 'b> {
    State::new(objective, best.1)
}
