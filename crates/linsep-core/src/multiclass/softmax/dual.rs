//! Dual coordinate descent for softmax regression: the probabilities of one row at a time.
//!
//! The bound D of the module holds for any probabilities pᵢ, not only those of some W. The W of p
//! is W = (1/λS) Σ sᵢ (eᵢ − pᵢ) xᵢ. Moving pᵢ to p changes D by sᵢ/S times
//!
//! ```text
//!   H(p) − H(pᵢ) + z·(p − pᵢ) − (q/2) ‖p − pᵢ‖²,     q = sᵢ‖xᵢ‖²/(λS),  z the scores of the row
//! ```
//!
//! and the best p satisfies ln pⱼ + q pⱼ = zⱼ + q pᵢⱼ − θ, where θ makes Σ pⱼ = 1 (see `row`). W is
//! updated with each pᵢ, so a step is one pass over the row for its k scores and one to update W.
//! The gap F − D is (1/S) Σ sᵢ KL(pᵢ ‖ softmax(zᵢ)), so an epoch estimates it for free. The start
//! is pᵢ = eᵢ with W = 0.
//!
//! A proximal term holds each intercept near a center, which follows it, as in the solver
//! `dual-cd`. Rows come in runs of neighbors, the runs in random order. W is kept in single
//! precision if possible ([`MixedPrecision`]); the final state is computed in double precision.
//!
//! The first epochs gain most, if q is not far above 1: rows that share few features hardly
//! interact. So the method ends when the gap is small enough, or when epochs gain little; Newton's
//! method continues from there.
//!
//! Source: Yu, Huang & Lin, *Dual coordinate descent methods for logistic regression and maximum
//! entropy models*, Machine Learning 85 (2011).

use super::criterion::{SoftmaxObjective, SoftmaxState};
use super::precondition::couples;
use super::row::{Solved, solve};
use crate::control::{Cancel, Observer};
use crate::data::multiclass_sweep::MulticlassRowUpdate;
use crate::data::row_sweep::in_runs;
use crate::math::rng::Rng;
use crate::multiclass::proximal_intercepts::ProximalIntercepts;
use crate::multiclass::working::MixedPrecision;
use crate::solvers::{StoppingCriteria, report_epoch};

/// Stands for ln 0: its exponential underflows.
const NEVER: f64 = -1e3;

/// Result of the descent.
pub(super) struct Descent {
    pub weights: Vec<f64>,
    /// State at these weights; `None` after the time limit.
    pub look: Option<SoftmaxState>,
    pub epochs: u64,
}

/// Whether the descent is likely to save Newton's method time: W is too large for a coupled
/// preconditioner, and the penalty is not tiny.
pub(super) fn suits(criterion: &SoftmaxObjective<'_>) -> bool {
    const MOST: f64 = 1e3;
    let mean = criterion.x.norms_sq().iter().sum::<f64>() / criterion.x.n() as f64;
    !couples(criterion) && mean <= MOST * criterion.l2 * criterion.total
}

/// Descends from W = 0 until the gap is small enough, an epoch gains little, or a stop is
/// requested.
pub(super) fn descend(
    criterion: &SoftmaxObjective<'_>,
    goal: &StoppingCriteria,
    seed: u64,
    watch: &mut dyn Observer,
) -> Descent {
    /// Safety factor: the gap of the probabilities of W is larger than that of p.
    const LARGER: f64 = 4.0;
    /// Epochs before slow progress ends the descent, and the gap ratio that counts as slow.
    const FIRST: u64 = 8;
    const GAIN: f64 = 0.85;
    let mut run = Run::new(criterion);
    let (mut epochs, mut before, mut asked) = (0, None, f64::INFINITY);
    loop {
        // 1. Run an epoch.
        let seen = run.epoch(Rng::new(seed, epochs));
        epochs += 1;
        // An interrupted epoch covers some rows only.
        let go_on = !criterion.cancel.is_set()
            && report_epoch(watch, epochs, goal, seen.value, None)
            && epochs < goal.budget.epochs;

        // 2. The estimate lags by an epoch, so it is extrapolated by the last decrease.
        let fell = before.map_or(1.0, |before: f64| (seen.gap / before).min(1.0));
        let likely = seen.gap * fell;
        before = Some(seen.gap);
        let enough = LARGER * likely <= (goal.tol * seen.value).min(0.5 * asked);
        let slow = epochs > FIRST && fell > GAIN;
        if enough || slow || !go_on {
            let mut weights = run.h.to_matrix().tight();
            let look = SoftmaxState::settled(criterion, &mut weights);
            let reaches = |look: &SoftmaxState| look.certificate(criterion).reaches(goal.tol);
            if slow || !go_on || look.as_ref().is_none_or(reaches) {
                return Descent { weights, look, epochs };
            }
            asked = LARGER * likely;
            run.shift(&weights[criterion.penalized()..]);
        }
    }
}

