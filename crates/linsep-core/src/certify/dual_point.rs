//! A dual point that satisfies its constraint exactly.
//!
//! The intercept is not penalized, so a bound D(α) holds only if Σ sᵢ αᵢ yᵢ = 0: a residual ε costs
//! |ε b*|, and b* is unknown. A sum of doubles that is 0 up to rounding is not enough. So βᵢ = sᵢ
//! αᵢ is stored in whole multiples of one power of two g, which doubles represent exactly, and the
//! sum is computed in integers.
//!
//! From any α within the range of the loss:
//!
//! 1. Losses with α ≥ 0: the β of the class with the larger sum are multiplied by the ratio of the
//!    smaller sum to it, which keeps them in range. Squared loss, whose α has no range: αᵢ ← αᵢ −
//!    yᵢ Σ sⱼαⱼyⱼ/S.
//! 2. Each β is truncated toward 0 to a multiple of g. The error is at most g, 2⁻⁵⁰ of the largest
//!    β.
//! 3. The remaining difference of the sums, a few units, is subtracted from rows of the class with
//!    the larger sum (squared loss: from all rows).
//!
//! The bound refers to the real numbers αᵢ = βᵢ/sᵢ; rows of sample weight 0 have none. Cost: a few
//! passes over n entries.

use crate::math::parallel::fill_blocks;
use crate::math::sum::Sum;
use crate::objective::{BLOCK, Objective};
use std::ops::Range;

/// βᵢ = sᵢ αᵢ of a feasible α.
#[derive(Clone, Debug)]
pub(super) struct DualPoint {
    beta: Vec<f64>,
}

/// Binary digits of the largest β in units of g; leaves room for added units.
const DIGITS: i32 = 50;

impl DualPoint {
    /// Returns α = 0, which is always feasible.
    pub(super) fn zero(n: usize) -> Self {
        Self { beta: vec![0.0; n] }
    }

    /// Returns a feasible point near α. Entries out of range are clamped; NaN becomes 0.
    pub(super) fn near(objective: &Objective<'_>, alpha: Vec<f64>) -> Self {
        let (y, s) = (objective.y(), objective.s());
        let (least, most) = objective.loss().dual_range();
        let mut beta = alpha;
        let blocks = fill_blocks(&mut beta, BLOCK, |start, beta| {
            let mut sides = ClassSums::default();
            for ((beta, y), s) in beta.iter_mut().zip(&y[start..]).zip(&s[start..]) {
                // βᵢ ≤ sᵢ if αᵢ ≤ 1, as rounding is monotone.
                *beta = s * if beta.is_nan() { 0.0 } else { beta.clamp(least, most) };
                sides.add(*beta, *y);
            }
            sides
        });
        let n = beta.len();
        let bounded_below = least > f64::NEG_INFINITY;
        let sides = ClassSums::all(&blocks);
        let grid = if objective.intercept() && bounded_below {
            let factors = sides.factors();
            Grid { largest: sides.largest(factors), factors, signs: Some(y), bounded_below }
        } else if objective.intercept() {
            shift(&mut beta, y, s);
            Grid { largest: largest(&beta), factors: [1.0; 2], signs: Some(y), bounded_below }
        } else {
            let factors = [1.0; 2];
            Grid { largest: sides.largest(factors), factors, signs: None, bounded_below }
        };
        grid.cut(beta, s).map_or_else(|| Self::zero(n), |beta| Self { beta })
    }

    /// Returns all βᵢ.
    pub(super) fn beta(&self) -> &[f64] {
        &self.beta
    }

    /// Returns αᵢ of the given rows, each with one rounding; 0 if sᵢ = 0.
    pub(super) fn alpha(&self, rows: Range<usize>, s: &[f64]) -> Vec<f64> {
        let of_row = |(beta, s): (&f64, &f64)| if *s > 0.0 { beta / s } else { 0.0 };
        self.beta[rows.clone()].iter().zip(&s[rows]).map(of_row).collect()
    }
}

