//! State of a descent: hyperplane, margins, objective, gradient, and the stopping tests.

use super::super::{SolverResult, StoppingCriteria, report_epoch};
use super::{Line, report_batch_step};
use crate::certify::OptimalityGap;
use crate::certify::gap;
use crate::control::{Observer, StopReason};
use crate::data::{Combination, Hyperplane};
use crate::objective::Objective;

/// Hyperplane with its margins, objective and gradient, always consistent with each other.
pub(in crate::solvers) struct State<'a, 'b> {
    pub objective: &'a Objective<'b>,
    pub h: Hyperplane,
    /// mᵢ.
    pub m: Vec<f64>,
    /// F(h).
    pub value: f64,
    /// ∇ of the smooth part of F.
    pub g: Hyperplane,
    /// Scratch space, a number per row.
    pub per_row: Vec<f64>,
    pub combination: Combination,
    /// ‖∇F(0)‖, computed at first use.
    reference: Option<f64>,
    /// Least F at a stopping test, and the number of tests since without a decrease.
    least: f64,
    unmoved: u32,
}

impl<'a, 'b> State<'a, 'b> {
    pub(in crate::solvers) fn new(objective: &'a Objective<'b>, start: Hyperplane) -> Self {
        let (n, d) = (objective.x().n(), objective.x().d());
        let mut m = vec![0.0; n];
        if !start.is_zero() {
            objective.margins(&start, &mut m);
        }
        let mut state = Self {
            value: objective.value(&start, &m),
            h: start,
            m,
            g: Hyperplane::zero(d),
            per_row: vec![0.0; n],
            combination: Combination::new(objective.x()),
            objective,
            reference: None,
            least: f64::INFINITY,
            unmoved: 0,
        };
        state.update_gradient();
        state
    }

    /// Recomputes the gradient: one pass.
    pub(in crate::solvers) fn update_gradient(&mut self) {
        self.objective.residuals(&self.m, &mut self.per_row);
        let (combination, g) = (&mut self.combination, &mut self.g);
        self.objective.gradient(&self.h, &self.per_row, combination, g);
    }

    /// Steps along a line by t, and recomputes the gradient.
    pub(in crate::solvers) fn step(&mut self, line: &Line<'_>, t: f64, value: f64) {
        self.h.step(t, line.p);
        self.m.iter_mut().zip(line.q).for_each(|(m, q)| *m += t * q);
        self.value = value;
        self.update_gradient();
    }

    /// Reports to the observer, and returns the first stop reason that holds.
    pub(in crate::solvers) fn reason(
        &mut self,
        epoch: u64,
        goal: &StoppingCriteria,
        watch: &mut dyn Observer,
    ) -> Option<(StopReason, Option<OptimalityGap>)> {
        let right = |y: f64, z: f64| y * z > 0.0;
        report_batch_step(watch, self.objective.problem(), epoch, &self.h, self.value, right);
        let certificate = self.certificate(goal);
        let relative = certificate.as_ref().and_then(OptimalityGap::relative_gap);
        let go_on = report_epoch(watch, epoch, goal, self.value, relative);
        let reasons = [
            (
                !self.value.is_finite() || !self.g.is_finite() || !self.h.is_finite(),
                StopReason::Diverged,
            ),
            (self.has_no_minimum(), StopReason::NoMinimum),
            (certificate.is_some_and(|c| c.reaches(goal.tol)), StopReason::Optimal),
            (
                certificate.is_some_and(|c| c.is_at_the_floor()) || self.is_stuck(),
                StopReason::Stalled,
            ),
            (!go_on, StopReason::Interrupted),
            (epoch >= goal.budget.epochs, StopReason::IterationLimit),
        ];
        let stop = reasons.iter().find(|(holds, _)| *holds)?.1;
        Some((stop, certificate))
    }

    /// Computes the certificate, always if the gradient implies it: without a penalty, or with λ₂
    /// and no intercept. Else a rigorous gap costs a pass, taken only if an estimate is within the
    /// tolerance.
    fn certificate(&mut self, goal: &StoppingCriteria) -> Option<OptimalityGap> {
        let objective = self.objective;
        if self.value == 0.0 {
            // F ≥ 0, so this is a minimum.
            let bounded = objective.penalty().is_some();
            let bound = OptimalityGap::with_bound(0.0, 0.0);
            return Some(if bounded { bound } else { OptimalityGap::with_gradient(0.0, 0.0) });
        }
        if !objective.penalty().is_some() {
            let norm = objective.stationarity(&self.h, &self.g);
            let reference = *self.reference.get_or_insert_with(|| gap::gradient_at_zero(objective));
            return Some(OptimalityGap::with_gradient(self.value, norm / reference));
        }
        let likely = if objective.penalty().l2 > 0.0 {
            gap::from_gradient(objective, &self.h, &self.g)
        } else {
            gap::estimate(objective, &self.m, &self.g, self.value)
        };
        if objective.penalty().l2 > 0.0 && !objective.intercept() {
            return Some(OptimalityGap::with_gap(self.value, likely));
        }
        (likely <= goal.tol * self.value)
            .then(|| gap::certify(objective, &self.h, &self.m, &mut self.combination))
    }

    /// Whether F has not fallen for more than 30 tests.
    fn is_stuck(&mut self) -> bool {
        const PATIENCE: u32 = 30;
        self.unmoved = if self.value < self.least { 0 } else { self.unmoved + 1 };
        self.least = self.least.min(self.value);
        self.unmoved > PATIENCE && self.objective.loss().curvature_bound().is_some()
    }

    /// Whether F has no minimum: no penalty, a loss without a minimum, and every row classified
    /// correctly, so larger coefficients always lower F.
    fn has_no_minimum(&self) -> bool {
        let free = !self.objective.penalty().is_some() && !self.objective.loss().has_minimum();
        free && self.m.iter().zip(self.objective.s()).all(|(m, s)| *m > 0.0 || *s == 0.0)
    }

    /// Returns the result; a hyperplane with a number that is not finite is replaced by zero.
    pub(in crate::solvers) fn end(
        mut self,
        stop: StopReason,
        epochs: u64,
        known: Option<OptimalityGap>,
    ) -> SolverResult {
        let objective = self.objective;
        if !self.h.is_finite() || !self.value.is_finite() {
            self.h = Hyperplane::zero(self.h.d());
            self.m.fill(0.0);
        }
        let finite = known.filter(|known| known.primal.is_finite());
        let certificate = match finite {
            Some(known) => known,
            // 0 is always a lower bound.
            None if objective.is_over() => OptimalityGap::with_bound(self.value, 0.0),
            None => gap::certify(objective, &self.h, &self.m, &mut self.combination),
        };
        SolverResult { hyperplane: self.h, stop, epochs, certificate, alpha: None, margins: None }
    }
}