struct Run<'a> {
    criterion: &'a SoftmaxObjective<'a>,
    h: MixedPrecision,
    /// pᵢⱼ and ln pᵢⱼ, row-major.
    p: Vec<f64>,
    logs: Vec<f64>,
    /// qᵢ, and sᵢ/(λS), the factor from a change of pᵢⱼ to a change of wⱼ.
    rows: Vec<[f64; 2]>,
    proximal_intercepts: ProximalIntercepts,
}

/// Statistics of an epoch: mean loss with penalty, and an estimate of the gap.
struct Seen {
    value: f64,
    gap: f64,
}

impl<'a> Run<'a> {
    fn new(criterion: &'a SoftmaxObjective<'a>) -> Self {
        let (x, k) = (criterion.x, criterion.k);
        let norms = x.norms_sq();
        let longest = norms.iter().fold(0.0_f64, |most, norm| most.max(*norm)).sqrt();
        let h = MixedPrecision::zero(x.d(), k, longest, criterion.l2);
        let proximal_intercepts = ProximalIntercepts::new(&norms, criterion.intercept, &h.bias);
        let rows = proximal_intercepts.steps(&norms, criterion.s, criterion.l2 * criterion.total);
        let mut p = vec![0.0; x.n() * k];
        let mut logs = vec![NEVER; x.n() * k];
        for (i, &own) in criterion.codes.iter().enumerate() {
            p[i * k + own as usize] = 1.0;
            logs[i * k + own as usize] = 0.0;
        }
        Self { criterion, h, p, logs, rows, proximal_intercepts }
    }

    /// Sets the intercepts, and shifts their centers by the same amount.
    fn shift(&mut self, biases: &[f64]) {
        let centers = &mut self.proximal_intercepts.center;
        for ((b, center), new) in self.h.bias.iter_mut().zip(centers).zip(biases) {
            *center += new - *b;
            *b = *new;
        }
    }

    /// Visits every row once, in runs in random order.
    fn epoch(&mut self, order: Rng) -> Seen {
        let SoftmaxObjective { x, k, codes, s, l2, total, .. } = *self.criterion;
        let rows: Vec<u32> = (0..x.n() as u32).collect();
        let mut order = in_runs(&rows, order);
        order.retain(|&i| s[i as usize] > 0.0);
        let mut at = Probabilities {
            codes,
            s,
            rows: &self.rows,
            p: std::mem::take(&mut self.p),
            logs: std::mem::take(&mut self.logs),
            bias: self.h.bias.clone(),
            spring: self.proximal_intercepts.square,
            cancel: &self.criterion.cancel,
            room: Solved::new(k),
            sums: [0.0; 2],
        };
        self.h.sweep(x, &order, &mut at);
        let Probabilities { p, logs, bias, sums: [loss, gap], .. } = at;
        (self.p, self.logs, self.h.bias) = (p, logs, bias);
        self.proximal_intercepts.follow(&mut self.h.bias);
        let penalty = 0.5 * l2 * self.h.norm_sq();
        Seen { value: loss / total + penalty, gap: gap / total }
    }
}

/// All pᵢ during an epoch. The hot loop is the sweep that calls [`MulticlassRowUpdate::decide`].
struct Probabilities<'a> {
    codes: &'a [u32],
    s: &'a [f64],
    rows: &'a [[f64; 2]],
    p: Vec<f64>,
    logs: Vec<f64>,
    bias: Vec<f64>,
    spring: f64,
    cancel: &'a Cancel,
    room: Solved,
    /// Loss and estimate of the gap, times S.
    sums: [f64; 2],
}

impl MulticlassRowUpdate for Probabilities<'_> {
    fn is_ended(&self) -> bool {
        self.cancel.is_set()
    }

    #[inline]
    fn decide(&mut self, i: usize, z: &mut [f64]) -> bool {
        let k = self.room.p.len();
        z.iter_mut().zip(&self.bias).for_each(|(z, b)| *z += b);
        let p = &mut self.p[i * k..][..k];
        let logs = &mut self.logs[i * k..][..k];
        let [q, step] = self.rows[i];
        let seen = solve(&z[..k], p, logs, q, &mut self.room);
        self.sums[0] += self.s[i] * (seen.log - z[self.codes[i] as usize]);
        self.sums[1] += self.s[i] * seen.apart;
        if seen.gain <= 0.0 {
            return false;
        }
        z[k..].fill(0.0);
        for ((change, p), new) in z.iter_mut().zip(&mut *p).zip(&self.room.p) {
            *change = step * (*p - new);
            *p = *new;
        }
        logs.copy_from_slice(&self.room.logs);
        self.bias.iter_mut().zip(&*z).for_each(|(b, c)| *b += self.spring * c);
        true
    }
}