/// Returns numbers near βᵢ whose sum is exactly 0, each 0 if sᵢ = 0; `None` if out of the range of
/// doubles.
pub(super) fn balanced(mut beta: Vec<f64>, s: &[f64]) -> Option<Vec<f64>> {
    let signs = vec![1.0; s.len()];
    shift(&mut beta, &signs, s);
    let (largest, signs) = (largest(&beta), Some(&signs[..]));
    Grid { largest, factors: [1.0; 2], signs, bounded_below: false }.cut(beta, s)
}

fn largest(beta: &[f64]) -> f64 {
    beta.iter().fold(0.0, |most, beta| most.max(beta.abs()))
}

/// Σ β and the largest |β| of the rows with y = −1, and of those with y = +1.
#[derive(Clone, Copy, Default)]
struct ClassSums([(f64, f64); 2]);

impl ClassSums {
    fn add(&mut self, beta: f64, y: f64) {
        let (sum, most) = &mut self.0[usize::from(y > 0.0)];
        *sum += beta;
        *most = most.max(beta.abs());
    }

    fn all(blocks: &[Self]) -> Self {
        let of = |side: usize| {
            let sum: Sum = blocks.iter().map(|block| block.0[side].0).collect();
            (sum.value(), blocks.iter().fold(0.0_f64, |most, block| most.max(block.0[side].1)))
        };
        Self([of(0), of(1)])
    }

    /// Returns the factors that make the larger sum approximately equal to the smaller one.
    fn factors(&self) -> [f64; 2] {
        let [(minus, _), (plus, _)] = self.0;
        if plus > minus {
            [1.0, minus / plus]
        } else if minus > plus {
            [plus / minus, 1.0]
        } else {
            [1.0; 2]
        }
    }

    fn largest(&self, factors: [f64; 2]) -> f64 {
        (self.0[0].1 * factors[0]).max(self.0[1].1 * factors[1])
    }
}

/// Multiples of a power of two, to which numbers are truncated.
struct Grid<'a> {
    /// The largest of the numbers.
    largest: f64,
    /// Factors applied before truncation, for y = −1 and y = +1.
    factors: [f64; 2],
    /// yᵢ, if Σ yᵢβᵢ = 0 is required.
    signs: Option<&'a [f64]>,
    bounded_below: bool,
}

impl Grid<'_> {
    fn cut(&self, mut beta: Vec<f64>, s: &[f64]) -> Option<Vec<f64>> {
        // Outside this interval the grid, or a sum, would leave the range of doubles.
        if !(1e-250..=1e250).contains(&self.largest) {
            return None;
        }
        let unit = power_of_two(exponent(self.largest) - DIGITS);
        // At most 2⁵¹ units: they and the sum of a block fit into 64-bit integers, to which the
        // cast truncates.
        let sums = fill_blocks(&mut beta, BLOCK, |start, beta| {
            let mut sum = 0;
            for (i, beta) in beta.iter_mut().enumerate() {
                let up = self.signs.is_none_or(|y| y[start + i] > 0.0);
                let units = (*beta * self.factors[usize::from(up)] / unit) as i64;
                sum += if up { units } else { -units };
                *beta = units as f64 * unit;
            }
            sum
        });
        if let Some(y) = self.signs {
            let total = sums.into_iter().map(i128::from).sum();
            subtract_imbalance(&mut beta, unit, total, y, s, self.bounded_below);
        }
        Some(beta)
    }
}

/// Subtracts the imbalance from all rows in proportion to their sample weights.
fn shift(beta: &mut [f64], y: &[f64], s: &[f64]) {
    let signed = beta.iter().zip(y).map(|(beta, y)| beta * y);
    let by = signed.collect::<Sum>().value() / s.iter().copied().collect::<Sum>().value();
    let rows = beta.iter_mut().zip(y).zip(s);
    rows.for_each(|((beta, y), s)| *beta -= s * y * by);
}

