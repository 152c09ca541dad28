//! Newton's method, for few columns.
//!
//! ```text
//!   H = Σ cᵢ (xᵢ,1)(xᵢ,1)ᵀ + λ₂ I_w,   cᵢ = sᵢ ℓ″(mᵢ)/S
//!   H p = −∇F(h),     h ← h + t p
//! ```
//!
//! with t by a line search that begins at 1. H is formed in blocks and factored by Cholesky; where it is
//! singular (collinear columns without a penalty, a flat part of the loss) a tiny ridge is added, which changes
//! the path and not the goal.
//!
//! **Start.** With many more rows than columns, a sixteenth of the rows has nearly the same optimum and
//! costs a sixteenth: the method first solves that, then starts from there. What is left takes two or three
//! steps, as Newton's method doubles the right digits at each.
//!
//! # When it ends
//!
//! * The relative gap is at most tol; without a penalty, the gradient.
//! * No step lowers F: stationary, as near as doubles can tell.
//! * Without a penalty, a loss that falls for ever, and no row on the wrong side: unbounded.
//!
//! Cost of a step: two passes, the d²n/2 products of H, and d³/6 for its factor.
//! Source: Nocedal & Wright, *Numerical Optimization* (2nd ed.), §3.3 and §3.5.

use super::parts::{Line, State};
use super::{Entry, Goal, Minimiser, Minimum};
use crate::control::{Stop, Watch};
use crate::data::Plane;
use crate::math::linalg::Cholesky;
use crate::objective::Objective;

/// Newton's method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Newton;

/// Columns beyond which a dense H is refused.
const MOST_COLUMNS: usize = 5_000;

pub(super) const ENTRY: Entry = Entry {
    name: "newton",
    about: "Newton's method by Cholesky, for few columns",
    takes: &[],
    build: |_| Box::new(Newton),
};

impl Minimiser for Newton {
    fn name(&self) -> &'static str {
        ENTRY.name
    }

    fn lacks(&self, objective: &Objective<'_>) -> Option<&'static str> {
        let reasons = [
            (objective.loss().curvature_bound().is_none(), "a loss with curvature"),
            (objective.penalty().l1 > 0.0, "a penalty without l1"),
            (objective.x().d() > MOST_COLUMNS, "at most 5000 columns"),
        ];
        reasons.iter().find(|(lacks, _)| *lacks).map(|(_, what)| *what)
    }

    fn minimise(
        &self,
        objective: &Objective<'_>,
        start: Plane,
        goal: &Goal,
        watch: &mut dyn Watch,
    ) -> Minimum {
        let start = if start.is_zero() { start_from_a_part(objective, goal) } else { start };
        descend(objective, start, goal, watch)
    }
}

/// The optimum of every sixteenth row or so, where there are plenty.
fn start_from_a_part(objective: &Objective<'_>, goal: &Goal) -> Plane {
    const SHARE: usize = 16;
    const ROWS_PER_COLUMN: usize = 40;
    let (n, d) = (objective.x().n(), objective.x().d());
    let nothing = Plane::zero(d);
    if n / SHARE < ROWS_PER_COLUMN * d {
        return nothing;
    }
    let Some(part) = objective.problem().every(SHARE) else {
        return nothing;
    };
    let binary = part.binary();
    let small = objective.on(&binary);
    // As near as the part can tell: its own optimum is off by about d/n of F.
    let goal = Goal { tol: goal.tol.max(1e-3), ..*goal };
    let found = descend(&small, start_from_a_part(&small, &goal), &goal, &mut ());
    if found.stop == Stop::Optimal { found.plane } else { nothing }
}

fn descend(objective: &Objective<'_>, start: Plane, goal: &Goal, watch: &mut dyn Watch) -> Minimum {
    let mut state = State::new(objective, start);
    let mut q = vec![0.0; objective.x().n()];
    let mut epoch = 0;
    loop {
        // 1. Is there a reason to stop?
        if let Some((stop, certificate)) = state.reason(epoch, goal, watch) {
            return state.end(stop, epoch, certificate);
        }

        // 2. Where is the minimum of the parabola?
        let Some(p) = direction(&mut state) else {
            return state.end(Stop::Stationary, epoch, None);
        };

        // 3. Go there, or as far as F falls.
        objective.margins(&p, &mut q);
        let slope = state.g.dot(&p);
        let line = Line::new(objective, &state.h, &p, &q);
        let Some((t, value)) = line.search(objective, &state.m, state.value, slope, 1.0) else {
            return state.end(Stop::Stationary, epoch, None);
        };
        state.step(&line, t, value);
        epoch += 1;
    }
}

/// p = −H⁻¹ g.
fn direction(state: &mut State<'_, '_>) -> Option<Plane> {
    let objective = state.objective;
    let d = state.h.d();
    objective.curvatures(&state.m, &mut state.per_row);
    let mut hessian = objective.x().gram(&state.per_row);
    for j in 0..d {
        hessian[j * (d + 1) + j] += objective.penalty().l2;
    }
    if !objective.intercept() {
        // The bias takes no part: a row of its own with a unit diagonal.
        (0..d).for_each(|j| hessian[j * (d + 1) + d] = 0.0);
        hessian[d * (d + 1) + d] = 1.0;
    }
    let factor = Cholesky::new(&hessian, d + 1)?;
    let mut p: Vec<f64> = state.g.w.iter().chain([&state.g.b]).map(|g| -g).collect();
    factor.solve(&mut p);
    let b = p.pop()?;
    let p = Plane { w: p, b };
    p.is_finite().then_some(p)
}
