//! Smoothing: a loss with a kink is replaced by ever closer smooth ones. For any penalty, L1
//! included.
//!
//! ```text
//!   ℓ_γ(m) = max over 0 ≤ α ≤ 1 of −ℓ*(−α) − αm − γα²/2
//! ```
//!
//! has a slope everywhere and curvature 1/γ around the kink, and lies below ℓ by at most γ/2. The
//! cheapest solver for a loss with curvature minimizes the smoothed objective.
//!
//! There `α = −ℓ_γ′(m)` lies in the dual range of ℓ, so it gives a lower bound on the **true**
//! objective. A row in the smoothed part adds γα(1−α) to the gap, all others nothing. So each stage
//! ends with a rigorous gap, which determines the next γ. Each stage starts from the solution of
//! the one before. At the optimum about as many rows are at the kink as coefficients are nonzero.
//! They are few among many rows, so γ need not be small.
//!
//! # Termination
//!
//! The relative gap of the true objective is at most tol. Without a penalty, the norm of the
//! subgradient built from α is tested instead ([`by_subgradient`](gap::by_subgradient)). The run
//! also ends when γ reaches the rounding error of doubles, or at the iteration limit, counted in
//! epochs of the inner solvers.
//!
//! Source: Nesterov, *Smooth minimization of non-smooth functions*, Math. Program. 103 (2005).

use super::parts::shift_intercept;
use super::{
    Options, Requirement, Solver, SolverResult, StoppingCriteria, candidates, choose, report_epoch,
};
use crate::certify::{OptimalityGap, gap};
use crate::control::{Budget, Cancel, Epoch, Observer, StopReason};
use crate::data::{Combination, Hyperplane};
use crate::loss::SmoothedLoss;
use crate::objective::Objective;
use crate::options;

/// Smoothing of the kink by a decreasing γ.
pub(super) struct Smoothing {
    /// Seed of the inner solvers.
    seed: u64,
}

impl Smoothing {
    pub(super) fn with(options: &Options) -> Self {
        Self { seed: options.seed.unwrap_or_default() }
    }
}

/// First γ.
const FIRST: f64 = 0.25;
/// Smallest γ; below it rounding errors dominate.
const LEAST: f64 = 1e-10;
/// Tolerance of a stage as a share of γ; the smoothing itself costs about as much.
const CARE: f64 = 0.02;
/// Range of the factor of γ from stage to stage.
const FALL: (f64, f64) = (1.0 / 16.0, 1.0 / 4.0);

impl Solver for Smoothing {
    fn name(&self) -> &'static str {
        "smoothing"
    }

    fn about(&self) -> &'static str {
        "minimizes smoothed losses with γ → 0, for any penalty"
    }

    fn needs(&self) -> &'static [Requirement] {
        &[Requirement::Kink]
    }

    /// 5 times the best solver for the smoothed loss; 50 times with L1 or without a penalty.
    fn work(&self, objective: &Objective<'_>, goal: &StoppingCriteria) -> f64 {
        let loss = SmoothedLoss::new(objective.loss(), FIRST);
        let inner = &candidates(&objective.with_loss(&loss), goal)[0];
        let times = if objective.penalty().is_l2_alone() { 5.0 } else { 50.0 };
        times * inner.work.as_ref().map_or(f64::INFINITY, |billions| billions * 1e9)
    }

    fn solve(
        &self,
        objective: &Objective<'_>,
        start: Hyperplane,
        goal: &StoppingCriteria,
        watch: &mut dyn Observer,
    ) -> SolverResult {
        let mut combination = Combination::new(objective.x());
        let mut m = vec![0.0; objective.x().n()];
        objective.margins(&start, &mut m);
        let mut best = gap::certify(objective, &start, &m, &mut combination);
        let (mut hyperplane, mut from, mut alpha) = (start.clone(), start, None);
        let (mut gamma, mut epoch, mut asked) = (FIRST, 0, false);
        loop {
            // 1. Is there a reason to stop?
            let go_on = report_epoch(watch, epoch, goal, best.primal, best.relative_gap());
            let reasons = [
                (!best.primal.is_finite(), StopReason::Diverged),
                (best.reaches(goal.tol), StopReason::Optimal),
                (best.is_at_the_floor() || gamma < LEAST, StopReason::Stalled),
                (asked || !go_on, StopReason::Interrupted),
                (epoch >= goal.budget.epochs, StopReason::IterationLimit),
            ];
            if let Some(&(_, stop)) = reasons.iter().find(|(holds, _)| *holds) {
                return SolverResult {
                    hyperplane,
                    stop,
                    epochs: epoch,
                    certificate: best,
                    alpha,
                    margins: None,
                };
            }

            // 2. Minimize the smoothed objective.
            let loss = SmoothedLoss::new(objective.loss(), gamma);
            let rounded = objective.with_loss(&loss);
            let stage = StoppingCriteria {
                tol: (CARE * gamma).min(1e-2).max(0.1 * goal.tol),
                budget: Budget::epochs(goal.budget.epochs - epoch),
            };
            let options = Options { seed: Some(self.seed), ..Options::default() };
            let way = choose(options::Solver::Auto, &rounded, &stage, &options);
            let way = way.expect("a solver exists for a smooth loss with a penalty");
            let mut within = Within { watch, done: epoch, of: goal.budget.epochs };
            let found = way.solve(&rounded, from, &stage, &mut within);
            epoch += found.epochs.max(1);
            asked = found.stop == StopReason::Interrupted;

            // 3. Certify the result for the true objective.
            let evaluated = evaluate(objective, &rounded, &found, &mut combination);
            if objective.penalty().is_some() {
                let known = best.dual.map_or(f64::NEG_INFINITY, |dual| dual.value);
                if evaluated.bound > known {
                    alpha = Some(evaluated.alpha);
                }
                if evaluated.value < best.primal {
                    hyperplane = evaluated.hyperplane;
                }
                let value = evaluated.value.min(best.primal);
                best = OptimalityGap::with_bound(value, evaluated.bound.max(known));
            } else if evaluated.value < best.primal {
                let evaluated = (evaluated.hyperplane, evaluated.value);
                (hyperplane, best) = free(objective, &rounded, evaluated, &mut combination);
            }
            from = found.hyperplane;

            // 4. The gap is about proportional to γ, which gives the γ that would reach tol.
            let left = best.relative_gap().or(best.gradient).unwrap_or(1.0);
            let wanted = 0.7 * goal.tol / left.max(goal.tol);
            gamma *= wanted.clamp(FALL.0, FALL.1);
        }
    }
}

