//! The canonical form of a function: only essential inputs, all of them positive, in descending
//! order of weight.
//!
//! 1. *Positive.* If the function is negative in xⱼ, xⱼ is replaced by its negation. If it is
//!    binate in xⱼ, there are rows a, b with f(a with xⱼ=1) = f(b with xⱼ=0) = 1 and f(a with
//!    xⱼ=0) = f(b with xⱼ=1) = 0: two rows against two with the same sum, so no neuron.
//! 2. *In order* of the Chow parameters s₁ ≥ s₂ ≥ …. If f is a threshold function, sᵢ > sⱼ implies
//!    wᵢ > wⱼ, and sᵢ = sⱼ implies that xᵢ and xⱼ are exchangeable.
//! 3. *Regular*: moving a 1 from an input to the previous one never lowers the output. A threshold
//!    function with w₁ ≥ w₂ ≥ … is regular. If f(01z) = 1 and f(10z) = 0 for some z, then, as sᵢ ≥
//!    sⱼ, some z′ has f(10z′) = 1 and f(01z′) = 0: again two rows against two.
//!
//! Rows of a canonical function are ordered by **shifts**: a row is above another if it results
//! from it by setting the last input or by moving 1s forward. A regular function is determined by
//! its lowest rows with output 1, or by its highest rows with output 0, which are few.
//!
//! Source: Winder, *Threshold logic* (1962); Muroga, *Threshold Logic and Its Applications* (1971),
//! chapters 3 to 6.

use super::facts::slopes;
use super::summable::Summable;
use super::truth::TruthTable;

/// A regular function, and the transformation from the original function.
#[derive(Clone, Debug)]
pub(super) struct Canonical {
    /// The function of the essential inputs.
    pub(super) truth: TruthTable,
    /// Index of each input in the original.
    order: Vec<usize>,
    /// Whether each input was negated.
    negated: Vec<bool>,
    /// Number of inputs of the original.
    n: usize,
}

impl Canonical {
    /// Computes the canonical form, or a summable set that shows that there is none.
    pub(super) fn of(truth: &TruthTable) -> Result<Self, Summable> {
        let n = truth.inputs();

        // 1. Essential inputs and their signs.
        let (mut order, mut flips) = (Vec::new(), 0);
        for j in 0..n {
            let stride = truth.stride(j);
            match slopes(truth, j) {
                (None, None) => {}
                (Some(_), None) => order.push(j),
                (None, Some(_)) => {
                    order.push(j);
                    flips |= stride;
                }
                (Some(up), Some(down)) => {
                    return Err(Summable::pairs([up | stride, down], [up, down | stride]));
                }
            }
        }

        // 2. Descending Chow parameters; ties in the original order.
        let at = |row: usize| truth.at(row ^ flips);
        let chow = |j: &usize| {
            (0..truth.rows()).filter(|row| row & truth.stride(*j) != 0 && at(*row)).count()
        };
        order.sort_by_cached_key(|j| (std::cmp::Reverse(chow(j)), *j));

        // 3. Check regularity.
        for pair in order.windows(2) {
            let (a, b) = (truth.stride(pair[0]), truth.stride(pair[1]));
            // Finds a row with `has` on and `lacks` off whose output falls when the two are
            // exchanged.
            let falls = |has: usize, lacks: usize| {
                (0..truth.rows())
                    .find(|&row| row & has != 0 && row & lacks == 0 && at(row) && !at(row ^ a ^ b))
            };
            if let Some(up) = falls(b, a) {
                let down = falls(a, b)
                    .expect("the first input of the two has no fewer rows with output 1");
                let back = |row: usize| row ^ flips;
                return Err(Summable::pairs(
                    [back(up), back(down)],
                    [back(up ^ a ^ b), back(down ^ a ^ b)],
                ));
            }
        }

        // 4. The essential inputs, in their order.
        let canonical = truth.restricted(&order, flips);
        let negated = order.iter().map(|j| flips & truth.stride(*j) != 0).collect();
        Ok(Self { truth: canonical, order, negated, n })
    }

    /// Converts weights and threshold of the canonical function to the original inputs. Negating an
    /// input negates its weight and lowers the threshold by it.
    pub(super) fn back(&self, weights: &[i64], threshold: i64) -> (Vec<i64>, i64) {
        let (mut all, mut threshold) = (vec![0; self.n], threshold);
        for ((&j, &negated), &w) in self.order.iter().zip(&self.negated).zip(weights) {
            all[j] = if negated { -w } else { w };
            threshold -= if negated { w } else { 0 };
        }
        (all, threshold)
    }
}

/// Returns the rows just below a row: without the last input, or with a 1 moved back by one
/// position.
pub(super) fn below(row: usize, n: usize) -> impl Iterator<Item = usize> {
    let last = (row & 1 == 1).then_some(row ^ 1);
    let moved = (1..n).filter(move |k| row >> (k - 1) & 3 == 2).map(move |k| row ^ (3 << (k - 1)));
    last.into_iter().chain(moved)
}

/// Returns the rows just above a row.
pub(super) fn above(row: usize, n: usize) -> impl Iterator<Item = usize> {
    let all = (1_usize << n) - 1;
    below(all ^ row, n).map(move |row| all ^ row)
}

/// Returns the number of 1s among the first 1, 2, …, n inputs: w·x = Σ uₖ times these, where uₖ =
/// wₖ − wₖ₊₁.
pub(super) fn prefixes(row: usize, n: usize) -> impl Iterator<Item = i64> {
    (0..n).map(move |k| i64::from((row >> (n - 1 - k)).count_ones()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_ordered_by_shifts() {
        let list = |rows: &mut dyn Iterator<Item = usize>| rows.collect::<Vec<_>>();
        assert_eq!(list(&mut below(0b101, 3)), [0b100, 0b011]);
        assert_eq!(list(&mut below(0b110, 3)), [0b101]);
        assert_eq!(list(&mut above(0b010, 3)), [0b011, 0b100]);
        assert_eq!(list(&mut above(0b111, 3)), [0; 0]);
        assert_eq!(prefixes(0b1011, 4).collect::<Vec<_>>(), [1, 1, 2, 3]);
    }

    #[test]
    fn functions_without_canonical_form_are_summable() {
        // (x₁ ∧ x₂) ∨ (x₃ ∧ x₄) is positive, but not regular.
        let truth = TruthTable::collect(4, |row| row & 0b1100 == 0b1100 || row & 0b0011 == 0b0011);
        assert!(Canonical::of(&truth).unwrap_err().holds(&truth));
        let xor = TruthTable::parse("0110").unwrap().unwrap();
        assert!(Canonical::of(&xor).unwrap_err().holds(&xor));
    }
}
