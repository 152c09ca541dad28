//! Number of threshold functions of n inputs: 2, 4, 14, 104, 1882, 94 572, 15 028 134, … (OEIS
//! A000609).
//!
//! Enumeration of all 2^(2ⁿ) functions is feasible up to n = 4. Three symmetries leave far fewer:
//!
//! 1. **One more input, and no threshold.** f(x) ↦ g(x, y) = y f(x) ∨ ȳ f̄(x̄) is a bijection from
//!    the threshold functions of n inputs to the *self-dual* threshold functions of m = n + 1
//!    inputs: `w·x ≥ T` becomes `Σ wⱼ(2xⱼ − 1) + w_y(2y − 1) > 0`.
//! 2. **Signs and order.** Negating and permuting the m inputs gives g with w₁ ≥ … ≥ wₘ ≥ 0. The
//!    number of functions with the same canonical function is:
//!
//!    ```text
//!      2^(essential inputs) · m! / (g₁! g₂! …),  gᵢ the sizes of the groups of exchangeable inputs
//!    ```
//!
//!    as negating an essential input gives another function, and so does exchanging two inputs that
//!    are not exchangeable.
//! 3. **Regular functions** are the candidates: sets of rows that contain with a row all rows above
//!    it (in the order of shifts) and, being self-dual, exactly one of x and x̄. The search
//!    branches on a row with undetermined output. With output 1, all rows above it have 1 and the
//!    complements of those have 0. With output 0, the same holds for its complement. Neither choice
//!    contradicts the determined rows. (If p and p̄ were both above an undetermined row q, then q ≤
//!    p̄ ≤ q̄, but these rows have output 0 from the start.) So the search has no dead ends: its
//!    leaves are the regular self-dual functions, each once.
//!
//! A candidate is a threshold function if and only if Σ wⱼ(2xⱼ − 1) ≥ 1 for its lowest rows x has a
//! solution w₁ ≥ … ≥ wₘ ≥ 0. The Chow parameters often are one; otherwise an integer program
//! ([`Program`]) decides. No rounding occurs.
//!
//! There are 135 candidates for n = 6, 2470 for n = 7 and 319 124 for n = 8.

use super::canonical::{below, prefixes};
use crate::error::Error;
use linsep_core::Error as Size;
use linsep_core::math::exact::program::Program;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU64, Ordering};

/// Largest number of inputs.
pub const MOST: u8 = 8;
/// 64-bit words per set of rows: 2⁹ bits.
const WORDS: usize = 8;

/// Result of the enumeration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// Threshold functions of n inputs.
    pub functions: u64,
    /// Equivalence classes of the functions under negation and permutation of the inputs of their
    /// self-dual form.
    pub classes: u64,
    /// Regular self-dual functions of n + 1 inputs examined.
    pub candidates: u64,
}

/// A set of rows.
type Set = [u64; WORDS];

/// A partially determined function.
#[derive(Clone, Copy)]
struct Partial {
    ones: Set,
    zeros: Set,
}

/// The rows of m inputs and their order.
struct Order {
    m: usize,
    /// For each row the rows above it, including itself.
    up: Vec<Set>,
    /// For each row the rows below it, including itself.
    down: Vec<Set>,
    /// For each input the rows with value 1.
    on: Vec<Set>,
}

/// Counts the threshold functions. `progress` receives the finished parts and their total, from any
/// thread; if it returns false, the result is `None`.
pub fn count(
    n: usize,
    progress: &(dyn Fn(u64, u64) -> bool + Sync),
) -> Result<Option<Count>, Error> {
    if n > MOST.into() {
        return Err(Size::TooLarge { what: "inputs", got: n, most: MOST.into() }.into());
    }
    let order = Order::new(n + 1);

    // 1. Rows below their complements have output 0.
    let mut start = Partial { ones: [0; WORDS], zeros: [0; WORDS] };
    for row in (0..order.rows()).filter(|&row| has(&order.down[order.complement(row)], row)) {
        start = order.with(&start, order.complement(row));
    }

    // 2. Parts for the threads, many per thread.
    const PARTS: usize = 1 << 12;
    let mut parts = vec![start];
    for _ in 0..PARTS.ilog2() {
        parts = parts
            .iter()
            .flat_map(|part| order.split(part).unwrap_or_else(|| vec![*part]))
            .collect();
    }

    // 3. Search each part. Integer sums do not depend on the order.
    let (done, all) = (AtomicU64::new(0), parts.len() as u64);
    let counts: Option<Vec<Count>> = parts
        .par_iter()
        .map(|part| {
            let counted = order.leaves(part);
            let now = done.fetch_add(1, Ordering::Relaxed) + 1;
            progress(now, all).then_some(counted)
        })
        .collect();
    Ok(counts.map(|counts| counts.iter().fold(Count::NONE, |sum, count| sum.plus(count))))
}

impl Count {
    const NONE: Self = Self { functions: 0, classes: 0, candidates: 0 };

    fn plus(&self, other: &Self) -> Self {
        Self {
            functions: self.functions + other.functions,
            classes: self.classes + other.classes,
            candidates: self.candidates + other.candidates,
        }
    }
}

fn has(set: &Set, row: usize) -> bool {
    set[row / 64] >> (row % 64) & 1 == 1
}

