//! Newton's method, for few features.
//!
//! ```text
//!   H = Σ cᵢ (xᵢ,1)(xᵢ,1)ᵀ + λ₂ I_w,   cᵢ = sᵢ ℓ″(mᵢ)/S
//!   H p = −∇F(h),     h ← h + t p
//! ```
//!
//! with t by a line search that starts at 1. With λ₁ the quadratic model keeps the L1 term: p
//! minimizes ½ pᵀHp + g·p + λ₁‖w + p‖₁, by coordinate descent on the dense H ([`L1Quadratic`]). F
//! must then fall by a hundredth of the predicted decrease.
//!
//! H is formed in blocks and factored by Cholesky. Where H is singular (collinear features without
//! a penalty, a flat part of the loss) a tiny ridge is added, which changes the path but not the
//! minimizer. After a step that fails or is shortened for lack of curvature, the next quadratic
//! model has more curvature (`Damping`). With the largest possible curvature F always falls.
//!
//! **Start.** With many more rows than features, a sixteenth of the rows has nearly the same
//! optimum at a sixteenth of the cost. The method first solves that subproblem and starts from its
//! solution. Two or three iterations remain, as Newton's method doubles the number of correct
//! digits in each.
//!
//! The exception is a feature that is nonzero in few rows. In the subset these rows may have one
//! class by chance, and the coefficient diverges there. On all rows the return crosses flat parts
//! of the loss, in short steps. So the subset contains *all* rows that dominate a feature, with
//! weight 1. Such a row has more than a hundredth of Σ xᵢⱼ² over the drawn rows. Of the others it
//! has one in sixteen, with weight 16. The expected loss of the subset is the loss of all rows.
//!
//! # Termination
//!
//! * The relative gap is at most tol; without a penalty, the gradient.
//! * No step lowers F, not even with the largest curvature: stationary, at the precision of
//!   doubles.
//! * No penalty, a loss without a minimum, and no misclassified row: unbounded.
//!
//! Cost of an iteration: two passes, the d²n/2 products of H, and d³/6 for its factor.
//! Source: Nocedal & Wright, *Numerical Optimization* (2nd ed.), §3.3 and §3.5; Lee, Sun &
//! Saunders, *Proximal Newton-type methods for minimizing composite functions*, SIAM J. Optim. 24
//! (2014), for λ₁.

use super::parts::{Damping, L1Quadratic, Line, State, floor, halve, work};
use super::{Requirement, Solver, SolverResult, StoppingCriteria};
use crate::certify::OptimalityGap;
use crate::control::{Observer, StopReason};
use crate::data::{Design, Hyperplane, Label, Labels, Problem, Rows, on_rows};
use crate::math::kernels::{self, Value};
use crate::math::linalg::Cholesky;
use crate::math::parallel::map_blocks;
use crate::math::rng::Rng;
use crate::objective::Objective;

/// Newton's method.
pub(super) struct Newton;

impl Solver for Newton {
    fn name(&self) -> &'static str {
        "newton"
    }

    fn about(&self) -> &'static str {
        "Newton's method (Cholesky), for few features"
    }

    fn needs(&self) -> &'static [Requirement] {
        &[Requirement::Curvature, Requirement::FewColumns]
    }

    /// 7 steps of 4 passes, H and its factor.
    fn work(&self, objective: &Objective<'_>, _: &StoppingCriteria) -> f64 {
        let step = 4.0 * work::pass(objective)
            + work::hessian(objective)
            + work::factor(objective.x().d() as f64);
        work::more_if_flat(objective, 10.0) * 7.0 * step
    }

    fn solve(
        &self,
        objective: &Objective<'_>,
        start: Hyperplane,
        goal: &StoppingCriteria,
        watch: &mut dyn Observer,
    ) -> SolverResult {
        let cold = start.is_zero();
        let start = if cold { start_from_a_part(objective, goal) } else { start };
        let warm = cold && !start.is_zero();
        let found = descend(objective, start, goal, 0.0, watch);
        // At a stop before the first iteration, the epochs on the subset count as one.
        let epochs = if found.stop == StopReason::Interrupted && warm {
            found.epochs.max(1)
        } else {
            found.epochs
        };
        SolverResult { epochs, ..found }
    }
}

