//! Newton's method on softmax regression, each step by conjugate gradients.
//!
//! ```text
//!   H V = Σ (sᵢ/S) (xᵢ, 1) (pᵢ∘(uᵢ − pᵢ·uᵢ))ᵀ + λ V_w,     uᵢ = V ᵀ(xᵢ, 1)
//! ```
//!
//! is one pass: a block of rows is multiplied by V, bent by the probabilities, and gathered again. Steps H P = −∇F are
//! solved until ‖HP + ∇F‖ ≤ η‖∇F‖ with η = min(¼, √(‖∇F‖/‖∇F₀‖)), all norms those of the preconditioner, which makes the
//! last steps those of Newton's method; how far to go along P is found without touching the rows. The preconditioner stays
//! as it is until a step takes many inner ones; then it is built anew, and from then on couples classes where there is room for that.
//!
//! Rows that are decided have next to no curvature left, and columns that only they have get steps that go far beyond what
//! the curvature knows of. So it is mixed with what it can be at the most,
//!
//! ```text
//!   (1 − μ) (diag(p) − ppᵀ) + μ ½ (I − 11ᵀ/k),     where ½ (I − 11ᵀ/k) is above diag(p) − ppᵀ for every p,
//! ```
//!
//! with a μ that grows when the step along P had to be short, and shrinks to nothing when it did not. With μ = 1 every full
//! step lowers F (Böhning); with μ = 0 it is Newton's.
//!
//! Ends by the gap (or the gradient, without a penalty), when no step lowers F, when without a penalty every row
//! is on its own side (then F has no minimum), or with the budget.

use super::criterion::{Criterion, Look};
use super::precondition::{Preconditioner, couples};
use super::tell;
use crate::control::{Stop, Watch};
use crate::math::kernels::{axpy, dot, norm_sq};
use crate::minimise::{Damping, Goal, search};

/// Inner steps that take about as long as a new preconditioner: as long as fewer do, the old one stays.
const PATIENCE: usize = 15;

/// What minimising starts from.
pub(super) struct Start {
    pub weights: Vec<f64>,
    /// Whether the preconditioner is to couple classes from the beginning.
    pub coupled: bool,
}

impl Start {
    pub(super) fn zero(criterion: &Criterion<'_>) -> Self {
        Self { weights: vec![0.0; (criterion.x.d() + 1) * criterion.k], coupled: false }
    }

    pub(super) fn is_zero(&self) -> bool {
        self.weights.iter().all(|w| *w == 0.0)
    }
}

/// What minimising ended with.
pub(super) struct Minimum {
    pub weights: Vec<f64>,
    /// What is known at these weights.
    pub look: Look,
    pub stop: Stop,
    pub epochs: u64,
    /// Whether the preconditioner had to couple classes.
    pub coupled: bool,
}

/// Minimises F from weights on, at which `look` was taken after so many epochs.
pub(super) fn minimise(
    criterion: &Criterion<'_>,
    start: Start,
    mut look: Look,
    mut epoch: u64,
    goal: &Goal,
    watch: &mut dyn Watch,
) -> Minimum {
    let Start { mut weights, mut coupled } = start;
    let (mut room, mut stale) = (None, true);
    let (penalised, mut first) = (criterion.penalised(), None);
    let mut damping = Damping::default();
    loop {
        // 1. Is there a reason to stop?
        let finite = look.value.is_finite() && look.g.iter().all(|g| g.is_finite());
        let certificate = look.certificate(criterion);
        let gap = certificate.relative_gap();
        let go_on = tell(watch, epoch, goal, look.value, gap);
        let reasons = [
            (!finite, Stop::Diverged),
            (criterion.l2 == 0.0 && look.mistakes(criterion) == 0.0, Stop::Unbounded),
            (certificate.reaches(goal.tol), Stop::Optimal),
            (certificate.is_at_the_floor(), Stop::Stationary),
            (!go_on, Stop::Asked),
            (epoch >= goal.budget.epochs, Stop::Budget),
        ];
        if let Some(&(_, stop)) = reasons.iter().find(|(holds, _)| *holds) {
            if !finite {
                weights.fill(0.0); // what is not finite is no answer
                look = Look::at(criterion, &weights);
            }
            return Minimum { weights, look, stop, epochs: epoch, coupled };
        }

        // 2. About Newton's direction.
        let (preconditioner, inner) =
            room.get_or_insert_with(|| (Preconditioner::new(criterion), Inner::new(criterion)));
        if stale {
            preconditioner.renew(criterion, &look, damping.share(), coupled);
        }
        let steps = inner.solve(criterion, &mut look, preconditioner, damping.share(), &mut first);
        stale = steps > PATIENCE;
        coupled |= stale && couples(criterion);

        // 3. Step.
        criterion.x.times_into(&inner.p, criterion.k, &mut inner.u);
        let half = 0.5 * criterion.l2;
        let (w, p) = (&weights[..penalised], &inner.p[..penalised]);
        let (none, once, twice) = (half * norm_sq(w), half * 2.0 * dot(w, p), half * norm_sq(p));
        let slope = dot(&look.g, &inner.p);
        let found = search(look.value, slope, 1.0, |t| {
            let [value, rising, curvature] = criterion.along(&look.z, &inner.u, t);
            [
                value + none + t * (once + t * twice),
                rising + once + 2.0 * t * twice,
                curvature + 2.0 * twice,
            ]
        });
        let Some((t, _)) = found else {
            let stop = Stop::Stationary;
            return Minimum { weights, look, stop, epochs: epoch, coupled };
        };
        damping.learn(t);
        axpy(t, &inner.p, &mut weights);
        axpy(t, &inner.u, &mut look.z);
        look.again(criterion, &weights);
        epoch += 1;
    }
}

