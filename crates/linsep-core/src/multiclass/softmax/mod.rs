//! Softmax regression (multinomial logistic regression): maximum penalized likelihood.
//!
//! ```text
//!   P(class c | x) = e^(z_c) / Σⱼ e^(zⱼ),     zⱼ = wⱼ·x + bⱼ
//!   F(W, b) = (1/S) Σ sᵢ (ln Σⱼ e^(zᵢⱼ) − zᵢ,yᵢ) + (λ/2) ‖W‖²,     S = Σ sᵢ
//! ```
//!
//! with ‖W‖² over all classes; intercepts are not penalized. With λ > 0 the wⱼ sum to zero, as a
//! vector added to all of them changes no probability. For two classes w₂ − w₁ is the coefficient
//! vector of logistic regression with λ/2.
//!
//! # The lower bound
//!
//! For probabilities pᵢ that satisfy the class constraints Σ sᵢ (pᵢ − eᵢ) = 0 (with intercepts; eᵢ
//! is the unit vector of the class of row i),
//!
//! ```text
//!   D(p) = (1/S) Σ sᵢ H(pᵢ) − (1/2λ) ‖G‖²,     G = (1/S) Σ sᵢ xᵢ (pᵢ − eᵢ)ᵀ,   H(p) = −Σ pⱼ ln pⱼ
//! ```
//!
//! is at most F everywhere, as ln Σ e^z ≥ p·z + H(p). The p of any W give G with their gradient, so
//! a bound costs no pass. If the constraints are violated by r = (1/S) Σ sᵢ (pᵢ − eᵢ) ≠ 0, all pᵢ
//! are mixed with one q. (1−ε) pᵢ + ε q satisfies them for q = π − (1−ε) r/ε, with π the class
//! shares. q is nonnegative for ε = 1/(1 + min πⱼ/rⱼ) over the rⱼ > 0. H is concave, so (1−ε)
//! H(pᵢ) + ε H(q) is a lower bound of the entropy of the mixture.
//!
//! [`certify`](crate::certify) derives certified predictions from this bound.
//!
//! # Algorithm
//!
//! For large W, dual coordinate descent (see `dual`) runs until the gap is small enough or epochs
//! gain little. Newton's method continues from there, or runs alone, with each step by conjugate
//! gradients (see `newton`). With many rows it starts from the optimum of a subset (see `part`).
//! Cost: two products with k columns per epoch, or per inner step.
//! Source: Böhning, *Multinomial logistic regression algorithm*, Ann. Inst. Statist. Math. 44
//! (1992); the bound as in Collins et al., *Exponentiated gradient algorithms*, JMLR 9 (2008).

mod criterion;
mod dual;
mod intercepts;
mod newton;
mod precondition;
mod row;
mod subset;
mod tile;

use super::{CoefficientMatrix, MulticlassFit, start};
use crate::binary::RegularizedErm;
use crate::certify::{OptimalityCertificate, certified_stop, certify_multiclass};
use crate::control::{Observer, StopReason};
use crate::data::{Hyperplane, Problem};
use crate::error::Error;
use crate::loss::MulticlassLoss;
use crate::options::Solver;
use crate::penalty::Penalty;
use crate::solvers::StoppingCriteria;
use criterion::{SoftmaxObjective, SoftmaxState};
use newton::Start;

/// Names of the solvers of softmax regression with a penalty; none with L1.
pub(crate) fn softmax_solvers(penalty: Penalty) -> &'static [&'static str] {
    match penalty {
        _ if penalty.l1 > 0.0 => &[],
        _ if penalty.l2 > 0.0 => &["newton-cg", "dual-cd"],
        _ => &["newton-cg"],
    }
}

/// Fits softmax regression with the penalty, tolerance and intercept of a logistic regression, from
/// given hyperplanes or from zero.
pub fn softmax(
    convex: &RegularizedErm,
    problem: &Problem<'_>,
    starts: Option<&[Hyperplane]>,
    watch: &mut dyn Observer,
) -> Result<MulticlassFit, Error> {
    convex.goal.check()?;
    let start = starts.map(|_| start(problem, starts)).transpose()?;
    let total = problem.weights().iter().sum();
    let l2 = convex.penalty.with(convex.lambda(total), convex.l1_ratio)?.l2;
    let seed = convex.options.seed.unwrap_or_default();
    watch.hyperplane(0, 1);
    let criterion = SoftmaxObjective::new(problem, l2, convex.intercept, watch.cancel());
    let at_zero = start.as_ref().is_none_or(CoefficientMatrix::is_zero);
    // From a nonzero start Newton's method continues; the dual method can only start from zero.
    let wanted = match convex.solver {
        Solver::DualCd => true,
        Solver::NewtonCg => false,
        _ => l2 > 0.0 && dual::suits(&criterion),
    };
    let descend = wanted && l2 > 0.0 && at_zero && !criterion.cancel.is_set();
    let seed = descend.then_some(seed);
    Ok(fit(problem, &criterion, seed, start.as_ref(), &convex.goal, watch))
}

fn fit(
    problem: &Problem<'_>,
    criterion: &SoftmaxObjective<'_>,
    descend: Option<u64>,
    given: Option<&CoefficientMatrix>,
    goal: &StoppingCriteria,
    watch: &mut dyn Observer,
) -> MulticlassFit {
    let mut warm = false;
    let (start, look, descended) = if let Some(seed) = descend {
        let found = dual::descend(criterion, goal, seed, watch);
        (Start { weights: found.weights, coupled: false }, found.look, found.epochs)
    } else {
        let given = Start { weights: criterion.weights(given), coupled: false };
        let from_part = (criterion.l2 > 0.0 && given.is_zero())
            .then(|| subset::start(criterion, goal))
            .flatten();
        warm = from_part.as_ref().is_some_and(|start| !start.is_zero());
        let start = from_part.unwrap_or(given);
        let look = SoftmaxState::at(criterion, &start.weights);
        (start, look, 0)
    };
    let found = match look {
        Some(look) => newton::minimize(criterion, start, look, descended, goal, watch),
        None => newton::Minimum {
            weights: start.weights,
            look: None,
            stop: StopReason::Interrupted,
            epochs: descended,
            coupled: false,
        },
    };
    let newton::Minimum { weights, look, stop, epochs, .. } = found;
    // At a stop before the first step, the epochs on the subset count as one.
    let epochs = if stop == StopReason::Interrupted && warm { epochs.max(1) } else { epochs };
    watch.stage("certificate", None);
    let hyperplanes = criterion.hyperplanes(&weights);
    let mistakes = look.as_ref().map_or(criterion.total, |look| look.mistakes(criterion));
    let (certificate, winners) = match look {
        None => (None, None),
        Some(look) if criterion.l2 > 0.0 => {
            let penalty = (criterion.l2, criterion.intercept);
            let (loss, cancel) = (MulticlassLoss::Softmax, &criterion.cancel);
            certify_multiclass(problem, loss, penalty, &hyperplanes, look.p, cancel).unzip()
        }
        Some(look) => {
            let gap = look.certificate(criterion);
            (Some(OptimalityCertificate { gap, radius: None }), None)
        }
    };
    MulticlassFit {
        hyperplanes,
        stop: certified_stop(stop, certificate.as_ref(), goal.tol),
        epochs,
        updates: 0,
        mistakes,
        certificate,
        winners: winners.flatten(),
        solver: Some(if descended > 0 && epochs == descended { "dual-cd" } else { "newton-cg" }),
    }
}

#[cfg(test)]
mod tests;
