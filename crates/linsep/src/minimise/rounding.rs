//! A loss with a corner, whose corner is rounded off less and less: for any penalty, L1 among them.
//!
//! ```text
//!   ℓ_γ(m) = max over 0 ≤ α ≤ 1 of −ℓ*(−α) − αm − γα²/2
//! ```
//!
//! has a slope everywhere, curvature 1/γ around the corner, and lies below ℓ by γ/2 at most. What is the least of it is found by the way that should be fastest for
//! a loss with curvature. There `α = −ℓ_γ′(m)` lies in ℓ's own range, so it gives a bound on the **true** criterion: a row in the rounded part
//! adds γα(1−α) to the gap, all others nothing. So each stage ends with a rigorous gap, from which the next γ follows; it begins
//! where the last one ended. At the optimum about as many rows are at the corner as weights are not zero, few among many, so γ need not be small.
//!
//! # When it ends
//!
//! When the relative gap of the true criterion is at most tol (without a penalty: the near-gradient that α tells of,
//! [`by_subgradient`](gap::by_subgradient)), when γ is too small for doubles to tell, or with the budget, counted in the
//! epochs of the ways that are used.
//!
//! Source: Nesterov, *Smooth minimization of non-smooth functions*, Math. Program. 103 (2005).

use super::parts::best_bias;
use super::{Entry, Goal, Minimiser, Minimum, Need, Options, choose, tell};
use crate::certify::{Certificate, gap};
use crate::control::{Budget, Cancel, Epoch, Stop, Watch};
use crate::data::{Combination, Plane};
use crate::loss::Rounded;
use crate::objective::Objective;

/// Rounds the corner off less and less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rounding {
    /// Seed of the ways that are used.
    pub seed: u64,
}

pub(super) const ENTRY: Entry = Entry {
    name: "smoothing",
    about: "the corner of the loss rounded off, less and less, for any penalty",
    takes: &[],
    build: |options| Box::new(Rounding { seed: options.seed.unwrap_or_default() }),
};

/// The first γ.
pub(super) const FIRST: f64 = 0.25;
/// The least γ that rounding does not drown.
const LEAST: f64 = 1e-10;
/// A stage is worked out to this share of γ, as the corner costs about as much as that.
const CARE: f64 = 0.02;
/// By what γ falls from stage to stage: within these.
const FALL: (f64, f64) = (1.0 / 16.0, 1.0 / 4.0);

