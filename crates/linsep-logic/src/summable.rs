//! The certificate that no neuron computes a function: a summable set of inputs.
//!
//! If rows with output 1 and rows with output 0, each with a multiplicity, are **equal in number**
//! and **have the same vector sum**,
//!
//! ```text
//!   Σ λₚ xₚ = Σ μ_q x_q,    Σ λₚ = Σ μ_q > 0,        f(xₚ) = 1, f(x_q) = 0,
//! ```
//!
//! then w·xₚ ≥ T and `w·x_q` < T would give Σ λₚ w·xₚ ≥ T Σλ > `Σ μ_q w·x_q`, though both sums are
//! w times the same vector. So there is no neuron. Conversely, if there is no neuron, such a set
//! exists (Gordan; Elgot, 1961, calls the function summable). For XOR: (0,1) + (1,0) = (0,0) +
//! (1,1).
//!
//! Two rows against two (2-summability) are tried first, as they can be verified by hand. Up to 8
//! inputs every non-threshold function is 2-summable (Winder; Muroga, *Threshold Logic and Its
//! Applications*, 1971), but this is not assumed. Otherwise [`separate`] finds a set of at most n +
//! 2 rows.

use super::truth::TruthTable;
use linsep_core::certify::separation::{Limits, separate};
use linsep_core::data::{Design, Labels, Problem};
use linsep_core::math::exact::{BigInt, Rational};
use num_traits::{One, Signed};
use serde::{Deserialize, Serialize};

/// Rows with output 1 and rows with output 0 that have the same sum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summable {
    /// Rows with output 1 and their multiplicities.
    #[serde(with = "multiplicities")]
    pub ones: Vec<(usize, BigInt)>,
    /// Rows with output 0 and their multiplicities.
    #[serde(with = "multiplicities")]
    pub zeros: Vec<(usize, BigInt)>,
}

/// Multiplicities as strings, since they can exceed the range of JSON numbers.
mod multiplicities {
    use super::BigInt;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(
        rows: &[(usize, BigInt)],
        to: S,
    ) -> Result<S::Ok, S::Error> {
        to.collect_seq(rows.iter().map(|(row, times)| (row, times.to_string())))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Vec<(usize, BigInt)>, D::Error> {
        let rows = Vec::<(usize, String)>::deserialize(from)?;
        let parse = |(row, times): (usize, String)| {
            Ok((row, times.parse().map_err(|_| D::Error::custom("expected an integer"))?))
        };
        rows.into_iter().map(parse).collect()
    }
}

impl Summable {
    /// Builds the set of two rows against two.
    pub(super) fn pairs(ones: [usize; 2], zeros: [usize; 2]) -> Self {
        let once = |rows: [usize; 2]| rows.map(|row| (row, BigInt::one())).to_vec();
        Self { ones: once(ones), zeros: once(zeros) }
    }

    /// Verifies that the set proves that no neuron computes this function, by exact sums.
    pub fn holds(&self, truth: &TruthTable) -> bool {
        let sound = |list: &[(usize, BigInt)], output: bool| {
            !list.is_empty()
                && list.iter().all(|(row, times)| {
                    *row < truth.rows() && truth.at(*row) == output && times.is_positive()
                })
        };
        let total = |list: &[(usize, BigInt)], mask: usize| {
            let on = list.iter().filter(|(row, _)| row & mask == mask);
            on.map(|(_, times)| times).sum::<BigInt>()
        };
        let masks = (0..truth.inputs()).map(|j| truth.stride(j)).chain([0]);
        sound(&self.ones, true)
            && sound(&self.zeros, false)
            && masks.into_iter().all(|mask| total(&self.ones, mask) == total(&self.zeros, mask))
    }

    /// Finds a summable set; `None` if there is none or the search takes too long.
    pub(super) fn find(truth: &TruthTable) -> Option<Self> {
        two_and_two(truth).or_else(|| any(truth)).filter(|found| found.holds(truth))
    }
}

/// Sums of two rows as numbers in base 3, in which digits never carry.
pub(super) struct Sums {
    /// Each row's digits, 0 or 1.
    pub(super) digits: Vec<u32>,
    /// Bit set of the sums of two different rows with one output.
    seen: Vec<u64>,
}

impl Sums {
    /// Largest number of inputs: 2²³ pairs, and a bit for each of 3ⁿ sums.
    pub(super) const MOST_INPUTS: usize = 12;