/// Conjugate gradients on H P = −∇F.
struct Inner {
    p: Vec<f64>,
    /// The scores of P.
    u: Vec<f64>,
    rest: Vec<f64>,
    solved: Vec<f64>,
    way: Vec<f64>,
    turned: Vec<f64>,
}

impl Inner {
    fn new(criterion: &Criterion<'_>) -> Self {
        let zero = || vec![0.0; (criterion.x.d() + 1) * criterion.k];
        let u = vec![0.0; criterion.x.n() * criterion.k];
        Self { p: zero(), u, rest: zero(), solved: zero(), way: zero(), turned: zero() }
    }

    /// Returns how many steps it took.
    fn solve(
        &mut self,
        criterion: &Criterion<'_>,
        look: &mut Look,
        preconditioner: &Preconditioner,
        damped: f64,
        first: &mut Option<f64>,
    ) -> usize {
        const MOST: usize = 250;
        self.p.fill(0.0);
        self.rest.iter_mut().zip(&look.g).for_each(|(rest, g)| *rest = -g);
        preconditioner.apply(criterion, &self.rest, &mut self.solved);
        self.way.copy_from_slice(&self.solved);
        let mut energy = dot(&self.rest, &self.solved);
        let eta = (energy / *first.get_or_insert(energy)).powf(0.25).min(0.25);
        let enough = eta * eta * energy;
        for step in 1..=MOST {
            turn(criterion, look, damped, &self.way, &mut self.turned);
            let curvature = dot(&self.way, &self.turned);
            if !(curvature > 0.0 && curvature.is_finite()) {
                return step; // flat: the way so far is all there is to know
            }
            let t = energy / curvature;
            axpy(t, &self.way, &mut self.p);
            axpy(-t, &self.turned, &mut self.rest);
            preconditioner.apply(criterion, &self.rest, &mut self.solved);
            let next = dot(&self.rest, &self.solved);
            if next <= enough {
                return step;
            }
            let share = next / energy;
            self.way.iter_mut().zip(&self.solved).for_each(|(way, s)| *way = share * *way + s);
            energy = next;
        }
        MOST
    }
}

/// out ← H v, damped.
fn turn(criterion: &Criterion<'_>, look: &mut Look, damped: f64, v: &[f64], out: &mut [f64]) {
    let (k, penalised) = (criterion.k, criterion.penalised());
    let p = &look.p;
    look.gather.of(criterion.x, out, |rows, t| {
        criterion.x.times(rows.clone(), v, k, t);
        for (i, u) in rows.zip(t.chunks_exact_mut(k)) {
            let p = &p[i * k..][..k];
            let (mean, even) = (dot(p, u), u.iter().sum::<f64>() / k as f64);
            let s = criterion.s[i] / criterion.total;
            let (own, most) = (s * (1.0 - damped), s * damped * 0.5);
            u.iter_mut().zip(p).for_each(|(u, p)| *u = own * p * (*u - mean) + most * (*u - even));
        }
    });
    if !criterion.intercept {
        out[penalised..].fill(0.0);
    }
    axpy(criterion.l2, &v[..penalised], &mut out[..penalised]);
}