/// Minimizes over a subset of the rows, if there are enough; else returns zero.
fn start_from_a_part(objective: &Objective<'_>, goal: &StoppingCriteria) -> Hyperplane {
    let nothing = Hyperplane::zero(objective.x().d());
    let Some((rows, s)) = choose_part(objective).filter(|_| !objective.is_ended()) else {
        return nothing;
    };
    let x = objective.x().select_rows(&rows);
    let codes: Vec<u32> = rows.iter().map(|&i| u32::from(objective.y()[i] > 0.0)).collect();
    let labels = Labels::from_codes(&[Label::Number(-1.0), Label::Number(1.0)], &codes);
    // A subset of one class gives no start.
    let Ok(part) = Problem::new(&x, &labels, Some(s)) else {
        return nothing;
    };
    let binary = part.against_rest(1);
    let small = objective.on(&binary);
    // A loose tolerance: the optimum of the subset itself differs by about d/2n of F. A certificate
    // would take further iterations, without a benefit here.
    let goal = StoppingCriteria { tol: goal.tol.max(1e-3), ..*goal };
    let near = 0.5 * x.d() as f64 / x.n() as f64;
    let found =
        descend(&small, start_from_a_part(&small, &goal), &goal, near, &mut objective.cancel());
    if matches!(found.stop, StopReason::Optimal | StopReason::Interrupted) {
        found.hyperplane
    } else {
        nothing
    }
}

/// Returns a subset of the rows and its sample weights: one row in sixteen (or four), and all rows
/// that dominate a feature. `None` if that is too few rows or too many.
fn choose_part(objective: &Objective<'_>) -> Option<(Vec<usize>, Vec<f64>)> {
    const SHARES: [usize; 2] = [16, 4];
    const ROWS_PER_COLUMN: usize = 40;
    let (x, s) = (objective.x(), objective.s());
    let share = SHARES.into_iter().find(|share| x.n() / share >= ROWS_PER_COLUMN * x.d())?;
    let mut rng = Rng::new(share as u64, x.n() as u64);
    let one_of = |block: usize| block * share + rng.below(share as u64) as usize;
    let drawn: Vec<usize> = (0..x.n() / share).map(one_of).collect();
    let alone = rows_alone(x, &drawn);
    let common = drawn.into_iter().filter(|i| alone.binary_search(i).is_err());
    let mut rows: Vec<(usize, f64)> = common.map(|i| (i, s[i] * share as f64)).collect();
    rows.extend(alone.iter().map(|&i| (i, s[i])));
    (rows.len() <= x.n() / 2).then(|| rows.into_iter().unzip())
}

/// Returns the rows with an xᵢⱼ² above a hundredth of Σ xᵢⱼ² over the drawn rows, for any j,
/// ascending.
pub(crate) fn rows_alone(x: &Design, drawn: &[usize]) -> Vec<usize> {
    const FEW: f64 = 100.0;
    const BLOCK: usize = 2048;
    let mut most = vec![0.0; x.d()];
    on_rows!(x, x => drawn.iter().for_each(|&i| x.axpy_squares(1.0 / FEW, i, &mut most)));
    let blocks = map_blocks(x.n(), BLOCK, |rows| {
        let is_alone = |i: &usize| {
            let mut alone = false;
            on_rows!(x, x => x.each(*i, |j, v| alone |= v.get() * v.get() > most[j]));
            alone
        };
        rows.filter(is_alone).collect::<Vec<usize>>()
    });
    blocks.concat()
}

/// Iterates to a stop reason, or until a step predicts a decrease below the share `near` of F; that
/// stop is reported as `Interrupted`.
fn descend(
    objective: &Objective<'_>,
    start: Hyperplane,
    goal: &StoppingCriteria,
    near: f64,
    watch: &mut dyn Observer,
) -> SolverResult {
    let mut state = State::new(objective, start);
    let mut q = vec![0.0; objective.x().n()];
    let mut damping = Damping::default();
    let mut epoch = 0;
    loop {
        // 1. Is there a reason to stop?
        if let Some((stop, certificate)) = state.reason(epoch, goal, watch) {
            let there = matches!(stop, StopReason::Optimal | StopReason::Stalled);
            let smooth = objective.penalty().l1 == 0.0;
            if there && smooth && goal.tol < FINE && polish(&mut state, &mut q) {
                return state.end(stop, epoch + 1, None);
            }
            return state.end(stop, epoch, certificate);
        }

        // 2. Minimize the quadratic model; if F does not fall in that direction, a steeper model.
        let promised = loop {
            if let Some(promised) = advance(&mut state, &mut q, &mut damping, epoch) {
                break promised;
            }
            if objective.is_ended() {
                return state.end(StopReason::Interrupted, epoch, None);
            }
            if !damping.stiffen() {
                return state.end(StopReason::Stalled, epoch, None);
            }
        };
        epoch += 1;
        if promised < near * state.value {
            let unknown = OptimalityGap::with_bound(state.value, f64::NEG_INFINITY);
            return state.end(StopReason::Interrupted, epoch, Some(unknown));
        }
    }
}

