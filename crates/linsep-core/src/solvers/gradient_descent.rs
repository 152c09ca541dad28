//! Gradient descent: h ← h − ηₜ ∇F(h), with several step length schedules.
//!
//! | schedule | ηₜ | convergence |
//! |---|---|---|
//! | `automatic` | 1/L, L doubled while F falls by less than η‖∇F‖²/2 | monotone, to the optimum |
//! | `backtracking` | η, halved until F falls enough (Armijo) | monotone |
//! | `constant` | η | for η < 2/L; beyond that it **diverges**, and the run reports it |
//! | `1/t`, `1/sqrt(t)` | η/t, η/√t | also for losses with kinks, slowly |
//!
//! L is the largest curvature of F. It is at most the curvature bound of the loss times the mean of
//! ‖(xᵢ, 1)‖², plus λ₂; `automatic` starts with an eighth of that bound. Losses without a curvature
//! bound (hinge, perceptron) have only subgradients, along which F may rise. The result is
//! therefore the hyperplane of least F, whatever the schedule.
//!
//! # Termination
//!
//! Optimal by the gap (or the gradient, without a penalty). **Diverged** when F exceeds a thousand
//! times its initial value plus one and its minimum so far, or is not finite. Stationary when no
//! step lowers F. Else at the iteration limit.
//!
//! Cost of an iteration: two passes.
//! Source: Nesterov, *Introductory Lectures on Convex Optimization*, §2.1.5; the lectures, for the
//! choice of η.

use super::parts::{Line, State, work};
use super::{Options, Requirement, Schedule, Solver, SolverResult, StoppingCriteria};
use crate::control::{Observer, StopReason};
use crate::data::Hyperplane;
use crate::objective::Objective;

/// Settings of gradient descent.
pub(super) struct GradientDescent {
    /// First step length η > 0; the automatic schedule determines its own.
    eta: f64,
    /// Schedule of the step length.
    schedule: Schedule,
}

impl GradientDescent {
    pub(super) fn with(options: &Options) -> Self {
        // A given step length is used as it is; only the constant schedule does that.
        let given = if options.eta.is_some() { Schedule::Constant } else { Schedule::Automatic };
        Self { eta: options.eta.unwrap_or(1.0), schedule: options.schedule.unwrap_or(given) }
    }
}

impl Solver for GradientDescent {
    fn name(&self) -> &'static str {
        "gradient-descent"
    }

    fn about(&self) -> &'static str {
        "gradient descent with a step-length schedule"
    }

    fn takes(&self) -> &'static [&'static str] {
        &["eta", "schedule"]
    }

    fn needs(&self) -> &'static [Requirement] {
        &[Requirement::NoL1]
    }

    /// 3 passes in each of 1000 iterations, of which it often needs all.
    fn work(&self, objective: &Objective<'_>, _: &StoppingCriteria) -> f64 {
        3e3 * work::pass(objective)
    }

    fn is_last(&self) -> bool {
        true
    }

    fn solve(
        &self,
        objective: &Objective<'_>,
        start: Hyperplane,
        goal: &StoppingCriteria,
        watch: &mut dyn Observer,
    ) -> SolverResult {
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
                return back_to(best, objective).end(StopReason::Diverged, epoch, None);
            }
            if let Some((stop, certificate)) = state.reason(epoch, goal, watch) {
                if stop == StopReason::Optimal || state.value <= best.0 {
                    return state.end(stop, epoch, certificate);
                }
                return back_to(best, objective).end(stop, epoch, None);
            }
            if state.g.is_zero() {
                return state.end(StopReason::Stalled, epoch, None);
            }

            // 2. Choose the step length.
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

            // 3. Take the step.
            let Some((t, value)) = found else {
                return state.end(StopReason::Stalled, epoch, None);
            };
            state.step(&line, t, value);
            epoch += 1;
        }
    }
}

/// Returns the first t, by halving, at which F falls below `value` by the required amount, and F
/// there.
fn halve(first: f64, at: impl Fn(f64) -> (f64, f64), value: f64) -> Option<(f64, f64)> {
    const HALVINGS: i32 = 80;
    (0..HALVINGS).map(|k| first * 0.5_f64.powi(k)).find_map(|t| {
        let (there, fall) = at(t);
        (there <= value + fall && there < value).then_some((t, there))
    })
}

/// Returns an upper bound on the largest curvature of F; for losses without one, 1 stands in for
/// it.
fn curvature(objective: &Objective<'_>) -> f64 {
    let rows = objective.x().norms_sq().into_iter().zip(objective.s());
    let own = if objective.intercept() { 1.0 } else { 0.0 };
    let mean = rows.map(|(norm, s)| s * (norm + own)).sum::<f64>() / objective.total();
    let bound = objective.loss().curvature_bound().unwrap_or(1.0);
    (bound * mean + objective.penalty().l2).clamp(f64::MIN_POSITIVE, f64::MAX)
}

fn back_to<'a, 'b>(best: (f64, Hyperplane), objective: &'a Objective<'b>) -> State<'a, 'b> {
    State::new(objective, best.1)
}
