//! Newton's method for softmax regression, each step by conjugate gradients.
//!
//! ```text
//!   H V = Σ (sᵢ/S) (xᵢ, 1) (pᵢ∘(uᵢ − pᵢ·uᵢ))ᵀ + λ V_w,     uᵢ = V ᵀ(xᵢ, 1)
//! ```
//!
//! takes one pass: a block of rows is multiplied by V, by the curvature in the scores, and by the
//! rows again. H P = −∇F is solved inexactly ([`ConjugateGradients`]). The line search along P does
//! not touch X. The preconditioner is reused until a step takes many inner iterations. Then it is
//! recomputed, and from then on couples classes if that is small enough.
//!
//! Rows with probabilities near 0 or 1 have almost no curvature. Features nonzero only in such rows
//! get steps far beyond the range of the quadratic model. So the curvature is mixed with its upper
//! bound,
//!
//! ```text
//!   (1 − μ) (diag(p) − ppᵀ) + μ ½ (I − 11ᵀ/k),     ½ (I − 11ᵀ/k) ⪰ diag(p) − ppᵀ for every p,
//! ```
//!
//! with a μ that grows after a shortened step, and shrinks to 0 after full steps. With μ = 1 every
//! full step lowers F (Böhning); with μ = 0 it is a Newton step.
//!
//! Terminates by the gap (or the gradient, without a penalty), when no step lowers F, or at the
//! iteration limit. Without a penalty it also ends when every row is classified correctly; then F
//! has no minimum.

use super::criterion::{SoftmaxObjective, SoftmaxState};
use super::precondition::{Preconditioner, couples};
use crate::control::{Observer, StopReason};
use crate::data::Gather;
use crate::math::kernels::{axpy, dot};
use crate::multiclass::conjugate::ConjugateGradients;
use crate::solvers::{Damping, PenaltyAlong, StoppingCriteria, report_epoch, search};
use std::ops::Range;

/// Inner steps that take about as long as a new preconditioner; up to that number the old one is
/// reused.
const PATIENCE: usize = 15;

/// Start of a minimization.
pub(super) struct Start {
    pub weights: Vec<f64>,
    /// Whether the preconditioner couples classes from the start.
    pub coupled: bool,
}

impl Start {
    pub(super) fn zero(criterion: &SoftmaxObjective<'_>) -> Self {
        Self { weights: vec![0.0; (criterion.x.d() + 1) * criterion.k], coupled: false }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.weights.iter().all(|w| *w == 0.0)
    }
}

/// Result of a minimization.
pub(super) struct Minimum {
    pub weights: Vec<f64>,
    /// State at these weights; `None` after the time limit.
    pub look: Option<SoftmaxState>,
    pub stop: StopReason,
    pub epochs: u64,
    /// Whether the preconditioner had to couple classes.
    pub coupled: bool,
}

/// Minimizes F from `start`, whose state is `look`, with `epoch` epochs done before.
pub(super) fn minimize(
    criterion: &SoftmaxObjective<'_>,
    start: Start,
    mut look: SoftmaxState,
    mut epoch: u64,
    goal: &StoppingCriteria,
    watch: &mut dyn Observer,
) -> Minimum {
    let Start { mut weights, mut coupled } = start;
    let (mut room, mut stale) = (None, true);
    let penalized = criterion.penalized();
    // Scores of P.
    let mut u = vec![0.0; criterion.x.n() * criterion.k];
    let mut damping = Damping::default();
    loop {
        // 1. Is there a reason to stop?
        let finite = look.value.is_finite() && look.g.iter().all(|g| g.is_finite());
        let certificate = look.certificate(criterion);
        let gap = certificate.relative_gap();
        let go_on = report_epoch(watch, epoch, goal, look.value, gap);
        let reasons = [
            (!finite, StopReason::Diverged),
            (criterion.l2 == 0.0 && look.mistakes(criterion) == 0.0, StopReason::NoMinimum),
            (certificate.reaches(goal.tol), StopReason::Optimal),
            (certificate.is_at_the_floor(), StopReason::Stalled),
            (!go_on, StopReason::Interrupted),
            (epoch >= goal.budget.epochs, StopReason::IterationLimit),
        ];
        if let Some(&(_, stop)) = reasons.iter().find(|(holds, _)| *holds) {
            let look = if finite {
                Some(look)
            } else {
                weights.fill(0.0); // weights that are not finite are no result
                SoftmaxState::at(criterion, &weights)
            };
            return Minimum { weights, look, stop, epochs: epoch, coupled };
        }

        // 2. Approximate the Newton direction.
        let (preconditioner, inner) = room.get_or_insert_with(|| {
            (Preconditioner::new(criterion), ConjugateGradients::new(weights.len()))
        });
        if stale {
            preconditioner.renew(criterion, &look, damping.share(), coupled);
        }
        let SoftmaxState { g, p, gather, .. } = &mut look;
        let steps = inner.solve(
            g,
            |v, out| turn(criterion, p, gather, damping.share(), v, out),
            |r, out| preconditioner.apply(criterion, r, out),
            &criterion.cancel,
        );
        // An inexact direction is still used for a first step; later the remaining time is reserved
        // for the certificate.
        let ended = criterion.cancel.is_set() && (epoch > 0 || inner.p.iter().all(|p| *p == 0.0));
        stale = steps > PATIENCE;
        coupled |= stale && couples(criterion);

        // 3. Take the step.
        let over = || ended || criterion.cancel.is_certification_canceled();
        criterion.x.times_until(&inner.p, criterion.k, &mut u, over);
        let penalty = PenaltyAlong::new(criterion.l2, &weights[..penalized], &inner.p[..penalized]);
        let slope = dot(&look.g, &inner.p);
        let line = |t: f64| penalty.add_to(criterion.along(&look.z, &u, t), t);
        let found = if over() { None } else { search(look.value, slope, 1.0, line) };
        if over() {
            let (look, stop) = (Some(look), StopReason::Interrupted);
            return Minimum { weights, look, stop, epochs: epoch, coupled };
        }
        let Some((t, _)) = found else {
            let (look, stop) = (Some(look), StopReason::Stalled);
            return Minimum { weights, look, stop, epochs: epoch, coupled };
        };
        damping.learn(t);
        axpy(t, &inner.p, &mut weights);
        axpy(t, &u, &mut look.z);
        epoch += 1;
        if !look.again(criterion, &weights) {
            let (look, stop) = (None, StopReason::Interrupted);
            return Minimum { weights, look, stop, epochs: epoch, coupled };
        }
    }
}

/// out ← H v, damped.
fn turn(
    criterion: &SoftmaxObjective<'_>,
    p: &[f64],
    gather: &mut Gather,
    damped: f64,
    v: &[f64],
    out: &mut [f64],
) {
    let (k, penalized) = (criterion.k, criterion.penalized());
    let bend = |rows: Range<usize>, t: &mut [f64]| {
        criterion.x.times(rows.clone(), v, k, t);
        for (i, u) in rows.zip(t.chunks_exact_mut(k)) {
            let p = &p[i * k..][..k];
            let (mean, even) = (dot(p, u), u.iter().sum::<f64>() / k as f64);
            let s = criterion.s[i] / criterion.total;
            let (own, most) = (s * (1.0 - damped), s * damped * 0.5);
            u.iter_mut().zip(p).for_each(|(u, p)| *u = own * p * (*u - mean) + most * (*u - even));
        }
    };
    gather.of_until(criterion.x, out, bend, || criterion.cancel.is_set());
    if !criterion.intercept {
        out[penalized..].fill(0.0);
    }
    axpy(criterion.l2, &v[..penalized], &mut out[..penalized]);
}