/// Steps to the minimizer of the quadratic model, or as far as F falls; `None` if F does not fall.
///
/// Returns the predicted decrease if it is reliable (no L1 term, full step), else ∞.
fn advance(
    state: &mut State<'_, '_>,
    q: &mut [f64],
    damping: &mut Damping,
    epoch: u64,
) -> Option<f64> {
    let objective = state.objective;
    let corners = objective.penalty().l1 > 0.0;
    let p = if corners {
        direction_by_corners(state, *damping, epoch)
    } else {
        direction(state, *damping)
    };
    let p = p?;
    objective.margins(&p, q);
    let line = Line::new(objective, &state.h, &p, q);
    let went = if corners {
        search_by_corners(state, &line)
    } else {
        line.search(objective, &state.m, state.value, state.g.dot(&p), 1.0)
    };
    let (t, value) = went?;
    let promised = if corners || t < 1.0 { f64::INFINITY } else { -0.5 * state.g.dot(&p) };
    // On flat parts of a loss a short step shows a lack of curvature; λ₂ alone supplies enough.
    let flat = objective.loss().flat().1.is_finite() && objective.penalty().l2 == 0.0;
    if corners || flat || damping.share() > 0.0 {
        damping.learn(t);
    }
    state.step(&line, t, value);
    Some(promised)
}

/// Tolerances below this require the full precision of doubles.
const FINE: f64 = 1e-12;

/// Takes a last Newton step at the precision of F. Rounding hides changes of F once w is within
/// about √ε of the optimum, but not changes of the gradient. The step is kept if ‖∇F‖ falls.
fn polish(state: &mut State<'_, '_>, q: &mut [f64]) -> bool {
    let Some(p) = direction(state, Damping::default()) else { return false };
    let (before, h, m) = (state.g.norm_sq(), state.h.clone(), state.m.clone());
    state.objective.margins(&p, q);
    let line = Line::new(state.objective, &state.h, &p, q);
    state.step(&line, 1.0, state.value);
    let better = state.g.norm_sq() < before;
    if !better {
        (state.h, state.m) = (h, m);
        state.update_gradient();
    }
    state.value = state.objective.value(&state.h, &state.m);
    better
}

/// Computes the lower triangle of H by columns, damped by a share of the largest curvature.
///
/// `None` if the run is to end.
fn hessian(state: &mut State<'_, '_>, damping: Damping) -> Option<Vec<f64>> {
    let objective = state.objective;
    let d = state.h.d();
    objective.curvatures(&state.m, &mut state.per_row);
    damping.add_to(objective, &mut state.per_row);
    let mut hessian = objective.x().gram_until(&state.per_row, &objective.cancel())?;
    for j in 0..d {
        hessian[j * (d + 1) + j] += objective.penalty().l2;
    }
    if !objective.intercept() {
        // No intercept: a row of the identity.
        (0..d).for_each(|j| hessian[j * (d + 1) + d] = 0.0);
        hessian[d * (d + 1) + d] = 1.0;
    }
    Some(hessian)
}

/// p = −H⁻¹ g.
fn direction(state: &mut State<'_, '_>, damping: Damping) -> Option<Hyperplane> {
    let d = state.h.d();
    let hessian = hessian(state, damping)?;
    let factor = state.objective.cancel().wait(move || Cholesky::new(&hessian, d + 1)).flatten()?;
    let mut p: Vec<f64> = state.g.w.iter().chain([&state.g.b]).map(|g| -g).collect();
    factor.solve(&mut p);
    let b = p.pop()?;
    let p = Hyperplane { w: p, b };
    p.is_finite().then_some(p)
}

