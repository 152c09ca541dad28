//! The mistake bound of the perceptron (Novikoff).
//!
//! Let a unit vector u have yᵢ (xᵢ, 1)·u ≥ γ > 0 for every row, and let R = maxᵢ ‖(xᵢ, 1)‖. Then a
//! rule that updates h by one row at a time makes at most **(R/γ)²** updates from h = 0, for any η
//! and any order of the rows. The proof is in the module of the perceptron. Without a bias, rows
//! are x instead of (x, 1). γ is a lower bound on the largest margin
//! ([`Bounds`](super::separation::Bounds)), so the mistake bound holds.
//!
//! Doubles: η only scales a run that starts at zero, unless ηx or a score overflows or underflows
//! ([`Novikoff::holds_in_doubles`]).
//!
//! Fractional updates: an update by a fraction c of a row counts as c updates. If the smallest
//! fraction is c, there are at most (R/γ)²/c updates.
//!
//! Source: Novikoff, *On convergence proofs on perceptrons* (1962).

use super::separation::{SignedData, ratio_sq};
use super::work::Work;
use crate::control::Observer;
use crate::data::BinaryProblem;
use serde::{Deserialize, Serialize};

/// Radius and margin of the mistake bound.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Novikoff {
    /// R: an upper bound on the norm of every row.
    #[serde(with = "crate::float")]
    pub radius: f64,
    /// γ: a margin that some hyperplane attains.
    #[serde(with = "crate::float")]
    pub gamma: f64,
}

impl Novikoff {
    /// Returns R/γ.
    pub fn ratio(&self) -> f64 {
        self.radius / self.gamma
    }

    /// Returns (R/γ)².
    pub fn bound(&self) -> f64 {
        ratio_sq(self.radius, self.gamma)
    }

    /// Returns whether the bound holds for a run in doubles, up to rounding. Assumes updates by at
    /// least `part` of a row, at most `times` the bound of them, and rows of `width` entries.
    ///
    /// * Underflow adds at most 2⁻¹⁰⁷⁴ to each entry of h and each term of a score. This is below
    ///   rounding (2⁻⁵² of ηγ and ηR²) if η · part · γ · min(1, γ) ≥ width · 2⁻¹⁰²².
    /// * ‖h‖ ≤ ηR · times · R/γ, and scores are at most R times that: neither overflows below the
    ///   largest double.
    pub(crate) fn holds_in_doubles(&self, eta: f64, part: f64, times: f64, width: usize) -> bool {
        let least = eta * (part * self.gamma * self.gamma.min(1.0));
        let most = eta * (times * self.radius * self.ratio()) * self.radius.max(1.0);
        least >= width as f64 * f64::MIN_POSITIVE && most <= f64::MAX / 4.0
    }

    /// Computes the bound of the rows of positive weight of a binary problem; `None` if no positive
    /// margin was found within the work.
    pub(crate) fn of(
        problem: &BinaryProblem<'_>,
        lift: bool,
        work: &mut Work,
        watch: &mut dyn Observer,
    ) -> Option<Self> {
        /// Most passes; a few suffice as a rule.
        const SWEEPS: u64 = 500;
        let y = problem.y().iter().zip(problem.s());
        let y = y.map(|(&y, &s)| if s > 0.0 { y } else { 0.0 }).collect();
        let lift = if lift { 1.0 } else { 0.0 };
        let (gamma, radius) = SignedData { x: problem.x(), y, lift }.gamma(SWEEPS, work, watch)?;
        Some(Self { radius, gamma: gamma.least })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Cancel;
    use crate::data::{Design, Labels, Problem};
    use crate::math::rng::Rng;

    fn endless() -> Work {
        Work::new(u64::MAX, Cancel::default())
    }

    #[test]
    fn bounds_of_logical_and_with_bias_and_of_a_line_without() {
        let x = Design::dense(4, 2, vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0]).unwrap();
        let labels = Labels::parse(["n", "n", "n", "y"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        // The largest margin has u = (2, 2, −3)/√17, and R² = 3.
        let and = Novikoff::of(&problem.against_rest(1), true, &mut endless(), &mut ()).unwrap();
        assert!((and.bound() - 51.0).abs() < 1e-3 && and.bound() >= 51.0);
        assert_eq!(Novikoff::of(&problem.against_rest(1), false, &mut endless(), &mut ()), None);
        // −1, 2 on a line through the origin: γ = 1, R = 2.
        let x = Design::dense(2, 1, vec![-1.0, 2.0]).unwrap();
        let labels = Labels::parse(["n", "y"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let line = Novikoff::of(&problem.against_rest(1), false, &mut endless(), &mut ()).unwrap();
        assert!((line.bound() - 4.0).abs() < 1e-6 && line.bound() >= 4.0);
    }

    #[test]
    fn inseparable_classes_have_no_bound_and_zero_weight_rows_are_ignored() {
        let x = Design::dense(3, 1, vec![0.0, 1.0, 2.0]).unwrap();
        let labels = Labels::parse(["n", "y", "n"]);
        let of = |weights| {
            let problem = Problem::new(&x, &labels, Some(weights)).unwrap();
            Novikoff::of(&problem.against_rest(1), true, &mut endless(), &mut ())
        };
        assert_eq!(of(vec![1.0, 1.0, 1.0]), None);
        // (0, 1) and (1, 1): R² = 2. The hull of −(0, 1) and (1, 1) is nearest to 0 at (2, −1)/5,
        // γ² = 1/5.
        let two = of(vec![1.0, 1.0, 0.0]).unwrap();
        assert!((two.bound() - 10.0).abs() < 1e-4 && two.bound() >= 10.0, "{two:?}");
    }

    #[test]
    fn a_run_that_the_work_ends_has_no_bound_or_a_larger_one() {
        let mut rng = Rng::new(3, 0);
        let rows: Vec<[f64; 4]> = (0..400).map(|_| [0; 4].map(|_| rng.unit() - 0.5)).collect();
        let side = |row: &&[f64; 4]| (row[0] + 0.4 * row[1] - 0.3 * row[3]).abs() > 0.01;
        let rows: Vec<&[f64; 4]> = rows.iter().filter(side).collect();
        let y = rows.iter().map(|r| if r[0] + 0.4 * r[1] > 0.3 * r[3] { "y" } else { "n" });
        let labels = Labels::parse(y);
        let x =
            Design::dense(rows.len(), 4, rows.into_iter().flatten().copied().collect()).unwrap();
        let problem = Problem::new(&x, &labels, None).unwrap();
        let within = |products: u64| {
            let work = &mut Work::new(products, Cancel::default());
            Novikoff::of(&problem.against_rest(1), true, work, &mut ()).map(|one| one.bound())
        };
        let all = within(u64::MAX).unwrap();
        let bounds: Vec<f64> = (1..200).filter_map(|k| within(2_000 * k)).collect();
        assert!((1..199).contains(&bounds.len()), "too little work gives no bound: {bounds:?}");
        assert!(bounds.windows(2).all(|pair| pair[1] <= pair[0] && pair[1] >= all * (1.0 - 1e-5)));
    }
}