/// Subtracts the imbalance of `total` units, so that Σ yᵢβᵢ = 0, a few units per row. With
/// `bounded_below`, only rows of the class with the larger sum are lowered, none below 0; their sum
/// exceeds the imbalance. Otherwise all rows of positive sample weight move.
fn subtract_imbalance(
    beta: &mut [f64],
    unit: f64,
    total: i128,
    y: &[f64],
    s: &[f64],
    bounded_below: bool,
) {
    let (side, mut left) = (if total > 0 { 1.0 } else { -1.0 }, total.unsigned_abs());
    let takes =
        |i: usize, beta: f64| s[i] > 0.0 && (!bounded_below || (y[i] == side && beta > 0.0));
    while left > 0 {
        let count = (0..beta.len()).filter(|&i| takes(i, beta[i])).count();
        let each = left.div_ceil(count as u128);
        for i in 0..beta.len() {
            if left == 0 {
                break;
            }
            if takes(i, beta[i]) {
                let most = if bounded_below { (beta[i] / unit) as u128 } else { u128::MAX };
                let own = each.min(most).min(left);
                beta[i] -= side * y[i] * own as f64 * unit;
                left -= own;
            }
        }
    }
}

fn exponent(v: f64) -> i32 {
    ((v.to_bits() >> 52) & 0x7ff) as i32 - 1023
}

fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Design, Labels, Problem};
    use crate::loss;
    use crate::math::rng::Rng;
    use crate::penalty::Penalty;
    use num_bigint::BigInt;

    /// Returns Σ yᵢβᵢ in units of 2⁻¹⁰⁷⁴.
    fn imbalance(point: &DualPoint, y: &[f64]) -> BigInt {
        let exact = |beta: f64| {
            let bits = beta.abs().to_bits();
            let (e, fraction) = ((bits >> 52) as usize, bits & ((1 << 52) - 1));
            let whole = if e == 0 { fraction } else { fraction | (1 << 52) };
            BigInt::from(whole) << (e.max(1) - 1)
        };
        let signed = |(beta, y): (&f64, &f64)| {
            if beta * y < 0.0 { -exact(*beta) } else { exact(*beta) }
        };
        point.beta().iter().zip(y).map(signed).sum()
    }

    #[test]
    fn constraint_holds_exactly_and_alpha_stays_in_range() {
        let mut rng = Rng::new(8, 0);
        for case in 0..3_000 {
            let n = 2 + rng.below(30) as usize;
            let x = Design::dense(n, 1, vec![1.0; n]).unwrap();
            let labels = Labels::parse((0..n).map(|i| if i % 3 == 0 { "a" } else { "b" }));
            let power = |rng: &mut Rng| 10.0_f64.powf((rng.unit() - 0.5) * f64::from(case % 25));
            let weights: Vec<f64> = (0..n)
                .map(|i| if i > 2 && rng.unit() < 0.1 { 0.0 } else { power(&mut rng) })
                .collect();
            let problem = Problem::new(&x, &labels, Some(weights)).unwrap();
            let binary = problem.against_rest(1);
            for loss in loss::ALL {
                let (least, most) = loss.dual_range();
                let alpha: Vec<f64> = (0..n)
                    .map(|_| match rng.below(6) {
                        0 => 0.0,
                        1 => most.min(1.0),
                        2 => power(&mut rng) * if rng.unit() < 0.5 { -1.0 } else { 1.0 },
                        3 => f64::NAN,
                        _ => rng.unit(),
                    })
                    .collect();
                let objective = Objective::new(&binary, *loss, Penalty::l2(0.1), true).unwrap();
                let point = DualPoint::near(&objective, alpha);
                assert_eq!(imbalance(&point, binary.y()), BigInt::from(0), "{}", loss.name());
                for ((alpha, beta), s) in
                    point.alpha(0..n, binary.s()).iter().zip(point.beta()).zip(binary.s())
                {
                    assert!((least..=most).contains(alpha), "{}: {alpha}", loss.name());
                    assert!(*s > 0.0 || *beta == 0.0);
                    assert!(most.is_infinite() || beta <= s);
                }
            }
        }
    }
}