/// Result of a stage, evaluated on the true objective.
struct StageResult {
    /// Hyperplane with the best intercept for the true loss, and its objective.
    hyperplane: Hyperplane,
    value: f64,
    /// α of the smoothed loss, and its lower bound.
    alpha: Vec<f64>,
    bound: f64,
}

fn evaluate(
    objective: &Objective<'_>,
    rounded: &Objective<'_>,
    found: &SolverResult,
    combination: &mut Combination,
) -> StageResult {
    let n = objective.x().n();
    let (mut m, mut room) = (vec![0.0; n], vec![0.0; n]);
    objective.margins(&found.hyperplane, &mut m);
    let mut alpha = found.alpha.clone().unwrap_or_else(|| {
        let mut alpha = vec![0.0; n];
        gap::alpha_of_margins(rounded, &m, &mut alpha);
        alpha
    });
    let mut u = vec![0.0; found.hyperplane.d()];
    let bound = gap::dual_value(objective, &mut alpha, combination, &mut u, &mut room);
    let mut hyperplane = found.hyperplane.clone();
    shift_intercept(objective, &mut hyperplane, &mut m);
    let value = objective.value(&hyperplane, &m);
    StageResult { hyperplane, value, alpha, bound }
}

/// Certifies a hyperplane without a penalty, by the subgradient from α. The hyperplane is scaled up
/// if F vanishes there.
fn free(
    objective: &Objective<'_>,
    rounded: &Objective<'_>,
    (hyperplane, value): (Hyperplane, f64),
    combination: &mut Combination,
) -> (Hyperplane, OptimalityGap) {
    let mut m = vec![0.0; objective.x().n()];
    objective.margins(&hyperplane, &mut m);
    if let Some(longer) = gap::scaled_to_zero_loss(objective, &hyperplane, &m) {
        objective.margins(&longer, &mut m);
        let value = objective.value(&longer, &m);
        if value == 0.0 {
            return (longer, OptimalityGap::with_gradient(value, 0.0));
        }
        objective.margins(&hyperplane, &mut m);
    }
    let mut alpha = vec![0.0; m.len()];
    gap::alpha_of_margins(rounded, &m, &mut alpha);
    (hyperplane, gap::by_subgradient(objective, value, &m, &alpha, combination))
}

/// Observer that counts the epochs of all stages as one run.
struct Within<'a> {
    watch: &'a mut dyn Observer,
    done: u64,
    of: u64,
}

impl Observer for Within<'_> {
    fn epoch(&mut self, now: &Epoch) -> bool {
        self.watch.epoch(&Epoch { epoch: self.done + now.epoch, of: self.of, ..*now })
    }

    fn cancel(&self) -> Cancel {
        self.watch.cancel()
    }

    fn share(&mut self, left: usize, lanes: usize) -> Cancel {
        self.watch.share(left, lanes)
    }
}