impl Minimiser for Rounding {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn needs(&self) -> &'static [Need] {
        &[Need::Corner]
    }

    fn minimise(
        &self,
        objective: &Objective<'_>,
        start: Plane,
        goal: &Goal,
        watch: &mut dyn Watch,
    ) -> Minimum {
        let mut combination = Combination::new(objective.x());
        let mut m = vec![0.0; objective.x().n()];
        objective.margins(&start, &mut m);
        let mut best = gap::certify(objective, &start, &m, &mut combination);
        let (mut plane, mut from, mut alpha) = (start.clone(), start, None);
        let (mut gamma, mut epoch, mut asked) = (FIRST, 0, false);
        loop {
            // 1. Is there a reason to stop?
            let go_on = tell(watch, epoch, goal, best.primal, best.relative_gap());
            let reasons = [
                (!best.primal.is_finite(), Stop::Diverged),
                (best.reaches(goal.tol), Stop::Optimal),
                (best.is_at_the_floor() || gamma < LEAST, Stop::Stationary),
                (asked || !go_on, Stop::Asked),
                (epoch >= goal.budget.epochs, Stop::Budget),
            ];
            if let Some(&(_, stop)) = reasons.iter().find(|(holds, _)| *holds) {
                return Minimum {
                    plane,
                    stop,
                    epochs: epoch,
                    certificate: best,
                    alpha,
                    margins: None,
                };
            }

            // 2. The least of the rounded criterion.
            let loss = Rounded::new(objective.loss(), gamma);
            let rounded = objective.with_loss(&loss);
            let stage = Goal {
                tol: (CARE * gamma).min(1e-2).max(0.1 * goal.tol),
                budget: Budget::epochs(goal.budget.epochs - epoch),
            };
            let options = Options { seed: Some(self.seed), ..Options::default() };
            let way = choose("auto", &rounded, &stage, &options);
            let way = way.expect("a loss with curvature and a penalty can be minimised");
            let mut within = Within { watch, done: epoch, of: goal.budget.epochs };
            let found = way.minimise(&rounded, from, &stage, &mut within);
            epoch += found.epochs.max(1);
            asked = found.stop == Stop::Asked;

            // 3. What that proves of the true one.
            let judged = judge(objective, &rounded, &found, &mut combination);
            if objective.penalty().is_some() {
                let known = best.dual.map_or(f64::NEG_INFINITY, |dual| dual.value);
                if judged.bound > known {
                    alpha = Some(judged.alpha);
                }
                if judged.value < best.primal {
                    plane = judged.plane;
                }
                let value = judged.value.min(best.primal);
                best = Certificate::with_bound(value, judged.bound.max(known));
            } else if judged.value < best.primal {
                let judged = (judged.plane, judged.value);
                (plane, best) = free(objective, &rounded, judged, &mut combination);
            }
            from = found.plane;

            // 4. As the gap is about in proportion to γ, so much less of it should do.
            let left = best.relative_gap().or(best.gradient).unwrap_or(1.0);
            let wanted = 0.7 * goal.tol / left.max(goal.tol);
            gamma *= wanted.clamp(FALL.0, FALL.1);
        }
    }
}

/// What a stage says of the true criterion.
struct Judged {
    /// The plane with the best bias for the true loss, and its value.
    plane: Plane,
    value: f64,
    /// The α of the rounded loss, and its bound.
    alpha: Vec<f64>,
    bound: f64,
}

fn judge(
    objective: &Objective<'_>,
    rounded: &Objective<'_>,
    found: &Minimum,
    combination: &mut Combination,
) -> Judged {
    let n = objective.x().n();
    let (mut m, mut room) = (vec![0.0; n], vec![0.0; n]);
    objective.margins(&found.plane, &mut m);
    let mut alpha = found.alpha.clone().unwrap_or_else(|| {
        let mut alpha = vec![0.0; n];
        gap::alpha_of_margins(rounded, &m, &mut alpha);
        alpha
    });
    let mut u = vec![0.0; found.plane.d()];
    let bound = gap::dual_value(objective, &mut alpha, combination, &mut u, &mut room);
    let mut plane = found.plane.clone();
    if objective.intercept() {
        let shift = best_bias(objective, &m);
        plane.b += shift;
        m.iter_mut().zip(objective.y()).for_each(|(m, y)| *m += shift * y);
    }
    let value = objective.value(&plane, &m);
    Judged { plane, value, alpha, bound }
}

/// The same without a penalty: what α says of the plane, which is made longer where that makes F vanish.
fn free(
    objective: &Objective<'_>,
    rounded: &Objective<'_>,
    (plane, value): (Plane, f64),
    combination: &mut Combination,
) -> (Plane, Certificate) {
    let mut m = vec![0.0; objective.x().n()];
    objective.margins(&plane, &mut m);
    if let Some(longer) = gap::stretched(objective, &plane, &m) {
        objective.margins(&longer, &mut m);
        let value = objective.value(&longer, &m);
        if value == 0.0 {
            return (longer, Certificate::with_gradient(value, 0.0));
        }
        objective.margins(&plane, &mut m);
    }
    let mut alpha = vec![0.0; m.len()];
    gap::alpha_of_margins(rounded, &m, &mut alpha);
    (plane, gap::by_subgradient(objective, value, &m, &alpha, combination))
}

/// Who looks on hears of one run.
struct Within<'a> {
    watch: &'a mut dyn Watch,
    done: u64,
    of: u64,
}

impl Watch for Within<'_> {
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
