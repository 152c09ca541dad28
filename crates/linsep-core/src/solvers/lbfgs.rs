//! L-BFGS: the curvature is approximated from recent gradients.
//!
//! With s = h_{t+1} − `h_t` and v = g_{t+1} − `g_t` of the last ten steps, the two-loop recursion
//! gives p = −B g. B is the approximation of the inverse Hessian by those pairs. A line search by
//! the Wolfe conditions keeps s·v > 0, and so p a descent direction.
//!
//! Terminates by the gap (or the gradient, without a penalty), when no step lowers F, or at the
//! iteration limit.
//!
//! Cost of an iteration: two passes, and 40 products of length d.
//! Memory: twenty vectors of length d.
//! Source: Nocedal & Wright, *Numerical Optimization* (2nd ed.), Algorithms 7.4 and 7.5.

use super::parts::{Line, State, work};
use super::{Requirement, Solver, SolverResult, StoppingCriteria};
use crate::control::{Observer, StopReason};
use crate::data::Hyperplane;
use crate::objective::Objective;
use std::collections::VecDeque;

/// L-BFGS.
pub(super) struct Lbfgs;

/// Number of pairs kept.
const MEMORY: usize = 10;

impl Solver for Lbfgs {
    fn name(&self) -> &'static str {
        "lbfgs"
    }

    fn about(&self) -> &'static str {
        "limited-memory BFGS (L-BFGS) with 10 stored steps"
    }

    fn needs(&self) -> &'static [Requirement] {
        &[Requirement::Gradient, Requirement::NoL1]
    }

    /// 60 iterations of 2 passes, each with a trial of the line search.
    fn work(&self, objective: &Objective<'_>, _: &StoppingCriteria) -> f64 {
        60.0 * 4.0 * work::pass(objective)
    }

    fn solve(
        &self,
        objective: &Objective<'_>,
        start: Hyperplane,
        goal: &StoppingCriteria,
        watch: &mut dyn Observer,
    ) -> SolverResult {
        let mut state = State::new(objective, start);
        let mut q = vec![0.0; objective.x().n()];
        let mut memory: VecDeque<Pair> = VecDeque::with_capacity(MEMORY);
        let mut epoch = 0;
        loop {
            // 1. Is there a reason to stop?
            if let Some((stop, certificate)) = state.reason(epoch, goal, watch) {
                return state.end(stop, epoch, certificate);
            }

            // 2. Choose a direction and a step length.
            let p = direction(&state.g, &memory);
            objective.margins(&p, &mut q);
            let line = Line::new(objective, &state.h, &p, &q);
            let slope = state.g.dot(&p);
            // Without pairs the scale is unknown: change the margins by about one.
            let first = if memory.is_empty() { 1.0 / largest(&q) } else { 1.0 };
            let found = line.search(objective, &state.m, state.value, slope, first);
            let Some((t, value)) = found else {
                if memory.is_empty() {
                    return state.end(StopReason::Stalled, epoch, None);
                }
                memory.clear(); // the pairs mislead: restart from the gradient
                continue;
            };

            // 3. Take the step and store the pair.
            let before = state.g.clone();
            state.step(&line, t, value);
            if memory.len() == MEMORY {
                memory.pop_front();
            }
            memory.extend(Pair::new(&p, t, &before, &state.g));
            epoch += 1;
        }
    }
}

fn largest(q: &[f64]) -> f64 {
    q.iter().fold(f64::MIN_POSITIVE, |most, q| most.max(q.abs()))
}

/// Step and the change of the gradient along it.
struct Pair {
    s: Hyperplane,
    v: Hyperplane,
    sv: f64,
}

impl Pair {
    /// `None` if the change carries no curvature.
    fn new(p: &Hyperplane, t: f64, before: &Hyperplane, after: &Hyperplane) -> Option<Self> {
        let mut s = Hyperplane::zero(p.d());
        s.step(t, p);
        let mut v = after.clone();
        v.step(-1.0, before);
        let sv = s.dot(&v);
        (sv > f64::EPSILON * v.norm_sq().sqrt() * s.norm_sq().sqrt()).then_some(Self { s, v, sv })
    }
}

/// The two-loop recursion: p = −B g.
fn direction(g: &Hyperplane, memory: &VecDeque<Pair>) -> Hyperplane {
    let mut p = g.clone();
    let mut shares = Vec::with_capacity(memory.len());
    for pair in memory.iter().rev() {
        let share = pair.s.dot(&p) / pair.sv;
        p.step(-share, &pair.v);
        shares.push(share);
    }
    let scale = memory.back().map_or(1.0, |pair| pair.sv / pair.v.norm_sq());
    p.scale(-scale);
    for (pair, share) in memory.iter().zip(shares.iter().rev()) {
        // p is already negated, so the signs are reversed.
        let back = pair.v.dot(&p) / pair.sv;
        p.step(-(share + back), &pair.s);
    }
    p
}
