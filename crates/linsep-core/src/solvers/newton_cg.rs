//! Truncated Newton method by conjugate gradients, for many features.
//!
//! The iteration is that of `newton`, but H p = −g is solved by conjugate
//! gradients, which need only products
//!
//! ```text
//!   H v = Σ cᵢ ((xᵢ,1)·v) (xᵢ,1) + λ₂ v_w
//! ```
//!
//! One pass each: a row is read once, for its dot product and, from the cache, for its share of the
//! sum. The preconditioner is the diagonal of H. The inner iteration stops at ‖Hp + g‖ ≤ η‖g‖ with
//! η = min(¼, √(‖g‖/‖g₀‖)): roughly at first, then more and more exactly. The last steps are thus
//! those of Newton's method. The changes of the margins along p are accumulated, so the line search
//! costs no pass.
//!
//! After a step that fails or is shortened for lack of curvature (flat parts of a loss), the next
//! quadratic model has more curvature (`Damping`).
//!
//! Terminates by the gap (or the gradient, without a penalty), at the iteration limit, or when no
//! step lowers F, not even with the largest curvature.
//!
//! Cost of an iteration: a pass for the gradient, one for the diagonal, and one per inner step.
//! Source: Nocedal & Wright, *Numerical Optimization* (2nd ed.), §7.1; Lin, Weng & Keerthi, *Trust
//! region Newton method for large-scale logistic regression*, JMLR 9 (2008); Hsia, Chiang & Lin,
//! *Preconditioned conjugate gradient methods in truncated Newton frameworks*, ACML (2018).

use super::parts::{Damping, Line, State, work};
use super::{Requirement, Solver, SolverResult, StoppingCriteria};
use crate::control::{Observer, StopReason};
use crate::data::Hyperplane;
use crate::objective::Objective;

/// Truncated Newton method.
pub(super) struct NewtonCg;

impl Solver for NewtonCg {
    fn name(&self) -> &'static str {
        "newton-cg"
    }

    fn about(&self) -> &'static str {
        "truncated Newton method (conjugate gradients)"
    }

    fn needs(&self) -> &'static [Requirement] {
        &[Requirement::Curvature, Requirement::NoL1]
    }

    /// 60 inner steps of 2 passes.
    fn work(&self, objective: &Objective<'_>, _: &StoppingCriteria) -> f64 {
        work::more_if_flat(objective, 10.0) * 60.0 * 2.0 * work::pass(objective)
    }

    fn solve(
        &self,
        objective: &Objective<'_>,
        start: Hyperplane,
        goal: &StoppingCriteria,
        watch: &mut dyn Observer,
    ) -> SolverResult {
        let mut state = State::new(objective, start);
        let mut inner = Inner::new(objective);
        let mut damping = Damping::default();
        let flat = objective.loss().flat().1.is_finite();
        let mut first = None;
        let mut epoch = 0;
        loop {
            // 1. Is there a reason to stop?
            if let Some((stop, certificate)) = state.reason(epoch, goal, watch) {
                return state.end(stop, epoch, certificate);
            }

            // 2. Approximate the Newton direction.
            let norm = state.g.norm_sq().sqrt();
            let eta = (norm / *first.get_or_insert(norm)).sqrt().min(0.25);
            inner.solve(&mut state, eta * norm, damping);

            // 3. Take the step.
            let slope = state.g.dot(&inner.p);
            let line = Line::new(objective, &state.h, &inner.p, &inner.gained);
            let Some((t, value)) = line.search(objective, &state.m, state.value, slope, 1.0) else {
                if damping.stiffen() {
                    continue;
                }
                return state.end(StopReason::Stalled, epoch, None);
            };
            if flat || damping.share() > 0.0 {
                damping.learn(t);
            }
            state.step(&line, t, value);
            epoch += 1;
        }
    }
}

/// Conjugate gradients on H p = −g.
struct Inner {
    p: Hyperplane,
    /// y (x·p + `p_b`): changes of the margins along p.
    gained: Vec<f64>,
    rest: Hyperplane,
    solved: Hyperplane,
    way: Hyperplane,
    turned: Hyperplane,
    diagonal: Hyperplane,
    scores: Vec<f64>,
}

impl Inner {
    fn new(objective: &Objective<'_>) -> Self {
        let zero = || Hyperplane::zero(objective.x().d());
        let n = objective.x().n();
        Self {
            p: zero(),
            gained: vec![0.0; n],
            rest: zero(),
            solved: zero(),
            way: zero(),
            turned: zero(),
            diagonal: zero(),
            scores: vec![0.0; n],
        }
    }

    fn solve(&mut self, state: &mut State<'_, '_>, enough: f64, damping: Damping) {
        const MOST: usize = 250;
        let objective = state.objective;
        let (x, l2) = (objective.x(), objective.penalty().l2);
        let c = &mut state.per_row;
        objective.curvatures(&state.m, c);
        damping.add_to(objective, c);

        // 1. Compute the preconditioner.
        state.combination.of_squares(x, c, &mut self.diagonal.w);
        self.diagonal.w.iter_mut().for_each(|v| *v += l2);
        self.diagonal.b = c.iter().sum();

        // 2. Start at p = 0.
        self.p.clear();
        self.gained.fill(0.0);
        self.rest.clone_from(&state.g);
        self.rest.scale(-1.0);
        self.precondition();
        self.way.clone_from(&self.solved);
        let mut energy = self.rest.dot(&self.solved);

        // 3. Conjugate gradient steps.
        for _ in 0..MOST {
            // The partial solution is a descent direction as well.
            if objective.is_ended() {
                break;
            }
            let bias = if objective.intercept() { self.way.b } else { 0.0 };
            let scores = &mut self.scores;
            let sum =
                state.combination.of_curved(x, c, &self.way.w, bias, scores, &mut self.turned.w);
            crate::math::kernels::axpy(l2, &self.way.w, &mut self.turned.w);
            self.turned.b = if objective.intercept() { sum } else { 0.0 };
            let curvature = self.way.dot(&self.turned);
            if !(curvature > 0.0 && curvature.is_finite()) {
                break; // no curvature: keep the partial solution
            }
            let t = energy / curvature;
            self.p.step(t, &self.way);
            for ((gained, z), y) in self.gained.iter_mut().zip(&self.scores).zip(objective.y()) {
                *gained += t * y * z;
            }
            self.rest.step(-t, &self.turned);
            if self.rest.norm_sq().sqrt() <= enough {
                break;
            }
            self.precondition();
            let next = self.rest.dot(&self.solved);
            self.way.scale(next / energy);
            self.way.step(1.0, &self.solved);
            energy = next;
        }
    }

    /// solved ← rest / diagonal.
    fn precondition(&mut self) {
        let columns = self.solved.w.iter_mut().zip(&self.rest.w).zip(&self.diagonal.w);
        columns.for_each(|((s, r), d)| *s = if *d > 0.0 { r / d } else { *r });
        self.solved.b =
            if self.diagonal.b > 0.0 { self.rest.b / self.diagonal.b } else { self.rest.b };
    }
}