/// Solves for p with λ₁, to a thousandth of the initial violation: an iteration still gains three
/// digits.
fn direction_by_corners(
    state: &mut State<'_, '_>,
    damping: Damping,
    epoch: u64,
) -> Option<Hyperplane> {
    const SHARE: f64 = 1e-3;
    const SWEEPS: usize = 1000;
    let (objective, wide) = (state.objective, state.h.d() + 1);
    let mut square = hessian(state, damping)?;
    if let Some(c) = floor(objective) {
        let mut least = vec![0.0; wide - 1];
        state.combination.of_squares(objective.x(), &c, &mut least);
        for (j, least) in least.into_iter().enumerate() {
            square[j * wide + j] = square[j * wide + j].max(least);
        }
    }
    for j in 0..wide {
        for k in 0..j {
            square[j * wide + k] = square[k * wide + j];
        }
    }
    let (h, g) = (&state.h, &state.g);
    let slopes = g.w.iter().copied().chain([g.b]).collect();
    let at: Vec<f64> = h.w.iter().copied().chain([h.b]).collect();
    let honest = state.per_row.iter().all(|c| *c > 0.0);
    let l1 = objective.penalty().l1;
    let mut parabola =
        L1Quadratic { square, slopes, at, l1, bias: true, has_full_curvature: honest };
    let tol = SHARE * parabola.largest_violation();
    parabola.descend(tol, &mut Rng::new(wide as u64, epoch), SWEEPS, &objective.cancel());
    let mut p = parabola.at;
    p.iter_mut().zip(h.w.iter().chain([&h.b])).for_each(|(p, h)| *p -= h);
    let b = p.pop()?;
    let p = Hyperplane { w: p, b };
    (p.is_finite() && !p.is_zero()).then_some(p)
}

/// Line search with an L1 term; returns the step length and F there.
fn search_by_corners(state: &State<'_, '_>, line: &Line<'_>) -> Option<(f64, f64)> {
    let (objective, p) = (state.objective, line.p);
    let mut trial = state.h.w.clone();
    let mut penalty_at = |t: f64| {
        trial.iter_mut().zip(&state.h.w).zip(&p.w).for_each(|((v, w), p)| *v = w + t * p);
        objective.penalty().value(&trial)
    };
    // g is the gradient of the smooth part with λ₂, so only the λ₁ term is added.
    let l2 = objective.penalty().l2;
    let bent = 0.5 * l2 * kernels::norm_sq(&p.w) + l2 * kernels::dot(&state.h.w, &p.w);
    let promised = state.g.dot(p) + penalty_at(1.0) - penalty_at(0.0) - bent;
    halve(state.value, promised, |t| objective.along(&state.m, line.q, t)[0] + penalty_at(t))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss::Logistic;
    use crate::penalty::Penalty;

    /// 30 of 4000 rows have a feature: the subset contains all of them and represents all rows.
    #[test]
    fn the_subset_contains_every_row_that_dominates_a_feature() {
        let n = 4000;
        let is_alone = |i: usize| i % 133 == 5 && i < 133 * 30;
        let sign = |i: usize| if i.is_multiple_of(3) { 1.0 } else { -1.0 };
        let values = (0..n).flat_map(|i| [sign(i), if is_alone(i) { 7.0 } else { 0.0 }]).collect();
        let x = Design::dense(n, 2, values).unwrap();
        let labels = Labels::parse((0..n).map(|i| if i % 2 == 0 { "a" } else { "b" }));
        let problem = Problem::new(&x, &labels, None).unwrap();
        let binary = problem.against_rest(1);
        let objective = Objective::new(&binary, &Logistic, Penalty::l2(1e-3), true).unwrap();

        let (rows, s) = choose_part(&objective).unwrap();
        let weight = |i: usize| rows.iter().position(|&row| row == i).map(|at| s[at]);
        assert!((0..n).filter(|&i| is_alone(i)).all(|i| weight(i) == Some(1.0)));
        assert!(rows.iter().zip(&s).all(|(&i, &s)| is_alone(i) || s == 16.0));
        let total: f64 = s.iter().sum();
        assert!((total / n as f64 - 1.0).abs() < 0.05, "{total}");
        let mut unique = rows.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), rows.len(), "no row twice");
    }
}