    /// Computes the sums of all pairs of rows with this output.
    pub(super) fn of(truth: &TruthTable, output: bool) -> Self {
        let n = truth.inputs();
        let digits: Vec<u32> = (0..truth.rows())
            .map(|row| truth.row(row).iter().fold(0, |sum, &x| 3 * sum + u32::from(x)))
            .collect();
        let mut sums = Self { digits, seen: vec![0; 3_usize.pow(n as u32).div_ceil(64)] };
        let rows: Vec<usize> = truth.rows_with(output).collect();
        for (i, &p) in rows.iter().enumerate() {
            for &q in &rows[i + 1..] {
                let at = sums.digits[p] + sums.digits[q];
                sums.seen[at as usize / 64] |= 1 << (at % 64);
            }
        }
        sums
    }

    /// Returns whether the sum of two rows is in the set.
    #[inline]
    pub(super) fn contains_sum(&self, p: usize, q: usize) -> bool {
        let at = self.digits[p] + self.digits[q];
        self.seen[at as usize / 64] >> (at % 64) & 1 == 1
    }
}

/// Finds two rows with output 1 and two with output 0.
fn two_and_two(truth: &TruthTable) -> Option<Summable> {
    if truth.inputs() > Sums::MOST_INPUTS {
        return None;
    }
    let sums = Sums::of(truth, true);
    let rows = |output| truth.rows_with(output).collect::<Vec<usize>>();
    let (ones, zeros) = (rows(true), rows(false));
    let pair = |list: &[usize], fits: &dyn Fn(usize, usize) -> bool| {
        let pairs =
            list.iter().enumerate().flat_map(|(i, &p)| list[i + 1..].iter().map(move |&q| [p, q]));
        pairs.into_iter().find(|[p, q]| fits(*p, *q))
    };
    let [r, s] = pair(&zeros, &|p, q| sums.contains_sum(p, q))?;
    let sum = sums.digits[r] + sums.digits[s];
    let found = pair(&ones, &|p, q| sums.digits[p] + sums.digits[q] == sum)?;
    Some(Summable::pairs(found, [r, s]))
}

/// Finds a set of any size.
fn any(truth: &TruthTable) -> Option<Summable> {
    let n = truth.inputs();
    let x = (0..truth.rows()).flat_map(|row| truth.row(row)).map(f64::from).collect();
    let x = Design::dense(truth.rows(), n, x).ok()?;
    let labels = Labels::parse((0..truth.rows()).map(|row| if truth.at(row) { "1" } else { "0" }));
    let problem = Problem::new(&x, &labels, None).ok()?;
    let limits = Limits { margin: false, ..Limits::default() };
    let dependence = separate(&problem, None, &limits, &mut ()).ok()?.evidence?.dependence?;
    let times = Rational::common(&Rational::primitive(&dependence.weights));
    let rows = dependence.rows.iter().map(|against| against.row).zip(times);
    let (ones, zeros) = rows.partition(|(row, _)| truth.at(*row));
    Some(Summable { ones, zeros })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn xor_is_summable_and_altered_sets_are_rejected() {
        let xor = TruthTable::parse("0110").unwrap().unwrap();
        let found = Summable::find(&xor).unwrap();
        assert_eq!(found, Summable::pairs([1, 2], [0, 3]));
        assert!(!found.holds(&xor.not()), "the outputs are those of the function");
        assert!(!Summable::pairs([1, 1], [0, 3]).holds(&xor), "the sums are equal");
        let twice = |rows: [usize; 2]| rows.map(|row| (row, BigInt::from(2))).to_vec();
        let uneven = Summable { ones: twice([1, 2]), ..found.clone() };
        assert!(!uneven.holds(&xor), "so are the numbers of rows");
        let none = Summable { ones: Vec::new(), zeros: Vec::new() };
        assert!(!none.holds(&xor));
        assert_eq!(any(&xor).unwrap().ones.len(), 2, "the general algorithm agrees");
        assert_eq!(Summable::find(&TruthTable::parse("0111").unwrap().unwrap()), None);
    }
}