fn unite(a: &mut Set, b: &Set) {
    a.iter_mut().zip(b).for_each(|(a, b)| *a |= b);
}

impl Order {
    fn new(m: usize) -> Self {
        let rows = 1_usize << m;
        let set = |holds: &dyn Fn(usize) -> bool| {
            let mut set = [0; WORDS];
            (0..rows).filter(|&row| holds(row)).for_each(|row| set[row / 64] |= 1 << (row % 64));
            set
        };
        let lower = |a: usize, b: usize| prefixes(a, m).zip(prefixes(b, m)).all(|(a, b)| a <= b);
        Self {
            m,
            up: (0..rows).map(|row| set(&|other| lower(row, other))).collect(),
            down: (0..rows).map(|row| set(&|other| lower(other, row))).collect(),
            on: (0..m).map(|k| set(&|row| row >> (m - 1 - k) & 1 == 1)).collect(),
        }
    }

    fn rows(&self) -> usize {
        1 << self.m
    }

    fn complement(&self, row: usize) -> usize {
        self.rows() - 1 - row
    }

    /// Returns the function with output 1 for a row, and all consequences.
    fn with(&self, part: &Partial, row: usize) -> Partial {
        let mut next = *part;
        unite(&mut next.ones, &self.up[row]);
        unite(&mut next.zeros, &self.down[self.complement(row)]);
        next
    }

    /// Branches on the output of the first undetermined row; `None` if all are determined.
    fn split(&self, part: &Partial) -> Option<Vec<Partial>> {
        let open = self.open(part)?;
        Some(vec![self.with(part, open), self.with(part, self.complement(open))])
    }

    fn open(&self, part: &Partial) -> Option<usize> {
        let settled = part.ones.iter().zip(&part.zeros).map(|(a, b)| a | b);
        let first = settled.enumerate().find(|(_, word)| *word != u64::MAX);
        let row = first.map(|(w, word)| 64 * w + word.trailing_ones() as usize);
        row.filter(|row| *row < self.rows())
    }

    fn leaves(&self, part: &Partial) -> Count {
        match self.open(part) {
            Some(open) => {
                let one = self.leaves(&self.with(part, open));
                one.plus(&self.leaves(&self.with(part, self.complement(open))))
            }
            None => match self.orbit(&part.ones) {
                Some(functions) => Count { functions, classes: 1, candidates: 1 },
                None => Count { candidates: 1, ..Count::NONE },
            },
        }
    }

    /// Returns the number of functions with this canonical function; `None` if it is no threshold
    /// function.
    fn orbit(&self, ones: &Set) -> Option<u64> {
        // Chow parameter: rows with output 1 and this input 1, minus those with this input 0.
        let balance = |on: &Set| {
            let both: u32 = on.iter().zip(ones).map(|(a, b)| (a & b).count_ones()).sum();
            2 * i64::from(both) - (1 << (self.m - 1))
        };
        let chow: Vec<i64> = self.on.iter().map(balance).collect();
        if !self.has_weights(ones, &chow) {
            return None;
        }
        let factorial = |k: usize| (1..=k as u64).product::<u64>();
        let essential = chow.iter().filter(|b| **b != 0).count();
        let groups: u64 =
            chow.chunk_by(|a, b| a == b).map(|group| factorial(group.len())).product();
        Some((factorial(self.m) / groups) << essential)
    }

    /// Returns whether Σ wⱼ(2xⱼ − 1) > 0 on the rows of the set, for some w₁ ≥ … ≥ wₘ ≥ 0.
    fn has_weights(&self, ones: &Set, guess: &[i64]) -> bool {
        let m = self.m;
        let lowest: Vec<usize> = (0..self.rows())
            .filter(|&row| has(ones, row) && below(row, m).all(|row| !has(ones, row)))
            .collect();
        let sign = |row: usize, k: usize| if row >> (m - 1 - k) & 1 == 1 { 1 } else { -1 };
        let sum = |row: usize| (0..m).map(|k| sign(row, k) * guess[k]).sum::<i64>();
        if lowest.iter().all(|&row| sum(row) > 0) {
            return true;
        }
        let signed = |&row: &usize| prefixes(row, m).zip(1..).map(|(p, k)| 2 * p - k).collect();
        let a: Vec<Vec<i64>> = lowest.iter().map(signed).collect();
        let b = vec![1; a.len()];
        Program { c: (1..).take(m).collect(), a, b }.is_feasible()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// OEIS A000609, and the classes of A001532.
    #[test]
    fn counts_match_oeis() {
        let known = [2, 4, 14, 104, 1_882, 94_572, 15_028_134, 8_378_070_864];
        let classes = [1, 1, 2, 3, 7, 21, 135, 2_470];
        for (n, (functions, classes)) in known.into_iter().zip(classes).enumerate() {
            let counted = count(n, &|_, _| true).unwrap().unwrap();
            assert_eq!((counted.functions, counted.classes), (functions, classes), "{n} inputs");
        }
    }

    #[test]
    fn counting_can_be_stopped_and_is_limited() {
        assert_eq!(count(5, &|_, _| false), Ok(None));
        assert!(count(9, &|_, _| true).is_err());
    }
}
