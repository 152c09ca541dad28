//! Best probabilities of one row, all others fixed.
//!
//! ```text
//!   max  H(p) + z·p − (q/2) ‖p − p₀‖²   over Σ pⱼ = 1        ln pⱼ + q pⱼ = zⱼ + q p₀ⱼ − θ
//! ```
//!
//! Newton's method in u = ln p and θ jointly. With rⱼ = uⱼ + q pⱼ − zⱼ − q p₀ⱼ and dⱼ = pⱼ/(1 + q
//! pⱼ), the linearized equations at u are (1 + q pⱼ) Δuⱼ = −θ − rⱼ and Σ pⱼ Δuⱼ = 1 − Σ pⱼ, so
//!
//! ```text
//!   θ = −(1 − Σ pⱼ + Σ dⱼ rⱼ) / Σ dⱼ,     Δuⱼ = −(θ + rⱼ) / (1 + q pⱼ)
//! ```
//!
//! All p stay positive. A step up by more than 1 may be far too long, as u + q eᵘ is convex. There
//! q eᵘ ≤ zⱼ + q p₀ⱼ − θ − uⱼ, with the old uⱼ on the right, is an upper bound of the new one. The
//! start is softmax(z), the solution for q = 0. The iteration ends when p hardly changes. The
//! result, scaled to sum to 1, is used only if it is better than p₀.

use super::criterion::normalize;
use crate::math::scalar::exp_below_zero;

/// Scratch space for the solution.
#[derive(Clone)]
pub(super) struct Solved {
    pub p: Vec<f64>,
    pub logs: Vec<f64>,
}

impl Solved {
    pub(super) fn new(k: usize) -> Self {
        Self { p: vec![0.0; k], logs: vec![0.0; k] }
    }
}

/// Values of the row before the step.
pub(super) struct Seen {
    /// ln Σ e^z.
    pub log: f64,
    /// KL(p₀ ‖ softmax(z)): term of the row in the gap.
    pub apart: f64,
    /// Gain of the solution over p₀.
    pub gain: f64,
}

/// Returns the best p for scores z, from p₀ and its logarithms.
#[inline]
pub(super) fn solve(z: &[f64], p0: &[f64], logs0: &[f64], q: f64, out: &mut Solved) -> Seen {
    const MOST: usize = 30;
    let Solved { p, logs } = out;
    // 1. Compute softmax(z) and its divergence from p₀.
    p.copy_from_slice(z);
    let log = normalize(p);
    let mut apart = 0.0;
    for (((u, z), p0), log0) in logs.iter_mut().zip(z).zip(p0).zip(logs0) {
        *u = z - log;
        apart += p0 * (log0 - *u);
    }
    // 2. Newton iterations.
    for _ in 0..MOST {
        let (mut sum, mut slope, mut rest) = (0.0, 0.0, 0.0);
        for (((p, u), z), p0) in p.iter().zip(&*logs).zip(z).zip(p0) {
            let d = p / (1.0 + q * p);
            sum += p;
            slope += d;
            rest += d * (u + q * (p - p0) - z);
        }
        let theta = -(1.0 - sum + rest) / slope;
        let (mut moved, mut away) = (0.0_f64, 0.0_f64);
        for (((p, u), z), p0) in p.iter_mut().zip(&mut *logs).zip(z).zip(p0) {
            let want = z + q * p0 - theta;
            let step = (want - *u - q * *p) / (1.0 + q * *p);
            let mut new = *u + step;
            if step > 1.0 {
                new = new.min(((want - *u) / q).ln());
            }
            *u = new.min(0.0);
            let was = *p;
            *p = exp_below_zero(*u);
            moved = moved.max((*p - was).abs());
            away = away.max((*p - p0).abs());
        }
        if moved <= 1e-2 * away {
            break;
        }
    }
    // 3. Scale to the simplex.
    let sum: f64 = p.iter().sum();
    let (share, ln) = (1.0 / sum, sum.ln());
    let mut gain = 0.0;
    for ((((p, u), z), p0), log0) in p.iter_mut().zip(logs).zip(z).zip(p0).zip(logs0) {
        *p *= share;
        *u -= ln;
        let by = *p - p0;
        gain += p0 * log0 - *p * *u + by * (z - 0.5 * q * by);
    }
    Seen { log, apart, gain }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::rng::Rng;

    /// Bisection in θ, with a nested one for every pⱼ.
    fn reference(z: &[f64], p0: &[f64], q: f64) -> Vec<f64> {
        let root = |mut low: f64, mut high: f64, rises: &dyn Fn(f64) -> f64| {
            for _ in 0..200 {
                let middle = 0.5 * (low + high);
                if rises(middle) < 0.0 { low = middle } else { high = middle }
            }
            0.5 * (low + high)
        };
        let p = |theta: f64| -> Vec<f64> {
            let one = |j: usize| {
                let want = z[j] + q * p0[j] - theta;
                root(-1e4, 1e4, &|u| u + q * u.min(700.0).exp() - want).exp()
            };
            (0..z.len()).map(one).collect()
        };
        let theta = root(-1e4, 1e4, &|theta| 1.0 - p(theta).iter().sum::<f64>());
        p(theta)
    }

    #[test]
    fn best_probabilities_match_bisection_from_any_start() {
        let mut rng = Rng::new(5, 0);
        let mut room = Solved::new(5);
        for case in 0..300 {
            let k = 2 + case % 4;
            room.p.resize(k, 0.0);
            room.logs.resize(k, 0.0);
            let q = 10.0_f64.powf(6.0 * rng.unit() - 3.0);
            let wide = 10.0_f64.powf(4.0 * rng.unit() - 2.0);
            let z: Vec<f64> = (0..k).map(|_| wide * (rng.unit() - 0.5)).collect();
            let mut p0: Vec<f64> = (0..k).map(|_| wide * (rng.unit() - 0.5)).collect();
            normalize(&mut p0);
            if case % 3 == 0 {
                p0.fill(0.0);
                p0[case % k] = 1.0;
            }
            let logs0: Vec<f64> = p0.iter().map(|p| p.ln().max(-1e3)).collect();
            let want = reference(&z, &p0, q);
            let value = |p: &[f64]| -> f64 {
                let term = |j: usize| {
                    let entropy = if p[j] > 0.0 { -p[j] * p[j].ln() } else { 0.0 };
                    entropy + z[j] * p[j] - 0.5 * q * (p[j] - p0[j]).powi(2)
                };
                (0..k).map(term).sum()
            };
            let seen = solve(&z, &p0, &logs0, q, &mut room);
            let (got, best, was) = (value(&room.p), value(&want), value(&p0));
            let scale = 1.0 + best.abs() + was.abs();
            assert!((seen.gain - (got - was)).abs() <= 1e-9 * scale, "{case}");
            assert!(
                best - got <= 1e-3 * (best - was) + 1e-9 * scale,
                "{case}: q {q}, {got} of {best} from {was}"
            );
            let sum: f64 = room.p.iter().sum();
            assert!((sum - 1.0).abs() <= 1e-12);
        }
    }
}
