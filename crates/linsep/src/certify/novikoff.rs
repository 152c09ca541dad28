//! How many corrections a perceptron can make at most.
//!
//! If a unit u has yᵢ (xᵢ, 1)·u ≥ γ > 0 for every row, and R = maxᵢ ‖(xᵢ, 1)‖, then from h = 0 a rule that corrects one row at a
//! time makes at most **(R/γ)²** corrections, whatever η and the order (Novikoff; the proof is at the perceptron). Rows without
//! a bias are x, not (x, 1). γ is that of the best u, from below ([`Bounds`](super::separation::Bounds)), so the bound holds.
//!
//! Doubles: η scales the run from zero and nothing else, until ηx or a score overflows or underflows
//! ([`Novikoff::holds_in_doubles`]).
//!
//! Fractions: a correction by a part c of a row counts as c of one. Where the smallest part is c, there are at most (R/γ)²/c.
//!
//! Source: Novikoff, *On convergence proofs on perceptrons* (1962).

use super::separation::{Sides, ratio_sq};
use crate::control::Watch;
use crate::data::{Binary, Design};

/// What the bound is made of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Novikoff {
    /// R: no row is longer.
    pub radius: f64,
    /// γ: a plane has this margin.
    pub gamma: f64,
}

impl Novikoff {
    /// R/γ.
    pub fn ratio(&self) -> f64 {
        self.radius / self.gamma
    }

    /// (R/γ)².
    pub fn bound(&self) -> f64 {
        ratio_sq(self.radius, self.gamma)
    }

    /// Whether the bound holds for a run in doubles, up to rounding: for corrections by at least `part` of a row, at most `times`
    /// the bound of them, on rows of `width` numbers.
    ///
    /// * Underflow adds at most 2⁻¹⁰⁷⁴ to each number of h and each term of a score. It stays below rounding (2⁻⁵² of ηγ and ηR²)
    ///   for η · part · γ · min(1, γ) ≥ width · 2⁻¹⁰²².
    /// * ‖h‖ ≤ ηR · times · R/γ, and scores are at most R times that: neither overflows below the largest double.
    pub fn holds_in_doubles(&self, eta: f64, part: f64, times: f64, width: usize) -> bool {
        let least = eta * (part * self.gamma * self.gamma.min(1.0));
        let most = eta * (times * self.radius * self.ratio()) * self.radius.max(1.0);
        least >= width as f64 * f64::MIN_POSITIVE && most <= f64::MAX / 4.0
    }

    /// Of a problem of two classes; `None` where they cannot be separated, or not as far as was found in so many sweeps.
    pub fn of(
        problem: &Binary<'_>,
        lift: bool,
        sweeps: u64,
        watch: &mut dyn Watch,
    ) -> Option<Self> {
        let y = problem.y().iter().zip(problem.s());
        let y = y.map(|(&y, &s)| if s > 0.0 { y } else { 0.0 }).collect();
        Self::of_rows(problem.x(), y, lift, sweeps, watch)
    }

    /// Of rows with a sign each; 0 where one does not count.
    pub fn of_rows(
        x: &Design,
        y: Vec<f64>,
        lift: bool,
        sweeps: u64,
        watch: &mut dyn Watch,
    ) -> Option<Self> {
        let lift = if lift { 1.0 } else { 0.0 };
        let (gamma, radius) = Sides { x, y, lift }.gamma(sweeps, watch)?;
        Some(Self { radius, gamma: gamma.least })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Labels, Problem};

    #[test]
    fn the_logical_and_with_a_bias_and_a_line_without() {
        let x = Design::dense(4, 2, vec![0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0, 1.0]).unwrap();
        let labels = Labels::parse(["n", "n", "n", "y"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        // The widest u is (2, 2, −3)/√17, and R² = 3.
        let and = Novikoff::of(&problem.against_rest(1), true, 1000, &mut ()).unwrap();
        assert!((and.bound() - 51.0).abs() < 1e-3 && and.bound() >= 51.0);
        assert_eq!(Novikoff::of(&problem.against_rest(1), false, 1000, &mut ()), None);
        // −1, 2 on a line through the origin: γ = 1, R = 2.
        let x = Design::dense(2, 1, vec![-1.0, 2.0]).unwrap();
        let labels = Labels::parse(["n", "y"]);
        let problem = Problem::new(&x, &labels, None).unwrap();
        let line = Novikoff::of(&problem.against_rest(1), false, 1000, &mut ()).unwrap();
        assert!((line.bound() - 4.0).abs() < 1e-6 && line.bound() >= 4.0);
    }

    #[test]
    fn what_cannot_be_separated_has_none_and_weightless_rows_do_not_count() {
        let x = Design::dense(3, 1, vec![0.0, 1.0, 2.0]).unwrap();
        let labels = Labels::parse(["n", "y", "n"]);
        let of = |weights| {
            let problem = Problem::new(&x, &labels, Some(weights)).unwrap();
            Novikoff::of(&problem.against_rest(1), true, 1000, &mut ())
        };
        assert_eq!(of(vec![1.0, 1.0, 1.0]), None);
        // (0, 1) and (1, 1): R² = 2; the hull of −(0, 1) and (1, 1) is nearest to 0 at (2, −1)/5, γ² = 1/5.
        let two = of(vec![1.0, 1.0, 0.0]).unwrap();
        assert!((two.bound() - 10.0).abs() < 1e-4 && two.bound() >= 10.0, "{two:?}");
    }
}
